/* Columns of strings, and the rows of a topic in the order in which every reader of a run ranks them. */
#ifndef ADJUDGE_RANKING_H
#define ADJUDGE_RANKING_H

#include "buffers.h"
#include "hash.h"

/* The first three arrays of the entries, and of the judgments: string i is data[starts[i] : starts[i] + lengths[i]]. */
typedef struct {
    const uint8_t *data;
    const int64_t *starts;
    const int32_t *lengths;
} Strings;

#define STRAY_STRINGS "strings that are not in their data"

/* Whether the strings of rows [first, last) lie in data of so many bytes. */
static inline int
are_within(const Strings *s, int64_t size, int64_t first, int64_t last)
{
    const uint64_t limit = (uint64_t)size;
    uint64_t bits = 0;
    for (int64_t row = first; row < last; row++) { /* the top bit: one of them is below 0 */
        uint64_t start = (uint64_t)s->starts[row], length = (uint64_t)(int64_t)s->lengths[row];
        bits |= start | length | (limit - start) | (limit - start - length);
    }
    return !(bits >> 63);
}

/* Whether rows first to last are offsets of topics, and strings that lie in their data. */
static int
strings_of(const Array *a, const Array *offsets, int64_t first, int64_t last, Strings *s)
{
    const int64_t *offset = offsets->items;
    int fine;
    *s = (Strings){a[0].items, a[1].items, a[2].items};
    if (!has_length(&a[2], a[1].length) || !ascends(offsets, first, last, a[1].length))
        return 0;
    Py_BEGIN_ALLOW_THREADS
    fine = are_within(s, a[0].length, offset[first], offset[last]);
    Py_END_ALLOW_THREADS
    return fine ? 1 : refuse(&a[1], STRAY_STRINGS);
}

typedef struct {
    double score;
    int64_t row;
} Ranked;

/* Is a ranked before b? Higher score first; among equals the document id that comes later in byte order. */
static inline int
before(const Strings *s, const Ranked *a, const Ranked *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return compare(s->data + s->starts[a->row], s->lengths[a->row], s->data + s->starts[b->row], s->lengths[b->row]) > 0;
}

static void
rank(const Strings *s, Ranked *a, Ranked *spare, int64_t n)
{
    int64_t half = n / 2, i, j, k;
    if (n <= 12) {
        for (i = 1; i < n; i++) {
            Ranked x = a[i];
            for (j = i; j > 0 && before(s, &x, &a[j - 1]); j--)
                a[j] = a[j - 1];
            a[j] = x;
        }
        return;
    }
    rank(s, a, spare, half);
    rank(s, a + half, spare, n - half);
    if (!before(s, &a[half], &a[half - 1]))
        return;
    memcpy(spare, a, (size_t)half * sizeof *a);
    for (i = 0, j = half, k = 0; i < half; k++)
        a[k] = j < n && before(s, &a[j], &spare[i]) ? a[j++] : spare[i++];
}

/* The rows of a topic in the order of their ranks, in order. */
static void
rank_topic(const Strings *s, const double *scores, int single, int64_t from, int64_t n, Ranked *order, Ranked *spare)
{
    int sorted = 1;
    int64_t r;
    for (r = 0; r < n; r++) {
        order[r].score = single ? (double)(float)scores[from + r] : scores[from + r];
        order[r].row = from + r;
        sorted = sorted && (r == 0 || order[r - 1].score >= order[r].score);
    }
    if (!sorted)
        rank(s, order, spare, n);
    else /* only ties can be out of order */
        for (r = 1; r < n; r++)
            if (order[r].score == order[r - 1].score) {
                int64_t start = r - 1;
                while (r < n && order[r].score == order[start].score)
                    r++;
                rank(s, order + start, spare, r - start);
            }
}

#endif
