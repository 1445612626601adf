/* The tokens of ASCII texts: every different token once, and the number of each token. text/splitting.py has the rules as
 * patterns, which do the same.
 */
#include "buffers.h"
#include "hash.h"

#include <stdlib.h>

enum { LETTER = 1, DIGIT = 2, JOINS_LETTERS = 4, JOINS_DIGITS = 8, DASH = 16, UNDERSCORE = 32 };

static void
classes(uint8_t *class, int rule)
{
    int c;
    memset(class, 0, 256);
    for (c = 'a'; c <= 'z'; c++)
        class[c] = class[c - 32] = LETTER;
    for (c = '0'; c <= '9'; c++)
        class[c] = DIGIT;
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
 * up to eight bytes is told by these alone; of a longer one the rest stands in the text. No length: nothing is here. */
typedef struct {
    uint64_t head;
    int32_t length;
    int32_t id;
} Entry;

typedef struct {
    Entry *table;
    int64_t room;    /* of the table, a power of two */
    int64_t *order;  /* where each different token was first seen, and its length in the lower bits */
    int64_t distinct, listed;
} Types;

#define LENGTH_BITS 24 /* longer tokens are too long anyway */
#define LONGEST ((1 << LENGTH_BITS) - 1)
#define HEAD 8

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
code_of(const uint8_t *data, int64_t start, int32_t length, uint64_t head)
{
    uint64_t code = (head ^ (uint64_t)length * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
    code ^= code >> 32;
    if (length > HEAD)
        code ^= hash(data + start + HEAD, length - HEAD);
    code *= 0xc4ceb9fe1a85ec53ull;
    return code ^ (code >> 29);
}

static int
more_slots(Types *t, const uint8_t *data)
{
    int64_t room = t->room * 2;
    Entry *larger = calloc((size_t)room, sizeof *larger);
    if (!larger)
        return 0;
    for (int64_t old = 0; old < t->room; old++)
        if (t->table[old].length) {
            const Entry *e = &t->table[old];
            uint64_t code = code_of(data, t->order[e->id] >> LENGTH_BITS, e->length, e->head);
            int64_t to = (int64_t)(code & (uint64_t)(room - 1));
            while (larger[to].length)
                to = (to + 1) & (room - 1);
            larger[to] = *e;
        }
    free(t->table);
    t->table = larger;
    t->room = room;
    return 1;
}

/* The number of a token that was not seen before, -1 without memory; the slot is where it was looked for in vain. */
static int32_t
new_type(Types *t, const uint8_t *data, int64_t slot, int64_t start, int32_t length, uint64_t head)
{
    if (t->distinct == t->listed) {
        int64_t *more = realloc(t->order, (size_t)t->listed * 2 * sizeof *t->order);
        if (!more)
            return -1;
        t->order = more;
        t->listed *= 2;
    }
    t->table[slot] = (Entry){head, length, (int32_t)t->distinct};
    t->order[t->distinct++] = start << LENGTH_BITS | length;
    if (t->distinct * 2 > t->room && !more_slots(t, data))
        return -1;
    return (int32_t)(t->distinct - 1);
}

static ALWAYS_INLINE int32_t
number_of(Types *t, const uint8_t *data, int64_t start, int32_t length, int64_t limit)
{
    const uint64_t head = head_of(data, start, length, limit), mask = (uint64_t)t->room - 1;
    const Entry *table = t->table;
    uint64_t slot = code_of(data, start, length, head) & mask;
    for (; table[slot].length; slot = (slot + 1) & mask)
        if (table[slot].head == head && table[slot].length == length &&
            (length <= HEAD || memcmp(data + (t->order[table[slot].id] >> LENGTH_BITS) + HEAD, data + start + HEAD,
                                      (size_t)(length - HEAD)) == 0))
            return table[slot].id;
    return new_type(t, data, (int64_t)slot, start, length, head);
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

/* split(text, offsets, rule, longest, ids, counts, spans or None) -> types, or None if a token is longer than longest.
 * ids has room for a token every other character; spans gets begin and end of each token in its text. */
static PyObject *
splitting_split(PyObject *self, PyObject *args)
{
    enum { TEXT, OFFSETS, IDS, COUNTS, SPANS, ARRAYS };
    enum { NO_MEMORY = 1, TOO_LONG, NO_ROOM };
    Array a[ARRAYS] = {READS(uint8_t, "text"), READS(int64_t, "offsets"), WRITES(int32_t, "ids"),
                       WRITES(int64_t, "counts"), MAY_WRITE(int32_t, "spans")};
    const int64_t *offset;
    int64_t rule, longest, texts, t;
    Types types = {NULL, 1 << 14, NULL, 0, 1 << 13};
    PyObject *result = NULL;
    int failed = 0;

    (void)self;
    if (!take(args, "split", "AAiiAAA", a, &rule, &longest))
        return NULL;
    offset = a[OFFSETS].items;
    texts = a[OFFSETS].length - 1;
    if (rule < 0 || rule > 2) {
        PyErr_Format(PyExc_ValueError, "split: no rule %lld", (long long)rule);
        goto done;
    }
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, texts, a[TEXT].length) || !has_length(&a[COUNTS], texts) ||
        (a[SPANS].items && !has_length(&a[SPANS], 2 * a[IDS].length)))
        goto done;
    for (t = 0; t < texts; t++)
        if (offset[t + 1] - offset[t] > INT32_MAX) {
            refuse(&a[TEXT], "a text of 2 GiB or more");
            goto done;
        }
    if (a[TEXT].length >> (63 - LENGTH_BITS)) {
        refuse(&a[TEXT], "too long");
        goto done;
    }
    types.table = calloc((size_t)types.room, sizeof *types.table);
    types.order = malloc((size_t)types.listed * sizeof *types.order);
    if (!types.table || !types.order) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *data = a[TEXT].items;
    int32_t *id = a[IDS].items, *span = a[SPANS].items;
    int64_t *count = a[COUNTS].items, at = 0, room = a[IDS].length, limit = a[TEXT].length;
    uint8_t class[256];
    classes(class, (int)rule);
    for (t = 0; t < texts && !failed; t++) {
        int64_t begin = offset[t], end = offset[t + 1], first = at, i = begin, start;
        while (next_token(data, &i, end, class, &start)) {
            if ((longest && i - start > longest) || i - start > LONGEST || at == room) {
                failed = at == room ? NO_ROOM : TOO_LONG;
                break;
            }
            id[at] = number_of(&types, data, start, (int32_t)(i - start), limit);
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
    else if (failed)
        result = Py_NewRef(Py_None);
    else if ((result = PyList_New((Py_ssize_t)types.distinct)) != NULL)
        for (int64_t i = 0; i < types.distinct; i++) {
            PyObject *word = PyUnicode_DecodeASCII((const char *)a[TEXT].items + (types.order[i] >> LENGTH_BITS),
                                                   (Py_ssize_t)(types.order[i] & LONGEST), NULL);
            if (!word) {
                Py_CLEAR(result);
                break;
            }
            PyList_SET_ITEM(result, (Py_ssize_t)i, word);
        }
done:
    free(types.table);
    free(types.order);
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
    {"split", splitting_split, METH_VARARGS, "the tokens of ASCII texts"},
    {"renumber", splitting_renumber, METH_VARARGS, "tokens with other numbers, without those that are dropped"},
    END_OF_ENTRIES,
};
