/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer of the user's as processors and MPI may touch it: itself, or where it lies in the
 * memory of a device, a copy of the same shape. What lies at MPI_BOTTOM has none: it stays. */
#ifndef CAUCUS_RUN_LAYOUT_HOST_COPY_H
#define CAUCUS_RUN_LAYOUT_HOST_COPY_H

#include "run/layout/device.h"
#include "run/layout/layout.h"

#include <stddef.h>

struct caucus_host_copy {
    void *buffer;                /* to be used in place of the user's */
    char *memory;                /* NULL where it is the user's, and then the next is nothing */
    struct caucus_layout device; /* the user's */
};

/* Of a buffer with such a layout, which is taken over; what lies on a device is read now. On
 * failure there is nothing to be freed. */
int caucus_host_copy_of(struct caucus_host_copy *copy, struct caucus_layout *layout);

/* The same of count elements, where a runtime of devices is in the process. */
int caucus_host_copy_make(struct caucus_host_copy *copy, int64_t count, MPI_Datatype type);

/* The same anywhere. */
static inline int caucus_host_copy_create(struct caucus_host_copy *copy, const void *buffer,
                                          int64_t count, MPI_Datatype type) {
    copy->buffer = (void *)(uintptr_t)buffer;
    copy->memory = NULL;
    return count > 0 && caucus_device_may_hold(buffer) ? caucus_host_copy_make(copy, count, type)
                                                       : 0;
}

/* Writes the copy, if it is one, to where the user has his buffer. */
int caucus_host_copy_write_back(const struct caucus_host_copy *copy);

void caucus_host_copy_drop(struct caucus_host_copy *copy);

static inline void caucus_host_copy_free(struct caucus_host_copy *copy) {
    if (copy->memory)
        caucus_host_copy_drop(copy);
}

#endif
