/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/constants.h"

#include <pthread.h>

static struct caucus_f_constants kept;
static pthread_once_t asked = PTHREAD_ONCE_INIT;

/* Fortran's: calls the next one. */
void caucus_f_tell_constants(void);
void caucus_f_keep_constants(const void *bottom, const void *in_place, const void *status_ignore,
                             const void *statuses_ignore, const void *unweighted,
                             const void *weights_empty);

void caucus_f_keep_constants(const void *bottom, const void *in_place, const void *status_ignore,
                             const void *statuses_ignore, const void *unweighted,
                             const void *weights_empty) {
    kept = (struct caucus_f_constants){bottom,          in_place,   status_ignore,
                                       statuses_ignore, unweighted, weights_empty};
}

const struct caucus_f_constants *caucus_f_constants(void) {
    pthread_once(&asked, caucus_f_tell_constants);
    return &kept;
}
