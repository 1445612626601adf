/* Where terms stand in some documents.
 *
 * places(documents, tf, offsets, raw, begins, ends, slots) -> (terms, slots, places as int32, all bytes)
 *   The postings of term k are documents and tf from offsets[k] to offsets[k + 1], and its places raw[begins[k]:ends[k]]:
 *   variable bytes, the lowest seven bits first and the last byte of a number below 128, each number the distance to the
 *   place before in the same document. Given are the places in documents d whose slots[d] is not negative, with that slot
 *   and with k as the term, in their order. A ValueError if a term has more or fewer places than its postings say.
 *
 * index/term_places.py does the same with numpy.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS, TF, OFFSETS, RAW, BEGINS, ENDS, SLOTS, ARRAYS };

typedef struct {
    int32_t *terms, *slots, *places;
    int64_t many;
} Found;

static int
fitting(const Array *a)
{
    int64_t terms = a[BEGINS].length, k;
    const int64_t *begins = a[BEGINS].items, *ends = a[ENDS].items;
    if (!has_length(&a[TF], a[DOCUMENTS].length) || !has_length(&a[OFFSETS], terms + 1) || !has_length(&a[ENDS], terms) ||
        !ascends(&a[OFFSETS], 0, terms, a[TF].length) || !points_into(&a[DOCUMENTS], a[SLOTS].length))
        return 0;
    for (k = 0; k < terms; k++)
        if (begins[k] < 0 || ends[k] < begins[k] || ends[k] > a[RAW].length)
            return refuse(&a[ENDS], "places that are not there");
    return 1;
}

/* How many places are wanted; -1 if some document has less than none. */
static int64_t
wanted(const Array *a)
{
    const int64_t *offsets = a[OFFSETS].items;
    const int32_t *documents = a[DOCUMENTS].items, *tf = a[TF].items, *slots = a[SLOTS].items;
    int64_t many = 0, k;
    int32_t signs = 0;
    for (k = offsets[0]; k < offsets[a[BEGINS].length]; k++) {
        signs |= tf[k];
        many += slots[documents[k]] >= 0 ? tf[k] : 0;
    }
    return signs < 0 ? -1 : many;
}

/* Past so many numbers, of which each ends with a byte below 128; NULL if there are fewer. Thirty-two bytes at a time, and eight. */
static const uint8_t *
skipped(const uint8_t *at, const uint8_t *end, int64_t many)
{
    while (many >= 32 && end - at >= 32) {
        uint64_t four[4], sum = 0;
        memcpy(four, at, sizeof four);
        for (int k = 0; k < 4; k++)
            sum += ~four[k] >> 7 & 0x0101010101010101u;
        many -= (int64_t)(sum * 0x0101010101010101u >> 56);
        at += sizeof four;
    }
    while (many >= 8 && end - at >= 8) {
        uint64_t eight;
        memcpy(&eight, at, sizeof eight);
        many -= (int64_t)((~eight >> 7 & 0x0101010101010101u) * 0x0101010101010101u >> 56);
        at += 8;
    }
    for (; many && at < end; at++)
        many -= *at < 128;
    return many ? NULL : at;
}

/* The places of term k; 0 if they are other than its postings say. */
static int
places_of(const Array *a, int64_t k, Found *found)
{
    const int64_t *offsets = a[OFFSETS].items;
    const int32_t *documents = a[DOCUMENTS].items, *tf = a[TF].items, *slots = a[SLOTS].items;
    const uint8_t *at = (const uint8_t *)a[RAW].items + ((const int64_t *)a[BEGINS].items)[k];
    const uint8_t *end = (const uint8_t *)a[RAW].items + ((const int64_t *)a[ENDS].items)[k];
    int64_t unwanted = 0;
    for (int64_t p = offsets[k]; p < offsets[k + 1]; p++) {
        int32_t slot = slots[documents[p]];
        int64_t place = 0;
        if (slot < 0) {
            unwanted += tf[p];
            continue;
        }
        if (!(at = skipped(at, end, unwanted)))
            return 0;
        unwanted = 0;
        for (int32_t left = tf[p]; left; left--) {
            int64_t gap = 0;
            int shift = 0;
            for (; at < end && *at >= 128 && shift < 28; at++, shift += 7)
                gap |= (int64_t)(*at & 127) << shift;
            if (at == end || *at >= 128)
                return 0;
            gap |= (int64_t)*at++ << shift;
            place += gap;
            if (place > INT32_MAX)
                return 0;
            found->terms[found->many] = (int32_t)k;
            found->slots[found->many] = slot;
            found->places[found->many++] = (int32_t)place;
        }
    }
    return skipped(at, end, unwanted) == end;
}

static PyObject *
placing_places(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "offsets"), READS(uint8_t, "raw"),
                       READS(int64_t, "begins"), READS(int64_t, "ends"), READS(int32_t, "slots")};
    PyObject *result = NULL;
    Found found = {0};
    int64_t all, k;
    int fine = 1;

    (void)self;
    if (!take(args, "places", "AAAAAAA", a))
        return NULL;
    if (!fitting(a))
        goto done;
    all = wanted(a);
    if (all < 0) {
        refuse(&a[TF], "less than no places");
        goto done;
    }
    found.terms = all <= INT32_MAX ? malloc((size_t)(3 * all + 1) * sizeof *found.terms) : NULL;
    if (!found.terms) {
        PyErr_NoMemory();
        goto done;
    }
    found.slots = found.terms + all;
    found.places = found.slots + all;
    Py_BEGIN_ALLOW_THREADS
    for (k = 0; k < a[BEGINS].length && fine; k++)
        fine = places_of(a, k, &found);
    Py_END_ALLOW_THREADS
    if (fine)
        result = Py_BuildValue("y#y#y#", (char *)found.terms, (Py_ssize_t)(4 * all), (char *)found.slots,
                               (Py_ssize_t)(4 * all), (char *)found.places, (Py_ssize_t)(4 * all));
    else
        refuse(&a[RAW], "other places than postings say");
done:
    free(found.terms);
    release(a, ARRAYS);
    return result;
}

PyMethodDef placing_entries[] = {
    {"places", placing_places, METH_VARARGS, "where terms stand in some documents"},
    END_OF_ENTRIES,
};
