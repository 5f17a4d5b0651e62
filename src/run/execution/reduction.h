/* SPDX-License-Identifier: BSD-3-Clause */
/* How operands of a datatype are combined, wherever their packed bytes lie. */
#ifndef CAUCUS_RUN_EXECUTION_REDUCTION_H
#define CAUCUS_RUN_EXECUTION_REDUCTION_H

#include "run/layout/layout.h"

/* Loops that combine operands of C types by predefined operations (kernels.c): target[i] =
 * source[i] op target[i]; the operands do not overlap. */
typedef void caucus_kernel(const void *restrict source, void *restrict target, int64_t count);

/* NULL where there is none: leave it to MPI_Reduce_local then. */
caucus_kernel *caucus_kernel_find(MPI_Op op, MPI_Datatype type);

struct caucus_reduction {
    MPI_Op op; /* MPI_OP_NULL: nothing is combined */
    MPI_Datatype type;
    bool owns_type;
    caucus_kernel *kernel; /* NULL: MPI_Reduce_local */
    int64_t size;          /* packed bytes of an element */
    int64_t alignment;     /* of addresses that can be combined where they are; 0: none can */
    /* Room for a piece of both operands, one after the other, as the datatype has them, and for its
     * packed bytes; made when it is first asked for. */
    int64_t elements;
    char *room, *packed;
    struct caucus_layout source, target;
};

int caucus_reduction_init(struct caucus_reduction *reduction, MPI_Op op, MPI_Datatype type);
void caucus_reduction_free(struct caucus_reduction *reduction);

/* Makes the room, once. */
int caucus_reduction_reserve(struct caucus_reduction *reduction);

/* target = source op target, elements one after the other, both aligned. */
int caucus_reduction_apply(const struct caucus_reduction *reduction, const void *source,
                           void *target, int64_t elements);

static inline bool caucus_reduction_direct(const struct caucus_reduction *reduction,
                                           const void *source, const void *target) {
    uintptr_t both = (uintptr_t)source | (uintptr_t)target;
    return source && target && reduction->alignment > 0 &&
           (both & (uintptr_t)(reduction->alignment - 1)) == 0;
}

#endif
