/* Bytes as the loops see them: words of them, their hash, their order. */
#ifndef ADJUDGE_HASH_H
#define ADJUDGE_HASH_H

#include <stdint.h>
#include <string.h>

static inline uint64_t
load8(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static inline uint64_t
load4(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

/* Whether the first byte of a word of memory is its lowest; compilers know. */
static inline int
little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first;
}

static inline uint64_t
stir(uint64_t h)
{
    h *= 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 32);
}

static inline uint64_t
hash(const uint8_t *p, int64_t n)
{
    uint64_t h = (uint64_t)n * 0xff51afd7ed558ccdull;
    while (n > 16) {
        h = stir(h ^ load8(p)) + load8(p + 8);
        p += 16;
        n -= 16;
    }
    if (n >= 8)
        h = stir(h ^ load8(p)) + load8(p + n - 8);
    else if (n >= 4)
        h = stir(h ^ load4(p)) + load4(p + n - 4);
    else if (n > 0)
        h = stir(h ^ ((uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 8 | p[n - 1]));
    /* every bit of the text must reach the low bits, which choose the slot */
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
}

/* Order of bytes, as strcmp has it: a shorter string comes before its own continuations. */
static inline int
compare(const uint8_t *a, int64_t na, const uint8_t *b, int64_t nb)
{
    int c = memcmp(a, b, (size_t)(na < nb ? na : nb));
    return c != 0 ? c : (na > nb) - (na < nb);
}

#endif
