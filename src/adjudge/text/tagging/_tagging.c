/* The loops of part-of-speech tagging: what stands between tokens, and the walk through a table of decisions.
 *
 * breaks.py and rules.py hold the definitions; both must give the same. All arrays are checked before they are used. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

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

/* Buffers, all contiguous; an array of another size than the loop needs is refused. */
static int take(PyObject *object, Py_buffer *view, Py_ssize_t item, int writable)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) < 0) return 0;
    if (view->itemsize == item) return 1;
    PyErr_SetString(PyExc_ValueError, "an array of another type was expected");
    PyBuffer_Release(view);
    return 0;
}

static void drop(Py_buffer *views, int n)
{
    while (n--) PyBuffer_Release(views + n);
}

static int take_all(PyObject *const *objects, Py_buffer *views, const char *items, int n)
{
    for (int i = 0; i < n; i++)
        if (!take(objects[i], views + i, items[i], i == n - 1)) {
            drop(views, i);
            return 0;
        }
    return 1;
}

static PyObject *fail(Py_buffer *views, int n, const char *why)
{
    drop(views, n);
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

/* gaps(codes uint32, text ends int64, token offsets int64, spans int32 [n, 2], out uint8) */
static PyObject *py_gaps(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    Py_buffer v[5];
    if (nargs != 5) {
        PyErr_SetString(PyExc_TypeError, "gaps takes five arrays");
        return NULL;
    }
    if (!take_all(args, v, (const char[]){4, 8, 8, 4, 1}, 5)) return NULL;
    const uint32_t *codes = v[0].buf;
    const int64_t *begin = v[1].buf, *offset = v[2].buf;
    const int32_t *span = v[3].buf;
    uint8_t *out = v[4].buf;
    int64_t size = v[0].len / 4, texts = v[1].len / 8 - 1, n = v[4].len;
    if (texts < 0 || v[2].len != v[1].len || v[3].len / 8 != n) return fail(v, 5, "gaps: arrays of different lengths");
    for (int64_t t = 0; t < texts; t++)
        if (begin[t] < 0 || begin[t] > begin[t + 1] || begin[t + 1] > size || offset[t] < 0 ||
            offset[t] > offset[t + 1] || offset[t + 1] > n)
            return fail(v, 5, "gaps: offsets out of order");
    Py_BEGIN_ALLOW_THREADS
    for (int64_t t = 0; t < texts; t++) {
        const uint32_t *text = codes + begin[t];
        int64_t length = begin[t + 1] - begin[t];
        for (int64_t i = offset[t] + 1; i < offset[t + 1]; i++) {
            int64_t from = span[2 * i - 1], to = span[2 * i];
            from = from < 0 ? 0 : from > length ? length : from;
            to = to < from ? from : to > length ? length : to;
            out[i] = (uint8_t)gap(text + from, text + to);
        }
    }
    Py_END_ALLOW_THREADS
    drop(v, 5);
    Py_RETURN_NONE;
}

/* walk(ids int32, rows uint16 [types, 3], shapes uint8, breaks uint8, table uint8 [profiles, 22, 23], after uint8,
 * tags uint8 [22], out uint8) */
enum { ADVERB = 7, BETWEEN = 19, START = 20, BEFORES = 22, AFTERS = 23 };

static PyObject *py_walk(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    Py_buffer v[8];
    if (nargs != 8) {
        PyErr_SetString(PyExc_TypeError, "walk takes eight arrays");
        return NULL;
    }
    if (!take_all(args, v, (const char[]){4, 2, 1, 1, 1, 1, 1, 1}, 8)) return NULL;
    const int32_t *ids = v[0].buf;
    const uint16_t *rows = v[1].buf;
    const uint8_t *shapes = v[2].buf, *breaks = v[3].buf, *table = v[4].buf, *after = v[5].buf, *tags = v[6].buf;
    uint8_t *out = v[7].buf;
    int64_t n = v[7].len, types = v[2].len, profiles = v[5].len;
    if (v[0].len / 4 != n || v[3].len != n || v[1].len != types * 6 || v[4].len != profiles * BEFORES * AFTERS ||
        v[6].len != BEFORES)
        return fail(v, 8, "walk: arrays of different lengths");
    for (int64_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= types) return fail(v, 8, "walk: a token of no type");
    for (int64_t i = 0; i < 3 * types; i++)
        if (rows[i] >= profiles) return fail(v, 8, "walk: a type without profile");
    for (int64_t i = 0; i < profiles; i++)
        if (after[i] >= AFTERS) return fail(v, 8, "walk: no such class");
    for (int64_t i = 0; i < v[4].len; i++)
        if (table[i] >= BEFORES) return fail(v, 8, "walk: no such class");
    Py_BEGIN_ALLOW_THREADS
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
    drop(v, 8);
    Py_RETURN_NONE;
}

/* viterbi(ids int32, ends int64, scores float32 [words, 5, labels], edges float32 [2, labels],
 * transitions float32 [labels, labels], out uint8) */
enum { MOST_LABELS = 128 };

static void add(float *to, const float *from, int n)
{
    for (int j = 0; j < n; j++) to[j] += from[j];
}

/* Where the compiler can, this is compiled twice, and the processor chooses. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
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

static PyObject *py_viterbi(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    Py_buffer v[6];
    if (nargs != 6) {
        PyErr_SetString(PyExc_TypeError, "viterbi takes six arrays");
        return NULL;
    }
    if (!take_all(args, v, (const char[]){4, 8, 4, 4, 4, 1}, 6)) return NULL;
    const int32_t *ids = v[0].buf;
    const int64_t *ends = v[1].buf;
    const float *scores = v[2].buf, *edges = v[3].buf, *transitions = v[4].buf;
    uint8_t *out = v[5].buf;
    int64_t n = v[5].len, sentences = v[1].len / 8, labels = v[3].len / 8, longest = 0;
    if (labels < 1 || labels > MOST_LABELS || v[0].len / 4 != n || v[4].len != labels * labels * 4)
        return fail(v, 6, "viterbi: arrays of different lengths");
    int64_t words = v[2].len / (20 * labels);
    for (int64_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= words) return fail(v, 6, "viterbi: a word without scores");
    for (int64_t s = 0, first = 0; s < sentences; first = ends[s++]) {
        if (ends[s] < first || ends[s] > n) return fail(v, 6, "viterbi: ends out of order");
        if (ends[s] - first > longest) longest = ends[s] - first;
    }
    uint8_t *back = PyMem_RawMalloc((size_t)(longest * labels) + 1);
    if (!back) {
        drop(v, 6);
        return PyErr_NoMemory();
    }
    Py_BEGIN_ALLOW_THREADS
    for (int64_t s = 0, first = 0; s < sentences; first = ends[s++])
        if (ends[s] > first)
            sentence(ids + first, ends[s] - first, scores, edges, transitions, (int)labels, back, out + first);
    Py_END_ALLOW_THREADS
    PyMem_RawFree(back);
    drop(v, 6);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"gaps", (PyCFunction)(void (*)(void))py_gaps, METH_FASTCALL, "What the characters between tokens are."},
    {"walk", (PyCFunction)(void (*)(void))py_walk, METH_FASTCALL, "The tag of each token, by a table of decisions."},
    {"viterbi", (PyCFunction)(void (*)(void))py_viterbi, METH_FASTCALL, "The best labels of each sentence."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_tagging", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__tagging(void)
{
    return PyModule_Create(&module);
}
