/* The rank sums of Wilcoxon's test for many pairs of systems. comparison/significance/wilcoxon.py says the same with
 * numpy and scipy. */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>

#define RUN 8 /* so many items are sorted by putting each into its place, more by merging */

typedef struct {
    double size;
    int32_t topic;
} Gap;

/* Sort by size, equal ones as they stand. The items, or the room, whichever holds the result. */
static Gap *
sorted(Gap *items, Gap *room, int64_t many)
{
    for (int64_t start = 0; start < many; start += RUN) {
        int64_t end = start + RUN < many ? start + RUN : many;
        for (int64_t i = start + 1; i < end; i++) {
            Gap own = items[i];
            int64_t k = i;
            for (; k > start && items[k - 1].size > own.size; k--)
                items[k] = items[k - 1];
            items[k] = own;
        }
    }
    for (int64_t width = RUN; width < many; width *= 2) {
        for (int64_t start = 0; start < many; start += 2 * width) {
            int64_t middle = start + width < many ? start + width : many;
            int64_t end = start + 2 * width < many ? start + 2 * width : many;
            int64_t left = start, right = middle, out = start;
            while (left < middle && right < end) {
                int later = items[right].size < items[left].size;
                room[out++] = items[later ? right : left];
                right += later;
                left += !later;
            }
            while (left < middle)
                room[out++] = items[left++];
            while (right < end)
                room[out++] = items[right++];
        }
        Gap *swapped = items;
        items = room;
        room = swapped;
    }
    return items;
}

typedef struct {
    double plus, minus; /* ranks of differences above and below 0 */
    double zeros;       /* topics without a difference */
    double ties;        /* t^3 - t for every t differences of one size, those of 0 not counted */
} Sums;

/* The sums of one pair. ``gaps`` and ``room`` have place for all topics. */
static Sums
sums_of(const double *one, const double *other, const double *one_shift, const double *other_shift, int64_t topics,
        double rounding, int dropped, Gap *gaps, Gap *room)
{
    double below = 0; /* differences of smaller size that have a rank */
    Sums sums = {0, 0, 0, 0};
    for (int64_t t = 0; t < topics; t++) {
        double shift = one_shift[t] < other_shift[t] ? one_shift[t] : other_shift[t];
        double gap = one[t] - other[t];
        if (!isinf(shift))
            gap = rint(gap * shift) / shift;
        gaps[t] = (Gap){fabs(gap), (int32_t)t};
    }
    gaps = sorted(gaps, room, topics);
    for (int64_t first = 0, end; first < topics; first = end) {
        double slack = 0, many, rank;
        for (end = first; end < topics; end++) {
            int64_t t = gaps[end].topic;
            double larger = fabs(one[t]) > fabs(other[t]) ? fabs(one[t]) : fabs(other[t]), own = rounding * larger;
            if (end > first && (gaps[end].size - gaps[end - 1].size > (own > slack ? own : slack) ||
                                (gaps[end].size > 0 && gaps[end - 1].size == 0)))
                break;
            slack = own;
        }
        many = (double)(end - first);
        if (gaps[first].size == 0) {
            sums.zeros = many;
            below += dropped ? 0 : many;
            continue;
        }
        rank = below + (many + 1) / 2;
        for (int64_t i = first; i < end; i++) {
            int64_t t = gaps[i].topic;
            *(one[t] > other[t] ? &sums.plus : &sums.minus) += rank;
        }
        sums.ties += many * many * many - many;
        below += many;
    }
    return sums;
}

/* sums(values, shifts, topics, firsts, seconds, rounding, dropped, sums): for each pair of rows of values, systems x
 * topics, four sums: ranks above 0, ranks below 0, topics without a difference, ties. Values are cut to the digits of
 * shifts; differences are of one size that lie as near as rounding times the larger of their values; those of no size
 * have no rank if dropped. All values are numbers. */
static PyObject *
signed_ranks_sums(PyObject *self, PyObject *args)
{
    enum { VALUES, SHIFTS, FIRSTS, SECONDS, SUMS, ARRAYS };
    Array a[ARRAYS] = {READS(double, "values"), READS(double, "shifts"), READS(int64_t, "firsts"),
                       READS(int64_t, "seconds"), WRITES(double, "sums")};
    int64_t topics, systems, pairs;
    double rounding;
    int dropped;
    Gap *gaps = NULL;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "sums", "AAiAAdpA", a, &topics, &rounding, &dropped))
        return NULL;
    pairs = a[FIRSTS].length;
    if (topics < 1 || topics > INT32_MAX || a[VALUES].length % topics) {
        refuse(&a[VALUES], "not %lld topics of each system", (long long)topics);
        goto done;
    }
    systems = a[VALUES].length / topics;
    if (!has_length(&a[SHIFTS], a[VALUES].length) || !has_length(&a[SECONDS], pairs) ||
        !points_into(&a[FIRSTS], systems) || !points_into(&a[SECONDS], systems))
        goto done;
    if (a[SUMS].length % 4 || a[SUMS].length / 4 != pairs) {
        refuse(&a[SUMS], "not four sums of each pair");
        goto done;
    }
    if ((gaps = malloc(2 * (size_t)topics * sizeof *gaps)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const double *values = a[VALUES].items, *shifts = a[SHIFTS].items;
    const int64_t *firsts = a[FIRSTS].items, *seconds = a[SECONDS].items;
    double *out = a[SUMS].items;
    for (int64_t p = 0; p < pairs; p++, out += 4) {
        int64_t one = firsts[p] * topics, other = seconds[p] * topics;
        Sums sums = sums_of(values + one, values + other, shifts + one, shifts + other, topics, rounding, dropped, gaps,
                            gaps + topics);
        out[0] = sums.plus;
        out[1] = sums.minus;
        out[2] = sums.zeros;
        out[3] = sums.ties;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(gaps);
    release(a, ARRAYS);
    return result;
}

PyMethodDef signed_ranks_entries[] = {
    {"sums", signed_ranks_sums, METH_VARARGS, "rank sums of the differences of pairs"},
    END_OF_ENTRIES,
};
