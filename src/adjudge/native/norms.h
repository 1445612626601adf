/* The norm of each document by its length, which is a byte if all lengths are below 256: lengths lie far from the processor,
 * and are fetched in half the time if they take half the room. */
#ifndef ADJUDGE_NORMS_H
#define ADJUDGE_NORMS_H

#include "buffers.h"

typedef struct {
    const uint8_t *small;  /* one of these two */
    const uint16_t *large;
    const double *norm;
    int64_t documents, known;
} Norms;

/* Norms from three arrays, of which one of the first two is None. 0 with an exception set if both are or none is. */
static inline int
take_norms(const Array *small, const Array *large, const Array *norm, Norms *norms)
{
    if (!small->items == !large->items)
        return refuse(large, "lengths in bytes, or longer ones");
    *norms = (Norms){small->items, large->items, norm->items, small->length + large->length, norm->length};
    return 1;
}

static ALWAYS_INLINE int64_t
length_of(const Norms *norms, int32_t document)
{
    return norms->small ? norms->small[document] : norms->large[document];
}

static ALWAYS_INLINE void
fetch_length(const Norms *norms, int32_t document)
{
    if (norms->small)
        PREFETCH(&norms->small[document]);
    else
        PREFETCH(&norms->large[document]);
}

#endif
