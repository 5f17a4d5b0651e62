/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid with periodic axes of one and two ranks, where both neighbours are the same one, and what
 * an exchange of unequal blocks leaves on it. */
#ifndef TESTS_MPI_SHORT_AXES_H
#define TESTS_MPI_SHORT_AXES_H

#include "check.h"

#include <stdbool.h>

enum { SHORT_AXES = 3, SHORT_BLOCKS = 2 * SHORT_AXES, SHORT_LONGEST = 3 };

struct exchange {
    MPI_Comm grid;
    int sent[SHORT_BLOCKS * SHORT_LONGEST], found[SHORT_BLOCKS * SHORT_LONGEST];
    int send_counts[SHORT_BLOCKS], counts[SHORT_BLOCKS], places[SHORT_BLOCKS];
    MPI_Aint bytes[SHORT_BLOCKS];
    MPI_Datatype types[SHORT_BLOCKS];
};

static int source_of(const struct exchange *e, int block) {
    int from[2];
    MPI_Cart_shift(e->grid, block / 2, 1, &from[0], &from[1]);
    return from[block % 2];
}

/* What a rank sends in a block: it says whose and which it is. */
static int word_of(int rank, int block, int i) {
    return (rank * SHORT_BLOCKS + block) * SHORT_LONGEST + i;
}

/* equal: all blocks have one length, or else that of one which goes up is another. */
static void prepare(struct exchange *e, bool equal) {
    int rank;
    MPI_Comm_rank(e->grid, &rank);
    for (int b = 0; b < SHORT_BLOCKS; b++) {
        e->send_counts[b] = equal ? SHORT_LONGEST : 1 + b % 2 * 2;
        e->counts[b] = equal ? SHORT_LONGEST : 1 + (b ^ 1) % 2 * 2;
        e->places[b] = b * SHORT_LONGEST;
        e->bytes[b] = (MPI_Aint)sizeof(int) * e->places[b];
        e->types[b] = MPI_INT;
        for (int i = 0; i < SHORT_LONGEST; i++) {
            e->sent[e->places[b] + i] = word_of(rank, b, i);
            e->found[e->places[b] + i] = -1;
        }
    }
}

/* What goes down an axis comes from above. */
static void compare(const struct exchange *e, const char *call) {
    for (int b = 0; b < SHORT_BLOCKS; b++)
        for (int i = 0, source = source_of(e, b); i < SHORT_LONGEST; i++) {
            bool comes = source != MPI_PROC_NULL && i < e->counts[b];
            int wanted = comes ? word_of(source, b ^ 1, i) : -1;
            int found = e->found[b * SHORT_LONGEST + i];
            CHECK(found == wanted, "%s: block %d, word %d is %d, not %d", call, b, i, found,
                  wanted);
        }
}

/* The first axis is as long as the ranks are, the second has one, the third is open. */
static MPI_Comm make_grid(void) {
    int dims[SHORT_AXES] = {world_size(), 1, 1}, periods[SHORT_AXES] = {1, 1, 0};
    MPI_Comm grid;
    CHECK_MPI(MPI_Cart_create(MPI_COMM_WORLD, SHORT_AXES, dims, periods, 0, &grid));
    return grid;
}

#endif
