/* From tokens to postings, for one batch of texts: occurrences are brought together by their types, in the order in which
 * they come, so that those of a type are by texts and places.
 *
 * invert(ids, offsets, places or None, types, positions)
 *   -> (types that occur, ascending, in how many texts, how often, and bytes of positions, of each, all as int64, texts as
 *      int32 and frequencies, 255 for more, as uint8 by types, positions as uint8, different types of each text as int64,
 *      type, text and frequency of those from 255 on as int64), all bytes; None if places descend within a text.
 *   Text t has the tokens ids[offsets[t]] to ids[offsets[t + 1]], numbers below types, at these places, or one after the
 *   other; positions are gaps between the places of a posting in variable bytes, none if they are not asked for.
 *
 * index/inversion.py does the same with numpy.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define MANY 255 /* frequencies from here on are kept elsewhere */
#define WIDEST 5 /* bytes of a gap */

typedef struct {
    int32_t text, place;
} Occurrence;

typedef struct {
    int64_t *kinds, *df, *cf, *width, *distinct, *large;
    int32_t *documents;
    uint8_t *tf, *positions;
    int64_t types, postings, bytes, many;
} Inverted;

/* The occurrences by types; 0 if places descend. Where those of each type end, when all are there, is in ends. */
static int
by_types(const Array *ids, const Array *offsets, const Array *places, int64_t *ends, Occurrence *to)
{
    const int32_t *id = ids->items, *place = places->items;
    const int64_t *offset = offsets->items;
    int descends = 0;
    for (int64_t t = 0; t + 1 < offsets->length; t++) {
        int32_t before = 0;
        for (int64_t k = offset[t]; k < offset[t + 1]; k++) {
            const int32_t here = place ? place[k] : (int32_t)(k - offset[t]);
            to[ends[id[k]]++] = (Occurrence){(int32_t)t, here};
            descends |= here < before;
            before = here;
        }
    }
    return !descends;
}

static inline uint8_t *
put(uint8_t *to, uint32_t gap)
{
    for (; gap > 127; gap >>= 7)
        *to++ = (uint8_t)(gap | 128);
    *to++ = (uint8_t)gap;
    return to;
}

/* The postings of a type with some occurrences. */
static void
post(Inverted *of, int64_t type, const Occurrence *at, int64_t many, int positions)
{
    uint8_t *raw = positions ? of->positions + of->bytes : NULL;
    const int64_t before = of->postings, bytes = of->bytes;
    for (int64_t k = 0; k < many;) {
        const int32_t text = at[k].text;
        int64_t first = k;
        int32_t last = 0;
        for (; k < many && at[k].text == text; k++)
            if (positions) {
                raw = put(raw, (uint32_t)(at[k].place - last));
                last = at[k].place;
            }
        if (k - first >= MANY) {
            int64_t *row = of->large + 3 * of->many++;
            row[0] = type;
            row[1] = text;
            row[2] = k - first;
        }
        of->documents[of->postings] = text;
        of->tf[of->postings++] = (uint8_t)(k - first < MANY ? k - first : MANY);
        of->distinct[text]++;
    }
    if (positions)
        of->bytes = raw - of->positions;
    of->kinds[of->types] = type;
    of->df[of->types] = of->postings - before;
    of->cf[of->types] = many;
    of->width[of->types++] = of->bytes - bytes;
}

static int
has_memory(Inverted *of, int64_t tokens, int64_t types, int64_t texts, int positions)
{
    const int64_t some = (types < tokens ? types : tokens) + 1;
    of->kinds = malloc((size_t)(4 * some) * sizeof *of->kinds);
    of->distinct = calloc((size_t)texts + 1, sizeof *of->distinct);
    of->large = malloc((size_t)(tokens / MANY + 1) * 3 * sizeof *of->large);
    of->documents = malloc((size_t)(tokens + 1) * sizeof *of->documents);
    of->tf = malloc((size_t)tokens + 1);
    of->positions = malloc(positions ? (size_t)(WIDEST * tokens) + 1 : 1);
    if (!of->kinds || !of->distinct || !of->large || !of->documents || !of->tf || !of->positions)
        return 0;
    of->df = of->kinds + some;
    of->cf = of->df + some;
    of->width = of->cf + some;
    return 1;
}

static PyObject *
inverting_invert(PyObject *self, PyObject *args)
{
    enum { IDS, OFFSETS, PLACES, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ids"), READS(int64_t, "offsets"), MAY_READ(int32_t, "places")};
    PyObject *result = NULL;
    Inverted of = {0};
    Occurrence *at = NULL;
    int64_t *ends = NULL, types, tokens, texts, k;
    int positions, fine = 1;
    (void)self;
    if (!take(args, "invert", "AAAip", a, &types, &positions))
        return NULL;
    tokens = a[IDS].length;
    texts = a[OFFSETS].length - 1;
    if (!is_part("invert", 0, types, INT32_MAX) || !has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, texts, tokens) ||
        !points_into(&a[IDS], types) || (a[PLACES].items && !has_length(&a[PLACES], tokens)))
        goto done;
    if (((const int64_t *)a[OFFSETS].items)[0] || ((const int64_t *)a[OFFSETS].items)[texts] != tokens ||
        texts > INT32_MAX) {
        refuse(&a[OFFSETS], "not those of the tokens");
        goto done;
    }
    types = 0; /* those that may occur here */
    for (k = 0; k < tokens; k++)
        types = ((const int32_t *)a[IDS].items)[k] < types ? types : ((const int32_t *)a[IDS].items)[k] + 1;
    ends = calloc((size_t)types + 1, sizeof *ends);
    at = malloc((size_t)(tokens + 1) * sizeof *at);
    if (!ends || !at || !has_memory(&of, tokens, types, texts, positions)) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *id = a[IDS].items;
    for (k = 0; k < tokens; k++)
        ends[id[k] + 1]++;
    for (k = 0; k < types; k++)
        ends[k + 1] += ends[k];
    fine = by_types(&a[IDS], &a[OFFSETS], &a[PLACES], ends, at);
    for (k = 0; k < types && fine; k++) {
        const int64_t begin = k ? ends[k - 1] : 0;
        if (ends[k] > begin)
            post(&of, k, at + begin, ends[k] - begin, positions);
    }
    Py_END_ALLOW_THREADS
    if (!fine)
        result = Py_NewRef(Py_None);
    else
        result = Py_BuildValue(
            "y#y#y#y#y#y#y#y#y#", (char *)of.kinds, (Py_ssize_t)(8 * of.types), (char *)of.df, (Py_ssize_t)(8 * of.types),
            (char *)of.cf, (Py_ssize_t)(8 * of.types), (char *)of.width, (Py_ssize_t)(8 * of.types), (char *)of.documents,
            (Py_ssize_t)(4 * of.postings), (char *)of.tf, (Py_ssize_t)of.postings, (char *)of.positions,
            (Py_ssize_t)of.bytes, (char *)of.distinct, (Py_ssize_t)(8 * texts), (char *)of.large,
            (Py_ssize_t)(24 * of.many));
done:
    free(of.kinds);
    free(of.distinct);
    free(of.large);
    free(of.documents);
    free(of.tf);
    free(of.positions);
    free(ends);
    free(at);
    release(a, ARRAYS);
    return result;
}

PyMethodDef inverting_entries[] = {
    {"invert", inverting_invert, METH_VARARGS, "the postings of a batch of tokens"},
    END_OF_ENTRIES,
};
