/* Counting and looking up short sequences of numbers, of which there are millions, and choosing matches:
 *
 *   add      sequences  ->  the number of each in a growing table, its count raised
 *   find     sequences  ->  the number of each, -1 for those that are not in the table
 *   choose   matches    ->  those that are left if the longest is taken from left to right
 *
 * A sequence is a stretch of an array of numbers. Entries are compared number by number, so there are no collisions.
 * terms/tally.py says the same in Python; the tests hold both to the same results.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define NAME "adjudge._native.tally"
#define LONGEST 64

typedef struct {
    int64_t width, size, room, slots;
    int32_t *rows;   /* size rows of width numbers, -1 where a sequence is shorter */
    int64_t *counts; /* one a row */
    uint32_t *codes; /* hashes, one a row */
    int32_t *table;  /* a row or -1, slots of them, a power of two */
    int readers, writers; /* threads at work; counted with the interpreter lock held */
} Tally;

static void
discard(Tally *t)
{
    if (t) {
        free(t->rows);
        free(t->counts);
        free(t->codes);
        free(t->table);
        free(t);
    }
}

static void
tally_free(PyObject *capsule)
{
    discard(PyCapsule_GetPointer(capsule, NAME));
}

/* The table, unless another thread is changing it, or, if it is to be changed, looking at it. */
static Tally *
table_of(PyObject *capsule, int writing)
{
    Tally *t = PyCapsule_GetPointer(capsule, NAME);
    if (t && (t->writers || (writing && t->readers))) {
        PyErr_SetString(PyExc_RuntimeError, "a table that another thread works on");
        return NULL;
    }
    return t;
}

static PyObject *
tally_new(PyObject *self, PyObject *args)
{
    int64_t width;
    Tally *t;
    (void)self;
    if (!take(args, "new", "i", NULL, &width))
        return NULL;
    if (width < 1 || width > LONGEST) {
        PyErr_SetString(PyExc_ValueError, "a sequence has 1 to 64 numbers");
        return NULL;
    }
    t = calloc(1, sizeof *t);
    if (t) {
        t->width = width;
        t->room = 1 << 10;
        t->slots = 1 << 12;
        t->rows = malloc((size_t)(t->room * width) * sizeof *t->rows);
        t->counts = malloc((size_t)t->room * sizeof *t->counts);
        t->codes = malloc((size_t)t->room * sizeof *t->codes);
        t->table = malloc((size_t)t->slots * sizeof *t->table);
    }
    if (!t || !t->rows || !t->counts || !t->codes || !t->table) {
        discard(t);
        return PyErr_NoMemory();
    }
    memset(t->table, 0xff, (size_t)t->slots * sizeof *t->table);
    PyObject *capsule = PyCapsule_New(t, NAME, tally_free);
    if (!capsule)
        discard(t);
    return capsule;
}

static inline uint32_t
hash(const int32_t *key, int length)
{
    uint64_t code = 0x9e3779b97f4a7c15u ^ (uint64_t)length;
    int i;
    for (i = 0; i < length; i++) {
        code = (code ^ (uint32_t)key[i]) * 0xff51afd7ed558ccdu;
        code ^= code >> 29;
    }
    code *= 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(code >> 32);
}

/* The row of a key, or -1; *slot is where it is or would go. */
static inline int32_t
look(const Tally *t, const int32_t *key, int length, uint32_t code, int64_t *slot)
{
    int64_t at = code & (uint64_t)(t->slots - 1);
    for (;; at = (at + 1) & (t->slots - 1)) {
        int32_t row = t->table[at];
        const int32_t *own;
        if (row < 0)
            break;
        own = t->rows + row * t->width;
        if (t->codes[row] == code && memcmp(own, key, (size_t)length * 4) == 0 &&
            (length == t->width || own[length] == -1))
            break;
    }
    *slot = at;
    return t->table[at];
}

static int
more_rows(Tally *t)
{
    int64_t room = t->room * 2;
    void *made;
    if (!(made = realloc(t->rows, (size_t)(room * t->width) * sizeof *t->rows)))
        return 0;
    t->rows = made;
    if (!(made = realloc(t->counts, (size_t)room * sizeof *t->counts)))
        return 0;
    t->counts = made;
    if (!(made = realloc(t->codes, (size_t)room * sizeof *t->codes)))
        return 0;
    t->codes = made;
    t->room = room;
    return 1;
}

static int
more_slots(Tally *t)
{
    int64_t slots = t->slots * 2, row;
    int32_t *table = malloc((size_t)slots * sizeof *table);
    if (!table)
        return 0;
    memset(table, 0xff, (size_t)slots * sizeof *table);
    for (row = 0; row < t->size; row++) {
        int64_t at = t->codes[row] & (uint64_t)(slots - 1);
        while (table[at] >= 0)
            at = (at + 1) & (slots - 1);
        table[at] = (int32_t)row;
    }
    free(t->table);
    t->table = table;
    t->slots = slots;
    return 1;
}

/* A new row for a key, -1 if there is no memory for it or no number. */
static int32_t
insert(Tally *t, const int32_t *key, int length, uint32_t code, int64_t slot)
{
    int32_t *own, row = (int32_t)t->size;
    if (t->size >= 0x7ffffffe || t->size + 1 >= t->slots || (t->size == t->room && !more_rows(t)))
        return -1;
    own = t->rows + t->size * t->width;
    memset(own, 0xff, (size_t)t->width * 4);
    memcpy(own, key, (size_t)length * 4);
    t->counts[t->size] = 0;
    t->codes[t->size] = code;
    t->table[slot] = row;
    t->size++;
    if (t->size * 2 > t->slots && !more_slots(t))
        return -1;
    return row;
}

/* add(tally, ids, starts, lengths, last or None, weights or None, out), find without weights. A sequence with a
 * negative number, or one that leaves the array, has no number. last, if given, replaces the last number of each. */
static PyObject *
work(PyObject *args, const char *entry, int adding)
{
    enum { IDS, STARTS, LENGTHS, LAST, WEIGHTS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ids"),     READS(int64_t, "starts"),     READS(uint8_t, "lengths"),
                       MAY_READ(int32_t, "last"), MAY_READ(int64_t, "weights"), WRITES(int32_t, "out")};
    PyObject *capsule, *result = NULL;
    Tally *t;
    int64_t many;
    int failed = 0;
    if (!take(args, entry, "OAAAAAA", a, &capsule))
        return NULL;
    many = a[LENGTHS].length;
    if (!has_length(&a[STARTS], many) || !has_length(&a[OUT], many) ||
        (a[WEIGHTS].items && !has_length(&a[WEIGHTS], many)) || !(t = table_of(capsule, adding)))
        goto done;
    *(adding ? &t->writers : &t->readers) += 1;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *ids = a[IDS].items, *map = a[LAST].items;
    const int64_t *starts = a[STARTS].items, *weight = a[WEIGHTS].items;
    const uint8_t *lengths = a[LENGTHS].items;
    int64_t there = a[IDS].length, mapped = a[LAST].length;
    int32_t *out = a[OUT].items, key[LONGEST];
    for (int64_t i = 0; i < many && !failed; i++) {
        int length = lengths[i], fine = length >= 1 && length <= t->width && starts[i] >= 0, k;
        int64_t slot;
        out[i] = -1;
        if (!fine || starts[i] > there - length)
            continue;
        for (k = 0; k < length; k++) {
            key[k] = ids[starts[i] + k];
            fine &= key[k] >= 0;
        }
        if (!fine)
            continue;
        if (map) {
            if (key[length - 1] >= mapped)
                continue;
            key[length - 1] = map[key[length - 1]];
            if (key[length - 1] < 0)
                continue;
        }
        uint32_t code = hash(key, length);
        int32_t row = look(t, key, length, code, &slot);
        if (adding) {
            if (row < 0)
                row = insert(t, key, length, code, slot);
            if (row < 0)
                failed = 1;
            else
                t->counts[row] = plus(t->counts[row], weight ? weight[i] : 1);
        }
        out[i] = row;
    }
    Py_END_ALLOW_THREADS
    *(adding ? &t->writers : &t->readers) -= 1;
    if (failed)
        PyErr_NoMemory();
    else
        result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

static PyObject *
tally_add(PyObject *self, PyObject *args)
{
    (void)self;
    return work(args, "add", 1);
}

static PyObject *
tally_find(PyObject *self, PyObject *args)
{
    (void)self;
    return work(args, "find", 0);
}

static PyObject *
tally_size(PyObject *self, PyObject *capsule)
{
    Tally *t = table_of(capsule, 0);
    (void)self;
    return t ? PyLong_FromLongLong(t->size) : NULL;
}

/* fill(tally, rows, counts): copies of what there is. */
static PyObject *
tally_fill(PyObject *self, PyObject *args)
{
    Array a[] = {WRITES(int32_t, "rows"), WRITES(int64_t, "counts")};
    PyObject *capsule, *result = NULL;
    Tally *t;
    (void)self;
    if (!take(args, "fill", "OAA", a, &capsule))
        return NULL;
    if ((t = table_of(capsule, 0)) && has_length(&a[0], t->size * t->width) && has_length(&a[1], t->size)) {
        memcpy(a[0].items, t->rows, (size_t)a[0].view.len);
        memcpy(a[1].items, t->counts, (size_t)a[1].view.len);
        result = Py_NewRef(Py_None);
    }
    release(a, COUNT_OF(a));
    return result;
}

/* choose(starts, lengths, taken): matches in the order of their starts, the longest of each start first. */
static PyObject *
tally_choose(PyObject *self, PyObject *args)
{
    Array a[] = {READS(int64_t, "starts"), READS(uint8_t, "lengths"), WRITES(uint8_t, "taken")};
    PyObject *result = NULL;
    int64_t many;
    (void)self;
    if (!take(args, "choose", "AAA", a))
        return NULL;
    many = a[1].length;
    if (has_length(&a[0], many) && has_length(&a[2], many)) {
        Py_BEGIN_ALLOW_THREADS
        const int64_t *start = a[0].items;
        const uint8_t *length = a[1].items;
        uint8_t *yes = a[2].items;
        int64_t free_from = INT64_MIN;
        for (int64_t i = 0; i < many; i++) {
            yes[i] = start[i] >= free_from;
            if (yes[i])
                free_from = start[i] > INT64_MAX - length[i] ? INT64_MAX : start[i] + length[i];
        }
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    release(a, COUNT_OF(a));
    return result;
}

PyMethodDef tally_entries[] = {
    {"new", tally_new, METH_VARARGS, "an empty table for sequences up to a length"},
    {"add", tally_add, METH_VARARGS, "count sequences"},
    {"find", tally_find, METH_VARARGS, "the numbers of sequences"},
    {"size", tally_size, METH_O, "different sequences"},
    {"fill", tally_fill, METH_VARARGS, "copy sequences and counts"},
    {"choose", tally_choose, METH_VARARGS, "matches that do not overlap"},
    END_OF_ENTRIES,
};
