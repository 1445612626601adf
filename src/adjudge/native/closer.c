/* All strings of some stretches of text, weighed against the words of a question.
 *
 * A walk through the vocabulary finds what a word has become with a probability that is worth a look among all strings of a
 * collection. A stretch that has other words of the question has few strings, and one of them may be the word however badly
 * it was read. So here nothing is left for being improbable but what could not count.
 *
 * look(letters, offsets, otherwise, single, edges, sources, starts, totals, targets, sizes, chances, words, word_offsets,
 *      expected, known, weights, known_bounds, order, place_of, firsts, begins, ends, many, least, broken, total)
 *   -> (windows as int32, places in their documents as int32, P(word | string) as float64, how many strings as uint8, how
 *       many occurrences each word has as int64), all bytes.
 *
 *   order has a number for each string of all documents, as many bytes each as place_of needs, the lowest first; place_of
 *   has the place of the string in the vocabulary, or -1 for one that it does not have. Window k has the strings from
 *   begins[k] to ends[k] of a document that begins at firsts[k]. Strings that are known to stand for word w are
 *   known[known_bounds[w]] and on, with weights. In a window that has the word by these with SURE or more, and for a word
 *   that is expected 0 times, nothing else counts.
 *   Elsewhere a string with P(string | word) = p is the word with p * expected[w] / (p * expected[w] + otherwise[string]),
 *   if that is more than its weight and no less than least, and it is known for no other word with SURE or more. Two strings
 *   side by side, each no longer than the word, may be the word together: with broken times P(both | word), against otherwise of both, times each other, through total, which is how
 *   many strings the text has; where that is more, it is found at the first of them. Characters are below many. What was
 *   found comes word by word, each in the order of the windows.
 *
 * systems/parts/deciphering/slow_closer.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"
#include "rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 48 /* characters of a word */
#define DEEPEST 96 /* characters of a string; a longer one is no word */
#define WIDE 49 /* of a row */
#define STEPS 8192
#define FLOOR 0.02    /* what is left for a true character to come through, as in the channel */
#define APART 2       /* a string may have so many characters more or fewer than the word, or half of its */
#define SURE 0.5      /* the word is there: nothing else is looked for, and nothing is put together */
#define NO_MEMORY 1   /* why gathering failed */
#define UNFIT 2
#define LOWEST 1e-12  /* P(string | word) below which none is followed */

typedef struct {
    double chance;
    uint8_t from, to, size, target[3];
} Step;

/* A word with all that may happen at its places. */
typedef struct {
    int length, width, steps, deletions; /* deletions: none if no more than one character is lost at a time, which lost has */
    double through[256 * WIDE]; /* by observed character, then by place: that the character before it became that */
    const double *insertion;
    Step step[STEPS], deletion[4 * LONGEST + 4];
    int last[257], by_last[STEPS];
    double lost[WIDE]; /* that the character before a place is lost */
    double best[256]; /* the most that an observed character can give, wherever it stands */
} Word;

static void
add(Word *w, int from, int to, uint32_t target, int size, double chance)
{
    Step *s;
    if (size ? w->steps == STEPS : w->deletions == 4 * LONGEST + 4)
        return;
    s = size ? &w->step[w->steps++] : &w->deletion[w->deletions++];
    *s = (Step){chance, (uint8_t)from, (uint8_t)to, (uint8_t)size,
                {(uint8_t)target, (uint8_t)(target >> 8), (uint8_t)(target >> 16)}};
}

/* Only the characters that stand in the windows are made ready, which are some of those below many. */
static void
prepare(Word *w, const Rules *rules, const uint8_t *word, int length, const uint8_t *kinds, int some, int many)
{
    int i, k, c, at_last[256];
    w->length = length;
    w->width = length + 1;
    w->steps = w->deletions = 0;
    w->insertion = rules->edges + 256;
    for (i = 0; i <= length; i++) {
        double total = i < length ? rules->edges[512 + word[i]] : 0;
        uint32_t source = 0;
        for (int size = 0; size <= 3 && i + size <= length; size++) {
            int64_t at;
            if (size)
                source |= (uint32_t)word[i + size - 1] << (8 * (size - 1));
            if (size && !word[i + size - 1])
                break;
            at = rules_of(rules, source);
            if (at < 0)
                continue;
            if (size > 1)
                total += rules->totals[at];
            for (int32_t r = rules->starts[at]; r < rules->starts[at + 1]; r++)
                add(w, i, i + size, rules->targets[r], rules->sizes[r], rules->chances[r]);
        }
        if (i < length) {
            add(w, i, i + 1, 0, 0, rules->edges[word[i]]);
            for (k = 0; k < some; k++)
                w->through[kinds[k] * w->width + i + 1] = rules->single[256 * word[i] + kinds[k]];
            if (word[i] && word[i] < many)
                w->through[word[i] * w->width + i + 1] = 1 - total > FLOOR ? 1 - total : FLOOR;
        }
    }
    for (k = 0, i = 0; k < w->deletions; k++)
        i |= w->deletion[k].to - w->deletion[k].from > 1 || (k && w->deletion[k].from == w->deletion[k - 1].from);
    memset(w->lost, 0, sizeof w->lost);
    for (k = 0; k < w->deletions && !i; k++)
        w->lost[w->deletion[k].to] = w->deletion[k].chance;
    if (!i)
        w->deletions = 0;
    memset(w->last, 0, sizeof w->last);
    for (k = 0; k < w->steps; k++)
        w->last[w->step[k].target[w->step[k].size - 1] + 1]++;
    for (c = 0; c < 256; c++)
        w->last[c + 1] += w->last[c];
    memset(w->best, 0, sizeof w->best);
    for (k = 0; k < some; k++) {
        const double *through = w->through + kinds[k] * w->width;
        double best = w->insertion[kinds[k]];
        for (i = 1; i <= length; i++)
            best = through[i] > best ? through[i] : best;
        w->best[kinds[k]] = best;
    }
    for (k = 0; k < w->steps; k++) {
        const Step *s = &w->step[k];
        const double each = s->size == 1 ? s->chance : s->size == 2 ? sqrt(s->chance) : cbrt(s->chance);
        for (i = 0; i < s->size; i++)
            w->best[s->target[i]] = each > w->best[s->target[i]] ? each : w->best[s->target[i]];
    }
    memcpy(at_last, w->last, sizeof at_last);
    for (k = 0; k < w->steps; k++)
        w->by_last[at_last[w->step[k].target[w->step[k].size - 1]]++] = k;
}

/* The rest of a row, where characters of the word may be lost: each place has more of the one before. The most it has. */
static inline double
finish(const Word *w, double *row)
{
    double before = row[0], most = before;
    int i;
    if (w->deletions) {
        for (i = 0; i < w->deletions; i++) /* in the order of where they begin */
            row[w->deletion[i].to] += row[w->deletion[i].from] * w->deletion[i].chance;
        for (i = 0; i <= w->length; i++)
            most = row[i] > most ? row[i] : most;
        return most;
    }
    for (i = 1; i <= w->length; i++) {
        row[i] = before = row[i] + before * w->lost[i];
        most = before > most ? before : most;
    }
    return most;
}

/* P(string | word). 0 if the likeliest places of three rows one after the other, with the best that each character from
 * there on can give, are below least: then what strings like this can have is not worth adding up. */
static double
chance(const Word *w, const uint8_t *string, int size, double least)
{
    double rows[4][WIDE], rest[2 * DEEPEST + 1], peaks[4] = {0}; /* rules go back to the third row before */
    const int m = w->length;
    int d, i, k;
    rest[size] = 1;
    for (d = size - 1; d >= 0; d--)
        rest[d] = rest[d + 1] * w->best[string[d]];
    rows[0][0] = 1;
    for (i = 1; i <= m; i++)
        rows[0][i] = 0;
    peaks[0] = finish(w, rows[0]);
    for (d = 0; d < size; d++) {
        const uint8_t c = string[d];
        const double *above = rows[d & 3], *through = w->through + c * w->width, insertion = w->insertion[c];
        double *row = rows[(d + 1) & 3];
        row[0] = above[0] * insertion;
        for (i = 1; i <= m; i++)
            row[i] = above[i] * insertion + above[i - 1] * through[i];
        for (k = w->last[c]; k < w->last[c + 1]; k++) {
            const Step *s = &w->step[w->by_last[k]];
            if (s->size > d + 1 || (s->size == 2 && string[d - 1] != s->target[0]) ||
                (s->size == 3 && (string[d - 1] != s->target[1] || string[d - 2] != s->target[0])))
                continue;
            row[s->to] += rows[(d + 1 - s->size) & 3][s->from] * s->chance;
        }
        peaks[(d + 1) & 3] = finish(w, row);
        if (peaks[(d + 1) & 3] * rest[d + 1] < least && peaks[d & 3] * rest[d] < least &&
            (d < 1 || peaks[(d - 1) & 3] * rest[d - 1] < least))
            return 0;
    }
    return rows[size & 3][m];
}

/* A string that stands in the windows. */
typedef struct {
    int64_t place, from;
    double otherwise, bound; /* the best that its characters can give, -1 where that is not known */
    int size;
} Known;

typedef struct {
    Known *known;
    uint8_t *letters, *sizes;
    int32_t *slots, *local, *windows, *places;
    int64_t *cuts, *counts; /* where the strings of each window begin in local; occurrences of each word */
    double *own, *told, *most, *weights; /* what a string has by itself, -1 where it was not looked at; what is known of it, for
                                          * this word and at most for any */
    int64_t many, found, room, mask;
    uint8_t kinds[256]; /* the characters of the strings */
    int some;
} Work;

static int
keep(Work *k, int64_t window, int64_t place, double weight, int size)
{
    if (k->found == k->room) {
        int64_t room = k->room ? 2 * k->room : 1024;
        int32_t *windows = realloc(k->windows, (size_t)room * sizeof *windows), *places;
        double *weights;
        uint8_t *sizes;
        k->windows = windows ? windows : k->windows;
        places = realloc(k->places, (size_t)room * sizeof *places);
        k->places = places ? places : k->places;
        weights = realloc(k->weights, (size_t)room * sizeof *weights);
        k->weights = weights ? weights : k->weights;
        sizes = realloc(k->sizes, (size_t)room);
        k->sizes = sizes ? sizes : k->sizes;
        if (!windows || !places || !weights || !sizes)
            return 0;
        k->room = room;
    }
    k->windows[k->found] = (int32_t)window;
    k->places[k->found] = (int32_t)place;
    k->sizes[k->found] = (uint8_t)size;
    k->weights[k->found++] = weight;
    return 1;
}

enum { LETTERS, OFFSETS, OTHERWISE, SINGLE, EDGES, SOURCES, STARTS, TOTALS, TARGETS, SIZES, CHANCES, WORDS, ENDS, EXPECTED,
       KNOWN, WEIGHTS, BOUNDS, ORDER, PLACE_OF, FIRSTS, BEGINS, UNTIL, ARRAYS };

/* The slot of a string, or the free one where it belongs. */
static inline int64_t
slot_of(const Work *k, int64_t place)
{
    int64_t at = (int64_t)((uint64_t)place * 0x9E3779B97F4A7C15u >> 20) & k->mask;
    while (k->slots[at] >= 0 && k->known[k->slots[at]].place != place)
        at = (at + 1) & k->mask;
    return at;
}

static int
room_for(Work *k, int64_t count, int64_t windows, int64_t words)
{
    int64_t size = 16;
    while (size < 2 * count)
        size *= 2;
    k->mask = size - 1;
    k->slots = malloc((size_t)size * sizeof *k->slots);
    k->local = malloc((size_t)(count + 1) * sizeof *k->local);
    k->known = malloc((size_t)(count + 1) * sizeof *k->known);
    k->own = malloc((size_t)(count + 1) * sizeof *k->own);
    k->told = malloc((size_t)(count + 1) * sizeof *k->told);
    k->most = calloc((size_t)count + 1, sizeof *k->most);
    k->cuts = malloc((size_t)(windows + 1) * sizeof *k->cuts);
    k->counts = calloc((size_t)words + 1, sizeof *k->counts);
    if (!k->slots || !k->local || !k->known || !k->own || !k->told || !k->most || !k->cuts || !k->counts)
        return 0;
    memset(k->slots, 255, (size_t)size * sizeof *k->slots);
    return 1;
}

/* The strings of the windows, each once; and their letters side by side. Why that failed, or 0. */
static int
gather(const Array *a, Work *k, int width, int many)
{
    uint8_t met[256] = {0};
    const uint8_t *order = a[ORDER].items, *letters = a[LETTERS].items;
    const int32_t *place_of = a[PLACE_OF].items;
    const int64_t *offsets = a[OFFSETS].items, *begins = a[BEGINS].items, *ends = a[UNTIL].items;
    const int64_t windows = a[BEGINS].length, strings = a[OFFSETS].length - 1;
    const float *otherwise = a[OTHERWISE].items;
    int64_t count = 0, room = 1, t = 0;
    for (int64_t window = 0; window < windows; window++)
        count += ends[window] - begins[window];
    if (!room_for(k, count, windows, a[EXPECTED].length))
        return NO_MEMORY;
    for (int64_t window = 0; window < windows; window++) {
        k->cuts[window] = t;
        for (int64_t i = begins[window]; i < ends[window]; i++, t++) {
            int64_t term = 0, at;
            int32_t place;
            for (int byte = 0; byte < width; byte++)
                term |= (int64_t)order[i * width + byte] << (8 * byte);
            if (term >= a[PLACE_OF].length || (place = place_of[term]) >= strings)
                return UNFIT;
            k->local[t] = -1;
            if (place < 0)
                continue;
            at = slot_of(k, place);
            if (k->slots[at] < 0) {
                int64_t length;
                if (offsets[place] < 0 || offsets[place + 1] < offsets[place] || offsets[place + 1] > a[LETTERS].length)
                    return UNFIT;
                length = offsets[place + 1] - offsets[place];
                length = length > DEEPEST ? 0 : length;
                k->slots[at] = (int32_t)k->many;
                k->known[k->many++] = (Known){place, offsets[place], otherwise[place], -1, (int)length};
                room += length;
            }
            k->local[t] = k->slots[at];
        }
    }
    k->cuts[windows] = t;
    k->letters = malloc((size_t)room);
    if (!k->letters)
        return NO_MEMORY;
    for (int64_t s = 0, used = 0; s < k->many; used += k->known[s++].size) {
        memcpy(k->letters + used, letters + k->known[s].from, (size_t)k->known[s].size);
        k->known[s].from = used;
        for (int i = 0; i < k->known[s].size; i++)
            met[k->letters[used + i]] = 1;
    }
    for (int c = 0; c < many; c++)
        if (met[c])
            k->kinds[k->some++] = (uint8_t)c;
    return 0;
}

typedef struct {
    double least, broken, total;
    int many;
} Figures;

/* The best that the characters of a string can give, each by itself. */
static inline double
bound_of(const Word *w, Known *one, const uint8_t *letters)
{
    if (one->bound < 0) {
        one->bound = 1;
        for (int i = 0; i < one->size; i++)
            one->bound *= w->best[letters[one->from + i]];
    }
    return one->bound;
}

/* P(word | string). */
static double
alone(const Word *w, Known *one, const uint8_t *letters, double expected, const Figures *f)
{
    const int apart = w->length / 2 > APART ? w->length / 2 : APART, more = one->size - w->length;
    const double floor = fmax(f->least * one->otherwise / expected, LOWEST);
    double p;
    if (!one->size || more > apart || -more > apart || bound_of(w, one, letters) < floor)
        return 0;
    p = chance(w, letters + one->from, one->size, floor);
    p = p * expected / (p * expected + one->otherwise + 1e-300);
    return p < f->least ? 0 : p;
}

/* P(word | two strings side by side). */
static double
together(const Word *w, Known *one, Known *two, const uint8_t *letters, double expected, const Figures *f)
{
    uint8_t both[2 * DEEPEST];
    const int size = one->size + two->size, apart = w->length / 3 > 1 ? w->length / 3 : 1;
    const double other = one->otherwise * two->otherwise / f->total + 1e-300;
    const double floor = fmax(f->least * other / (f->broken * expected), LOWEST);
    double p;
    if (!one->size || !two->size || one->size > w->length || two->size > w->length || size - w->length > apart ||
        w->length - size > apart || bound_of(w, one, letters) * bound_of(w, two, letters) < floor)
        return 0;
    memcpy(both, letters + one->from, (size_t)one->size);
    memcpy(both + one->size, letters + two->from, (size_t)two->size);
    p = chance(w, both, size, floor) * f->broken * expected;
    p = p / (p + other);
    return p < f->least ? 0 : p;
}

/* What a string has, as far as it was not looked at before. */
static inline double
own_of(Work *k, const Word *w, int32_t string, double expected, const Figures *f)
{
    if (k->own[string] < 0) {
        double own = k->most[string] < SURE ? alone(w, &k->known[string], k->letters, expected, f) : 0;
        k->own[string] = own > k->told[string] ? own : k->told[string];
    }
    return k->own[string];
}

/* A window in which the word is not sure; shift is what its strings are from the beginning of the document. */
static int
search(Work *k, const Word *w, int64_t window, int64_t shift, double expected, const Figures *f)
{
    const int64_t last = k->cuts[window + 1];
    double before = 0; /* what the string before has with this one */
    for (int64_t t = k->cuts[window]; t < last; t++) {
        const int32_t here = k->local[t], next = t + 1 < last ? k->local[t + 1] : -1;
        double own = here < 0 ? 0 : own_of(k, w, here, expected, f), both = 0;
        if (here >= 0 && next >= 0 && f->broken > 0 && own < SURE && before < SURE && own_of(k, w, next, expected, f) < SURE &&
            k->most[here] < SURE && k->most[next] < SURE)
            both = together(w, &k->known[here], &k->known[next], k->letters, expected, f);
        before = both;
        if ((own > 0 || both > 0) && !keep(k, window, t + shift, both > own ? both : own, both > own ? 2 : 1))
            return 0;
    }
    return 1;
}

/* What is known of the strings that stand for a word. */
static void
tell(const Array *a, Work *k, int64_t word)
{
    const int64_t *bounds = a[BOUNDS].items;
    const int32_t *known = a[KNOWN].items;
    const double *weights = a[WEIGHTS].items;
    memset(k->told, 0, (size_t)k->many * sizeof *k->told);
    for (int64_t s = bounds[word]; s < bounds[word + 1]; s++) {
        int32_t string = k->slots[slot_of(k, known[s])];
        if (string >= 0) {
            k->told[string] = weights[s];
            k->most[string] = weights[s] > k->most[string] ? weights[s] : k->most[string];
        }
    }
}

static int
look_for(const Array *a, Work *k, Word *w, const Rules *rules, int64_t word, const Figures *f)
{
    const int64_t *ends = (const int64_t *)a[ENDS].items + word;
    int ready = 0;
    const int64_t *begins = a[BEGINS].items, *firsts = a[FIRSTS].items, before = k->found;
    const double expected = ((const double *)a[EXPECTED].items)[word];
    tell(a, k, word);
    for (int64_t s = 0; s < k->many; s++)
        k->own[s] = k->known[s].bound = -1;
    for (int64_t window = 0; window < a[BEGINS].length; window++) {
        const int64_t last = k->cuts[window + 1], shift = begins[window] - firsts[window] - k->cuts[window];
        double absent = 1;
        int64_t t;
        for (t = k->cuts[window]; t < last; t++)
            if (k->local[t] >= 0)
                absent *= 1 - k->told[k->local[t]];
        if (expected > 0 && 1 - absent < SURE) {
            if (!ready)
                prepare(w, rules, (const uint8_t *)a[WORDS].items + ends[0], (int)(ends[1] - ends[0]), k->kinds, k->some, f->many);
            ready = 1;
            if (!search(k, w, window, shift, expected, f))
                return 0;
            continue;
        }
        for (t = k->cuts[window]; t < last; t++)
            if (k->local[t] >= 0 && k->told[k->local[t]] > 0 && !keep(k, window, t + shift, k->told[k->local[t]], 1))
                return 0;
    }
    k->counts[word] = k->found - before;
    return 1;
}

static int
fitting(const Array *a, double total, int64_t width)
{
    const int64_t words = a[EXPECTED].length, windows = a[BEGINS].length, *ends = a[ENDS].items, *bounds = a[BOUNDS].items;
    const int64_t *firsts = a[FIRSTS].items, *begins = a[BEGINS].items, *until = a[UNTIL].items;
    const double *expected = a[EXPECTED].items, *weights = a[WEIGHTS].items;
    int64_t k;
    if (!are_rules(a + SINGLE) || !has_room(&a[OFFSETS], 1) || !has_length(&a[OTHERWISE], a[OFFSETS].length - 1) ||
        !has_length(&a[ENDS], words + 1) || !ascends(&a[ENDS], 0, words, a[WORDS].length) ||
        !has_length(&a[BOUNDS], words + 1) || !ascends(&a[BOUNDS], 0, words, a[KNOWN].length) ||
        !has_length(&a[WEIGHTS], a[KNOWN].length) || !has_length(&a[FIRSTS], windows) || !has_length(&a[UNTIL], windows))
        return 0;
    if (((const int64_t *)a[OFFSETS].items)[a[OFFSETS].length - 1] != a[LETTERS].length)
        return refuse(&a[OFFSETS], "not those of the strings");
    if (!(total > 0))
        return refuse(&a[OTHERWISE], "of a text without strings");
    if (width < 1 || width > 4 || a[ORDER].length % width)
        return refuse(&a[ORDER], "not so many bytes for each string");
    for (k = 0; k < windows; k++)
        if (firsts[k] < 0 || begins[k] < firsts[k] || until[k] < begins[k] || until[k] > a[ORDER].length / width ||
            until[k] - firsts[k] > INT32_MAX)
            return refuse(&a[BEGINS], "a window beyond its document");
    if (ends[0] || bounds[0] || ends[words] != a[WORDS].length || bounds[words] != a[KNOWN].length)
        return refuse(&a[ENDS], "not those of the words");
    for (k = 0; k < words; k++)
        if (ends[k + 1] - ends[k] > LONGEST || !(expected[k] >= 0))
            return refuse(&a[EXPECTED], "a word that is too long, or expected less than never");
    for (k = 0; k < a[KNOWN].length; k++)
        if (!(weights[k] >= 0 && weights[k] <= 1))
            return refuse(&a[WEIGHTS], "no probability");
    return 1;
}

static void
give_back(Work *k)
{
    void *const every[] = {k->known, k->letters, k->slots,   k->local,   k->own,    k->told, k->most,
                           k->cuts,  k->counts,  k->windows, k->places, k->weights, k->sizes};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        free(every[i]);
}

static PyObject *
closer_look(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(float, "otherwise"),
                       READS(double, "single"), READS(double, "edges"), READS(uint32_t, "sources"),
                       READS(int32_t, "starts"), READS(double, "totals"), READS(uint32_t, "targets"),
                       READS(uint8_t, "sizes"), READS(double, "chances"), READS(uint8_t, "words"),
                       READS(int64_t, "word_offsets"), READS(double, "expected"), READS(int32_t, "known"),
                       READS(double, "weights"), READS(int64_t, "known_bounds"), READS(uint8_t, "order"),
                       READS(int32_t, "place_of"), READS(int64_t, "firsts"), READS(int64_t, "begins"),
                       READS(int64_t, "ends")};
    Figures f;
    Work k = {0};
    Word *w = NULL;
    PyObject *result = NULL;
    int64_t many, width;
    int failed;

    (void)self;
    if (!take(args, "look", "AAAAAAAAAAAAAAAAAAAAAAiiddd", a, &width, &many, &f.least, &f.broken, &f.total))
        return NULL;
    if (!is_part("look", 0, many, 256) || !fitting(a, f.total, width))
        goto done;
    f.many = (int)many;
    w = malloc(sizeof *w);
    Py_BEGIN_ALLOW_THREADS
    Rules rules = rules_in(a + SINGLE);
    failed = w ? gather(a, &k, (int)width, f.many) : NO_MEMORY;
    for (int64_t word = 0; !failed && word < a[EXPECTED].length; word++)
        tell(a, &k, word);
    for (int64_t word = 0; !failed && word < a[EXPECTED].length; word++)
        failed = look_for(a, &k, w, &rules, word, &f) ? 0 : NO_MEMORY;
    Py_END_ALLOW_THREADS
    if (failed == UNFIT)
        refuse(&a[ORDER], "strings that the vocabulary does not have");
    else if (failed)
        PyErr_NoMemory();
    else
        result = Py_BuildValue("y#y#y#y#y#", k.found ? (char *)k.windows : "", (Py_ssize_t)(4 * k.found),
                               k.found ? (char *)k.places : "", (Py_ssize_t)(4 * k.found),
                               k.found ? (char *)k.weights : "", (Py_ssize_t)(8 * k.found),
                               k.found ? (char *)k.sizes : "", (Py_ssize_t)k.found, (char *)k.counts,
                               (Py_ssize_t)(8 * a[EXPECTED].length));
done:
    free(w);
    give_back(&k);
    release(a, ARRAYS);
    return result;
}

PyMethodDef closer_entries[] = {
    {"look", closer_look, METH_VARARGS, "the strings of some stretches that may be words of a question"},
    END_OF_ENTRIES,
};
