#include "buffers.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name, *formats;
    int shift; /* an item has 1 << shift bytes */
} KINDS[] = {
    [OF_UINT8] = {"uint8", "BHILQN", 0},  [OF_UINT16] = {"uint16", "BHILQN", 1}, [OF_INT32] = {"int32", "bhilqn", 2},
    [OF_UINT32] = {"uint32", "BHILQN", 2}, [OF_INT64] = {"int64", "bhilqn", 3},   [OF_UINT64] = {"uint64", "BHILQN", 3},
    [OF_FLOAT] = {"float32", "fd", 2},    [OF_DOUBLE] = {"float64", "fd", 3},
};

/* Whether a buffer has items of that kind: one letter of those that the kind has, and of its size. */
static int
is_of(const Py_buffer *view, Kind kind)
{
    const char *format = view->format ? view->format : "B";
    const int little = 1;
    if (*format == '@' || *format == '=' || *format == (*(const char *)&little ? '<' : '>'))
        format++;
    return view->itemsize == (Py_ssize_t)1 << KINDS[kind].shift && format[0] && !format[1] && strchr(KINDS[kind].formats, format[0]);
}

static int
take_array(PyObject *object, const char *entry, Array *array)
{
    Py_buffer *view = &array->view;
    const char *kind = KINDS[array->kind].name;
    array->entry = entry;
    if (object == Py_None && array->flags & OPTIONAL)
        return 1;
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Format(PyExc_TypeError, "%s: %s must be an array of %s, not %.80s", entry, array->name, kind,
                     Py_TYPE(object)->tp_name);
        return 0;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) < 0) {
        PyErr_Clear();
        view->obj = NULL;
        PyErr_Format(PyExc_TypeError, "%s: %s must be an array of %s that can be looked at", entry, array->name, kind);
        return 0;
    }
    if (!is_of(view, array->kind))
        PyErr_Format(PyExc_TypeError, "%s: %s must be an array of %s, not of items of %zd bytes and format %.80s", entry,
                     array->name, kind, view->itemsize, view->format ? view->format : "B");
    else if (view->suboffsets || (view->ndim == 1 && view->strides ? view->strides[0] != view->itemsize && view->len
                                                                   : !PyBuffer_IsContiguous(view, 'C')))
        refuse(array, "the items are not side by side");
    else if (view->len && (uintptr_t)view->buf & ((uintptr_t)view->itemsize - 1))
        refuse(array, "the items are not aligned");
    else if (array->flags & WRITABLE && view->readonly)
        refuse(array, "read-only, and is to be written");
    else {
        array->items = view->buf;
        array->length = (int64_t)(view->len >> KINDS[array->kind].shift);
        return 1;
    }
    PyBuffer_Release(view);
    return 0;
}

static int
take_object(PyObject *object, const char *entry, PyTypeObject *type, PyObject **to)
{
    if (type && !PyObject_TypeCheck(object, type)) {
        PyErr_Format(PyExc_TypeError, "%s: a %s is needed, not %.80s", entry, type->tp_name, Py_TYPE(object)->tp_name);
        return 0;
    }
    *to = object;
    return 1;
}

int
take(PyObject *tuple, const char *entry, const char *form, Array *arrays, ...)
{
    Py_ssize_t many = (Py_ssize_t)strlen(form), k;
    int taken = 0, fine = 1;
    va_list more;
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != many) {
        PyErr_Format(PyExc_TypeError, "%s: a tuple of %zd is needed", entry, many);
        return 0;
    }
    va_start(more, arrays);
    for (k = 0; k < many && fine; k++) {
        PyObject *object = PyTuple_GET_ITEM(tuple, k);
        switch (form[k]) {
        case 'A':
            fine = take_array(object, entry, &arrays[taken]);
            taken += fine;
            break;
        case 'i': {
            long long value = PyLong_AsLongLong(object);
            *va_arg(more, int64_t *) = (int64_t)value;
            fine = value != -1 || !PyErr_Occurred();
            break;
        }
        case 'd': {
            double value = PyFloat_AsDouble(object);
            *va_arg(more, double *) = value;
            fine = value != -1 || !PyErr_Occurred();
            break;
        }
        case 'p': {
            int value = PyObject_IsTrue(object);
            *va_arg(more, int *) = value;
            fine = value >= 0;
            break;
        }
        case 'T':
            fine = take_object(object, entry, &PyTuple_Type, va_arg(more, PyObject **));
            break;
        case 'L':
            fine = take_object(object, entry, &PyList_Type, va_arg(more, PyObject **));
            break;
        case 'U':
            fine = take_object(object, entry, &PyUnicode_Type, va_arg(more, PyObject **));
            break;
        default:
            fine = take_object(object, entry, NULL, va_arg(more, PyObject **));
        }
    }
    va_end(more);
    if (!fine)
        release(arrays, taken);
    return fine;
}

void
release(Array *arrays, int many)
{
    for (int k = 0; k < many; k++)
        if (arrays[k].view.obj)
            PyBuffer_Release(&arrays[k].view);
}

int
refuse(const Array *array, const char *format, ...)
{
    va_list more;
    PyObject *why;
    va_start(more, format);
    why = PyUnicode_FromFormatV(format, more);
    va_end(more);
    if (why) {
        PyErr_Format(PyExc_ValueError, "%s: %s: %U", array->entry, array->name, why);
        Py_DECREF(why);
    }
    return 0;
}

int
has_length(const Array *array, int64_t length)
{
    if (array->length == length)
        return 1;
    return refuse(array, "%lld items, not %lld", (long long)array->length, (long long)length);
}

int
has_room(const Array *array, int64_t length)
{
    if (array->length >= length)
        return 1;
    return refuse(array, "%lld items, too few for %lld", (long long)array->length, (long long)length);
}

int
is_part(const char *entry, int64_t first, int64_t last, int64_t limit)
{
    if (0 <= first && first <= last && last <= limit)
        return 1;
    PyErr_Format(PyExc_ValueError, "%s: from %lld to %lld: not within 0 and %lld", entry, (long long)first,
                 (long long)last, (long long)limit);
    return 0;
}

int
ascends(const Array *offsets, int64_t first, int64_t last, int64_t limit)
{
    const int64_t *offset = offsets->items;
    int64_t k;
    if (first < 0 || last >= offsets->length)
        return refuse(offsets, "%lld items, too few", (long long)offsets->length);
    if (first > last)
        return 1;
    for (k = first; k < last && offset[k] <= offset[k + 1]; k++)
        ;
    if (k == last && offset[first] >= 0 && offset[last] <= limit)
        return 1;
    return refuse(offsets, "do not ascend within 0 and %lld", (long long)limit);
}

/* No branch in the loops, so that the compiler makes vectors of them: the top bit is set if an item is below 0, and if
 * what is left from it to the last index is. */
int
points_into(const Array *indices, int64_t limit)
{
    int64_t k;
    int outside = 0;
    if (indices->length && limit <= 0)
        outside = 1;
    else if (indices->kind == OF_INT32) {
        const uint32_t *index = indices->items;
        uint32_t bits = 0, last = limit > INT32_MAX ? INT32_MAX : (uint32_t)(limit - 1);
        for (k = 0; k < indices->length; k++)
            bits |= index[k] | (last - index[k]);
        outside = (int)(bits >> 31);
    } else {
        const uint64_t *index = indices->items;
        uint64_t bits = 0, last = (uint64_t)(limit - 1);
        for (k = 0; k < indices->length; k++)
            bits |= index[k] | (last - index[k]);
        outside = (int)(bits >> 63);
    }
    return outside ? refuse(indices, "not all within 0 and %lld", (long long)(limit - 1)) : 1;
}
