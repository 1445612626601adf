/* Runs as lines of TREC.
 *
 *   lines  topics, documents and scores in the order of ranks  ->  text
 *
 * formats/runs.py does the same with Python's own strings.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_OF_DECIMAL 24

typedef struct {
    char *text;
    int64_t used, room;
} Text;

/* Room for so many more characters; 0 without memory. */
static int
make_room(Text *out, int64_t more)
{
    if (out->room - out->used >= more)
        return 1;
    int64_t room = 2 * out->room + more;
    char *larger = realloc(out->text, (size_t)room);
    if (!larger)
        return 0;
    out->text = larger;
    out->room = room;
    return 1;
}

static void
put(Text *out, const void *bytes, int64_t many)
{
    memcpy(out->text + out->used, bytes, (size_t)many);
    out->used += many;
}

static void
put_number(Text *out, int64_t number)
{
    char digits[20];
    int at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    put(out, digits + at, (int64_t)sizeof digits - at);
}

/* A number with six decimals or fewer as float.__repr__ has it; 0 if it is another one. No two numbers of 15 digits have the
 * same double, so the digits that give this double when they are divided are those that repr finds. */
static int
decimal_text(double number, char *text)
{
    double size = number < 0 ? -number : number;
    int64_t units, digits = 6;
    Text out = {text, 0, ROOM_OF_DECIMAL};
    if (!(size >= 1e-4 && size < 1e9)) /* smaller ones are written with an exponent */
        return 0;
    units = (int64_t)(size * 1e6 + 0.5);
    if ((double)units / 1e6 != size)
        return 0;
    if (number < 0)
        put(&out, "-", 1);
    put_number(&out, units / 1000000);
    put(&out, ".", 1);
    for (units %= 1000000; digits > 1 && units % 10 == 0; digits--)
        units /= 10;
    for (int64_t at = out.used + digits - 1; at >= out.used; at--, units /= 10)
        text[at] = (char)('0' + units % 10);
    return (int)(out.used + digits);
}

/* Whether bytes are a name of ASCII without blanks: others are for Python to judge. */
static int
is_plain(const uint8_t *name, int64_t length)
{
    int plain = length > 0;
    for (int64_t i = 0; i < length; i++)
        plain &= name[i] > ' ' && name[i] < 127;
    return plain;
}

/* One line; 0 without memory, with an exception set. */
static int
put_line(Text *out, PyObject *topic, const uint8_t *name, int64_t length, int64_t rank, double score, PyObject *tag)
{
    char decimal[ROOM_OF_DECIMAL], *own = NULL, *number = decimal;
    int64_t digits = decimal_text(score, decimal), room;
    if (!digits) {
        if (!(own = PyOS_double_to_string(score, 'r', 0, Py_DTSF_ADD_DOT_0, NULL))) /* as float.__repr__ has it */
            return 0;
        number = own;
        digits = (int64_t)strlen(number);
    }
    room = PyBytes_GET_SIZE(topic) + 4 + length + 1 + 20 + 1 + digits + 1 + PyBytes_GET_SIZE(tag) + 1;
    if (!make_room(out, room)) {
        PyMem_Free(own);
        PyErr_NoMemory();
        return 0;
    }
    put(out, PyBytes_AS_STRING(topic), PyBytes_GET_SIZE(topic));
    put(out, " Q0 ", 4);
    put(out, name, length);
    put(out, " ", 1);
    put_number(out, rank);
    put(out, " ", 1);
    put(out, number, digits);
    put(out, " ", 1);
    put(out, PyBytes_AS_STRING(tag), PyBytes_GET_SIZE(tag));
    put(out, "\n", 1);
    PyMem_Free(own);
    return 1;
}

/* lines(topics, offsets, rows or None, data, starts, lengths, scores, tag) -> bytes, or None if the name of a document is not
 * plain ASCII. Topic t, bytes, has rows offsets[t] to offsets[t + 1], in the order of ranks; rows says which these are, where
 * they do not stand in that order. Document i is data[starts[i] : starts[i] + lengths[i]]. */
static PyObject *
writing_lines(PyObject *self, PyObject *args)
{
    enum { OFFSETS, ROWS, DATA, STARTS, LENGTHS, SCORES, ARRAYS };
    Array a[ARRAYS] = {READS(int64_t, "offsets"), MAY_READ(int64_t, "rows"),  READS(uint8_t, "data"),
                       READS(int64_t, "starts"),  READS(int32_t, "lengths"), READS(double, "scores")};
    PyObject *topics, *tag, *result = NULL;
    const int64_t *offset, *row, *start;
    const int32_t *length;
    int64_t many, n, t, i;
    Text out = {0};

    (void)self;
    if (!take(args, "lines", "TAAAAAAO", a, &topics, &tag))
        return NULL;
    many = PyTuple_GET_SIZE(topics);
    n = a[SCORES].length;
    offset = a[OFFSETS].items;
    row = a[ROWS].items;
    start = a[STARTS].items;
    length = a[LENGTHS].items;
    if (!PyBytes_Check(tag)) {
        PyErr_SetString(PyExc_TypeError, "lines: the tag must be bytes");
        goto done;
    }
    for (t = 0; t < many; t++)
        if (!PyBytes_Check(PyTuple_GET_ITEM(topics, t))) {
            PyErr_SetString(PyExc_TypeError, "lines: a topic must be bytes");
            goto done;
        }
    if (!has_length(&a[OFFSETS], many + 1) || !ascends(&a[OFFSETS], 0, many, n) || !has_length(&a[STARTS], n) ||
        !has_length(&a[LENGTHS], n) || (row && (!has_length(&a[ROWS], n) || !points_into(&a[ROWS], n))))
        goto done;
    for (i = 0; i < n; i++)
        if (start[i] < 0 || length[i] < 0 || start[i] > a[DATA].length || length[i] > a[DATA].length - start[i]) {
            refuse(&a[STARTS], "a name outside of the data");
            goto done;
        }
    for (t = 0; t < many; t++)
        for (i = offset[t]; i < offset[t + 1]; i++) {
            int64_t r = row ? row[i] : i;
            const uint8_t *name = (const uint8_t *)a[DATA].items + start[r];
            if (!is_plain(name, length[r])) {
                result = Py_NewRef(Py_None);
                goto done;
            }
            if (!put_line(&out, PyTuple_GET_ITEM(topics, t), name, length[r], i - offset[t] + 1,
                          ((const double *)a[SCORES].items)[r], tag))
                goto done;
        }
    result = PyBytes_FromStringAndSize(out.text, (Py_ssize_t)out.used);
done:
    free(out.text);
    release(a, ARRAYS);
    return result;
}

PyMethodDef writing_entries[] = {
    {"lines", writing_lines, METH_VARARGS, "a run as lines of TREC"},
    END_OF_ENTRIES,
};
