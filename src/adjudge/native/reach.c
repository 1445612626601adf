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
 * Below the deepest heads the strings are gone through one by one, as they are packed for that: a byte says how many
 * characters a string has in common with the one before, without those of the head, a byte how many others, and these follow.
 * What strings share is looked at once, and those that begin with what was left are passed by. Of 97 characters or more
 * there are 97, which are never reached. For the deepest heads, below is where their strings begin.
 *
 * Rows are as wide as a multiple of four, with zeros where the word has ended and before its first place, so that loops over
 * them have no branches.
 *
 * reach(letters, offsets, begins, characters, below, tails, bounds, packed, single, edges, sources, starts, totals, targets,
 *       sizes, chances, words, word_offsets, least, many)
 *   -> (numbers of strings as int32, probabilities as float64, how many of them each word has as int64), all bytes; the
 *   characters of strings are below many.
 *
 * reach_walk.py there lays out the channel, slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"
#include "rules.h"

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
#define WIDE 52       /* of a row; LONGEST + 1 and what is missing to a multiple of four */
#define BEFORE 4      /* zeros before a row */

typedef struct {
    double chance;
    uint8_t from, to, size;
    uint8_t target[3];
} Step;

/* What a character of the word may become: the best of its likely characters that is there, or else of all others; what
 * rules write for it and those behind it, one, two or three of them; by how much insertions may multiply that. */
typedef struct {
    uint8_t bits[CHOICES];
    double by_marks[1 << CHOICES]; /* which of the likely ones are there */
    double values[CHOICES + 1], spans[3], inserted;
} Choice;

typedef struct {
    int64_t size; /* of what is packed */
    int length, steps, deletions, one_by_one; /* whether no more than one character is lost at a time */
    double least, tiny;
    int width, many; /* of rows; characters */
    double through[256 * WIDE + 1]; /* by observed character, then by place in the word: that the one before it became that */
    const double *insertion;
    Step step[STEPS], deletion[4 * LONGEST + 4];
    int last[257], by_last[STEPS], first[257], by_first[STEPS];
    double rows[DEEPEST + 1][BEFORE + WIDE], lost[WIDE];
    double most[DEEPEST + 1], worth[DEEPEST + 1], begun[256]; /* worth: the row times the rest */
    double rest[WIDE + BEFORE], promise[256 * WIDE], closing[256], ahead[256]; /* for the bounds; see hopeless() */
    Choice choice[LONGEST + 1];
    uint32_t likely; /* the likeliest characters of all places */
    double exactly[LONGEST + 4][LENGTHS]; /* see lengths() */
    double at_least[LENGTHS][WIDE], at_most[LENGTHS][WIDE], just[LENGTHS][WIDE];
    double rules[4][4][256];
    uint8_t level[256]; /* from which on a character is worth a look; see level_of() */
    int low[DEEPEST + 1], begin[LONGEST + 2];
    uint8_t path[DEEPEST + 1];
    const int32_t *begins, *below; /* heads: the first string, and the first head one deeper from there on */
    const uint8_t *characters, *packed;
    const uint64_t *tails;
    const int64_t *bounds;
    int32_t *found;
    double *chances;
    int64_t count, room;
    int failed;
} Walk;

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

static inline double *
row_of(Walk *w, int depth)
{
    return w->rows[depth] + BEFORE;
}

/* What a row is worth at each place, added up. */
static inline double
product(const double *row, const double *worth, int width)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < width; i += 4) {
        a += row[i] * worth[i];
        b += row[i + 1] * worth[i + 1];
        c += row[i + 2] * worth[i + 2];
        d += row[i + 3] * worth[i + 3];
    }
    return (a + b) + (c + d);
}

/* What the rules that end with c can give, at most: the best of the rows that they begin in. */
static inline double
closed(const Walk *w, int depth, uint8_t c)
{
    double best = w->most[depth];
    if (depth && w->most[depth - 1] > best)
        best = w->most[depth - 1];
    if (depth > 1 && w->most[depth - 2] > best)
        best = w->most[depth - 2];
    return best * w->closing[c];
}

/* Whether a bound tells that no row is needed: what a character gives to the row above, and the rules that end with it.
 * Most characters are no likely error of any in the word. */
static inline int
hopeless(Walk *w, int depth, uint8_t c)
{
    double sum = product(row_of(w, depth), w->promise + (size_t)c * (size_t)w->width, w->width);
    if (w->steps)
        sum += closed(w, depth, c) + going_on(w, depth, c);
    return too_small(w, sum);
}

/* The level of the characters that are worth a look below a prefix: others give at most a quarter to its power of what
 * the row is worth, and no rule begins or ends with them. */
static inline int
level_of(const Walk *w, int depth)
{
    double from_above = depth ? w->most[depth - 1] * w->ahead[w->path[depth - 1]] : 0, share = 1;
    int level = 0;
    for (int k = 0; k < LEVELS - 1; k++, share /= 4)
        level += !too_small(w, w->worth[depth] * share + from_above);
    return level;
}

/* What rules give to a row that ends with c; the first place that it has now. */
static int
by_rules(Walk *w, int depth, uint8_t c, double *row, int low)
{
    for (int k = w->last[c]; k < w->last[c + 1]; k++) {
        const Step *s = &w->step[w->by_last[k]];
        double from;
        if (s->size > depth + 1 || (s->size == 2 && w->path[depth - 1] != s->target[0]) ||
            (s->size == 3 && (w->path[depth - 1] != s->target[1] || w->path[depth - 2] != s->target[0])))
            continue;
        from = row_of(w, depth + 1 - s->size)[s->from];
        row[s->to] += from * s->chance;
        if (from > 0 && s->to < low)
            low = s->to; /* from a row further up, which begins further left */
    }
    return low;
}

/* What a row has where characters of the word are lost; deletions are in the order of where they begin. */
static inline void
lose(const Walk *w, double *row, int low)
{
    if (w->one_by_one) {
        double from = row[low];
        for (int i = low; i < w->length; i++)
            row[i + 1] = from = row[i + 1] + from * w->lost[i];
    } else
        for (int k = w->begin[low]; k < w->deletions; k++)
            row[w->deletion[k].to] += row[w->deletion[k].from] * w->deletion[k].chance;
}

/* Whether a row has enough with the rules whose target has begun and goes on below. */
static int
enough_below(Walk *w, int depth, uint8_t c, double all)
{
    int k;
    if (!w->steps ||
        all + w->most[depth] * w->begun[c] + (depth ? w->most[depth - 1] * w->begun[w->path[depth - 1]] : 0) < w->least)
        return 0;
    for (k = w->first[c]; k < w->first[c + 1]; k++) {
        const Step *s = &w->step[w->by_first[k]];
        if (s->size > 1)
            all += row_of(w, depth)[s->from] * s->chance;
    }
    if (depth)
        for (k = w->first[w->path[depth - 1]]; k < w->first[w->path[depth - 1] + 1]; k++) {
            const Step *s = &w->step[w->by_first[k]];
            if (s->size == 3 && s->target[1] == c)
                all += row_of(w, depth - 1)[s->from] * s->chance;
        }
    return all >= w->least;
}

/* The row of the prefix that has one more character than the one at this depth; whether it is worth going on. */
static int
alive(Walk *w, int depth, uint8_t c)
{
    const int width = w->width;
    const double *above = row_of(w, depth), *through = w->through + (size_t)c * (size_t)width, insertion = w->insertion[c];
    const double *rest = w->rest, tiny = w->tiny;
    double *row = row_of(w, depth + 1), a[4] = {0}, v[4] = {0}, all, worth;
    int low = w->low[depth], i, k;
    for (i = 0; i < width; i += 4) {
        double r0 = above[i] * insertion + above[i - 1] * through[i];
        double r1 = above[i + 1] * insertion + above[i] * through[i + 1];
        double r2 = above[i + 2] * insertion + above[i + 1] * through[i + 2];
        double r3 = above[i + 3] * insertion + above[i + 2] * through[i + 3];
        row[i] = r0;
        row[i + 1] = r1;
        row[i + 2] = r2;
        row[i + 3] = r3;
    }
    w->path[depth] = c;
    if (w->steps)
        low = by_rules(w, depth, c, row, low);
    lose(w, row, low);
    for (i = 0; i < width; i += 4)
        for (k = 0; k < 4; k++) {
            double r = row[i + k] < tiny ? 0 : row[i + k]; /* and no number is too small to be fast */
            row[i + k] = r;
            a[k] += r;
            v[k] += r * rest[i + k];
        }
    all = (a[0] + a[1]) + (a[2] + a[3]);
    worth = (v[0] + v[1]) + (v[2] + v[3]);
    low += low < w->length && row[low] == 0;
    low += low < w->length && row[low] == 0; /* mostly no more than that */
    w->low[depth + 1] = low;
    w->worth[depth + 1] = worth;
    if (w->steps) {
        double most = 0;
        for (i = low; i <= w->length; i++)
            most = row[i] > most ? row[i] : most;
        w->most[depth + 1] = most;
        worth += going_on(w, depth, c);
    }
    if (too_small(w, worth))
        return 0;
    return all >= w->least || enough_below(w, depth, c, all);
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
    deeper->head = w->below[head]; /* of the deepest ones, where their strings begin */
    deeper->last = !known ? 0 : head + 1 < w->bounds[depth + 1] ? w->below[head + 1] : w->bounds[depth + 2];
    if (deeper->low < of->low || deeper->high <= deeper->low || deeper->high > of->high)
        return 0;
    return !known || (deeper->head >= w->bounds[depth + 1] && deeper->last >= deeper->head &&
                      deeper->last <= w->bounds[depth + 2]);
}

/* rest[i], from the first place on, for strings of which a tail tells; zeros before. */
static inline void
restricted(const Walk *w, uint64_t tail, int first, double *rest)
{
    const uint32_t mark = (uint32_t)tail;
    const int shortest = tail >> 32 & 255, longest = tail >> 40 & 255, m = w->length;
    int i;
    for (i = 0; i < first; i++)
        rest[i] = 0;
    for (i = m + 1; i <= w->width; i++)
        rest[i] = 0;
    if ((mark & w->likely) == w->likely)
        memcpy(rest + first, w->rest + first, (size_t)(m + 1 - first) * sizeof *rest);
    else {
        double one = rest[m] = w->rest[m], two = 0, three = 0; /* of the places behind */
        for (i = m - 1; i >= first; i--) {
            const Choice *c = &w->choice[i];
            const unsigned there = (mark >> c->bits[0] & 1) | (mark >> c->bits[1] & 1) << 1 | (mark >> c->bits[2] & 1) << 2 |
                                   (mark >> c->bits[3] & 1) << 3;
            const double here = c->by_marks[there] * one + (c->spans[1] * two + c->spans[2] * three);
            three = two;
            two = one;
            rest[i] = one = here < w->rest[i] ? here : w->rest[i];
        }
    }
    if (longest < LENGTHS && shortest <= longest) {
        const double *most = w->at_most[longest], *least = w->at_least[shortest];
        for (i = 0; i < w->width; i++) {
            double bound = most[i] < least[i] ? most[i] : least[i];
            rest[i] = bound < rest[i] ? bound : rest[i];
        }
    }
}

/* The same as hopeless() with what is left for the strings of a head. */
static inline int
hopeless_below(Walk *w, int depth, uint8_t c, const double *rest)
{
    const double *above = row_of(w, depth), *through = w->through + (size_t)c * (size_t)w->width;
    const double insertion = w->insertion[c];
    double sum[4] = {0}, all;
    for (int i = 0; i < w->width; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += above[i + k] * (insertion * rest[i + k]) + above[i + k - 1] * (through[i + k] * rest[i + k]);
    all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    if (w->steps)
        all += closed(w, depth, c) + going_on(w, depth, c);
    return too_small(w, all);
}

/* Whether the row that was made for a head is worth nothing with what is left for its strings. */
static inline int
worthless(Walk *w, int depth, uint8_t c, const double *rest)
{
    return too_small(w, product(row_of(w, depth + 1), rest, w->width) + (w->steps ? going_on(w, depth, c) : 0));
}

/* The strings from low on below high, those of a deepest head, which are packed from some place on: those that the word can
 * have become. */
static void
scan(Walk *w, int64_t low, int64_t high, int64_t at)
{
    enum { NONE = DEEPEST + 1 };
    uint8_t string[DEEPEST + 16] = {0};
    int known = KNOWN, dead = NONE; /* rows that are there; so many characters of a string before were left */
    if (at < 0 || at > w->size)
        w->failed = UNFIT;
    for (int64_t s = low; s < high && !w->failed; s++) {
        const uint8_t *from = w->packed + at;
        int shared, more, n;
        if (w->size - at < 2 || from[1] > w->size - at - 2 || from[0] + from[1] > NONE - KNOWN) {
            w->failed = UNFIT;
            return;
        }
        shared = KNOWN + from[0];
        more = from[1];
        at += 2 + more;
        if (shared >= dead)
            continue;
        if (more <= 8 && w->size - at >= 8)
            memcpy(string + shared, from + 2, 8);
        else
            memcpy(string + shared, from + 2, (size_t)more);
        n = shared + more;
        dead = NONE;
        known = shared < known ? shared : known;
        if (n > DEEPEST)
            continue;
        if (n - known < LENGTHS) {
            double worth = product(row_of(w, known), w->just[n - known], w->width);
            if (w->steps)
                worth += going_on(w, known - 1, w->path[known - 1]);
            if (too_small(w, worth))
                continue;
        }
        for (; known < n; known++)
            if (string[known] >= w->many || hopeless(w, known, string[known]) || !alive(w, known, string[known])) {
                dead = known + 1;
                break;
            }
        if (known == n && row_of(w, known)[w->length] >= w->least)
            keep(w, s, row_of(w, known)[w->length]);
    }
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
    const int level = level_of(w, depth);
    const int64_t all = of.last - of.head;
    int picked[256], some = 0, many = 0, k, first = leftmost(w, depth);
    double rest[WIDE + BEFORE];
    if (all > 256) { /* more than there are characters */
        w->failed = UNFIT;
        return;
    }
    for (k = 0; k < all; k++) {
        picked[some] = k;
        some += w->level[w->characters[of.head + k]] <= level;
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
            PREFETCH(w->packed + deeper.head); /* while bounds and rows are made */
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
    const double whole = row_of(w, depth)[w->length];
    int64_t end;
    if (depth == KNOWN) {
        scan(w, of.low, of.high, of.head);
        return;
    }
    end = of.head < of.last ? w->begins[of.head] : of.high; /* of the strings that end here */
    if (end < of.low || end > of.high) {
        w->failed = UNFIT;
        return;
    }
    for (int64_t s = of.low; s < end && whole >= w->least; s++)
        keep(w, s, whole);
    near_the_root(w, of, depth);
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
bound_rest(Walk *w, double insertion)
{
    int k = w->steps, d = w->deletions, c;
    memset(w->rest, 0, sizeof w->rest);
    w->rest[w->length] = 1; /* nothing more, which is more than anything inserted */
    for (int i = w->length; i >= 0; i--) {
        double most = i < w->length ? w->choice[i].values[0] * w->rest[i + 1] : 0, back = insertion, lost = 0;
        if (k && w->step[k - 1].from == i) {
            double by_first[256], inserted[256];
            for (c = 0; c < 256; c++) {
                by_first[c] = i < w->length && c < w->many ? w->through[c * w->width + i + 1] * w->rest[i + 1] : 0;
                inserted[c] = w->insertion[c];
            }
            for (; k && w->step[k - 1].from == i; k--)
                if (w->step[k - 1].to == i)
                    inserted[w->step[k - 1].target[0]] += w->step[k - 1].chance;
                else
                    by_first[w->step[k - 1].target[0]] += w->step[k - 1].chance * w->rest[w->step[k - 1].to];
            for (c = 0; c < 256; c++) {
                most = by_first[c] > most ? by_first[c] : most;
                back = inserted[c] > back ? inserted[c] : back;
            }
        }
        for (; d && w->deletion[d - 1].from == i; d--)
            lost += w->deletion[d - 1].chance * w->rest[w->deletion[d - 1].to];
        if (i < w->length)
            w->rest[i] = back < 1 ? (most + lost) / (1 - back) : HUGE_VAL;
        else if (!(back < 1))
            w->rest[i] = HUGE_VAL;
    }
}

/* The likely characters of a place, of those with one bit of a mark the best; became has what it may have become. */
static void
choose(Choice *choice, const double *became)
{
    double best[32];
    for (int bit = 0; bit < 32; bit++) {
        best[bit] = became[bit];
        for (int c = bit + 32; c < 256; c += 32)
            best[bit] = became[c] > best[bit] ? became[c] : best[bit];
    }
    for (int k = 0; k <= CHOICES; k++) {
        int top = 0;
        for (int bit = 1; bit < 32; bit++)
            if (best[bit] > best[top])
                top = bit;
        choice->values[k] = best[top];
        if (k < CHOICES)
            choice->bits[k] = (uint8_t)top;
        best[top] = 0;
    }
}

/* What a place gives for each choice of likely characters that are there. */
static void
tabulate(Choice *c)
{
    for (int there = 0; there < 1 << CHOICES; there++) {
        int k = 0;
        while (k < CHOICES && !(there >> k & 1))
            k++;
        c->by_marks[there] = c->inserted * (c->values[k] + c->spans[0]);
    }
    c->spans[1] *= c->inserted;
    c->spans[2] *= c->inserted;
}

/* For each place what rules can write from there on, and bounds for strings of so many characters: exactly[i][n] bounds
 * the probability that the characters from i on become any one string of n. */
static void
lengths(Walk *w, double insertion)
{
    int k = w->steps, d = w->deletions, m = w->length, n, span, size;
    memset(w->exactly, 0, sizeof w->exactly);
    memset(w->just, 0, sizeof w->just);
    w->likely = 0;
    for (int i = m; i >= 0; i--) {
        Choice *choice = &w->choice[i];
        double by_rule[4][4] = {{0}}, lost[4] = {0}, back = insertion, single = 0, less = 0, more = 0;
        double *here = w->exactly[i], *after = w->exactly[i + 1];
        int last = k, simple;
        for (; k && w->step[k - 1].from == i; k--) {
            const Step *s = &w->step[k - 1];
            double *sum = &w->rules[s->to - i][s->size][s->target[0]];
            *sum += s->chance;
            if (*sum > by_rule[s->to - i][s->size])
                by_rule[s->to - i][s->size] = *sum;
        }
        for (n = k; n < last; n++)
            w->rules[w->step[n].to - i][w->step[n].size][w->step[n].target[0]] = 0;
        simple = k == last;
        for (; d && w->deletion[d - 1].from == i; d--) {
            lost[w->deletion[d - 1].to - i] += w->deletion[d - 1].chance;
            simple &= w->deletion[d - 1].to == i + 1;
        }
        if (i < m) {
            single = choice->values[0];
            w->likely |= (uint32_t)1 << choice->bits[0];
        }
        for (size = 1; size < 4; size++)
            back += by_rule[0][size];
        choice->inserted = back < 1 ? 1 / (1 - back) : HUGE_VAL;
        for (span = 1; span < 4; span++)
            choice->spans[span - 1] = lost[span] + by_rule[span][1] + by_rule[span][2] + by_rule[span][3];
        if (i < m)
            tabulate(choice);
        here[0] = (i == m ? 1 : 0) + lost[1] * after[0];
        for (n = 1; n < LENGTHS; n++)
            here[n] = single * after[n - 1] + lost[1] * after[n];
        for (n = simple ? LENGTHS : 0; n < LENGTHS; n++)
            for (span = 0; span < 4; span++) {
                for (size = 1; size < 4 && size <= n; size++)
                    here[n] += by_rule[span][size] * w->exactly[i + span][n - size];
                if (span > 1)
                    here[n] += lost[span] * w->exactly[i + span][n];
                if (span == 0 && n)
                    here[n] += insertion * here[n - 1];
            }
        for (n = simple ? 1 : LENGTHS; n < LENGTHS; n++)
            here[n] += insertion * here[n - 1];
        for (n = 0; n < LENGTHS; n++) {
            const double from_end = here[LENGTHS - 1 - n];
            less = here[n] > less ? here[n] : less;
            more = from_end > more ? from_end : more;
            w->at_most[n][i] = less;
            w->at_least[LENGTHS - 1 - n][i] = more;
            w->just[n][i] = here[n] < w->rest[i] ? here[n] : w->rest[i];
        }
    }
}

/* The bounds by which prefixes are left. */
static void
bounded(Walk *w)
{
    double share[LEVELS], insertion = 0, per[WIDE] = {0};
    int c, i, k;
    for (c = 0; c < 256; c++)
        insertion = w->insertion[c] > insertion ? w->insertion[c] : insertion;
    bound_rest(w, insertion);
    lengths(w, insertion);
    memset(w->closing, 0, sizeof w->closing);
    memset(w->ahead, 0, sizeof w->ahead);
    for (k = 0; k < w->steps; k++) {
        const Step *s = &w->step[k];
        w->closing[s->target[s->size - 1]] += s->chance * w->rest[s->to];
        if (s->size > 1)
            w->ahead[s->target[0]] += s->chance * w->rest[s->to];
    }
    for (k = 0, share[0] = 1; k + 1 < LEVELS; k++)
        share[k + 1] = share[k] / 4;
    for (i = 0; i <= w->length; i++)
        per[i] = 1 / w->rest[i];
    memset(w->level, 255, sizeof w->level);
    for (c = 0; c < w->many; c++) {
        const double *through = w->through + c * w->width, *rest = w->rest, inserted = w->insertion[c];
        double *promise = w->promise + c * w->width, peak = 0;
        int level = 0;
        for (i = 0; i < w->width; i++)
            promise[i] = inserted * rest[i] + through[i + 1] * rest[i + 1];
        for (i = 0; i <= w->length; i++)
            if (!(promise[i] * per[i] <= peak))
                peak = promise[i] * per[i]; /* no number if nothing bounds it, and all levels have it */
        if (w->closing[c] > 0 || w->ahead[c] > 0)
            peak = HUGE_VAL;
        for (k = 0; k < LEVELS - 1; k++) /* the last level has all */
            level += peak <= share[k];
        w->level[c] = (uint8_t)level;
    }
}

/* What may happen at each place of a word. */
static void
prepared(Walk *w, const Rules *rules, const uint8_t *word, int length)
{
    double *row;
    int i, c, k, size;
    w->length = length;
    w->width = (length + 4) / 4 * 4;
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
            double became[256] = {0};
            add(w, i, i + 1, nothing, 0, rules->edges[word[i]]);
            memcpy(became, rules->single + 256 * word[i], (size_t)w->many * sizeof *became);
            if (word[i])
                became[word[i]] = 1 - total > FLOOR ? 1 - total : FLOOR;
            for (c = 0; c < w->many; c++)
                w->through[c * w->width + i + 1] = became[c];
            choose(&w->choice[i], became);
        }
    }
    for (c = 0; c <= w->many; c++)
        w->through[c * w->width] = 0;
    for (c = 0; c < w->many; c++)
        for (i = length + 1; i < w->width; i++)
            w->through[c * w->width + i] = 0;
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
    memset(w->lost, 0, sizeof w->lost);
    for (k = 0; k < w->deletions && w->one_by_one; k++)
        w->lost[w->deletion[k].from] = w->deletion[k].chance;
    memset(w->rows[0], 0, sizeof w->rows[0]);
    row = row_of(w, 0);
    row[0] = w->most[0] = 1;
    w->low[0] = 0;
    for (k = 0; k < w->deletions; k++)
        row[w->deletion[k].to] += row[w->deletion[k].from] * w->deletion[k].chance;
    w->worth[0] = product(row, w->rest, w->width);
}

enum { LETTERS, OFFSETS, BEGINS, CHARACTERS, BELOW, TAILS, BOUNDS, PACKED, SINGLE, EDGES, SOURCES, STARTS, TOTALS, TARGETS, SIZES, CHANCES,
       WORDS, ENDS, LEAST, ARRAYS };

/* Whether the heads, the rules and the words are laid out as they should be. */
static int
fitting(const Array *a)
{
    int64_t words = a[LEAST].length, k;
    const int64_t *bounds = a[BOUNDS].items, *ends = a[ENDS].items, *offsets = a[OFFSETS].items;
    const double *least = a[LEAST].items;
    if (!has_room(&a[OFFSETS], 1) || !has_length(&a[BEGINS], a[CHARACTERS].length) ||
        !has_length(&a[BELOW], a[CHARACTERS].length) || !has_length(&a[TAILS], a[CHARACTERS].length) ||
        !has_length(&a[BOUNDS], KNOWN + 1) ||
        !ascends(&a[BOUNDS], 0, KNOWN, a[CHARACTERS].length) || !are_rules(a + SINGLE) || !has_length(&a[ENDS], words + 1) ||
        !ascends(&a[ENDS], 0, words, a[WORDS].length))
        return 0;
    if (a[OFFSETS].length > INT32_MAX || offsets[0] || offsets[a[OFFSETS].length - 1] != a[LETTERS].length)
        return refuse(&a[OFFSETS], "not those of the strings");
    if (bounds[0] || bounds[KNOWN] != a[CHARACTERS].length)
        return refuse(&a[BOUNDS], "not those of the heads");
    if (ends[0] || ends[words] != a[WORDS].length)
        return refuse(&a[ENDS], "not those of the words");
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
                       READS(int64_t, "bounds"), READS(uint8_t, "packed"),
                       READS(double, "single"), READS(double, "edges"), READS(uint32_t, "sources"),
                       READS(int32_t, "starts"), READS(double, "totals"), READS(uint32_t, "targets"),
                       READS(uint8_t, "sizes"), READS(double, "chances"), READS(uint8_t, "words"),
                       READS(int64_t, "word_offsets"), READS(double, "least")};
    Walk *w = NULL;
    int64_t *counts = NULL, words, many;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "reach", "AAAAAAAAAAAAAAAAAAAi", a, &many))
        return NULL;
    if (!is_part("reach", 0, many, 256) || !fitting(a))
        goto done;
    words = a[LEAST].length;
    w = calloc(1, sizeof *w);
    counts = calloc((size_t)words + 1, sizeof *counts);
    if (!w || !counts) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    Rules rules = rules_in(a + SINGLE);
    const int64_t *ends = a[ENDS].items;
    w->size = a[PACKED].length;
    w->begins = a[BEGINS].items;
    w->below = a[BELOW].items;
    w->characters = a[CHARACTERS].items;
    w->tails = a[TAILS].items;
    w->packed = a[PACKED].items;
    w->many = (int)many;
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
