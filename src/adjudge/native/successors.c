/* Characters that follow each other in the strings of a vocabulary, and how probable that makes each string.
 *
 * Characters are told apart as symbols, 1 to 63, with 0 before a string and behind it; symbols has the one of each.
 *
 * count(letters, offsets, symbols, weights, single, pairs, table)
 *   adds the weight of each string at each of its symbols, and at its end, to the items of three tables: single has 64 of
 *   them, pairs 64 x 64 by the symbol before, and table 64 x 64 x 64 by the two before. String i is letters[offsets[i]] to
 *   letters[offsets[i + 1]].
 *
 * add_up(letters, offsets, symbols, table, begins, ends)
 *   adds up the items of the table in the order of the text; begins and ends get the sum before and behind each string.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#define SYMBOLS 64

enum { LETTERS, OFFSETS, KINDS, WEIGHTS, SINGLE, PAIRS, TABLE, ARRAYS };

static int
are_strings(const Array *letters, const Array *offsets, const Array *symbols)
{
    int64_t last = offsets->length - 1;
    if (!has_room(offsets, 1) || !ascends(offsets, 0, last, letters->length) || !has_length(symbols, 256))
        return 0;
    for (int k = 0; k < 256; k++)
        if (((const uint8_t *)symbols->items)[k] >= SYMBOLS)
            return refuse(symbols, "a symbol beyond 63");
    return 1;
}

static PyObject *
successors_count(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(uint8_t, "symbols"),
                       READS(double, "weights"), WRITES(double, "single"), WRITES(double, "pairs"),
                       WRITES(double, "table")};
    PyObject *result = NULL;
    (void)self;
    if (!take(args, "count", "AAAAAAA", a))
        return NULL;
    if (are_strings(&a[LETTERS], &a[OFFSETS], &a[KINDS]) && has_length(&a[WEIGHTS], a[OFFSETS].length - 1) &&
        has_length(&a[SINGLE], SYMBOLS) && has_length(&a[PAIRS], SYMBOLS * SYMBOLS) &&
        has_length(&a[TABLE], SYMBOLS * SYMBOLS * SYMBOLS)) {
        const uint8_t *letters = a[LETTERS].items, *symbols = a[KINDS].items;
        const int64_t *offsets = a[OFFSETS].items;
        const double *weights = a[WEIGHTS].items;
        double *single = a[SINGLE].items, *pairs = a[PAIRS].items, *table = a[TABLE].items;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t k = 0; k + 1 < a[OFFSETS].length; k++) {
            uint32_t context = 0; /* the two symbols before */
            for (int64_t i = offsets[k]; i <= offsets[k + 1]; i++) {
                uint32_t key = context * SYMBOLS + (i < offsets[k + 1] ? symbols[letters[i]] : 0);
                single[key % SYMBOLS] += weights[k];
                context = key % (SYMBOLS * SYMBOLS);
                pairs[context] += weights[k];
                table[key] += weights[k];
            }
        }
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    release(a, ARRAYS);
    return result;
}

static PyObject *
successors_add_up(PyObject *self, PyObject *args)
{
    enum { ITEMS = WEIGHTS, FIRST, LAST, BOTH };
    Array a[BOTH] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(uint8_t, "symbols"),
                     READS(double, "table"), WRITES(double, "begins"), WRITES(double, "ends")};
    PyObject *result = NULL;
    (void)self;
    if (!take(args, "add_up", "AAAAAA", a))
        return NULL;
    if (are_strings(&a[LETTERS], &a[OFFSETS], &a[KINDS]) && has_length(&a[ITEMS], SYMBOLS * SYMBOLS * SYMBOLS) &&
        has_length(&a[FIRST], a[OFFSETS].length - 1) && has_length(&a[LAST], a[OFFSETS].length - 1)) {
        const uint8_t *letters = a[LETTERS].items, *symbols = a[KINDS].items;
        const int64_t *offsets = a[OFFSETS].items;
        const double *table = a[ITEMS].items;
        double *begins = a[FIRST].items, *ends = a[LAST].items, sum = 0;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t k = 0; k + 1 < a[OFFSETS].length; k++) {
            uint32_t context = 0;
            begins[k] = sum;
            for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) {
                uint32_t key = context * SYMBOLS + symbols[letters[i]];
                sum += table[key];
                context = key % (SYMBOLS * SYMBOLS);
            }
            ends[k] = sum += table[context * SYMBOLS];
        }
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    release(a, BOTH);
    return result;
}

PyMethodDef successors_entries[] = {
    {"count", successors_count, METH_VARARGS, "how often symbols follow each other"},
    {"add_up", successors_add_up, METH_VARARGS, "sums over the symbols of strings"},
    END_OF_ENTRIES,
};
