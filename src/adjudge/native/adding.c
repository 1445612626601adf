/* The innermost loops of an answer: expected frequencies from the postings of many strings, and scores from them.
 *
 * gather(documents, tf, begins, ends, exact, weights, beliefs, sums, absent, found) -> (how many, df, present)
 *   adds up, for strings whose postings go from begins[k] to ends[k], what each occurrence counts in a document:
 *   exact[k] · (1 − belief) + weights[k] · belief, beliefs having one for each document, or one for all. sums must be zero; found gets the documents in which it is no longer.
 *   absent must be one; it becomes the probability that no occurrence is the word. df is the sum of all sums, at most 1
 *   each, and present that of all 1 − absent. A document outside of sums is an IndexError, and sums are zero and absent is
 *   one again.
 *
 * add(sums, absent, found, many, norms, factor, scores, all, before) -> how many documents have a score now
 *   adds factor · (e / (e + norm)) to the scores of the documents found and sets their sums back to zero, absent to one;
 *   all gets the documents that had no score before.
 *
 * add_doubtful(sums, absent, found, many, norms, times, odds, repeats, scores, all, before) -> the same
 *   adds times · log(1 + odds · p) · t / (t + norm), where p is 1 − absent, and t = 1 + repeats · (e / p − 1), at least 1.
 *
 * stretches(slots, places, chances, bounds, times, odds, firsts, half, company, best, where)
 *   looks for the stretch of 2 · half strings in which the words of a question stand closest. Occurrences of word w go
 *   from bounds[w] to bounds[w + 1]: in the document slots[k], at the place places[k], and the word with chances[k].
 *   Document d has the stretches firsts[d] to firsts[d + 1], each half a stretch after the one before; the first of them
 *   begins half a stretch before the document. best gets the most that one has of times · log(1 + odds · p') over the
 *   words, and where the stretch, counted from firsts[d]. If p is the probability that a word is in it, p' is that with
 *   1 + company · m times its odds, where m is the mean of p over the other words.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Powers of a number that mostly is the same as before, as are its exponents. */
typedef struct {
    double of, known[16];
} Powers;

static inline double
power(Powers *p, double of, int32_t times)
{
    if (times < 0 || times >= 16)
        return pow(of, times);
    if (!(p->of == of)) {
        for (int k = 0; k < 16; k++)
            p->known[k] = -1;
        p->of = of;
    }
    if (p->known[times] < 0)
        p->known[times] = pow(of, times);
    return p->known[times];
}

#define KEPT 256 /* of the logarithms */

/* log1p(odds · p) for one odds: documents that have the same strings have the same p, and it takes long. */
typedef struct {
    double odds, of[KEPT], known[KEPT];
} Logarithms;

static void
forget(Logarithms *l, double odds)
{
    l->odds = odds;
    for (int k = 0; k < KEPT; k++)
        l->of[k] = NAN;
}

static inline double
logarithm(Logarithms *l, double p)
{
    uint64_t bits;
    memcpy(&bits, &p, sizeof bits);
    bits = bits * 0x9E3779B97F4A7C15u >> 56;
    if (!(l->of[bits] == p)) {
        l->of[bits] = p;
        l->known[bits] = log1p(l->odds * p);
    }
    return l->known[bits];
}

static PyObject *
adding_gather(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, BEGINS, ENDS, EXACT, WEIGHTS, BELIEFS, SUMS, ABSENT, FOUND, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "begins"),
                       READS(int64_t, "ends"),
                       READS(double, "exact"), READS(double, "weights"), READS(double, "beliefs"),
                       WRITES(double, "sums"), WRITES(double, "absent"), WRITES(int32_t, "found")};
    PyObject *result = NULL;
    const int64_t *begins, *ends;
    int64_t strings, postings, size, many = 0, k;
    double df = 0, present = 0;
    int outside = 0;

    (void)self;
    if (!take(args, "gather", "AAAAAAAAAA", a))
        return NULL;
    begins = a[BEGINS].items;
    ends = a[ENDS].items;
    strings = a[BEGINS].length;
    postings = a[TF].length;
    size = a[SUMS].length;
    if (!has_length(&a[DOCUMENTS], postings) || !has_length(&a[ENDS], strings) || !has_length(&a[EXACT], strings) || !has_length(&a[WEIGHTS], strings) ||
        (a[BELIEFS].length != 1 && !has_length(&a[BELIEFS], size)) || !has_length(&a[ABSENT], size) || !has_length(&a[FOUND], size))
        goto done;
    for (k = 0; k < strings; k++)
        if (begins[k] < 0 || ends[k] < begins[k] || ends[k] > postings) {
            refuse(&a[ENDS], "postings that are not there");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *documents = a[DOCUMENTS].items, *tf = a[TF].items;
    const double *exact = a[EXACT].items, *weights = a[WEIGHTS].items, *beliefs = a[BELIEFS].items;
    Powers powers = {.of = NAN};
    double *sums = a[SUMS].items, *absent = a[ABSENT].items;
    int32_t *found = a[FOUND].items;
    const int own = a[BELIEFS].length > 1; /* whether a document has a belief of its own */
    for (k = 0; k < strings && size && !outside; k++) {
        double counts = exact[k] * (1 - beliefs[0]) + weights[k] * beliefs[0];
        for (int64_t p = begins[k]; p < ends[k]; p++) {
            int32_t d = documents[p];
            if (d < 0 || d >= size) {
                outside = 1;
                break;
            }
            if (own)
                counts = exact[k] * (1 - beliefs[d]) + weights[k] * beliefs[d];
            if (!(counts > 0))
                continue;
            if (many < size) { /* whether a document is new cannot be foretold, so nothing branches on it */
                found[many] = d;
                many += sums[d] == 0;
            } else if (sums[d] == 0) { /* a damaged file has frequencies of 0 */
                outside = 1;
                break;
            }
            sums[d] += counts * tf[p];
            absent[d] *= counts < 1 ? (tf[p] == 1 ? 1 - counts : power(&powers, 1 - counts, tf[p])) : 0;
        }
    }
    for (k = 0; k < many; k++)
        if (outside) {
            sums[found[k]] = 0;
            absent[found[k]] = 1;
        } else {
            df += sums[found[k]] < 1 ? sums[found[k]] : 1;
            present += 1 - absent[found[k]];
        }
    Py_END_ALLOW_THREADS
    if (outside)
        PyErr_SetString(PyExc_IndexError, "a document that is not there");
    else
        result = Py_BuildValue("Ldd", (long long)many, df, present);
done:
    release(a, ARRAYS);
    return result;
}

/* Scores of the documents found: in doubt of the word, or as bm25 has them. */
static PyObject *
add_scores(PyObject *args, int doubtful)
{
    enum { SUMS, ABSENT, FOUND, NORMS, SCORES, ALL, ARRAYS };
    Array a[ARRAYS] = {WRITES(double, "sums"), WRITES(double, "absent"), READS(int32_t, "found"), READS(double, "norms"),
                       WRITES(double, "scores"), WRITES(int32_t, "all")};
    PyObject *result = NULL;
    const char *entry = doubtful ? "add_doubtful" : "add";
    int64_t many, before, size, k;
    double factor, odds = 0, repeats = 1, sure, *e, *absent, *score;
    const double *norm;
    const int32_t *documents;
    int32_t *with;
    Logarithms logarithms;

    if (!(doubtful ? take(args, entry, "AAAiAdddAAi", a, &many, &factor, &odds, &repeats, &before)
                   : take(args, entry, "AAAiAdAAi", a, &many, &factor, &before)))
        return NULL;
    e = a[SUMS].items;
    absent = a[ABSENT].items;
    score = a[SCORES].items;
    norm = a[NORMS].items;
    documents = a[FOUND].items;
    with = a[ALL].items;
    size = a[SUMS].length;
    if (!has_length(&a[ABSENT], size) || !has_length(&a[NORMS], size) || !has_length(&a[SCORES], size) ||
        !has_length(&a[ALL], size) || !is_part(entry, 0, many, a[FOUND].length) || !is_part(entry, 0, before, size))
        goto done;
    for (k = 0; k < many; k++)
        if (documents[k] < 0 || documents[k] >= size) {
            refuse(&a[FOUND], "a document that is not there");
            goto done;
        }
    sure = log1p(odds); /* most words that are read at all are read surely */
    forget(&logarithms, odds);
    for (k = 0; k < many; k++) {
        int32_t d = documents[k];
        if (before < size) {
            with[before] = d;
            before += score[d] == 0;
        }
        if (doubtful) {
            double p = 1 - absent[d], t = p > 0 ? 1 + repeats * (e[d] / p - 1) : 1;
            t = t > 1 ? t : 1;
            score[d] += factor * (p < 1 ? logarithm(&logarithms, p) : sure) * (t / (t + norm[d]));
        } else
            score[d] += factor * (e[d] / (e[d] + norm[d])); /* as bm25 rounds */
        e[d] = 0;
        absent[d] = 1;
    }
    result = PyLong_FromLongLong((long long)before);
done:
    release(a, ARRAYS);
    return result;
}

static PyObject *
adding_add(PyObject *self, PyObject *args)
{
    (void)self;
    return add_scores(args, 0);
}

static PyObject *
adding_add_doubtful(PyObject *self, PyObject *args)
{
    (void)self;
    return add_scores(args, 1);
}

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
    double *best = a[BEST].items, *present = room, *total, score, p, more;
    int64_t *where = a[WHERE].items, words = a[TIMES].length, all = firsts[a[BEST].length], k, s, w;
    total = room + words * all;
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
adding_stretches(PyObject *self, PyObject *args)
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
        room = malloc((size_t)((words + 1) * all + 1) * sizeof *room);
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

PyMethodDef adding_entries[] = {
    {"gather", adding_gather, METH_VARARGS, "expected frequencies from postings"},
    {"add", adding_add, METH_VARARGS, "scores from expected frequencies"},
    {"add_doubtful", adding_add_doubtful, METH_VARARGS, "scores from expected frequencies and the chance of absence"},
    {"stretches", adding_stretches, METH_VARARGS, "where the words of a question stand closest"},
    END_OF_ENTRIES,
};
