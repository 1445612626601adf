/* Where in documents the words of a question stand closest.
 *
 * stretches(slots, places, chances, bounds, times, odds, firsts, half, company, best, where)
 *   looks for the stretch of 2 · half strings in which the words of a question stand closest. Occurrences of word w go
 *   from bounds[w] to bounds[w + 1]: in the document slots[k], at the place places[k], and the word with chances[k].
 *   Document d has the stretches firsts[d] to firsts[d + 1], each half a stretch after the one before; the first of them
 *   begins half a stretch before the document. best gets the most that one has of times · log(1 + odds · p') over the
 *   words, and where the stretch, counted from firsts[d]. If p is the probability that a word is in it, p' is that with
 *   1 + company · m times its odds, where m is the mean of p over the other words.
 *
 * systems/parts/deciphering/slow_adding.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS, PLACES, CHANCES, BOUNDS, TIMES, ODDS, FIRSTS, BEST, WHERE, OF_STRETCHES };

/* Whether every occurrence lies in a stretch of its document. */
static int
in_stretches(const Array *a, int64_t half)
{
    const int32_t *slots = a[SLOTS].items, *places = a[PLACES].items;
    const int64_t *firsts = a[FIRSTS].items;
    int64_t many = a[SLOTS].length, words = a[TIMES].length, documents = a[BEST].length, k;
    if (half < 1)
        return refuse(&a[PLACES], "stretches of nothing");
    if (!has_length(&a[PLACES], many) || !has_length(&a[CHANCES], many) || !has_length(&a[BOUNDS], words + 1) ||
        !has_length(&a[ODDS], words) || !has_length(&a[FIRSTS], documents + 1) || !has_length(&a[WHERE], documents) ||
        !ascends(&a[BOUNDS], 0, words, many) || !ascends(&a[FIRSTS], 0, documents, INT32_MAX) ||
        !points_into(&a[SLOTS], documents))
        return 0;
    for (k = 0; k < many; k++)
        if (places[k] < 0 || places[k] / half + 1 >= firsts[slots[k] + 1] - firsts[slots[k]])
            return refuse(&a[PLACES], "a place beyond the stretches of its document");
    return 1;
}

static void
weigh_stretches(const Array *a, int64_t half, double company, double *room)
{
    const int32_t *slots = a[SLOTS].items, *places = a[PLACES].items;
    const double *chances = a[CHANCES].items, *times = a[TIMES].items, *odds = a[ODDS].items;
    const int64_t *bounds = a[BOUNDS].items, *firsts = a[FIRSTS].items;
    double *best = a[BEST].items, *present = room, *total, *surely, score, p, more, most;
    int64_t *where = a[WHERE].items, words = a[TIMES].length, all = firsts[a[BEST].length], k, s, w;
    total = room + words * all;
    surely = total + all;
    for (w = 0; w < words; w++)
        surely[w] = times[w] * log1p(odds[w]);
    for (k = 0; k < words * all; k++)
        present[k] = 1; /* that it is absent, at first */
    for (s = 0; s < all; s++)
        total[s] = 0;
    for (w = 0; w < words; w++) {
        for (k = bounds[w]; k < bounds[w + 1]; k++)
            for (s = firsts[slots[k]] + places[k] / half; s <= firsts[slots[k]] + places[k] / half + 1; s++)
                present[w * all + s] *= chances[k] < 1 ? 1 - chances[k] : 0;
        for (s = 0; s < all; s++)
            total[s] += present[w * all + s] = 1 - present[w * all + s];
    }
    for (int64_t d = 0; d < a[BEST].length; d++)
        for (best[d] = 0, where[d] = 0, s = firsts[d]; s < firsts[d + 1]; s++) {
            /* A stretch that would not be the best even if all of its words were sure is not reckoned with. */
            for (most = 0, w = 0; w < words; w++)
                most += present[w * all + s] > 0 ? surely[w] : 0;
            if ((1 + 1e-9) * most <= best[d])
                continue;
            for (score = 0, w = 0; w < words; w++)
                if ((p = present[w * all + s]) > 0) {
                    more = words > 1 ? company * ((total[s] - p) / (double)(words - 1)) : 0;
                    score += times[w] * log1p(odds[w] * ((1 + more) * p / (1 + more * p)));
                }
            if (score > best[d]) {
                best[d] = score;
                where[d] = s - firsts[d];
            }
        }
}

static PyObject *
stretching_stretches(PyObject *self, PyObject *args)
{
    Array a[OF_STRETCHES] = {READS(int32_t, "slots"), READS(int32_t, "places"), READS(double, "chances"),
                             READS(int64_t, "bounds"), READS(double, "times"), READS(double, "odds"),
                             READS(int64_t, "firsts"), WRITES(double, "best"), WRITES(int64_t, "where")};
    PyObject *result = NULL;
    double *room = NULL, company;
    int64_t half, all, words;

    (void)self;
    if (!take(args, "stretches", "AAAAAAAidAA", a, &half, &company))
        return NULL;
    if (!in_stretches(a, half))
        goto done;
    all = ((const int64_t *)a[FIRSTS].items)[a[BEST].length];
    words = a[TIMES].length;
    if (words < INT32_MAX) /* and so is all, so that the product fits */
        room = malloc((size_t)((words + 1) * all + words + 1) * sizeof *room);
    if (!room) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    weigh_stretches(a, half, company, room);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(room);
    release(a, OF_STRETCHES);
    return result;
}

PyMethodDef stretching_entries[] = {
    {"stretches", stretching_stretches, METH_VARARGS, "where the words of a question stand closest"},
    END_OF_ENTRIES,
};
