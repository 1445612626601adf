/* The rules of an error channel by what they replace, as systems/parts/deciphering/reach_walk.py lays them out. */
#ifndef ADJUDGE_RULES_H
#define ADJUDGE_RULES_H

#include "buffers.h"

/* Arrays of an entry that has all of them, one after the other. */
enum { OF_SINGLE, OF_EDGES, OF_SOURCES, OF_STARTS, OF_TOTALS, OF_TARGETS, OF_SIZES, OF_CHANCES };

typedef struct {
    const double *single, *edges, *totals, *chances;
    const uint32_t *sources, *targets;
    const int32_t *starts;
    const uint8_t *sizes;
    int64_t many;
} Rules;

static inline Rules
rules_in(const Array *a)
{
    return (Rules){a[OF_SINGLE].items,  a[OF_EDGES].items,  a[OF_TOTALS].items, a[OF_CHANCES].items,  a[OF_SOURCES].items,
                   a[OF_TARGETS].items, a[OF_STARTS].items, a[OF_SIZES].items,  a[OF_SOURCES].length};
}

/* Whether they are laid out as they should be. */
static inline int
are_rules(const Array *a)
{
    const int64_t many = a[OF_SOURCES].length, rules = a[OF_TARGETS].length;
    const int32_t *starts = a[OF_STARTS].items;
    const uint8_t *sizes = a[OF_SIZES].items;
    int64_t k;
    if (!has_length(&a[OF_SINGLE], 65536) || !has_length(&a[OF_EDGES], 768) || !has_length(&a[OF_STARTS], many + 1) ||
        !has_length(&a[OF_TOTALS], many) || !has_length(&a[OF_SIZES], rules) || !has_length(&a[OF_CHANCES], rules))
        return 0;
    for (k = 0; k < many && starts[k] <= starts[k + 1]; k++)
        ;
    if (k < many || starts[0] || starts[many] != rules)
        return refuse(&a[OF_STARTS], "not those of the rules");
    for (k = 0; k < rules; k++)
        if (sizes[k] > 3)
            return refuse(&a[OF_SIZES], "a target of %d characters", sizes[k]);
    return 1;
}

/* Which group of rules replaces these characters, the first in the lowest byte; -1 for none. */
static inline int64_t
rules_of(const Rules *rules, uint32_t source)
{
    int64_t low = 0, high = rules->many;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (rules->sources[middle] < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rules->many && rules->sources[low] == source ? low : -1;
}

#endif
