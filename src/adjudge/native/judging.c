/* Documents of a run meet the judgments.
 *
 *   index  documents of each topic    ->  hash tables, and the first document that occurs twice
 *   judge  ranked documents + tables  ->  (rank, grade) of the documents in the pool
 *
 * core/fallback.py says the same in Python, and the tests hold both to the same results.
 */
#include "ranking.h"

#include <stdlib.h>

/* ---------------------------------------------------------------- index */

/* Puts rows [first, last) of a topic into its table of `size` slots (a power of two, all zero), row + 1 in a slot.
 * Returns -1, or the first row whose string an earlier row has; that earlier row goes to *twin. */
static int64_t
fill_table(const Strings *s, int64_t first, int64_t last, int32_t *slots, int64_t size, int64_t *twin)
{
    int64_t row;
    for (row = first; row < last; row++) {
        const uint8_t *string = s->data + s->starts[row];
        int32_t length = s->lengths[row];
        uint64_t at = hash(string, length) & (uint64_t)(size - 1);
        for (; slots[at]; at = (at + 1) & (uint64_t)(size - 1)) {
            int64_t other = first + slots[at] - 1;
            if (s->lengths[other] == length && memcmp(s->data + s->starts[other], string, (size_t)length) == 0) {
                *twin = other;
                return row;
            }
        }
        slots[at] = (int32_t)(row - first + 1);
    }
    return -1;
}

/* The size of the table of so many strings; table.py says the same. */
static int64_t
slots_for(int64_t rows)
{
    int64_t size = 2;
    while (size < 2 * rows)
        size *= 2;
    return size;
}

/* index(data, starts, lengths, offsets, slots, slot_offsets, first, last): fills the tables of topics [first, last).
 * slot_offsets None: one scratch table is used again and again, only duplicates are looked for.
 * Returns None, or (row, earlier row) of the first duplicate. */
static PyObject *
judging_index(PyObject *self, PyObject *args)
{
    enum { DATA, STARTS, LENGTHS, OFFSETS, SLOTS, SLOT_OFFSETS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"),    READS(int64_t, "starts"), READS(int32_t, "lengths"),
                       READS(int64_t, "offsets"), WRITES(int32_t, "slots"), MAY_READ(int64_t, "slot_offsets")};
    const int64_t *offset, *slot_offset;
    int64_t first, last, topic, duplicate = -1, twin = -1;
    PyObject *result = NULL;
    Strings s;

    (void)self;
    if (!take(args, "index", "AAAAAAii", a, &first, &last))
        return NULL;
    offset = a[OFFSETS].items;
    slot_offset = a[SLOT_OFFSETS].items;
    if (!is_part("index", first, last, a[OFFSETS].length - 1) || !strings_of(a, &a[OFFSETS], first, last, &s) ||
        (slot_offset && !ascends(&a[SLOT_OFFSETS], first, last, a[SLOTS].length)))
        goto done;
    for (topic = first; topic < last; topic++) {
        int64_t rows = offset[topic + 1] - offset[topic];
        int64_t room = slot_offset ? slot_offset[topic + 1] - slot_offset[topic] : a[SLOTS].length;
        if (rows > INT32_MAX / 4 || room < slots_for(rows) || (slot_offset && room != slots_for(rows))) {
            refuse(&a[SLOTS], "no table of %lld slots for %lld strings", (long long)room, (long long)rows);
            goto done;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    for (topic = first; topic < last && duplicate < 0; topic++) {
        int64_t size = slots_for(offset[topic + 1] - offset[topic]);
        int32_t *own = (int32_t *)a[SLOTS].items + (slot_offset ? slot_offset[topic] : 0);
        memset(own, 0, (size_t)size * sizeof *own);
        duplicate = fill_table(&s, offset[topic], offset[topic + 1], own, size, &twin);
    }
    Py_END_ALLOW_THREADS
    result = duplicate < 0 ? Py_NewRef(Py_None) : Py_BuildValue("LL", (long long)duplicate, (long long)twin);
done:
    release(a, ARRAYS);
    return result;
}

/* ---------------------------------------------------------------- judge */

typedef struct {
    Strings run, pool;
    int64_t pool_bytes;
    const double *scores;
    const int64_t *offsets, *pool_offsets, *slot_offsets, *out_offsets;
    const int32_t *which, *pool_grades, *slots;
    int32_t *ranks, *grades, *counts;
    int single;
    Ranked *order, *spare; /* room for the longest topic */
} Judging;

enum { TWICE = 1, NO_TABLE, STRAY };

/* The rank and grade of each row of a topic that is in the pool; 0, or what is wrong. */
static int
look_up(const Judging *j, int64_t topic, int64_t n)
{
    int32_t q = j->which[topic];
    const int32_t *slots = j->slots + j->slot_offsets[q];
    uint64_t mask = (uint64_t)(j->slot_offsets[q + 1] - j->slot_offsets[q] - 1);
    int64_t from = j->pool_offsets[q], judged = j->pool_offsets[q + 1] - from, out = j->out_offsets[topic], r;
    if (!are_within(&j->pool, j->pool_bytes, from, from + judged)) /* here, because a block of a run asks for few topics */
        return STRAY;
    for (r = 0; r < n; r++) {
        int64_t row = j->order[r].row;
        const uint8_t *string = j->run.data + j->run.starts[row];
        int32_t length = j->run.lengths[row];
        uint64_t at = hash(string, length) & mask, step;
        for (step = 0; slots[at]; at = (at + 1) & mask) {
            int64_t other = from + slots[at] - 1;
            if (slots[at] < 0 || slots[at] > judged || step++ > mask)
                return NO_TABLE;
            if (j->pool.lengths[other] == length &&
                memcmp(j->pool.data + j->pool.starts[other], string, (size_t)length) == 0) {
                if (out >= j->out_offsets[topic + 1]) /* more hits than documents: one occurs twice */
                    return TWICE;
                j->ranks[out] = (int32_t)(r + 1);
                j->grades[out++] = j->pool_grades[other];
                j->counts[topic]++;
                break;
            }
        }
    }
    return 0;
}

/* judge(run: data, starts, lengths, scores, offsets, which;
 *       judgments: data, starts, lengths, grades, offsets, slots, slot_offsets;
 *       out: ranks, grades, out_offsets, counts; single, first, last)
 * which[t] is the judged topic of run topic t, or -1. Topic t writes counts[t] pairs from out_offsets[t] on. */
static PyObject *
judging_judge(PyObject *self, PyObject *args)
{
    enum { DATA, STARTS, LENGTHS, SCORES, OFFSETS, WHICH, QDATA, QSTARTS, QLENGTHS, QGRADES, QOFFSETS, QSLOTS,
           QSLOT_OFFSETS, RANKS, GRADES, OUT_OFFSETS, COUNTS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"), READS(int64_t, "starts"), READS(int32_t, "lengths"),
                       READS(double, "scores"), READS(int64_t, "offsets"), READS(int32_t, "which"),
                       READS(uint8_t, "judged data"), READS(int64_t, "judged starts"), READS(int32_t, "judged lengths"),
                       READS(int32_t, "judged grades"), READS(int64_t, "judged offsets"), READS(int32_t, "slots"),
                       READS(int64_t, "slot_offsets"), WRITES(int32_t, "ranks"), WRITES(int32_t, "grades"),
                       READS(int64_t, "out_offsets"), WRITES(int32_t, "counts")};
    int64_t first, last, topic, longest = 0, pools;
    int failed = 0;
    PyObject *result = NULL;
    Judging j = {0};

    (void)self;
    if (!take(args, "judge", "AAAAAAAAAAAAAAAAApii", a, &j.single, &first, &last))
        return NULL;
    pools = a[QOFFSETS].length - 1;
    if (!is_part("judge", first, last, a[OFFSETS].length - 1) || !strings_of(a, &a[OFFSETS], first, last, &j.run) ||
        !has_length(&a[SCORES], a[STARTS].length) || !has_room(&a[WHICH], last) || !has_room(&a[COUNTS], last) ||
        !has_room(&a[QOFFSETS], 1) || !has_length(&a[QLENGTHS], a[QSTARTS].length) ||
        !ascends(&a[QOFFSETS], 0, pools, a[QSTARTS].length) ||
        !has_length(&a[QGRADES], a[QSTARTS].length) || !has_length(&a[QSLOT_OFFSETS], pools + 1) ||
        !ascends(&a[QSLOT_OFFSETS], 0, pools, a[QSLOTS].length) || !has_length(&a[GRADES], a[RANKS].length) ||
        !ascends(&a[OUT_OFFSETS], first, last, a[RANKS].length))
        goto done;
    j.pool_bytes = a[QDATA].length;
    j.pool = (Strings){a[QDATA].items, a[QSTARTS].items, a[QLENGTHS].items};
    j.scores = a[SCORES].items;
    j.offsets = a[OFFSETS].items;
    j.which = a[WHICH].items;
    j.pool_grades = a[QGRADES].items;
    j.pool_offsets = a[QOFFSETS].items;
    j.slots = a[QSLOTS].items;
    j.slot_offsets = a[QSLOT_OFFSETS].items;
    j.ranks = a[RANKS].items;
    j.grades = a[GRADES].items;
    j.out_offsets = a[OUT_OFFSETS].items;
    j.counts = a[COUNTS].items;
    for (topic = first; topic < last; topic++) {
        int64_t n = j.offsets[topic + 1] - j.offsets[topic], q = j.which[topic], size;
        if (q < -1 || q >= pools || n > INT32_MAX) {
            refuse(&a[WHICH], "%lld is no judged topic", (long long)q);
            goto done;
        }
        if (q < 0)
            continue;
        size = j.slot_offsets[q + 1] - j.slot_offsets[q];
        if (size < 1 || (size & (size - 1))) {
            refuse(&a[QSLOTS], "a table of %lld slots", (long long)size);
            goto done;
        }
        longest = n > longest ? n : longest;
    }
    j.order = malloc((size_t)(longest + 1) * sizeof *j.order);
    j.spare = malloc((size_t)(longest + 1) * sizeof *j.spare);
    if (!j.order || !j.spare) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (topic = first; topic < last && !failed; topic++) {
        int64_t n = j.offsets[topic + 1] - j.offsets[topic];
        j.counts[topic] = 0;
        if (j.which[topic] < 0)
            continue;
        rank_topic(&j.run, j.scores, j.single, j.offsets[topic], n, j.order, j.spare);
        failed = look_up(&j, topic, n);
    }
    Py_END_ALLOW_THREADS
    if (failed == TWICE)
        PyErr_SetString(PyExc_IndexError, "a document occurs twice in a topic of the run");
    else if (failed == STRAY)
        refuse(&a[QSTARTS], STRAY_STRINGS);
    else if (failed)
        refuse(&a[QSLOTS], "not the table of these judgments");
    else
        result = Py_NewRef(Py_None);
done:
    free(j.order);
    free(j.spare);
    release(a, ARRAYS);
    return result;
}

PyMethodDef judging_entries[] = {
    {"index", judging_index, METH_VARARGS, "hash tables of the documents of each topic"},
    {"judge", judging_judge, METH_VARARGS, "ranks and grades of the documents in the pool"},
    END_OF_ENTRIES,
};
