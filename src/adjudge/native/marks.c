/* Mark-up taken out of SGML.
 *
 *   lines     text, what to put instead  ->  text without lines of nothing but mark-up and without comments
 *   tags      text                       ->  text with a blank for tags and declarations that follow each other
 *   entities  text, a mapping            ->  text with what entities stand for
 *   documents text, where to begin       ->  where <DOC>, </DOC>, <DOCNO> and </DOCNO> stand
 *   first     text, tags                 ->  where the first of them begins, and which it is
 *
 * formats/documents/marks.py does the same with regular expressions, and says what each of these is. Texts are short, so
 * the interpreter is not let go: to get it back takes longer than the loop where another thread has work.
 */
#include "buffers.h"

#include <string.h>

/* The bytes of an object of that type; NULL with an exception set if it is another one. */
static const char *
bytes_in(PyObject *object, const char *entry, Py_ssize_t *size)
{
    if (!PyBytes_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: text must be bytes, not %.100s", entry, Py_TYPE(object)->tp_name);
        return NULL;
    }
    *size = PyBytes_GET_SIZE(object);
    return PyBytes_AS_STRING(object);
}

static inline int
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline int
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline int
is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Where a tag that begins at p ends, its > included; NULL if no tag begins there. */
static const char *
after_tag(const char *p, const char *end, int declarations)
{
    if (end - p < 2 || *p != '<')
        return NULL;
    p++;
    if (!(is_letter(*p) || *p == '/' || *p == '?' || (declarations && *p == '!')))
        return NULL;
    for (p++; p < end && *p != '<' && *p != '>'; p++)
        ;
    return p < end && *p == '>' ? p + 1 : NULL;
}

/* The same for a comment without a > in it. */
static const char *
after_comment(const char *p, const char *end)
{
    if (end - p < 5 || memcmp(p, "<!--", 4) != 0)
        return NULL;
    const char *close = memchr(p + 4, '>', (size_t)(end - p - 4));
    return close && close[-1] == '-' && close[-2] == '-' ? close + 1 : NULL;
}

/* The same for a comment with anything in it. */
static const char *
after_any_comment(const char *p, const char *end)
{
    if (end - p < 7 || memcmp(p, "<!--", 4) != 0)
        return NULL;
    for (p += 4; end - p >= 3; p++) {
        if ((p = memchr(p, '-', (size_t)(end - p - 2))) == NULL)
            return NULL;
        if (p[1] == '-' && p[2] == '>')
            return p + 3;
    }
    return NULL;
}

static const char *
after_mark(const char *p, const char *end)
{
    const char *after = after_tag(p, end, 0);
    return after ? after : after_comment(p, end);
}

/* Where the marks that begin at p and follow each other line by line end, with the blanks behind them; NULL if there are
 * fewer than two of them. */
static const char *
after_lines(const char *p, const char *end)
{
    const char *at = after_mark(p, end), *next;
    int many = 1;
    while (at) {
        int broken = 0;
        for (next = at; next < end && (*next == ' ' || *next == '\t' || *next == '\r' || *next == '\n'); next++)
            broken |= *next == '\n';
        const char *further = broken && next < end ? after_mark(next, end) : NULL;
        if (!further)
            return many > 1 ? next : NULL;
        at = further;
        many++;
    }
    return NULL;
}

/* lines(text, instead) */
static PyObject *
marks_lines(PyObject *self, PyObject *args)
{
    PyObject *text, *instead, *result;
    Py_ssize_t size, length;
    (void)self;
    if (!take(args, "lines", "OO", NULL, &text, &instead))
        return NULL;
    const char *from = bytes_in(text, "lines", &size), *put = from ? bytes_in(instead, "lines", &length) : NULL;
    if (!put)
        return NULL;
    if (length > 1)
        return PyErr_Format(PyExc_ValueError, "lines: at most one byte may stand for them");
    if ((result = PyBytes_FromStringAndSize(NULL, size)) == NULL)
        return NULL;
    char *begin = PyBytes_AS_STRING(result), *to = begin;
    const char *end = from + size;
    while (from < end) {
        const char *mark = memchr(from, '<', (size_t)(end - from)), *after;
        if (!mark)
            mark = end;
        memcpy(to, from, (size_t)(mark - from));
        to += mark - from;
        from = mark;
        if (mark == end)
            break;
        after = after_lines(mark, end);
        if (!after)
            after = after_comment(mark, end);
        if (!after)
            after = after_any_comment(mark, end);
        if (after) {
            if (length)
                *to++ = *put;
            from = after;
        } else
            *to++ = *from++;
    }
    _PyBytes_Resize(&result, to - begin);
    return result;
}

/* tags(text) */
static PyObject *
marks_tags(PyObject *self, PyObject *args)
{
    PyObject *text, *result;
    Py_ssize_t size;
    (void)self;
    if (!take(args, "tags", "O", NULL, &text))
        return NULL;
    const char *from = bytes_in(text, "tags", &size);
    if (!from || (result = PyBytes_FromStringAndSize(NULL, size)) == NULL)
        return NULL;
    char *begin = PyBytes_AS_STRING(result), *to = begin;
    const char *end = from + size;
    while (from < end) {
        const char *mark = memchr(from, '<', (size_t)(end - from)), *after, *next;
        if (!mark)
            mark = end;
        memcpy(to, from, (size_t)(mark - from));
        to += mark - from;
        from = mark;
        if (mark == end)
            break;
        if ((after = after_tag(mark, end, 1)) == NULL) {
            *to++ = *from++;
            continue;
        }
        do {
            from = after;
            for (next = from; next < end && (*next == ' ' || (*next >= '\t' && *next <= '\r')); next++)
                ;
        } while ((after = after_tag(next, end, 1)) != NULL);
        *to++ = ' ';
    }
    _PyBytes_Resize(&result, to - begin);
    return result;
}

/* Where the name of an entity ends that begins behind an &, if a semicolon follows; NULL otherwise. */
static const char *
after_name(const char *p, const char *end)
{
    int many = 0;
    if (p < end && *p == '#') {
        int hex = end - p > 1 && (p[1] == 'x' || p[1] == 'X'), most = hex ? 6 : 7;
        for (p += 1 + hex; p < end && many < most && (hex ? is_hex(*p) : is_digit(*p)); p++)
            many++;
    } else if (p < end && is_letter(*p))
        for (; p < end && many < 32 && (is_letter(*p) || is_digit(*p)); p++)
            many++;
    return many && p < end && *p == ';' ? p : NULL;
}

/* entities(text, known): known[name] is asked for each, and gives bytes. */
static PyObject *
marks_entities(PyObject *self, PyObject *args)
{
    PyObject *text, *known, *pieces, *result = NULL, *nothing = NULL;
    Py_ssize_t size;
    (void)self;
    if (!take(args, "entities", "OO", NULL, &text, &known))
        return NULL;
    const char *from = bytes_in(text, "entities", &size);
    if (!from || (pieces = PyList_New(0)) == NULL)
        return NULL;
    const char *end = from + size, *done = from, *p = from, *after;
    while (p < end && (p = memchr(p, '&', (size_t)(end - p))) != NULL) {
        if ((after = after_name(p + 1, end)) == NULL) {
            p++;
            continue;
        }
        PyObject *name = PyBytes_FromStringAndSize(p + 1, after - p - 1);
        PyObject *character = name ? PyObject_GetItem(known, name) : NULL;
        Py_XDECREF(name);
        PyObject *before = character ? PyBytes_FromStringAndSize(done, p - done) : NULL;
        int failed = !before || PyList_Append(pieces, before) || PyList_Append(pieces, character);
        Py_XDECREF(before);
        Py_XDECREF(character);
        if (failed)
            goto done;
        done = p = after + 1;
    }
    if (done == PyBytes_AS_STRING(text))
        result = Py_NewRef(text);
    else {
        PyObject *rest = PyBytes_FromStringAndSize(done, end - done);
        int failed = !rest || PyList_Append(pieces, rest);
        Py_XDECREF(rest);
        nothing = failed ? NULL : PyBytes_FromStringAndSize(NULL, 0);
        result = nothing ? PyObject_CallMethod(nothing, "join", "O", pieces) : NULL;
    }
done:
    Py_XDECREF(nothing);
    Py_DECREF(pieces);
    return result;
}

/* documents(text, from) -> [(begin, end, whether it closes, whether it is a number) …], in small letters too */
static PyObject *
marks_documents(PyObject *self, PyObject *args)
{
    PyObject *text, *found;
    Py_ssize_t size;
    int64_t first;
    (void)self;
    if (!take(args, "documents", "Oi", NULL, &text, &first))
        return NULL;
    const char *from = bytes_in(text, "documents", &size), *end, *p;
    if (!from || (found = PyList_New(0)) == NULL)
        return NULL;
    end = from + size;
    for (p = from + (first < 0 ? 0 : first > size ? size : first); p < end; p++) {
        if ((p = memchr(p, '<', (size_t)(end - p))) == NULL)
            break;
        const char *q = p + 1;
        int closing = q < end && *q == '/', number;
        q += closing;
        if (end - q < 4 || (q[0] | 32) != 'd' || (q[1] | 32) != 'o' || (q[2] | 32) != 'c')
            continue;
        q += 3;
        number = end - q >= 3 && (q[0] | 32) == 'n' && (q[1] | 32) == 'o';
        q += 2 * number;
        if (*q != '>')
            continue;
        PyObject *one = Py_BuildValue("(nnii)", p - from, q + 1 - from, closing, number);
        int failed = !one || PyList_Append(found, one);
        Py_XDECREF(one);
        if (failed) {
            Py_DECREF(found);
            return NULL;
        }
    }
    return found;
}

/* first(text, tags) -> (begin, which), or None if none of the tags, each of which begins with <, stands in the text */
static PyObject *
marks_first(PyObject *self, PyObject *args)
{
    PyObject *text, *tags;
    Py_ssize_t size, length, many;
    (void)self;
    if (!take(args, "first", "O" "T", NULL, &text, &tags))
        return NULL;
    const char *from = bytes_in(text, "first", &size), *end, *p;
    if (!from)
        return NULL;
    many = PyTuple_GET_SIZE(tags);
    for (Py_ssize_t t = 0; t < many; t++)
        if (!bytes_in(PyTuple_GET_ITEM(tags, t), "first", &length))
            return NULL;
    end = from + size;
    for (p = from; p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL; p++)
        for (Py_ssize_t t = 0; t < many; t++) {
            PyObject *tag = PyTuple_GET_ITEM(tags, t);
            length = PyBytes_GET_SIZE(tag);
            if (length > 1 && length <= end - p && p[1] == PyBytes_AS_STRING(tag)[1] &&
                memcmp(p, PyBytes_AS_STRING(tag), (size_t)length) == 0)
                return Py_BuildValue("(nn)", p - from, t);
        }
    return Py_NewRef(Py_None);
}

PyMethodDef marks_entries[] = {
    {"lines", marks_lines, METH_VARARGS, "text without lines of nothing but mark-up"},
    {"tags", marks_tags, METH_VARARGS, "text with blanks for tags"},
    {"entities", marks_entities, METH_VARARGS, "text with what entities stand for"},
    {"documents", marks_documents, METH_VARARGS, "where documents and their numbers begin and end"},
    {"first", marks_first, METH_VARARGS, "the first of some tags"},
    END_OF_ENTRIES,
};
