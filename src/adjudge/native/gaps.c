/* Differences of all pairs of systems in samples of topics.
 *
 *   reached  how often the sums of two systems lie far apart, as comparison/significance/randomisation.py has it
 *   largest  how far a system is from another one at most, in standard errors, as comparison/rank_groups.py has it
 *
 * Both modules say the same with numpy. */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART 64 /* samples at a time: those of some hundred systems stay in a fast cache */

/* The largest size of each row of a part, by system. */
static void
largest_of(const double *sums, int64_t systems, int64_t samples, int64_t from, int64_t to, double *largest)
{
    for (int64_t s = 0; s < systems; s++) {
        const double *row = sums + s * samples;
        double most = 0;
        for (int64_t k = from; k < to; k++)
            most = fabs(row[k]) > most ? fabs(row[k]) : most;
        largest[s] = most;
    }
}

/* How many numbers of two rows differ by a bound or more, one at a time. */
static int64_t
far_apart_singly(const double *one, const double *other, int64_t many, double bound)
{
    int64_t count = 0;
    for (int64_t k = 0; k < many; k++)
        count += fabs(other[k] - one[k]) >= bound;
    return count;
}

#if defined(__GNUC__)
/* The same for WIDTH numbers at a time, two such at once so that neither waits for the other. Each copy is compiled for
 * processors that have registers of this width. */
#define FAR_APART(NAME, WIDTH, ATTRIBUTES)                                                                              \
    ATTRIBUTES static int64_t NAME(const double *one, const double *other, int64_t many, double bound)                 \
    {                                                                                                                   \
        typedef double Numbers __attribute__((vector_size(8 * WIDTH)));                                                 \
        typedef int64_t Counts __attribute__((vector_size(8 * WIDTH)));                                                 \
        Counts counts[2] = {{0}, {0}};                                                                                  \
        int64_t count = 0, k = 0;                                                                                       \
        for (; k + 2 * WIDTH <= many; k += 2 * WIDTH)                                                                   \
            for (int half = 0; half < 2; half++) {                                                                      \
                Numbers a, b;                                                                                           \
                memcpy(&a, one + k + WIDTH * half, sizeof a);                                                           \
                memcpy(&b, other + k + WIDTH * half, sizeof b);                                                         \
                a = b - a;                                                                                              \
                counts[half] -= (a >= bound) | (a <= -bound); /* true is -1 */                                          \
            }                                                                                                           \
        counts[0] += counts[1];                                                                                         \
        for (int lane = 0; lane < WIDTH; lane++)                                                                        \
            count += counts[0][lane];                                                                                   \
        return count + far_apart_singly(one + k, other + k, many - k, bound);                                           \
    }

FAR_APART(far_apart_by_two, 2, )
#if defined(__x86_64__)
FAR_APART(far_apart_by_four, 4, __attribute__((target("avx2"))))
#endif
#endif

typedef int64_t (*FarApart)(const double *one, const double *other, int64_t many, double bound);

/* The widest loop that this processor can run. */
static FarApart
widest(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return far_apart_by_four;
#endif
#if defined(__GNUC__)
    return far_apart_by_two;
#else
    return far_apart_singly;
#endif
}

/* reached(sums, samples, firsts, seconds, bounds, counts): for each pair of rows of sums, systems x samples, counts[p]
 * grows by the number of samples in which they differ by bounds[p] or more. No part of a pair is looked at whose rows
 * are both too small for that; the rounding of a difference cannot lift it over the rounded sum of the sizes. */
static PyObject *
gaps_reached(PyObject *self, PyObject *args)
{
    enum { SUMS, FIRSTS, SECONDS, BOUNDS, COUNTS, ARRAYS };
    Array a[ARRAYS] = {READS(double, "sums"), READS(int64_t, "firsts"), READS(int64_t, "seconds"),
                       READS(double, "bounds"), WRITES(int64_t, "counts")};
    int64_t samples, systems, pairs;
    double *largest = NULL;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "reached", "AiAAAA", a, &samples))
        return NULL;
    pairs = a[FIRSTS].length;
    if (samples < 1 || a[SUMS].length % samples) {
        refuse(&a[SUMS], "not %lld samples of each system", (long long)samples);
        goto done;
    }
    systems = a[SUMS].length / samples;
    if (!has_length(&a[SECONDS], pairs) || !has_length(&a[BOUNDS], pairs) || !has_length(&a[COUNTS], pairs) ||
        !points_into(&a[FIRSTS], systems) || !points_into(&a[SECONDS], systems))
        goto done;
    if ((largest = malloc(((size_t)systems + 1) * sizeof *largest)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const double *sums = a[SUMS].items, *bounds = a[BOUNDS].items;
    const int64_t *firsts = a[FIRSTS].items, *seconds = a[SECONDS].items;
    int64_t *counts = a[COUNTS].items;
    const FarApart far_apart = widest();
    for (int64_t from = 0; from < samples; from += PART) {
        int64_t to = from + PART < samples ? from + PART : samples;
        largest_of(sums, systems, samples, from, to, largest);
        for (int64_t p = 0; p < pairs; p++) {
            const double *one = sums + firsts[p] * samples, *other = sums + seconds[p] * samples, bound = bounds[p];
            if (largest[firsts[p]] + largest[seconds[p]] < bound)
                continue;
            /* Without a sign: what it starts from may be any number. */
            counts[p] = (int64_t)((uint64_t)counts[p] + (uint64_t)far_apart(one + from, other + from, to - from, bound));
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(largest);
    release(a, ARRAYS);
    return result;
}

/* largest(means, squares, samples, topics, tiny, fixed, own, others): for the pairs of one system, pairs x samples, the
 * sums of their differences and of the squares of these in samples of so many topics. own, a number for each sample,
 * and others, pairs x samples, become the largest |t| so far. A sample without spread has an infinite t, or the
 * difference itself where that is tiny; pairs that are fixed have t = 0. */
static PyObject *
gaps_largest(PyObject *self, PyObject *args)
{
    enum { MEANS, SQUARES, FIXED, OWN, OTHERS, ARRAYS };
    Array a[ARRAYS] = {READS(double, "means"), READS(double, "squares"), READS(uint8_t, "fixed"), WRITES(double, "own"),
                       WRITES(double, "others")};
    int64_t samples, topics, pairs;
    double tiny;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "largest", "AAiidAAA", a, &samples, &topics, &tiny))
        return NULL;
    pairs = a[FIXED].length;
    if (samples < 1 || topics < 1 || a[MEANS].length % samples || a[MEANS].length / samples != pairs) {
        refuse(&a[MEANS], "not %lld samples of each pair", (long long)samples);
        goto done;
    }
    if (!has_length(&a[SQUARES], a[MEANS].length) || !has_length(&a[OTHERS], a[MEANS].length) ||
        !has_length(&a[OWN], samples))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const double *means = a[MEANS].items, *squares = a[SQUARES].items, many = (double)topics, root = sqrt(many);
    const uint8_t *fixed = a[FIXED].items;
    double *own = a[OWN].items, *others = a[OTHERS].items;
    for (int64_t p = 0; p < pairs; p++, means += samples, squares += samples, others += samples)
        for (int64_t k = 0, end = fixed[p] ? 0 : samples; k < end; k++) {
            double mean = means[k] / many, size = fabs(mean), spread = squares[k] / many - mean * mean, t;
            spread = sqrt(spread > 0 ? spread : 0);
            t = size / (spread / root); /* for all, so that several can be done at once */
            t = spread > tiny ? t : size > tiny ? INFINITY : size;
            own[k] = t > own[k] ? t : own[k];
            others[k] = t > others[k] ? t : others[k];
        }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef gaps_entries[] = {
    {"largest", gaps_largest, METH_VARARGS, "the largest studentised differences of one system"},
    {"reached", gaps_reached, METH_VARARGS, "how often two sums differ by a bound or more"},
    END_OF_ENTRIES,
};
