/* Tables and objects in text become columns, if they are plain.
 *
 *   delimited  lines with a separator between columns     ->  topics, documents and numbers
 *   nested     JSON {"topic": {"document": number, …}, …}  ->  the same
 *
 * Both give None for whatever they do not know, which formats/nested.py then reads by libraries that know it all: quotes and
 * carriage returns in a table, escapes and characters beyond ASCII in JSON, numbers in unusual writing. So nothing is decided
 * here that is decided there, and the tests hold both to the same results. The interpreter lock is released.
 */
#include "reading.h"

#include <math.h>

typedef struct {
    const uint8_t *text;
    uint8_t *ids;
    int64_t *starts;
    int32_t *lengths;
    double *values;
    int64_t rows, row, at; /* rows there is room for, the next one, the next free byte of ids */
    Names names;
    Segments segments;
    const uint8_t *topic;
    int64_t topic_length;
} Columns;

enum { STRANGE = 1, NO_MEMORY };

/* digits, a sign before and a fraction or an exponent behind them, as JSON writes numbers and most programs do. */
static int
plain_number(const uint8_t *p, const uint8_t *end, double *out)
{
    const uint8_t *first = p, *digits;
    int whole = 1;
    if (p < end && *p == '-')
        p++;
    digits = p;
    while (p < end && (unsigned)(*p - '0') < 10)
        p++;
    if (p == digits || (*digits == '0' && p - digits > 1) || p - digits > 15)
        return 0;
    if (p < end && *p == '.') {
        digits = ++p;
        while (p < end && (unsigned)(*p - '0') < 10)
            p++;
        if (p == digits)
            return 0;
        whole = 0;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        digits = p;
        while (p < end && (unsigned)(*p - '0') < 10)
            p++;
        if (p == digits || p - digits > 3)
            return 0;
        whole = 0;
    }
    if (p != end || !read_double(first, end, out) || !isfinite(*out))
        return 0;
    if (whole && *out == 0) /* a whole number has no negative zero */
        *out = 0.0;
    return 1;
}

static int
add_row(Columns *c, const uint8_t *topic, int64_t topic_length, const uint8_t *document, int64_t length, double value)
{
    if (topic_length < 1 || length < 1 || length > INT32_MAX || c->row == c->rows)
        return STRANGE;
    if (topic_length != c->topic_length || memcmp(c->topic, topic, (size_t)topic_length) != 0) {
        int32_t code = names_code(&c->names, c->text, topic - c->text, topic_length);
        if (code < 0 || !segments_add(&c->segments, c->row, code))
            return NO_MEMORY;
        c->topic = topic;
        c->topic_length = topic_length;
    }
    memcpy(c->ids + c->at, document, (size_t)length);
    c->starts[c->row] = c->at;
    c->lengths[c->row] = (int32_t)length;
    c->values[c->row++] = value;
    c->at += length;
    return 0;
}

#define MOST_COLUMNS 64

typedef struct {
    int64_t columns, topic, document, value, tag; /* tag: -1 if there is none */
    uint8_t separator;
} Layout;

static int
read_delimited(Columns *c, const uint8_t *p, const uint8_t *stop, const Layout *layout, const uint8_t **tag, int64_t *tag_length)
{
    while (p < stop) {
        const uint8_t *from[MOST_COLUMNS], *to[MOST_COLUMNS], *newline = memchr(p, '\n', (size_t)(stop - p)), *q;
        int64_t column = 0;
        double value;
        int failed;
        from[0] = p;
        for (q = p; q < newline; q++) {
            if (*q == '"' || *q == '\r' || *q == 0 || *q >= 0x80)
                return STRANGE;
            if (*q == layout->separator) {
                to[column++] = q;
                if (column == layout->columns)
                    return STRANGE;
                from[column] = q + 1;
            }
        }
        to[column] = newline;
        if (column + 1 != layout->columns || !plain_number(from[layout->value], to[layout->value], &value))
            return STRANGE;
        failed = add_row(c, from[layout->topic], to[layout->topic] - from[layout->topic], from[layout->document],
                         to[layout->document] - from[layout->document], value);
        if (failed)
            return failed;
        if (layout->tag >= 0) {
            int64_t length = to[layout->tag] - from[layout->tag];
            if (length < 1 || (*tag_length >= 0 && (length != *tag_length || memcmp(*tag, from[layout->tag], (size_t)length))))
                return STRANGE;
            *tag = from[layout->tag];
            *tag_length = length;
        }
        p = newline + 1;
    }
    return 0;
}

static const uint8_t *
skip_white(const uint8_t *p, const uint8_t *stop)
{
    while (p < stop && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

/* Behind a string of printable ASCII and the colon after it, which begins at p; NULL if there is none. */
static const uint8_t *
read_key(const uint8_t *p, const uint8_t *stop, const uint8_t **key, int64_t *length)
{
    const uint8_t *q;
    if (p == stop || *p != '"')
        return NULL;
    for (q = ++p; q < stop && *q != '"'; q++)
        if (*q < ' ' || *q >= 0x7f || *q == '\\')
            return NULL;
    if (q == stop)
        return NULL;
    *key = p;
    *length = q - p;
    q = skip_white(q + 1, stop);
    return q < stop && *q == ':' ? skip_white(q + 1, stop) : NULL;
}

static int
read_nested(Columns *c, const uint8_t *p, const uint8_t *stop)
{
    int64_t topics = 0;
    p = skip_white(p, stop);
    if (p == stop || *p != '{')
        return STRANGE;
    do {
        const uint8_t *topic;
        int64_t topic_length;
        p = read_key(skip_white(p + 1, stop), stop, &topic, &topic_length);
        if (p == NULL || p == stop || *p != '{')
            return STRANGE;
        do {
            const uint8_t *document, *end;
            int64_t length;
            double value;
            int failed;
            p = read_key(skip_white(p + 1, stop), stop, &document, &length);
            if (p == NULL)
                return STRANGE;
            for (end = p; end < stop && ((unsigned)(*end - '0') < 10 || *end == '-' || *end == '+' || *end == '.' ||
                                         *end == 'e' || *end == 'E');)
                end++;
            if (!plain_number(p, end, &value))
                return STRANGE;
            failed = add_row(c, topic, topic_length, document, length, value);
            if (failed)
                return failed;
            p = skip_white(end, stop);
        } while (p < stop && *p == ',');
        if (p == stop || *p != '}' || c->names.count != ++topics) /* a key that was there before is an error */
            return STRANGE;
        p = skip_white(p + 1, stop);
    } while (p < stop && *p == ',');
    if (p == stop || *p != '}')
        return STRANGE;
    return skip_white(p + 1, stop) == stop ? 0 : STRANGE;
}

enum { TEXT, IDS, STARTS, LENGTHS, VALUES, ARRAYS };

/* The arrays of both entries: text, ids, starts, lengths, values; 0 with an error set if they do not go together. */
static int
columns_of(Array *a, int64_t begin, int64_t end, Columns *c)
{
    if (!is_part("tables", begin, end, a[TEXT].length) || !has_length(&a[LENGTHS], a[STARTS].length) ||
        !has_length(&a[VALUES], a[STARTS].length))
        return 0;
    if (a[IDS].length < end - begin) {
        refuse(&a[IDS], "no room for as much as there is text");
        return 0;
    }
    *c = (Columns){.text = a[TEXT].items, .ids = a[IDS].items, .starts = a[STARTS].items, .lengths = a[LENGTHS].items,
                   .values = a[VALUES].items, .rows = a[STARTS].length, .topic_length = -1};
    return 1;
}

static PyObject *
columns_result(Columns *c, int failed, const uint8_t *tag, int64_t tag_length)
{
    if (failed == NO_MEMORY)
        return PyErr_NoMemory();
    if (failed)
        return Py_NewRef(Py_None);
    return scanned_result(c->text, c->row, &c->names, &c->segments, 0, tag_length < 0 ? 0 : tag - c->text, tag_length,
                          Py_BuildValue("(iLLL)", 0, 0LL, 0LL, 0LL));
}

#define TABLE_ARRAYS                                                                                                   \
    {READS(uint8_t, "text"), WRITES(uint8_t, "ids"), WRITES(int64_t, "starts"), WRITES(int32_t, "lengths"),            \
     WRITES(double, "values")}

/* delimited(text, begin, end, layout, ids, starts, lengths, values): the rows of text[begin:end], whose header was read before
 * and whose last line is ended. The layout is (separator, columns, column of the topic, document, value, tag or -1). The
 * result is that of lines.scan, or None. */
static PyObject *
tables_delimited(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = TABLE_ARRAYS;
    int64_t begin, end, separator, tag_length = -1;
    const uint8_t *tag = NULL;
    PyObject *form, *result = NULL;
    Columns c = {0};
    Layout layout;
    int failed;

    (void)self;
    if (!take(args, "delimited", "AiiTAAAA", a, &begin, &end, &form))
        return NULL;
    if (!take(form, "delimited: layout", "iiiiii", NULL, &separator, &layout.columns, &layout.topic, &layout.document,
              &layout.value, &layout.tag) ||
        !columns_of(a, begin, end, &c))
        goto done;
    if (separator < 1 || separator > 0x7f || separator == '\n' || layout.columns < 1 || layout.columns > MOST_COLUMNS ||
        layout.topic < 0 || layout.topic >= layout.columns || layout.document < 0 || layout.document >= layout.columns ||
        layout.value < 0 || layout.value >= layout.columns || layout.tag < -1 || layout.tag >= layout.columns) {
        PyErr_SetString(PyExc_ValueError, "delimited: layout: no such columns");
        goto done;
    }
    if (end > begin && c.text[end - 1] != '\n') {
        refuse(&a[TEXT], "does not end with a newline");
        goto done;
    }
    layout.separator = (uint8_t)separator;
    Py_BEGIN_ALLOW_THREADS
    failed = read_delimited(&c, c.text + begin, c.text + end, &layout, &tag, &tag_length);
    Py_END_ALLOW_THREADS
    result = columns_result(&c, failed, tag, tag_length);
done:
    forget(&c.names, &c.segments);
    release(a, ARRAYS);
    return result;
}

/* nested(text, begin, end, ids, starts, lengths, values): the numbers of a JSON object of objects in text[begin:end]. The result
 * is that of lines.scan, or None. */
static PyObject *
tables_nested(PyObject *self, PyObject *args)
{
    Array a[ARRAYS] = TABLE_ARRAYS;
    int64_t begin, end;
    PyObject *result = NULL;
    Columns c = {0};
    int failed;

    (void)self;
    if (!take(args, "nested", "AiiAAAA", a, &begin, &end))
        return NULL;
    if (!columns_of(a, begin, end, &c))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    failed = read_nested(&c, c.text + begin, c.text + end);
    Py_END_ALLOW_THREADS
    result = columns_result(&c, failed, NULL, -1);
done:
    forget(&c.names, &c.segments);
    release(a, ARRAYS);
    return result;
}

PyMethodDef tables_entries[] = {
    {"delimited", tables_delimited, METH_VARARGS, "lines with separators into columns"},
    {"nested", tables_nested, METH_VARARGS, "a JSON object of objects into columns"},
    END_OF_ENTRIES,
};
