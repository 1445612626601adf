/* Grams with one don't-care character, counted in texts for many questions at once.
 *
 *   count   texts, tables of patterns  ->  matches by text and question, and the lines of each text
 *
 * A pattern is a string of letters cut in two at k, with up to `gap` arbitrary characters of the same line between the
 * halves. At every place of a text the strings that can be read there (without a gap, and with each gap at each k) are
 * looked up among the literals: first in a small table of bits, which nearly always says no. double_dot.py makes the
 * tables and says the same slowly in Python; the tests hold both to the same results.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 8 /* letters of a pattern: as many as bytes in a key */
#define MOST_GAP 8
#define CHARACTERS 0x110000
#define NEWLINE 2 /* codes of characters: 0 any other, 1 white space, 2 the end of a line, letters of patterns from 3 */
#define LETTER 3
#define PADDING 32 /* characters after a text, none of them a letter, so that no look ahead leaves the buffer */
#define MULTIPLIER 0x9E3779B97F4A7C15u

enum { CODES, LITERALS, GROUPS, PATTERNS, OFFSETS, QUESTIONS, TIMES, BUFFERS };

typedef struct { /* the literals of one length */
    int64_t entries;
    uint64_t *bits, *keys;
    int32_t *slots;
    uint64_t mask;
    int bit_shift, slot_shift;
} Group;

typedef struct {
    Py_buffer held[BUFFERS];
    const uint8_t *codes;
    const uint64_t *literals;
    const int64_t *groups, *offsets;
    const int32_t *patterns, *questions, *times;
    int64_t width, entries, many_patterns, many_questions;
    Group group[LONGEST + 1];
} Tables;

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

static void
release(Tables *t)
{
    for (int k = 0; k < BUFFERS; k++)
        PyBuffer_Release(&t->held[k]);
    for (int length = 0; length <= LONGEST; length++) {
        free(t->group[length].bits);
        free(t->group[length].keys);
        free(t->group[length].slots);
    }
}

/* Whatever the buffers hold, no loop below leaves them: everything that is an index is looked at here. */
static int
sound(const Tables *t)
{
    if (t->width < 1 || t->width > LONGEST || t->held[CODES].len != CHARACTERS ||
        t->held[GROUPS].len != (t->width + 1) * 8 || t->entries < 0 ||
        t->held[LITERALS].len != t->entries * 8 ||
        t->held[PATTERNS].len != t->entries * (t->width + 1) * 4 || t->held[OFFSETS].len < 8 ||
        t->held[QUESTIONS].len != t->held[TIMES].len || t->groups[0] != 0 || t->groups[t->width] != t->entries ||
        t->entries > INT32_MAX / 4 || t->offsets[0] != 0 || t->offsets[t->many_patterns] != t->held[TIMES].len / 4)
        return 0;
    for (int64_t k = 0; k < t->width; k++)
        if (t->groups[k] > t->groups[k + 1])
            return 0;
    for (int64_t k = 0; k < t->many_patterns; k++)
        if (t->offsets[k] > t->offsets[k + 1])
            return 0;
    for (int64_t k = 0; k < t->entries; k++)
        if (t->literals[k] == 0)
            return 0;
    for (int64_t k = 0; k < t->entries * (t->width + 1); k++)
        if (t->patterns[k] < -1 || t->patterns[k] >= t->many_patterns)
            return 0;
    for (int64_t k = 0; k < t->held[QUESTIONS].len / 4; k++)
        if (t->questions[k] < 0 || t->questions[k] >= t->many_questions)
            return 0;
    return 1;
}

static int
acquire(PyObject *tuple, Tables *t, int64_t questions)
{
    memset(t, 0, sizeof *t);
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != BUFFERS) {
        PyErr_SetString(PyExc_TypeError, "not the tables of patterns");
        return 0;
    }
    for (int k = 0; k < BUFFERS; k++)
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(tuple, k), &t->held[k], PyBUF_C_CONTIGUOUS) < 0)
            return 0;
    t->codes = t->held[CODES].buf;
    t->literals = t->held[LITERALS].buf;
    t->groups = t->held[GROUPS].buf;
    t->patterns = t->held[PATTERNS].buf;
    t->offsets = t->held[OFFSETS].buf;
    t->questions = t->held[QUESTIONS].buf;
    t->times = t->held[TIMES].buf;
    t->width = t->held[GROUPS].len / 8 - 1;
    t->entries = t->held[GROUPS].len >= 16 ? t->groups[t->width] : -1;
    t->many_patterns = t->held[OFFSETS].len / 8 - 1;
    t->many_questions = questions;
    if (!sound(t)) {
        PyErr_SetString(PyExc_ValueError, "the tables of patterns do not fit together");
        return 0;
    }
    return 1;
}

static inline uint64_t
first(uint64_t bytes, int many)
{
    return many >= 8 ? bytes : bytes & (((uint64_t)1 << 8 * many) - 1);
}

/* Eight codes from here on, the first one lowest. */
static inline uint64_t
word(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bytes;
    memcpy(&bytes, at, 8);
    return bytes;
#else
    uint64_t bytes = 0;
    for (int k = 0; k < 8; k++)
        bytes |= (uint64_t)at[k] << 8 * k;
    return bytes;
#endif
}

static int
prepare(Tables *t)
{
    for (int length = 1; length <= t->width; length++) {
        Group *g = &t->group[length];
        int64_t begin = t->groups[length - 1], end = t->groups[length];
        int bits = 6, slots = 2;
        g->entries = end - begin;
        if (!g->entries)
            continue;
        while (((int64_t)1 << bits) < 32 * g->entries)
            bits++;
        while (((int64_t)1 << slots) < 2 * g->entries)
            slots++;
        g->bits = calloc((size_t)1 << (bits - 6), 8);
        g->keys = calloc((size_t)1 << slots, 8);
        g->slots = calloc((size_t)1 << slots, sizeof(int32_t));
        if (g->bits == NULL || g->keys == NULL || g->slots == NULL)
            return 0;
        g->bit_shift = 64 - bits;
        g->slot_shift = 64 - slots;
        g->mask = ((uint64_t)1 << slots) - 1;
        for (int64_t e = begin; e < end; e++) {
            uint64_t hash = t->literals[e] * MULTIPLIER, bit = hash >> g->bit_shift, at = hash >> g->slot_shift;
            g->bits[bit >> 6] |= (uint64_t)1 << (bit & 63);
            while (g->keys[at])
                at = (at + 1) & g->mask;
            g->keys[at] = t->literals[e];
            g->slots[at] = (int32_t)e;
        }
    }
    return 1;
}

/* The literal that reads so, or -1. */
static inline int64_t
find(const Group *g, uint64_t key)
{
    uint64_t hash = key * MULTIPLIER, bit = hash >> g->bit_shift, at;
    if (!(g->bits[bit >> 6] >> (bit & 63) & 1))
        return -1;
    for (at = hash >> g->slot_shift; g->keys[at]; at = (at + 1) & g->mask)
        if (g->keys[at] == key)
            return g->slots[at];
    return -1;
}

typedef struct {
    int64_t *sums;  /* of this text, by question */
    int64_t *lines; /* the line in which each pattern was last met; NULL where every match counts */
    int64_t line;
} Tally;

static inline void
met(const Tables *t, int64_t entry, int k, Tally *tally)
{
    int32_t pattern = t->patterns[entry * (t->width + 1) + k];
    if (pattern < 0)
        return;
    if (tally->lines != NULL) {
        if (tally->lines[pattern] == tally->line)
            return;
        tally->lines[pattern] = tally->line;
    }
    for (int64_t at = t->offsets[pattern]; at < t->offsets[pattern + 1]; at++)
        tally->sums[t->questions[at]] += t->times[at];
}

/* All the matches that begin at c[0]; run[0] letters stand there in a row. */
static inline void
look(const Tables *t, const uint8_t *c, const uint8_t *run, const int length, const int gap, Tally *tally)
{
    const Group *g = &t->group[length];
    uint64_t here = word(c), none = 0;
    if (run[0] >= length) {
        int64_t entry;
        none = first(here, length);
        entry = find(g, none);
        if (entry >= 0)
            for (int k = 0; k <= length; k++)
                met(t, entry, k, tally);
    }
    for (int k = 1; k < length && run[0] >= k; k++) {
        uint64_t head = first(here, k), seen[MOST_GAP + 1];
        seen[0] = none;
        for (int skip = 1; skip <= gap && c[k + skip - 1] != NEWLINE; skip++) {
            int64_t entry;
            int again = 0;
            seen[skip] = 0;
            if (run[k + skip] < length - k)
                continue;
            seen[skip] = head | first(word(c + k + skip), length - k) << 8 * k;
            if ((entry = find(g, seen[skip])) < 0)
                continue;
            for (int before = 0; before < skip; before++) /* one start is one match, whatever the gap */
                again |= seen[before] == seen[skip];
            if (!again)
                met(t, entry, k, tally);
        }
    }
}

/* Codes and runs of letters of a text; the number of lines that are not blank. */
static int64_t
coded(const Tables *t, const Text *text, uint8_t *c, uint8_t *run)
{
    int64_t lines = 0;
    int blank = 1;
    unsigned in_a_row = 0;
    for (Py_ssize_t i = 0; i < text->length; i++) {
        uint8_t code = t->codes[PyUnicode_READ(text->kind, text->data, i)];
        c[i] = code;
        if (code == NEWLINE)
            blank = 1;
        else if (code != 1 && blank) {
            lines++;
            blank = 0;
        }
    }
    memset(c + text->length, 0, PADDING);
    memset(run + text->length, 0, PADDING);
    for (Py_ssize_t i = text->length - 1; i >= 0; i--) {
        in_a_row = c[i] < LETTER ? 0 : in_a_row < LONGEST ? in_a_row + 1 : LONGEST;
        run[i] = (uint8_t)in_a_row;
    }
    return lines;
}

static PyObject *
double_dot_count(PyObject *self, PyObject *args)
{
    PyObject *tuple, *strings, *result = NULL;
    Py_buffer sums = {0}, lines = {0};
    Tables t;
    Text *texts = NULL;
    Py_ssize_t many, longest = 1;
    uint8_t *c = NULL, *run = NULL;
    Tally tally = {0};
    int gap, binary;

    (void)self;
    if (!PyArg_ParseTuple(args, "O!Oipw*w*", &PyTuple_Type, &strings, &tuple, &gap, &binary, &sums, &lines))
        return NULL;
    many = PyTuple_GET_SIZE(strings);
    if (!acquire(tuple, &t, many && lines.len ? sums.len / lines.len : 0))
        goto done;
    if (gap < 0 || gap > MOST_GAP || lines.len != many * 8 || sums.len != many * t.many_questions * 8) {
        PyErr_SetString(PyExc_ValueError, "one row of sums and one number of lines for each text");
        goto done;
    }
    if ((texts = malloc(sizeof(Text) * (size_t)(many + 1))) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t k = 0; k < many; k++) {
        PyObject *string = PyTuple_GET_ITEM(strings, k);
        if (!PyUnicode_Check(string)) {
            PyErr_SetString(PyExc_TypeError, "a text is a string");
            goto done;
        }
        texts[k] = (Text){PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string)};
        if (texts[k].length > longest)
            longest = texts[k].length;
    }
    c = malloc((size_t)longest + PADDING);
    run = malloc((size_t)longest + PADDING);
    if (binary && (tally.lines = malloc((size_t)(t.many_patterns + 1) * 8)) != NULL)
        memset(tally.lines, 0, (size_t)(t.many_patterns + 1) * 8);
    if (c == NULL || run == NULL || (binary && tally.lines == NULL) || !prepare(&t)) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t k = 0; k < many; k++) {
        Py_ssize_t n = texts[k].length;
        ((int64_t *)lines.buf)[k] = coded(&t, &texts[k], c, run);
        tally.sums = (int64_t *)sums.buf + k * t.many_questions;
        tally.line++;
        for (Py_ssize_t i = 0; i < n; i++) {
            if (run[i] == 0) {
                tally.line += c[i] == NEWLINE;
                continue;
            }
            for (int length = 1; length <= t.width; length++) {
                if (!t.group[length].entries)
                    continue;
                if (gap != 2 || length > 4) /* the usual numbers as constants, so that loops become straight */
                    look(&t, c + i, run + i, length, gap, &tally);
                else if (length == 1)
                    look(&t, c + i, run + i, 1, 2, &tally);
                else if (length == 2)
                    look(&t, c + i, run + i, 2, 2, &tally);
                else if (length == 3)
                    look(&t, c + i, run + i, 3, 2, &tally);
                else
                    look(&t, c + i, run + i, 4, 2, &tally);
            }
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(texts);
    free(c);
    free(run);
    free(tally.lines);
    release(&t);
    PyBuffer_Release(&sums);
    PyBuffer_Release(&lines);
    return result;
}

static PyMethodDef methods[] = {
    {"count", double_dot_count, METH_VARARGS, "matches of patterns with a don't-care character, by text and question"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "adjudge.systems.parts._double_dot", NULL, -1, methods, NULL,
                                    NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit__double_dot(void)
{
    return PyModule_Create(&module);
}
