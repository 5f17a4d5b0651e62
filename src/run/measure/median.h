/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_MEASURE_MEDIAN_H
#define CAUCUS_RUN_MEASURE_MEDIAN_H

/* Of at least one value, the higher one of two in the middle; sorts them. */
double caucus_median(double *values, int count);

#endif
