/* The innermost loops of an answer: expected frequencies from the postings of many strings, and scores from them.
 *
 * gather(documents, tf, large_at, large_tf, begins, ends, exact, weights, beliefs, sums, found) -> (how many, df)
 *   adds up, for strings whose postings go from begins[k] to ends[k], what each occurrence counts in a document:
 *   exact[k] · (1 − belief) + weights[k] · belief. sums must be zero; found gets the documents in which it is no longer.
 *   df is the sum of all sums, at most 1 each. A document outside of sums is an IndexError, and sums are zero again.
 *
 * add(sums, found, many, norms, factor, scores, all, before) -> how many documents have a score now
 *   adds factor · (e / (e + norm)) to the scores of the documents found and sets their sums back to zero; all gets the
 *   documents that had no score before.
 *
 * share(place, column, chance, own, counts, expected, room, asked, rounds, power, once)
 *   the expected number of each word from the counts of strings, by expectation maximisation as in mixing.py: word
 *   column[i] becomes string place[i] with chance[i]. expected is where it begins and gets the result; what is asked for
 *   is expected at least once. The steps are taken to a power but for the last two. room is as long as own.
 *
 * slow.py does the same in Python and is the oracle of the tests.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static double
frequency(const uint8_t *tf, int64_t place, const int64_t *at, const int64_t *large, int64_t many)
{
    int64_t low = 0, high = many;
    if (tf[place] != UINT8_MAX)
        return tf[place];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (at[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < many && at[low] == place ? (double)large[low] : UINT8_MAX;
}

enum { DOCUMENTS, TF, LARGE_AT, LARGE_TF, BEGINS, ENDS, EXACT, WEIGHTS, BELIEFS, SUMS, FOUND, BUFFERS };

static int
fitting(const Py_buffer *b)
{
    Py_ssize_t strings = b[BEGINS].len / 8, postings = b[TF].len, k;
    const int64_t *begins = b[BEGINS].buf, *ends = b[ENDS].buf;
    if (b[DOCUMENTS].len != 4 * postings || b[LARGE_AT].len != b[LARGE_TF].len || b[ENDS].len != 8 * strings ||
        b[EXACT].len != 8 * strings || b[WEIGHTS].len != 8 * strings || b[BELIEFS].len != b[SUMS].len ||
        2 * b[FOUND].len != b[SUMS].len)
        return 0;
    for (k = 0; k < strings; k++)
        if (begins[k] < 0 || ends[k] < begins[k] || ends[k] > postings)
            return 0;
    return 1;
}

static PyObject *
gather(PyObject *self, PyObject *args)
{
    Py_buffer b[BUFFERS];
    PyObject *made = NULL;
    (void)self;
    memset(b, 0, sizeof b);
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*y*w*w*", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &b[8],
                          &b[9], &b[10]))
        return NULL;
    if (!fitting(b)) {
        PyErr_SetString(PyExc_ValueError, "postings and strings that do not fit together");
        goto done;
    }
    {
        const int32_t *documents = b[DOCUMENTS].buf;
        const int64_t *begins = b[BEGINS].buf, *ends = b[ENDS].buf;
        const double *exact = b[EXACT].buf, *weights = b[WEIGHTS].buf, *beliefs = b[BELIEFS].buf;
        double *sums = b[SUMS].buf, df = 0;
        int32_t *found = b[FOUND].buf;
        int64_t strings = b[BEGINS].len / 8, many = 0, size = b[SUMS].len / 8, k, p;
        int outside = 0;
        Py_BEGIN_ALLOW_THREADS
        for (k = 0; k < strings && !outside; k++)
            for (p = begins[k]; p < ends[k]; p++) {
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
                sums[d] += counts * frequency(b[TF].buf, p, b[LARGE_AT].buf, b[LARGE_TF].buf, b[LARGE_AT].len / 8);
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
            made = Py_BuildValue("Ld", (long long)many, df);
    }
done:
    for (int k = 0; k < BUFFERS; k++)
        PyBuffer_Release(&b[k]);
    return made;
}

static PyObject *
add(PyObject *self, PyObject *args)
{
    Py_buffer sums, found, norms, scores, all;
    long long many, before;
    double factor;
    PyObject *made = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "w*y*Ly*dw*w*L", &sums, &found, &many, &norms, &factor, &scores, &all, &before))
        return NULL;
    if (norms.len != sums.len || scores.len != sums.len || 2 * all.len != sums.len || many < 0 || before < 0 ||
        4 * many > found.len || 4 * before > all.len) {
        PyErr_SetString(PyExc_ValueError, "sums and scores that do not fit together");
        goto done;
    }
    {
        double *e = sums.buf, *score = scores.buf;
        const double *norm = norms.buf;
        const int32_t *documents = found.buf;
        int32_t *with = all.buf;
        int64_t k, size = sums.len / 8;
        for (k = 0; k < many; k++) {
            int32_t d = documents[k];
            if (d < 0 || d >= size)
                continue;
            if (score[d] == 0 && before < size)
                with[before++] = d;
            score[d] += factor * (e[d] / (e[d] + norm[d])); /* as bm25 rounds */
            e[d] = 0;
        }
        made = PyLong_FromLongLong(before);
    }
done:
    PyBuffer_Release(&sums);
    PyBuffer_Release(&found);
    PyBuffer_Release(&norms);
    PyBuffer_Release(&scores);
    PyBuffer_Release(&all);
    return made;
}

enum { PLACE, COLUMN, CHANCE, OWN, COUNTS, EXPECTED, ROOM, SHARED };

static int
sharing(const Py_buffer *b)
{
    int64_t pairs = b[PLACE].len / 8, strings = b[OWN].len / 8, words = b[EXPECTED].len / 16, k;
    const int64_t *place = b[PLACE].buf, *column = b[COLUMN].buf;
    if (b[COLUMN].len != 8 * pairs || b[CHANCE].len != 8 * pairs || b[COUNTS].len != b[OWN].len ||
        b[ROOM].len != b[OWN].len || b[EXPECTED].len != 16 * words)
        return 0;
    for (k = 0; k < pairs; k++)
        if (place[k] < 0 || place[k] >= strings || column[k] < 0 || column[k] >= words)
            return 0;
    return 1;
}

static PyObject *
share(PyObject *self, PyObject *args)
{
    Py_buffer b[SHARED];
    long long asked, rounds;
    double power, once;
    PyObject *made = NULL;
    (void)self;
    memset(b, 0, sizeof b);
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*w*w*LLdd", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &asked, &rounds,
                          &power, &once))
        return NULL;
    if (!sharing(b) || asked < 0 || asked >= (long long)(b[EXPECTED].len / 16)) {
        PyErr_SetString(PyExc_ValueError, "strings and words that do not fit together");
        goto done;
    }
    {
        int64_t pairs = b[PLACE].len / 8, strings = b[OWN].len / 8, words = b[EXPECTED].len / 16, k, done;
        const int64_t *place = b[PLACE].buf, *column = b[COLUMN].buf;
        const double *chance = b[CHANCE].buf, *own = b[OWN].buf, *counts = b[COUNTS].buf;
        double *expected = b[EXPECTED].buf, *step = expected + words, *total = b[ROOM].buf;
        for (done = 0; done < rounds; done++) {
            memset(total, 0, (size_t)b[ROOM].len);
            memset(step, 0, (size_t)words * sizeof *step);
            for (k = 0; k < pairs; k++)
                total[place[k]] += chance[k] * expected[column[k]];
            for (k = 0; k < strings; k++)
                total[k] = counts[k] / (own[k] + total[k]);
            for (k = 0; k < pairs; k++)
                step[column[k]] += chance[k] * total[place[k]];
            for (k = 0; k < words; k++)
                expected[k] *= done < rounds - 2 ? pow(step[k], power) : step[k];
            if (expected[asked] < once)
                expected[asked] = once;
        }
        made = Py_NewRef(Py_None);
    }
done:
    for (int k = 0; k < SHARED; k++)
        PyBuffer_Release(&b[k]);
    return made;
}

static PyMethodDef methods[] = {{"gather", gather, METH_VARARGS, "expected frequencies from postings"},
                                {"share", share, METH_VARARGS, "how often words were written"},
                                {"add", add, METH_VARARGS, "scores from expected frequencies"},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "adjudge.systems.parts.deciphering._adding", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit__adding(void)
{
    return PyModule_Create(&module);
}
