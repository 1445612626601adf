/* Runs become a pool.
 *
 *   top     ranked documents of a run        ->  the rows of its first documents, topic by topic, in rank order
 *   number  (topic, document) of these rows  ->  numbers of pairs; a pair that is new is put into the table
 *
 * core/fallback.py says the same in Python, and the tests hold both to the same results.
 */
#include "ranking.h"

#include <stdlib.h>

/* top(data, starts, lengths, scores, offsets, depth, rows, out_offsets): rows has the first depth rows of each topic from
 * out_offsets[topic] on, as many as the topic has up to depth. */
static PyObject *
pooling_top(PyObject *self, PyObject *args)
{
    enum { DATA, STARTS, LENGTHS, SCORES, OFFSETS, ROWS, OUT_OFFSETS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"),   READS(int64_t, "starts"),  READS(int32_t, "lengths"),
                       READS(double, "scores"),  READS(int64_t, "offsets"), WRITES(int64_t, "rows"),
                       READS(int64_t, "out_offsets")};
    const int64_t *offset, *out;
    int64_t depth, topics, topic, longest = 0, *rows;
    Ranked *order = NULL, *spare = NULL;
    PyObject *result = NULL;
    Strings s;

    (void)self;
    if (!take(args, "top", "AAAAAiAA", a, &depth))
        return NULL;
    offset = a[OFFSETS].items;
    out = a[OUT_OFFSETS].items;
    rows = a[ROWS].items;
    topics = a[OFFSETS].length - 1;
    if (!has_room(&a[OFFSETS], 1) || !strings_of(a, &a[OFFSETS], 0, topics, &s) ||
        !has_length(&a[SCORES], a[STARTS].length) || !has_length(&a[OUT_OFFSETS], topics + 1) ||
        !ascends(&a[OUT_OFFSETS], 0, topics, a[ROWS].length))
        goto done;
    for (topic = 0; topic < topics; topic++) {
        int64_t n = offset[topic + 1] - offset[topic], kept = n < depth ? n : depth;
        if (depth < 1 || out[topic + 1] - out[topic] != kept) {
            refuse(&a[OUT_OFFSETS], "no room for the first %lld of %lld rows", (long long)depth, (long long)n);
            goto done;
        }
        longest = n > longest ? n : longest;
    }
    order = malloc((size_t)(longest + 1) * sizeof *order);
    spare = malloc((size_t)(longest + 1) * sizeof *spare);
    if (!order || !spare) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (topic = 0; topic < topics; topic++) {
        int64_t kept = out[topic + 1] - out[topic], r;
        rank_topic(&s, a[SCORES].items, 0, offset[topic], offset[topic + 1] - offset[topic], order, spare);
        for (r = 0; r < kept; r++)
            rows[out[topic] + r] = order[r].row;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(order);
    free(spare);
    release(a, ARRAYS);
    return result;
}

/* Whether a string of a pair lies in the bytes that are used. */
static inline int
is_string(int64_t start, int32_t length, int64_t used)
{
    return start >= 0 && length >= 0 && start <= used - length;
}

static inline uint64_t
slot_of(const uint8_t *string, int32_t length, int32_t topic)
{
    return stir(hash(string, length) + (uint64_t)(uint32_t)topic);
}

/* number(data, starts, lengths, topics, ids, pair_starts, pair_lengths, pair_topics, slots, numbers, pairs, used): row i is
 * document i of topic topics[i]; its number goes to numbers[i]. The table has `pairs` pairs and `used` bytes of ids, and
 * room for all rows: the ids of new pairs are appended to ids. slots (a power of two, filled half at most) hold numbers
 * + 1; they are filled anew if slots[0 .. ] are all zero, which the caller sees to when it makes them larger.
 * Returns (pairs, used) after it. */
static PyObject *
pooling_number(PyObject *self, PyObject *args)
{
    enum { DATA, STARTS, LENGTHS, TOPICS, IDS, PSTARTS, PLENGTHS, PTOPICS, SLOTS, NUMBERS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"),        READS(int64_t, "starts"),       READS(int32_t, "lengths"),
                       READS(int32_t, "topics"),      WRITES(uint8_t, "ids"),         WRITES(int64_t, "pair_starts"),
                       WRITES(int32_t, "pair_lengths"), WRITES(int32_t, "pair_topics"), WRITES(int32_t, "slots"),
                       WRITES(int32_t, "numbers")};
    int64_t pairs, used, rows, size, row, pair, bytes = 0, *pair_start, limit;
    int32_t *pair_length, *pair_topic, *slots, *numbers;
    const int32_t *topic;
    uint8_t *ids;
    uint64_t mask, bits = 0;
    int failed = 0;
    PyObject *result = NULL;
    Strings s;

    (void)self;
    if (!take(args, "number", "AAAAAAAAAAii", a, &pairs, &used))
        return NULL;
    s = (Strings){a[DATA].items, a[STARTS].items, a[LENGTHS].items};
    topic = a[TOPICS].items;
    ids = a[IDS].items;
    pair_start = a[PSTARTS].items;
    pair_length = a[PLENGTHS].items;
    pair_topic = a[PTOPICS].items;
    slots = a[SLOTS].items;
    numbers = a[NUMBERS].items;
    rows = a[STARTS].length;
    size = a[SLOTS].length;
    limit = a[PSTARTS].length;
    if (!has_length(&a[LENGTHS], rows) || !has_length(&a[TOPICS], rows) || !has_length(&a[NUMBERS], rows) ||
        !has_length(&a[PLENGTHS], limit) || !has_length(&a[PTOPICS], limit))
        goto done;
    if (pairs < 0 || limit > INT32_MAX / 4 || pairs > limit || rows > limit - pairs) {
        refuse(&a[PSTARTS], "no room for %lld rows after %lld pairs", (long long)rows, (long long)pairs);
        goto done;
    }
    if (size < 2 || (size & (size - 1)) || size < 2 * (pairs + rows)) {
        refuse(&a[SLOTS], "a table of %lld slots", (long long)size);
        goto done;
    }
    for (row = 0; row < rows; row++) {
        uint64_t end = (uint64_t)a[DATA].length, start = (uint64_t)s.starts[row],
                 length = (uint64_t)(int64_t)s.lengths[row];
        bits |= start | length | (end - start) | (end - start - length);
        bytes = plus(bytes, (int64_t)(length & 0x7fffffff));
    }
    if (bits >> 63) {
        refuse(&a[STARTS], "strings that are not in their data");
        goto done;
    }
    if (used < 0 || used > a[IDS].length || bytes > a[IDS].length - used) {
        refuse(&a[IDS], "no room for %lld bytes after %lld", (long long)bytes, (long long)used);
        goto done;
    }
    mask = (uint64_t)(size - 1);
    Py_BEGIN_ALLOW_THREADS
    {
        int64_t taken = 0;
        for (row = 0; row < size && !taken; row++)
            taken = slots[row];
        for (pair = taken ? pairs : 0; pair < pairs && !failed; pair++) { /* larger slots: all pairs anew */
            if ((failed = !is_string(pair_start[pair], pair_length[pair], used)))
                break;
            uint64_t at = slot_of(ids + pair_start[pair], pair_length[pair], pair_topic[pair]) & mask;
            while (slots[at])
                at = (at + 1) & mask;
            slots[at] = (int32_t)pair + 1;
        }
    }
    for (row = 0; row < rows && !failed; row++) {
        const uint8_t *string = s.data + s.starts[row];
        int32_t length = s.lengths[row];
        uint64_t at = slot_of(string, length, topic[row]) & mask;
        int64_t step = 0;
        for (; slots[at]; at = (at + 1) & mask) {
            pair = (int64_t)slots[at] - 1;
            if ((failed = pair < 0 || pair >= pairs || ++step > size ||
                          !is_string(pair_start[pair], pair_length[pair], used)))
                break;
            if (pair_topic[pair] == topic[row] && pair_length[pair] == length &&
                memcmp(ids + pair_start[pair], string, (size_t)length) == 0)
                break;
        }
        if (failed)
            break;
        if (!slots[at]) {
            pair = pairs++;
            slots[at] = (int32_t)pair + 1;
            pair_start[pair] = used;
            pair_length[pair] = length;
            pair_topic[pair] = topic[row];
            memcpy(ids + used, string, (size_t)length);
            used += length;
        }
        numbers[row] = slots[at] - 1;
    }
    Py_END_ALLOW_THREADS
    if (failed)
        refuse(&a[SLOTS], "not the table of these pairs");
    else
        result = Py_BuildValue("LL", (long long)pairs, (long long)used);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef pooling_entries[] = {
    {"top", pooling_top, METH_VARARGS, "the first documents of each topic"},
    {"number", pooling_number, METH_VARARGS, "numbers of pairs of a topic and a document"},
    END_OF_ENTRIES,
};
