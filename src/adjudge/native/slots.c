/* Counting the places of texts that are nearly a pattern. The same in Python is in systems/parts/slots.py, which is
 * also the oracle of the tests.
 *
 * count(texts, begins, ends, pattern, k, unit, out): texts is one array of bytes, begins and ends say where each text
 * lies in it. out gets, for each text,
 *   unit = 0: the runs of adjacent positions at which a substring ends that is at most k edits from the pattern,
 *   unit = 1: the windows of the pattern's length that are at most k edits from it,
 *   unit = 2: the blanks at which a substring begins that is at most k edits from the pattern.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "buffers.h"

#include <string.h>

#define LONGEST 64
#define PIECES 4   /* more, and looking for each takes longer than looking at every character */
#define SHORTEST 3 /* shorter pieces stand nearly everywhere */
#define NOWHERE (INT64_MAX / 2)

enum { RUNS, WINDOWS, WORDS };

/* Pieces of the pattern, one more than edits are allowed: each edit spoils one of them at most, so that every match has
 * a piece as it is. */
typedef struct {
    const uint8_t *letters;
    int at, length;
} Piece;

/* Where the piece stands next, NOWHERE if it does not. */
static int64_t
next_of(const uint8_t *text, int64_t from, int64_t n, const Piece *piece)
{
#if defined(__GLIBC__) || defined(__APPLE__)
    const uint8_t *found = memmem(text + from, (size_t)(n - from), piece->letters, (size_t)piece->length);
    return found ? found - text : NOWHERE;
#else
    for (; from + piece->length <= n; from++) {
        const uint8_t *first = memchr(text + from, piece->letters[0], (size_t)(n - from - piece->length + 1));
        if (!first)
            break;
        from = first - text;
        if (!memcmp(first, piece->letters, (size_t)piece->length))
            return from;
    }
    return NOWHERE;
#endif
}

/* Myers' algorithm in the form of Hyyrö: a column of the matrix of edit distances is two words of bits. It goes over
 * text[from:to]; *end is where the last match ended, -2 if there was none. */
static int64_t
runs(const uint8_t *text, int64_t from, int64_t to, const uint64_t *equal, int m, int k, int64_t *end)
{
    uint64_t up = ~(uint64_t)0, down = 0, last = (uint64_t)1 << (m - 1);
    int64_t i, found = 0, before = *end;
    int distance = m;
    for (i = from; i < to; i++) {
        uint64_t same = equal[text[i]], vertical = same | down;
        uint64_t horizontal = (((same & up) + up) ^ up) | same;
        uint64_t rises = down | ~(horizontal | up), falls = up & horizontal;
        distance += (rises & last) != 0;
        distance -= (falls & last) != 0;
        rises <<= 1; /* no 1 comes in: a match may begin anywhere */
        falls <<= 1;
        up = falls | ~(vertical | rises);
        down = rises & vertical;
        if (distance <= k) {
            found += before != i - 1;
            before = i;
        }
    }
    *end = before;
    return found;
}

/* The same for a whole text, but only around pieces: a match begins at most k characters before the place at which the
 * pattern would, and ends at most k after the place at which that would. Pieces are taken by this place, so stretches
 * come in order; those that touch are gone over as one. */
static int64_t
sparse(const uint8_t *text, int64_t n, const uint64_t *equal, int m, int k, const Piece *pieces)
{
    int64_t next[PIECES], found = 0, end = -2, from = 0, to = -1;
    int i;
    for (i = 0; i <= k; i++)
        next[i] = next_of(text, 0, n, &pieces[i]);
    for (;;) {
        int64_t place;
        int first = 0;
        for (i = 1; i <= k; i++)
            if (next[i] - pieces[i].at < next[first] - pieces[first].at)
                first = i;
        place = next[first] - pieces[first].at;
        if (next[first] == NOWHERE || place - k > to) {
            if (to >= 0)
                found += runs(text, from, to, equal, m, k, &end);
            if (next[first] == NOWHERE)
                return found;
            from = place > k ? place - k : 0;
        }
        to = n - place < m + k ? n : place + m + k;
        next[first] = next_of(text, next[first] + 1, n, &pieces[first]);
    }
}

/* Whether a substring that begins just here is at most k edits from the pattern: Myers' algorithm again, but what is
 * before the beginning costs. */
static int
begins_here(const uint8_t *text, int64_t n, const uint64_t *equal, int m, int k)
{
    uint64_t up = ~(uint64_t)0, down = 0, last = (uint64_t)1 << (m - 1);
    int64_t i;
    int distance = m;
    if (distance <= k)
        return 1;
    for (i = 0; i < n && i < m + k; i++) {
        uint64_t same = equal[text[i]], vertical = same | down;
        uint64_t horizontal = (((same & up) + up) ^ up) | same;
        uint64_t rises = down | ~(horizontal | up), falls = up & horizontal;
        distance += (rises & last) != 0;
        distance -= (falls & last) != 0;
        if (distance <= k)
            return 1;
        rises = rises << 1 | 1;
        falls <<= 1;
        up = falls | ~(vertical | rises);
        down = rises & vertical;
    }
    return 0;
}

/* The blanks of text[from:to] at which a match begins. */
static int64_t
blanks(const uint8_t *text, int64_t n, int64_t from, int64_t to, const uint64_t *equal, int m, int k)
{
    int64_t found = 0;
    while (from < to) {
        const uint8_t *blank = memchr(text + from, ' ', (size_t)(to - from));
        if (!blank)
            break;
        from = blank - text;
        found += begins_here(text + from, n - from, equal, m, k);
        from++;
    }
    return found;
}

static int
within(const uint8_t *window, const uint8_t *pattern, int m, int k)
{
    int above[LONGEST + 1], i, j;
    for (j = 0; j <= m; j++)
        above[j] = j;
    for (i = 1; i <= m; i++) {
        int corner = above[0], least = above[0] = i;
        for (j = 1; j <= m; j++) {
            int best = corner + (window[i - 1] != pattern[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (above[j - 1] + 1 < best)
                best = above[j - 1] + 1;
            corner = above[j];
            above[j] = best;
            if (best < least)
                least = best;
        }
        if (least > k)
            return 0;
    }
    return above[m] <= k;
}

/* The windows that begin in text[from:to] and are at most k edits from the pattern. */
static int64_t
windows(const uint8_t *text, int64_t n, int64_t from, int64_t to, const uint8_t *pattern, int m, int k)
{
    int64_t found = 0;
    for (; from < to && from + m <= n; from++)
        found += within(text + from, pattern, m, k);
    return found;
}

/* Blanks or windows, but only around pieces: a match begins at most k characters before or behind the place where the
 * pattern would, if the piece is where it belongs. */
static int64_t
sparse_starts(const uint8_t *text, int64_t n, const uint64_t *equal, const uint8_t *pattern, int m, int k,
              const Piece *pieces, int64_t unit)
{
    int64_t next[PIECES], found = 0, done = 0;
    int i;
    for (i = 0; i <= k; i++)
        next[i] = next_of(text, 0, n, &pieces[i]);
    for (;;) {
        int64_t place, from, to;
        int first = 0;
        for (i = 1; i <= k; i++)
            if (next[i] - pieces[i].at < next[first] - pieces[first].at)
                first = i;
        if (next[first] == NOWHERE)
            return found;
        place = next[first] - pieces[first].at;
        from = place - k > done ? place - k : done;
        to = place + k + 1 < n ? place + k + 1 : n;
        if (from < to) {
            found += unit == WORDS ? blanks(text, n, from, to, equal, m, k) : windows(text, n, from, to, pattern, m, k);
            done = to;
        }
        next[first] = next_of(text, next[first] + 1, n, &pieces[first]);
    }
}

static PyObject *
slots_count(PyObject *self, PyObject *args)
{
    enum { TEXTS, BEGINS, ENDS, PATTERN, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "texts"), READS(int64_t, "begins"), READS(int64_t, "ends"),
                       READS(uint8_t, "pattern"), WRITES(int64_t, "out")};
    PyObject *result = NULL;
    const int64_t *begin, *end;
    int64_t many, edits, unit, t;

    (void)self;
    if (!take(args, "count", "AAAAiiA", a, &edits, &unit))
        return NULL;
    begin = a[BEGINS].items;
    end = a[ENDS].items;
    many = a[BEGINS].length;
    if (a[PATTERN].length < 1 || a[PATTERN].length > LONGEST) {
        refuse(&a[PATTERN], "a pattern of 1 to 64 bytes is needed");
        goto done;
    }
    if (!has_length(&a[ENDS], many) || !has_length(&a[OUT], many))
        goto done;
    if (unit < RUNS || unit > WORDS) {
        PyErr_Format(PyExc_ValueError, "count: there is no unit %lld", (long long)unit);
        goto done;
    }
    for (t = 0; t < many; t++)
        if (begin[t] < 0 || end[t] < begin[t] || end[t] > a[TEXTS].length) {
            refuse(&a[ENDS], "a text that is not inside the array");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    uint64_t equal[256];
    const uint8_t *text = a[TEXTS].items, *letters = a[PATTERN].items;
    int64_t *to = a[OUT].items;
    Piece pieces[PIECES];
    int m = (int)a[PATTERN].length, k = edits < 0 ? -1 : edits > LONGEST ? LONGEST : (int)edits, few, i;
    memset(equal, 0, sizeof equal);
    for (i = 0; i < m; i++)
        equal[letters[i]] |= (uint64_t)1 << i;
    few = k >= 0 && k < PIECES && m / (k + 1) >= SHORTEST;
    for (i = 0; few && i <= k; i++) {
        pieces[i].at = i * m / (k + 1);
        pieces[i].length = (i + 1) * m / (k + 1) - pieces[i].at;
        pieces[i].letters = letters + pieces[i].at;
    }
    for (t = 0; t < many; t++) {
        int64_t n = end[t] - begin[t], none = -2;
        const uint8_t *own = text + begin[t];
        if (unit == RUNS)
            to[t] = few ? sparse(own, n, equal, m, k, pieces) : runs(own, 0, n, equal, m, k, &none);
        else if (few)
            to[t] = sparse_starts(own, n, equal, letters, m, k, pieces, unit);
        else if (unit == WORDS)
            to[t] = blanks(own, n, 0, n, equal, m, k);
        else
            to[t] = windows(own, n, 0, n, letters, m, k);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef slots_entries[] = {
    {"count", slots_count, METH_VARARGS, "the places of texts that are nearly a pattern"},
    END_OF_ENTRIES,
};
