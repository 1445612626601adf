/* Which of the strings that were found for a word stand for it, and how surely.
 *
 * weigh(letters, offsets, numerals, often, otherwise, near, kinds, shared, near_bounds, glued, reached, chances,
 *       reached_bounds, family, family_bounds, itself, sizes, numeric, by_grams, floors, by_edits, unseen, half, kin,
 *       rounds)
 *   -> (strings as int32, weights as float64, members as int32, how many strings each word has as int64), all bytes.
 *
 *   Word w was found in near[near_bounds[w]] and on, with kinds as nearness.c has them, in reached[reached_bounds[w]] and
 *   on by the channel, with chances, and shares its stem with family[family_bounds[w]] and on; itself[w] is its own place,
 *   or -1. P(string | word) is by_edits[kind], and what the channel gives, and glued for those that begin or end with the
 *   word; 0 for strings of numerals where numeric[w]. The weight is P(word | string), after so many rounds, in which the
 *   word is expected as often as its strings say and unseen times more; at least by_grams[w] times the share of grams
 *   where that is half or more, and kin for those of its family. Strings ascend; those below floors[w] are left out unless
 *   they are of the family. The member is 0, or which of the family the string is, itself left out, from 1 on.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"
#include "sums.h"

#include <stdlib.h>

#define ALIKE 253 /* as in nearness.c */

enum { LETTERS, OFFSETS, NUMERALS, OFTEN, OTHERWISE, NEAR, KINDS, SHARED, NEAR_BOUNDS, GLUED, REACHED, CHANCES,
       REACHED_BOUNDS, FAMILY, FAMILY_BOUNDS, ITSELF, SIZES, NUMERIC, BY_GRAMS, FLOORS, BY_EDITS, ARRAYS };

typedef struct {
    double unseen, half, kin;
    int64_t rounds;
} Figures;

/* A string, and what it has for some reason. */
typedef struct {
    int32_t string, member;
    double value;
} Reason;

/* Room for one word, and what was found for all so far. */
typedef struct {
    Reason *reasons, *grams;
    double *chance, *often, *other, *weight, *product;
    int32_t *strings, *members;
    double *weights;
    int64_t many;
} Work;

/* By their strings; few enough that steps of falling width are quick. */
static void
sort(Reason *r, int64_t many)
{
    static const int64_t widths[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (int w = 0; w < 9; w++)
        for (int64_t i = widths[w]; i < many; i++) {
            Reason one = r[i];
            int64_t k = i;
            for (; k >= widths[w] && r[k - widths[w]].string > one.string; k -= widths[w])
                r[k] = r[k - widths[w]];
            r[k] = one;
        }
}

static int
all_numerals(const Array *a, int32_t string)
{
    const int64_t *offsets = a[OFFSETS].items;
    const uint8_t *letters = a[LETTERS].items, *numerals = a[NUMERALS].items;
    if (offsets[string] < 0 || offsets[string + 1] > a[LETTERS].length)
        return 0;
    for (int64_t i = offsets[string]; i < offsets[string + 1]; i++)
        if (!numerals[letters[i]])
            return 0;
    return 1;
}

/* All strings of a word but those that only share grams, with P(string | word), in no order. */
static int64_t
reasons_of(const Array *a, int64_t w, Reason *r)
{
    const int32_t *near = a[NEAR].items, *reached = a[REACHED].items, *family = a[FAMILY].items;
    const int64_t *in_near = a[NEAR_BOUNDS].items, *in_reached = a[REACHED_BOUNDS].items, *kin = a[FAMILY_BOUNDS].items;
    const int64_t itself = ((const int64_t *)a[ITSELF].items)[w];
    const uint8_t *kinds = a[KINDS].items;
    const double *by_edits = a[BY_EDITS].items, *glued = a[GLUED].items, *chances = a[CHANCES].items;
    int64_t n = 0, k;
    int32_t member = 0;
    for (k = in_near[w]; k < in_near[w + 1]; k++)
        if (kinds[k] != ALIKE)
            r[n++] = (Reason){near[k], -1, kinds[k] < ALIKE ? by_edits[kinds[k]] : glued[k]};
    for (k = in_reached[w]; k < in_reached[w + 1]; k++)
        r[n++] = (Reason){reached[k], -1, chances[k]};
    for (k = kin[w]; k < kin[w + 1]; k++)
        r[n++] = (Reason){family[k], family[k] == itself ? 0 : ++member, 0};
    if (itself >= 0)
        r[n++] = (Reason){(int32_t)itself, -1, 0};
    for (k = 0; k < n; k++) {
        PREFETCH((const double *)a[OFTEN].items + r[k].string);
        PREFETCH((const float *)a[OTHERWISE].items + r[k].string);
    }
    return n;
}

/* Reasons for the same string as one, in the order of strings; the member of the family that it is, -1 for none. */
static int64_t
combined(Reason *r, int64_t many)
{
    int64_t n = 0;
    sort(r, many);
    for (int64_t k = 0; k < many; k++)
        if (n && r[n - 1].string == r[k].string) {
            r[n - 1].value += r[k].value;
            if (r[k].member > r[n - 1].member)
                r[n - 1].member = r[k].member;
        } else
            r[n++] = r[k];
    return n;
}

/* P(word | string) for n strings, as weight. */
static void
posterior(const Array *a, int64_t w, const Figures *f, Work *of, int64_t n)
{
    const int64_t itself = ((const int64_t *)a[ITSELF].items)[w];
    const int numeric = ((const uint8_t *)a[NUMERIC].items)[w];
    int64_t k, own = -1;
    double expected = 0;
    for (k = 0; k < n; k++) {
        int32_t s = of->reasons[k].string;
        of->chance[k] = numeric && all_numerals(a, s) ? 0 : of->reasons[k].value;
        of->often[k] = ((const double *)a[OFTEN].items)[s];
        of->other[k] = (double)((const float *)a[OTHERWISE].items)[s];
        of->weight[k] = 0;
        if (s == itself)
            own = k;
    }
    expected = (own >= 0 ? of->often[own] : 0) + f->unseen;
    for (int64_t round = 0; round < f->rounds; round++) {
        for (k = 0; k < n; k++)
            of->weight[k] = of->chance[k] * expected / (of->chance[k] * expected + of->other[k] + 1e-300);
        if (own >= 0)
            of->weight[own] = 1;
        for (k = 0; k < n; k++)
            of->product[k] = of->weight[k] * of->often[k];
        expected = (0 + sum_of(of->product, n)) + f->unseen;
    }
}

/* What strings count that share enough grams with a word, in their order. */
static int64_t
by_grams(const Array *a, int64_t w, const Figures *f, Reason *r)
{
    const int64_t *bounds = a[NEAR_BOUNDS].items, *offsets = a[OFFSETS].items, size = ((const int64_t *)a[SIZES].items)[w];
    const double most = ((const double *)a[BY_GRAMS].items)[w];
    const int numeric = ((const uint8_t *)a[NUMERIC].items)[w];
    const int32_t *near = a[NEAR].items;
    int64_t n = 0, k;
    if (!(most > 0))
        return 0;
    for (k = bounds[w]; k < bounds[w + 1]; k++) {
        int64_t length = plus(offsets[near[k] + 1], (int64_t)(0 - (uint64_t)offsets[near[k]]));
        double share = ((const uint8_t *)a[SHARED].items)[k] / (double)(length > size ? length : size);
        if (share >= f->half && most * share > 0 && !(numeric && all_numerals(a, near[k])))
            r[n++] = (Reason){near[k], -1, most * share};
    }
    sort(r, n);
    return n;
}

static void
put(Work *of, int32_t string, double weight, int32_t member, double floor)
{
    if (member < 0 && !(weight >= floor))
        return;
    of->strings[of->many] = string;
    of->members[of->many] = member;
    of->weights[of->many++] = weight;
}

static void
weigh_one(const Array *a, int64_t w, const Figures *f, Work *of)
{
    const double floor = ((const double *)a[FLOORS].items)[w];
    int64_t n = combined(of->reasons, reasons_of(a, w, of->reasons)), many, k, g = 0;
    posterior(a, w, f, of, n);
    many = by_grams(a, w, f, of->grams);
    for (k = 0; k < n; k++) {
        int32_t s = of->reasons[k].string, member = of->reasons[k].member;
        double weight = of->weight[k];
        for (; g < many && of->grams[g].string < s; g++)
            put(of, of->grams[g].string, of->grams[g].value, -1, floor);
        for (; g < many && of->grams[g].string == s; g++)
            weight = of->grams[g].value > weight ? of->grams[g].value : weight;
        if (member >= 0 && weight < f->kin)
            weight = f->kin;
        put(of, s, weight, member, floor);
    }
    for (; g < many; g++)
        put(of, of->grams[g].string, of->grams[g].value, -1, floor);
}

/* Whether lists of strings for so many words are laid out as they should be. */
static int
are_lists(const Array *strings, const Array *bounds, int64_t words, int64_t limit)
{
    return has_length(bounds, words + 1) && ascends(bounds, 0, words, strings->length) && points_into(strings, limit);
}

static int
fitting(const Array *a, int64_t words)
{
    int64_t strings = a[OFTEN].length, k;
    const int64_t *itself = a[ITSELF].items, *offsets = a[OFFSETS].items;
    if (!has_length(&a[OFFSETS], strings + 1) || !has_length(&a[OTHERWISE], strings) || !has_length(&a[NUMERALS], 256) ||
        !has_length(&a[BY_EDITS], ALIKE) || !are_lists(&a[NEAR], &a[NEAR_BOUNDS], words, strings) ||
        !are_lists(&a[REACHED], &a[REACHED_BOUNDS], words, strings) ||
        !are_lists(&a[FAMILY], &a[FAMILY_BOUNDS], words, strings) || !has_length(&a[KINDS], a[NEAR].length) ||
        !has_length(&a[SHARED], a[NEAR].length) || !has_length(&a[GLUED], a[NEAR].length) ||
        !has_length(&a[CHANCES], a[REACHED].length) || !has_length(&a[SIZES], words) || !has_length(&a[NUMERIC], words) ||
        !has_length(&a[BY_GRAMS], words) || !has_length(&a[FLOORS], words))
        return 0;
    if (offsets[0] || offsets[strings] != a[LETTERS].length)
        return refuse(&a[OFFSETS], "not those of the letters");
    for (k = 0; k < words; k++)
        if (itself[k] < -1 || itself[k] >= strings)
            return refuse(&a[ITSELF], "a string that is not there");
    return 1;
}

/* The most strings that a word can have. */
static int64_t
most_of(const Array *a, int64_t words)
{
    const int64_t *near = a[NEAR_BOUNDS].items, *reached = a[REACHED_BOUNDS].items, *family = a[FAMILY_BOUNDS].items;
    int64_t most = 0;
    for (int64_t w = 0; w < words; w++) {
        int64_t many = near[w + 1] - near[w] + reached[w + 1] - reached[w] + family[w + 1] - family[w] + 1;
        most = many > most ? many : most;
    }
    return most;
}

static int
has_memory(Work *of, int64_t most, int64_t all)
{
    of->reasons = malloc((size_t)most * sizeof *of->reasons);
    of->grams = malloc((size_t)most * sizeof *of->grams);
    of->chance = malloc((size_t)(5 * most) * sizeof *of->chance);
    of->strings = malloc((size_t)all * sizeof *of->strings);
    of->members = malloc((size_t)all * sizeof *of->members);
    of->weights = malloc((size_t)all * sizeof *of->weights);
    if (!of->reasons || !of->grams || !of->chance || !of->strings || !of->members || !of->weights)
        return 0;
    of->often = of->chance + most;
    of->other = of->often + most;
    of->weight = of->other + most;
    of->product = of->weight + most;
    return 1;
}

static PyObject *
forms_weigh(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(int64_t, "offsets"), READS(uint8_t, "numerals"),
                       READS(double, "often"), READS(float, "otherwise"), READS(int32_t, "near"), READS(uint8_t, "kinds"),
                       READS(uint8_t, "shared"), READS(int64_t, "near_bounds"), READS(double, "glued"),
                       READS(int32_t, "reached"), READS(double, "chances"), READS(int64_t, "reached_bounds"),
                       READS(int32_t, "family"), READS(int64_t, "family_bounds"), READS(int64_t, "itself"),
                       READS(int64_t, "sizes"), READS(uint8_t, "numeric"), READS(double, "by_grams"),
                       READS(double, "floors"), READS(double, "by_edits")};
    PyObject *result = NULL;
    Work work = {0};
    Figures figures;
    int64_t words, *counts = NULL, w;
    (void)self;
    if (!take(args, "weigh", "AAAAAAAAAAAAAAAAAAAAAdddi", a, &figures.unseen, &figures.half, &figures.kin, &figures.rounds))
        return NULL;
    words = a[ITSELF].length;
    if (!fitting(a, words))
        goto done;
    counts = malloc((size_t)(words + 1) * sizeof *counts);
    if (!counts || !has_memory(&work, most_of(a, words) + 1,
                               a[NEAR].length + a[REACHED].length + a[FAMILY].length + words + 1)) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (w = 0; w < words; w++) {
        int64_t before = work.many;
        weigh_one(a, w, &figures, &work);
        counts[w] = work.many - before;
    }
    Py_END_ALLOW_THREADS
    result = Py_BuildValue("y#y#y#y#", (char *)work.strings, (Py_ssize_t)(4 * work.many), (char *)work.weights,
                           (Py_ssize_t)(8 * work.many), (char *)work.members, (Py_ssize_t)(4 * work.many), (char *)counts,
                           (Py_ssize_t)(8 * words));
done:
    free(work.reasons);
    free(work.grams);
    free(work.chance);
    free(work.strings);
    free(work.members);
    free(work.weights);
    free(counts);
    release(a, ARRAYS);
    return result;
}

PyMethodDef forms_entries[] = {
    {"weigh", forms_weigh, METH_VARARGS, "how surely strings stand for words"},
    END_OF_ENTRIES,
};
