/* The one way in which the loops of this folder take their arguments.
 *
 * An entry says which arrays it reads and which it writes, and take() refuses whatever is something else: another type
 * of items, another byte order, items that are not side by side or not aligned, what must be written and may not. What
 * one array says about another (lengths, offsets, indices) is checked by the functions below before a loop begins. So
 * nothing that Python passes can make a loop leave its arrays; what is wrong is a TypeError or a ValueError that names
 * the entry and the argument.
 */
#ifndef ADJUDGE_BUFFERS_H
#define ADJUDGE_BUFFERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

typedef enum { OF_UINT8, OF_UINT16, OF_INT32, OF_UINT32, OF_INT64, OF_UINT64, OF_FLOAT, OF_DOUBLE } Kind;

enum { WRITABLE = 1, OPTIONAL = 2 };

typedef struct {
    const char *name;
    Kind kind;
    int flags;
    const char *entry; /* this and what follows is set by take() */
    int64_t length;    /* items, whatever the dimensions; 0 for None */
    void *items;       /* NULL for None */
    Py_buffer view;
} Array;

#define KIND_OF(type)                                                                                                  \
    _Generic((type)0, uint8_t: OF_UINT8, uint16_t: OF_UINT16, int32_t: OF_INT32, uint32_t: OF_UINT32,                   \
             int64_t: OF_INT64, uint64_t: OF_UINT64, float: OF_FLOAT, double: OF_DOUBLE)
#define READS(type, name) {name, KIND_OF(type), 0, NULL, 0, NULL, {0}}
#define WRITES(type, name) {name, KIND_OF(type), WRITABLE, NULL, 0, NULL, {0}}
#define MAY_READ(type, name) {name, KIND_OF(type), OPTIONAL, NULL, 0, NULL, {0}}
#define MAY_WRITE(type, name) {name, KIND_OF(type), WRITABLE | OPTIONAL, NULL, 0, NULL, {0}}
#define COUNT_OF(arrays) (int)(sizeof(arrays) / sizeof *(arrays))

/* The arguments of an entry, each of them a letter of the form: A the next of the arrays, i an int64_t, d a double, p an
 * int that is 0 or 1, T a tuple, L a list, U a string, O any object; all but the arrays go where the pointers at the end
 * say. 0 with an exception set and nothing held if something is not what it should be. */
int take(PyObject *tuple, const char *entry, const char *form, Array *arrays, ...);

/* Give the arrays back; those that were never taken are left alone. */
void release(Array *arrays, int many);

/* A ValueError about an argument; always 0. */
int refuse(const Array *array, const char *format, ...);

/* As many items as that. */
int has_length(const Array *array, int64_t length);

/* So many items or more. */
int has_room(const Array *array, int64_t length);

/* 0 <= first <= last <= limit, for the two arguments of an entry that say which part of its work is to be done. */
int is_part(const char *entry, int64_t first, int64_t last, int64_t limit);

/* Items first to last, the last one included, of an array of int64_t: they do not fall and lie within 0 .. limit. */
int ascends(const Array *offsets, int64_t first, int64_t last, int64_t limit);

/* All the items of an array of int32_t or int64_t are indices of an array of so many items. */
int points_into(const Array *indices, int64_t limit);

/* A sum that starts anew where it is too large, as a processor has it; in C that would be undefined. */
static inline int64_t
plus(int64_t sum, int64_t more)
{
    return (int64_t)((uint64_t)sum + (uint64_t)more);
}

#define END_OF_ENTRIES {NULL, NULL, 0, NULL}

/* SOON has memory on its way before it is needed. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define SOON(address) __builtin_prefetch(address)
#else
#define ALWAYS_INLINE inline
#define SOON(address) (void)(address)
#endif

#endif
