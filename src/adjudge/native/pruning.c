/* The best documents for queries, without looking at those that cannot be among them.
 *
 * Documents are gone through in windows. What each term can add to a document of the window is known from the highest weight
 * of its blocks; terms that together cannot lift a document to the k-th score so far are left aside, the others are added up
 * (MaxScore with block maxima). A document whose sum could still be enough is then looked up in the terms left aside. Scores
 * are added up in the order of the query, so that they are those of scoring.c to the last bit, and only what is surely below
 * the k-th score is left out, so that ties are the same too.
 *
 * Before the first document something is known of the k-th score: the highest weights of k blocks of a term are those of k
 * documents, whose scores are no lower, because weights are above 0 and a rounded sum never falls by adding to it.
 *
 * The postings of a term are documents and weights, or packed as they are in an index: then a block is unpacked when one of
 * its documents is needed, and weighed, tf / (tf + norm of the length), when they are added up. Blocks are not all looked at,
 * so nobody checks here that documents in arrays ascend within a block; where they do not, what is found is wrong, but nothing
 * outside of the arrays is touched.
 */
#include "norms.h"
#include "packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 4096
#define LOOKUP 8 /* looking up a document in a term takes as long as going through so many postings */

typedef struct {
    Array arrays[4]; /* documents and weights, or bytes and where blocks begin; the last and the highest of each block */
    const int32_t *last;
    const double *most;
    double factor, bound; /* what the term adds to a document at most */
    int64_t size, blocks;
    int64_t block; /* the first whose last document is not before the window */
    double here;   /* what it adds at most in the window */
    int aside;
    const int32_t *document; /* all of them, if they are not packed */
    const double *weight;
    const uint8_t *data, *end, *limit; /* if they are */
    const int64_t *start;
    const Norms *norms;
    int64_t loaded, many; /* the block that was looked at last, and its postings */
    const int32_t *documents;
    const double *weights; /* NULL before they are needed */
    Block packed;
    int32_t own_documents[BLOCK];
    double own_weights[BLOCK];
    int damaged;
} Term;

typedef struct {
    double score;
    int32_t rank, document;
} Found;

static inline int
below(const Found *a, const Found *b)
{
    return a->score < b->score || (a->score == b->score && a->rank < b->rank);
}

/* A heap with the lowest at the top: put one in the place of the top, or at the end. */
static void
sink(Found *heap, int64_t n, Found one)
{
    int64_t at = 0, child;
    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && below(&heap[child + 1], &heap[child]))
            child++;
        if (!below(&heap[child], &one))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = one;
}

static void
rise(Found *heap, int64_t n, Found one)
{
    int64_t at = n;
    while (at && below(&one, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = one;
}

/* Look at a block. One that is no postings has none. */
static void
load(Term *t, int64_t block)
{
    int64_t first = block * BLOCK;
    if (t->loaded == block)
        return;
    t->loaded = block;
    t->many = t->size - first < BLOCK ? t->size - first : BLOCK;
    if (t->document) {
        t->documents = t->document + first;
        t->weights = t->weight + first;
        return;
    }
    int64_t before = block ? t->last[block - 1] : -1;
    t->documents = t->own_documents;
    t->weights = NULL;
    if (!unpack_documents(t->data + t->start[block], t->end, t->limit, t->many, &before, t->norms->documents,
                          t->own_documents, &t->packed) ||
        before != t->last[block]) {
        t->damaged = 1;
        t->many = 0;
    }
}

/* What a term that occurs so often is worth in a document. */
static ALWAYS_INLINE double
worth(Term *t, int32_t document, int32_t times)
{
    int64_t own = length_of(t->norms, document);
    if (own >= t->norms->known) {
        t->damaged = 1;
        return 0.0;
    }
    return times / (times + t->norms->norm[own]);
}

/* The weights of the block that is looked at. */
static const double *
weights_of(Term *t)
{
    int32_t tf[BLOCK];
    if (t->weights)
        return t->weights;
    for (int64_t i = 0; i < t->many; i++)
        fetch_length(t->norms, t->own_documents[i]);
    unpack_times(&t->packed, t->many, t->limit, tf);
    for (int64_t i = 0; i < t->many; i++)
        t->own_weights[i] = worth(t, t->own_documents[i], tf[i]);
    return t->weights = t->own_weights;
}

/* The weight of one posting of that block. */
static ALWAYS_INLINE double
weight_at(Term *t, int64_t i)
{
    return t->weights ? t->weights[i] : worth(t, t->own_documents[i], times_at(&t->packed, i, t->limit));
}

/* The first block from one on whose last document is not before d. */
static int64_t
block_of(const Term *t, int64_t block, int32_t d)
{
    int64_t step = 1;
    while (block < t->blocks && t->last[block] < d) { /* in growing steps, then back */
        if (block + step < t->blocks && t->last[block + step] < d) {
            block += step + 1;
            step *= 2;
        } else if (step > 1)
            step = 1;
        else
            block++;
    }
    return block;
}

/* The first posting of the block that is looked at whose document is not before d. */
static int64_t
place_of(const Term *t, int32_t d)
{
    int64_t low = 0, high = t->many;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (t->documents[middle] < d)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct {
    double part, norm, slack;
} Scale;

/* The k-th highest of the highest weights of a term's blocks, by a heap with the lowest at the top; 0 if it has fewer. */
static double
kth_weight(const Term *t, int64_t k, Found *heap)
{
    int64_t kept = 0;
    if (t->blocks < k)
        return 0.0;
    for (int64_t b = 0; b < t->blocks; b++) {
        Found one = {t->most[b], 0, 0};
        if (kept < k)
            rise(heap, kept++, one);
        else if (heap[0].score < one.score)
            sink(heap, k, one);
    }
    return heap[0].score;
}

/* What a sum of bounds can be as a score, rounding in whatever order included. */
static inline double
highest(double sum, const Scale *s)
{
    return (sum * s->slack + s->part) * s->norm;
}

/* The sums of so many documents of a window that were seen, with all terms in the order of the query. Few documents are
 * looked up in each term; of many it is quicker to go through all postings of the window. */
static void
complete(Term *term, int many, int64_t low, int64_t high, int64_t left, double *sum, const uint64_t *seen, int64_t words)
{
    int64_t postings = 0;
    for (int t = 0; t < many; t++) {
        const Term *x = &term[t];
        for (int64_t b = x->block; b < x->blocks && (b == x->block || x->last[b - 1] < high - 1); b++)
            postings += BLOCK;
    }
    if (left * many * LOOKUP < postings) {
        for (int64_t w = 0; w < words; w++)
            for (uint64_t bits = seen[w]; bits; bits &= bits - 1) {
                int64_t at = w * 64 + lowest_bit(bits);
                double whole = 0.0;
                for (int t = 0; t < many; t++) {
                    Term *x = &term[t];
                    int64_t b = block_of(x, x->block, (int32_t)(low + at)), p;
                    if (b >= x->blocks)
                        continue;
                    load(x, b);
                    p = place_of(x, (int32_t)(low + at));
                    if (p < x->many && x->documents[p] == low + at)
                        whole += weight_at(x, p) * x->factor;
                }
                sum[at] = whole;
            }
        return;
    }
    for (int64_t w = 0; w < words; w++)
        for (uint64_t bits = seen[w]; bits; bits &= bits - 1)
            sum[w * 64 + lowest_bit(bits)] = 0.0;
    for (int t = 0; t < many; t++) {
        Term *x = &term[t];
        for (int64_t b = x->block; b < x->blocks && (b == x->block || x->last[b - 1] < high - 1); b++) {
            load(x, b);
            for (int64_t p = place_of(x, (int32_t)low); p < x->many && x->documents[p] < high; p++) {
                uint64_t at = (uint64_t)(x->documents[p] - low);
                if (at < WINDOW && seen[at >> 6] >> (at & 63) & 1)
                    sum[at] += weight_at(x, p) * x->factor;
            }
        }
    }
}

static int64_t
best(Term *term, int many, Scale scale, int64_t n, const int32_t *rank, int64_t k, double *sum, uint64_t *seen, int *order,
     Found *heap, int32_t *documents, double *scores)
{
    int64_t kept = 0, low = 0;
    double least = -INFINITY;
    int t, i, j;
    scale.slack = 1.0 + 1e-15 * (many + 4);
    for (t = 0; t < many; t++) {
        double sure = (kth_weight(&term[t], k, heap) * term[t].factor + scale.part) * scale.norm;
        if (term[t].blocks >= k && sure > least)
            least = sure;
        term[t].block = 0;
    }
    while (low < n) {
        int64_t start = n, high, words, left = 0;
        double aside = 0.0, all = 0.0;
        int some = 0;
        /* terms that cannot lift a document alone do not say where to go on */
        for (i = 0; i < many; i++)
            order[i] = i;
        for (i = 1; i < many; i++)
            for (j = i; j && term[order[j]].bound < term[order[j - 1]].bound; j--) {
                int moved = order[j];
                order[j] = order[j - 1];
                order[j - 1] = moved;
            }
        for (i = 0; i < many; i++) {
            Term *x = &term[order[i]];
            aside += x->bound;
            if (highest(aside, &scale) < least)
                continue;
            int64_t b = block_of(x, x->block, (int32_t)low), next = low;
            if (b >= x->blocks)
                continue;
            if (x->last[b] - low >= WINDOW) { /* else it has a document in a window from here on */
                int64_t p;
                load(x, b);
                p = place_of(x, (int32_t)low);
                next = p < x->many ? x->documents[p] : x->last[b];
            }
            if (next < start)
                start = next;
        }
        if (start >= n)
            break;
        if (start > low) /* it is never before, if documents ascend */
            low = start;
        high = low + WINDOW < n ? low + WINDOW : n;
        for (t = 0; t < many; t++) {
            Term *x = &term[t];
            x->here = 0.0;
            while (x->block < x->blocks && x->last[x->block] < low)
                x->block++;
            for (int64_t b = x->block; b < x->blocks && (b == x->block || x->last[b - 1] < high - 1); b++)
                if (x->most[b] > x->here)
                    x->here = x->most[b];
            x->here *= x->factor;
            all += x->here;
        }
        if (highest(all, &scale) < least) {
            low = high;
            continue;
        }
        for (i = 1; i < many; i++)
            for (j = i; j && term[order[j]].here < term[order[j - 1]].here; j--) {
                int moved = order[j];
                order[j] = order[j - 1];
                order[j - 1] = moved;
            }
        aside = 0.0;
        for (i = 0; i < many; i++) {
            double with = aside + term[order[i]].here;
            term[order[i]].aside = highest(with, &scale) < least;
            if (!term[order[i]].aside)
                break;
            aside = with;
            some = 1;
        }
        for (; i < many; i++)
            term[order[i]].aside = 0;
        for (t = 0; t < many; t++) { /* in the order of the query */
            Term *x = &term[t];
            if (x->aside)
                continue;
            for (int64_t b = x->block; b < x->blocks && (b == x->block || x->last[b - 1] < high - 1); b++) {
                const double *weight;
                load(x, b);
                weight = weights_of(x);
                for (int64_t p = place_of(x, (int32_t)low); p < x->many && x->documents[p] < high; p++) {
                    uint64_t at = (uint64_t)(x->documents[p] - low);
                    if (at >= WINDOW)
                        continue; /* it does not ascend */
                    sum[at] += weight[p] * x->factor;
                    seen[at >> 6] |= (uint64_t)1 << (at & 63);
                }
            }
        }
        words = (high - low + 63) >> 6;
        for (int64_t w = 0; w < words; w++) {
            for (uint64_t bits = seen[w]; bits; bits &= bits - 1) {
                int64_t at = w * 64 + lowest_bit(bits);
                if (highest(sum[at] + aside, &scale) < least) {
                    sum[at] = 0.0;
                    seen[w] &= ~(bits & -bits);
                } else
                    left++;
            }
        }
        if (some && left) /* terms left aside come into the sum where the query has them */
            complete(term, many, low, high, left, sum, seen, words);
        for (int64_t w = 0; w < words; w++) {
            uint64_t bits = seen[w];
            seen[w] = 0;
            for (; bits; bits &= bits - 1) {
                int64_t at = w * 64 + lowest_bit(bits);
                Found one;
                one.score = (sum[at] + scale.part) * scale.norm;
                sum[at] = 0.0;
                if (one.score < least)
                    continue;
                one.document = (int32_t)(low + at);
                one.rank = rank[one.document]; /* not before it is needed: it is seldom in the cache */
                if (kept < k)
                    rise(heap, kept++, one);
                else if (below(&heap[0], &one))
                    sink(heap, k, one);
                if (kept == k && heap[0].score > least)
                    least = heap[0].score;
            }
        }
        low = high;
    }
    for (int64_t last = kept; last; last--) {
        Found lowest = heap[0];
        documents[last - 1] = lowest.document;
        scores[last - 1] = lowest.score;
        sink(heap, last - 1, heap[last - 1]);
    }
    return kept;
}

/* (documents, weights, factor, clauses, lasts, most) of a term, or (data, end, postings, factor, clauses, starts, lasts,
 * most) if it is packed. Its documents ascend and are among those that have norms. */
static int
take_term(PyObject *tuple, const Norms *norms, Term *t)
{
    enum { DOCUMENTS, WEIGHTS, DATA = 0, STARTS = 1, LASTS, MOST };
    int packed = PyTuple_Check(tuple) && PyTuple_GET_SIZE(tuple) == 8;
    int64_t clauses, end = 0, i;
    if (packed) {
        *t = (Term){.arrays = {READS(uint8_t, "data"), READS(int64_t, "starts"), READS(int32_t, "lasts"),
                               READS(double, "most")}};
        if (!take(tuple, "answer: a term", "AiidiAAA", t->arrays, &end, &t->size, &t->factor, &clauses))
            return 0;
    } else {
        *t = (Term){.arrays = {READS(int32_t, "documents"), READS(double, "weights"), READS(int32_t, "lasts"),
                               READS(double, "most")}};
        if (!take(tuple, "answer: a term", "AAdiAA", t->arrays, &t->factor, &clauses))
            return 0;
        t->document = t->arrays[DOCUMENTS].items;
        t->weight = t->arrays[WEIGHTS].items;
        t->size = t->arrays[DOCUMENTS].length;
    }
    t->last = t->arrays[LASTS].items;
    t->most = t->arrays[MOST].items;
    t->norms = norms;
    t->loaded = -1;
    if (t->size < 0 || t->size > norms->documents) {
        refuse(&t->arrays[LASTS], "more postings than documents");
        goto wrong;
    }
    t->blocks = (t->size + BLOCK - 1) / BLOCK;
    if (!has_length(&t->arrays[LASTS], t->blocks) || !has_length(&t->arrays[MOST], t->blocks) ||
        !has_length(&t->arrays[packed ? STARTS : WEIGHTS], packed ? t->blocks : t->size))
        goto wrong;
    if (packed) {
        const int64_t *start = t->start = t->arrays[STARTS].items;
        if (!norms->norm || !is_part("answer: a term", 0, end, t->arrays[DATA].length)) {
            if (!norms->norm)
                refuse(&t->arrays[DATA], "packed postings need the lengths of documents");
            goto wrong;
        }
        for (i = 0; i < t->blocks; i++)
            if (start[i] < 0 || start[i] > end) {
                refuse(&t->arrays[STARTS], "not all within 0 and %lld", (long long)end);
                goto wrong;
            }
        t->data = t->arrays[DATA].items;
        t->end = t->data + end;
        t->limit = t->data + t->arrays[DATA].length;
    } else if (t->size && (t->document[0] < 0 || t->document[t->size - 1] >= norms->documents)) {
        refuse(&t->arrays[DOCUMENTS], "documents that do not ascend below %lld", (long long)norms->documents);
        goto wrong;
    }
    for (i = 0; i < t->blocks; i++) {
        int64_t end_of = (i + 1) * BLOCK < t->size ? (i + 1) * BLOCK : t->size;
        if (t->document && t->last[i] != t->document[end_of - 1]) {
            refuse(&t->arrays[LASTS], "not the last document of a block");
            goto wrong;
        }
        if (t->last[i] < 0 || t->last[i] >= norms->documents || (i && t->last[i] <= t->last[i - 1])) {
            refuse(&t->arrays[LASTS], "documents that do not ascend below %lld", (long long)norms->documents);
            goto wrong;
        }
        if (t->most[i] > t->bound)
            t->bound = t->most[i];
    }
    t->bound *= t->factor;
    return 1;
wrong:
    release(t->arrays, COUNT_OF(t->arrays));
    return 0;
}

/* answer(queries, ranks, small lengths or None, lengths or None, norms or None, k, documents, scores, counts): as scoring.answer, to the last bit; a
 * term has also the last document and the highest weight of each of its blocks of 128 postings, and its documents ascend.
 * Packed terms need the length of each document and the norm of each length. */
static PyObject *
pruning_answer(PyObject *self, PyObject *args)
{
    enum { RANKS, SMALL, LENGTHS, NORMS, DOCUMENTS, SCORES, COUNTS, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ranks"),        MAY_READ(uint8_t, "small"),   MAY_READ(uint16_t, "lengths"),
                       MAY_READ(double, "norms"),      WRITES(int32_t, "documents"), WRITES(double, "scores"),
                       WRITES(int64_t, "counts")};
    PyObject *queries, *terms, *result = NULL;
    Py_ssize_t many, q, t;
    int64_t k, n;
    Found *heap = NULL;
    double *sum = NULL;
    uint64_t *seen = NULL;
    Norms norms;

    (void)self;
    if (!take(args, "answer", "TAAAAiAAA", a, &queries, &k))
        return NULL;
    many = PyTuple_GET_SIZE(queries);
    n = a[RANKS].length;
    norms = (Norms){.documents = n};
    if (!has_length(&a[COUNTS], (int64_t)many) ||
        (a[NORMS].items && !take_norms(&a[SMALL], &a[LENGTHS], &a[NORMS], &norms)))
        goto done;
    if (norms.documents != n) {
        refuse(&a[LENGTHS], "%lld, not %lld", (long long)norms.documents, (long long)n);
        goto done;
    }
    if (k < 1 || n > INT32_MAX - WINDOW || k > n || (many && k > INT64_MAX / many)) {
        PyErr_Format(PyExc_ValueError, "answer: %lld of %lld documents", (long long)k, (long long)n);
        goto done;
    }
    if (!has_length(&a[DOCUMENTS], many * k) || !has_length(&a[SCORES], many * k))
        goto done;
    heap = malloc((size_t)(k + 1) * sizeof *heap);
    sum = calloc(WINDOW, sizeof *sum);
    seen = calloc(WINDOW / 64, sizeof *seen);
    if (!heap || !sum || !seen) {
        PyErr_NoMemory();
        goto done;
    }
    for (q = 0; q < many; q++) {
        Scale scale;
        Term *term;
        int *order, fine = 1;
        Py_ssize_t size, taken = 0;
        if (!take(PyTuple_GET_ITEM(queries, q), "answer: a query", "Tdd", NULL, &terms, &scale.part, &scale.norm))
            goto done;
        if (!(scale.norm > 0)) {
            PyErr_Format(PyExc_ValueError, "answer: a norm that is not above 0");
            goto done;
        }
        size = PyTuple_GET_SIZE(terms);
        term = malloc((size_t)(size + 1) * sizeof *term);
        order = malloc((size_t)(size + 1) * sizeof *order);
        if (!term || !order || size > INT32_MAX) {
            PyErr_NoMemory();
            fine = 0;
        }
        for (t = 0; fine && t < size; t++) {
            fine = take_term(PyTuple_GET_ITEM(terms, t), &norms, &term[t]);
            taken += fine;
        }
        if (fine) {
            Py_BEGIN_ALLOW_THREADS
            ((int64_t *)a[COUNTS].items)[q] =
                best(term, (int)size, scale, n, a[RANKS].items, k, sum, seen, order, heap,
                     (int32_t *)a[DOCUMENTS].items + q * k, (double *)a[SCORES].items + q * k);
            Py_END_ALLOW_THREADS
        }
        while (taken) {
            if (term[--taken].damaged && fine)
                fine = refuse(&term[taken].arrays[0], "no postings of so many documents");
            release(term[taken].arrays, COUNT_OF(term->arrays));
        }
        free(term);
        free(order);
        if (!fine)
            goto done;
    }
    result = Py_NewRef(Py_None);
done:
    free(heap);
    free(sum);
    free(seen);
    release(a, ARRAYS);
    return result;
}

PyMethodDef pruning_entries[] = {
    {"answer", pruning_answer, METH_VARARGS, "the best documents for queries, leaving out what cannot be among them"},
    END_OF_ENTRIES,
};
