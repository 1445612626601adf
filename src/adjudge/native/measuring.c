/* Measures of judged topics, for runs so small that loading numpy takes longer than evaluating them.
 *
 *   values      ranks and grades of the documents in the pool, by topic  ->  one value a topic
 *   logarithms  numbers  ->  their natural logarithms, as the C library has them
 *
 * A measure is defined by its file in measures/, which names the loop that gives the same values (Measure.loop). Sums are
 * made in the order of the ranks, so the last bit agrees; tests/measures/test_loops.py compares all of them.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const int32_t *ranks, *grades, *pool; /* of the documents in the pool, by rank; all grades of the judgments */
    int64_t entries, judged, retrieved;
    int64_t relevant, others; /* R, and how many were judged and are not relevant */
    int32_t level;            /* the lowest grade that is relevant, 0 or more */
} Topic;

static inline int
is_relevant(const Topic *t, int64_t i)
{
    return t->grades[i] >= t->level;
}

static inline double
ratio(double above, double below)
{
    return below != 0 ? above / below : 0.0;
}

/* Relevant documents among the first k. */
static int64_t
relevant_within(const Topic *t, double k)
{
    int64_t i, found = 0;
    for (i = 0; i < t->entries && t->ranks[i] <= k; i++)
        found += is_relevant(t, i);
    return found;
}

static double
num_q(const Topic *t, double k)
{
    (void)t, (void)k;
    return 1.0;
}

static double
num_ret(const Topic *t, double k)
{
    (void)k;
    return (double)t->retrieved;
}

static double
num_rel(const Topic *t, double k)
{
    (void)k;
    return (double)t->relevant;
}

static double
num_rel_ret(const Topic *t, double k)
{
    return (double)relevant_within(t, k);
}

static double
ap(const Topic *t, double k)
{
    double sum = 0;
    int64_t i, order = 0;
    for (i = 0; i < t->entries && t->ranks[i] <= k; i++)
        if (is_relevant(t, i))
            sum += (double)++order / (double)t->ranks[i];
    return ratio(sum, (double)t->relevant);
}

static double
p(const Topic *t, double k)
{
    return (double)relevant_within(t, k) / k;
}

static double
recall(const Topic *t, double k)
{
    return ratio((double)relevant_within(t, k), (double)t->relevant);
}

static double
success(const Topic *t, double k)
{
    return relevant_within(t, k) > 0;
}

static double
rr(const Topic *t, double k)
{
    int64_t i;
    for (i = 0; i < t->entries && t->ranks[i] <= k; i++)
        if (is_relevant(t, i))
            return 1.0 / (double)t->ranks[i];
    return 0.0;
}

static double
rprec(const Topic *t, double multiple)
{
    double cutoff = floor(multiple * (double)t->relevant + 0.9);
    return t->relevant ? ratio((double)relevant_within(t, cutoff), cutoff) : 0.0;
}

static double
bpref(const Topic *t, double unused)
{
    double sum = 0, least = (double)(t->others < t->relevant ? t->others : t->relevant);
    int64_t i, above = 0;
    (void)unused;
    for (i = 0; i < t->entries; i++)
        if (is_relevant(t, i))
            sum += 1.0 - ratio((double)(above < t->relevant ? above : t->relevant), least);
        else
            above += t->grades[i] >= 0;
    return ratio(sum, (double)t->relevant);
}

static double
iprec(const Topic *t, double share)
{
    double exact = share * (double)t->relevant, best = 0;
    int64_t want = (int64_t)(floor(exact) + (fmod(exact, 1.0) >= 0.5)), i, order = 0;
    for (i = 0; i < t->entries; i++)
        if (is_relevant(t, i) && ++order >= want && (double)order / (double)t->ranks[i] > best)
            best = (double)order / (double)t->ranks[i];
    return want > order ? 0.0 : best;
}

static double
set_p(const Topic *t, double unused)
{
    (void)unused;
    return ratio((double)relevant_within(t, INFINITY), (double)t->retrieved);
}

static double
set_recall(const Topic *t, double unused)
{
    (void)unused;
    return recall(t, INFINITY);
}

static int
descending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

#define FEW 256 /* grades below this are counted, which is faster than sorting */

/* The grades above 0 of a pool in descending order, the only ones that gain; returns how many there are. */
static int64_t
best_first(const int32_t *pool, int64_t judged, int32_t *sorted)
{
    int64_t counts[FEW] = {0}, found = 0, i;
    int32_t top = 0;
    for (i = 0; i < judged; i++) {
        if (pool[i] > 0)
            sorted[found++] = pool[i];
        top = pool[i] > top ? pool[i] : top;
    }
    if (top >= FEW)
        qsort(sorted, (size_t)found, sizeof *sorted, descending);
    else {
        for (i = 0; i < found; i++)
            counts[sorted[i]]++;
        for (i = 0; top > 0; top--)
            while (counts[top]-- > 0)
                sorted[i++] = top;
    }
    return found;
}

/* t->pool has its grades above 0 alone, in descending order, when this is asked for. */
static double
ndcg(const Topic *t, double k)
{
    double gained = 0, best = 0;
    int64_t i;
    for (i = 0; i < t->entries && t->ranks[i] <= k; i++)
        if (t->grades[i] > 0)
            gained += (double)t->grades[i] / log2((double)t->ranks[i] + 1.0);
    for (i = 0; i < t->judged && (double)(i + 1) <= k; i++)
        best += (double)t->pool[i] / log2((double)i + 2.0);
    return ratio(gained, best);
}

static const struct {
    const char *name;
    double (*value)(const Topic *, double);
} LOOPS[] = {
    {"ap", ap},       {"bpref", bpref}, {"iprec", iprec},     {"ndcg", ndcg}, {"num_q", num_q},
    {"num_rel", num_rel}, {"num_rel_ret", num_rel_ret}, {"num_ret", num_ret}, {"p", p},
    {"recall", recall}, {"rprec", rprec}, {"rr", rr},           {"set_p", set_p}, {"set_recall", set_recall},
    {"success", success},
};

/* values(loop, number, level; by topic: firsts, counts, retrieved, judged topic; ranks, grades; judgments: offsets,
 *        grades; out): firsts[t] and counts[t] say where the ranks and grades of topic t are, in the order of the ranks, and
 * judged[t] which of the judged topics it is. */
static PyObject *
measuring_values(PyObject *self, PyObject *args)
{
    enum { FIRSTS, COUNTS, RETRIEVED, JUDGED, RANKS, GRADES, OFFSETS, POOL, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int64_t, "firsts"),  READS(int32_t, "counts"), READS(int64_t, "retrieved"),
                       READS(int32_t, "judged"),  READS(int32_t, "ranks"),  READS(int32_t, "grades"),
                       READS(int64_t, "offsets"), READS(int32_t, "pool"),   WRITES(double, "values")};
    double (*value)(const Topic *, double) = NULL;
    double number;
    int64_t level, topic, longest = 0, i;
    int32_t *sorted = NULL;
    PyObject *name, *result = NULL;
    const char *wanted;

    (void)self;
    if (!take(args, "values", "UdiAAAAAAAAA", a, &name, &number, &level))
        return NULL;
    if ((wanted = PyUnicode_AsUTF8(name)) == NULL)
        goto done;
    for (i = 0; i < (int64_t)(sizeof LOOPS / sizeof *LOOPS); i++)
        if (strcmp(LOOPS[i].name, wanted) == 0)
            value = LOOPS[i].value;
    if (value == NULL) {
        PyErr_Format(PyExc_ValueError, "values: no loop %U", name);
        goto done;
    }
    if (level < 0 || level > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "values: no such level");
        goto done;
    }
    if (!has_length(&a[COUNTS], a[FIRSTS].length) || !has_length(&a[RETRIEVED], a[FIRSTS].length) ||
        !has_length(&a[JUDGED], a[FIRSTS].length) || !has_length(&a[OUT], a[FIRSTS].length) ||
        !has_length(&a[GRADES], a[RANKS].length) || !has_room(&a[OFFSETS], 1) ||
        !points_into(&a[JUDGED], a[OFFSETS].length - 1) || !ascends(&a[OFFSETS], 0, a[OFFSETS].length - 1, a[POOL].length))
        goto done;
    for (topic = 0; topic < a[FIRSTS].length; topic++) {
        int64_t first = ((int64_t *)a[FIRSTS].items)[topic], count = ((int32_t *)a[COUNTS].items)[topic];
        const int64_t *from = (int64_t *)a[OFFSETS].items + ((int32_t *)a[JUDGED].items)[topic];
        if (count < 0 || first < 0 || first > a[RANKS].length - count) {
            refuse(&a[COUNTS], "topic %lld has no such ranks", (long long)topic);
            goto done;
        }
        longest = from[1] - from[0] > longest ? from[1] - from[0] : longest;
    }
    if ((sorted = malloc((size_t)(longest + 1) * sizeof *sorted)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (topic = 0; topic < a[FIRSTS].length; topic++) {
        const int64_t *from = (int64_t *)a[OFFSETS].items + ((int32_t *)a[JUDGED].items)[topic];
        int64_t first = ((int64_t *)a[FIRSTS].items)[topic];
        Topic t = {.ranks = (int32_t *)a[RANKS].items + first,
                   .grades = (int32_t *)a[GRADES].items + first,
                   .pool = (int32_t *)a[POOL].items + from[0],
                   .entries = ((int32_t *)a[COUNTS].items)[topic],
                   .judged = from[1] - from[0],
                   .retrieved = ((int64_t *)a[RETRIEVED].items)[topic],
                   .level = (int32_t)level};
        for (i = 0; i < t.judged; i++) {
            t.relevant += t.pool[i] >= t.level;
            t.others += t.pool[i] >= 0 && t.pool[i] < t.level;
        }
        if (value == ndcg) {
            t.judged = best_first(t.pool, t.judged, sorted);
            t.pool = sorted;
        }
        ((double *)a[OUT].items)[topic] = value(&t, number);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(sorted);
    release(a, ARRAYS);
    return result;
}

/* logarithms(numbers, out) */
static PyObject *
measuring_logarithms(PyObject *self, PyObject *args)
{
    Array a[2] = {READS(double, "numbers"), WRITES(double, "logarithms")};
    PyObject *result = NULL;
    int64_t i;
    (void)self;
    if (!take(args, "logarithms", "AA", a))
        return NULL;
    if (has_length(&a[1], a[0].length)) {
        for (i = 0; i < a[0].length; i++)
            ((double *)a[1].items)[i] = log(((double *)a[0].items)[i]);
        result = Py_NewRef(Py_None);
    }
    release(a, 2);
    return result;
}

PyMethodDef measuring_entries[] = {
    {"values", measuring_values, METH_VARARGS, "one value a topic, by a measure"},
    {"logarithms", measuring_logarithms, METH_VARARGS, "natural logarithms"},
    END_OF_ENTRIES,
};
