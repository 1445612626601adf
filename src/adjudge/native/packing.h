/* A block of packed postings; packing.c says what it looks like. */
#ifndef ADJUDGE_PACKING_H
#define ADJUDGE_PACKING_H

#include "buffers.h"

#define BLOCK 128
#define WIDEST 31 /* bits of a number */

static inline int64_t
bytes_of(int64_t many, int width)
{
    return (many * width + 7) / 8;
}

/* The number that begins at a bit; the bytes behind it may be read up to the limit. */
static ALWAYS_INLINE uint32_t
number_at(const uint8_t *from, int64_t bit, uint64_t mask, const uint8_t *limit)
{
    const uint8_t *p = from + (bit >> 3);
    uint64_t word = 0;
    if (limit - p >= 8)
        for (int i = 7; i >= 0; i--)
            word = word << 8 | p[i]; /* one load, on machines with the lowest byte first */
    else
        for (int i = 0; i < limit - p; i++)
            word |= (uint64_t)p[i] << (8 * i);
    return (uint32_t)(word >> (bit & 7) & mask);
}

/* A block whose documents were unpacked: its frequencies, less 1, in so many bits each, and where the next one begins. */
typedef struct {
    const uint8_t *times, *next;
    int width;
} Block;

/* The documents of a block of so many postings, which begins where it says; before is the document before them, and becomes
 * the last of them. Bytes may be read up to the limit, those of the term end at last. 0 if these are no postings of documents
 * below size: bytes may be anybody's. */
static ALWAYS_INLINE int
unpack_documents(const uint8_t *from, const uint8_t *last, const uint8_t *limit, int64_t many, int64_t *before, int64_t size,
                 int32_t *document, Block *block)
{
    int64_t d = *before;
    int width;
    if (last - from < 2 || (width = from[0]) > WIDEST || (block->width = from[1]) > WIDEST ||
        last - from < 2 + bytes_of(many, width) + bytes_of(many, block->width))
        return 0;
    from += 2;
    for (int64_t i = 0; i < many; i++) {
        d += 1 + (int64_t)number_at(from, i * width, ((uint64_t)1 << width) - 1, limit);
        document[i] = (int32_t)d; /* what is too large is seen below */
    }
    block->times = from + bytes_of(many, width);
    block->next = block->times + bytes_of(many, block->width);
    *before = d;
    return d < size && d <= INT32_MAX;
}

/* One frequency of a block. */
static ALWAYS_INLINE int32_t
times_at(const Block *block, int64_t i, const uint8_t *limit)
{
    return (int32_t)(number_at(block->times, i * block->width, ((uint64_t)1 << block->width) - 1, limit) + 1);
}

/* All the frequencies of a block. */
static ALWAYS_INLINE void
unpack_times(const Block *block, int64_t many, const uint8_t *limit, int32_t *tf)
{
    if (block->width == 0)
        for (int64_t i = 0; i < many; i++)
            tf[i] = 1;
    else
        for (int64_t i = 0; i < many; i++)
            tf[i] = times_at(block, i, limit);
}

#endif
