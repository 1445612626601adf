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

enum { IDS, SINGLE, EDGES, MASKS, KEYS, CHANCES, NUMBERS, SOURCES, TOTALS, SOURCE_MASKS, TARGETS, ROOTS, TABLES };

typedef struct {
    Array held[TABLES];
    const uint8_t *ids, *masks, *source_masks, *targets;
    const double *single, *deletion, *insertion, *total, *chances, *totals, *roots;
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
                                READS(uint8_t, "source_masks"), READS(uint8_t, "targets"), READS(double, "roots")};
    memcpy(t->held, held, sizeof held);
    if (!take(tuple, "tables of a channel", "AAAAAAAAAAAA", t->held))
        return 0;
    t->slots = (uint64_t)t->held[KEYS].length;
    t->source_slots = (uint64_t)t->held[SOURCES].length;
    if (!has_length(&t->held[IDS], 65536) || !has_length(&t->held[SINGLE], 65536) || !has_length(&t->held[EDGES], 768) ||
        !has_length(&t->held[MASKS], 256) || !has_length(&t->held[TARGETS], 65536) || !has_gap(&t->held[KEYS]) ||
        !has_length(&t->held[CHANCES], t->held[KEYS].length) || !has_length(&t->held[NUMBERS], t->held[KEYS].length) ||
        !has_gap(&t->held[SOURCES]) || !has_length(&t->held[TOTALS], t->held[SOURCES].length) ||
        !has_length(&t->held[SOURCE_MASKS], t->held[SOURCES].length) ||
        !has_length(&t->held[ROOTS], 2 * t->held[KEYS].length)) {
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
    t->roots = t->held[ROOTS].items;
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

enum { SUM, BEST, LOG_SUM, LOG_BEST };

static ALWAYS_INLINE void
reach(double *cell, double from, double chance, int how)
{
    double there;
    if (how == SUM) {
        *cell += from * chance;
        return;
    }
    there = how == BEST ? from * chance : from + log(chance);
    if (how == LOG_SUM && *cell > -INFINITY && there > -INFINITY) {
        double high = there > *cell ? there : *cell, low = there > *cell ? *cell : there;
        *cell = high + log1p(exp(low - high));
    }
    else if (there > *cell)
        *cell = there;
}

/* Fills the grid, rows of true characters, columns of observed ones, by taking every step from every cell. */
static ALWAYS_INLINE void
forward(const Text *true_text, const Text *observed, const Place *places, const uint32_t *targets, const Tables *t,
        double *grid, int how)
{
    Py_ssize_t n = true_text->length, m = observed->length, width = m + 1;
    double nothing = how >= LOG_SUM ? -INFINITY : 0;
    for (Py_ssize_t k = 0; k < (n + 1) * width; k++)
        grid[k] = nothing;
    grid[0] = how >= LOG_SUM ? 0 : 1;
    for (Py_ssize_t i = 0; i <= n; i++) {
        const Place *p = &places[i];
        double *row = grid + i * width;
        uint8_t a = i < n ? true_text->ids[i] : 0;
        for (Py_ssize_t j = 0; j <= m; j++) {
            double here = row[j];
            if (here == nothing)
                continue;
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
            forward(&candidate, &observed, places, targets, &t, grid, BEST);
        else
            forward(&candidate, &observed, places, targets, &t, grid, SUM);
        scores[k] = log(*last);
        if (*last < TINY) { /* too small for a product of probabilities: the same again with logarithms */
            if (best)
                forward(&candidate, &observed, places, targets, &t, grid, LOG_BEST);
            else
                forward(&candidate, &observed, places, targets, &t, grid, LOG_SUM);
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

/* What the ranking of candidates knows beforehand. Rules are known by their slot of the hash table. */
typedef struct {
    int32_t *same_source, *same_target; /* the next rule with the same source, and with the same target; -1 for none */
    int32_t *of_source;                 /* the first rule of each source of two or three characters */
    int32_t of_letter[256];             /* and of one character, or of none: an insertion */
    uint64_t *targets;                  /* the targets, a hash table like those of the channel */
    int32_t *of_target;                 /* and the first rule of each */
    int falls; /* no step that writes or takes nothing has a chance above 1: a way is never worth more than its beginning */
    void *room;
} RuleLists;

static int
rule_lists(const Tables *t, RuleLists *r)
{
    size_t slots = (size_t)t->slots, sources = (size_t)t->source_slots;
    double highest = 0;
    int32_t *next;
    if (t->slots > INT32_MAX || (r->room = malloc(slots * 8 + (3 * slots + sources) * 4)) == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    r->targets = r->room;
    memset(r->targets, 0, slots * 8);
    next = (int32_t *)(r->targets + slots);
    memset(next, 0xFF, (3 * slots + sources) * 4);
    r->same_source = next;
    r->same_target = next + slots;
    r->of_target = next + 2 * slots;
    r->of_source = next + 3 * slots;
    memset(r->of_letter, 0xFF, sizeof r->of_letter);
    for (uint64_t k = 0; k < t->slots; k++) {
        uint64_t source = t->keys[k] & 0xFFFFFF, target = t->keys[k] >> 24, at;
        int64_t slot;
        if (t->keys[k] == 0)
            continue;
        highest = t->chances[k] > highest ? t->chances[k] : highest;
        if (source < 256) {
            r->same_source[k] = r->of_letter[source];
            r->of_letter[source] = (int32_t)k;
        }
        else if ((slot = find(t->sources, t->source_slots, source)) >= 0) {
            r->same_source[k] = r->of_source[slot];
            r->of_source[slot] = (int32_t)k;
        }
        if (target == 0)
            continue;
        for (at = hashed(target) & (t->slots - 1); r->targets[at] && r->targets[at] != target;)
            at = (at + 1) & (t->slots - 1);
        r->targets[at] = target;
        r->same_target[k] = r->of_target[at];
        r->of_target[at] = (int32_t)k;
    }
    for (int x = 0; x < 256; x++) {
        highest = t->insertion[x] > highest ? t->insertion[x] : highest;
        highest = t->deletion[x] > highest ? t->deletion[x] : highest;
    }
    r->falls = highest <= 1;
    return 1;
}

#define WIDEST 63 /* observed characters: places are bits of a number, and there is one behind the last */

/* A rule where it can be used: the columns where its target stands, and how many characters it takes and writes. */
typedef struct {
    double chance;
    uint64_t places;
    int taken, written;
} Usable;

/* An observed string: where each rule could have written, and what each true character could have become. */
typedef struct {
    uint64_t *places;                 /* by rule: the columns where its target stands */
    int32_t *found;                   /* the rules that have such a place, but for those without a target */
    int many;
    double inserted[WIDEST];          /* the highest share of each column in a step that has no source */
    double becomes[256][WIDEST];      /* by true character and column: the chance to be read so, if it is no copy */
    double best[256];                 /* the highest of these */
    uint8_t asked[256];               /* whether they were worked out for the character */
    Usable *insertions;               /* the rules without a source that have a place */
    int inserting;
} Reading;

static void
take_reading(const Text *observed, const Tables *t, const RuleLists *r, Reading *o)
{
    Py_ssize_t m = observed->length;
    for (int k = 0; k < o->many; k++)
        o->places[o->found[k]] = 0;
    o->many = o->inserting = 0;
    memset(o->asked, 0, sizeof o->asked);
    for (Py_ssize_t j = 0; j < m; j++)
        o->inserted[j] = t->insertion[observed->ids[j]];
    for (Py_ssize_t j = 0; j < m; j++) {
        uint64_t target = 0;
        for (int d = 1; d <= 3 && j + d <= m && observed->ids[j + d - 1]; d++) {
            int64_t at;
            target |= (uint64_t)observed->ids[j + d - 1] << (8 * (d - 1));
            at = find(r->targets, t->slots, target);
            for (int32_t k = at < 0 ? -1 : r->of_target[at]; k >= 0; k = r->same_target[k]) {
                if (o->places[k] == 0)
                    o->found[o->many++] = k;
                o->places[k] |= (uint64_t)1 << j;
                for (int c = 0; c < d && (t->keys[k] & 0xFFFFFF) == 0; c++)
                    if (o->inserted[j + c] < t->roots[t->slots + k])
                        o->inserted[j + c] = t->roots[t->slots + k];
            }
        }
    }
    for (int k = 0; k < o->many; k++) {
        int32_t rule = o->found[k];
        if ((t->keys[rule] & 0xFFFFFF) == 0)
            o->insertions[o->inserting++] =
                (Usable){t->chances[rule], o->places[rule], 0, t->keys[rule] >> 24 > 0xFFFF ? 3 : 2};
    }
}

static void
ask_reading(const Text *observed, const Tables *t, uint8_t a, Reading *o)
{
    o->best[a] = t->deletion[a];
    o->asked[a] = 1;
    for (Py_ssize_t j = 0; j < observed->length; j++) {
        double chance = t->single[a * 256 + observed->ids[j]];
        o->becomes[a][j] = chance;
        o->best[a] = chance > o->best[a] ? chance : o->best[a];
    }
}

/* One candidate: the rules that can be used at each of its characters, and what no way from a row or a column to the
 * end exceeds. A rule that takes or writes several characters counts with the same share for each of them. */
typedef struct {
    Usable *usable;   /* row by row */
    int32_t *begins;  /* of each row */
    double *copies, *left;
    double rest[WIDEST + 1];
    Py_ssize_t rows, room;
    void *held;
} Candidate;

static int
candidate_room(Candidate *c, Py_ssize_t n, uint64_t rules)
{
    /* A row has the rules of three sources at most, and no rule has two sources. */
    if (n + 1 > c->rows) {
        size_t rows = (size_t)n + 1;
        void *more = realloc(c->held, rows * (2 * sizeof(double) + sizeof(int32_t)));
        if (more == NULL)
            return 0;
        c->held = more;
        c->copies = more;
        c->left = c->copies + rows;
        c->begins = (int32_t *)(c->left + rows);
        c->rows = n + 1;
    }
    if ((uint64_t)c->room < (uint64_t)(n + 1) * rules) {
        Usable *more = rules < 4096 || n < 4096 ? realloc(c->usable, (size_t)(n + 1) * (size_t)rules * sizeof *more) : NULL;
        if (more == NULL)
            return 0;
        c->usable = more;
        c->room = (Py_ssize_t)((uint64_t)(n + 1) * rules);
    }
    return 1;
}

static int32_t
add_usable(const Tables *t, const RuleLists *r, const Reading *o, int32_t rule, int taken, int32_t many, double *left,
           double *above, Usable *usable)
{
    for (; rule >= 0; rule = r->same_source[rule]) {
        uint64_t target = t->keys[rule] >> 24, places = target ? o->places[rule] : ~(uint64_t)0;
        int written = (target > 0) + (target > 0xFF) + (target > 0xFFFF);
        if (places == 0)
            continue;
        for (int c = 0; c < taken; c++)
            left[c] = t->roots[rule] > left[c] ? t->roots[rule] : left[c];
        for (uint64_t rest = written ? places : 0, j; rest; rest &= rest - 1) {
            for (j = 0; !(rest >> j & 1); j++)
                ;
            for (int c = 0; c < written; c++)
                above[j + c] = t->roots[t->slots + rule] > above[j + c] ? t->roots[t->slots + rule] : above[j + c];
        }
        usable[many++] = (Usable){t->chances[rule], places, taken, written};
    }
    return many;
}

/* Everything about a candidate but its chance; 0 if that is below the least for certain. */
static int
take_candidate(const Text *true_text, const Text *observed, const Tables *t, const RuleLists *r, Reading *o, double least,
               Candidate *c)
{
    Py_ssize_t n = true_text->length, m = observed->length;
    const uint8_t *ids = true_text->ids;
    double above[WIDEST + 2], chance = 1; /* a target never goes beyond the last column */
    int32_t many = 0;
    memcpy(above, o->inserted, (size_t)m * sizeof *above);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!o->asked[ids[i]])
            ask_reading(observed, t, ids[i], o);
        c->left[i] = o->best[ids[i]];
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        double total = t->total[ids[i]];
        const double *becomes = o->becomes[ids[i]];
        uint64_t source = ids[i];
        c->begins[i] = many;
        many = source ? add_usable(t, r, o, r->of_letter[source], 1, many, c->left + i, above, c->usable) : many;
        for (int k = 2; k <= 3 && source && i + k <= n && ids[i + k - 1]; k++) {
            int64_t at;
            source |= (uint64_t)ids[i + k - 1] << (8 * (k - 1));
            at = find(t->sources, t->source_slots, source);
            if (at < 0)
                continue;
            total += t->totals[at];
            many = add_usable(t, r, o, r->of_source[at], k, many, c->left + i, above, c->usable);
        }
        c->copies[i] = 1 - total > FLOOR ? 1 - total : FLOOR;
        for (Py_ssize_t j = 0; j < m; j++)
            above[j] = becomes[j] > above[j] ? becomes[j] : above[j];
    }
    c->begins[n] = many;
    for (Py_ssize_t i = 0; i < n; i++)
        for (Py_ssize_t j = 0; j < m; j++)
            if (true_text->codes[i] == observed->codes[j]) {
                c->left[i] = c->copies[i] > c->left[i] ? c->copies[i] : c->left[i];
                above[j] = c->copies[i] > above[j] ? c->copies[i] : above[j];
            }
    c->rest[m] = 1;
    for (Py_ssize_t j = m; j-- > 0;)
        c->rest[j] = chance *= above[j];
    if (chance < least)
        return 0;
    chance = c->left[n] = 1;
    for (Py_ssize_t i = n; i-- > 0;)
        c->left[i] = chance *= c->left[i];
    return chance >= least;
}

/* The chance of one way that is seldom far from the best: what both strings begin and end with is copied, and what is
 * between is read character by character, the rest of the longer one deleted or inserted. */
static double
plain_way(const Text *true_text, const Text *observed, const Candidate *c, const Tables *t)
{
    Py_ssize_t n = true_text->length, m = observed->length, same = 0, i = 0, j;
    double chance = 1;
    for (; i < n && i < m && true_text->codes[i] == observed->codes[i]; i++)
        chance *= c->copies[i];
    while (same < n - i && same < m - i && true_text->codes[n - same - 1] == observed->codes[m - same - 1])
        same++;
    for (j = i; i < n - same && j < m - same; i++, j++)
        chance *= true_text->codes[i] == observed->codes[j] ? c->copies[i]
                                                            : t->single[true_text->ids[i] * 256 + observed->ids[j]];
    for (; i < n - same; i++)
        chance *= t->deletion[true_text->ids[i]];
    for (; j < m - same; j++)
        chance *= t->insertion[observed->ids[j]];
    for (; i < n; i++)
        chance *= c->copies[i];
    return chance;
}

static inline void
raise_to(double *cell, double there)
{
    *cell = there > *cell ? there : *cell;
}

/* The chance of the best way, if it is the least or more, and a lower one if not: only ways are followed that can still
 * end with that. Only those columns are looked at that a step, of three characters at most, can have come to. */
static double
best_above(const Text *true_text, const Text *observed, const Candidate *c, const Tables *t, const Reading *o,
           double least, double *grid)
{
    Py_ssize_t n = true_text->length, m = observed->length, width = m + 1;
    Py_ssize_t from[4] = {0, m + 1, m + 1, m + 1}, to[4] = {0, -1, -1, -1}; /* in this row and the next three */
    memset(grid, 0, (size_t)((n + 1) * width) * sizeof *grid);
    grid[0] = 1;
    for (Py_ssize_t i = 0; i <= n; i++) {
        double *row = grid + i * width, *next = row + width, lost = i < n ? t->deletion[true_text->ids[i]] : 0;
        const double *becomes = o->becomes[i < n ? true_text->ids[i] : 0];
        const Usable *usable = c->usable + c->begins[i], *end = i < n ? c->usable + c->begins[i + 1] : usable;
        uint32_t code = i < n ? true_text->codes[i] : 0;
        Py_ssize_t first = m + 1, last = -1, stop = to[0];
        for (Py_ssize_t j = from[0]; j <= stop; j++) {
            double here = row[j];
            if (here == 0 || here * c->rest[j] < least || here * c->left[i] < least)
                continue;
            first = first < j ? first : j;
            last = j;
            if (stop < j + 3)
                stop = j + 3 < m ? j + 3 : m;
            if (j < m)
                raise_to(&row[j + 1], here * t->insertion[observed->ids[j]]);
            for (const Usable *u = o->insertions; u < o->insertions + o->inserting; u++)
                if (u->places >> j & 1)
                    raise_to(&row[j + u->written], here * u->chance);
            if (i == n)
                continue;
            raise_to(&next[j], here * lost);
            if (j < m)
                raise_to(&next[j + 1], here * (code == observed->codes[j] ? c->copies[i] : becomes[j]));
            for (const Usable *u = usable; u < end; u++)
                if (u->places >> j & 1)
                    raise_to(&row[u->taken * width + j + u->written], here * u->chance);
        }
        for (int s = 0; s < 3; s++) {
            Py_ssize_t reached = last < 0 ? -1 : last + 3 < m ? last + 3 : m;
            from[s] = from[s + 1] < first ? from[s + 1] : first;
            to[s] = to[s + 1] > reached ? to[s + 1] : reached;
        }
        from[3] = m + 1;
        to[3] = -1;
        if (to[0] < 0 && to[1] < 0 && to[2] < 0)
            break;
    }
    return grid[(n + 1) * width - 1];
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
    RuleLists rules = {0};
    Reading *reading = NULL;
    Candidate own = {0};
    uint32_t *targets = NULL;
    double *grid = NULL;
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
        !has_length(&a[SCORES], number * most) || !rule_lists(&t, &rules))
        goto done;
    if ((reading = calloc(1, sizeof *reading)) == NULL ||
        (reading->places = calloc((size_t)t.slots, sizeof *reading->places)) == NULL ||
        (reading->found = malloc((size_t)t.slots * sizeof *reading->found)) == NULL ||
        (reading->insertions = malloc((size_t)t.slots * sizeof *reading->insertions)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t k = 0; k < number; k++) {
        const int32_t *row = (const int32_t *)a[ROWS].items + k * width;
        Ranking r = {(int32_t *)a[RANKED].items + k * most, (double *)a[SCORES].items + k * most, 0, most};
        double least = 0;
        int narrow;
        if (!text_of(PyList_GET_ITEM(strings, k), &t, &observed))
            goto done;
        narrow = rules.falls && observed.length <= WIDEST;
        free(targets);
        if ((targets = malloc((size_t)(observed.length + 1) * 4 * sizeof *targets)) == NULL) {
            PyErr_NoMemory();
            goto done;
        }
        targets_of(&observed, &t, targets);
        if (narrow)
            take_reading(&observed, &t, &rules, reading);
        for (int64_t c = 0; c < width && most && row[c] >= 0; c++) {
            double chance, score;
            if (row[c] >= PyList_GET_SIZE(names)) {
                refuse(&a[ROWS], "a candidate without a name");
                goto done;
            }
            if (!text_of(PyList_GET_ITEM(names, row[c]), &t, &candidate) ||
                !room(&grid, &places, &cells, &length, candidate.length, observed.length))
                goto done;
            if (narrow) {
                double plain;
                if (!candidate_room(&own, candidate.length, t.slots)) {
                    PyErr_NoMemory();
                    goto done;
                }
                if (!take_candidate(&candidate, &observed, &t, &rules, reading, least, &own))
                    continue;
                plain = plain_way(&candidate, &observed, &own, &t) * (1 - 1e-9);
                chance = best_above(&candidate, &observed, &own, &t, reading, plain > least ? plain : least, grid);
                if (chance < least)
                    continue;
            }
            else {
                places_of(&candidate, &t, places);
                forward(&candidate, &observed, places, targets, &t, grid, BEST);
                chance = grid[(candidate.length + 1) * (observed.length + 1) - 1];
            }
            score = log(chance);
            if (chance < TINY) {
                places_of(&candidate, &t, places);
                forward(&candidate, &observed, places, targets, &t, grid, LOG_BEST);
                score = grid[(candidate.length + 1) * (observed.length + 1) - 1];
            }
            if (score > -INFINITY && (r.kept < most || score > r.scores[most - 1]))
                insert(&r, row[c], score);
            /* A little less than the last: chances that differ by less may have the same logarithm. */
            if (r.kept == most)
                least = r.scores[most - 1] > LOWEST ? exp(r.scores[most - 1]) * (1 - 1e-9) : 0;
        }
        for (; r.kept < most; r.kept++) {
            r.numbers[r.kept] = -1;
            r.scores[r.kept] = -INFINITY;
        }
    }
    result = Py_NewRef(Py_None);
done:
    free(rules.room);
    if (reading) {
        free(reading->places);
        free(reading->found);
        free(reading->insertions);
        free(reading);
    }
    free(own.held);
    free(own.usable);
    free(observed.codes);
    free(candidate.codes);
    free(targets);
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
        forward(&true_text, &observed, places, targets, &t, grid, SUM);
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
