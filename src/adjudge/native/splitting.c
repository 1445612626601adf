/* The tokens of ASCII texts: every different token once, and the number of each token, for one batch of texts or many. text/splitting.py has the rules as
 * patterns, which do the same.
 */
#include "buffers.h"
#include "hash.h"

#include <stdlib.h>

enum { LETTER = 1, DIGIT = 2, JOINS_LETTERS = 4, JOINS_DIGITS = 8, DASH = 16, UNDERSCORE = 32 };

/* What each character is by a rule; some more may be letters. */
static void
classes(uint8_t *class, int rule, const Array *letters)
{
    int c;
    memset(class, 0, 256);
    for (c = 'a'; c <= 'z'; c++)
        class[c] = class[c - 32] = LETTER;
    for (c = '0'; c <= '9'; c++)
        class[c] = DIGIT;
    for (int64_t k = 0; k < letters->length; k++)
        class[((const uint8_t *)letters->items)[k]] = LETTER;
    if (rule == 0)
        return;
    class['_'] = UNDERSCORE;
    class['\''] = class['.'] = JOINS_LETTERS | JOINS_DIGITS;
    class[':'] = JOINS_LETTERS;
    class[','] = class[';'] = JOINS_DIGITS;
    if (rule == 2)
        class['-'] = DASH;
}

/* Where the token that begins at i ends: runs of letters, digits and underscores; one sign may join two letters or two
 * digits, a dash any two of them. Rule 0 has letters and digits only, and then nothing joins. */
static int64_t
word_end(const uint8_t *text, int64_t i, int64_t end, const uint8_t *class)
{
    while (i < end) {
        uint8_t kind = class[text[i]];
        if (!(kind & (LETTER | DIGIT | UNDERSCORE)))
            break;
        while (i < end && class[text[i]] == kind)
            i++;
        if (kind != UNDERSCORE && i + 1 < end) {
            uint8_t sign = class[text[i]], next = class[text[i + 1]];
            if ((kind == LETTER && (sign & JOINS_LETTERS) && next == LETTER) ||
                (kind == DIGIT && (sign & JOINS_DIGITS) && next == DIGIT) ||
                ((sign & DASH) && (next & (LETTER | DIGIT))))
                i++;
        }
    }
    return i;
}

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
} Vocabulary;

#define LONGEST ((1 << 24) - 1) /* bytes of a token; longer ones are too long anyway */
#define HEAD 8

static void
empty(Vocabulary *v)
{
    free(v->table);
    free(v->bytes);
    free(v->ends);
    *v = (Vocabulary){0};
}

/* An empty vocabulary; 0 without memory. */
static int
prepare(Vocabulary *v)
{
    *v = (Vocabulary){.room = 1 << 14, .held = 1 << 16, .listed = 1 << 13};
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

static int
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
static int32_t
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

static ALWAYS_INLINE int32_t
number_of(Vocabulary *v, const uint8_t *data, int64_t start, int32_t length, int64_t limit)
{
    const uint64_t head = head_of(data, start, length, limit), mask = (uint64_t)v->room - 1;
    const Entry *table = v->table;
    uint64_t slot = code_of(data + start, length, head) & mask;
    for (; table[slot].length; slot = (slot + 1) & mask)
        if (table[slot].head == head && table[slot].length == length &&
            (length <= HEAD ||
             memcmp(v->bytes + v->ends[table[slot].id] + HEAD, data + start + HEAD, (size_t)(length - HEAD)) == 0))
            return table[slot].id;
    return new_type(v, (int64_t)slot, data + start, length, head);
}

#define VOCABULARY "adjudge.vocabulary"

static void
forget(PyObject *capsule)
{
    Vocabulary *v = PyCapsule_GetPointer(capsule, VOCABULARY);
    if (v) {
        empty(v);
        free(v);
    }
}

/* vocabulary() -> an empty vocabulary, which split and number add to. */
static PyObject *
splitting_vocabulary(PyObject *self, PyObject *args)
{
    Vocabulary *v;
    PyObject *capsule;
    (void)self;
    if (!take(args, "vocabulary", "", NULL))
        return NULL;
    if ((v = malloc(sizeof *v)) == NULL || !prepare(v)) {
        free(v);
        return PyErr_NoMemory();
    }
    if ((capsule = PyCapsule_New(v, VOCABULARY, forget)) == NULL) {
        empty(v);
        free(v);
    }
    return capsule;
}

/* The vocabulary behind an argument, marked as busy, or the own one, made ready, if that is None; NULL with an exception
 * set if it is something else or another thread works with it. */
static Vocabulary *
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
static PyObject *
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

/* Where the token that begins at *i or later ends, and where it begins; 0 if there is none before the end. */
static ALWAYS_INLINE int
next_token(const uint8_t *data, int64_t *i, int64_t end, const uint8_t *class, int64_t *start)
{
    while (*i < end) {
        uint8_t kind = class[data[*i]];
        *start = *i;
        if (!(kind & (LETTER | DIGIT | UNDERSCORE))) {
            ++*i;
            continue;
        }
        if (kind == UNDERSCORE) {
            while (*i < end && class[data[*i]] == UNDERSCORE)
                ++*i;
            if (*i == end || !(class[data[*i]] & (LETTER | DIGIT)))
                continue;
        }
        *i = word_end(data, *i, end, class);
        return 1;
    }
    return 0;
}

/* split(text, offsets, rule, letters, longest, ids, counts, spans or None, vocabulary or None) -> the types that are new in
 * the vocabulary, or None if a token is longer than longest. letters are characters that rule 0 takes for letters, too;
 * other rules have none. ids has room for a token every other character; spans gets begin and end of each token in its
 * text. A vocabulary with which a call failed or gave None is of no more use. */
static PyObject *
splitting_split(PyObject *self, PyObject *args)
{
    enum { TEXT, OFFSETS, LETTERS, IDS, COUNTS, SPANS, ARRAYS };
    enum { NO_MEMORY = 1, TOO_LONG, NO_ROOM };
    Array a[ARRAYS] = {READS(uint8_t, "text"), READS(int64_t, "offsets"), READS(uint8_t, "letters"), WRITES(int32_t, "ids"),
                       WRITES(int64_t, "counts"), MAY_WRITE(int32_t, "spans")};
    const int64_t *offset;
    int64_t rule, longest, texts, t, known = 0;
    Vocabulary own = {0}, *types = NULL;
    PyObject *given, *result = NULL;
    int failed = 0;

    (void)self;
    if (!take(args, "split", "AAiAiAAAO", a, &rule, &longest, &given))
        return NULL;
    offset = a[OFFSETS].items;
    texts = a[OFFSETS].length - 1;
    if (rule < 0 || rule > 2) {
        PyErr_Format(PyExc_ValueError, "split: no rule %lld", (long long)rule);
        goto done;
    }
    if (rule && !has_length(&a[LETTERS], 0))
        goto done;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, texts, a[TEXT].length) || !has_length(&a[COUNTS], texts) ||
        (a[SPANS].items && !has_length(&a[SPANS], 2 * a[IDS].length)))
        goto done;
    for (t = 0; t < texts; t++)
        if (offset[t + 1] - offset[t] > INT32_MAX) {
            refuse(&a[TEXT], "a text of 2 GiB or more");
            goto done;
        }
    if ((types = take_vocabulary(given, &own, "split")) == NULL)
        goto done;
    known = types->distinct;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *data = a[TEXT].items;
    int32_t *id = a[IDS].items, *span = a[SPANS].items;
    int64_t *count = a[COUNTS].items, at = 0, room = a[IDS].length, limit = a[TEXT].length;
    uint8_t class[256];
    classes(class, (int)rule, &a[LETTERS]);
    for (t = 0; t < texts && !failed; t++) {
        int64_t begin = offset[t], end = offset[t + 1], first = at, i = begin, start;
        while (next_token(data, &i, end, class, &start)) {
            if ((longest && i - start > longest) || i - start > LONGEST || at == room) {
                failed = at == room ? NO_ROOM : TOO_LONG;
                break;
            }
            id[at] = number_of(types, data, start, (int32_t)(i - start), limit);
            if (id[at] < 0) {
                failed = NO_MEMORY;
                break;
            }
            if (span) {
                span[2 * at] = (int32_t)(start - begin);
                span[2 * at + 1] = (int32_t)(i - begin);
            }
            at++;
        }
        count[t] = at - first;
    }
    Py_END_ALLOW_THREADS
    if (failed == NO_MEMORY)
        PyErr_NoMemory();
    else if (failed == NO_ROOM)
        refuse(&a[IDS], "no room for all the tokens");
    else
        result = failed ? Py_NewRef(Py_None) : types_since(types, known);
done:
    if (types)
        types->busy = 0;
    empty(&own);
    release(a, ARRAYS);
    return result;
}

/* number(vocabulary, data, offsets, ids) -> the types that are new; ids gets the number of each string in the data, none of
 * which is empty. */
static PyObject *
splitting_number(PyObject *self, PyObject *args)
{
    enum { DATA, OFFSETS, IDS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"), READS(int64_t, "offsets"), WRITES(int32_t, "ids")};
    PyObject *given, *result = NULL;
    Vocabulary own = {0}, *types = NULL;
    int64_t many, known, t;
    const int64_t *offset;

    (void)self;
    if (!take(args, "number", "OAAA", a, &given))
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
    for (t = 0; t < many; t++) {
        int32_t id = number_of(types, a[DATA].items, offset[t], (int32_t)(offset[t + 1] - offset[t]), a[DATA].length);
        if (id < 0) {
            PyErr_NoMemory();
            goto done;
        }
        ((int32_t *)a[IDS].items)[t] = id;
    }
    result = types_since(types, known);
done:
    if (types)
        types->busy = 0;
    empty(&own);
    release(a, ARRAYS);
    return result;
}

/* renumber(table, ids, offsets, places or None, spans or None, out, ends, where, out_spans or None) -> how many tokens are
 * left. table has the new number of each type, -1 for one that is dropped; ends gets the offsets of the texts among what is
 * left, where the places, which are those in the text where none are given. */
static PyObject *
splitting_renumber(PyObject *self, PyObject *args)
{
    enum { TABLE, IDS, OFFSETS, PLACES, SPANS, OUT, ENDS, WHERE, OUT_SPANS, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "table"),      READS(int32_t, "ids"),   READS(int64_t, "offsets"),
                       MAY_READ(int32_t, "places"),  MAY_READ(int32_t, "spans"), WRITES(int32_t, "out"),
                       WRITES(int64_t, "ends"),      WRITES(int32_t, "where"), MAY_WRITE(int32_t, "out_spans")};
    PyObject *result = NULL;
    int64_t n, texts, left = 0;

    (void)self;
    if (!take(args, "renumber", "AAAAAAAAA", a))
        return NULL;
    n = a[IDS].length;
    texts = a[OFFSETS].length - 1;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, texts, n) || !points_into(&a[IDS], a[TABLE].length) ||
        !has_length(&a[OUT], n) || !has_length(&a[ENDS], texts + 1) || !has_length(&a[WHERE], n) ||
        (a[PLACES].items && !has_length(&a[PLACES], n)) ||
        ((a[SPANS].items || a[OUT_SPANS].items) && (!has_length(&a[SPANS], 2 * n) || !has_length(&a[OUT_SPANS], 2 * n))))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *table = a[TABLE].items, *id = a[IDS].items, *place = a[PLACES].items, *span = a[SPANS].items;
    const int64_t *offset = a[OFFSETS].items;
    int32_t *out = a[OUT].items, *where = a[WHERE].items, *spans = a[OUT_SPANS].items;
    int64_t *end = a[ENDS].items;
    for (int64_t t = 0; t < texts; t++) {
        end[t] = left;
        for (int64_t i = offset[t]; i < offset[t + 1]; i++) {
            int32_t number = table[id[i]];
            out[left] = number; /* written in any case: no branch to foresee wrongly */
            where[left] = place ? place[i] : (int32_t)(i - offset[t]);
            if (span) {
                spans[2 * left] = span[2 * i];
                spans[2 * left + 1] = span[2 * i + 1];
            }
            left += number >= 0;
        }
    }
    end[texts] = left;
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong((long long)left);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef splitting_entries[] = {
    {"vocabulary", splitting_vocabulary, METH_VARARGS, "an empty vocabulary"},
    {"number", splitting_number, METH_VARARGS, "the numbers of tokens in a vocabulary"},
    {"split", splitting_split, METH_VARARGS, "the tokens of ASCII texts"},
    {"renumber", splitting_renumber, METH_VARARGS, "tokens with other numbers, without those that are dropped"},
    END_OF_ENTRIES,
};
