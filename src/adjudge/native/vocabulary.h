/* Different tokens and their numbers, which keep them from call to call: a table of their first bytes, and all their bytes. */
#ifndef ADJUDGE_VOCABULARY_H
#define ADJUDGE_VOCABULARY_H

#include "buffers.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

#define TOGETHER 64 /* tokens that are looked up after each other */

/* A token that was seen: its first eight bytes, zeros behind them if it has fewer, its length and its number. A token of
 * up to eight bytes is told by these alone. No length: nothing is here. */
typedef struct {
    uint64_t head;
    int32_t length;
    int32_t id;
} Entry;

/* Every different token, numbered in the order in which they were met. */
typedef struct {
    Entry *table;
    int64_t room;      /* of the table, a power of two */
    uint8_t *bytes;    /* the tokens, one after the other */
    int64_t used, held;
    int64_t *ends;     /* where each ends in the bytes; ends[0] is 0 and stands before the first */
    int64_t distinct, listed;
    int busy;          /* a call that has let go of the interpreter's lock works with it */
    int lower;         /* whether texts are in lower case before tokens are looked for */
} Vocabulary;

#define LONGEST ((1 << 24) - 1) /* bytes of a token; longer ones are too long anyway */
#define HEAD 8

static inline void
empty(Vocabulary *v)
{
    free(v->table);
    free(v->bytes);
    free(v->ends);
    *v = (Vocabulary){0};
}

/* An empty vocabulary; 0 without memory. It is small at first, since many are for one question. */
static inline int
prepare(Vocabulary *v)
{
    *v = (Vocabulary){.room = 1 << 8, .held = 1 << 10, .listed = 1 << 7};
    v->table = calloc((size_t)v->room, sizeof *v->table);
    v->bytes = malloc((size_t)v->held);
    v->ends = malloc((size_t)(v->listed + 1) * sizeof *v->ends);
    if (!v->table || !v->bytes || !v->ends) {
        empty(v);
        return 0;
    }
    v->ends[0] = 0;
    return 1;
}

/* The first eight bytes of a token, zeros behind its end. The text ends at limit. */
static ALWAYS_INLINE uint64_t
head_of(const uint8_t *data, int64_t start, int32_t length, int64_t limit)
{
    uint64_t head = 0;
    if (start + HEAD > limit || !little_endian()) {
        memcpy(&head, data + start, (size_t)(length < HEAD ? length : HEAD));
        return head;
    }
    head = load8(data + start);
    return length < HEAD ? head & ~(~(uint64_t)0 << (8 * length)) : head;
}

static ALWAYS_INLINE uint64_t
code_of(const uint8_t *token, int32_t length, uint64_t head)
{
    uint64_t code = (head ^ (uint64_t)length * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
    code ^= code >> 32;
    if (length > HEAD)
        code ^= hash(token + HEAD, length - HEAD);
    code *= 0xc4ceb9fe1a85ec53ull;
    return code ^ (code >> 29);
}

static inline int
more_slots(Vocabulary *v)
{
    int64_t room = v->room * 2;
    Entry *larger = calloc((size_t)room, sizeof *larger);
    if (!larger)
        return 0;
    for (int64_t old = 0; old < v->room; old++)
        if (v->table[old].length) {
            const Entry *e = &v->table[old];
            int64_t to = (int64_t)(code_of(v->bytes + v->ends[e->id], e->length, e->head) & (uint64_t)(room - 1));
            while (larger[to].length)
                to = (to + 1) & (room - 1);
            larger[to] = *e;
        }
    free(v->table);
    v->table = larger;
    v->room = room;
    return 1;
}

/* The number of a token that was not seen before, -1 without memory; the slot is where it was looked for in vain. */
static inline int32_t
new_type(Vocabulary *v, int64_t slot, const uint8_t *token, int32_t length, uint64_t head)
{
    if (v->distinct == v->listed) {
        int64_t *more = realloc(v->ends, (size_t)(2 * v->listed + 1) * sizeof *v->ends);
        if (!more)
            return -1;
        v->ends = more;
        v->listed *= 2;
    }
    if (v->used + length > v->held) {
        uint8_t *more = realloc(v->bytes, (size_t)(2 * v->held + length));
        if (!more)
            return -1;
        v->bytes = more;
        v->held = 2 * v->held + length;
    }
    if (v->distinct == INT32_MAX)
        return -1;
    memcpy(v->bytes + v->used, token, (size_t)length);
    v->table[slot] = (Entry){head, length, (int32_t)v->distinct};
    v->ends[++v->distinct] = v->used += length;
    if (v->distinct * 2 > v->room && !more_slots(v))
        return -1;
    return (int32_t)(v->distinct - 1);
}

/* The number of a token whose first bytes and code are known. */
static ALWAYS_INLINE int32_t
look_up(Vocabulary *v, const uint8_t *token, int32_t length, uint64_t head, uint64_t code)
{
    const uint64_t mask = (uint64_t)v->room - 1;
    const Entry *table = v->table;
    uint64_t slot = code & mask;
    for (; table[slot].length; slot = (slot + 1) & mask)
        if (table[slot].head == head && table[slot].length == length &&
            (length <= HEAD ||
             memcmp(v->bytes + v->ends[table[slot].id] + HEAD, token + HEAD, (size_t)(length - HEAD)) == 0))
            return table[slot].id;
    return new_type(v, (int64_t)slot, token, length, head);
}

#define VOCABULARY "adjudge.vocabulary"

static inline void
forget(PyObject *capsule)
{
    Vocabulary *v = PyCapsule_GetPointer(capsule, VOCABULARY);
    if (v) {
        empty(v);
        free(v);
    }
}

/* The vocabulary behind an argument, marked as busy, or the own one, made ready, if that is None; NULL with an exception
 * set if it is something else or another thread works with it. */
static inline Vocabulary *
take_vocabulary(PyObject *given, Vocabulary *own, const char *entry)
{
    Vocabulary *v = own;
    if (given == Py_None) {
        if (!prepare(own)) {
            PyErr_NoMemory();
            return NULL;
        }
    } else if (!PyCapsule_IsValid(given, VOCABULARY)) {
        PyErr_Format(PyExc_TypeError, "%s: no vocabulary", entry);
        return NULL;
    } else if ((v = PyCapsule_GetPointer(given, VOCABULARY))->busy) {
        PyErr_Format(PyExc_ValueError, "%s: another thread works with the vocabulary", entry);
        return NULL;
    }
    v->busy = 1;
    return v;
}

/* The tokens from a number on as a list of strings. */
static inline PyObject *
types_since(const Vocabulary *v, int64_t first)
{
    PyObject *list = PyList_New((Py_ssize_t)(v->distinct - first));
    for (int64_t i = first; list && i < v->distinct; i++) {
        PyObject *word = PyUnicode_DecodeUTF8((const char *)v->bytes + v->ends[i],
                                              (Py_ssize_t)(v->ends[i + 1] - v->ends[i]), "surrogatepass");
        if (!word) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, (Py_ssize_t)(i - first), word);
    }
    return list;
}

#endif
