/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective as seen by nobody in particular: all ranks at once. Every rank's view follows from
 * it, and so does what must come out, straight from MPI's definitions and without any algorithm.
 * For checks, simulations and drawings; a real call has nothing but its own view. */
#ifndef CAUCUS_STUDY_COLLECTIVE_PROBLEM_H
#define CAUCUS_STUDY_COLLECTIVE_PROBLEM_H

#include "plan/collective/algorithm.h"
#include "plan/collective/task.h"
#include "study/verify/verify.h"

/* Who the neighbours are. */
enum caucus_neighbourhood {
    CAUCUS_NEIGHBOURHOOD_NONE,
    /* Both neighbours along each axis of a grid, first the lower one as a destination and the upper
     * one as a source, so that what goes down comes from above even where they are the same rank.
     * Beyond the edge of an axis that is not periodic there is no neighbour and no block. */
    CAUCUS_NEIGHBOURHOOD_STAR,
    CAUCUS_NEIGHBOURHOOD_RANDOM /* up to degree neighbours, some of them twice, some the rank itself
                                 */
};

enum { CAUCUS_PROBLEM_AXES = 6 };

/* What is asked for. Zero is a sane value of everything but collective, ranks and bytes. */
struct caucus_problem_shape {
    enum caucus_collective collective;
    int32_t ranks, root;
    bool in_place, commutative;
    int64_t element; /* 0: 1 */
    int64_t bytes;   /* of a block as in task.h; a multiple of element */
    /* Between two groups: ranks of the first one, else 0; and bytes of a block of the second one,
     * in allgather and alltoall. A root is a rank of the union. */
    int32_t first_group;
    int64_t second_bytes;
    /* The block of each rank, instead of bytes and irregular, where blocks may differ and belong to
     * one rank each; NULL: none given. Must outlive the problem. */
    const int64_t *lengths;
    /* Blocks of the v and w collectives and of reduce_scatter: of 0 to 2 * bytes each, a function
     * of seed and who sends to whom, a quarter of them empty. Else all of them have bytes. */
    bool irregular;
    uint64_t seed;
    enum caucus_neighbourhood neighbourhood;
    int32_t axes; /* of a star: sides multiply to ranks */
    int32_t side[CAUCUS_PROBLEM_AXES];
    bool periodic[CAUCUS_PROBLEM_AXES];
    int32_t degree;                      /* of a random neighbourhood */
    const struct caucus_node_map *nodes; /* NULL: no memory is shared; must outlive the problem */
    int64_t segment, node_limit;         /* node_limit 0: 1 MiB */
    unsigned
        exchanged; /* of CAUCUS_NEEDS_COUNTS and CAUCUS_NEEDS_TRAFFIC: what init has exchanged */
};

struct caucus_problem {
    struct caucus_problem_shape shape;
    /* The rest is private. */
    int64_t *block, *block_at; /* [rank]: the block that it gives or gets, where it begins in all */
    int64_t *send, *receive;   /* lent to a task */
    int64_t *begun;            /* [s]: where the block of s for rank begun_rank begins in its in */
    int32_t begun_rank;
    int64_t *out_first, *in_first; /* [rank]: where its edges begin, out of it and into it */
    int32_t *destination, *source;
    int64_t *edge_at;                    /* where the block of an edge begins in its sender's in */
    int64_t *in_edge;                    /* the edge that ends at an entry of source */
    struct caucus_traffic_table traffic; /* owned; without entries where it was not exchanged */
    struct caucus_expected *expected;    /* of one rank */
    int64_t volume;
};

/* Whether the shape makes sense, but for its nodes' and neighbourhood's details. */
int caucus_problem_check(const struct caucus_problem_shape *shape);

/* Whether blocks may differ and belong to one rank each. */
bool caucus_problem_has_lengths(enum caucus_collective collective);

/* Fails where the shape makes no sense. in_place is ignored by what knows no such thing. */
int caucus_problem_init(struct caucus_problem *problem, const struct caucus_problem_shape *shape);
void caucus_problem_free(struct caucus_problem *problem);

/* The view of a rank: what MPI gives it, and what was exchanged. Its arrays belong to the problem
 * and are valid until the next call. */
int caucus_problem_task(struct caucus_problem *problem, int32_t rank, struct caucus_task *task);

/* What verify needs; refers to the problem. */
void caucus_problem_specification(struct caucus_problem *problem,
                                  struct caucus_specification *specification);

/* The schedules of all ranks by an algorithm, an array to be freed as below. Fails where it can't
 * serve (CAUCUS_NOT_APPLICABLE), and where it serves on some ranks only (CAUCUS_INTERNAL). */
int caucus_problem_build(struct caucus_problem *problem, const struct caucus_algorithm *algorithm,
                         struct caucus_schedule **schedules);
void caucus_problem_schedules_free(struct caucus_schedule *schedules, int32_t ranks);

#endif
