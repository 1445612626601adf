/* The innermost loops of an answer: expected frequencies from the postings of many strings, and scores from them.
 *
 * gather(documents, tf, begins, ends, exact, weights, beliefs, sums, found) -> (how many, df)
 *   adds up, for strings whose postings go from begins[k] to ends[k], what each occurrence counts in a document:
 *   exact[k] · (1 − belief) + weights[k] · belief. sums must be zero; found gets the documents in which it is no longer.
 *   df is the sum of all sums, at most 1 each. A document outside of sums is an IndexError, and sums are zero again.
 *
 * add(sums, found, many, norms, factor, scores, all, before) -> how many documents have a score now
 *   adds factor · (e / (e + norm)) to the scores of the documents found and sets their sums back to zero; all gets the
 *   documents that had no score before.
 *
 * systems/parts/deciphering/slow_deciphering.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"

#include <string.h>

static PyObject *
adding_gather(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, BEGINS, ENDS, EXACT, WEIGHTS, BELIEFS, SUMS, FOUND, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "begins"),
                       READS(int64_t, "ends"),
                       READS(double, "exact"), READS(double, "weights"), READS(double, "beliefs"),
                       WRITES(double, "sums"), WRITES(int32_t, "found")};
    PyObject *result = NULL;
    const int64_t *begins, *ends;
    int64_t strings, postings, size, many = 0, k;
    double df = 0;
    int outside = 0;

    (void)self;
    if (!take(args, "gather", "AAAAAAAAA", a))
        return NULL;
    begins = a[BEGINS].items;
    ends = a[ENDS].items;
    strings = a[BEGINS].length;
    postings = a[TF].length;
    size = a[SUMS].length;
    if (!has_length(&a[DOCUMENTS], postings) || !has_length(&a[ENDS], strings) || !has_length(&a[EXACT], strings) || !has_length(&a[WEIGHTS], strings) ||
        !has_length(&a[BELIEFS], size) || !has_length(&a[FOUND], size))
        goto done;
    for (k = 0; k < strings; k++)
        if (begins[k] < 0 || ends[k] < begins[k] || ends[k] > postings) {
            refuse(&a[ENDS], "postings that are not there");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *documents = a[DOCUMENTS].items, *tf = a[TF].items;
    const double *exact = a[EXACT].items, *weights = a[WEIGHTS].items, *beliefs = a[BELIEFS].items;
    double *sums = a[SUMS].items;
    int32_t *found = a[FOUND].items;
    for (k = 0; k < strings && !outside; k++)
        for (int64_t p = begins[k]; p < ends[k]; p++) {
            int32_t d = documents[p];
            double counts;
            if (d < 0 || d >= size) {
                outside = 1;
                break;
            }
            counts = exact[k] * (1 - beliefs[d]) + weights[k] * beliefs[d];
            if (!(counts > 0))
                continue;
            if (sums[d] == 0) {
                if (many == size) { /* a damaged file has frequencies of 0 */
                    outside = 1;
                    break;
                }
                found[many++] = d;
            }
            sums[d] += counts * tf[p];
        }
    for (k = 0; k < many; k++)
        if (outside)
            sums[found[k]] = 0;
        else
            df += sums[found[k]] < 1 ? sums[found[k]] : 1;
    Py_END_ALLOW_THREADS
    if (outside)
        PyErr_SetString(PyExc_IndexError, "a document that is not there");
    else
        result = Py_BuildValue("Ld", (long long)many, df);
done:
    release(a, ARRAYS);
    return result;
}

static PyObject *
adding_add(PyObject *self, PyObject *args)
{
    enum { SUMS, FOUND, NORMS, SCORES, ALL, ARRAYS };
    Array a[ARRAYS] = {WRITES(double, "sums"), READS(int32_t, "found"), READS(double, "norms"), WRITES(double, "scores"),
                       WRITES(int32_t, "all")};
    PyObject *result = NULL;
    int64_t many, before, size, k;
    double factor, *e, *score;
    const double *norm;
    const int32_t *documents;
    int32_t *with;

    (void)self;
    if (!take(args, "add", "AAiAdAAi", a, &many, &factor, &before))
        return NULL;
    e = a[SUMS].items;
    score = a[SCORES].items;
    norm = a[NORMS].items;
    documents = a[FOUND].items;
    with = a[ALL].items;
    size = a[SUMS].length;
    if (!has_length(&a[NORMS], size) || !has_length(&a[SCORES], size) || !has_length(&a[ALL], size) ||
        !is_part("add", 0, many, a[FOUND].length) || !is_part("add", 0, before, size))
        goto done;
    for (k = 0; k < many; k++)
        if (documents[k] < 0 || documents[k] >= size) {
            refuse(&a[FOUND], "a document that is not there");
            goto done;
        }
    for (k = 0; k < many; k++) {
        int32_t d = documents[k];
        if (score[d] == 0 && before < size)
            with[before++] = d;
        score[d] += factor * (e[d] / (e[d] + norm[d])); /* as bm25 rounds */
        e[d] = 0;
    }
    result = PyLong_FromLongLong((long long)before);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef adding_entries[] = {
    {"gather", adding_gather, METH_VARARGS, "expected frequencies from postings"},
    {"add", adding_add, METH_VARARGS, "scores from expected frequencies"},
    END_OF_ENTRIES,
};
