/* Groups of a part of a collection copied to where those of the whole go.
 *
 *   postings  groups of documents and frequencies
 *   bytes     groups of bytes
 *
 * Group i goes behind what is already at place at[i]; following says where that ends, and is moved on. index/inversion.py
 * does the same with numpy.
 */
#include "buffers.h"

#include <string.h>

/* Whether all groups lie within so many items and have room in so many others; following is left as it was. */
static int
fits(const Array *at, const Array *counts, Array *following, int64_t items, int64_t room)
{
    const int64_t *place = at->items, *count = counts->items;
    int64_t *next = following->items, total = 0, k, done;
    int fine = 1;
    if (!has_length(counts, at->length) || !points_into(at, following->length))
        return 0;
    for (k = 0; k < counts->length; k++) {
        if (count[k] < 0 || count[k] > items - total)
            return refuse(counts, "groups of other than %lld items", (long long)items);
        total += count[k];
    }
    if (total != items)
        return refuse(counts, "groups of other than %lld items", (long long)items);
    for (k = 0; k < at->length && fine; k++) {
        fine = next[place[k]] >= 0 && next[place[k]] <= room && count[k] <= room - next[place[k]];
        if (fine)
            next[place[k]] += count[k];
    }
    done = fine ? k : k - 1; /* what was counted is taken back */
    for (k = 0; k < done; k++)
        next[place[k]] -= count[k];
    return fine ? 1 : refuse(following, "no room behind a place");
}

/* postings(at, counts, documents, tf, following, all_documents, all_tf) */
static PyObject *
gathering_postings(PyObject *self, PyObject *args)
{
    enum { AT, COUNTS, DOCUMENTS, TF, FOLLOWING, ALL_DOCUMENTS, ALL_TF, ARRAYS };
    Array a[ARRAYS] = {READS(int64_t, "at"),          READS(int64_t, "counts"),          READS(int32_t, "documents"),
                       READS(uint8_t, "tf"),          WRITES(int64_t, "following"),      WRITES(int32_t, "all_documents"),
                       WRITES(uint8_t, "all_tf")};
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "postings", "AAAAAAA", a))
        return NULL;
    if (!has_length(&a[TF], a[DOCUMENTS].length) || !has_length(&a[ALL_TF], a[ALL_DOCUMENTS].length) ||
        !fits(&a[AT], &a[COUNTS], &a[FOLLOWING], a[DOCUMENTS].length, a[ALL_DOCUMENTS].length))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *at = a[AT].items, *count = a[COUNTS].items;
    const int32_t *document = a[DOCUMENTS].items;
    const uint8_t *tf = a[TF].items;
    int32_t *documents = a[ALL_DOCUMENTS].items;
    uint8_t *frequencies = a[ALL_TF].items;
    int64_t *following = a[FOLLOWING].items;
    for (int64_t k = 0, from = 0; k < a[AT].length; from += count[k++]) {
        int64_t to = following[at[k]];
        following[at[k]] += count[k];
        for (int64_t i = 0; i < count[k]; i++) { /* most groups are of a few */
            documents[to + i] = document[from + i];
            frequencies[to + i] = tf[from + i];
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* bytes(at, counts, values, following, all_values) */
static PyObject *
gathering_bytes(PyObject *self, PyObject *args)
{
    enum { AT, COUNTS, VALUES, FOLLOWING, ALL_VALUES, ARRAYS };
    Array a[ARRAYS] = {READS(int64_t, "at"), READS(int64_t, "counts"), READS(uint8_t, "values"),
                       WRITES(int64_t, "following"), WRITES(uint8_t, "all_values")};
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "bytes", "AAAAA", a))
        return NULL;
    if (!fits(&a[AT], &a[COUNTS], &a[FOLLOWING], a[VALUES].length, a[ALL_VALUES].length))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *at = a[AT].items, *count = a[COUNTS].items;
    const uint8_t *value = a[VALUES].items;
    uint8_t *values = a[ALL_VALUES].items;
    int64_t *following = a[FOLLOWING].items;
    for (int64_t k = 0, from = 0; k < a[AT].length; from += count[k++]) {
        memcpy(values + following[at[k]], value + from, (size_t)count[k]);
        following[at[k]] += count[k];
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef gathering_entries[] = {
    {"postings", gathering_postings, METH_VARARGS, "groups of postings where they go"},
    {"bytes", gathering_bytes, METH_VARARGS, "groups of bytes where they go"},
    END_OF_ENTRIES,
};
