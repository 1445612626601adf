/* The loops that decide how fast runs are judged, rankings compared, texts cut and queries answered, and nothing else.
 *
 *   scan       white-space separated text  ->  columns
 *   index      judged documents of a topic ->  hash table, and the first document that occurs twice
 *   judge      ranked documents + table    ->  (rank, grade) of the documents in the pool
 *   dominated  one ranking, in the order of another  ->  how many stand above an item in both
 *   split      ASCII texts                 ->  every different token once, and the number of each token
 *   add        postings of a query's terms ->  the documents they are in, with their sums
 *   top        scores                      ->  the places of those that reach a bound, in order
 *
 * Everything here works on buffers that the caller made (numpy arrays), with the interpreter lock released, so that
 * two threads can work on two halves of a file. fallback.py says the same in Python, and the tests hold both to the
 * same results. bench/why_kernel.py shows what the libraries reach without it.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

static const long double POWERS[28] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* A decimal number of any length, correctly rounded; 0 when the token is not one. The token has passed the grammar
 * of read_double, so strtod sees digits, one point and an exponent only. */
static int
slow_double(const uint8_t *token, Py_ssize_t length, double *out)
{
    char small[64], *copy = small, *stop;
    int fine;
    if (length >= (Py_ssize_t)sizeof small && (copy = malloc((size_t)length + 1)) == NULL)
        return 0;
    memcpy(copy, token, (size_t)length);
    copy[length] = '\0';
    *out = strtod(copy, &stop);
    fine = stop == copy + length;
    if (copy != small)
        free(copy);
    return fine;
}

/* Reads [+-]digits[.digits][(e|E)[+-]digits]. Up to 19 digits and |exponent| <= 27 both fit a 64-bit significand
 * exactly, so one extended-precision operation is off by at most half a unit there; rounding that to a double is
 * right unless the result lies next to the middle between two doubles, and then the library decides. */
static int
read_double(const uint8_t *token, const uint8_t *end, double *out)
{
    const uint8_t *p = token;
    uint64_t digits = 0;
    int count = 0, exponent = 0, any = 0, negative = 0;

    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    while (p < end && (unsigned)(*p - '0') < 10) {
        digits = digits * 10 + (*p++ - '0');
        count += digits != 0;
        any = 1;
    }
    if (p < end && *p == '.') {
        p++;
        while (p < end && (unsigned)(*p - '0') < 10) {
            digits = digits * 10 + (*p++ - '0');
            count += digits != 0;
            exponent--;
            any = 1;
        }
    }
    if (!any)
        return 0;
    if (p < end && (*p == 'e' || *p == 'E')) {
        int sign = 1, given = 0;
        p++;
        if (p < end && (*p == '-' || *p == '+'))
            sign = *p++ == '-' ? -1 : 1;
        if (p == end)
            return 0;
        while (p < end && (unsigned)(*p - '0') < 10) {
            if (given < 100000)
                given = given * 10 + (*p - '0');
            p++;
        }
        exponent += sign * given;
    }
    if (p != end)
        return 0;
    if (count <= 15 && exponent >= -22 && exponent <= 22) {
        double value = (double)digits;
        value = exponent < 0 ? value / (double)POWERS[-exponent] : value * (double)POWERS[exponent];
        *out = negative ? -value : value;
        return 1;
    }
#if LDBL_MANT_DIG == 64
    if (count <= 19 && digits != 0 && exponent >= -27 && exponent <= 27) {
        long double value = (long double)digits;
        uint64_t significand;
        unsigned tail;
        value = exponent < 0 ? value / POWERS[-exponent] : value * POWERS[exponent];
        memcpy(&significand, &value, sizeof significand);
        tail = (unsigned)(significand & 0x7ff);
        if (tail < 0x3ff || tail > 0x401) {
            *out = negative ? -(double)value : (double)value;
            return 1;
        }
    }
#endif
    return slow_double(token, end - token, out);
}

/* [+-]digits within 32 bits. */
static int
read_integer(const uint8_t *token, const uint8_t *end, double *out)
{
    const uint8_t *p = token;
    int64_t value = 0;
    int negative = 0;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    if (p == end || end - p > 10)
        return 0;
    for (; p < end; p++) {
        if ((unsigned)(*p - '0') >= 10)
            return 0;
        value = value * 10 + (*p - '0');
    }
    if (value > INT32_MAX)
        return 0;
    *out = (double)(negative ? -value : value);
    return 1;
}

/* ---------------------------------------------------------------- strings */

static inline uint64_t
load8(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static inline uint64_t
load4(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

static inline uint64_t
stir(uint64_t h)
{
    h *= 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 32);
}

static inline uint64_t
hash(const uint8_t *p, int64_t n)
{
    uint64_t h = (uint64_t)n * 0xff51afd7ed558ccdull;
    while (n > 16) {
        h = stir(h ^ load8(p)) + load8(p + 8);
        p += 16;
        n -= 16;
    }
    if (n >= 8)
        h = stir(h ^ load8(p)) + load8(p + n - 8);
    else if (n >= 4)
        h = stir(h ^ load4(p)) + load4(p + n - 4);
    else if (n > 0)
        h = stir(h ^ ((uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 8 | p[n - 1]));
    /* every bit of the text must reach the low bits, which choose the slot */
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
}

/* Order of bytes, as strcmp has it: a shorter string comes before its own continuations. */
static inline int
compare(const uint8_t *a, int64_t na, const uint8_t *b, int64_t nb)
{
    int c = memcmp(a, b, (size_t)(na < nb ? na : nb));
    return c != 0 ? c : (na > nb) - (na < nb);
}

/* ---------------------------------------------------------------- scan */

enum { BAD_MEMORY = 1, BAD_COLUMNS, BAD_NUMBER, BAD_FINITE, BAD_NUL, BAD_RETURN };

typedef struct {
    int value_column, tag_column, columns, more_allowed, integer;
} Shape;

typedef struct {
    int64_t *rows;
    int32_t *codes;
    int64_t count, room;
} Segments;

typedef struct {
    int64_t *starts, *lengths;
    int32_t *slots;
    int64_t count, room, capacity;
} Names;

typedef struct {
    int code;
    int64_t line, begin, end;
} Fault;

static int
names_grow(Names *names, const uint8_t *text)
{
    int64_t capacity = names->capacity ? names->capacity * 2 : 256, room = capacity / 2, i;
    int64_t *starts = realloc(names->starts, (size_t)room * 8);
    int64_t *lengths;
    int32_t *slots;
    if (starts)
        names->starts = starts;
    lengths = realloc(names->lengths, (size_t)room * 8);
    if (lengths)
        names->lengths = lengths;
    slots = calloc((size_t)capacity, 4);
    if (!starts || !lengths || !slots) {
        free(slots);
        return 0;
    }
    free(names->slots);
    names->slots = slots;
    names->room = room;
    names->capacity = capacity;
    for (i = 0; i < names->count; i++) {
        uint64_t at = hash(text + names->starts[i], names->lengths[i]) & (uint64_t)(capacity - 1);
        while (slots[at])
            at = (at + 1) & (uint64_t)(capacity - 1);
        slots[at] = (int32_t)(i + 1);
    }
    return 1;
}

/* The number of a name, new names being numbered as they come; -1 without memory. */
static int32_t
names_code(Names *names, const uint8_t *text, int64_t start, int64_t length)
{
    uint64_t at;
    if (names->count + 1 > names->room && !names_grow(names, text))
        return -1;
    at = hash(text + start, length) & (uint64_t)(names->capacity - 1);
    for (; names->slots[at]; at = (at + 1) & (uint64_t)(names->capacity - 1)) {
        int32_t i = names->slots[at] - 1;
        if (names->lengths[i] == length && memcmp(text + names->starts[i], text + start, (size_t)length) == 0)
            return i;
    }
    names->starts[names->count] = start;
    names->lengths[names->count] = length;
    names->slots[at] = (int32_t)(names->count + 1);
    return (int32_t)names->count++;
}

static int
segments_add(Segments *s, int64_t row, int32_t code)
{
    if (s->count == s->room) {
        int64_t room = s->room ? s->room * 2 : 256;
        int64_t *rows = realloc(s->rows, (size_t)room * 8);
        int32_t *codes;
        if (rows)
            s->rows = rows;
        codes = realloc(s->codes, (size_t)room * 4);
        if (codes)
            s->codes = codes;
        if (!rows || !codes)
            return 0;
        s->room = room;
    }
    s->rows[s->count] = row;
    s->codes[s->count++] = code;
    return 1;
}

/* isspace() without the newline */
static inline int
blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The end of a token: the next white space or newline before `stop`, which there is. Eight bytes at a time where the
 * text allows it: the lowest byte below 0x21 is the lowest one flagged, and bytes of 0x80 and above never are. */
static inline const uint8_t *
token_end(const uint8_t *p, const uint8_t *stop, int *nul)
{
    for (;; p++) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        while (stop - p >= 8) {
            uint64_t word = load8(p);
            uint64_t low = (word - 0x2121212121212121ull) & ~word & 0x8080808080808080ull;
            if (low) {
                p += __builtin_ctzll(low) >> 3;
                break;
            }
            p += 8;
        }
#endif
        while (*p > ' ')
            p++;
        if (*p == '\n' || blank(*p))
            return p;
        *nul |= *p == 0;
    }
}

#define MAX_COLUMNS 6

/* Every line of text[begin, end) becomes a row; text[end - 1] is a newline. Returns the number of rows. */
static int64_t
scan_lines(const uint8_t *text, int64_t begin, int64_t end, const Shape *shape, uint8_t *ids, int64_t at, int64_t room,
           int64_t *starts, int32_t *lengths, double *values, Names *names, Segments *segments, int64_t *skipped,
           int64_t *tag, int64_t *tag_length, Fault *fault)
{
    const uint8_t *p = text + begin, *stop = text + end, *line = p;
    int64_t row = 0, topic_start = 0, topic_length = -1, number = 0;
    int last = shape->columns - 1;
    fault->code = 0;
    *skipped = 0;
    *tag_length = -1;

    for (; p < stop; number++) {
        const uint8_t *from[MAX_COLUMNS], *to[MAX_COLUMNS];
        int column = 0, nul = 0;
        line = p;
        while (blank(*p))
            p++;
        if (*p == '\n' || *p == '#') {
            p = memchr(p, '\n', (size_t)(stop - p));
            p++;
            ++*skipped;
            continue;
        }
        for (;;) {
            from[column] = p;
            p = token_end(p, stop, &nul);
            to[column] = p;
            while (*p <= ' ' && blank(*p))
                p++;
            if (column == last || *p == '\n')
                break;
            column++;
        }
        if (column < last || (*p != '\n' && !shape->more_allowed)) {
            fault->code = BAD_COLUMNS;
            break;
        }
        if (nul) {
            fault->code = BAD_NUL;
            break;
        }
        if (*p != '\n') { /* more text, which must not hide further lines that only a carriage return ends */
            const uint8_t *newline = memchr(p, '\n', (size_t)(stop - p));
            const uint8_t *inner = memchr(to[last], '\r', (size_t)(newline - to[last]));
            if (inner && inner + 1 < newline) {
                fault->code = BAD_RETURN;
                break;
            }
            p = newline;
        }
        p++;

        {
            const uint8_t *value_from = from[shape->value_column], *value_to = to[shape->value_column];
            double value;
            if (!(shape->integer ? read_integer : read_double)(value_from, value_to, &value)) {
                fault->code = BAD_NUMBER;
                break;
            }
            if (!isfinite(value)) {
                fault->code = BAD_FINITE;
                break;
            }
            values[row] = value;
        }
        {
            int64_t length = to[0] - from[0];
            if (length != topic_length || memcmp(text + topic_start, from[0], (size_t)length) != 0) {
                int32_t code;
                topic_start = from[0] - text;
                topic_length = length;
                code = names_code(names, text, topic_start, length);
                if (code < 0 || !segments_add(segments, row, code)) {
                    fault->code = BAD_MEMORY;
                    break;
                }
            }
        }
        {
            int64_t length = to[2] - from[2];
            if (length <= 16 && at + 16 <= room && stop - from[2] >= 16)
                memcpy(ids + at, from[2], 16); /* a fixed size is one instruction; what is too much is written over */
            else
                memcpy(ids + at, from[2], (size_t)length);
            starts[row] = at;
            lengths[row] = (int32_t)length;
            at += length;
        }
        if (shape->tag_column >= 0) {
            *tag = from[shape->tag_column] - text;
            *tag_length = to[shape->tag_column] - from[shape->tag_column];
        }
        row++;
    }
    if (fault->code) {
        const uint8_t *newline = memchr(line, '\n', (size_t)(stop - line));
        fault->line = number;
        fault->begin = line - text;
        fault->end = newline - text;
    }
    return row;
}

static PyObject *
kernel_scan(PyObject *self, PyObject *args)
{
    Py_buffer text, ids, starts, lengths, values;
    long long begin, end, row, at, rows, skipped, tag = 0, tag_length = -1;
    int64_t skipped64 = 0, tag64 = 0, tag_length64 = -1;
    Shape shape;
    Names names = {0};
    Segments segments = {0};
    Fault fault = {0};
    PyObject *list = NULL, *result = NULL;
    Py_ssize_t i;

    if (!PyArg_ParseTuple(args, "y*LL(iiiii)w*Lw*w*w*L", &text, &begin, &end, &shape.value_column, &shape.tag_column,
                          &shape.columns, &shape.more_allowed, &shape.integer, &ids, &at, &starts, &lengths, &values,
                          &row))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    rows = scan_lines(text.buf, begin, end, &shape, ids.buf, at, at + (end - begin), (int64_t *)starts.buf + row,
                      (int32_t *)lengths.buf + row, (double *)values.buf + row, &names, &segments, &skipped64, &tag64,
                      &tag_length64, &fault);
    Py_END_ALLOW_THREADS
    skipped = skipped64;
    tag = tag64;
    tag_length = tag_length64;
    if (fault.code == BAD_MEMORY) {
        PyErr_NoMemory();
        goto done;
    }
    if ((list = PyList_New((Py_ssize_t)names.count)) == NULL)
        goto done;
    for (i = 0; i < names.count; i++) {
        PyObject *name = PyBytes_FromStringAndSize((const char *)text.buf + names.starts[i], names.lengths[i]);
        if (name == NULL)
            goto done;
        PyList_SetItem(list, i, name);
    }
    result = Py_BuildValue("LOy#y#Ly#(iLLL)", rows, list, segments.rows ? (const char *)segments.rows : "",
                           (Py_ssize_t)segments.count * 8, segments.codes ? (const char *)segments.codes : "",
                           (Py_ssize_t)segments.count * 4, skipped,
                           tag_length < 0 ? NULL : (const char *)text.buf + tag, (Py_ssize_t)(tag_length < 0 ? 0 : tag_length),
                           fault.code, (long long)fault.line, (long long)fault.begin, (long long)fault.end);
done:
    Py_XDECREF(list);
    free(names.starts);
    free(names.lengths);
    free(names.slots);
    free(segments.rows);
    free(segments.codes);
    PyBuffer_Release(&text);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&lengths);
    PyBuffer_Release(&values);
    return result;
}

static PyObject *
kernel_count_lines(PyObject *self, PyObject *args)
{
    Py_buffer text;
    long long begin, end, count = 0;
    if (!PyArg_ParseTuple(args, "y*LL", &text, &begin, &end))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *p = (const uint8_t *)text.buf + begin, *stop = (const uint8_t *)text.buf + end;
    while (p < stop) { /* in blocks that an 8-bit counter cannot overflow: the compiler makes vectors of it */
        const uint8_t *block = stop - p > 255 * 64 ? p + 255 * 64 : stop;
        while (p + 64 <= block) {
            uint8_t found = 0;
            int i;
            for (i = 0; i < 64; i++)
                found += p[i] == '\n';
            count += found;
            p += 64;
        }
        for (; p < block; p++)
            count += *p == '\n';
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&text);
    return PyLong_FromLongLong(count);
}

/* ---------------------------------------------------------------- index */

typedef struct {
    const uint8_t *data;
    const int64_t *starts;
    const int32_t *lengths;
} Strings;

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

/* index(data, starts, lengths, offsets, slots, slot_offsets, first, last): fills the tables of topics [first, last).
 * slot_offsets None: one scratch table is used again and again, only duplicates are looked for.
 * Returns None, or (row, earlier row) of the first duplicate. */
static PyObject *
kernel_index(PyObject *self, PyObject *args)
{
    Py_buffer data, starts, lengths, offsets, slots, slot_offsets;
    PyObject *table;
    long long first, last;
    int64_t duplicate = -1, twin = -1;
    int scratch;

    if (!PyArg_ParseTuple(args, "y*y*y*y*w*OLL", &data, &starts, &lengths, &offsets, &slots, &table, &first, &last))
        return NULL;
    scratch = table == Py_None;
    memset(&slot_offsets, 0, sizeof slot_offsets);
    if (!scratch && PyObject_GetBuffer(table, &slot_offsets, PyBUF_SIMPLE) < 0)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    Strings s = {data.buf, starts.buf, lengths.buf};
    const int64_t *offset = offsets.buf, *slot_offset = slot_offsets.buf;
    int64_t topic;
    for (topic = first; topic < last && duplicate < 0; topic++) {
        int64_t rows = offset[topic + 1] - offset[topic], size = 2;
        int32_t *own = slots.buf;
        while (size < 2 * rows)
            size *= 2;
        if (scratch)
            memset(own, 0, (size_t)size * 4);
        else
            own += slot_offset[topic];
        duplicate = fill_table(&s, offset[topic], offset[topic + 1], own, size, &twin);
    }
    Py_END_ALLOW_THREADS
done:
    PyBuffer_Release(&data);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&lengths);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&slots);
    if (slot_offsets.obj)
        PyBuffer_Release(&slot_offsets);
    if (PyErr_Occurred())
        return NULL;
    if (duplicate < 0)
        Py_RETURN_NONE;
    return Py_BuildValue("LL", (long long)duplicate, (long long)twin);
}

/* ---------------------------------------------------------------- judge */

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

/* judge(run: data, starts, lengths, scores, offsets; single; which;
 *       judgments: data, starts, lengths, grades, offsets, slots, slot_offsets;
 *       out: ranks, grades, out_offsets, counts; first, last)
 * which[t] is the judged topic of run topic t, or -1. Topic t writes counts[t] pairs from out_offsets[t] on. */
static PyObject *
kernel_judge(PyObject *self, PyObject *args)
{
    enum { DATA, STARTS, LENGTHS, SCORES, OFFSETS, WHICH, QDATA, QSTARTS, QLENGTHS, QGRADES, QOFFSETS, QSLOTS,
           QSLOT_OFFSETS, RANKS, GRADES, OUT_OFFSETS, COUNTS, BUFFERS };
    Py_buffer b[BUFFERS];
    long long first, last;
    int single, failed = 0, i;

    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*y*y*y*y*y*w*w*y*w*pLL", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5],
                          &b[6], &b[7], &b[8], &b[9], &b[10], &b[11], &b[12], &b[13], &b[14], &b[15], &b[16], &single,
                          &first, &last))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    Strings run = {b[DATA].buf, b[STARTS].buf, b[LENGTHS].buf}, pool = {b[QDATA].buf, b[QSTARTS].buf, b[QLENGTHS].buf};
    const double *scores = b[SCORES].buf;
    const int64_t *offsets = b[OFFSETS].buf, *pool_offsets = b[QOFFSETS].buf, *slot_offsets = b[QSLOT_OFFSETS].buf;
    const int64_t *out_offsets = b[OUT_OFFSETS].buf;
    const int32_t *which = b[WHICH].buf, *pool_grades = b[QGRADES].buf, *all_slots = b[QSLOTS].buf;
    int32_t *ranks = b[RANKS].buf, *grades = b[GRADES].buf, *counts = b[COUNTS].buf;
    Ranked *order = NULL, *spare = NULL;
    int64_t room = 0, topic;

    for (topic = first; topic < last; topic++) {
        int64_t from = offsets[topic], n = offsets[topic + 1] - from, out = out_offsets[topic], r;
        int32_t q = which[topic];
        uint64_t mask;
        const int32_t *slots;
        int sorted = 1;
        counts[topic] = 0;
        if (q < 0)
            continue;
        if (n > room) {
            free(order);
            free(spare);
            room = n;
            order = malloc((size_t)room * sizeof *order);
            spare = malloc((size_t)room * sizeof *spare);
            if (!order || !spare) {
                failed = 1;
                break;
            }
        }
        for (r = 0; r < n; r++) {
            order[r].score = single ? (double)(float)scores[from + r] : scores[from + r];
            order[r].row = from + r;
            sorted = sorted && (r == 0 || order[r - 1].score >= order[r].score);
        }
        if (!sorted)
            rank(&run, order, spare, n);
        else /* only ties can be out of order */
            for (r = 1; r < n; r++)
                if (order[r].score == order[r - 1].score) {
                    int64_t start = r - 1;
                    while (r < n && order[r].score == order[start].score)
                        r++;
                    rank(&run, order + start, spare, r - start);
                }
        slots = all_slots + slot_offsets[q];
        mask = (uint64_t)(slot_offsets[q + 1] - slot_offsets[q] - 1);
        for (r = 0; r < n; r++) {
            const uint8_t *string = run.data + run.starts[order[r].row];
            int32_t length = run.lengths[order[r].row];
            uint64_t at = hash(string, length) & mask;
            for (; slots[at]; at = (at + 1) & mask) {
                int64_t other = pool_offsets[q] + slots[at] - 1;
                if (pool.lengths[other] == length &&
                    memcmp(pool.data + pool.starts[other], string, (size_t)length) == 0) {
                    if (out >= out_offsets[topic + 1]) { /* more hits than documents: one occurs twice */
                        failed = 2;
                        goto over;
                    }
                    ranks[out] = (int32_t)(r + 1);
                    grades[out++] = pool_grades[other];
                    counts[topic]++;
                    break;
                }
            }
        }
    }
over:
    free(order);
    free(spare);
    Py_END_ALLOW_THREADS
    for (i = 0; i < BUFFERS; i++)
        PyBuffer_Release(&b[i]);
    if (failed == 2) {
        PyErr_SetString(PyExc_IndexError, "a document occurs twice in a topic of the run");
        return NULL;
    }
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- dominated */

/* How many bits are set, without asking which processor this is. */
static inline int32_t
ones(uint64_t bits)
{
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int32_t)((bits * 0x0101010101010101) >> 56);
}

/* dominated(places, until, below, out, room): out[i] = how many of places[0 .. until[i]) are smaller than below[i].
 * places are different numbers from 0 to room - 1, below goes to room; until does not decrease. The places seen so far are bits;
 * a binary indexed tree counts them by words of 64, so it stays in the fastest cache up to a million places. */
static PyObject *
kernel_dominated(PyObject *self, PyObject *args)
{
    Py_buffer places, until, below, out;
    long long room;
    uint64_t *seen = NULL;
    int32_t *tree = NULL;

    if (!PyArg_ParseTuple(args, "y*y*y*w*L", &places, &until, &below, &out, &room))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *place = places.buf, *upto = until.buf, *under = below.buf;
    int32_t *count = out.buf;
    int64_t words = room / 64 + 1, queries = (int64_t)(until.len / 4), i, done = 0;
    seen = calloc((size_t)words, sizeof *seen);
    tree = calloc((size_t)words + 1, sizeof *tree);
    if (seen && tree)
        for (i = 0; i < queries; i++) {
            int64_t w = under[i] >> 6, node;
            uint64_t bits;
            int32_t total = 0;
            for (; done < upto[i]; done++) {
                seen[place[done] >> 6] |= (uint64_t)1 << (place[done] & 63);
                for (node = (place[done] >> 6) + 1; node <= words; node += node & -node)
                    tree[node]++;
            }
            for (node = w; node > 0; node -= node & -node)
                total += tree[node];
            bits = seen[w] & (((uint64_t)1 << (under[i] & 63)) - 1);
            count[i] = total + ones(bits);
        }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&places);
    PyBuffer_Release(&until);
    PyBuffer_Release(&below);
    PyBuffer_Release(&out);
    int failed = !seen || !tree;
    free(seen);
    free(tree);
    if (failed)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- split */

enum { LETTER = 1, DIGIT = 2, JOINS_LETTERS = 4, JOINS_DIGITS = 8, DASH = 16, UNDERSCORE = 32 };

static void
classes(uint8_t *class, int rule)
{
    int c;
    memset(class, 0, 256);
    for (c = 'a'; c <= 'z'; c++)
        class[c] = class[c - 32] = LETTER;
    for (c = '0'; c <= '9'; c++)
        class[c] = DIGIT;
    if (rule == 0)
        return;
    class['_'] = UNDERSCORE;
    class['\''] = class['.'] = JOINS_LETTERS | JOINS_DIGITS;
    class[':'] = JOINS_LETTERS;
    class[','] = class[';'] = JOINS_DIGITS;
    if (rule == 2)
        class['-'] = DASH;
}

/* Where the token that begins at i ends: runs of letters, digits and underscores; one sign may join two letters or two
 * digits, a dash any two of them. Rule 0 has letters and digits only, and then nothing joins. */
static int64_t
word_end(const uint8_t *text, int64_t i, int64_t end, const uint8_t *class)
{
    while (i < end) {
        uint8_t kind = class[text[i]];
        if (!(kind & (LETTER | DIGIT | UNDERSCORE)))
            break;
        while (i < end && class[text[i]] == kind)
            i++;
        if (kind != UNDERSCORE && i + 1 < end) {
            uint8_t sign = class[text[i]], next = class[text[i + 1]];
            if ((kind == LETTER && (sign & JOINS_LETTERS) && next == LETTER) ||
                (kind == DIGIT && (sign & JOINS_DIGITS) && next == DIGIT) ||
                ((sign & DASH) && (next & (LETTER | DIGIT))))
                i++;
        }
    }
    return i;
}

typedef struct {
    int64_t start;
    int32_t length;
    int32_t id;
    uint64_t hash;
} Entry;

/* split(text, offsets, rule, longest, ids, counts, spans or None) -> types, or None if a token is longer than longest.
 * ids has room for a token every other character; spans gets begin and end of each token in its text. */
static PyObject *
kernel_split(PyObject *self, PyObject *args)
{
    Py_buffer text, offsets, ids, counts, spans = {0};
    PyObject *given, *types = NULL;
    int rule, failed = 0, too_long = 0;
    long long longest;
    Entry *table = NULL;
    int64_t *order = NULL, distinct = 0, room = 1 << 14, listed = 1 << 13, i;

    if (!PyArg_ParseTuple(args, "y*y*iLw*w*O", &text, &offsets, &rule, &longest, &ids, &counts, &given))
        return NULL;
    if (given != Py_None && PyObject_GetBuffer(given, &spans, PyBUF_CONTIG) < 0)
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *data = text.buf;
    const int64_t *offset = offsets.buf;
    int64_t texts = (int64_t)(offsets.len / 8) - 1, t, at = 0, *count = counts.buf;
    int32_t *id = ids.buf, *span = spans.obj ? spans.buf : NULL;
    uint8_t class[256];
    classes(class, rule);
    table = calloc((size_t)room, sizeof *table);
    order = malloc((size_t)listed * sizeof *order);
    failed = !table || !order;
    for (t = 0; t < texts && !failed && !too_long; t++) {
        int64_t begin = offset[t], end = offset[t + 1], first = at;
        for (i = begin; i < end;) {
            uint8_t kind = class[data[i]];
            int64_t start = i, slot;
            uint64_t code;
            int32_t length;
            if (!(kind & (LETTER | DIGIT | UNDERSCORE))) {
                i++;
                continue;
            }
            if (kind == UNDERSCORE) {
                while (i < end && class[data[i]] == UNDERSCORE)
                    i++;
                if (i == end || !(class[data[i]] & (LETTER | DIGIT)))
                    continue;
            }
            i = word_end(data, i, end, class);
            length = (int32_t)(i - start);
            if ((longest && length > longest) || length > 0xffffff) {
                too_long = 1;
                break;
            }
            code = hash(data + start, length);
            for (slot = (int64_t)(code & (uint64_t)(room - 1)); table[slot].length; slot = (slot + 1) & (room - 1))
                if (table[slot].hash == code && table[slot].length == length &&
                    memcmp(data + table[slot].start, data + start, (size_t)length) == 0)
                    break;
            if (!table[slot].length) {
                table[slot] = (Entry){start, length, (int32_t)distinct, code};
                if (distinct == listed) {
                    int64_t *more = realloc(order, (size_t)(listed *= 2) * sizeof *order);
                    if (!more) {
                        failed = 1;
                        break;
                    }
                    order = more;
                }
                order[distinct++] = start << 24 | length; /* tokens above 16 million characters are too long anyway */
                id[at] = (int32_t)(distinct - 1);
                if (distinct * 2 > room) { /* make a larger table */
                    Entry *larger = calloc((size_t)room * 2, sizeof *larger);
                    int64_t old;
                    if (!larger) {
                        failed = 1;
                        break;
                    }
                    for (old = 0; old < room; old++)
                        if (table[old].length) {
                            int64_t to = (int64_t)(table[old].hash & (uint64_t)(room * 2 - 1));
                            while (larger[to].length)
                                to = (to + 1) & (room * 2 - 1);
                            larger[to] = table[old];
                        }
                    free(table);
                    table = larger;
                    room *= 2;
                }
            } else
                id[at] = table[slot].id;
            if (span) {
                span[2 * at] = (int32_t)(start - begin);
                span[2 * at + 1] = (int32_t)(i - begin);
            }
            at++;
        }
        count[t] = at - first;
    }
    Py_END_ALLOW_THREADS
    if (failed)
        PyErr_NoMemory();
    else if (too_long)
        types = Py_NewRef(Py_None);
    else if ((types = PyList_New((Py_ssize_t)distinct)) != NULL)
        for (i = 0; i < distinct; i++) {
            PyObject *word = PyUnicode_DecodeASCII((const char *)text.buf + (order[i] >> 24),
                                                   (Py_ssize_t)(order[i] & 0xffffff), NULL);
            if (!word) {
                Py_CLEAR(types);
                break;
            }
            PyList_SET_ITEM(types, (Py_ssize_t)i, word);
        }
    free(table);
    free(order);
done:
    PyBuffer_Release(&text);
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&counts);
    if (spans.obj)
        PyBuffer_Release(&spans);
    return types;
}

/* ---------------------------------------------------------------- add, top */

/* add(terms, sums, marks, overlap or None, found, out, counts or None) -> how many documents have a term of the query.
 * terms is a list of (documents, weights, factor, clauses). sums, marks and overlap are zero before and after; found, out
 * and counts get the documents in ascending order, Σ factor · weight, and the clauses that occur in each. */
static PyObject *
kernel_add(PyObject *self, PyObject *args)
{
    PyObject *terms, *overlap_given, *counts_given;
    Py_buffer sums, marks, found, out, overlap = {0}, counts = {0};
    Py_ssize_t t;
    int64_t n, d, at = 0;

    if (!PyArg_ParseTuple(args, "O!w*w*Ow*w*O", &PyList_Type, &terms, &sums, &marks, &overlap_given, &found, &out,
                          &counts_given))
        return NULL;
    if ((overlap_given != Py_None && PyObject_GetBuffer(overlap_given, &overlap, PyBUF_CONTIG) < 0) ||
        (counts_given != Py_None && PyObject_GetBuffer(counts_given, &counts, PyBUF_CONTIG) < 0))
        goto done;
    n = (int64_t)marks.len;
    for (t = 0; t < PyList_GET_SIZE(terms); t++) {
        Py_buffer documents, weights;
        double factor;
        long long clauses;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(terms, t), "y*y*dL", &documents, &weights, &factor, &clauses))
            goto done;
        Py_BEGIN_ALLOW_THREADS
        const int32_t *document = documents.buf;
        const double *weight = weights.buf;
        double *sum = sums.buf;
        uint8_t *mark = marks.buf;
        int32_t *occur = overlap.obj ? overlap.buf : NULL;
        int64_t size = (int64_t)(documents.len / 4), i;
        for (i = 0; i < size; i++) {
            sum[document[i]] += weight[i] * factor;
            mark[document[i]] = 1;
        }
        if (occur)
            for (i = 0; i < size; i++)
                occur[document[i]] += (int32_t)clauses;
        Py_END_ALLOW_THREADS
        PyBuffer_Release(&documents);
        PyBuffer_Release(&weights);
    }
    Py_BEGIN_ALLOW_THREADS
    double *sum = sums.buf, *to = out.buf, *count = counts.obj ? counts.buf : NULL;
    uint8_t *mark = marks.buf;
    int32_t *occur = overlap.obj ? overlap.buf : NULL;
    int64_t *place = found.buf;
    for (d = 0; d < n; d++) {
        if (d + 8 <= n && load8(mark + d) == 0) { /* eight documents without a term */
            d += 7;
            continue;
        }
        if (!mark[d])
            continue;
        place[at] = d;
        to[at] = sum[d];
        if (count)
            count[at] = occur[d];
        at++;
        sum[d] = 0.0;
        mark[d] = 0;
        if (occur)
            occur[d] = 0;
    }
    Py_END_ALLOW_THREADS
done:
    PyBuffer_Release(&sums);
    PyBuffer_Release(&marks);
    PyBuffer_Release(&found);
    PyBuffer_Release(&out);
    if (overlap.obj)
        PyBuffer_Release(&overlap);
    if (counts.obj)
        PyBuffer_Release(&counts);
    return PyErr_Occurred() ? NULL : PyLong_FromLongLong((long long)at);
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

/* top(scores, documents, ranks, out) -> nothing; out gets the places of as many scores as it has room for, highest
 * first, among equal ones the document with the highest rank first. */
static PyObject *
kernel_top(PyObject *self, PyObject *args)
{
    Py_buffer scores, documents, ranks, out;
    Candidate *kept;

    if (!PyArg_ParseTuple(args, "y*y*y*w*", &scores, &documents, &ranks, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const double *score = scores.buf;
    const int64_t *document = documents.buf;
    const int32_t *rank = ranks.buf;
    int64_t n = (int64_t)(scores.len / 8), k = (int64_t)(out.len / 8), i, *place = out.buf;
    kept = malloc((size_t)(2 * n + 1) * sizeof *kept);
    if (kept) {
        for (i = 0; i < n; i++)
            kept[i] = (Candidate){score[i], rank[document[i]], (int32_t)i};
        if (k > n)
            k = n;
        if (k < n)
            select_best(kept, n, k);
        sort_best(kept, kept + n, k);
        for (i = 0; i < k; i++)
            place[i] = kept[i].place;
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&scores);
    PyBuffer_Release(&documents);
    PyBuffer_Release(&ranks);
    PyBuffer_Release(&out);
    if (!kept)
        return PyErr_NoMemory();
    free(kept);
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- answer */

typedef struct {
    Py_buffer documents, weights;
    double factor;
} Posting;

typedef struct {
    int64_t first, last; /* its terms */
    double part, norm;
} Asked;

#define STRIDE 16

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
 * part, norm), a term (documents, weights, factor) with every factor · weight above 0; the score of a document is
 * (Σ factor · weight + part) · norm. sums has a zero for each document, before and after; the answers go side by side
 * into documents and scores, k places for each query, and how many there are into counts. */
static PyObject *
kernel_answer(PyObject *self, PyObject *args)
{
    PyObject *queries;
    Py_buffer sums, ranks, documents, scores, counts;
    long long k;
    Py_ssize_t q, total = 0, parsed = 0, many;
    Posting *posting = NULL;
    Asked *asked = NULL;
    Candidate *kept = NULL;
    int64_t i;

    if (!PyArg_ParseTuple(args, "O!w*y*Lw*w*w*", &PyList_Type, &queries, &sums, &ranks, &k, &documents, &scores, &counts))
        return NULL;
    many = PyList_GET_SIZE(queries);
    asked = malloc((size_t)(many + 1) * sizeof *asked);
    if (!asked) {
        PyErr_NoMemory();
        goto done;
    }
    for (q = 0; q < many; q++) {
        PyObject *terms;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(queries, q), "O!dd", &PyList_Type, &terms, &asked[q].part, &asked[q].norm))
            goto done;
        asked[q].first = (int64_t)total;
        asked[q].last = (int64_t)(total += PyList_GET_SIZE(terms));
    }
    posting = malloc((size_t)(total + 1) * sizeof *posting);
    kept = malloc(((size_t)sums.len / 8 * 2 + 1) * sizeof *kept);
    if (!posting || !kept) {
        PyErr_NoMemory();
        goto done;
    }
    for (q = 0; q < many; q++) {
        PyObject *terms = PyTuple_GET_ITEM(PyList_GET_ITEM(queries, q), 0);
        for (i = 0; i < asked[q].last - asked[q].first; i++) {
            Posting *p = &posting[parsed];
            if (!PyArg_ParseTuple(PyList_GET_ITEM(terms, (Py_ssize_t)i), "y*y*d", &p->documents, &p->weights, &p->factor))
                goto done;
            parsed++;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    double *sum = sums.buf, *score = scores.buf;
    int32_t *document = documents.buf;
    int64_t *count = counts.buf, n = (int64_t)(sums.len / 8), t;
    for (q = 0; q < many; q++) {
        for (t = asked[q].first; t < asked[q].last; t++) {
            const int32_t *at = posting[t].documents.buf;
            const double *weight = posting[t].weights.buf, factor = posting[t].factor;
            int64_t size = (int64_t)(posting[t].documents.len / 4);
            for (i = 0; i < size; i++)
                sum[at[i]] += weight[i] * factor;
        }
        count[q] = best_of(sum, n, &asked[q], ranks.buf, (int64_t)k, kept, document + q * k, score + q * k);
    }
    Py_END_ALLOW_THREADS
done:
    while (parsed) {
        PyBuffer_Release(&posting[--parsed].documents);
        PyBuffer_Release(&posting[parsed].weights);
    }
    free(posting);
    free(asked);
    free(kept);
    PyBuffer_Release(&sums);
    PyBuffer_Release(&ranks);
    PyBuffer_Release(&documents);
    PyBuffer_Release(&scores);
    PyBuffer_Release(&counts);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- module */

static PyMethodDef methods[] = {
    {"count_lines", kernel_count_lines, METH_VARARGS, "newlines in text[begin:end]"},
    {"scan", kernel_scan, METH_VARARGS, "white-space separated text into columns"},
    {"index", kernel_index, METH_VARARGS, "hash tables of the documents of each topic"},
    {"judge", kernel_judge, METH_VARARGS, "ranks and grades of the documents in the pool"},
    {"dominated", kernel_dominated, METH_VARARGS, "how many of the first places are smaller than a bound"},
    {"split", kernel_split, METH_VARARGS, "the tokens of ASCII texts"},
    {"add", kernel_add, METH_VARARGS, "sums of the terms of a query by document"},
    {"top", kernel_top, METH_VARARGS, "the places of the highest scores, in order"},
    {"answer", kernel_answer, METH_VARARGS, "the best documents for queries whose terms all count for something"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "adjudge.core._kernel", NULL, -1, methods};

PyMODINIT_FUNC
PyInit__kernel(void)
{
    return PyModule_Create(&module);
}
