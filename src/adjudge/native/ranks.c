/* Counting what stands above in two rankings; core/fallback.py says the same in Python. */
#include "buffers.h"

#include <stdlib.h>

/* How many bits are set, without asking which processor this is. */
static inline int32_t
ones(uint64_t bits)
{
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int32_t)((bits * 0x0101010101010101) >> 56);
}

/* dominated(places, until, below, out, room): out[i] = how many of places[0 .. until[i]) are smaller than below[i].
 * places are different numbers from 0 to room - 1, below goes to room; until does not decrease. The places seen so far are bits;
 * a binary indexed tree counts them by words of 64, so it stays in the fastest cache up to a million places. */
static PyObject *
ranks_dominated(PyObject *self, PyObject *args)
{
    enum { PLACES, UNTIL, BELOW, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "places"), READS(int32_t, "until"), READS(int32_t, "below"), WRITES(int32_t, "out")};
    const int32_t *place, *upto, *under;
    int64_t room, words, queries, i;
    uint64_t *seen = NULL;
    int32_t *tree = NULL;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "dominated", "AAAAi", a, &room))
        return NULL;
    place = a[PLACES].items;
    upto = a[UNTIL].items;
    under = a[BELOW].items;
    queries = a[UNTIL].length;
    if (room < 0 || room > INT32_MAX) {
        refuse(&a[PLACES], "room for %lld of them", (long long)room);
        goto done;
    }
    if (!has_length(&a[BELOW], queries) || !has_length(&a[OUT], queries) || !points_into(&a[PLACES], room) ||
        !points_into(&a[BELOW], room + 1) || !points_into(&a[UNTIL], a[PLACES].length + 1))
        goto done;
    for (i = 1; i < queries; i++)
        if (upto[i] < upto[i - 1]) {
            refuse(&a[UNTIL], "falls");
            goto done;
        }
    words = room / 64 + 1;
    seen = calloc((size_t)words, sizeof *seen);
    tree = calloc((size_t)words + 1, sizeof *tree);
    if (!seen || !tree) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    int32_t *count = a[OUT].items;
    int64_t done = 0;
    for (i = 0; i < queries; i++) {
        int64_t w = under[i] >> 6, node;
        uint64_t bits;
        int32_t total = 0;
        for (; done < upto[i]; done++) {
            seen[place[done] >> 6] |= (uint64_t)1 << (place[done] & 63);
            for (node = (place[done] >> 6) + 1; node <= words; node += node & -node)
                tree[node]++;
        }
        for (node = w; node > 0; node -= node & -node)
            total += tree[node];
        bits = seen[w] & (((uint64_t)1 << (under[i] & 63)) - 1);
        count[i] = total + ones(bits);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(seen);
    free(tree);
    release(a, ARRAYS);
    return result;
}

PyMethodDef ranks_entries[] = {
    {"dominated", ranks_dominated, METH_VARARGS, "how many of the first places are smaller than a bound"},
    END_OF_ENTRIES,
};
