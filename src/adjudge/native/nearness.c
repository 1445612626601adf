/* The strings of a vocabulary that are like a word, whatever the errors: by the grams that they share with it.
 *
 * A string of n characters has n grams of three, with a mark (0) before its first character and behind its last one; of
 * one character, one. Whoever has few edits shares most grams with a word, so the grams say which strings are worth a
 * look, and the edits of those are counted for all characters at once, in the bits of a number (Myers 1999).
 *
 * grams(letters, offsets)
 *   -> (grams as uint32, ascending, where the ranks of each begin as int64, ranks as int32, letters by rank as uint8,
 *      strings by rank as int32, first ranks as int64)
 *   string i is letters[offsets[i]] to letters[offsets[i + 1]]. Its rank is its place among all strings in the order of
 *   their lengths, so that those of other lengths than a word's are not gone through, and those of one length are near each
 *   other in memory, where they are counted; first ranks are those of the lengths from 0 on. A rank stands once for each
 *   time that its string has the gram. Letters by rank are those of all strings in that order, so that where a string
 *   stands follows from its rank and its length.
 *
 * near(letters, offsets, grams, starts, ranks, ordered, by_rank, firsts, words, word_offsets, least, edits, loose, shortest,
 *      longest, joined, room)
 *   -> (strings as int32, kinds as uint8, how many grams they share as uint8, strings of each word as int64)
 *   the strings of shortest[k] to longest[k] characters that share least[k] grams with word k and have at most edits[k]
 *   edits (the kind is how many) or share loose[k] grams and more than (loose[k] - 1) / (characters of the word) of their
 *   own (253; 0: none of these), and where joined[k] is not 0 those of any length that begin (254) or end (255) with the word, have
 *   two characters more and share all grams but one. A string has the first kind that it can have, 253 last. room has an item for each string, zero before and after.
 *
 * places(letters, offsets, words, word_offsets, places)
 *   gives each word its place among strings that are sorted, -1 where it is none of them.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 48 /* characters of a word */
#define AHEAD 12 /* strings whose characters are fetched before they are looked at */
#define CLIPPED 256 /* strings of so many characters or more are not told apart by their lengths */
#define ALIKE 253
#define BEGINS 254
#define ENDS 255

static inline uint32_t
gram(const uint8_t *s, int64_t n, int64_t i)
{
    return (uint32_t)(i ? s[i - 1] : 0) << 16 | (uint32_t)s[i] << 8 | (i + 1 < n ? s[i + 1] : 0);
}

/* The number of a gram among all grams of so many characters, in the same order; rank has the place of each character. */
static inline int64_t
dense(uint32_t key, const uint8_t *rank, int64_t base)
{
    return ((int64_t)rank[key >> 16] * base + rank[key >> 8 & 255]) * base + rank[key & 255];
}

/* Characters of a string, as far as they are told apart; what is no length is the greatest. */
static inline int64_t
clipped(const int64_t *offsets, int64_t string)
{
    uint64_t n = (uint64_t)offsets[string + 1] - (uint64_t)offsets[string];
    return n < CLIPPED ? (int64_t)n : CLIPPED;
}

/* Offsets from the first item to the last one. */
static int
spans(const Array *offsets, const Array *items)
{
    const int64_t *ends = offsets->items;
    return ends[0] || ends[offsets->length - 1] != items->length ? refuse(offsets, "not those of the items") : 1;
}

static int
are_strings(const Array *letters, const Array *offsets)
{
    if (!has_room(offsets, 1) || !ascends(offsets, 0, offsets->length - 1, letters->length))
        return 0;
    return offsets->length > INT32_MAX ? refuse(offsets, "too many strings") : spans(offsets, letters);
}

static PyObject *
nearness_grams(PyObject *self, PyObject *args)
{
    Array a[] = {READS(uint8_t, "letters"), READS(int64_t, "offsets")};
    PyObject *result = NULL, *strings = NULL, *ordered = NULL, *by_rank = NULL;
    int64_t *count = NULL, *starts = NULL, many = 0, total, n, i, k, base = 1, size;
    int64_t firsts[CLIPPED + 2] = {0}, of_length[CLIPPED + 2];
    uint32_t *keys = NULL;
    uint8_t rank[256] = {0}, letter[256] = {0}, seen[256] = {0};
    (void)self;
    if (!take(args, "grams", "AA", a))
        return NULL;
    if (!are_strings(&a[0], &a[1]))
        goto done;
    total = a[0].length;
    n = a[1].length - 1;
    /* Only characters that are there get a place, after the mark: the table has the cube of their number. */
    for (k = 0; k < total; k++)
        seen[((const uint8_t *)a[0].items)[k]] = 1;
    for (k = 1; k < 256; k++)
        if (seen[k]) {
            rank[k] = (uint8_t)base;
            letter[base++] = (uint8_t)k;
        }
    size = base * base * base;
    count = calloc((size_t)size + 1, sizeof *count);
    strings = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(4 * total));
    ordered = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)total);
    by_rank = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(4 * n));
    if (!count || !strings || !ordered || !by_rank) {
        PyErr_NoMemory();
        goto done;
    }
    {
        const uint8_t *letters = a[0].items;
        const int64_t *offsets = a[1].items;
        int32_t *to = (int32_t *)PyBytes_AS_STRING(strings), *order = (int32_t *)PyBytes_AS_STRING(by_rank);
        uint8_t *in_order = (uint8_t *)PyBytes_AS_STRING(ordered);
        Py_BEGIN_ALLOW_THREADS
        for (k = 0; k < n; k++)
            firsts[clipped(offsets, k) + 1]++;
        for (k = 0; k < CLIPPED + 1; k++)
            firsts[k + 1] += firsts[k];
        memcpy(of_length, firsts, sizeof of_length);
        for (k = 0; k < n; k++)
            order[of_length[clipped(offsets, k)]++] = (int32_t)k;
        for (k = 0; k < n; k++) {
            memcpy(in_order, letters + offsets[order[k]], (size_t)(offsets[order[k] + 1] - offsets[order[k]]));
            in_order += offsets[order[k] + 1] - offsets[order[k]];
        }
        for (k = 0; k < n; k++)
            for (i = 0; i < offsets[k + 1] - offsets[k]; i++)
                count[dense(gram(letters + offsets[k], offsets[k + 1] - offsets[k], i), rank, base) + 1]++;
        for (k = 0; k < size; k++)
            many += count[k + 1] > 0;
        keys = malloc((size_t)(many + 1) * sizeof *keys);
        starts = malloc((size_t)(many + 1) * sizeof *starts);
        if (keys && starts) {
            for (k = i = 0; k < size; k++) {
                if (count[k + 1]) {
                    keys[i] = (uint32_t)letter[k / (base * base)] << 16 | (uint32_t)letter[k / base % base] << 8 |
                              letter[k % base];
                    starts[i++] = count[k];
                }
                count[k + 1] += count[k];
            }
            starts[many] = total;
            for (int64_t place = 0; place < n; place++)
                for (k = order[place], i = 0; i < offsets[k + 1] - offsets[k]; i++)
                    to[count[dense(gram(letters + offsets[k], offsets[k + 1] - offsets[k], i), rank, base)]++] =
                        (int32_t)place;
        }
        Py_END_ALLOW_THREADS
    }
    if (keys && starts)
        result = Py_BuildValue("y#y#OOOy#", (char *)keys, (Py_ssize_t)(4 * many), (char *)starts,
                               (Py_ssize_t)(8 * (many + 1)), strings, ordered, by_rank, (char *)firsts,
                               (Py_ssize_t)sizeof firsts);
    else
        PyErr_NoMemory();
done:
    Py_XDECREF(strings);
    Py_XDECREF(ordered);
    Py_XDECREF(by_rank);
    free(count);
    free(keys);
    free(starts);
    release(a, 2);
    return result;
}

typedef struct {
    int32_t *strings;
    uint8_t *kinds, *shared;
    int64_t many, room;
} Found;

static int
keep(Found *f, int32_t string, uint8_t kind, uint8_t shared)
{
    if (f->many == f->room) {
        int64_t room = f->room ? 2 * f->room : 1024;
        int32_t *strings = realloc(f->strings, (size_t)room * sizeof *strings);
        uint8_t *kinds, *counts;
        if (strings)
            f->strings = strings;
        kinds = realloc(f->kinds, (size_t)room);
        if (kinds)
            f->kinds = kinds;
        counts = realloc(f->shared, (size_t)room);
        if (counts)
            f->shared = counts;
        if (!strings || !kinds || !counts)
            return 0;
        f->room = room;
    }
    f->strings[f->many] = string;
    f->kinds[f->many] = kind;
    f->shared[f->many++] = shared;
    return 1;
}

/* Edits between a word, whose characters have the bits of their places, and a string; more than most is most + 1. */
static int
edits_between(const uint64_t *places, int m, const uint8_t *s, int64_t n, int most)
{
    uint64_t plus = m < 64 ? ((uint64_t)1 << m) - 1 : ~(uint64_t)0, minus = 0, last = (uint64_t)1 << (m - 1);
    int score = m;
    int64_t i;
    for (i = 0; i < n; i++) {
        uint64_t match = places[s[i]], x = match | minus, d = (((x & plus) + plus) ^ plus) | x;
        uint64_t up = minus | ~(d | plus), down = plus & d;
        if (up & last)
            score++;
        if (down & last)
            score--;
        if (score - (n - 1 - i) > most)
            return most + 1;
        up = up << 1 | 1;
        plus = down << 1 | ~(d | up);
        minus = up & d;
    }
    return score;
}

static int64_t
place_of(const uint32_t *keys, int64_t many, uint32_t key)
{
    int64_t low = 0, high = many;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < many && keys[low] == key ? low : -1;
}

enum { LETTERS, OFFSETS, KEYS, STARTS, RANKS, ORDERED, BY_RANK, FIRSTS, WORDS, WORD_OFFSETS, LEAST, EDITS, LOOSE, SHORTEST, LONGEST_ONE,
       JOINED, ROOM, ARRAYS };

/* The characters of a string; NULL if the offsets are none, which is looked at before anything is computed from them. */
static inline const uint8_t *
string_at(const Array *a, int64_t s, int64_t *n)
{
    const int64_t *offsets = a[OFFSETS].items;
    if (offsets[s] < 0 || offsets[s + 1] < offsets[s] || offsets[s + 1] > a[LETTERS].length)
        return NULL;
    *n = offsets[s + 1] - offsets[s];
    return (const uint8_t *)a[LETTERS].items + offsets[s];
}

/* The string with a rank; -1 if there is none. All of them are looked at when a kept folder is opened, not here: that
 * takes longer. */
static inline int32_t
of_rank(const Array *a, int32_t rank)
{
    int32_t s = rank < 0 || rank >= a[BY_RANK].length ? -1 : ((const int32_t *)a[BY_RANK].items)[rank];
    return s < 0 || s >= a[ROOM].length ? -1 : s;
}

/* The first place of a list, from low on, with this rank or a higher one. */
static int64_t
rank_from(const int32_t *ranks, int64_t low, int64_t high, int64_t rank)
{
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The different grams of a word, and where the strings of each begin, those that are too short, and all end. */
typedef struct {
    int many, there; /* grams; those that a string has stand first, short lists before long ones */
    uint32_t key[LONGEST];
    int64_t begin[LONGEST], end[LONGEST], last[LONGEST]; /* end: of those that are not too long */
    int everywhere; /* whether strings have all grams but perhaps the first */
} WordGrams;

static void
grams_of(const Array *a, const uint8_t *word, int m, int shortest, int longest, WordGrams *g)
{
    const int64_t *starts = a[STARTS].items, *firsts = a[FIRSTS].items;
    int i, j;
    g->many = g->there = 0;
    g->everywhere = 1;
    for (i = 0; i < m; i++) {
        uint32_t key = gram(word, m, i);
        int64_t at = place_of(a[KEYS].items, a[KEYS].length, key), begin, end;
        for (j = 0; j < g->many && g->key[j] != key; j++)
            ;
        if (j < g->many)
            continue; /* a gram that the word has twice counts once */
        g->key[g->many++] = key;
        if (at < 0) {
            g->everywhere &= i == 0;
            continue;
        }
        begin = rank_from(a[RANKS].items, starts[at], starts[at + 1], firsts[shortest]);
        end = rank_from(a[RANKS].items, begin, starts[at + 1], firsts[longest + 1]);
        /* Short lists first: what stands in none of them shares too few grams, and is not noted when it comes. Keys
         * are moved along, so that those of the lists are the first ones. */
        g->key[g->many - 1] = g->key[g->there];
        for (j = g->there++; j && g->end[j - 1] - g->begin[j - 1] > end - begin; j--) {
            g->key[j] = g->key[j - 1];
            g->begin[j] = g->begin[j - 1];
            g->end[j] = g->end[j - 1];
            g->last[j] = g->last[j - 1];
        }
        g->key[j] = key;
        g->begin[j] = begin;
        g->end[j] = end;
        g->last[j] = starts[at + 1];
    }
}

/* How many of the grams of a word a string has. */
static int
shared_with(const WordGrams *g, const uint8_t *of, int64_t n)
{
    int shared = 0;
    for (int j = 0; j < g->many; j++) {
        int64_t i = 0;
        while (i < n && gram(of, n, i) != g->key[j])
            i++;
        shared += i < n;
    }
    return shared;
}

/* The strings that begin or end with a word and have more characters than that: the former stand together, the latter in
 * the list of any gram but the first. */
static int
joined_with(const Array *a, const uint8_t *word, int m, int64_t length, const WordGrams *g, Found *found)
{
    int64_t low = 0, high = a[ROOM].length, n, k;
    const int32_t *ranks = a[RANKS].items;
    const uint8_t *of;
    int best = -1, shared;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        int order = (of = string_at(a, middle, &n)) ? memcmp(of, word, (size_t)(n < m ? n : m)) : 1;
        if (order < 0 || (order == 0 && n < m))
            low = middle + 1;
        else
            high = middle;
    }
    for (k = low; k < a[ROOM].length && (of = string_at(a, k, &n)) && n >= m && !memcmp(of, word, (size_t)m); k++)
        if (n > length && (shared = shared_with(g, of, n)) > 0 && shared + 1 >= m &&
            !keep(found, (int32_t)k, BEGINS, (uint8_t)shared))
            return 0;
    for (int j = 0; j < g->there; j++)
        if (g->key[j] != gram(word, m, 0) && (best < 0 || g->last[j] - g->end[j] < g->last[best] - g->end[best]))
            best = j;
    if (best < 0 || !g->everywhere)
        return 1;
    for (k = g->end[best]; k < g->last[best]; k++) {
        int32_t s = of_rank(a, ranks[k]);
        if ((k > g->end[best] && ranks[k] == ranks[k - 1]) || s < 0 || !(of = string_at(a, s, &n)))
            continue;
        if (n > length && !memcmp(of + n - m, word, (size_t)m) && memcmp(of, word, (size_t)m) &&
            (shared = shared_with(g, of, n)) + 1 >= m && !keep(found, s, ENDS, (uint8_t)shared))
            return 0;
    }
    return 1;
}

/* Count a gram for the strings of its list from a first one to a limit, and note those that were not met before; where the next ones
 * are. Whether a string was met cannot be foretold, so nothing branches on it. None is noted twice, as counts do not start
 * anew, and touched has room for one more than there are strings. */
static int64_t
count_and_note(const int32_t *ranks, int64_t k, int64_t end, int64_t first, int64_t limit, uint8_t *room,
               int32_t *touched, int64_t *many)
{
    int64_t found = *many;
    int32_t before = -1;
    for (; k < end && ranks[k] < limit; k++) {
        int32_t r = ranks[k];
        unsigned times;
        if (r == before || r < first)
            continue;
        before = r;
        times = room[r];
        touched[found] = r;
        found += times == 0;
        room[r] = (uint8_t)(times + (times < UINT8_MAX));
    }
    *many = found;
    return k;
}

/* The same for those that were met before: too few lists are left for others. */
static int64_t
count_known(const int32_t *ranks, int64_t k, int64_t end, int64_t first, int64_t limit, uint8_t *room)
{
    int32_t before = -1;
    for (; k < end && ranks[k] < limit; k++) {
        int32_t r = ranks[k];
        unsigned times;
        if (r == before || r < first)
            continue;
        before = r;
        times = room[r];
        room[r] = (uint8_t)(times + (times - 1u < UINT8_MAX - 1u));
    }
    return k;
}

/* What is asked for of the strings that are like a word, which has m characters. */
typedef struct {
    const uint8_t *word;
    int m, least, most, loose, joined;
    uint64_t places[256];
} Sought;

/* The grams that a string of n characters must share to be found for them alone. */
static inline int
loose_for(const Sought *w, int64_t n)
{
    return n <= w->m ? w->loose : (int)((w->loose - 1) * n / w->m) + 1;
}

/* Strings of one length: the first rank and the one behind the last, their characters, and what their grams may say of
 * them. Of two characters that are matched, the places in string and word differ by at most what is inserted and what is
 * lost, which together are no more than the edits; near has the bits of the places in the word for the first one. */
typedef struct {
    int64_t first, limit;
    const uint8_t *letters;
    int n, within, alike, whole; /* grams from which on a string may be within the edits, is alike, may be joined */
    int before;                  /* places of the word before that of the string */
    uint64_t near;
} Bucket;

#define NEVER 256 /* more grams than are counted */

static Bucket
bucket_of(const Sought *w, int n, int64_t first, int64_t limit, const uint8_t *letters)
{
    Bucket b = {first, limit, letters, n, NEVER, NEVER, NEVER, 0, ~(uint64_t)0};
    const int longer = n > w->m ? n - w->m : 0, shorter = w->m > n ? w->m - n : 0, apart = longer + shorter;
    if (apart <= w->most) {
        const int turns = (w->most - apart) / 2; /* what is inserted and lost besides */
        b.within = w->least;
        if (w->most < 8) {
            b.before = longer + turns;
            b.near = ((uint64_t)1 << (b.before + shorter + turns + 1)) - 1;
        }
    }
    if (w->loose)
        b.alike = loose_for(w, n);
    if (w->joined && n > w->m + 1)
        b.whole = w->m - 1;
    return b;
}

/* Whether a string may be within the edits by the characters that both have near the same place: each that one of them
 * has alone is an edit. */
static inline int
may_be_within(const Sought *w, const Bucket *b, const uint8_t *of)
{
    uint64_t met = 0, left;
    int foreign = 0;
    if (w->most < 8)
        for (int i = 0; i < b->n; i++) {
            uint64_t there = w->places[of[i]] & (b->near << i) >> b->before;
            met |= there;
            foreign += !there;
        }
    else
        return 1;
    left = ~met & (w->m < 64 ? ((uint64_t)1 << w->m) - 1 : ~(uint64_t)0);
    for (int k = 0; k < w->most; k++)
        left &= left - 1;
    return !left && foreign <= w->most;
}

/* Keep a string of n characters if it is like the word. */
static inline int
keep_if_like(const Array *a, const Sought *w, const Bucket *b, int32_t rank, int shared, Found *found)
{
    const uint8_t *of = b->letters + (rank - b->first) * b->n;
    int kind = -1, edits;
    if (shared >= b->within && may_be_within(w, b, of) &&
        (edits = edits_between(w->places, w->m, of, b->n, w->most)) <= w->most)
        kind = edits;
    else if (shared >= b->whole && !memcmp(of, w->word, (size_t)w->m))
        kind = BEGINS;
    else if (shared >= b->whole && !memcmp(of + b->n - w->m, w->word, (size_t)w->m))
        kind = ENDS;
    else if (shared >= b->alike)
        kind = ALIKE;
    if (kind < 0 || (rank = of_rank(a, rank)) < 0)
        return 1;
    return keep(found, rank, (uint8_t)kind, (uint8_t)shared);
}

/* Keep those of the strings of a length that were counted and are like the word; counts are zero again. First those that
 * share enough are chosen, without a branch, and their characters are fetched ahead. */
static int
keep_likely(const Array *a, const Sought *w, const Bucket *b, int32_t *touched, int64_t many, Found *found)
{
    uint8_t *room = a[ROOM].items;
    int needed = b->within < b->alike ? b->within : b->alike;
    int64_t left = 0, k;
    int fine = 1;
    needed = b->whole < needed ? b->whole : needed;
    for (k = 0; k < many; k++) {
        int32_t rank = touched[k];
        int enough = room[rank] >= needed;
        room[rank] = enough ? room[rank] : 0;
        touched[left] = rank;
        left += enough;
    }
    for (k = 0; k < left && k < AHEAD; k++)
        PREFETCH(b->letters + (touched[k] - b->first) * b->n);
    for (k = 0; k < left; k++) {
        int32_t rank = touched[k];
        int shared = room[rank];
        room[rank] = 0;
        if (k + AHEAD < left)
            PREFETCH(b->letters + (touched[k + AHEAD] - b->first) * b->n);
        if (fine)
            fine = keep_if_like(a, w, b, rank, shared, found);
    }
    return fine;
}

static int
near_one(const Array *a, const int64_t *bases, const uint8_t *word, int m, int64_t at, int32_t *touched, Found *found)
{
#define OF(which) ((const uint8_t *)a[which].items)[at]
    const int longest = OF(LONGEST_ONE), shortest = OF(SHORTEST) < m ? OF(SHORTEST) : m;
    const int64_t *firsts = a[FIRSTS].items;
    Sought w = {word, m, OF(LEAST), OF(EDITS), OF(LOOSE), OF(JOINED), {0}};
    int i, n, fine = 1;
    WordGrams g;
    for (i = 0; i < m; i++)
        if (word[i])
            w.places[word[i]] |= (uint64_t)1 << i;
    grams_of(a, word, m, shortest, longest, &g);
    /* One length after the other: what is counted for it stays in the nearest cache. */
    for (n = shortest; n <= longest && fine; n++) {
        const uint8_t *letters = (const uint8_t *)a[ORDERED].items + bases[n];
        const Bucket b = bucket_of(&w, n, firsts[n], firsts[n + 1], letters);
        int64_t many = 0;
        int needed = b.within < b.alike ? b.within : b.alike;
        needed = b.whole < needed ? b.whole : needed;
        for (i = 0; i < g.there; i++)
            if (needed > g.there)
                g.begin[i] = rank_from(a[RANKS].items, g.begin[i], g.end[i], b.limit);
            else if (g.there - i < needed)
                g.begin[i] = count_known(a[RANKS].items, g.begin[i], g.end[i], b.first, b.limit, a[ROOM].items);
            else
                g.begin[i] = count_and_note(a[RANKS].items, g.begin[i], g.end[i], b.first, b.limit, a[ROOM].items,
                                            touched, &many);
        fine = keep_likely(a, &w, &b, touched, many, found);
    }
    return fine && (!w.joined || joined_with(a, word, m, longest > m + 1 ? longest : m + 1, &g, found));
#undef OF
}

/* Where the characters of the strings of each length begin in the order of ranks. */
static int
bases_of(const Array *a, int64_t *bases)
{
    const int64_t *firsts = a[FIRSTS].items;
    bases[0] = 0;
    for (int n = 0; n < CLIPPED; n++)
        bases[n + 1] = bases[n] + n * (firsts[n + 1] - firsts[n]);
    return bases[CLIPPED] <= a[ORDERED].length ? 1 : refuse(&a[FIRSTS], "not those of the letters");
}

static PyObject *
nearness_near(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(uint32_t, "grams"),
                       READS(int64_t, "starts"), READS(int32_t, "ranks"), READS(uint8_t, "ordered"),
                       READS(int32_t, "by_rank"), READS(int64_t, "firsts"), READS(uint8_t, "words"),
                       READS(int64_t, "word_offsets"), READS(uint8_t, "least"), READS(uint8_t, "edits"),
                       READS(uint8_t, "loose"), READS(uint8_t, "shortest"), READS(uint8_t, "longest"),
                       READS(uint8_t, "joined"), WRITES(uint8_t, "room")};
    PyObject *result = NULL;
    Found found = {0};
    int64_t *counts = NULL, bases[CLIPPED + 1], words, k;
    int32_t *touched = NULL;
    const int64_t *ends;
    int fine = 1;
    (void)self;
    if (!take(args, "near", "AAAAAAAAAAAAAAAAA", a))
        return NULL;
    words = a[LEAST].length;
    ends = a[WORD_OFFSETS].items;
    if (!has_room(&a[OFFSETS], 1) || !has_length(&a[STARTS], a[KEYS].length + 1) ||
        !ascends(&a[STARTS], 0, a[KEYS].length, a[RANKS].length) || !has_length(&a[WORD_OFFSETS], words + 1) || !ascends(&a[WORD_OFFSETS], 0, words, a[WORDS].length) ||
        !has_length(&a[EDITS], words) || !has_length(&a[LOOSE], words) || !has_length(&a[SHORTEST], words) ||
        !has_length(&a[LONGEST_ONE], words) || !has_length(&a[JOINED], words) ||
        !has_length(&a[ROOM], a[OFFSETS].length - 1) ||
        !has_length(&a[BY_RANK], a[OFFSETS].length - 1) || !has_length(&a[FIRSTS], CLIPPED + 2) ||
        !ascends(&a[FIRSTS], 0, CLIPPED + 1, a[OFFSETS].length - 1) || !spans(&a[OFFSETS], &a[LETTERS]) ||
        !spans(&a[STARTS], &a[RANKS]) || !spans(&a[WORD_OFFSETS], &a[WORDS]) || !bases_of(a, bases))
        goto done;
    for (k = 0; k < words; k++)
        if (ends[k + 1] - ends[k] > LONGEST || ends[k + 1] == ends[k]) {
            refuse(&a[WORD_OFFSETS], "a word that is too long, or empty");
            goto done;
        }
    counts = calloc((size_t)words + 1, sizeof *counts);
    touched = malloc((size_t)a[OFFSETS].length * sizeof *touched);
    if (!counts || !touched) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (k = 0; k < words && fine; k++) {
        int64_t before = found.many;
        fine = near_one(a, bases, (const uint8_t *)a[WORDS].items + ends[k], (int)(ends[k + 1] - ends[k]), k, touched, &found);
        counts[k] = found.many - before;
    }
    Py_END_ALLOW_THREADS
    if (fine)
        result = Py_BuildValue("y#y#y#y#", found.strings ? (char *)found.strings : "", (Py_ssize_t)(4 * found.many),
                               found.kinds ? (char *)found.kinds : "", (Py_ssize_t)found.many,
                               found.shared ? (char *)found.shared : "", (Py_ssize_t)found.many, (char *)counts,
                               (Py_ssize_t)(8 * words));
    else
        PyErr_NoMemory();
done:
    free(found.strings);
    free(found.kinds);
    free(found.shared);
    free(counts);
    free(touched);
    release(a, ARRAYS);
    return result;
}

static PyObject *
nearness_places(PyObject *self, PyObject *args)
{
    enum { SOUGHT = OFFSETS + 1, ENDS_OF, FOUND, ALL };
    Array a[ALL] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(uint8_t, "words"),
                    READS(int64_t, "word_offsets"), WRITES(int64_t, "places")};
    PyObject *result = NULL;
    int64_t words, k;
    (void)self;
    if (!take(args, "places", "AAAAA", a))
        return NULL;
    words = a[ENDS_OF].length - 1;
    if (has_room(&a[OFFSETS], 1) && spans(&a[OFFSETS], &a[LETTERS]) && has_room(&a[ENDS_OF], 1) && ascends(&a[ENDS_OF], 0, words, a[SOUGHT].length) &&
        has_length(&a[FOUND], words)) {
        const int64_t *ends = a[ENDS_OF].items;
        int64_t *found = a[FOUND].items;
        for (k = 0; k < words; k++) {
            const uint8_t *word = (const uint8_t *)a[SOUGHT].items + ends[k], *of;
            int64_t low = 0, high = a[OFFSETS].length - 1, m = ends[k + 1] - ends[k], n;
            found[k] = -1;
            while (low < high) {
                int64_t middle = (low + high) / 2;
                int order = (of = string_at(a, middle, &n)) ? memcmp(of, word, (size_t)(n < m ? n : m)) : 1;
                if (order < 0 || (order == 0 && n < m))
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < a[OFFSETS].length - 1 && (of = string_at(a, low, &n)) && n == m && !memcmp(of, word, (size_t)m))
                found[k] = low;
        }
        result = Py_NewRef(Py_None);
    }
    release(a, ALL);
    return result;
}

PyMethodDef nearness_entries[] = {
    {"grams", nearness_grams, METH_VARARGS, "the strings with each gram"},
    {"near", nearness_near, METH_VARARGS, "the strings that are like words"},
    {"places", nearness_places, METH_VARARGS, "where words are among strings"},
    END_OF_ENTRIES,
};
