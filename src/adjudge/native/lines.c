/* White-space separated text becomes columns.
 *
 *   count_lines  text  ->  how many lines it has
 *   topic_end    text  ->  where the lines of its first topic end
 *   scan         text  ->  topics, documents and numbers, or what is wrong with the first line that is not as it should be
 *   whole        doubles that are whole numbers  ->  32-bit integers
 *
 * The interpreter lock is released, so that two threads can work on two halves of a file. core/fallback.py says the same
 * in Python. bench/why_kernel.py shows what libraries reach without it.
 */
#include "buffers.h"
#include "hash.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
    int64_t count = 0, exponent = 0;
    int any = 0, negative = 0;

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

/* ---------------------------------------------------------------- scan */

enum { NO_MEMORY = 1, BAD_COLUMNS, BAD_NUMBER, BAD_FINITE, BAD_NUL, BAD_RETURN, BAD_LENGTH, NO_ROOM };

typedef struct {
    int64_t value_column, tag_column, columns;
    int more_allowed, integer;
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

#define MIN_COLUMNS 3 /* the third is the document */
#define MAX_COLUMNS 6

/* Every line of text[begin, end) becomes a row; text[end - 1] is a newline. Returns the number of rows. */
static int64_t
scan_lines(const uint8_t *text, int64_t begin, int64_t end, const Shape *shape, uint8_t *ids, int64_t at, int64_t room,
           int64_t *starts, int32_t *lengths, double *values, int64_t rows, Names *names, Segments *segments, int64_t *skipped,
           int64_t *tag, int64_t *tag_length, Fault *fault)
{
    const uint8_t *p = text + begin, *stop = text + end, *line = p;
    int64_t row = 0, topic_start = 0, topic_length = -1, number = 0;
    int last = (int)shape->columns - 1;
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
        if (to[2] - from[2] > INT32_MAX) {
            fault->code = BAD_LENGTH;
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
        if (row == rows) {
            fault->code = NO_ROOM;
            break;
        }

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
                    fault->code = NO_MEMORY;
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

/* scan(text, begin, end, shape, ids, at, starts, lengths, values, first row): the lines of text[begin:end], which ends with
 * a newline, become rows from the first one on; the bytes of document ids go to ids, from `at` on. The shape is (column of
 * the value, column of the tag or -1, columns, whether there may be more, whether the value is an integer). */
static PyObject *
lines_scan(PyObject *self, PyObject *args)
{
    enum { TEXT, IDS, STARTS, LENGTHS, VALUES, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "text"), WRITES(uint8_t, "ids"), WRITES(int64_t, "starts"),
                       WRITES(int32_t, "lengths"), WRITES(double, "values")};
    int64_t begin, end, row, at, rows, skipped = 0, tag = 0, tag_length = -1;
    Shape shape;
    Names names = {0};
    Segments segments = {0};
    Fault fault = {0};
    PyObject *form, *list = NULL, *result = NULL;
    const uint8_t *text;

    (void)self;
    if (!take(args, "scan", "AiiTAiAAAi", a, &begin, &end, &form, &at, &row))
        return NULL;
    text = a[TEXT].items;
    if (!take(form, "scan: shape", "iiipp", NULL, &shape.value_column, &shape.tag_column, &shape.columns,
              &shape.more_allowed, &shape.integer))
        goto done;
    if (shape.columns < MIN_COLUMNS || shape.columns > MAX_COLUMNS || shape.value_column < 0 ||
        shape.value_column >= shape.columns || shape.tag_column < -1 || shape.tag_column >= shape.columns) {
        PyErr_SetString(PyExc_ValueError, "scan: shape: no such columns");
        goto done;
    }
    if (!is_part("scan", begin, end, a[TEXT].length) || !is_part("scan: rows", row, a[STARTS].length, a[STARTS].length) ||
        !has_length(&a[LENGTHS], a[STARTS].length) || !has_length(&a[VALUES], a[STARTS].length))
        goto done;
    if (end > begin && text[end - 1] != '\n') {
        refuse(&a[TEXT], "does not end with a newline");
        goto done;
    }
    if (at < 0 || at > a[IDS].length - (end - begin)) {
        refuse(&a[IDS], "no room for as much as there is text");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    rows = scan_lines(text, begin, end, &shape, a[IDS].items, at, at + (end - begin), (int64_t *)a[STARTS].items + row,
                      (int32_t *)a[LENGTHS].items + row, (double *)a[VALUES].items + row, a[STARTS].length - row,
                      &names, &segments, &skipped, &tag, &tag_length, &fault);
    Py_END_ALLOW_THREADS
    if (fault.code == NO_MEMORY) {
        PyErr_NoMemory();
        goto done;
    }
    if (fault.code == NO_ROOM) {
        refuse(&a[STARTS], "no room for as many rows as there are lines");
        goto done;
    }
    if ((list = PyList_New((Py_ssize_t)names.count)) == NULL)
        goto done;
    for (Py_ssize_t i = 0; i < names.count; i++) {
        PyObject *name = PyBytes_FromStringAndSize((const char *)text + names.starts[i], names.lengths[i]);
        if (name == NULL)
            goto done;
        PyList_SET_ITEM(list, i, name);
    }
    result = Py_BuildValue("LOy#y#Ly#(iLLL)", (long long)rows, list, segments.rows ? (const char *)segments.rows : "",
                           (Py_ssize_t)segments.count * 8, segments.codes ? (const char *)segments.codes : "",
                           (Py_ssize_t)segments.count * 4, (long long)skipped,
                           tag_length < 0 ? NULL : (const char *)text + tag, (Py_ssize_t)(tag_length < 0 ? 0 : tag_length),
                           fault.code, (long long)fault.line, (long long)fault.begin, (long long)fault.end);
done:
    Py_XDECREF(list);
    free(names.starts);
    free(names.lengths);
    free(names.slots);
    free(segments.rows);
    free(segments.codes);
    release(a, ARRAYS);
    return result;
}

/* count_lines(text, begin, end): the newlines of text[begin:end]. */
static PyObject *
lines_count(PyObject *self, PyObject *args)
{
    Array text = READS(uint8_t, "text");
    int64_t begin, end, count = 0;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "count_lines", "Aii", &text, &begin, &end))
        return NULL;
    if (is_part("count_lines", begin, end, text.length)) {
        Py_BEGIN_ALLOW_THREADS
        const uint8_t *p = (const uint8_t *)text.items + begin, *stop = (const uint8_t *)text.items + end;
        while (stop - p >= 64) { /* in blocks that an 8-bit counter cannot overflow: the compiler makes vectors of it */
            uint8_t found = 0;
            for (int i = 0; i < 64; i++)
                found += p[i] == '\n';
            count += found;
            p += 64;
        }
        for (; p < stop; p++)
            count += *p == '\n';
        Py_END_ALLOW_THREADS
        result = PyLong_FromLongLong((long long)count);
    }
    release(&text, 1);
    return result;
}

/* topic_end(text, begin, end): where the first line of text[begin:end] begins that has another topic than those before it;
 * end if there is none. Blank lines and comments belong to any topic. text[end - 1] is a newline, and a line begins at
 * begin. */
static PyObject *
lines_topic_end(PyObject *self, PyObject *args)
{
    Array text = READS(uint8_t, "text");
    int64_t begin, end, found = 0;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "topic_end", "Aii", &text, &begin, &end))
        return NULL;
    if (!is_part("topic_end", begin, end, text.length))
        goto done;
    if (end > begin && ((const uint8_t *)text.items)[end - 1] != '\n') {
        refuse(&text, "does not end with a newline");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *p = (const uint8_t *)text.items + begin, *stop = (const uint8_t *)text.items + end;
    const uint8_t *topic = NULL, *line = p;
    int64_t length = 0;
    for (; p < stop; line = p) {
        while (blank(*p))
            p++;
        if (*p != '\n' && *p != '#') {
            int nul = 0;
            const uint8_t *to = token_end(p, stop, &nul);
            if (topic == NULL) {
                topic = p;
                length = to - p;
            } else if (to - p != length || memcmp(topic, p, (size_t)length) != 0)
                break;
            p = to;
        }
        p = (const uint8_t *)memchr(p, '\n', (size_t)(stop - p)) + 1;
    }
    found = line - (const uint8_t *)text.items;
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong((long long)found);
done:
    release(&text, 1);
    return result;
}

/* whole(numbers, out): each number is a whole one of 32 bits, as scan reads them. */
static PyObject *
lines_whole(PyObject *self, PyObject *args)
{
    Array a[2] = {READS(double, "numbers"), WRITES(int32_t, "out")};
    PyObject *result = NULL;
    int64_t i = 0;

    (void)self;
    if (!take(args, "whole", "AA", a))
        return NULL;
    if (has_length(&a[1], a[0].length)) {
        const double *numbers = a[0].items;
        for (i = 0; i < a[0].length && numbers[i] >= INT32_MIN && numbers[i] <= INT32_MAX; i++)
            ((int32_t *)a[1].items)[i] = (int32_t)numbers[i];
        if (i < a[0].length)
            refuse(&a[0], "number %lld has more than 32 bits", (long long)i);
        else
            result = Py_NewRef(Py_None);
    }
    release(a, 2);
    return result;
}

PyMethodDef lines_entries[] = {
    {"count_lines", lines_count, METH_VARARGS, "newlines in text[begin:end]"},
    {"scan", lines_scan, METH_VARARGS, "white-space separated text into columns"},
    {"topic_end", lines_topic_end, METH_VARARGS, "where the lines of the first topic end"},
    {"whole", lines_whole, METH_VARARGS, "whole numbers as integers"},
    END_OF_ENTRIES,
};
