/* What a term is worth in its documents, where that is tf / (tf + norm) and a norm follows from the length of a document.
 *
 *   saturate  documents, frequencies, lengths, norms of lengths  ->  weights, and the highest of each block
 *   weigh     the same with packed postings in place of documents and frequencies; weights need not be kept
 *
 * index/accumulation.py does the same with numpy.
 */
#include "norms.h"
#include "packing.h"

#include <math.h>

#define AHEAD 24 /* lengths of documents lie apart and far from the processor: they are fetched so many postings before */

/* saturate(documents, tf, small lengths or None, lengths or None, norms, weights, lasts, most) -> the lowest weight. The documents ascend; norms has one
 * for each length; lasts and most get the last document and the highest weight of each block of 128 postings. */
static PyObject *
weighing_saturate(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, SMALL, LENGTHS, NORMS, WEIGHTS, LASTS, MOST, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"),    READS(int32_t, "tf"),    MAY_READ(uint8_t, "small"),
                       MAY_READ(uint16_t, "lengths"), READS(double, "norms"), WRITES(double, "weights"),
                       WRITES(int32_t, "lasts"),       WRITES(double, "most")};
    Norms norms;
    PyObject *result = NULL;
    double least = INFINITY;
    int falls = 0, outside = 0;
    int64_t n;

    (void)self;
    if (!take(args, "saturate", "AAAAAAAA", a))
        return NULL;
    n = a[DOCUMENTS].length;
    if (!has_length(&a[TF], n) || !has_length(&a[WEIGHTS], n) || !has_length(&a[LASTS], (n + BLOCK - 1) / BLOCK) ||
        !has_length(&a[MOST], a[LASTS].length) || !take_norms(&a[SMALL], &a[LENGTHS], &a[NORMS], &norms) ||
        !points_into(&a[DOCUMENTS], norms.documents))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *document = a[DOCUMENTS].items, *tf = a[TF].items;
    const double *norm = norms.norm;
    double *weight = a[WEIGHTS].items, *most = a[MOST].items;
    int32_t *last = a[LASTS].items, before = -1;
    int64_t known = norms.known;
    for (int64_t first = 0; first < n && !outside; first += BLOCK) {
        int64_t end = n - first < BLOCK ? n : first + BLOCK;
        double highest = -INFINITY;
        for (int64_t i = first; i < end; i++) {
            int64_t own = length_of(&norms, document[i]);
            if (n - i > AHEAD)
                fetch_length(&norms, document[i + AHEAD]);
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

/* weigh(data, begin, end, postings, small lengths or None, lengths or None, norms, documents or None, weights or None,
 * starts or None, lasts, most) -> the lowest weight, and the sum of the frequencies. The bytes of a term are data[begin : end]; starts gets where those of each
 * block begin. Lengths are fetched for a whole block before the block before it is weighed. */
static PyObject *
weighing_weigh(PyObject *self, PyObject *args)
{
    enum { DATA, SMALL, LENGTHS, NORMS, DOCUMENTS, WEIGHTS, STARTS, LASTS, MOST, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"),        MAY_READ(uint8_t, "small"),      MAY_READ(uint16_t, "lengths"),
                       READS(double, "norms"),        MAY_WRITE(int32_t, "documents"), MAY_WRITE(double, "weights"),
                       MAY_WRITE(int64_t, "starts"),  WRITES(int32_t, "lasts"),        WRITES(double, "most")};
    Norms norms;
    PyObject *result = NULL;
    double least = INFINITY;
    int64_t n, begin, end, total = 0;
    int outside = 0, damaged = 0;

    (void)self;
    if (!take(args, "weigh", "AiiiAAAAAAAA", a, &begin, &end, &n))
        return NULL;
    if (!take_norms(&a[SMALL], &a[LENGTHS], &a[NORMS], &norms))
        goto done;
    if (n < 0 || n > norms.documents || !norms.known) {
        refuse(&a[LENGTHS], "no norms, or fewer documents than %lld", (long long)n);
        goto done;
    }
    if (!is_part("weigh", begin, end, a[DATA].length) || !has_length(&a[LASTS], (n + BLOCK - 1) / BLOCK) ||
        !has_length(&a[MOST], a[LASTS].length) || (a[DOCUMENTS].items && !has_length(&a[DOCUMENTS], n)) ||
        (a[WEIGHTS].items && !has_length(&a[WEIGHTS], n)) ||
        (a[STARTS].items && !has_length(&a[STARTS], a[LASTS].length)))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *data = a[DATA].items, *limit = data + a[DATA].length, *from = data + begin, *last = data + end;
    const double *norm = norms.norm;
    double *most = a[MOST].items, weights[BLOCK];
    int32_t *lasts = a[LASTS].items, documents[2][BLOCK], tf[2][BLOCK];
    int64_t *starts = a[STARTS].items, known = norms.known, blocks = a[LASTS].length, before = -1;
    for (int64_t block = 0; block <= blocks && !outside && !damaged; block++) {
        if (block < blocks) {
            int64_t first = block * BLOCK, many = n - first < BLOCK ? n - first : BLOCK;
            int32_t *document = a[DOCUMENTS].items ? (int32_t *)a[DOCUMENTS].items + first : documents[block & 1];
            Block packed;
            if (starts)
                starts[block] = from - data;
            if (!unpack_documents(from, last, limit, many, &before, norms.documents, document, &packed)) {
                damaged = 1;
                break;
            }
            for (int64_t i = 0; i < many; i++)
                fetch_length(&norms, document[i]);
            unpack_times(&packed, many, limit, tf[block & 1]);
            from = packed.next;
            lasts[block] = (int32_t)before;
        }
        if (block) {
            int64_t first = (block - 1) * BLOCK, many = n - first < BLOCK ? n - first : BLOCK;
            const int32_t *times = tf[(block - 1) & 1];
            const int32_t *document = a[DOCUMENTS].items ? (int32_t *)a[DOCUMENTS].items + first : documents[(block - 1) & 1];
            double *weight = a[WEIGHTS].items ? (double *)a[WEIGHTS].items + first : weights, highest = -INFINITY;
            for (int64_t i = 0; i < many; i++) { /* without a branch: what is outside counts for nothing */
                int64_t own = length_of(&norms, document[i]);
                outside |= own >= known;
                weight[i] = times[i] / (times[i] + norm[own < known ? own : 0]);
            }
            for (int64_t i = 0; i < many; i++) {
                total = plus(total, times[i]);
                highest = weight[i] > highest ? weight[i] : highest;
                least = weight[i] < least ? weight[i] : least;
            }
            most[block - 1] = highest;
        }
    }
    damaged |= !damaged && !outside && from != last;
    Py_END_ALLOW_THREADS
    if (outside)
        refuse(&a[LENGTHS], "one has no norm");
    else if (damaged)
        refuse(&a[DATA], "no postings of so many documents");
    else
        result = Py_BuildValue("(dL)", least, (long long)total);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef weighing_entries[] = {
    {"weigh", weighing_weigh, METH_VARARGS, "documents and weights of a term, and the highest of each block"},
    {"saturate", weighing_saturate, METH_VARARGS, "weights of a term, and the highest of each block"},
    END_OF_ENTRIES,
};
