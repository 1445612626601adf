/* The one loop of span scoring:
 *
 *   score   places of concepts, document by document  ->  sum over the shortest stretches with n of the concepts
 *
 * Two ends move through a document once for every n. spans.py says the same in Python; the tests hold both to the same
 * results, and to the definition.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
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

static PyObject *
spans_score(PyObject *self, PyObject *args)
{
    Py_buffer offsets, places, concepts, shares, out, running = {0};
    PyObject *weights, *result = NULL;
    Py_ssize_t first, last;
    long long longest;
    int wrong = 0;
    Work w;

    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*Oy*dLw*nn", &offsets, &places, &concepts, &weights, &shares, &w.decay, &longest,
                          &out, &first, &last))
        return NULL;
    w.places = places.buf;
    w.concepts = concepts.buf;
    w.running = NULL;
    w.longest = longest;
    w.many = (int32_t)(shares.len / 8);
    w.counts = calloc((size_t)w.many + 1, 8);
    if (w.counts == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (weights != Py_None) {
        if (PyObject_GetBuffer(weights, &running, PyBUF_C_CONTIGUOUS) < 0)
            goto done;
        w.running = running.buf;
        wrong = running.len != places.len + 8;
    }
    if (longest < 0 || first < 0 || last < first || offsets.len / 8 != out.len / 8 + 1 || last > out.len / 8 ||
        places.len / 8 != concepts.len / 4)
        wrong = 1;
    if (!wrong) {
        Py_BEGIN_ALLOW_THREADS
        const int64_t *begins = offsets.buf;
        const double *share = shares.buf;
        double *scores = out.buf;
        for (int k = 1; k < TABLE; k++)
            w.powers[k] = pow(k, -w.decay);
        for (Py_ssize_t d = first; d < last && !wrong; d++) {
            int64_t begin = begins[d], end = begins[d + 1];
            int different = 0;
            if (begin < 0 || end < begin || end > (int64_t)(places.len / 8)) {
                wrong = 1;
                break;
            }
            memset(w.counts, 0, (size_t)w.many * 8);
            for (int64_t at = begin; at < end; at++) {
                if (w.concepts[at] < 0 || w.concepts[at] >= w.many) {
                    wrong = 1;
                    break;
                }
                different += w.counts[w.concepts[at]]++ == 0;
            }
            scores[d] = 0;
            for (int n = 1; n <= different && !wrong; n++)
                if (share[n - 1] != 0)
                    scores[d] += share[n - 1] * degree(&w, begin, end, n);
        }
        Py_END_ALLOW_THREADS
    }
    if (wrong)
        PyErr_SetString(PyExc_ValueError, "occurrences inside the arrays and concepts below their number are needed");
    else
        result = Py_NewRef(Py_None);
done:
    free(w.counts);
    PyBuffer_Release(&running);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&places);
    PyBuffer_Release(&concepts);
    PyBuffer_Release(&shares);
    PyBuffer_Release(&out);
    return result;
}

static PyMethodDef methods[] = {{"score", spans_score, METH_VARARGS, "scores of documents by the spans of concepts"},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "adjudge.systems.parts._spans", NULL, -1, methods, NULL, NULL,
                                    NULL, NULL};

PyMODINIT_FUNC
PyInit__spans(void)
{
    return PyModule_Create(&module);
}
