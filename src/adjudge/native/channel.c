/* The loops of the error channel that words and alignments by the hundred thousand go through:
 *
 *   score    an observed string, candidates for the true one  ->  log probability of each
 *   rank     observed strings, candidates for each of them    ->  the most probable few, and their log probabilities
 *   expect   pairs of true and observed strings               ->  how often each rule was used, by expectation
 *
 * All walk the grid of (characters of the true string) x (characters of the observed one); a rule is a step of up to
 * three characters in each direction. noise/channel/rule_arrays.py lays out the arrays, slow_channel.py there does
 * the same in Python, and the tests hold both to the same results.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 16000000
#define FLOOR 0.02     /* what is left for a true character to come through, whatever the rules say */
#define TINY 1e-280
#define LOWEST (-600) /* the logarithm of a chance that is far from TINY */

enum { IDS, SINGLE, EDGES, MASKS, KEYS, CHANCES, NUMBERS, SOURCES, TOTALS, SOURCE_MASKS, TARGETS, TABLES };

typedef struct {
    Array held[TABLES];
    const uint8_t *ids, *masks, *source_masks, *targets;
    const double *single, *deletion, *insertion, *total, *chances, *totals;
    const uint64_t *keys, *sources;
    const int32_t *numbers;
    uint64_t slots, source_slots;
} Tables;

typedef struct {
    Py_ssize_t length;
    uint32_t *codes;
    uint8_t *ids;
} Text;

/* A hash table: a power of two of slots, one of them or more free, so that every search ends. */
static int
has_gap(const Array *keys)
{
    const uint64_t *key = keys->items;
    int64_t k = 0;
    while (k < keys->length && key[k])
        k++;
    return k == keys->length || keys->length & (keys->length - 1) ? refuse(keys, "not a hash table") : 1;
}

static int
take_tables(PyObject *tuple, Tables *t)
{
    static const Array held[TABLES] = {READS(uint8_t, "ids"),     READS(double, "single"),        READS(double, "edges"),
                                READS(uint8_t, "masks"),   READS(uint64_t, "keys"),        READS(double, "chances"),
                                READS(int32_t, "numbers"), READS(uint64_t, "sources"),     READS(double, "totals"),
                                READS(uint8_t, "source_masks"), READS(uint8_t, "targets")};
    memcpy(t->held, held, sizeof held);
    if (!take(tuple, "tables of a channel", "AAAAAAAAAAA", t->held))
        return 0;
    t->slots = (uint64_t)t->held[KEYS].length;
    t->source_slots = (uint64_t)t->held[SOURCES].length;
    if (!has_length(&t->held[IDS], 65536) || !has_length(&t->held[SINGLE], 65536) || !has_length(&t->held[EDGES], 768) ||
        !has_length(&t->held[MASKS], 256) || !has_length(&t->held[TARGETS], 65536) || !has_gap(&t->held[KEYS]) ||
        !has_length(&t->held[CHANCES], t->held[KEYS].length) || !has_length(&t->held[NUMBERS], t->held[KEYS].length) ||
        !has_gap(&t->held[SOURCES]) || !has_length(&t->held[TOTALS], t->held[SOURCES].length) ||
        !has_length(&t->held[SOURCE_MASKS], t->held[SOURCES].length)) {
        release(t->held, TABLES);
        return 0;
    }
    t->ids = t->held[IDS].items;
    t->single = t->held[SINGLE].items;
    t->deletion = t->held[EDGES].items;
    t->insertion = t->deletion + 256;
    t->total = t->deletion + 512;
    t->masks = t->held[MASKS].items;
    t->keys = t->held[KEYS].items;
    t->chances = t->held[CHANCES].items;
    t->numbers = t->held[NUMBERS].items;
    t->sources = t->held[SOURCES].items;
    t->totals = t->held[TOTALS].items;
    t->source_masks = t->held[SOURCE_MASKS].items;
    t->targets = t->held[TARGETS].items;
    return 1;
}

static inline uint64_t
hashed(uint64_t key)
{
    key *= 0x9E3779B97F4A7C15ull;
    return key ^ (key >> 32);
}

static inline int64_t
find(const uint64_t *keys, uint64_t slots, uint64_t key)
{
    for (uint64_t at = hashed(key) & (slots - 1);; at = (at + 1) & (slots - 1)) {
        if (keys[at] == key)
            return (int64_t)at;
        if (keys[at] == 0)
            return -1;
    }
}

static int
text_of(PyObject *string, const Tables *t, Text *out)
{
    Py_ssize_t n;
    int kind;
    const void *data;
    if (!PyUnicode_Check(string)) {
        PyErr_SetString(PyExc_TypeError, "a string is needed");
        return 0;
    }
    n = PyUnicode_GET_LENGTH(string);
    kind = PyUnicode_KIND(string);
    data = PyUnicode_DATA(string);
    if (n > out->length) {
        uint32_t *codes = realloc(out->codes, (size_t)n * 5 + 8);
        if (codes == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        out->codes = codes;
    }
    out->ids = (uint8_t *)(out->codes + n);
    for (Py_ssize_t k = 0; k < n; k++) {
        uint32_t code = PyUnicode_READ(kind, data, k);
        out->codes[k] = code;
        out->ids[k] = code < 65536 ? t->ids[code] : 0;
    }
    out->length = n;
    return 1;
}

/* What a true string allows at each of its characters: the chance to come through, and for sources of one, two and
 * three characters the lengths of the targets that a rule knows (bits) and the source packed in a number. */
typedef struct {
    double copy;
    uint32_t source[4];
    uint8_t mask[4];
} Place;

static void
place_at(const Text *true_text, Py_ssize_t i, const Tables *t, Place *p)
{
    const uint8_t *ids = true_text->ids;
    Py_ssize_t n = true_text->length;
    double total = t->total[ids[i]];
    uint32_t source = ids[i];
    p->source[1] = source;
    p->mask[1] = ids[i] ? t->masks[ids[i]] : 0;
    p->source[2] = p->source[3] = p->mask[2] = p->mask[3] = 0;
    for (int k = 2; k <= 3 && source && i + k <= n; k++) {
        int64_t at;
        if (ids[i + k - 1] == 0)
            break;
        source |= (uint32_t)ids[i + k - 1] << (8 * (k - 1));
        at = find(t->sources, t->source_slots, source);
        if (at >= 0) {
            p->source[k] = source;
            p->mask[k] = t->source_masks[at];
            total += t->totals[at];
        }
    }
    p->copy = 1 - total > FLOOR ? 1 - total : FLOOR;
}

static void
places_of(const Text *true_text, const Tables *t, Place *places)
{
    for (Py_ssize_t i = 0; i < true_text->length; i++)
        place_at(true_text, i, t, &places[i]);
}

/* The targets of two and three characters that begin at each observed character, 0 where no rule has such a one. */
static void
targets_of(const Text *observed, const Tables *t, uint32_t *targets)
{
    const uint8_t *ids = observed->ids;
    for (Py_ssize_t j = 0; j < observed->length; j++) {
        uint32_t target = ids[j];
        targets[4 * j] = 0;
        targets[4 * j + 1] = ids[j];
        targets[4 * j + 2] = targets[4 * j + 3] = 0;
        for (int k = 2; k <= 3 && target && j + k <= observed->length; k++) {
            if (ids[j + k - 1] == 0)
                break;
            target |= (uint32_t)ids[j + k - 1] << (8 * (k - 1));
            if (t->targets[hashed(target) & 65535] & (1 << k))
                targets[4 * j + k] = target;
        }
    }
}

enum { SUM, BEST, BEST_ABOVE, LOG_SUM, LOG_BEST };

static ALWAYS_INLINE void
reach(double *cell, double from, double chance, int how)
{
    double there;
    if (how == SUM) {
        *cell += from * chance;
        return;
    }
    there = how == BEST || how == BEST_ABOVE ? from * chance : from + log(chance);
    if (how == LOG_SUM && *cell > -INFINITY && there > -INFINITY) {
        double high = there > *cell ? there : *cell, low = there > *cell ? *cell : there;
        *cell = high + log1p(exp(low - high));
    }
    else if (there > *cell)
        *cell = there;
}

/* Fills the grid, rows of true characters, columns of observed ones, by taking every step from every cell. With
 * BEST_ABOVE only ways are followed that can still end with the least chance asked for: rest[j] is a chance that no way
 * from column j to the end exceeds. So the last cell has its true value if that is the least or more, and a lower one
 * if not. Places are then made row by row, as few rows are come to. */
static ALWAYS_INLINE void
forward(const Text *true_text, const Text *observed, const Place *places, const uint32_t *targets, const Tables *t,
        double *grid, int how, double least, const double *rest)
{
    Py_ssize_t n = true_text->length, m = observed->length, width = m + 1;
    double nothing = how >= LOG_SUM ? -INFINITY : 0;
    for (Py_ssize_t k = 0; k < (n + 1) * width; k++)
        grid[k] = nothing;
    grid[0] = how >= LOG_SUM ? 0 : 1;
    for (Py_ssize_t i = 0, entered = 0; i <= n; i++) {
        const Place *p = &places[i];
        Place own;
        double *row = grid + i * width;
        uint8_t a = i < n ? true_text->ids[i] : 0;
        if (how == BEST_ABOVE && i - entered > 3) /* the longest step: no later row is come to */
            break;
        for (Py_ssize_t j = 0; j <= m; j++) {
            double here = row[j];
            if (here == nothing || (how == BEST_ABOVE && here * rest[j] < least))
                continue;
            if (how == BEST_ABOVE && p != &own) {
                p = &own;
                entered = i;
                if (i < n)
                    place_at(true_text, i, t, &own);
            }
            if (j < m) {
                reach(&row[j + 1], here, t->insertion[observed->ids[j]], how);
                for (int d = 2; d <= 3; d++)
                    if (t->masks[0] & (1 << d) && targets[4 * j + d]) {
                        int64_t at = find(t->keys, t->slots, (uint64_t)targets[4 * j + d] << 24);
                        if (at >= 0)
                            reach(&row[j + d], here, t->chances[at], how);
                    }
            }
            if (i == n)
                continue;
            reach(&row[width + j], here, t->deletion[a], how);
            if (j < m)
                reach(&row[width + j + 1], here,
                      true_text->codes[i] == observed->codes[j] ? p->copy : t->single[a * 256 + observed->ids[j]], how);
            for (int s = 1; s <= 3; s++) {
                if (!p->mask[s])
                    continue;
                for (int d = 0; d <= 3 && j + d <= m; d++)
                    if (p->mask[s] & (1 << d) && (d == 0 || targets[4 * j + d])) {
                        uint64_t target = d ? targets[4 * j + d] : 0;
                        int64_t at = find(t->keys, t->slots, p->source[s] | target << 24);
                        if (at >= 0)
                            reach(&row[s * width + j + d], here, t->chances[at], how);
                    }
            }
        }
    }
}

static int
room(double **grid, Place **places, Py_ssize_t *cells, Py_ssize_t *length, Py_ssize_t n, Py_ssize_t m)
{
    if (n >= CELLS || m >= CELLS || (n + 1) * (m + 1) > CELLS) {
        PyErr_SetString(PyExc_ValueError, "strings too long to be laid out whole");
        return 0;
    }
    if ((n + 1) * (m + 1) > *cells) {
        double *more = realloc(*grid, (size_t)((n + 1) * (m + 1)) * 2 * sizeof(double));
        if (more == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        *grid = more;
        *cells = (n + 1) * (m + 1);
    }
    if (n + 1 > *length) {
        Place *more = realloc(*places, (size_t)(n + 1) * sizeof(Place));
        if (more == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        *places = more;
        *length = n + 1;
    }
    return 1;
}

/* score(tables, observed, candidates, best, out): out[k] = log P(observed | candidates[k]). */
static PyObject *
channel_score(PyObject *self, PyObject *args)
{
    Array out = WRITES(double, "out");
    PyObject *tuple, *observed_string, *candidates, *result = NULL;
    Tables t;
    Text observed = {0}, candidate = {0};
    uint32_t *targets = NULL;
    double *grid = NULL, *scores;
    Place *places = NULL;
    Py_ssize_t cells = 0, length = 0, number;
    int best;
    (void)self;
    if (!take(args, "score", "TULpA", &out, &tuple, &observed_string, &candidates, &best))
        return NULL;
    if (!take_tables(tuple, &t)) {
        release(&out, 1);
        return NULL;
    }
    number = PyList_GET_SIZE(candidates);
    scores = out.items;
    if (!has_length(&out, number) || !text_of(observed_string, &t, &observed))
        goto done;
    if ((targets = malloc((size_t)(observed.length + 1) * 4 * sizeof *targets)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    targets_of(&observed, &t, targets);
    for (Py_ssize_t k = 0; k < number; k++) {
        double *last;
        if (!text_of(PyList_GET_ITEM(candidates, k), &t, &candidate) ||
            !room(&grid, &places, &cells, &length, candidate.length, observed.length))
            goto done;
        places_of(&candidate, &t, places);
        last = grid + (candidate.length + 1) * (observed.length + 1) - 1;
        if (best)
            forward(&candidate, &observed, places, targets, &t, grid, BEST, 0, NULL);
        else
            forward(&candidate, &observed, places, targets, &t, grid, SUM, 0, NULL);
        scores[k] = log(*last);
        if (*last < TINY) { /* too small for a product of probabilities: the same again with logarithms */
            if (best)
                forward(&candidate, &observed, places, targets, &t, grid, LOG_BEST, 0, NULL);
            else
                forward(&candidate, &observed, places, targets, &t, grid, LOG_SUM, 0, NULL);
            scores[k] = *last;
        }
    }
    result = Py_NewRef(Py_None);
done:
    free(observed.codes);
    free(candidate.codes);
    free(targets);
    free(grid);
    free(places);
    release(t.held, TABLES);
    release(&out, 1);
    return result;
}

/* The best so far of one observed string: by falling log probability, of equals the one that came first. */
typedef struct {
    int32_t *numbers;
    double *scores;
    int64_t kept, most;
} Ranking;

static void
insert(Ranking *r, int32_t number, double score)
{
    int64_t at = r->kept < r->most ? r->kept++ : r->most - 1;
    for (; at > 0 && r->scores[at - 1] < score; at--) {
        r->scores[at] = r->scores[at - 1];
        r->numbers[at] = r->numbers[at - 1];
    }
    r->scores[at] = score;
    r->numbers[at] = number;
}

/* The highest chance with which a step of the channel writes a character that is no copy, and with which it writes
 * each string of two or three characters: a hash table like those of the channel. */
typedef struct {
    double single[256];
    uint64_t *keys;
    double *chances;
    uint64_t slots;
    int falls; /* no step has a chance above 1: a rule and what lies outside the rules may come to more together */
} Ceiling;

static int
ceiling_of(const Tables *t, Ceiling *c)
{
    double highest = 0;
    c->slots = t->slots;
    c->keys = calloc((size_t)t->slots, sizeof *c->keys);
    c->chances = calloc((size_t)t->slots, sizeof *c->chances);
    if (c->keys == NULL || c->chances == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    memcpy(c->single, t->insertion, sizeof c->single);
    for (int a = 0; a < 256; a++)
        for (int x = 0; x < 256; x++)
            c->single[x] = t->single[a * 256 + x] > c->single[x] ? t->single[a * 256 + x] : c->single[x];
    for (uint64_t k = 0; k < t->slots; k++) {
        uint64_t target = t->keys[k] >> 24, at;
        if (t->keys[k] == 0)
            continue;
        highest = t->chances[k] > highest ? t->chances[k] : highest;
        if (target < 256) {
            c->single[target] = t->chances[k] > c->single[target] ? t->chances[k] : c->single[target];
            continue;
        }
        for (at = hashed(target) & (c->slots - 1); c->keys[at] && c->keys[at] != target;)
            at = (at + 1) & (c->slots - 1);
        c->keys[at] = target;
        c->chances[at] = t->chances[k] > c->chances[at] ? t->chances[k] : c->chances[at];
    }
    for (int x = 0; x < 256; x++) {
        highest = c->single[x] > highest ? c->single[x] : highest;
        highest = t->deletion[x] > highest ? t->deletion[x] : highest;
    }
    c->falls = highest <= 1;
    return 1;
}

/* For each observed character the highest share that it can have in the chance of a step that writes it: without a copy
 * (above[2 j]), and with one (above[2 j + 1]). A step that writes several gives each the same share. */
static void
shares_of(const Text *observed, const Tables *t, const uint32_t *targets, const Ceiling *c, double *above)
{
    Py_ssize_t m = observed->length;
    for (Py_ssize_t j = 0; j < m; j++)
        above[2 * j] = c->single[observed->ids[j]];
    for (Py_ssize_t j = 0; j < m; j++)
        for (int d = 2; d <= 3; d++) {
            int64_t at = targets[4 * j + d] ? find(c->keys, c->slots, targets[4 * j + d]) : -1;
            double share = at < 0 ? 0 : d == 2 ? sqrt(c->chances[at]) : cbrt(c->chances[at]);
            for (int k = 0; at >= 0 && k < d; k++)
                above[2 * (j + k)] = share > above[2 * (j + k)] ? share : above[2 * (j + k)];
        }
    for (Py_ssize_t j = 0; j < m; j++) {
        double copy = 1 - t->total[observed->ids[j]];
        copy = copy > FLOOR ? copy : FLOOR;
        above[2 * j + 1] = copy > above[2 * j] ? copy : above[2 * j];
    }
}

/* What no way from each column to the end exceeds: only characters that the true string has can be copies. */
static void
rest_of(const Text *true_text, const Text *observed, const double *above, double *rest)
{
    uint64_t has[4] = {0};
    double chance = 1;
    for (Py_ssize_t i = 0; i < true_text->length; i++)
        has[true_text->ids[i] >> 6] |= (uint64_t)1 << (true_text->ids[i] & 63);
    rest[observed->length] = 1;
    for (Py_ssize_t j = observed->length; j-- > 0;) {
        uint8_t x = observed->ids[j];
        chance *= above[2 * j + (has[x >> 6] >> (x & 63) & 1)];
        rest[j] = chance;
    }
}

/* rank(tables, observed, names, rows, numbers, scores): for each observed string the candidates in its row, numbers of
 * names that -1 ends, by log P(observed | name) along the best way; -1 where no more of them are possible. A candidate
 * is given up as soon as every way to it is less probable than the last of a full ranking. */
static PyObject *
channel_rank(PyObject *self, PyObject *args)
{
    enum { ROWS, RANKED, SCORES, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "rows"), WRITES(int32_t, "numbers"), WRITES(double, "scores")};
    PyObject *tuple, *strings, *names, *result = NULL;
    Tables t;
    Text observed = {0}, candidate = {0};
    Ceiling ceiling = {0};
    uint32_t *targets = NULL;
    double *grid = NULL, *above = NULL, *rest;
    Place *places = NULL;
    Py_ssize_t cells = 0, length = 0, number;
    int64_t width, most;
    (void)self;
    if (!take(args, "rank", "TLLAAA", a, &tuple, &strings, &names))
        return NULL;
    if (!take_tables(tuple, &t)) {
        release(a, ARRAYS);
        return NULL;
    }
    number = PyList_GET_SIZE(strings);
    width = number ? a[ROWS].length / number : 0;
    most = number ? a[RANKED].length / number : 0;
    if (!has_length(&a[ROWS], number * width) || !has_length(&a[RANKED], number * most) ||
        !has_length(&a[SCORES], number * most) || !ceiling_of(&t, &ceiling))
        goto done;
    for (Py_ssize_t k = 0; k < number; k++) {
        const int32_t *row = (const int32_t *)a[ROWS].items + k * width;
        Ranking r = {(int32_t *)a[RANKED].items + k * most, (double *)a[SCORES].items + k * most, 0, most};
        double least = 0;
        if (!text_of(PyList_GET_ITEM(strings, k), &t, &observed))
            goto done;
        free(targets);
        free(above);
        targets = malloc((size_t)(observed.length + 1) * 4 * sizeof *targets);
        above = malloc((size_t)(observed.length + 1) * 3 * sizeof *above);
        if (targets == NULL || above == NULL) {
            PyErr_NoMemory();
            goto done;
        }
        rest = above + 2 * observed.length;
        targets_of(&observed, &t, targets);
        shares_of(&observed, &t, targets, &ceiling, above);
        for (int64_t c = 0; c < width && most && row[c] >= 0; c++) {
            double *last, score;
            if (row[c] >= PyList_GET_SIZE(names)) {
                refuse(&a[ROWS], "a candidate without a name");
                goto done;
            }
            if (!text_of(PyList_GET_ITEM(names, row[c]), &t, &candidate) ||
                !room(&grid, &places, &cells, &length, candidate.length, observed.length))
                goto done;
            rest_of(&candidate, &observed, above, rest);
            if (rest[0] < least)
                continue;
            forward(&candidate, &observed, places, targets, &t, grid, BEST_ABOVE, least, rest);
            last = grid + (candidate.length + 1) * (observed.length + 1) - 1;
            if (*last < least)
                continue;
            score = log(*last);
            if (*last < TINY) {
                places_of(&candidate, &t, places);
                forward(&candidate, &observed, places, targets, &t, grid, LOG_BEST, 0, NULL);
                score = *last;
            }
            if (score > -INFINITY && (r.kept < most || score > r.scores[most - 1]))
                insert(&r, row[c], score);
            /* A little less than the last: chances that differ by less may have the same logarithm. */
            if (ceiling.falls && r.kept == most)
                least = r.scores[most - 1] > LOWEST ? exp(r.scores[most - 1]) * (1 - 1e-9) : 0;
        }
        for (; r.kept < most; r.kept++) {
            r.numbers[r.kept] = -1;
            r.scores[r.kept] = -INFINITY;
        }
    }
    result = Py_NewRef(Py_None);
done:
    free(ceiling.keys);
    free(ceiling.chances);
    free(observed.codes);
    free(candidate.codes);
    free(targets);
    free(above);
    free(grid);
    free(places);
    release(t.held, TABLES);
    release(a, ARRAYS);
    return result;
}

/* One pair's share: from the last cell back, B = chance of the rest; a step is used with F * chance * B / whole. */
static double
backward(const Text *true_text, const Text *observed, const Place *places, const uint32_t *targets, const Tables *t,
         const double *grid, double *rest, double weight, double *singles, double *edges, double *rules)
{
    Py_ssize_t n = true_text->length, m = observed->length, width = m + 1;
    double whole = grid[(n + 1) * width - 1], scale = weight / whole;
    for (Py_ssize_t i = n; i >= 0; i--) {
        const Place *p = &places[i];
        uint8_t a = i < n ? true_text->ids[i] : 0;
        for (Py_ssize_t j = m; j >= 0; j--) {
            double *here = &rest[i * width + j], from = grid[i * width + j] * scale, via;
            *here = i == n && j == m;
            if (j < m) {
                uint8_t x = observed->ids[j];
                via = t->insertion[x] * here[1];
                *here += via;
                edges[256 + x] += from * via;
                for (int d = 2; d <= 3; d++)
                    if (t->masks[0] & (1 << d) && targets[4 * j + d]) {
                        int64_t at = find(t->keys, t->slots, (uint64_t)targets[4 * j + d] << 24);
                        if (at >= 0) {
                            via = t->chances[at] * here[d];
                            *here += via;
                            rules[t->numbers[at]] += from * via;
                        }
                    }
            }
            if (i == n)
                continue;
            via = t->deletion[a] * here[width];
            *here += via;
            edges[a] += from * via;
            if (j < m) {
                if (true_text->codes[i] == observed->codes[j])
                    *here += p->copy * here[width + 1];
                else {
                    int cell = a * 256 + observed->ids[j];
                    via = t->single[cell] * here[width + 1];
                    *here += via;
                    singles[cell] += from * via;
                }
            }
            for (int s = 1; s <= 3; s++) {
                if (!p->mask[s])
                    continue;
                for (int d = 0; d <= 3 && j + d <= m; d++)
                    if (p->mask[s] & (1 << d) && (d == 0 || targets[4 * j + d])) {
                        uint64_t target = d ? targets[4 * j + d] : 0;
                        int64_t at = find(t->keys, t->slots, p->source[s] | target << 24);
                        if (at >= 0) {
                            via = t->chances[at] * here[s * width + d];
                            *here += via;
                            rules[t->numbers[at]] += from * via;
                        }
                    }
            }
        }
    }
    return log(whole);
}

/* expect(tables, true strings, observed strings, weights, singles, edges, rules): adds the expected uses to the last
 * three and gives (log likelihood, weight of the pairs too improbable to be counted). */
static PyObject *
channel_expect(PyObject *self, PyObject *args)
{
    enum { WEIGHTS, SINGLES, EDGES_USED, RULES, ARRAYS };
    Array a[ARRAYS] = {READS(double, "weights"), WRITES(double, "singles"), WRITES(double, "edges"),
                       WRITES(double, "rules")};
    PyObject *tuple, *trues, *observeds, *result = NULL;
    Tables t;
    Text observed = {0}, true_text = {0};
    uint32_t *targets = NULL;
    double *grid = NULL, likelihood = 0, lost = 0;
    Place *places = NULL;
    Py_ssize_t cells = 0, length = 0, room_targets = 0, number;
    (void)self;
    if (!take(args, "expect", "TLLAAAA", a, &tuple, &trues, &observeds))
        return NULL;
    if (!take_tables(tuple, &t)) {
        release(a, ARRAYS);
        return NULL;
    }
    number = PyList_GET_SIZE(trues);
    if (!has_length(&a[WEIGHTS], number) || !has_length(&a[WEIGHTS], PyList_GET_SIZE(observeds)) ||
        !has_length(&a[SINGLES], 65536) || !has_length(&a[EDGES_USED], 512))
        goto done;
    for (uint64_t k = 0; k < t.slots; k++)
        if (t.keys[k] && (t.numbers[k] < 0 || t.numbers[k] >= a[RULES].length)) {
            refuse(&a[RULES], "no place for rule %d", t.numbers[k]);
            goto done;
        }
    for (Py_ssize_t k = 0; k < number; k++) {
        double weight = ((const double *)a[WEIGHTS].items)[k], whole;
        if (!text_of(PyList_GET_ITEM(trues, k), &t, &true_text) ||
            !text_of(PyList_GET_ITEM(observeds, k), &t, &observed) ||
            !room(&grid, &places, &cells, &length, true_text.length, observed.length))
            goto done;
        if (observed.length + 1 > room_targets) {
            uint32_t *more = realloc(targets, (size_t)(observed.length + 1) * 4 * sizeof *targets);
            if (more == NULL) {
                PyErr_NoMemory();
                goto done;
            }
            targets = more;
            room_targets = observed.length + 1;
        }
        targets_of(&observed, &t, targets);
        places_of(&true_text, &t, places);
        forward(&true_text, &observed, places, targets, &t, grid, SUM, 0, NULL);
        whole = grid[(true_text.length + 1) * (observed.length + 1) - 1];
        if (whole < TINY) {
            lost += weight;
            continue;
        }
        likelihood += weight * backward(&true_text, &observed, places, targets, &t, grid, grid + cells, weight,
                                        a[SINGLES].items, a[EDGES_USED].items, a[RULES].items);
    }
    result = Py_BuildValue("dd", likelihood, lost);
done:
    free(observed.codes);
    free(true_text.codes);
    free(targets);
    free(grid);
    free(places);
    release(t.held, TABLES);
    release(a, ARRAYS);
    return result;
}

PyMethodDef channel_entries[] = {
    {"score", channel_score, METH_VARARGS, "log probability of an observed string for each candidate"},
    {"rank", channel_rank, METH_VARARGS, "the most probable candidates of observed strings"},
    {"expect", channel_expect, METH_VARARGS, "expected uses of every rule in pairs of strings"},
    END_OF_ENTRIES,
};
