/* Grams with one don't-care character, counted in texts for many questions at once.
 *
 *   count   texts, tables of patterns  ->  matches by text and question, and the lines of each text
 *
 * A pattern is a string of letters cut in two at k, with up to `gap` arbitrary characters of the same line between the
 * halves. At every place of a text the strings that can be read there (without a gap, and with each gap at each k) are
 * looked up among the literals: first in a small table of bits, which nearly always says no. systems/parts/double_dot.py
 * makes the tables and says the same slowly in Python; the tests hold both to the same results.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 8 /* letters of a pattern: as many as bytes in a key */
#define MOST_GAP 8
#define CHARACTERS 0x110000
#define NEWLINE 2 /* codes of characters: 0 any other, 1 white space, 2 the end of a line, letters of patterns from 3 */
#define LETTER 3
#define PADDING 32 /* characters after a text, none of them a letter, so that no look ahead leaves the buffer */
#define MULTIPLIER 0x9E3779B97F4A7C15u

enum { CODES, LITERALS, GROUPS, PATTERNS, OFFSETS, QUESTIONS, TIMES, TABLES };

typedef struct { /* the literals of one length */
    int64_t entries;
    uint64_t *bits, *keys;
    int32_t *slots;
    uint64_t mask;
    int bit_shift, slot_shift;
} Group;

typedef struct {
    Array held[TABLES];
    const uint8_t *codes;
    const uint64_t *literals;
    const int64_t *groups, *offsets;
    const int32_t *patterns, *questions, *times;
    int64_t width, many_patterns, many_questions;
    Group group[LONGEST + 1];
} Tables;

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

static void
discard(Tables *t)
{
    release(t->held, TABLES);
    for (int length = 0; length <= LONGEST; length++) {
        free(t->group[length].bits);
        free(t->group[length].keys);
        free(t->group[length].slots);
    }
}

/* Whatever the arrays hold, no loop below leaves them: everything that is an index is looked at here. */
static int
sound(const Tables *t)
{
    const Array *held = t->held;
    if (t->width < 1 || t->width > LONGEST)
        return refuse(&held[GROUPS], "no lengths of literals");
    if (!ascends(&held[GROUPS], 0, t->width, INT32_MAX / 4) || !has_length(&held[CODES], CHARACTERS) ||
        !has_length(&held[LITERALS], t->groups[t->width]) ||
        !has_length(&held[PATTERNS], t->groups[t->width] * (t->width + 1)) || !has_room(&held[OFFSETS], 1) ||
        !has_length(&held[TIMES], held[QUESTIONS].length) ||
        !ascends(&held[OFFSETS], 0, t->many_patterns, held[TIMES].length) ||
        !points_into(&held[QUESTIONS], t->many_questions))
        return 0;
    if (t->groups[0] || t->offsets[0] || t->offsets[t->many_patterns] != held[TIMES].length)
        return refuse(&held[OFFSETS], "patterns or literals that belong to nothing");
    for (int64_t k = 0; k < held[LITERALS].length; k++)
        if (t->literals[k] == 0)
            return refuse(&held[LITERALS], "an empty one");
    for (int64_t k = 0; k < held[PATTERNS].length; k++)
        if (t->patterns[k] < -1 || t->patterns[k] >= t->many_patterns)
            return refuse(&held[PATTERNS], "no pattern %d", t->patterns[k]);
    return 1;
}

static int
take_tables(PyObject *tuple, Tables *t, int64_t questions)
{
    static const Array held[TABLES] = {READS(uint8_t, "codes"),    READS(uint64_t, "literals"), READS(int64_t, "groups"),
                                READS(int32_t, "patterns"), READS(int64_t, "offsets"),   READS(int32_t, "questions"),
                                READS(int32_t, "times")};
    memcpy(t->held, held, sizeof held);
    if (!take(tuple, "tables of patterns", "AAAAAAA", t->held))
        return 0;
    t->codes = t->held[CODES].items;
    t->literals = t->held[LITERALS].items;
    t->groups = t->held[GROUPS].items;
    t->patterns = t->held[PATTERNS].items;
    t->offsets = t->held[OFFSETS].items;
    t->questions = t->held[QUESTIONS].items;
    t->times = t->held[TIMES].items;
    t->width = t->held[GROUPS].length - 1;
    t->many_patterns = t->held[OFFSETS].length - 1;
    t->many_questions = questions;
    if (sound(t))
        return 1;
    release(t->held, TABLES);
    return 0;
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
        tally->sums[t->questions[at]] = plus(tally->sums[t->questions[at]], t->times[at]);
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
    enum { SUMS, LINES, ARRAYS };
    Array a[ARRAYS] = {WRITES(int64_t, "sums"), WRITES(int64_t, "lines")};
    PyObject *tuple, *strings, *result = NULL;
    Tables t = {0};
    Text *texts = NULL;
    Py_ssize_t many, longest = 1;
    uint8_t *c = NULL, *run = NULL;
    Tally tally = {0};
    int64_t widest, *lines;
    int binary, gap;

    (void)self;
    if (!take(args, "count", "TTipAA", a, &strings, &tuple, &widest, &binary))
        return NULL;
    many = PyTuple_GET_SIZE(strings);
    gap = (int)widest;
    lines = a[LINES].items;
    if (widest < 0 || widest > MOST_GAP) {
        PyErr_Format(PyExc_ValueError, "count: a gap of %lld characters", (long long)widest);
        goto done;
    }
    if (!has_length(&a[LINES], many) || !has_length(&a[SUMS], many ? a[SUMS].length / many * many : 0) ||
        !take_tables(tuple, &t, many ? a[SUMS].length / many : 0))
        goto done;
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
        lines[k] = coded(&t, &texts[k], c, run);
        tally.sums = (int64_t *)a[SUMS].items + k * t.many_questions;
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
    discard(&t);
    release(a, ARRAYS);
    return result;
}

PyMethodDef double_dot_entries[] = {
    {"count", double_dot_count, METH_VARARGS, "matches of patterns with a don't-care character, by text and question"},
    END_OF_ENTRIES,
};
