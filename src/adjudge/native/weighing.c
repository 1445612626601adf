/* What a term is worth in its documents, where that is tf / (tf + norm) and a norm follows from the length of a document.
 *
 *   saturate  documents, frequencies, lengths, norms of lengths  ->  weights, and the highest of each block
 *
 * index/accumulation.py does the same with numpy.
 */
#include "buffers.h"

#include <math.h>

#define BLOCK 128
#define AHEAD 24 /* lengths of documents lie apart and far from the processor: they are fetched so many postings before */

/* saturate(documents, tf, lengths, norms, weights, lasts, most) -> the lowest weight. The documents ascend; norms has one
 * for each length; lasts and most get the last document and the highest weight of each block of 128 postings. */
static PyObject *
weighing_saturate(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, LENGTHS, NORMS, WEIGHTS, LASTS, MOST, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"),     READS(uint16_t, "lengths"),
                       READS(double, "norms"),      WRITES(double, "weights"), WRITES(int32_t, "lasts"),
                       WRITES(double, "most")};
    PyObject *result = NULL;
    double least = INFINITY;
    int falls = 0, outside = 0;
    int64_t n;

    (void)self;
    if (!take(args, "saturate", "AAAAAAA", a))
        return NULL;
    n = a[DOCUMENTS].length;
    if (!has_length(&a[TF], n) || !has_length(&a[WEIGHTS], n) || !has_length(&a[LASTS], (n + BLOCK - 1) / BLOCK) ||
        !has_length(&a[MOST], a[LASTS].length) || !points_into(&a[DOCUMENTS], a[LENGTHS].length))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *document = a[DOCUMENTS].items, *tf = a[TF].items;
    const uint16_t *length = a[LENGTHS].items;
    const double *norm = a[NORMS].items;
    double *weight = a[WEIGHTS].items, *most = a[MOST].items;
    int32_t *last = a[LASTS].items, before = -1;
    int64_t known = a[NORMS].length;
    for (int64_t first = 0; first < n && !outside; first += BLOCK) {
        int64_t end = n - first < BLOCK ? n : first + BLOCK;
        double highest = -INFINITY;
        for (int64_t i = first; i < end; i++) {
            int64_t own = length[document[i]];
            if (n - i > AHEAD)
                PREFETCH(&length[document[i + AHEAD]]);
            if (own >= known) {
                outside = 1;
                break;
            }
            falls |= document[i] <= before;
            before = document[i];
            weight[i] = tf[i] / (tf[i] + norm[own]);
            highest = weight[i] > highest ? weight[i] : highest;
            least = weight[i] < least ? weight[i] : least;
        }
        last[first / BLOCK] = before;
        most[first / BLOCK] = highest;
    }
    Py_END_ALLOW_THREADS
    if (outside)
        refuse(&a[LENGTHS], "one has no norm");
    else if (falls)
        refuse(&a[DOCUMENTS], "they do not ascend");
    else
        result = PyFloat_FromDouble(least);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef weighing_entries[] = {
    {"saturate", weighing_saturate, METH_VARARGS, "weights of a term, and the highest of each block"},
    END_OF_ENTRIES,
};
