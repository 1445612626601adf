/* Vocabularies: an empty one, the numbers of strings in it, and its strings in order. splitting.c adds to them, too.
 *
 * text/splitting.py and index/segments.py do the same with dictionaries.
 */
#include "vocabulary.h"

/* vocabulary(lower) -> an empty vocabulary, which split and number add to; split has A to Z in lower case for it if that is 1. */
static PyObject *
numbering_vocabulary(PyObject *self, PyObject *args)
{
    Vocabulary *v;
    PyObject *capsule;
    int lower;
    (void)self;
    if (!take(args, "vocabulary", "p", NULL, &lower))
        return NULL;
    if ((v = malloc(sizeof *v)) == NULL || !prepare(v)) {
        free(v);
        return PyErr_NoMemory();
    }
    v->lower = lower;
    if ((capsule = PyCapsule_New(v, VOCABULARY, forget)) == NULL) {
        empty(v);
        free(v);
    }
    return capsule;
}

/* The numbers of some strings, some looked up after each other as tokens are; 0 without memory. */
static int
numbers_of(Vocabulary *v, const uint8_t *data, int64_t limit, const int64_t *offset, int64_t many, int32_t *ids)
{
    uint64_t head[TOGETHER], code[TOGETHER];
    for (int64_t first = 0; first < many; first += TOGETHER) {
        const int64_t last = first + TOGETHER < many ? first + TOGETHER : many;
        for (int64_t t = first; t < last; t++) {
            int32_t length = (int32_t)(offset[t + 1] - offset[t]);
            head[t - first] = head_of(data, offset[t], length, limit);
            code[t - first] = code_of(data + offset[t], length, head[t - first]);
            PREFETCH(&v->table[code[t - first] & ((uint64_t)v->room - 1)]);
        }
        for (int64_t t = first; t < last; t++) {
            int32_t length = (int32_t)(offset[t + 1] - offset[t]);
            if ((ids[t] = look_up(v, data + offset[t], length, head[t - first], code[t - first])) < 0)
                return 0;
        }
    }
    return 1;
}

/* number(vocabulary, data, offsets, ids, listed) -> the types that are new, if these are to be listed; ids gets the number of
 * each string in the data, none of which is empty. */
static PyObject *
numbering_number(PyObject *self, PyObject *args)
{
    enum { DATA, OFFSETS, IDS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"), READS(int64_t, "offsets"), WRITES(int32_t, "ids")};
    PyObject *given, *result = NULL;
    Vocabulary own = {0}, *types = NULL;
    int64_t many, known, t;
    const int64_t *offset;
    int listed, fine;

    (void)self;
    if (!take(args, "number", "OAAAp", a, &given, &listed))
        return NULL;
    many = a[OFFSETS].length - 1;
    offset = a[OFFSETS].items;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, many, a[DATA].length) || !has_length(&a[IDS], many))
        goto done;
    for (t = 0; t < many; t++)
        if (offset[t + 1] == offset[t] || offset[t + 1] - offset[t] > LONGEST) {
            refuse(&a[OFFSETS], "a token without a byte, or with too many");
            goto done;
        }
    if ((types = take_vocabulary(given, &own, "number")) == NULL)
        goto done;
    known = types->distinct;
    Py_BEGIN_ALLOW_THREADS
    fine = numbers_of(types, a[DATA].items, a[DATA].length, offset, many, a[IDS].items);
    Py_END_ALLOW_THREADS
    if (!fine)
        PyErr_NoMemory();
    else
        result = listed ? types_since(types, known) : Py_NewRef(Py_None);
done:
    if (types)
        types->busy = 0;
    empty(&own);
    release(a, ARRAYS);
    return result;
}

/* A type that is put in order: its first eight bytes as a number of that order, and all of them. */
typedef struct {
    uint64_t key;
    const uint8_t *bytes;
    int32_t length, id;
} Placed;

static int
by_bytes(const void *one, const void *other)
{
    const Placed *a = one, *b = other;
    return compare(a->bytes, a->length, b->bytes, b->length);
}

#define DIGITS 65536

/* By their keys, sixteen bits after the other, and what has the same key by all bytes; where they are then. */
static Placed *
put_in_order(Placed *some, Placed *room, int64_t many, int64_t *count)
{
    for (int shift = 0; shift < 64; shift += 16) {
        Placed *other = some;
        int64_t before = 0;
        memset(count, 0, DIGITS * sizeof *count);
        for (int64_t k = 0; k < many; k++)
            count[some[k].key >> shift & (DIGITS - 1)]++;
        for (int64_t d = 0; d < DIGITS; d++) {
            int64_t own = count[d];
            count[d] = before;
            before += own;
        }
        for (int64_t k = 0; k < many; k++)
            room[count[some[k].key >> shift & (DIGITS - 1)]++] = some[k];
        some = room;
        room = other;
    }
    for (int64_t first = 0, last; first < many; first = last) {
        for (last = first + 1; last < many && some[last].key == some[first].key; last++)
            ;
        if (last - first > 1)
            qsort(some + first, (size_t)(last - first), sizeof *some, by_bytes);
    }
    return some;
}

/* in_order(vocabulary, wanted) -> (bytes of the types that are wanted, in the order of their bytes, where each begins and
 * the last one ends as int64, their numbers as int32), all bytes; wanted has one item for each type. */
static PyObject *
numbering_in_order(PyObject *self, PyObject *args)
{
    Array a[] = {READS(uint8_t, "wanted")};
    PyObject *given, *result = NULL, *bytes = NULL, *offsets = NULL, *numbers = NULL;
    Vocabulary own = {0}, *v = NULL;
    Placed *some = NULL, *room = NULL, *placed;
    int64_t *count = NULL, many = 0, size = 0, k;

    (void)self;
    if (!take(args, "in_order", "OA", a, &given))
        return NULL;
    if ((v = take_vocabulary(given, &own, "in_order")) == NULL || !has_length(&a[0], v->distinct))
        goto done;
    for (k = 0; k < v->distinct; k++)
        if (((const uint8_t *)a[0].items)[k]) {
            many++;
            size += v->ends[k + 1] - v->ends[k];
        }
    some = malloc((size_t)(many + 1) * sizeof *some);
    room = malloc((size_t)(many + 1) * sizeof *room);
    count = malloc(DIGITS * sizeof *count);
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    offsets = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(8 * (many + 1)));
    numbers = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(4 * many));
    if (!some || !room || !count || !bytes || !offsets || !numbers) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        goto done;
    }
    {
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(bytes);
        int64_t *offset = (int64_t *)PyBytes_AS_STRING(offsets), n = 0;
        int32_t *number = (int32_t *)PyBytes_AS_STRING(numbers);
        Py_BEGIN_ALLOW_THREADS
        for (k = 0; k < v->distinct; k++)
            if (((const uint8_t *)a[0].items)[k]) {
                const uint8_t *of = v->bytes + v->ends[k];
                const int32_t length = (int32_t)(v->ends[k + 1] - v->ends[k]);
                uint64_t key = 0;
                for (int i = 0; i < HEAD && i < length; i++)
                    key |= (uint64_t)of[i] << (56 - 8 * i);
                some[n++] = (Placed){key, of, length, (int32_t)k};
            }
        placed = put_in_order(some, room, many, count);
        for (offset[0] = 0, k = 0; k < many; k++) {
            memcpy(to + offset[k], placed[k].bytes, (size_t)placed[k].length);
            offset[k + 1] = offset[k] + placed[k].length;
            number[k] = placed[k].id;
        }
        Py_END_ALLOW_THREADS
    }
    result = Py_BuildValue("OOO", bytes, offsets, numbers);
done:
    if (v)
        v->busy = 0;
    empty(&own);
    Py_XDECREF(bytes);
    Py_XDECREF(offsets);
    Py_XDECREF(numbers);
    free(some);
    free(room);
    free(count);
    release(a, 1);
    return result;
}

PyMethodDef numbering_entries[] = {
    {"vocabulary", numbering_vocabulary, METH_VARARGS, "an empty vocabulary"},
    {"number", numbering_number, METH_VARARGS, "the numbers of tokens in a vocabulary"},
    {"in_order", numbering_in_order, METH_VARARGS, "the tokens of a vocabulary in their order"},
    END_OF_ENTRIES,
};
