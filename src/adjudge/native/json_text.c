/* Data as indented JSON. report/text_table.py says the same in Python, and is asked wherever this leaves something to it. */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *text;
    size_t used, room;
} Text;

enum { FAILED = -1, LEFT = 0, DONE = 1 }; /* an exception is set; something is for Python to write; written */

static int
put(Text *out, const char *bytes, size_t many)
{
    if (out->room - out->used < many) {
        size_t room = 2 * out->room + many;
        char *larger = realloc(out->text, room);
        if (!larger) {
            PyErr_NoMemory();
            return FAILED;
        }
        out->text = larger;
        out->room = room;
    }
    memcpy(out->text + out->used, bytes, many);
    out->used += many;
    return DONE;
}

/* A line break and so many blanks. */
static int
put_line(Text *out, int depth)
{
    static const char blanks[] = "                                ";
    int done = put(out, "\n", 1);
    for (; done == DONE && depth > 0; depth -= (int)sizeof blanks - 1)
        done = put(out, blanks, depth < (int)sizeof blanks - 1 ? (size_t)depth : sizeof blanks - 1);
    return done;
}

static int
put_string(Text *out, PyObject *string)
{
    static const char hex[] = "0123456789abcdef", shorts[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    Py_ssize_t length, from = 0;
    const char *text = PyUnicode_AsUTF8AndSize(string, &length);
    int done;
    if (!text) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
            return FAILED;
        PyErr_Clear();
        return LEFT;
    }
    done = put(out, "\"", 1);
    for (Py_ssize_t i = 0; i < length && done == DONE; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        size_t many = 6;
        if (c >= 32 && c != '"' && c != '\\')
            continue;
        for (const char *s = shorts; *s; s += 2)
            if (*s == (char)c) {
                escape[1] = s[1];
                many = 2;
            }
        done = put(out, text + from, (size_t)(i - from));
        if (done == DONE)
            done = put(out, escape, many);
        from = i + 1;
    }
    if (done == DONE)
        done = put(out, text + from, (size_t)(length - from));
    return done == DONE ? put(out, "\"", 1) : done;
}

static int
put_float(Text *out, double number)
{
    char *digits;
    int done;
    if (!isfinite(number))
        return put(out, "null", 4);
    if (!(digits = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL)))
        return FAILED;
    done = put(out, digits, strlen(digits));
    PyMem_Free(digits);
    return done;
}

static int
put_integer(Text *out, PyObject *number)
{
    PyObject *digits = PyLong_Type.tp_repr(number);
    const char *text;
    Py_ssize_t length;
    int done = FAILED;
    if (digits && (text = PyUnicode_AsUTF8AndSize(digits, &length)))
        done = put(out, text, (size_t)length);
    Py_XDECREF(digits);
    return done;
}

static int put_data(Text *out, PyObject *data, int depth);

static int
put_items(Text *out, PyObject *list, int depth)
{
    Py_ssize_t many = PySequence_Fast_GET_SIZE(list);
    int done = put(out, "[", 1);
    for (Py_ssize_t i = 0; i < many && done == DONE; i++) {
        if ((done = i ? put(out, ",", 1) : DONE) == DONE && (done = put_line(out, depth + 1)) == DONE)
            done = put_data(out, PySequence_Fast_GET_ITEM(list, i), depth + 1);
    }
    if (many && done == DONE)
        done = put_line(out, depth);
    return done == DONE ? put(out, "]", 1) : done;
}

static int
put_dictionary(Text *out, PyObject *dictionary, int depth)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    int done = put(out, "{", 1), first = 1;
    while (done == DONE && PyDict_Next(dictionary, &at, &key, &value)) {
        if (!PyUnicode_Check(key))
            return LEFT;
        if ((done = first ? DONE : put(out, ",", 1)) == DONE && (done = put_line(out, depth + 1)) == DONE &&
            (done = put_string(out, key)) == DONE && (done = put(out, ": ", 2)) == DONE)
            done = put_data(out, value, depth + 1);
        first = 0;
    }
    if (!first && done == DONE)
        done = put_line(out, depth);
    return done == DONE ? put(out, "}", 1) : done;
}

static int
put_data(Text *out, PyObject *data, int depth)
{
    int done = LEFT;
    if (PyFloat_Check(data))
        return put_float(out, PyFloat_AS_DOUBLE(data));
    if (PyUnicode_Check(data))
        return put_string(out, data);
    if (PyBool_Check(data))
        return data == Py_True ? put(out, "true", 4) : put(out, "false", 5);
    if (PyLong_Check(data))
        return put_integer(out, data);
    if (data == Py_None)
        return put(out, "null", 4);
    if (Py_EnterRecursiveCall(" in JSON"))
        return FAILED;
    if (PyDict_CheckExact(data)) /* others may have an order of their own */
        done = put_dictionary(out, data, depth);
    else if (PyList_Check(data) || PyTuple_Check(data))
        done = put_items(out, data, depth);
    Py_LeaveRecursiveCall();
    return done;
}

/* indented(data) -> str, or None if some of it is for Python to write. */
static PyObject *
json_text_indented(PyObject *self, PyObject *args)
{
    PyObject *data, *result = NULL;
    Text out = {0};
    int done;

    (void)self;
    if (!take(args, "indented", "O", NULL, &data))
        return NULL;
    done = put_data(&out, data, 0);
    if (done == DONE)
        result = PyUnicode_DecodeUTF8(out.text, (Py_ssize_t)out.used, NULL);
    else if (done == LEFT)
        result = Py_NewRef(Py_None);
    free(out.text);
    return result;
}

PyMethodDef json_text_entries[] = {
    {"indented", json_text_indented, METH_VARARGS, "data as indented JSON"},
    END_OF_ENTRIES,
};
