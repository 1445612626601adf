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
#include "reading.h"

#include <math.h>

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
    int code;
    int64_t line, begin, end;
} Fault;

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
    PyObject *form, *result = NULL;
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
    result = scanned_result(text, rows, &names, &segments, skipped, tag, tag_length,
                            Py_BuildValue("(iLLL)", fault.code, (long long)fault.line, (long long)fault.begin,
                                          (long long)fault.end));
done:
    forget(&names, &segments);
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
