/* Answers to queries: what terms give to documents is added up, and the best are chosen.
 *
 *   add     postings of a query's terms  ->  the documents they are in, with their sums
 *   count   documents, their codes       ->  how many have each code
 *   top     scores                       ->  the places of the highest, in order
 *   answer  queries                      ->  the best documents of each
 *
 * index/accumulation.py does the same with numpy.
 */
#include "buffers.h"
#include "hash.h"

#include <math.h>
#include <stdlib.h>

/* What one term of a query gives: documents, the weight in each, and the weight in the query. */
typedef struct {
    Array arrays[2];
    double factor;
    int64_t clauses;
} Posting;

/* (documents, weights, factor, clauses) of a term, of which all documents are among so many. */
static int
take_posting(PyObject *term, const char *entry, int64_t documents, Posting *p)
{
    *p = (Posting){{READS(int32_t, "documents"), READS(double, "weights")}, 0, 0};
    if (!take(term, entry, "AAdi", p->arrays, &p->factor, &p->clauses))
        return 0;
    if (has_length(&p->arrays[1], p->arrays[0].length) && points_into(&p->arrays[0], documents))
        return 1;
    release(p->arrays, COUNT_OF(p->arrays));
    return 0;
}

/* Documents whose sums are made at a time: so many doubles stay in the nearest cache. */
#define NEAR 4096

/* Whether documents rise from one to the next and lie within 0 .. limit - 1. */
static int
rises(const Array *documents, int64_t limit)
{
    const int32_t *document = documents->items;
    int64_t n = documents->length;
    int falls = 0;
    for (int64_t i = 1; i < n; i++)
        falls |= document[i] <= document[i - 1];
    if (falls || (n && (document[0] < 0 || document[n - 1] >= limit)))
        return refuse(documents, "they do not rise within 0 and %lld", (long long)(limit - 1));
    return 1;
}

/* Add up documents from .. from + NEAR - 1; at says how far each term has come. How many documents were found. */
static int64_t
add_near(const Posting *posting, int64_t *at, Py_ssize_t many, int64_t from, int64_t *found, double *out, double *counts)
{
    double sum[NEAR] = {0};
    int32_t overlap[NEAR];
    uint64_t mark[NEAR / 64] = {0};
    int64_t n = 0, end = from + NEAR;

    if (counts)
        memset(overlap, 0, sizeof overlap);
    for (Py_ssize_t t = 0; t < many; t++) {
        const int32_t *document = posting[t].arrays[0].items;
        const double *weight = posting[t].arrays[1].items, factor = posting[t].factor;
        int64_t i, size = posting[t].arrays[0].length;
        for (i = at[t]; i < size && document[i] < end; i++) {
            int64_t d = document[i] - from;
            sum[d] += weight[i] * factor;
            mark[d / 64] |= (uint64_t)1 << (d % 64);
            if (counts)
                overlap[d] = (int32_t)((uint32_t)overlap[d] + (uint32_t)posting[t].clauses);
        }
        at[t] = i;
    }
    for (int64_t w = 0; w < NEAR / 64; w++)
        for (uint64_t bits = mark[w]; bits; bits &= bits - 1) {
            int64_t d = 64 * w + lowest_bit(bits);
            found[n] = from + d;
            out[n] = sum[d];
            if (counts)
                counts[n] = overlap[d];
            n++;
        }
    return n;
}

/* add(terms, documents, found, out, counts or None) -> how many documents have a term of the query. terms is a tuple of
 * (documents, weights, factor, clauses), documents how many there are. found, out and counts, which have room for all the
 * postings or for all the documents, get the documents in ascending order, Σ factor · weight, and the clauses that occur
 * in each. */
static PyObject *
scoring_add(PyObject *self, PyObject *args)
{
    enum { FOUND, OUT, COUNTS, ARRAYS };
    Array a[ARRAYS] = {WRITES(int64_t, "found"), WRITES(double, "out"), MAY_WRITE(double, "counts")};
    PyObject *terms, *result = NULL;
    Posting *posting = NULL;
    int64_t *at = NULL, n, postings = 0, count = 0;
    Py_ssize_t many, taken = 0;

    (void)self;
    if (!take(args, "add", "TiAAA", a, &terms, &n))
        return NULL;
    many = PyTuple_GET_SIZE(terms);
    posting = malloc((size_t)(many + 1) * sizeof *posting);
    at = calloc((size_t)(many + 1), sizeof *at);
    if (!posting || !at) {
        PyErr_NoMemory();
        goto done;
    }
    if (n < 0 || n > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "add: %lld documents", (long long)n);
        goto done;
    }
    while (taken < many) {
        if (!take_posting(PyTuple_GET_ITEM(terms, taken), "add: a term", n, &posting[taken]))
            goto done;
        taken++;
        if (!rises(&posting[taken - 1].arrays[0], n))
            goto done;
        postings += posting[taken - 1].arrays[0].length;
    }
    if (postings > n)
        postings = n;
    if (!has_room(&a[FOUND], postings) || !has_room(&a[OUT], postings) ||
        (a[COUNTS].items && !has_room(&a[COUNTS], postings)))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    int64_t *found = a[FOUND].items;
    double *out = a[OUT].items, *counts = a[COUNTS].items;
    for (;;) {
        int64_t next = n; /* the first document that is left */
        for (Py_ssize_t t = 0; t < many; t++) {
            const int32_t *document = posting[t].arrays[0].items;
            if (at[t] < posting[t].arrays[0].length && document[at[t]] < next)
                next = document[at[t]];
        }
        if (next == n)
            break;
        count += add_near(posting, at, many, next - next % NEAR, found + count, out + count,
                          counts ? counts + count : NULL);
    }
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong((long long)count);
done:
    while (taken)
        release(posting[--taken].arrays, COUNT_OF(posting->arrays));
    free(posting);
    free(at);
    release(a, ARRAYS);
    return result;
}

/* Codes of documents are fetched so many documents before they are counted: they lie apart, and far from the processor. */
#define AHEAD 24

/* count(codes, documents or None, counts): how many of the documents, or of all, have each code; counts[0] is for those
 * with the code -1, which have none, and counts[c + 1] for those with c. They are added to what counts has. */
static PyObject *
scoring_count(PyObject *self, PyObject *args)
{
    enum { CODES, DOCUMENTS, COUNTS, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "codes"), MAY_READ(int64_t, "documents"), WRITES(int64_t, "counts")};
    PyObject *result = NULL;
    int outside = 0;

    (void)self;
    if (!take(args, "count", "AAA", a))
        return NULL;
    if (a[DOCUMENTS].items && !points_into(&a[DOCUMENTS], a[CODES].length))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *code = a[CODES].items;
    const int64_t *document = a[DOCUMENTS].items;
    uint64_t *count = a[COUNTS].items; /* without a sign: what they start from may be any number */
    int64_t values = a[COUNTS].length;
    int64_t n = document ? a[DOCUMENTS].length : a[CODES].length;
    for (int64_t i = 0; i < n; i++) {
        int64_t at = (int64_t)code[document ? document[i] : i] + 1;
        if (document && i + AHEAD < n)
            PREFETCH(&code[document[i + AHEAD]]);
        if (at < 0 || at >= values) {
            outside = 1;
            break;
        }
        count[at]++;
    }
    Py_END_ALLOW_THREADS
    if (outside)
        refuse(&a[CODES], "one has no place in counts");
    else
        result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* A document that may be among the best: by score, and among equal ones by the rank of its id, which no two share. */
typedef struct {
    double score;
    int32_t rank;
    int32_t place;
} Candidate;

static inline int
above(const Candidate *a, const Candidate *b)
{
    return (a->score > b->score) | ((a->score == b->score) & (a->rank > b->rank)); /* no branch to foresee wrongly */
}

/* Bring the best k of n to the front, the k-th to place k - 1. Pivots are drawn, so no input is slow. */
static void
select_best(Candidate *all, int64_t n, int64_t k)
{
    uint64_t draw = 0x9e3779b97f4a7c15u;
    int64_t low = 0, high = n - 1, want = k - 1;
    while (low < high) {
        int64_t i = low, j = high;
        Candidate pivot, swapped;
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        pivot = all[low + (int64_t)(draw % (uint64_t)(high - low + 1))];
        while (i <= j) {
            while (above(&all[i], &pivot))
                i++;
            while (above(&pivot, &all[j]))
                j--;
            if (i <= j) {
                swapped = all[i];
                all[i++] = all[j];
                all[j--] = swapped;
            }
        }
        if (want <= j)
            high = j;
        else if (want >= i)
            low = i;
        else
            return;
    }
}

/* Sort the best first; room holds n more. Runs of eight by insertion, then merged. */
static void
sort_best(Candidate *all, Candidate *room, int64_t n)
{
    int64_t from, width, i, j;
    Candidate *source = all, *target = room, *kept;
    for (from = 0; from < n; from += 8)
        for (i = from + 1; i < n && i < from + 8; i++) {
            Candidate moved = all[i];
            for (j = i; j > from && above(&moved, &all[j - 1]); j--)
                all[j] = all[j - 1];
            all[j] = moved;
        }
    for (width = 8; width < n; width *= 2) {
        for (from = 0; from < n; from += 2 * width) {
            int64_t middle = from + width < n ? from + width : n, end = from + 2 * width < n ? from + 2 * width : n;
            const Candidate *one = source + from, *other = source + middle;
            Candidate *to = target + from;
            while (one < source + middle && other < source + end) {
                int first = above(one, other);
                *to++ = *(first ? one : other);
                one += first;
                other += !first;
            }
            memcpy(to, one, (size_t)(source + middle - one) * sizeof *to);
            memcpy(to + (source + middle - one), other, (size_t)(source + end - other) * sizeof *to);
        }
        kept = source;
        source = target;
        target = kept;
    }
    if (source != all)
        memcpy(all, source, (size_t)n * sizeof *all);
}

/* Every so many documents tell what score it takes to be among the best, about. */
#define STRIDE 16

/* top(scores, documents, ranks, out) -> nothing; out gets the places of as many scores as it has room for, highest
 * first, among equal ones the document with the highest rank first. */
static PyObject *
scoring_top(PyObject *self, PyObject *args)
{
    enum { SCORES, DOCUMENTS, RANKS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(double, "scores"), READS(int64_t, "documents"), READS(int32_t, "ranks"),
                       WRITES(int64_t, "out")};
    PyObject *result = NULL;
    Candidate *kept = NULL;
    int64_t n, k;

    (void)self;
    if (!take(args, "top", "AAAA", a))
        return NULL;
    n = a[SCORES].length;
    k = a[OUT].length;
    if (!has_length(&a[DOCUMENTS], n) || !points_into(&a[DOCUMENTS], a[RANKS].length))
        goto done;
    if (k > n || n > INT32_MAX) {
        refuse(&a[OUT], "%lld of %lld scores", (long long)k, (long long)n);
        goto done;
    }
    if ((kept = malloc((size_t)(2 * n + 1) * sizeof *kept)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const double *score = a[SCORES].items;
    const int64_t *document = a[DOCUMENTS].items;
    const int32_t *rank = a[RANKS].items;
    int64_t *place = a[OUT].items, i;
    double least = -INFINITY;
    int64_t sampled = 0, want = k / STRIDE + k / (2 * STRIDE) + 8, many = 0;
    for (i = 0; i < n; i += STRIDE)
        kept[sampled++] = (Candidate){score[i], rank[document[i]], 0};
    if (want < sampled) { /* about what score it takes, as in best_of() */
        select_best(kept, sampled, want);
        least = kept[want - 1].score;
    }
    for (;;) {
        for (i = 0; i < n; i++)
            if (!(score[i] < least))
                kept[many++] = (Candidate){score[i], rank[document[i]], (int32_t)i};
        if (many >= k || least == -INFINITY)
            break;
        least = -INFINITY;
        many = 0;
    }
    if (k < many)
        select_best(kept, many, k);
    sort_best(kept, kept + many, k);
    for (i = 0; i < k; i++)
        place[i] = kept[i].place;
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(kept);
    release(a, ARRAYS);
    return result;
}

/* ---------------------------------------------------------------- answer */

typedef struct {
    int64_t first, last; /* its terms */
    double part, norm;
} Asked;

/* The best k of the documents whose sum is above 0, in order; the sums are zero afterwards. Every sixteenth document
 * tells what score it takes, about; so the rest is one comparison a document, and done again if that was too much. */
static int64_t
best_of(double *sum, int64_t n, const Asked *query, const int32_t *rank, int64_t k, Candidate *kept,
        int32_t *documents, double *scores)
{
    const double part = query->part, norm = query->norm;
    double least = -INFINITY;
    int64_t d, i, count = 0, sampled = 0, want = k / STRIDE + k / (2 * STRIDE) + 8;
    for (d = 0; d < n; d += STRIDE)
        if (sum[d] > 0.0)
            kept[sampled++] = (Candidate){(sum[d] + part) * norm, rank[d], 0};
    if (want < sampled) {
        select_best(kept, sampled, want);
        least = kept[want - 1].score;
    }
    for (;;) {
        for (d = 0; d < n; d++) {
            double score = (sum[d] + part) * norm;
            if ((score >= least) & (sum[d] > 0.0))
                kept[count++] = (Candidate){score, rank[d], (int32_t)d};
        }
        if (count >= k || least == -INFINITY)
            break;
        least = -INFINITY;
        count = 0;
    }
    memset(sum, 0, (size_t)n * sizeof *sum);
    if (count > k) {
        select_best(kept, count, k);
        count = k;
    }
    sort_best(kept, kept + count, count);
    for (i = 0; i < count; i++) {
        documents[i] = kept[i].place;
        scores[i] = kept[i].score;
    }
    return count;
}

/* answer(queries, sums, ranks, k, documents, scores, counts): the best k documents for each query. A query is (terms,
 * part, norm), a term (documents, weights, factor, clauses) with every factor · weight above 0; the score of a document is
 * (Σ factor · weight + part) · norm. sums has a zero for each document, before and after; the answers go side by side
 * into documents and scores, k places for each query, and how many there are into counts. */
static PyObject *
scoring_answer(PyObject *self, PyObject *args)
{
    enum { SUMS, RANKS, DOCUMENTS, SCORES, COUNTS, ARRAYS };
    Array a[ARRAYS] = {WRITES(double, "sums"), READS(int32_t, "ranks"), WRITES(int32_t, "documents"),
                       WRITES(double, "scores"), WRITES(int64_t, "counts")};
    PyObject *queries, *terms, *result = NULL;
    Py_ssize_t many, total = 0, taken = 0, q, t;
    Posting *posting = NULL;
    Asked *asked = NULL;
    Candidate *kept = NULL;
    int64_t k, n;

    (void)self;
    if (!take(args, "answer", "TAAiAAA", a, &queries, &k))
        return NULL;
    many = PyTuple_GET_SIZE(queries);
    n = a[SUMS].length;
    if (!has_length(&a[RANKS], n) || !has_length(&a[COUNTS], (int64_t)many))
        goto done;
    if (k < 0 || n > INT32_MAX || (many && k > INT64_MAX / many)) {
        PyErr_Format(PyExc_ValueError, "answer: %lld of %lld documents", (long long)k, (long long)n);
        goto done;
    }
    if (!has_length(&a[DOCUMENTS], many * k) || !has_length(&a[SCORES], many * k))
        goto done;
    asked = malloc((size_t)(many + 1) * sizeof *asked);
    kept = malloc((size_t)(2 * n + 1) * sizeof *kept);
    if (!asked || !kept) {
        PyErr_NoMemory();
        goto done;
    }
    for (q = 0; q < many; q++) {
        if (!take(PyTuple_GET_ITEM(queries, q), "answer: a query", "Tdd", NULL, &terms, &asked[q].part, &asked[q].norm))
            goto done;
        asked[q].first = (int64_t)total;
        asked[q].last = (int64_t)(total += PyTuple_GET_SIZE(terms));
    }
    if ((posting = malloc((size_t)(total + 1) * sizeof *posting)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (q = 0; q < many; q++) {
        terms = PyTuple_GET_ITEM(PyTuple_GET_ITEM(queries, q), 0);
        for (t = 0; t < PyTuple_GET_SIZE(terms); t++, taken++)
            if (!take_posting(PyTuple_GET_ITEM(terms, t), "answer: a term", n, &posting[taken]))
                goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    double *sum = a[SUMS].items, *score = a[SCORES].items;
    int32_t *document = a[DOCUMENTS].items;
    int64_t *count = a[COUNTS].items;
    for (q = 0; q < many; q++) {
        for (int64_t p = asked[q].first; p < asked[q].last; p++) {
            const int32_t *at = posting[p].arrays[0].items;
            const double *weight = posting[p].arrays[1].items, factor = posting[p].factor;
            int64_t size = posting[p].arrays[0].length;
            for (int64_t i = 0; i < size; i++)
                sum[at[i]] += weight[i] * factor;
        }
        count[q] = best_of(sum, n, &asked[q], a[RANKS].items, k, kept, document + q * k, score + q * k);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    while (taken)
        release(posting[--taken].arrays, COUNT_OF(posting->arrays));
    free(posting);
    free(asked);
    free(kept);
    release(a, ARRAYS);
    return result;
}

PyMethodDef scoring_entries[] = {
    {"add", scoring_add, METH_VARARGS, "sums of the terms of a query by document"},
    {"count", scoring_count, METH_VARARGS, "how many documents have each code"},
    {"top", scoring_top, METH_VARARGS, "the places of the highest scores, in order"},
    {"answer", scoring_answer, METH_VARARGS, "the best documents for queries whose terms all count for something"},
    END_OF_ENTRIES,
};
