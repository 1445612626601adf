/* The loops of part-of-speech tagging: what stands between tokens, and the walk through a table of decisions.
 *
 * text/tagging/breaks.py, rules.py and crf.py hold the definitions; both must give the same. */
#include "buffers.h"

enum { BLANK, TAB, NEWLINE, PARAGRAPH, PERIOD, STOP, DASH, APOSTROPHE, REST };

static int kind(uint32_t c)
{
    if (c < 0x80) {
        switch (c) {
        case '\t': return TAB;
        case '\n': return NEWLINE;
        case '.': return PERIOD;
        case '?': case '!': return STOP;
        case '-': return DASH;
        case '\'': return APOSTROPHE;
        default: return c <= 0x20 || c == 0x7f ? BLANK : REST;
        }
    }
    if (c == 0x85 || c == 0x2028) return NEWLINE;
    if (c == 0x2029) return PARAGRAPH;
    if (c == 0x2019) return APOSTROPHE;
    if ((c >= 0x2010 && c <= 0x2013) || c == 0x2212) return DASH;
    if (c == 0xa0 || c == 0xad || c == 0x1680 || (c >= 0x2000 && c <= 0x200d) || c == 0x202f || c == 0x205f ||
        c == 0x2060 || c == 0x3000 || c == 0xfeff)
        return BLANK;
    return REST;
}

/* 0 joined, 1 punctuation, 2 new sentence, 3 a period and blanks, 4 another stop, 5 the end of a line. */
static int gap(const uint32_t *from, const uint32_t *to)
{
    int first = to > from ? kind(*from) : BLANK;
    int joined = 1, period = first == PERIOD && to - from > 1, stop = 0, stopped = 0, wide = 0, newline = 0;
    int open = 1, tab = 0; /* open: the run of blanks at hand did not begin a line */
    Py_ssize_t run = 0;
    for (const uint32_t *at = from; at < to; at++) {
        int k = kind(*at);
        if (k <= NEWLINE) {
            stopped |= stop;
            if (k == NEWLINE) {
                if (newline) return 2;
                newline = 1;
                open = 0;
                run = 0;
                tab = 0;
            } else {
                run++;
                tab |= k == TAB;
            }
            continue;
        }
        if (k == PARAGRAPH) return 2;
        wide |= open && (run >= 3 || tab);
        newline = 0;
        open = 1;
        run = 0;
        tab = 0;
        stop |= k == PERIOD || k == STOP;
        if (at > from) period = 0;
        if (at > from || (k != DASH && k != APOSTROPHE)) joined = 0;
    }
    wide |= open && (run >= 3 || tab);
    if (period) return 3;
    if (stopped) return 4;
    if (wide || !joined) return 1;
    return newline && first <= NEWLINE ? 5 : 0;
}

/* gaps(codes, text ends, token offsets, spans [n, 2], out) */
static PyObject *
tagging_gaps(PyObject *self, PyObject *args)
{
    enum { CODES, BEGINS, OFFSETS, SPANS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(uint32_t, "codes"), READS(int64_t, "begins"), READS(int64_t, "offsets"),
                       READS(int32_t, "spans"), WRITES(uint8_t, "out")};
    PyObject *result = NULL;
    int64_t texts;
    (void)self;
    if (!take(args, "gaps", "AAAAA", a)) return NULL;
    texts = a[BEGINS].length - 1;
    if (!has_room(&a[BEGINS], 1) || !has_length(&a[OFFSETS], texts + 1) || !has_length(&a[SPANS], 2 * a[OUT].length) ||
        !ascends(&a[BEGINS], 0, texts, a[CODES].length) || !ascends(&a[OFFSETS], 0, texts, a[OUT].length))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *begin = a[BEGINS].items, *offset = a[OFFSETS].items;
    const int32_t *span = a[SPANS].items;
    uint8_t *out = a[OUT].items;
    for (int64_t t = 0; t < texts; t++) {
        const uint32_t *text = (const uint32_t *)a[CODES].items + begin[t];
        int64_t length = begin[t + 1] - begin[t];
        for (int64_t i = offset[t] + 1; i < offset[t + 1]; i++) {
            int64_t from = span[2 * i - 1], to = span[2 * i];
            from = from < 0 ? 0 : from > length ? length : from;
            to = to < from ? from : to > length ? length : to;
            out[i] = (uint8_t)gap(text + from, text + to);
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* walk(ids, rows [types, 3], shapes, breaks, table [profiles, 22, 23], after, tags [22], out) */
enum { ADVERB = 7, BETWEEN = 19, START = 20, BEFORES = 22, AFTERS = 23 };

static int
below(const Array *array, uint8_t limit)
{
    const uint8_t *item = array->items;
    for (int64_t i = 0; i < array->length; i++)
        if (item[i] >= limit) return refuse(array, "no such class");
    return 1;
}

static PyObject *
tagging_walk(PyObject *self, PyObject *args)
{
    enum { IDS, ROWS, SHAPES, BREAKS, TABLE, AFTER, TAGS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ids"),   READS(uint16_t, "rows"), READS(uint8_t, "shapes"),
                       READS(uint8_t, "breaks"), READS(uint8_t, "table"), READS(uint8_t, "after"),
                       READS(uint8_t, "tags"),   WRITES(uint8_t, "out")};
    PyObject *result = NULL;
    const uint16_t *rows;
    int64_t n, types, profiles;
    (void)self;
    if (!take(args, "walk", "AAAAAAAA", a)) return NULL;
    n = a[OUT].length;
    types = a[SHAPES].length;
    profiles = a[AFTER].length;
    rows = a[ROWS].items;
    if (!has_length(&a[IDS], n) || !has_length(&a[BREAKS], n) || !has_length(&a[ROWS], 3 * types) ||
        !has_length(&a[TABLE], profiles * BEFORES * AFTERS) || !has_length(&a[TAGS], BEFORES) ||
        !points_into(&a[IDS], types) || !below(&a[AFTER], AFTERS) || !below(&a[TABLE], BEFORES))
        goto done;
    for (int64_t i = 0; i < a[ROWS].length; i++)
        if (rows[i] >= profiles) {
            refuse(&a[ROWS], "a type without profile");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *ids = a[IDS].items;
    const uint8_t *shapes = a[SHAPES].items, *breaks = a[BREAKS].items, *table = a[TABLE].items;
    const uint8_t *after = a[AFTER].items, *tags = a[TAGS].items;
    uint8_t *out = a[OUT].items;
    for (int64_t first = 0, last; first < n; first = last) {
        int64_t capitals = 0, words = 0;
        for (last = first; last < n && (last == first || breaks[last] != 2); last++) {
            uint8_t shape = shapes[ids[last]];
            capitals += shape == 2;
            words += shape > 0;
        }
        int shouted = capitals >= 3 && 5 * capitals >= 3 * words;
        int before = START, column = shouted ? 2 : 1, later = shouted ? 2 : 0;
        uint16_t row = rows[3 * (int64_t)ids[first] + column];
        for (int64_t i = first; i < last; i++) {
            if (i > first && breaks[i] == 1) before = BETWEEN;
            uint16_t next = 0;
            int follows = START;
            if (i + 1 < last) {
                next = rows[3 * (int64_t)ids[i + 1] + later];
                follows = breaks[i + 1] == 1 ? BETWEEN : after[next];
            }
            int found = table[((int64_t)row * BEFORES + before) * AFTERS + follows];
            out[i] = tags[found];
            if (found != ADVERB) before = found;
            row = next;
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* viterbi(ids, ends, scores [words, 5, labels], edges [2, labels], transitions [labels, labels], out) */
enum { MOST_LABELS = 128 };

static void add(float *to, const float *from, int n)
{
    for (int j = 0; j < n; j++) to[j] += from[j];
}

/* Where the compiler can, this is compiled twice, and the processor chooses. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) /* which is not there yet when the processor is asked */
__attribute__((target_clones("avx2", "default")))
#endif
static void sentence(const int32_t *ids, int64_t n, const float *scores, const float *edges, const float *transitions,
                     int labels, uint8_t *back, uint8_t *out)
{
    float now[MOST_LABELS], old[MOST_LABELS], top[MOST_LABELS];
    int32_t from[MOST_LABELS];
    int64_t word = 5 * (int64_t)labels;
    for (int64_t i = 0; i < n; i++) {
        const float *own = scores + ids[i] * word;
        for (int j = 0; j < labels; j++) now[j] = own[j];
        if (i > 0) add(now, scores + ids[i - 1] * word + labels, labels);
        if (i > 1) add(now, scores + ids[i - 2] * word + 2 * labels, labels);
        if (i + 1 < n) add(now, scores + ids[i + 1] * word + 3 * labels, labels);
        if (i + 2 < n) add(now, scores + ids[i + 2] * word + 4 * labels, labels);
        if (i == 0) add(now, edges, labels);
        if (i == n - 1) add(now, edges + labels, labels);
        if (i > 0) {
            for (int j = 0; j < labels; j++) {
                top[j] = old[0] + transitions[j];
                from[j] = 0;
            }
            for (int k = 1; k < labels; k++) {
                const float *row = transitions + (int64_t)k * labels;
                float base = old[k];
                for (int j = 0; j < labels; j++) {
                    float way = base + row[j];
                    int better = way > top[j];
                    top[j] = better ? way : top[j];
                    from[j] = better ? k : from[j];
                }
            }
            for (int j = 0; j < labels; j++) back[i * labels + j] = (uint8_t)from[j];
            add(now, top, labels);
        }
        for (int j = 0; j < labels; j++) old[j] = now[j];
    }
    int label = 0;
    for (int j = 1; j < labels; j++)
        if (old[j] > old[label]) label = j;
    for (int64_t i = n - 1; i >= 0; i--) {
        out[i] = (uint8_t)label;
        if (i) label = back[i * labels + label];
    }
}

static PyObject *
tagging_viterbi(PyObject *self, PyObject *args)
{
    enum { IDS, ENDS, SCORES, EDGES, TRANSITIONS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ids"), READS(int64_t, "ends"), READS(float, "scores"),
                       READS(float, "edges"), READS(float, "transitions"), WRITES(uint8_t, "out")};
    PyObject *result = NULL;
    const int64_t *ends;
    uint8_t *back = NULL;
    int64_t n, sentences, labels, longest = 0;
    (void)self;
    if (!take(args, "viterbi", "AAAAAA", a)) return NULL;
    n = a[OUT].length;
    ends = a[ENDS].items;
    sentences = a[ENDS].length;
    labels = a[EDGES].length / 2;
    if (labels < 1 || labels > MOST_LABELS) {
        refuse(&a[EDGES], "%lld labels", (long long)labels);
        goto done;
    }
    if (!has_length(&a[EDGES], 2 * labels) || !has_length(&a[IDS], n) || !has_length(&a[TRANSITIONS], labels * labels) ||
        !has_length(&a[SCORES], a[SCORES].length / (5 * labels) * (5 * labels)) ||
        !points_into(&a[IDS], a[SCORES].length / (5 * labels)) || !ascends(&a[ENDS], 0, sentences - 1, n))
        goto done;
    if ((sentences ? ends[sentences - 1] : 0) != n) {
        refuse(&a[ENDS], "not those of all tokens");
        goto done;
    }
    for (int64_t s = 0, first = 0; s < sentences; first = ends[s++])
        if (ends[s] - first > longest) longest = ends[s] - first;
    back = PyMem_RawMalloc((size_t)(longest * labels) + 1);
    if (!back) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (int64_t s = 0, first = 0; s < sentences; first = ends[s++])
        if (ends[s] > first)
            sentence((const int32_t *)a[IDS].items + first, ends[s] - first, a[SCORES].items, a[EDGES].items,
                     a[TRANSITIONS].items, (int)labels, back, (uint8_t *)a[OUT].items + first);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    PyMem_RawFree(back);
    release(a, ARRAYS);
    return result;
}

PyMethodDef tagging_entries[] = {
    {"gaps", tagging_gaps, METH_VARARGS, "what the characters between tokens are"},
    {"walk", tagging_walk, METH_VARARGS, "the tag of each token, by a table of decisions"},
    {"viterbi", tagging_viterbi, METH_VARARGS, "the best labels of each sentence"},
    END_OF_ENTRIES,
};
