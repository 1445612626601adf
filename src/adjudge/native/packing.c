/* Postings in few bytes: blocks of up to 128 of a term, each number in as many bits as the largest of the block needs.
 *
 *   pack    documents and frequencies of terms  ->  bytes, and where those of each term end
 *   unpack  bytes of terms                      ->  their documents and frequencies
 *
 * A block is a byte with the bits of a gap, a byte with the bits of a frequency, the gaps, filled up to a whole byte, and
 * the frequencies less 1, filled up likewise; the lowest bits come first. A gap is the number of documents between two of
 * a term, or before its first one. index/packed_postings.py does the same with numpy.
 */
#include "packing.h"

#include "hash.h"

#define AHEAD 8 /* terms whose bytes are on their way */

static int
bits_of(uint32_t value)
{
    int bits = 0;
    for (; value; value >>= 1)
        bits++;
    return bits;
}

/* Numbers of so many bits, one after the other. */
static void
put(uint8_t *to, const uint32_t *values, int64_t many, int width)
{
    uint64_t held = 0;
    int bits = 0;
    for (int64_t i = 0; i < many; i++) {
        held |= (uint64_t)values[i] << bits;
        for (bits += width; bits >= 8; bits -= 8, held >>= 8)
            *to++ = (uint8_t)held;
    }
    if (bits)
        *to = (uint8_t)held;
}

/* pack(documents, tf, offsets, out, ends): term t has documents[offsets[t] : offsets[t + 1]], ascending, each from 0, and
 * as many frequencies, each from 1. out has room for eight bytes a posting and two for each block that is begun; ends gets
 * 0 and where the bytes of each term end. */
static PyObject *
packing_pack(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, OFFSETS, OUT, ENDS, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "offsets"),
                       WRITES(uint8_t, "out"), WRITES(int64_t, "ends")};
    PyObject *result = NULL;
    int64_t terms, room = 0, t;
    const int64_t *offset;
    int failed = 0;

    (void)self;
    if (!take(args, "pack", "AAAAA", a))
        return NULL;
    offset = a[OFFSETS].items;
    terms = a[OFFSETS].length - 1;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, terms, a[DOCUMENTS].length) ||
        !has_length(&a[TF], a[DOCUMENTS].length) || !has_length(&a[ENDS], terms + 1))
        goto done;
    for (t = 0; t < terms; t++)
        room += 8 * (offset[t + 1] - offset[t]) + 2 * ((offset[t + 1] - offset[t] + BLOCK - 1) / BLOCK);
    if (!has_room(&a[OUT], room))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *document = a[DOCUMENTS].items, *tf = a[TF].items;
    uint8_t *begin = a[OUT].items, *to = begin;
    int64_t *end = a[ENDS].items;
    end[0] = 0;
    for (t = 0; t < terms && !failed; t++) {
        int32_t before = -1;
        for (int64_t first = offset[t]; first < offset[t + 1] && !failed; first += BLOCK) {
            int64_t many = offset[t + 1] - first < BLOCK ? offset[t + 1] - first : BLOCK;
            uint32_t gap[BLOCK], times[BLOCK], gaps = 0, most = 0;
            for (int64_t i = 0; i < many; i++) {
                int32_t d = document[first + i], f = tf[first + i];
                failed |= d <= before || f < 1;
                gap[i] = (uint32_t)d - (uint32_t)before - 1;
                times[i] = (uint32_t)f - 1;
                gaps |= gap[i];
                most |= times[i];
                before = d;
            }
            if (failed)
                break;
            to[0] = (uint8_t)bits_of(gaps);
            to[1] = (uint8_t)bits_of(most);
            put(to + 2, gap, many, to[0]);
            put(to + 2 + bytes_of(many, to[0]), times, many, to[1]);
            to += 2 + bytes_of(many, to[0]) + bytes_of(many, to[1]);
        }
        end[t + 1] = to - begin;
    }
    Py_END_ALLOW_THREADS
    if (failed)
        refuse(&a[DOCUMENTS], "documents that do not ascend, or a frequency below 1");
    else
        result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

/* unpack(data, begins, ends, offsets, size, documents, tf): the bytes of term t are data[begins[t] : ends[t]], its postings
 * go to documents and tf from offsets[t] to offsets[t + 1]. Every document is below size. A ValueError if bytes are left
 * over or missing, a width cannot be, or a document is not there: bytes may be anybody's. */
static PyObject *
packing_unpack(PyObject *self, PyObject *args)
{
    enum { DATA, BEGINS, ENDS, OFFSETS, DOCUMENTS, TF, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"),    READS(int64_t, "begins"),     READS(int64_t, "ends"),
                       READS(int64_t, "offsets"), WRITES(int32_t, "documents"), WRITES(int32_t, "tf")};
    PyObject *result = NULL;
    int64_t terms, size, t;
    const int64_t *offset, *begin, *end;
    int failed = 0;

    (void)self;
    if (!take(args, "unpack", "AAAAiAA", a, &size))
        return NULL;
    begin = a[BEGINS].items;
    end = a[ENDS].items;
    offset = a[OFFSETS].items;
    terms = a[BEGINS].length;
    if (!has_length(&a[ENDS], terms) || !has_length(&a[OFFSETS], terms + 1) ||
        !ascends(&a[OFFSETS], 0, terms, a[DOCUMENTS].length) || !has_length(&a[TF], a[DOCUMENTS].length))
        goto done;
    for (t = 0; t < terms; t++)
        if (begin[t] < 0 || end[t] < begin[t] || end[t] > a[DATA].length) {
            refuse(&a[ENDS], "bytes that are not there");
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *data = a[DATA].items, *limit = data + a[DATA].length;
    int32_t *document = a[DOCUMENTS].items, *tf = a[TF].items;
    for (t = 0; t < terms && !failed; t++) {
        const uint8_t *from = data + begin[t], *last = data + end[t];
        int64_t before = -1;
        if (t + AHEAD < terms)
            PREFETCH(data + begin[t + AHEAD]); /* terms with few postings are all over the data */
        for (int64_t first = offset[t]; first < offset[t + 1]; first += BLOCK) {
            int64_t many = offset[t + 1] - first < BLOCK ? offset[t + 1] - first : BLOCK;
            Block block;
            if (!unpack_documents(from, last, limit, many, &before, size, document + first, &block)) {
                failed = 1;
                break;
            }
            unpack_times(&block, many, limit, tf + first);
            from = block.next;
        }
        failed |= from != last;
    }
    Py_END_ALLOW_THREADS
    if (failed)
        refuse(&a[DATA], "no postings of so many documents");
    else
        result = Py_NewRef(Py_None);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef packing_entries[] = {
    {"pack", packing_pack, METH_VARARGS, "postings as bytes"},
    {"unpack", packing_unpack, METH_VARARGS, "postings from bytes"},
    END_OF_ENTRIES,
};
