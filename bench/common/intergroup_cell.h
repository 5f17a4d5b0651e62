/* SPDX-License-Identifier: BSD-3-Clause */
/* One cell of the experiment between two groups: a collective, the shape of its counts and its
 * bytes, which are what the card that takes in most must take in: the data of the larger group, or
 * the operand of a reduction. */
#ifndef CAUCUS_BENCH_INTERGROUP_CELL_H
#define CAUCUS_BENCH_INTERGROUP_CELL_H

#include "intergroup_groups.h"

enum cell_collective { ALLGATHER, ALLGATHERV, ALLREDUCE, REDUCE_SCATTER, CELL_COLLECTIVES };

static const char *const cell_names[] = {"allgather", "allgatherv", "allreduce", "reduce_scatter"};
static const char *const cell_shapes[] = {"regular", "linear", "heavy", "zeros"};

struct cell {
    const struct groups *groups;
    enum cell_collective collective;
    int shape; /* of cell_shapes */
    long bytes;
    int *count[2], *begin[2]; /* of every rank of either group: bytes, or integers of a reduction */
    int total[2];
    char *in, *out, *all; /* own data, the result, and room for what is gathered by hand */
    long in_bytes, out_bytes;
};

static inline int cell_reduces(const struct cell *cell) {
    return cell->collective >= ALLREDUCE;
}

/* What a rank has, beside what the others have. */
static inline long cell_weight(int shape, int rank, int ranks) {
    switch (shape) {
    case 1: /* linear */
        return rank + 1;
    case 2: /* one has half of everything */
        return rank == ranks / 2 && ranks > 1 ? ranks - 1 : 1;
    case 3: /* every second one has nothing */
        return rank % 2 == 0;
    default:
        return 1;
    }
}

static inline void *cell_room(size_t bytes) {
    void *got = calloc(bytes + 1, 1);
    if (!got) {
        fprintf(stderr, "intergroup_loop: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return got;
}

static inline void cell_share_out(struct cell *cell, int group, int total) {
    int ranks = cell->groups->size[group], *count = cell->count[group];
    long all = 0, before = 0;
    for (int i = 0; i < ranks; i++)
        all += cell_weight(cell->shape, i, ranks);
    for (int i = 0; i < ranks; i++) {
        cell->begin[group][i] = (int)(total * before / all);
        before += cell_weight(cell->shape, i, ranks);
        count[i] = (int)(total * before / all) - cell->begin[group][i];
    }
    cell->total[group] = total;
}

/* The blocks of both groups: as long as each other in the mean. */
static inline void cell_make(struct cell *cell, const struct groups *groups) {
    const int *size = groups->size;
    int most = size[0] > size[1] ? size[0] : size[1];
    cell->groups = groups;
    for (int group = 0; group < 2; group++) {
        long block = cell->bytes / most;
        cell->count[group] = cell_room((size_t)size[group] * sizeof(int));
        cell->begin[group] = cell_room((size_t)size[group] * sizeof(int));
        cell_share_out(cell, group,
                       cell_reduces(cell) ? (int)(cell->bytes / (long)sizeof(int))
                                          : (int)block * size[group]);
    }
    int own = cell->count[groups->mine][groups->rank[1]];
    long unit = cell_reduces(cell) ? (long)sizeof(int) : 1;
    cell->in_bytes = unit * (cell_reduces(cell) ? cell->total[0] : own);
    cell->out_bytes =
        unit * (cell->collective == REDUCE_SCATTER ? own : cell->total[!groups->mine]);
    cell->in = cell_room((size_t)cell->in_bytes);
    cell->out = cell_room((size_t)cell->out_bytes + 64);
    cell->all = cell_room((size_t)unit * (size_t)cell->total[groups->mine]);
}

static inline void cell_free(struct cell *cell) {
    for (int group = 0; group < 2; group++) {
        free(cell->count[group]);
        free(cell->begin[group]);
    }
    free(cell->in);
    free(cell->out);
    free(cell->all);
}

/* Every node's card must take in what its ranks want of other nodes, and of a reduction send what
 * they have: as many bytes as the operand. An allreduce moves each element to be combined, and then
 * to all: as between ranks of one group, 2 - 2 / nodes operands. */
static inline double cell_node_bound(const struct cell *cell, int node) {
    const struct groups *groups = cell->groups;
    double here[2] = {0, 0};
    int has[2] = {0, 0}, at[2] = {0, 0}, elsewhere = groups->nodes > 1;
    for (int rank = 0; rank < groups->ranks; rank++) {
        int group = groups->group_of[rank], number = at[group]++;
        if (groups->node_of[rank] == node) {
            has[group] = 1;
            here[group] += cell->count[group][number];
        }
    }
    if (cell->collective == REDUCE_SCATTER)
        return elsewhere * (double)cell->in_bytes;
    if (cell->collective == ALLREDUCE)
        return (double)cell->in_bytes * (2.0 - 2.0 / groups->nodes);
    return has[0] * (cell->total[1] - here[1]) + has[1] * (cell->total[0] - here[0]);
}

static inline double cell_bound(const struct cell *cell) {
    double most = 0;
    for (int node = 0; node < cell->groups->nodes; node++) {
        double bound = cell_node_bound(cell, node);
        most = bound > most ? bound : most;
    }
    return most;
}

static inline unsigned char cell_byte(int group, int rank, int i) {
    unsigned mixed = (unsigned)(i + 1) * 2654435761U >> 23;
    return (unsigned char)(mixed + 37U * (unsigned)rank + 101U * (unsigned)group);
}

static inline void cell_fill(const struct cell *cell) {
    const struct groups *groups = cell->groups;
    int rank = groups->rank[1];
    int *element = (int *)(void *)cell->in;
    if (cell_reduces(cell))
        for (int i = 0; i < cell->total[0]; i++)
            element[i] = (rank + 1) * (i % 1000 + 1) + groups->mine;
    else
        for (int i = 0; i < cell->in_bytes; i++)
            cell->in[i] = (char)cell_byte(groups->mine, rank, i);
    memset(cell->out, 0x5a, (size_t)cell->out_bytes + 64);
}

/* Whether every byte is what it must be, and nothing is written behind the result; on all ranks. */
static inline int cell_right(const struct cell *cell) {
    const struct groups *groups = cell->groups;
    int other = !groups->mine, ranks = groups->size[other], right = 1, all;
    const int *element = (const int *)(const void *)cell->out;
    if (cell_reduces(cell)) {
        int shift =
            cell->collective == REDUCE_SCATTER ? cell->begin[groups->mine][groups->rank[1]] : 0;
        for (long i = 0; i < cell->out_bytes / (long)sizeof(int); i++)
            right &= element[i] ==
                     (int)((shift + i) % 1000 + 1) * (ranks * (ranks + 1) / 2) + ranks * other;
    } else {
        for (int rank = 0; rank < ranks; rank++)
            for (int i = 0; i < cell->count[other][rank]; i++)
                right &= (unsigned char)cell->out[cell->begin[other][rank] + i] ==
                         cell_byte(other, rank, i);
    }
    for (int i = 0; i < 64; i++)
        right &= cell->out[cell->out_bytes + i] == 0x5a;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

#endif
