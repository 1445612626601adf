/* Pairs of strings that stand in the same documents more often than by chance, so that they may be halves of a word.
 *
 * meet(documents, tf, offsets, ones, others, lengths, company, words, likely)
 *   -> (how many documents each pair has as int64, documents as int64, occurrences as float64, chances as float64)
 *
 *   String k is in documents[offsets[k]] to documents[offsets[k + 1]], ascending, so often as tf says; ones and
 *   others have the strings of each pair, and lengths the strings of each document. A document of n strings has a
 *   string that occurs t times with probability 1 - exp(-company · t / words · n) by chance. Of the documents with the rarer
 *   string (the first, of two that are as frequent), some have the other one, more than by chance if it is a half of the
 *   same word: their share beyond that, over the documents and one more, is the probability that they belong together
 *   before anything is known of a document. Documents count where it is likely or more with what is known.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"
#include "sums.h"

#include <math.h>
#include <stdlib.h>

enum { DOCUMENTS, TF, OFFSETS, ONES, OTHERS, LENGTHS, ARRAYS };

typedef struct {
    double company, words, likely;
} Figures;

typedef struct {
    int64_t *documents;
    double *occurrences, *chances;
    int64_t many, room;
} Met;

/* Room for one pair, as long as the longest list. */
typedef struct {
    double *by_chance;
    int64_t *at, *beside; /* places in the list of the rarer string, and of the other one */
} Work;

static int
keep(Met *met, int64_t document, double occurrences, double chance)
{
    if (met->many == met->room) {
        int64_t room = met->room ? 2 * met->room : 256;
        int64_t *documents = realloc(met->documents, (size_t)room * sizeof *documents);
        double *times, *chances;
        if (documents)
            met->documents = documents;
        times = realloc(met->occurrences, (size_t)room * sizeof *times);
        if (times)
            met->occurrences = times;
        chances = realloc(met->chances, (size_t)room * sizeof *chances);
        if (chances)
            met->chances = chances;
        if (!documents || !times || !chances)
            return 0;
        met->room = room;
    }
    met->documents[met->many] = document;
    met->occurrences[met->many] = occurrences;
    met->chances[met->many++] = chance;
    return 1;
}

/* The first place of a list, from low on, with this document or a later one: doubling steps, then halving ones. */
static int64_t
from_on(const int32_t *documents, int64_t low, int64_t high, int32_t document)
{
    int64_t step = 1, out;
    if (low >= high || documents[low] >= document)
        return low;
    while (low + step < high && documents[low + step] < document) {
        low += step;
        step *= 2;
    }
    out = low + step < high ? low + step : high;
    while (out - low > 1) {
        int64_t middle = low + (out - low) / 2;
        if (documents[middle] < document)
            low = middle;
        else
            out = middle;
    }
    return out;
}

static int64_t
total(const int32_t *tf, int64_t begin, int64_t end)
{
    int64_t sum = 0;
    for (int64_t k = begin; k < end; k++)
        sum = plus(sum, tf[k]);
    return sum;
}

/* One pair; 0 where there is no memory. */
static int
meet_one(const Array *a, const int64_t *totals, int64_t one, int64_t two, const Figures *f, Work *w, Met *met)
{
    const int32_t *documents = a[DOCUMENTS].items, *tf = a[TF].items;
    const int64_t *offsets = a[OFFSETS].items;
    const double *lengths = a[LENGTHS].items;
    const int64_t rare = totals[one] <= totals[two] ? one : two, other = rare == one ? two : one;
    const int64_t begin = offsets[rare], end = offsets[rare + 1], last = offsets[other + 1];
    const double rate = -(f->company * (double)totals[other] / f->words);
    double sum = 0, share;
    int64_t both = 0, k, p = offsets[other];
    for (k = begin; k < end && p < last; k++) {
        p = from_on(documents, p, last, documents[k]);
        if (p < last && documents[p] == documents[k]) {
            w->at[both] = k;
            w->beside[both++] = p;
        }
    }
    if (!both)
        return 1; /* whatever is expected by chance */
    for (k = begin; k < end; k++) {
        sum += w->by_chance[k - begin] = -expm1(rate * lengths[documents[k]]);
        if (sum > (1 + 1e-6) * (double)both)
            return 1; /* in whatever order it is added up */
    }
    share = ((double)both - sum_of(w->by_chance, end - begin)) / (double)(end - begin + 1);
    if (share <= 0)
        return 1;
    for (k = 0; k < both; k++) {
        double chance = share / (share + (1 - share) * w->by_chance[w->at[k] - begin]);
        int32_t times = tf[w->at[k]] < tf[w->beside[k]] ? tf[w->at[k]] : tf[w->beside[k]];
        if (chance >= f->likely && !keep(met, documents[w->at[k]], times, chance))
            return 0;
    }
    return 1;
}

static int
fitting(const Array *a)
{
    int64_t strings = a[OFFSETS].length - 1;
    return has_room(&a[OFFSETS], 1) && has_length(&a[TF], a[DOCUMENTS].length) &&
           ascends(&a[OFFSETS], 0, strings, a[DOCUMENTS].length) && points_into(&a[DOCUMENTS], a[LENGTHS].length) &&
           has_length(&a[OTHERS], a[ONES].length) && points_into(&a[ONES], strings) && points_into(&a[OTHERS], strings);
}

static PyObject *
halves_meet(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "offsets"),
                       READS(int64_t, "ones"), READS(int64_t, "others"), READS(double, "lengths")};
    PyObject *result = NULL;
    Work work = {0};
    Met met = {0};
    Figures figures;
    int64_t *counts = NULL, *totals = NULL, pairs, strings, longest = 1, k;
    int fine = 1;
    (void)self;
    if (!take(args, "meet", "AAAAAAddd", a, &figures.company, &figures.words, &figures.likely))
        return NULL;
    if (!fitting(a))
        goto done;
    pairs = a[ONES].length;
    strings = a[OFFSETS].length - 1;
    const int64_t *offsets = a[OFFSETS].items, *ones = a[ONES].items, *others = a[OTHERS].items;
    for (k = 0; k < strings; k++)
        longest = offsets[k + 1] - offsets[k] > longest ? offsets[k + 1] - offsets[k] : longest;
    counts = malloc((size_t)(pairs + 1) * sizeof *counts);
    totals = malloc((size_t)(strings + 1) * sizeof *totals);
    work.by_chance = malloc((size_t)longest * sizeof *work.by_chance);
    work.at = malloc((size_t)longest * sizeof *work.at);
    work.beside = malloc((size_t)longest * sizeof *work.beside);
    if (!counts || !totals || !work.by_chance || !work.at || !work.beside) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (k = 0; k < strings; k++)
        totals[k] = total(a[TF].items, offsets[k], offsets[k + 1]);
    for (k = 0; k < pairs && fine; k++) {
        int64_t before = met.many;
        fine = meet_one(a, totals, ones[k], others[k], &figures, &work, &met);
        counts[k] = met.many - before;
    }
    Py_END_ALLOW_THREADS
    if (fine)
        result = Py_BuildValue("y#y#y#y#", (char *)counts, (Py_ssize_t)(8 * pairs),
                               met.documents ? (char *)met.documents : "", (Py_ssize_t)(8 * met.many),
                               met.occurrences ? (char *)met.occurrences : "", (Py_ssize_t)(8 * met.many),
                               met.chances ? (char *)met.chances : "", (Py_ssize_t)(8 * met.many));
    else
        PyErr_NoMemory();
done:
    free(met.documents);
    free(met.occurrences);
    free(met.chances);
    free(work.by_chance);
    free(work.at);
    free(work.beside);
    free(counts);
    free(totals);
    release(a, ARRAYS);
    return result;
}

PyMethodDef halves_entries[] = {
    {"meet", halves_meet, METH_VARARGS, "pairs of strings that may be halves of words"},
    END_OF_ENTRIES,
};
