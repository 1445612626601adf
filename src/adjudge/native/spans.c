/* The one loop of span scoring:
 *
 *   score   places of concepts, document by document  ->  sum over the shortest stretches with n of the concepts
 *
 * Two ends move through a document once for every n. systems/parts/spans.py says the same in Python; the tests hold both to the same
 * results, and to the definition.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE 2048 /* lengths whose power is kept */

typedef struct {
    const int64_t *places;
    const int32_t *concepts;
    const double *running; /* sums of the weights before each occurrence, or NULL */
    double powers[TABLE], decay;
    int64_t longest; /* 0: of any length */
    int32_t many;
    int64_t *counts; /* of each concept between the two ends */
} Work;

/* The end of the occurrences that stand at one place. */
static inline int64_t
beside(const Work *w, int64_t at, int64_t end)
{
    int64_t next = at + 1;
    while (next < end && w->places[next] == w->places[at])
        next++;
    return next;
}

static double
degree(Work *w, int64_t begin, int64_t end, int n)
{
    double sum = 0;
    int64_t left = begin, previous = -1;
    int different = 0;
    memset(w->counts, 0, (size_t)w->many * 8);
    for (int64_t right = begin; right < end;) {
        int64_t after = beside(w, right, end);
        for (int64_t at = right; at < after; at++)
            different += w->counts[w->concepts[at]]++ == 0;
        while (different >= n) {
            int64_t next = beside(w, left, after);
            int lost = 0;
            for (int64_t at = left; at < next; at++)
                lost += --w->counts[w->concepts[at]] == 0;
            if (different - lost < n) {
                for (int64_t at = left; at < next; at++)
                    w->counts[w->concepts[at]]++;
                break;
            }
            different -= lost;
            left = next;
        }
        if (different >= n && left != previous) { /* else a shorter stretch with n concepts lies inside */
            int64_t length = w->places[right] - w->places[left] + 1;
            if (w->longest == 0 || length <= w->longest) {
                double worth = length < TABLE ? w->powers[length] : pow((double)length, -w->decay);
                if (w->running != NULL)
                    worth *= (w->running[after] - w->running[left]) / (double)(after - left);
                sum += worth;
            }
            previous = left;
        }
        right = after;
    }
    return sum;
}

/* score(offsets, places, concepts, running weights or None, shares, decay, longest, out, first, last): the documents from
 * the first to the one before the last. */
static PyObject *
spans_score(PyObject *self, PyObject *args)
{
    enum { OFFSETS, PLACES, CONCEPTS, RUNNING, SHARES, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int64_t, "offsets"),   READS(int64_t, "places"), READS(int32_t, "concepts"),
                       MAY_READ(double, "running"), READS(double, "shares"),  WRITES(double, "out")};
    PyObject *result = NULL;
    const int64_t *begins;
    int64_t first, last, d;
    Work w;

    (void)self;
    w.counts = NULL;
    if (!take(args, "score", "AAAAAdiAii", a, &w.decay, &w.longest, &first, &last))
        return NULL;
    begins = a[OFFSETS].items;
    w.places = a[PLACES].items;
    w.concepts = a[CONCEPTS].items;
    w.running = a[RUNNING].items;
    if (w.longest < 0 || a[SHARES].length > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "score: spans of a length below 0, or more concepts than there can be");
        goto done;
    }
    w.many = (int32_t)a[SHARES].length;
    if (!has_length(&a[OFFSETS], a[OUT].length + 1) || !is_part("score", first, last, a[OUT].length) ||
        !ascends(&a[OFFSETS], first, last, a[PLACES].length) || !has_length(&a[CONCEPTS], a[PLACES].length) ||
        (w.running && !has_length(&a[RUNNING], a[PLACES].length + 1)) || !points_into(&a[CONCEPTS], w.many))
        goto done;
    for (d = first; d < last; d++)
        for (int64_t at = begins[d]; at < begins[d + 1]; at++)
            if (w.places[at] < (at > begins[d] ? w.places[at - 1] : 0) || w.places[at] == INT64_MAX) {
                refuse(&a[PLACES], "of a document do not ascend from 0");
                goto done;
            }
    if ((w.counts = calloc((size_t)w.many + 1, 8)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const double *share = a[SHARES].items;
    double *scores = a[OUT].items;
    for (int k = 1; k < TABLE; k++)
        w.powers[k] = pow(k, -w.decay);
    for (d = first; d < last; d++) {
        int different = 0;
        memset(w.counts, 0, (size_t)w.many * 8);
        for (int64_t at = begins[d]; at < begins[d + 1]; at++)
            different += w.counts[w.concepts[at]]++ == 0;
        scores[d] = 0;
        for (int n = 1; n <= different; n++)
            if (share[n - 1] != 0)
                scores[d] += share[n - 1] * degree(&w, begins[d], begins[d + 1], n);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(w.counts);
    release(a, ARRAYS);
    return result;
}

PyMethodDef spans_entries[] = {
    {"score", spans_score, METH_VARARGS, "scores of documents by the spans of concepts"},
    END_OF_ENTRIES,
};
