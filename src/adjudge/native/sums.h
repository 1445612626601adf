/* Sums in the order in which numpy adds, so that they are the same to the last bit. */
#ifndef ADJUDGE_SUMS_H
#define ADJUDGE_SUMS_H

#include <stdint.h>

/* Eight at a time, halves of what is longer than 128. */
static double
sum_of(const double *x, int64_t n)
{
    double r[8], sum = -0.0;
    int64_t i, half;
    if (n < 8) {
        for (i = 0; i < n; i++)
            sum += x[i];
        return sum;
    }
    if (n > 128) {
        half = n / 2;
        half -= half % 8;
        return sum_of(x, half) + sum_of(x + half, n - half);
    }
    for (i = 0; i < 8; i++)
        r[i] = x[i];
    for (i = 8; i < n - n % 8; i += 8)
        for (int k = 0; k < 8; k++)
            r[k] += x[i + k];
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++)
        sum += x[i];
    return sum;
}

#endif
