/* Pages: glyphs printed on a canvas, noise and threshold, reduction to fewer dots.
 *
 *   add_glyphs  as noise/pages/rendering.py prints a page
 *   inked_end, darken  as noise/pages/scanning.py exposes a strip of it
 *   reduce  as the same module reduces it
 *
 * Both modules say the same with numpy, to the last dot. */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define PART 16 /* dots of a reduced page that are looked at together */

enum { BEGIN, LEFT, TOP, TALL, WIDE, NARROW, PLACE }; /* what there is to know of a glyph, and how much that is */

/* Are all of these bytes 0? */
static ALWAYS_INLINE int
is_paper(const uint8_t *bytes, int64_t many)
{
    uint64_t eight, any = 0;
    for (; many >= 8; many -= 8, bytes += 8) {
        memcpy(&eight, bytes, 8);
        any |= eight;
    }
    for (; many > 0; many--)
        any |= *bytes++;
    return any == 0;
}

/* Is none of eight bytes 0? */
static ALWAYS_INLINE int
has_no_zero(const uint8_t *bytes)
{
    const uint64_t ones = UINT64_MAX / UINT8_MAX;
    uint64_t eight;
    memcpy(&eight, bytes, 8);
    return (((eight - ones) & ~eight) & (ones << 7)) == 0;
}

/* Add the dots of a glyph to those of a canvas; where it is narrow, nothing exceeds the most ink before and after. */
static void
add_glyph(uint8_t *canvas, int64_t across, const uint8_t *ink, int64_t tall, int64_t wide, int narrow, uint8_t most)
{
    for (int64_t y = 0; y < tall; y++, canvas += across, ink += wide) {
        if (!narrow) {
            for (int64_t x = 0; x < wide; x++)
                canvas[x] = (uint8_t)(canvas[x] + ink[x]);
            continue;
        }
        for (int64_t x = 0; x < wide; x++) {
            uint8_t dot = canvas[x] < most ? canvas[x] : most;
            dot = (uint8_t)(dot + ink[x]);
            canvas[x] = dot < most ? dot : most;
        }
    }
}

/* add_glyphs(canvas, across, ink, places, glyphs, lefts, tops, most): a glyph after the other is added to the canvas,
 * rows of so many dots. places has six numbers for each glyph: where its dots begin in ink, its corner from the place
 * where it is put, how many rows and columns it has, and whether it is narrow. */
static PyObject *
pages_add_glyphs(PyObject *self, PyObject *args)
{
    enum { CANVAS, INK, PLACES, GLYPHS, LEFTS, TOPS, ARRAYS };
    Array a[ARRAYS] = {WRITES(uint8_t, "canvas"), READS(uint8_t, "ink"), READS(int64_t, "places"),
                       READS(int64_t, "glyphs"), READS(int64_t, "lefts"), READS(int64_t, "tops")};
    int64_t across, down, most, many, k = 0;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "add_glyphs", "AiAAAAAi", a, &across, &most))
        return NULL;
    many = a[GLYPHS].length;
    if (across < 1 || a[CANVAS].length % across) {
        refuse(&a[CANVAS], "not rows of %lld dots", (long long)across);
        goto done;
    }
    if (most < 0 || most > UINT8_MAX) {
        refuse(&a[INK], "%lld is no dot's ink", (long long)most);
        goto done;
    }
    if (a[PLACES].length % PLACE) {
        refuse(&a[PLACES], "not %d numbers for each glyph", PLACE);
        goto done;
    }
    if (!points_into(&a[GLYPHS], a[PLACES].length / PLACE) || !has_length(&a[LEFTS], many) ||
        !has_length(&a[TOPS], many))
        goto done;
    down = a[CANVAS].length / across;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *glyphs = a[GLYPHS].items, *lefts = a[LEFTS].items, *tops = a[TOPS].items;
    for (; k < many; k++) {
        const int64_t *place = (const int64_t *)a[PLACES].items + glyphs[k] * PLACE;
        int64_t tall = place[TALL], wide = place[WIDE], x = plus(lefts[k], place[LEFT]), y = plus(tops[k], place[TOP]);
        if (tall < 0 || wide < 0 || tall > down || wide > across || x < 0 || y < 0 || x > across - wide ||
            y > down - tall || place[BEGIN] < 0 || place[BEGIN] > a[INK].length - tall * wide)
            break;
        add_glyph((uint8_t *)a[CANVAS].items + y * across + x, across, (const uint8_t *)a[INK].items + place[BEGIN],
                  tall, wide, place[NARROW] != 0, (uint8_t)most);
    }
    Py_END_ALLOW_THREADS
    if (k < many)
        refuse(&a[GLYPHS], "number %lld does not lie on the canvas, or not in the ink", (long long)k);
    else
        result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* inked_end(ink, across): the column behind the last one with ink in a strip of so many columns. */
static PyObject *
pages_inked_end(PyObject *self, PyObject *args)
{
    Array a[] = {READS(uint8_t, "ink")};
    int64_t across, end = 0;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "inked_end", "Ai", a, &across))
        return NULL;
    if (across < 1 || a->length < 1 || a->length % across) {
        refuse(a, "not rows of %lld dots", (long long)across);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *row = a->items, *last = row + a->length;
    for (; row < last; row += across) {
        int64_t at = across;
        while (at > end && !row[at - 1])
            at--;
        end = at;
    }
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong(end);
done:
    release(a, COUNT_OF(a));
    return result;
}

/* darken(ink, across, end, shares, drawn, bits, undecided): a dot left of the end becomes black where the byte drawn
 * for it is below its share, and white right of it. How many bytes equal their shares, and their places in ink. */
static PyObject *
pages_darken(PyObject *self, PyObject *args)
{
    enum { INK, SHARES, DRAWN, BITS, UNDECIDED, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "ink"), READS(uint8_t, "shares"), READS(uint8_t, "drawn"), WRITES(uint8_t, "bits"),
                       WRITES(int64_t, "undecided")};
    int64_t across, end, down, count = 0;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "darken", "AiiAAAA", a, &across, &end))
        return NULL;
    if (across < 1 || a[INK].length % across || end < 0 || end > across) {
        refuse(&a[INK], "not rows of %lld dots with %lld to be drawn", (long long)across, (long long)end);
        goto done;
    }
    down = a[INK].length / across;
    if (!has_length(&a[SHARES], UINT8_MAX + 1) || !has_room(&a[DRAWN], down * end) ||
        !has_length(&a[BITS], a[INK].length) || !has_room(&a[UNDECIDED], down * end))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *shares = a[SHARES].items, *drawn = a[DRAWN].items;
    int64_t *undecided = a[UNDECIDED].items;
    const int quick = shares[0] == 0;
    for (int64_t y = 0; y < down; y++, drawn += end) {
        const uint8_t *ink = (const uint8_t *)a[INK].items + y * across;
        uint8_t *bits = (uint8_t *)a[BITS].items + y * across;
        for (int64_t from = 0, to; from < end; from = to) {
            to = from + 8 < end ? from + 8 : end;
            /* Most dots are paper, and hardly a byte is so small that one of them becomes ink. */
            if (quick && to - from == 8 && is_paper(ink + from, 8) && has_no_zero(drawn + from)) {
                memset(bits + from, 0, 8);
                continue;
            }
            for (int64_t x = from; x < to; x++) {
                uint8_t share = shares[ink[x]];
                bits[x] = drawn[x] < share;
                if (drawn[x] == share)
                    undecided[count++] = y * across + x;
            }
        }
        memset(bits + end, 0, (size_t)(across - end));
    }
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong(count);
done:
    release(a, ARRAYS);
    return result;
}

/* What the dots of one row of the small page have of each column of the large one: at most a, which a byte holds. */
static void
add_rows(const uint8_t *page, int64_t across, int64_t start, int64_t a, int64_t b, uint8_t *sums)
{
    memset(sums, 0, (size_t)across);
    for (int64_t y = start / b; y * b < start + a; y++) {
        int64_t from = y * b > start ? y * b : start, to = (y + 1) * b < start + a ? (y + 1) * b : start + a;
        const uint8_t *row = page + y * across, weight = (uint8_t)(to - from);
        for (int64_t x = 0; x < across; x++)
            sums[x] = (uint8_t)(sums[x] + (row[x] ? weight : 0));
    }
}

/* A row of the small page; where the large one is paper for some dots, so are they. */
static ALWAYS_INLINE void
add_columns(const uint8_t *sums, const int64_t *firsts, const uint8_t *weights, int64_t taps, int64_t wide, int64_t half,
            uint8_t *small)
{
    for (int64_t from = 0, to; from < wide; from = to) {
        to = from + PART < wide ? from + PART : wide;
        if (is_paper(sums + firsts[from], firsts[to - 1] + taps - firsts[from])) {
            memset(small + from, 0, (size_t)(to - from));
            continue;
        }
        for (int64_t j = from; j < to; j++) {
            const uint8_t *sum = sums + firsts[j], *weight = weights + j * taps;
            int32_t area = 0;
            for (int64_t t = 0; t < taps; t++)
                area += sum[t] * weight[t];
            small[j] = area >= half;
        }
    }
}

/* reduce(page, across, a, b, small): a page, rows of so many dots, with a/b times fewer dots each way. A dot is ink
 * where at least half of its area is. */
static PyObject *
pages_reduce(PyObject *self, PyObject *args)
{
    enum { PAGE, SMALL, ARRAYS };
    Array arrays[ARRAYS] = {READS(uint8_t, "page"), WRITES(uint8_t, "small")};
    int64_t across, a, b, tall, wide, taps;
    int64_t *firsts = NULL;
    uint8_t *sums = NULL, *weights = NULL;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "reduce", "AiiiA", arrays, &across, &a, &b))
        return NULL;
    if (across < 1 || arrays[PAGE].length % across) {
        refuse(&arrays[PAGE], "not rows of %lld dots", (long long)across);
        goto done;
    }
    if (b < 1 || a < b || a > UINT8_MAX) {
        refuse(&arrays[SMALL], "%lld/%lld is no factor", (long long)a, (long long)b);
        goto done;
    }
    tall = arrays[PAGE].length / across * b / a, wide = across * b / a, taps = (a + b - 1) / b + 1;
    if (!has_length(&arrays[SMALL], tall * wide))
        goto done;
    sums = calloc((size_t)(across + taps), 1); /* a dot's last tap may lie beyond the page, with no weight */
    weights = malloc((size_t)(wide * taps + 1));
    firsts = malloc(((size_t)wide + 1) * sizeof *firsts);
    if (sums == NULL || weights == NULL || firsts == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t half = (a * a + 1) / 2;
    for (int64_t j = 0; j < wide; j++) {
        firsts[j] = j * a / b;
        for (int64_t t = 0, start = j * a, x = firsts[j]; t < taps; t++, x++) {
            int64_t from = x * b > start ? x * b : start, to = (x + 1) * b < start + a ? (x + 1) * b : start + a;
            weights[j * taps + t] = (uint8_t)(to > from ? to - from : 0);
        }
    }
    for (int64_t i = 0; i < tall; i++) {
        uint8_t *small = (uint8_t *)arrays[SMALL].items + i * wide;
        add_rows(arrays[PAGE].items, across, i * a, a, b, sums);
        if (taps == 3) /* for factors up to 2 and 3, which are the usual ones */
            add_columns(sums, firsts, weights, 3, wide, half, small);
        else if (taps == 4)
            add_columns(sums, firsts, weights, 4, wide, half, small);
        else
            add_columns(sums, firsts, weights, taps, wide, half, small);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(sums);
    free(weights);
    free(firsts);
    release(arrays, ARRAYS);
    return result;
}

PyMethodDef pages_entries[] = {
    {"add_glyphs", pages_add_glyphs, METH_VARARGS, "print glyphs on a canvas"},
    {"darken", pages_darken, METH_VARARGS, "decide dots by random bytes"},
    {"inked_end", pages_inked_end, METH_VARARGS, "the column behind the last one with ink"},
    {"reduce", pages_reduce, METH_VARARGS, "a page with fewer dots"},
    END_OF_ENTRIES,
};
