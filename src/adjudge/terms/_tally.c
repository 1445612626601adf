/* Counting and looking up short sequences of numbers, of which there are millions, and choosing matches:
 *
 *   add      sequences  ->  the number of each in a growing table, its count raised
 *   find     sequences  ->  the number of each, -1 for those that are not in the table
 *   choose   matches    ->  those that are left if the longest is taken from left to right
 *
 * A sequence is a stretch of an array of numbers. Entries are compared number by number, so there are no collisions.
 * tally.py says the same in Python; the tests hold both to the same results.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NAME "adjudge.terms._tally"
#define LONGEST 64

typedef struct {
    int64_t width, size, room, slots;
    int32_t *rows;   /* size rows of width numbers, -1 where a sequence is shorter */
    int64_t *counts; /* one a row */
    uint32_t *codes; /* hashes, one a row */
    int32_t *table;  /* a row or -1, slots of them, a power of two */
} Tally;

static void
tally_free(PyObject *capsule)
{
    Tally *t = PyCapsule_GetPointer(capsule, NAME);
    if (t) {
        free(t->rows);
        free(t->counts);
        free(t->codes);
        free(t->table);
        free(t);
    }
}

static PyObject *
tally_new(PyObject *self, PyObject *args)
{
    long long width;
    Tally *t;
    if (!PyArg_ParseTuple(args, "L", &width))
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
        if (t) {
            free(t->rows);
            free(t->counts);
            free(t->codes);
            free(t->table);
            free(t);
        }
        return PyErr_NoMemory();
    }
    memset(t->table, 0xff, (size_t)t->slots * sizeof *t->table);
    return PyCapsule_New(t, NAME, tally_free);
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
    if (t->size >= 0x7ffffffe || (t->size == t->room && !more_rows(t)))
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

typedef struct {
    Py_buffer ids, starts, lengths, last, weights, out;
} Arrays;

static void
release(Arrays *a)
{
    Py_buffer *all[] = {&a->ids, &a->starts, &a->lengths, &a->last, &a->weights, &a->out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->obj)
            PyBuffer_Release(all[i]);
}

static int
optional(PyObject *given, Py_buffer *view)
{
    return given == Py_None || PyObject_GetBuffer(given, view, PyBUF_SIMPLE) == 0;
}

/* add(tally, ids, starts, lengths, last or None, weights or None, out), find without weights. A sequence with a
 * negative number, or one that leaves the array, has no number. last, if given, replaces the last number of each. */
static PyObject *
work(PyObject *args, int adding)
{
    PyObject *capsule, *last, *weights;
    Arrays a;
    Tally *t;
    int failed = 0;
    memset(&a, 0, sizeof a);
    if (!PyArg_ParseTuple(args, "Oy*y*y*OOw*", &capsule, &a.ids, &a.starts, &a.lengths, &last, &weights, &a.out))
        return NULL;
    t = PyCapsule_GetPointer(capsule, NAME);
    if (!t || !optional(last, &a.last) || !optional(weights, &a.weights)) {
        release(&a);
        return NULL;
    }
    Py_ssize_t many = a.lengths.len;
    if (a.starts.len != many * 8 || a.out.len != many * 4 || (a.weights.obj && a.weights.len != many * 8)) {
        release(&a);
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *ids = a.ids.buf, *map = a.last.obj ? a.last.buf : NULL;
    const int64_t *starts = a.starts.buf, *weight = a.weights.obj ? a.weights.buf : NULL;
    const uint8_t *lengths = a.lengths.buf;
    int64_t there = a.ids.len / 4, mapped = a.last.len / 4;
    int32_t *out = a.out.buf, key[LONGEST];
    for (Py_ssize_t i = 0; i < many && !failed; i++) {
        int length = lengths[i], fine = length >= 1 && length <= t->width && starts[i] >= 0, k;
        int64_t slot;
        out[i] = -1;
        if (!fine || starts[i] + length > there)
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
                t->counts[row] += weight ? weight[i] : 1;
        }
        out[i] = row;
    }
    Py_END_ALLOW_THREADS
    release(&a);
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *
tally_add(PyObject *self, PyObject *args)
{
    return work(args, 1);
}

static PyObject *
tally_find(PyObject *self, PyObject *args)
{
    return work(args, 0);
}

static PyObject *
tally_size(PyObject *self, PyObject *capsule)
{
    Tally *t = PyCapsule_GetPointer(capsule, NAME);
    return t ? PyLong_FromLongLong(t->size) : NULL;
}

/* fill(tally, rows, counts): copies of what there is. */
static PyObject *
tally_fill(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    Py_buffer rows, counts;
    Tally *t;
    int fits;
    if (!PyArg_ParseTuple(args, "Ow*w*", &capsule, &rows, &counts))
        return NULL;
    t = PyCapsule_GetPointer(capsule, NAME);
    fits = t && rows.len == t->size * t->width * 4 && counts.len == t->size * 8;
    if (fits) {
        memcpy(rows.buf, t->rows, (size_t)rows.len);
        memcpy(counts.buf, t->counts, (size_t)counts.len);
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&counts);
    if (!fits) {
        if (t)
            PyErr_SetString(PyExc_ValueError, "arrays of another size");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* choose(starts, lengths, taken): matches in the order of their starts, the longest of each start first. */
static PyObject *
tally_choose(PyObject *self, PyObject *args)
{
    Py_buffer starts, lengths, taken;
    if (!PyArg_ParseTuple(args, "y*y*w*", &starts, &lengths, &taken))
        return NULL;
    if (starts.len != lengths.len * 8 || taken.len != lengths.len) {
        PyBuffer_Release(&starts);
        PyBuffer_Release(&lengths);
        PyBuffer_Release(&taken);
        PyErr_SetString(PyExc_ValueError, "columns of different lengths");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *start = starts.buf;
    const uint8_t *length = lengths.buf;
    uint8_t *yes = taken.buf;
    int64_t free_from = INT64_MIN;
    for (Py_ssize_t i = 0; i < lengths.len; i++) {
        yes[i] = start[i] >= free_from;
        if (yes[i])
            free_from = start[i] + length[i];
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&starts);
    PyBuffer_Release(&lengths);
    PyBuffer_Release(&taken);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"new", tally_new, METH_VARARGS, "an empty table for sequences up to a length"},
    {"add", tally_add, METH_VARARGS, "count sequences"},
    {"find", tally_find, METH_VARARGS, "the numbers of sequences"},
    {"size", tally_size, METH_O, "different sequences"},
    {"fill", tally_fill, METH_VARARGS, "copy sequences and counts"},
    {"choose", tally_choose, METH_VARARGS, "matches that do not overlap"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, NAME, NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit__tally(void)
{
    return PyModule_Create(&module);
}
