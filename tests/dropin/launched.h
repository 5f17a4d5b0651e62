/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_DROPIN_LAUNCHED_H
#define TESTS_DROPIN_LAUNCHED_H

#include <stdlib.h>

/* Before MPI_Init, as the launcher tells it; 0 for all where it does not. */
static inline int launched_rank(void) {
    const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !text; i++)
        text = getenv(names[i]);
    return text ? atoi(text) : 0;
}

#endif
