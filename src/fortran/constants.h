/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of mpi_f08 that are known by their addresses. */
#ifndef CAUCUS_FORTRAN_CONSTANTS_H
#define CAUCUS_FORTRAN_CONSTANTS_H

struct caucus_f_constants {
    const void *bottom, *in_place, *status_ignore, *statuses_ignore, *unweighted, *weights_empty;
};

/* Any thread; the first call asks bindings/fortran/caucus_constants.f90. */
const struct caucus_f_constants *caucus_f_constants(void);

#endif
