/* Pairs of words and strings that agree from both ends but for a few characters.
 *
 * differing(trues, true_offsets, lower, strings, string_offsets, sure, found) -> how many were found
 *   Word k has the characters trues[true_offsets[k]] and on, which are written as those in lower, and string k those at
 *   string_offsets[k] and on. A character agrees with one of a string that is the same as it is written, or if the two are
 *   among sure, ascending: the true one times 2^32 and the other. found gets the pairs of which two or three characters are
 *   left at most on either side, one of the word at least, when they agree from the beginning and then from the end.
 *
 * systems/parts/deciphering/counting.py does the same with numpy.
 */
#include "buffers.h"

enum { TRUES, TRUE_OFFSETS, LOWER, STRINGS, STRING_OFFSETS, SURE, FOUND, ARRAYS };

static int
is_sure(const Array *sure, uint32_t one, uint32_t other)
{
    const uint64_t *keys = sure->items, key = (uint64_t)one << 32 | other;
    int64_t low = 0, high = sure->length;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sure->length && keys[low] == key;
}

static int
differs(const Array *a, int64_t k)
{
    const int64_t *ends = a[TRUE_OFFSETS].items, *others = a[STRING_OFFSETS].items;
    const uint32_t *word = (const uint32_t *)a[TRUES].items + ends[k], *lower = (const uint32_t *)a[LOWER].items + ends[k];
    const uint32_t *string = (const uint32_t *)a[STRINGS].items + others[k];
    const int64_t m = ends[k + 1] - ends[k], n = others[k + 1] - others[k], least = m < n ? m : n;
    int64_t first = 0, last = 0, left, more;
    while (first < least &&
           (lower[first] == string[first] || is_sure(&a[SURE], word[first], string[first])))
        first++;
    while (last < least - first && (lower[m - 1 - last] == string[n - 1 - last] ||
                                    is_sure(&a[SURE], word[m - 1 - last], string[n - 1 - last])))
        last++;
    left = m - first - last;
    more = n - first - last;
    return left > 0 && m - n <= 1 && n - m <= 1 && (left > 1 || more > 1) && left <= 3 && more <= 3;
}

static PyObject *
differing_differing(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = {READS(uint32_t, "trues"),   READS(int64_t, "true_offsets"),   READS(uint32_t, "lower"),
                       READS(uint32_t, "strings"), READS(int64_t, "string_offsets"), READS(uint64_t, "sure"),
                       WRITES(int64_t, "found")};
    PyObject *result = NULL;
    int64_t pairs, many = 0;
    (void)self;
    if (!take(args, "differing", "AAAAAAA", a))
        return NULL;
    pairs = a[TRUE_OFFSETS].length - 1;
    if (has_room(&a[TRUE_OFFSETS], 1) && has_length(&a[STRING_OFFSETS], pairs + 1) && has_length(&a[FOUND], pairs) &&
        has_length(&a[LOWER], a[TRUES].length) && ascends(&a[TRUE_OFFSETS], 0, pairs, a[TRUES].length) &&
        ascends(&a[STRING_OFFSETS], 0, pairs, a[STRINGS].length)) {
        int64_t *found = a[FOUND].items;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t k = 0; k < pairs; k++)
            if (differs(a, k))
                found[many++] = k;
        Py_END_ALLOW_THREADS
        result = PyLong_FromLongLong((long long)many);
    }
    release(a, ARRAYS);
    return result;
}

PyMethodDef differing_entries[] = {
    {"differing", differing_differing, METH_VARARGS, "pairs that agree but for a few characters"},
    END_OF_ENTRIES,
};
