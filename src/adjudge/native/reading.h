/* What loops that read text share: decimal numbers, the names of topics by number, and where the rows of each begin. */
#ifndef ADJUDGE_READING_H
#define ADJUDGE_READING_H

#include "buffers.h"
#include "hash.h"

#include <float.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- numbers */

static const long double POWERS[28] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* A decimal number of any length, correctly rounded; 0 when the token is not one. The token has passed the grammar
 * of read_double, so strtod sees digits, one point and an exponent only. */
static inline int
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
static inline int
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

/* ---------------------------------------------------------------- names and segments */

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

static inline int
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
static inline int32_t
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

static inline int
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

/* What came of the lines: (rows, names, first row of each segment, code of each segment, lines skipped, tag, fault). */
static inline PyObject *
scanned_result(const uint8_t *text, int64_t rows, const Names *names, const Segments *segments, int64_t skipped, int64_t tag,
               int64_t tag_length, PyObject *fault)
{
    PyObject *list = PyList_New((Py_ssize_t)names->count), *result;
    if (list == NULL || fault == NULL) {
        Py_XDECREF(list);
        Py_XDECREF(fault);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < names->count; i++) {
        PyObject *name = PyBytes_FromStringAndSize((const char *)text + names->starts[i], names->lengths[i]);
        if (name == NULL) {
            Py_DECREF(list);
            Py_DECREF(fault);
            return NULL;
        }
        PyList_SET_ITEM(list, i, name);
    }
    result = Py_BuildValue("LNy#y#Ly#N", (long long)rows, list, segments->rows ? (const char *)segments->rows : "",
                           (Py_ssize_t)segments->count * 8, segments->codes ? (const char *)segments->codes : "",
                           (Py_ssize_t)segments->count * 4, (long long)skipped,
                           tag_length < 0 ? NULL : (const char *)text + tag, (Py_ssize_t)(tag_length < 0 ? 0 : tag_length),
                           fault);
    return result;
}

static inline void
forget(Names *names, Segments *segments)
{
    free(names->starts);
    free(names->lengths);
    free(names->slots);
    free(segments->rows);
    free(segments->codes);
}

#endif
