/* The strings of a vocabulary that an error channel may have made of a word, with their probabilities.
 *
 * The vocabulary is sorted, so that it is a tree of prefixes: one walk from its root meets every string, and a prefix
 * that the word cannot have become with the least probability asked for is left with all that begin with it. At each
 * prefix there is a row: row[i] is the probability that the first i characters of the word became the prefix. Rules take
 * up to three characters to up to three others, so rows look back at the three above them.
 *
 * What is left of the word has to become something, too: rest[i] bounds the probability that the characters from i on
 * become any one string, whichever it is. A word whose letters come through with 0.8 each has 0.1 for the best that can
 * become of ten of them, so a prefix is left ten times sooner than by the row alone, and nothing is found that was not.
 *
 * Near the root a prefix has a large part of the vocabulary below it, in which seeking is slow, so there it is known
 * where the strings with each next character begin: heads, a column for each depth, which
 * systems/parts/deciphering/observed_strings.py makes. It is known, too, which characters follow in the strings of a head
 * (tails: a bit for each, by their numbers modulo 32), and how many at least and at most (the next eight bits, and eight
 * more). What is left of the word has to become some of these, so most heads are left before their strings are looked at.
 *
 * reach(letters, offsets, begins, characters, below, tails, bounds, single, edges, sources, starts, totals, targets, sizes,
 *       chances, words, word_offsets, least)
 *   -> (numbers of strings as int32, probabilities as float64, how many of them each word has as int64), all bytes.
 *
 * reach_walk.py there lays out the channel, slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 48    /* characters of a word */
#define DEEPEST 96    /* characters of a string; longer ones are never reached */
#define STEPS 8192    /* rules that a word can use */
#define FLOOR 0.02    /* what is left for a true character to come through, as in the channel */
#define KNOWN 4       /* depths at which it is known beforehand where the strings with each character begin */
#define NO_MEMORY 1   /* why a walk failed */
#define UNFIT 2
#define LEVELS 12     /* of what a character can add, each a quarter of the one before */
#define FORGOTTEN 1e-4 /* a state below this share of the least probability is dropped */
#define LENGTHS 32    /* characters to come that are told apart; as many or more are one */
#define CHOICES 4     /* likely characters for one of the word that are told apart from the others */

typedef struct {
    double chance;
    uint8_t from, to, size;
    uint8_t target[3];
} Step;

/* What a character of the word may become: the best of its likely characters that is there, or else of all others; what
 * rules write for it and those behind it, one, two or three of them; by how much insertions may multiply that. */
typedef struct {
    uint32_t marks[CHOICES];
    double values[CHOICES + 1], spans[3], inserted;
} Choice;

typedef struct {
    const uint8_t *letters;
    const int64_t *offsets;
    uint64_t size; /* of all letters */
    int length, steps, deletions, one_by_one; /* whether no more than one character is lost at a time */
    double least, tiny;
    double single[256][LONGEST]; /* by observed character, then by place in the word */
    const double *insertion;
    Step step[STEPS], deletion[4 * LONGEST + 4];
    int last[257], by_last[STEPS], first[257], by_first[STEPS];
    double rows[DEEPEST + 1][LONGEST + 1];
    double most[DEEPEST + 1], worth[DEEPEST + 1], begun[256]; /* worth: the row times the rest */
    double rest[LONGEST + 1], promise[256][LONGEST + 1], closing[256], ahead[256]; /* for the bounds; see hopeless() */
    Choice choice[LONGEST + 1];
    uint32_t likely; /* the likeliest characters of all places */
    double exactly[LONGEST + 4][LENGTHS], at_least[LENGTHS][LONGEST + 1], at_most[LENGTHS][LONGEST + 1]; /* see lengths() */
    double rules[4][4][256];
    uint16_t next[LEVELS][257]; /* the first character from each on that can add so much; see level_of() */
    int low[DEEPEST + 1], high[DEEPEST + 1], begin[LONGEST + 2];
    uint8_t path[DEEPEST + 1];
    const int32_t *begins, *below; /* heads: the first string, and the first head one deeper from there on */
    const uint8_t *characters;
    const uint64_t *tails;
    const int64_t *bounds;
    int32_t *found;
    double *chances;
    int64_t count, room;
    int failed;
} Walk;

typedef struct {
    const double *single, *edges, *totals, *chances;
    const uint32_t *sources, *targets;
    const int32_t *starts;
    const uint8_t *sizes;
    int64_t many;
} Rules;

static int64_t
rules_of(const Rules *rules, uint32_t source)
{
    int64_t low = 0, high = rules->many;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (rules->sources[middle] < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rules->many && rules->sources[low] == source ? low : -1;
}

static void
keep(Walk *w, int64_t number, double chance)
{
    if (w->count == w->room) {
        int64_t room = w->room ? 2 * w->room : 4096;
        int32_t *found = realloc(w->found, (size_t)room * sizeof *found);
        double *chances;
        if (found)
            w->found = found;
        chances = realloc(w->chances, (size_t)room * sizeof *chances);
        if (chances)
            w->chances = chances;
        if (!found || !chances) {
            w->failed = NO_MEMORY;
            return;
        }
        w->room = room;
    }
    w->found[w->count] = (int32_t)number;
    w->chances[w->count++] = chance;
}

/* Whether a bound on what strings with this prefix can have is below what is asked for; rounding is far smaller. */
static inline int
too_small(const Walk *w, double bound)
{
    return (1 + 1e-9) * bound < w->least;
}

/* What rules can give whose target has begun and goes on below a prefix that ends with c. */
static inline double
going_on(const Walk *w, int depth, uint8_t c)
{
    return w->most[depth] * w->ahead[c] + (depth ? w->most[depth - 1] * w->ahead[w->path[depth - 1]] : 0);
}

/* Whether a bound tells that no row is needed: what a character gives to the row above, and the rules that end with it
 * times the best of the rows that they begin in. Most characters are no likely error of any in the word. */
static int
hopeless(const Walk *w, int depth, uint8_t c)
{
    const double *above = w->rows[depth], *promise = w->promise[c];
    double best = w->most[depth], sum = 0;
    if (depth && w->most[depth - 1] > best)
        best = w->most[depth - 1];
    if (depth > 1 && w->most[depth - 2] > best)
        best = w->most[depth - 2];
    for (int i = w->low[depth]; i <= w->high[depth]; i++)
        sum += above[i] * promise[i];
    return too_small(w, sum + best * w->closing[c] + going_on(w, depth, c));
}

/* The level of the characters that are worth a look below a prefix: others give at most a quarter to its power of what
 * the row is worth, and no rule begins or ends with them. */
static int
level_of(const Walk *w, int depth)
{
    double from_above = depth ? w->most[depth - 1] * w->ahead[w->path[depth - 1]] : 0, share = 1;
    int level = 0;
    while (level < LEVELS - 1 && !too_small(w, w->worth[depth] * share + from_above)) {
        share /= 4;
        level++;
    }
    return level;
}

/* The row of the prefix that has one more character than the one at this depth; whether it is worth going on. Rows are
 * empty but for a few places, low to high. */
static int
alive(Walk *w, int depth, uint8_t c)
{
    const double *above = w->rows[depth], *single = w->single[c], insertion = w->insertion[c];
    double *row = w->rows[depth + 1], all = 0, most = 0, worth = 0;
    int m = w->length, low = w->low[depth], high = w->high[depth], top = high + 1, i, k;
    memset(row, 0, (size_t)(m + 1) * sizeof *row);
    for (i = low; i <= high; i++)
        row[i] = above[i] * insertion;
    for (i = low; i <= high && i < m; i++)
        row[i + 1] += above[i] * single[i];
    w->path[depth] = c;
    for (k = w->last[c]; k < w->last[c + 1]; k++) {
        const Step *s = &w->step[w->by_last[k]];
        if (s->size > depth + 1 || (s->size == 2 && w->path[depth - 1] != s->target[0]) ||
            (s->size == 3 && (w->path[depth - 1] != s->target[1] || w->path[depth - 2] != s->target[0])))
            continue;
        if (s->from < w->low[depth + 1 - s->size] || s->from > w->high[depth + 1 - s->size])
            continue;
        row[s->to] += w->rows[depth + 1 - s->size][s->from] * s->chance;
        top = s->to > top ? s->to : top;
        if (s->to < low)
            low = s->to; /* from a row further up, which begins further left */
    }
    /* Where characters are lost, the row goes on to the right; deletions are in the order of where they begin. */
    for (k = w->begin[low]; k < w->deletions; k++) {
        double from = row[w->deletion[k].from];
        if (w->one_by_one && w->deletion[k].from > top && from < w->tiny) {
            row[w->deletion[k].from] = 0;
            m = w->deletion[k].from; /* what comes of so little is dropped in any case */
            break;
        }
        if (from > 0)
            row[w->deletion[k].to] += from * w->deletion[k].chance;
    }
    w->low[depth + 1] = m + 1;
    w->high[depth + 1] = -1;
    for (i = low; i <= m; i++) {
        if (row[i] < w->tiny) {
            row[i] = 0; /* and no number is too small to be fast */
            continue;
        }
        if (w->low[depth + 1] > i)
            w->low[depth + 1] = i;
        w->high[depth + 1] = i;
        all += row[i];
        worth += row[i] * w->rest[i];
        if (row[i] > most)
            most = row[i];
    }
    w->most[depth + 1] = most;
    w->worth[depth + 1] = worth;
    if (too_small(w, worth + going_on(w, depth, c)))
        return 0;
    if (all >= w->least)
        return 1;
    /* Rules whose target has begun and goes on below. */
    if (all + w->most[depth] * w->begun[c] + (depth ? w->most[depth - 1] * w->begun[w->path[depth - 1]] : 0) < w->least)
        return 0;
    for (k = w->first[c]; k < w->first[c + 1]; k++) {
        const Step *s = &w->step[w->by_first[k]];
        if (s->size > 1)
            all += above[s->from] * s->chance;
    }
    if (depth)
        for (k = w->first[w->path[depth - 1]]; k < w->first[w->path[depth - 1] + 1]; k++) {
            const Step *s = &w->step[w->by_first[k]];
            if (s->size == 3 && s->target[1] == c)
                all += w->rows[depth - 1][s->from] * s->chance;
        }
    return all >= w->least;
}

/* The character of a string at this depth. Strings that are not sorted, or offsets that do not ascend, would lead to ones
 * that end before; to look at all of them beforehand takes longer than most walks. */
static inline int
letter(const Walk *w, int64_t string, int depth)
{
    uint64_t at = (uint64_t)w->offsets[string] + (uint64_t)depth;
    return at < w->size ? w->letters[at] : 0;
}

/* The first string whose character here is not below this one: at most doubling steps, then halving ones. */
static int64_t
from_on(const Walk *w, int64_t low, int64_t high, int depth, int c)
{
    int64_t step = 1, in = low, out;
    if (letter(w, low, depth) >= c)
        return low;
    while (in + step < high && letter(w, in + step, depth) < c) {
        in += step;
        step *= 2;
    }
    out = in + step < high ? in + step : high;
    while (out - in > 1) {
        int64_t middle = (in + out) / 2;
        if (letter(w, middle, depth) < c)
            in = middle;
        else
            out = middle;
    }
    return out;
}

/* Strings from low on below high, all with one prefix, and the heads one deeper that are theirs. */
typedef struct {
    int64_t low, high, head, last;
} Branch;

static void walk(Walk *w, Branch of, int depth);

/* The strings of a head, which has others beside it up to the last one; whether these are some within the branch. */
static inline int
below_head(const Walk *w, const Branch *of, int64_t head, int depth, Branch *deeper)
{
    int beside = head + 1 < of->last, known = depth + 1 < KNOWN;
    deeper->low = w->begins[head];
    deeper->high = beside ? w->begins[head + 1] : of->high;
    deeper->head = known ? w->below[head] : 0;
    deeper->last = !known ? 0 : head + 1 < w->bounds[depth + 1] ? w->below[head + 1] : w->bounds[depth + 2];
    if (deeper->low < of->low || deeper->high <= deeper->low || deeper->high > of->high)
        return 0;
    return !known || (deeper->head >= w->bounds[depth + 1] && deeper->last >= deeper->head &&
                      deeper->last <= w->bounds[depth + 2]);
}

/* rest[i], from the first place on, for strings of which a tail tells. */
static void
restricted(const Walk *w, uint64_t tail, int first, double *rest)
{
    const uint32_t mark = (uint32_t)tail;
    const int shortest = tail >> 32 & 255, longest = tail >> 40 & 255, m = w->length;
    int i;
    if ((mark & w->likely) == w->likely)
        memcpy(rest + first, w->rest + first, (size_t)(m + 1 - first) * sizeof *rest);
    else {
        double one = rest[m] = w->rest[m], two = 0, three = 0; /* of the places behind */
        for (i = m - 1; i >= first; i--) {
            const Choice *c = &w->choice[i];
            double here = c->values[CHOICES];
            for (int k = 0; k < CHOICES; k++)
                if (mark & c->marks[k]) {
                    here = c->values[k];
                    break;
                }
            here = c->inserted * ((here + c->spans[0]) * one + c->spans[1] * two + c->spans[2] * three);
            three = two;
            two = one;
            rest[i] = one = w->rest[i] < here ? w->rest[i] : here;
        }
    }
    if (longest < LENGTHS && shortest <= longest) {
        const double *most = w->at_most[longest], *least = w->at_least[shortest];
        for (i = first; i <= m; i++) {
            double bound = most[i] < least[i] ? most[i] : least[i];
            rest[i] = bound < rest[i] ? bound : rest[i];
        }
    }
}

/* The same as hopeless() with what is left for the strings of a head. */
static int
hopeless_below(const Walk *w, int depth, uint8_t c, const double *rest)
{
    const double *above = w->rows[depth], *single = w->single[c], insertion = w->insertion[c];
    double best = w->most[depth], sum = 0;
    if (depth && w->most[depth - 1] > best)
        best = w->most[depth - 1];
    if (depth > 1 && w->most[depth - 2] > best)
        best = w->most[depth - 2];
    for (int i = w->low[depth]; i <= w->high[depth]; i++)
        sum += above[i] * (insertion * rest[i] + (i < w->length ? single[i] * rest[i + 1] : 0));
    return too_small(w, sum + best * w->closing[c] + going_on(w, depth, c));
}

/* Whether the row that was made for a head is worth nothing with what is left for its strings. */
static int
worthless(const Walk *w, int depth, uint8_t c, const double *rest)
{
    const double *row = w->rows[depth + 1];
    double sum = 0;
    for (int i = w->low[depth + 1]; i <= w->high[depth + 1]; i++)
        sum += row[i] * rest[i];
    return too_small(w, sum + going_on(w, depth, c));
}

/* The first place of the word at which a row can begin that is made from those above. */
static inline int
leftmost(const Walk *w, int depth)
{
    int low = w->low[depth];
    for (int above = depth - 1; above >= 0 && above >= depth - 2; above--)
        low = w->low[above] < low ? w->low[above] : low;
    return low;
}

/* The walk where heads are known: most are passed by with a look at their characters. Which ones cannot be foretold, so
 * those that are not are gathered first, without a branch. */
static void
near_the_root(Walk *w, Branch of, int depth)
{
    const uint16_t *next = w->next[level_of(w, depth)];
    const int64_t all = of.last - of.head;
    int picked[256], some = 0, many = 0, k, first = leftmost(w, depth);
    double rest[LONGEST + 1];
    if (all > 256) { /* more than there are characters */
        w->failed = UNFIT;
        return;
    }
    for (k = 0; k < all; k++) {
        uint8_t c = w->characters[of.head + k];
        picked[some] = k;
        some += next[c] == c;
    }
    for (k = 0; k < some; k++) {
        int64_t head = of.head + picked[k];
        PREFETCH(&w->tails[head]);
        picked[many] = picked[k];
        many += !hopeless(w, depth, w->characters[head]);
    }
    for (k = 0; k < many && !w->failed; k++) {
        int64_t head = of.head + picked[k];
        uint8_t c = w->characters[head];
        Branch deeper;
        if (!below_head(w, &of, head, depth, &deeper)) {
            w->failed = UNFIT;
            return;
        }
        if (depth + 1 == KNOWN)
            PREFETCH(&w->offsets[deeper.low]); /* while bounds and rows are made */
        else {
            PREFETCH(&w->characters[deeper.head]);
            PREFETCH(&w->begins[deeper.head]);
            PREFETCH(&w->below[deeper.head]);
            PREFETCH(&w->tails[deeper.head]);
        }
        if (depth) { /* below the first character there is nearly everything */
            restricted(w, w->tails[head], first, rest);
            if (hopeless_below(w, depth, c, rest))
                continue;
        }
        if (alive(w, depth, c) && !(depth && worthless(w, depth, c, rest)))
            walk(w, deeper, depth + 1);
    }
}

static void
walk(Walk *w, Branch of, int depth)
{
    const double whole = w->rows[depth][w->length];
    const uint16_t *next;
    int64_t low = of.low, high = of.high;
    if (depth >= KNOWN || of.head >= of.last || w->begins[of.head] != low) /* else no string ends here */
        while (low < high && (uint64_t)w->offsets[low + 1] - (uint64_t)w->offsets[low] == (uint64_t)depth) {
            if (whole >= w->least)
                keep(w, low, whole);
            low++;
        }
    if (depth == DEEPEST)
        return;
    if (depth < KNOWN) {
        if (low < high && (of.head >= of.last || w->begins[of.head] != low))
            w->failed = UNFIT;
        else
            near_the_root(w, of, depth);
        return;
    }
    next = w->next[level_of(w, depth)];
    while (low < high && !w->failed) {
        int c = letter(w, low, depth), hope = next[c] == c && !hopeless(w, depth, (uint8_t)c);
        int64_t out = from_on(w, low, high, depth, hope ? c + 1 : next[c] == c ? next[c + 1] : next[c]);
        if (hope && alive(w, depth, (uint8_t)c))
            walk(w, (Branch){low, out, 0, 0}, depth + 1);
        low = out;
    }
}

static void
add(Walk *w, int from, int to, const uint8_t *target, int size, double chance)
{
    Step *s;
    if (size ? w->steps == STEPS : w->deletions == 4 * LONGEST + 4)
        return;
    s = size ? &w->step[w->steps++] : &w->deletion[w->deletions++];
    s->from = (uint8_t)from;
    s->to = (uint8_t)to;
    s->size = (uint8_t)size;
    memcpy(s->target, target, 3);
    s->chance = chance;
}

/* rest[i] for each place of the word, from its end: the best first character of what it becomes, with whatever may become
 * that character, and all that may be lost. What is inserted leads back to the same place, so it divides. */
static void
bound_rest(Walk *w)
{
    int k = w->steps, d = w->deletions, c;
    w->rest[w->length] = 1; /* nothing more, which is more than anything inserted */
    for (int i = w->length; i >= 0; i--) {
        double by_first[256], inserted[256], most = 0, back = 0, lost = 0;
        for (c = 0; c < 256; c++) {
            by_first[c] = i < w->length ? w->single[c][i] * w->rest[i + 1] : 0;
            inserted[c] = w->insertion[c];
        }
        for (; k && w->step[k - 1].from == i; k--)
            if (w->step[k - 1].to == i)
                inserted[w->step[k - 1].target[0]] += w->step[k - 1].chance;
            else
                by_first[w->step[k - 1].target[0]] += w->step[k - 1].chance * w->rest[w->step[k - 1].to];
        for (; d && w->deletion[d - 1].from == i; d--)
            lost += w->deletion[d - 1].chance * w->rest[w->deletion[d - 1].to];
        for (c = 0; c < 256; c++) {
            most = by_first[c] > most ? by_first[c] : most;
            back = inserted[c] > back ? inserted[c] : back;
        }
        if (i < w->length)
            w->rest[i] = back < 1 ? (most + lost) / (1 - back) : HUGE_VAL;
        else if (!(back < 1))
            w->rest[i] = HUGE_VAL;
    }
}

/* The likely characters of a place, of those with one bit of a mark the best. */
static void
choose(Walk *w, int i)
{
    double best[32] = {0};
    Choice *choice = &w->choice[i];
    for (int c = 0; c < 256; c++)
        if (w->single[c][i] > best[c & 31])
            best[c & 31] = w->single[c][i];
    for (int k = 0; k <= CHOICES; k++) {
        int top = 0;
        for (int bit = 1; bit < 32; bit++)
            if (best[bit] > best[top])
                top = bit;
        choice->values[k] = best[top];
        if (k < CHOICES)
            choice->marks[k] = (uint32_t)1 << top;
        best[top] = 0;
    }
}

/* For each place what rules can write from there on, and bounds for strings of so many characters: exactly[i][n] bounds
 * the probability that the characters from i on become any one string of n. */
static void
lengths(Walk *w)
{
    int k = w->steps, d = w->deletions, m = w->length, n, span, size;
    double insertion = 0;
    for (int c = 0; c < 256; c++)
        insertion = w->insertion[c] > insertion ? w->insertion[c] : insertion;
    memset(w->exactly, 0, sizeof w->exactly);
    w->likely = 0;
    for (int i = m; i >= 0; i--) {
        Choice *choice = &w->choice[i];
        double by_rule[4][4] = {{0}}, lost[4] = {0}, back = insertion, single = 0;
        int last = k;
        for (; k && w->step[k - 1].from == i; k--) {
            const Step *s = &w->step[k - 1];
            double *sum = &w->rules[s->to - i][s->size][s->target[0]];
            *sum += s->chance;
            if (*sum > by_rule[s->to - i][s->size])
                by_rule[s->to - i][s->size] = *sum;
        }
        for (n = k; n < last; n++)
            w->rules[w->step[n].to - i][w->step[n].size][w->step[n].target[0]] = 0;
        for (; d && w->deletion[d - 1].from == i; d--)
            lost[w->deletion[d - 1].to - i] += w->deletion[d - 1].chance;
        if (i < m) {
            choose(w, i);
            single = choice->values[0];
            w->likely |= choice->marks[0];
        }
        for (size = 1; size < 4; size++)
            back += by_rule[0][size];
        choice->inserted = back < 1 ? 1 / (1 - back) : HUGE_VAL;
        for (span = 1; span < 4; span++)
            choice->spans[span - 1] = lost[span] + by_rule[span][1] + by_rule[span][2] + by_rule[span][3];
        for (n = 0; n < LENGTHS; n++) {
            double sum = i == m && n == 0 ? 1 : 0;
            if (n)
                sum += insertion * w->exactly[i][n - 1] + single * w->exactly[i + 1][n - 1];
            for (span = 0; span < 4; span++) {
                for (size = 1; size < 4 && size <= n; size++)
                    sum += by_rule[span][size] * w->exactly[i + span][n - size];
                if (span)
                    sum += lost[span] * w->exactly[i + span][n];
            }
            w->exactly[i][n] = sum;
        }
        double less = 0, more = 0;
        for (n = 0; n < LENGTHS; n++) {
            const double *from_end = &w->exactly[i][LENGTHS - 1 - n];
            less = w->exactly[i][n] > less ? w->exactly[i][n] : less;
            more = *from_end > more ? *from_end : more;
            w->at_most[n][i] = less;
            w->at_least[LENGTHS - 1 - n][i] = more;
        }
    }
}

/* The bounds by which prefixes are left. */
static void
bounded(Walk *w)
{
    double peaks[256], share;
    int c, i, k;
    bound_rest(w);
    lengths(w);
    memset(w->closing, 0, sizeof w->closing);
    memset(w->ahead, 0, sizeof w->ahead);
    for (k = 0; k < w->steps; k++) {
        const Step *s = &w->step[k];
        w->closing[s->target[s->size - 1]] += s->chance * w->rest[s->to];
        if (s->size > 1)
            w->ahead[s->target[0]] += s->chance * w->rest[s->to];
    }
    for (c = 0; c < 256; c++) {
        double peak = 0;
        for (i = 0; i <= w->length; i++) {
            double gives = w->insertion[c] * w->rest[i] + (i < w->length ? w->single[c][i] * w->rest[i + 1] : 0);
            w->promise[c][i] = gives;
            if (!(gives <= peak * w->rest[i]))
                peak = gives / w->rest[i];
        }
        peaks[c] = w->closing[c] > 0 || w->ahead[c] > 0 ? HUGE_VAL : peak;
    }
    for (k = 0, share = 1; k < LEVELS; k++, share /= 4) {
        w->next[k][256] = 256;
        for (c = 255; c >= 0; c--) /* the last level has all */
            w->next[k][c] = k == LEVELS - 1 || !(peaks[c] <= share) ? (uint16_t)c : w->next[k][c + 1];
    }
}

/* What may happen at each place of a word. */
static void
prepared(Walk *w, const Rules *rules, const uint8_t *word, int length)
{
    int i, c, k, size;
    w->length = length;
    w->steps = w->deletions = 0;
    w->insertion = rules->edges + 256;
    for (i = 0; i <= length; i++) {
        double total = i < length ? rules->edges[512 + word[i]] : 0;
        uint32_t source = 0;
        for (size = 0; size <= 3 && i + size <= length; size++) {
            int64_t at;
            int32_t r;
            if (size)
                source |= (uint32_t)word[i + size - 1] << (8 * (size - 1));
            if (size && !word[i + size - 1])
                break;
            at = rules_of(rules, source);
            if (at < 0)
                continue;
            if (size > 1)
                total += rules->totals[at];
            for (r = rules->starts[at]; r < rules->starts[at + 1]; r++) {
                uint8_t target[3] = {(uint8_t)rules->targets[r], (uint8_t)(rules->targets[r] >> 8),
                                     (uint8_t)(rules->targets[r] >> 16)};
                add(w, i, i + size, target, rules->sizes[r], rules->chances[r]);
            }
        }
        if (i < length) {
            static const uint8_t nothing[3] = {0, 0, 0};
            add(w, i, i + 1, nothing, 0, rules->edges[word[i]]);
            for (c = 0; c < 256; c++)
                w->single[c][i] = rules->single[256 * word[i] + c];
            if (word[i])
                w->single[word[i]][i] = 1 - total > FLOOR ? 1 - total : FLOOR;
        }
    }
    w->one_by_one = 1;
    for (k = 0; k < w->deletions; k++)
        w->one_by_one &= w->deletion[k].to - w->deletion[k].from == 1 && w->deletion[k].chance <= 1 &&
                         (!k || w->deletion[k].from != w->deletion[k - 1].from);
    memset(w->last, 0, sizeof w->last);
    memset(w->first, 0, sizeof w->first);
    for (k = 0; k < w->steps; k++) {
        w->last[w->step[k].target[w->step[k].size - 1] + 1]++;
        w->first[w->step[k].target[0] + 1]++;
    }
    for (c = 0; c < 256; c++) {
        w->last[c + 1] += w->last[c];
        w->first[c + 1] += w->first[c];
    }
    {
        int at_last[256], at_first[256];
        memcpy(at_last, w->last, sizeof at_last);
        memcpy(at_first, w->first, sizeof at_first);
        for (k = 0; k < w->steps; k++) {
            w->by_last[at_last[w->step[k].target[w->step[k].size - 1]]++] = k;
            w->by_first[at_first[w->step[k].target[0]]++] = k;
        }
    }
    memset(w->begun, 0, sizeof w->begun);
    for (k = 0; k < w->steps; k++)
        if (w->step[k].size > 1)
            w->begun[w->step[k].target[0]] += w->step[k].chance;
    bounded(w);
    for (i = 0, k = 0; i <= length + 1 && i <= LONGEST + 1; i++) {
        while (k < w->deletions && w->deletion[k].from < i)
            k++;
        w->begin[i] = k;
    }
    memset(w->rows[0], 0, sizeof w->rows[0]);
    w->rows[0][0] = w->most[0] = 1;
    w->low[0] = 0;
    w->high[0] = length;
    for (k = 0; k < w->deletions; k++)
        w->rows[0][w->deletion[k].to] += w->rows[0][w->deletion[k].from] * w->deletion[k].chance;
    for (w->worth[0] = 0, i = 0; i <= length; i++)
        w->worth[0] += w->rows[0][i] * w->rest[i];
}

enum { LETTERS, OFFSETS, BEGINS, CHARACTERS, BELOW, TAILS, BOUNDS, SINGLE, EDGES, SOURCES, STARTS, TOTALS, TARGETS, SIZES, CHANCES,
       WORDS, ENDS, LEAST, ARRAYS };

/* Whether the heads, the rules and the words are laid out as they should be. */
static int
fitting(const Array *a)
{
    int64_t many = a[SOURCES].length, rules = a[TARGETS].length, words = a[LEAST].length, k;
    const int64_t *bounds = a[BOUNDS].items, *ends = a[ENDS].items, *offsets = a[OFFSETS].items;
    const int32_t *starts = a[STARTS].items;
    const uint8_t *sizes = a[SIZES].items;
    const double *least = a[LEAST].items;
    if (!has_room(&a[OFFSETS], 1) || !has_length(&a[BEGINS], a[CHARACTERS].length) ||
        !has_length(&a[BELOW], a[CHARACTERS].length) || !has_length(&a[TAILS], a[CHARACTERS].length) ||
        !has_length(&a[BOUNDS], KNOWN + 1) ||
        !ascends(&a[BOUNDS], 0, KNOWN, a[CHARACTERS].length) || !has_length(&a[SINGLE], 65536) ||
        !has_length(&a[EDGES], 768) || !has_length(&a[STARTS], many + 1) || !has_length(&a[TOTALS], many) ||
        !has_length(&a[SIZES], rules) || !has_length(&a[CHANCES], rules) || !has_length(&a[ENDS], words + 1) ||
        !ascends(&a[ENDS], 0, words, a[WORDS].length))
        return 0;
    if (a[OFFSETS].length > INT32_MAX || offsets[0] || offsets[a[OFFSETS].length - 1] != a[LETTERS].length)
        return refuse(&a[OFFSETS], "not those of the strings");
    if (bounds[0] || bounds[KNOWN] != a[CHARACTERS].length)
        return refuse(&a[BOUNDS], "not those of the heads");
    if (ends[0] || ends[words] != a[WORDS].length)
        return refuse(&a[ENDS], "not those of the words");
    for (k = 0; k < many && starts[k] <= starts[k + 1]; k++)
        ;
    if (k < many || starts[0] || starts[many] != rules)
        return refuse(&a[STARTS], "not those of the rules");
    for (k = 0; k < rules; k++)
        if (sizes[k] > 3)
            return refuse(&a[SIZES], "a target of %d characters", sizes[k]);
    for (k = 0; k < words; k++)
        if (ends[k + 1] - ends[k] > LONGEST || !(least[k] > 0))
            return refuse(&a[LEAST], "a word that is too long, or may become everything");
    return 1;
}

static PyObject *
reach_reach(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(int32_t, "begins"),
                       READS(uint8_t, "characters"), READS(int32_t, "below"), READS(uint64_t, "tails"),
                       READS(int64_t, "bounds"),
                       READS(double, "single"), READS(double, "edges"), READS(uint32_t, "sources"),
                       READS(int32_t, "starts"), READS(double, "totals"), READS(uint32_t, "targets"),
                       READS(uint8_t, "sizes"), READS(double, "chances"), READS(uint8_t, "words"),
                       READS(int64_t, "word_offsets"), READS(double, "least")};
    Walk *w = NULL;
    int64_t *counts = NULL, words;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "reach", "AAAAAAAAAAAAAAAAAA", a))
        return NULL;
    if (!fitting(a))
        goto done;
    words = a[LEAST].length;
    w = calloc(1, sizeof *w);
    counts = calloc((size_t)words + 1, sizeof *counts);
    if (!w || !counts) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    Rules rules = {a[SINGLE].items,  a[EDGES].items,  a[TOTALS].items, a[CHANCES].items,  a[SOURCES].items,
                   a[TARGETS].items, a[STARTS].items, a[SIZES].items,  a[SOURCES].length};
    const int64_t *ends = a[ENDS].items;
    w->letters = a[LETTERS].items;
    w->size = (uint64_t)a[LETTERS].length;
    w->offsets = a[OFFSETS].items;
    w->begins = a[BEGINS].items;
    w->below = a[BELOW].items;
    w->characters = a[CHARACTERS].items;
    w->tails = a[TAILS].items;
    w->bounds = a[BOUNDS].items;
    for (int64_t k = 0; k < words && !w->failed; k++) {
        int64_t before = w->count;
        w->least = ((const double *)a[LEAST].items)[k];
        w->tiny = FORGOTTEN * w->least;
        prepared(w, &rules, (const uint8_t *)a[WORDS].items + ends[k], (int)(ends[k + 1] - ends[k]));
        walk(w, (Branch){0, a[OFFSETS].length - 1, 0, w->bounds[1]}, 0);
        counts[k] = w->count - before;
    }
    Py_END_ALLOW_THREADS
    if (w->failed == UNFIT)
        refuse(&a[BEGINS], "heads that do not fit the strings");
    else if (w->failed)
        PyErr_NoMemory();
    else
        result = Py_BuildValue("y#y#y#", w->found ? (char *)w->found : "", (Py_ssize_t)(4 * w->count),
                               w->chances ? (char *)w->chances : "", (Py_ssize_t)(8 * w->count), (char *)counts,
                               (Py_ssize_t)(8 * words));
done:
    if (w) {
        free(w->found);
        free(w->chances);
    }
    free(w);
    free(counts);
    release(a, ARRAYS);
    return result;
}

PyMethodDef reach_entries[] = {
    {"reach", reach_reach, METH_VARARGS, "the strings that words may have become"},
    END_OF_ENTRIES,
};
