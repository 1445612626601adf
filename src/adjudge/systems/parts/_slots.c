/* Counting the places of texts that are nearly a pattern. The same in Python is in slots.py, which is also the oracle
 * of the tests.
 *
 * count(texts, begins, ends, pattern, k, fixed, out): texts is one array of bytes, begins and ends say where each text
 * lies in it. out gets, for each text,
 *   fixed = 0: the runs of adjacent positions at which a substring ends that is at most k edits from the pattern,
 *   fixed = 1: the windows of the pattern's length that are at most k edits from it.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define LONGEST 64

/* Myers' algorithm in the form of Hyyrö: a column of the matrix of edit distances is two words of bits. */
static int64_t
runs(const uint8_t *text, int64_t n, const uint64_t *equal, int m, int k)
{
    uint64_t up = ~(uint64_t)0, down = 0, last = (uint64_t)1 << (m - 1);
    int64_t i, found = 0;
    int distance = m, before = 0;
    for (i = 0; i < n; i++) {
        uint64_t same = equal[text[i]], vertical = same | down;
        uint64_t horizontal = (((same & up) + up) ^ up) | same;
        uint64_t rises = down | ~(horizontal | up), falls = up & horizontal;
        int here;
        distance += (rises & last) != 0;
        distance -= (falls & last) != 0;
        rises <<= 1; /* no 1 comes in: a match may begin anywhere */
        falls <<= 1;
        up = falls | ~(vertical | rises);
        down = rises & vertical;
        here = distance <= k;
        found += here & !before;
        before = here;
    }
    return found;
}

static int
within(const uint8_t *window, const uint8_t *pattern, int m, int k)
{
    int above[LONGEST + 1], i, j;
    for (j = 0; j <= m; j++)
        above[j] = j;
    for (i = 1; i <= m; i++) {
        int corner = above[0], least = above[0] = i;
        for (j = 1; j <= m; j++) {
            int best = corner + (window[i - 1] != pattern[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (above[j - 1] + 1 < best)
                best = above[j - 1] + 1;
            corner = above[j];
            above[j] = best;
            if (best < least)
                least = best;
        }
        if (least > k)
            return 0;
    }
    return above[m] <= k;
}

static PyObject *
slots_count(PyObject *self, PyObject *args)
{
    Py_buffer texts, begins, ends, pattern, out;
    int k, fixed, wrong = 0;

    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*y*iiw*", &texts, &begins, &ends, &pattern, &k, &fixed, &out))
        return NULL;
    if (pattern.len < 1 || pattern.len > LONGEST || begins.len != ends.len || begins.len != out.len)
        wrong = 1;
    else {
        Py_BEGIN_ALLOW_THREADS
        uint64_t equal[256];
        const uint8_t *text = texts.buf, *letters = pattern.buf;
        const int64_t *begin = begins.buf, *end = ends.buf;
        int64_t *to = out.buf, many = (int64_t)(begins.len / 8), t, at;
        int m = (int)pattern.len, i;
        memset(equal, 0, sizeof equal);
        for (i = 0; i < m; i++)
            equal[letters[i]] |= (uint64_t)1 << i;
        for (t = 0; t < many && !wrong; t++) {
            if (begin[t] < 0 || end[t] < begin[t] || end[t] > (int64_t)texts.len) {
                wrong = 1;
                break;
            }
            if (!fixed) {
                to[t] = runs(text + begin[t], end[t] - begin[t], equal, m, k);
                continue;
            }
            to[t] = 0;
            for (at = begin[t]; at + m <= end[t]; at++)
                to[t] += within(text + at, letters, m, k);
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&texts);
    PyBuffer_Release(&begins);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&pattern);
    PyBuffer_Release(&out);
    if (wrong) {
        PyErr_SetString(PyExc_ValueError, "a pattern of 1 to 64 bytes and texts inside the array are needed");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"count", slots_count, METH_VARARGS, "the places of texts that are nearly a pattern"},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "adjudge.systems.parts._slots", NULL, -1, methods, NULL, NULL,
                                    NULL, NULL};

PyMODINIT_FUNC
PyInit__slots(void)
{
    return PyModule_Create(&module);
}
