/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives without MPI: which algorithm would be chosen and why, whether its schedules are
 * right, how long they take on a machine that need not be at hand, what they look like. This is
 * what the command line calls; libcaucus_plan.so has it.
 *
 *   caucus_study *study;
 *   caucus_study_question question = {.collective = "allreduce", .machine = "4x24", .bytes = 65536,
 *                                     .element = 8, .commutative = 1};
 *   caucus_study_time time;
 *   if (!caucus_study_create(&question, &study)) {
 *       if (!caucus_study_simulate(study, &time))
 *           printf("%s: %g s\n", caucus_study_algorithm(study), time.seconds);
 *       caucus_study_free(study);
 *   }
 *
 * Functions that can fail return a status of caucus/plan.h and leave the whole story in
 * caucus_error_text(). Different studies may be used by different threads. */
#ifndef CAUCUS_SCHEDULE_H
#define CAUCUS_SCHEDULE_H

#include <caucus/plan.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A collective and all its ranks. Zero is a sane value of everything but collective and ranks. */
typedef struct caucus_study_question {
    const char *collective; /* "allreduce" */
    const char *algorithm;  /* a name of the table; NULL or "": the cheapest by its cost formula */
    const char *machine;    /* as for caucus_plan_create; NULL or "": no ranks share memory */
    const char *model;      /* a file of parameters, lines "name value"; NULL or "": defaults */
    int64_t ranks;          /* 0: what the machine text says */
    int64_t bytes;          /* of a rank's block or operand, a multiple of element */
    int64_t element;        /* bytes of what a reduction must not cut; 0 is 1 */
    int64_t segment; /* bytes of a piece where an algorithm pipelines, at most 2^40; 0: its own
                        choice */
    int64_t root;
    uint64_t seed;   /* of irregular blocks and random neighbours */
    int commutative; /* the operation of a reduction */
    int in_place;
    int irregular;  /* blocks of the v and w collectives: 0 to 2 * bytes each, else all of bytes */
    int persistent; /* counts and neighbours may be exchanged when it is made */
    /* Neighbours: both along each axis of a grid, or at random. */
    int axes, sides[6], periodic[6];
    int degree; /* above 0: up to so many at random, and no grid */
    /* Between two groups: ranks 0 to first_group - 1 are the first one, the others the second one;
     * 0: one group. machine may have a part for each, "4x8+cyclic:2". root counts both groups'
     * ranks, and in_place means nothing. bytes are a block's of the first group, of allgather(v)
     * and alltoall, and second_bytes of the second one. reduce_scatter_block: in the group of P
     * ranks, the other having Q, blocks have Q / gcd(P, Q) times bytes. */
    int64_t first_group, second_bytes;
    /* The lengths of blocks of gatherv, scatterv, allgatherv, reduce_scatter, with bytes for a mean
     * (of reduce_scatter between groups, in the first one): "regular", "nearly" (2 % more or less),
     * "linear", "exponential", "geometric", "one-heavy" (95 % in one), "two-heavy", "with-zeros"
     * (every other), or two of them, "linear+regular", one for each group. NULL or "": regular. */
    const char *counts;
} caucus_study_question;

typedef struct caucus_study caucus_study;

/* Chooses the algorithm; builds nothing yet. *study is the caller's, and NULL after a failure.
 * Everything given is copied. */
int caucus_study_create(const caucus_study_question *question, caucus_study **study);

/* NULL is allowed. */
void caucus_study_free(caucus_study *study);

int64_t caucus_study_ranks(const caucus_study *study);
int64_t caucus_study_nodes(const caucus_study *study);
/* The algorithm in force, and what its cost formula predicts, in seconds. */
const char *caucus_study_algorithm(const caucus_study *study);
double caucus_study_predicted(const caucus_study *study);

/* Another algorithm for the same question. */
int caucus_study_use(caucus_study *study, const char *algorithm);

/* Why it was chosen: 1 and one of the algorithms of this collective, in the order of the table, or
 * 0 beyond the last. The texts are valid until the study's next call. */
typedef struct caucus_study_candidate {
    const char *name, *summary;
    int serves;
    double seconds;  /* predicted, where it serves */
    const char *why; /* why not, else "" */
} caucus_study_candidate;
int caucus_study_candidate_entry(caucus_study *study, int index, caucus_study_candidate *entry);

/* Proves the schedules of all ranks; the failure names the first violation. */
typedef struct caucus_study_verdict {
    int64_t operations, messages, bytes, steps;
} caucus_study_verdict;
int caucus_study_verify(caucus_study *study, caucus_study_verdict *verdict);

/* Runs the schedules of all ranks on the model. */
typedef struct caucus_study_time {
    double seconds; /* until the last rank is done */
    int64_t operations;
    int64_t messages_within, messages_between, bytes_within, bytes_between; /* nodes */
    int64_t card_bytes; /* of the node that sends or receives most to or from others */
} caucus_study_time;
int caucus_study_simulate(caucus_study *study, caucus_study_time *time);

/* Writes the schedules of all ranks to a file ("-": standard output):
 *   "svg"   a space-time diagram of the simulation
 *   "text"  a table of steps and ranks
 *   "goal"  GOAL text, what the LogGOPSim simulator reads */
int caucus_study_write(caucus_study *study, const char *format, const char *path);

/* The table of algorithms: 1 and the entry, whose texts are the library's, or 0 beyond the end. */
typedef struct caucus_study_listed {
    const char *collective, *name, *summary;
    int needs_commutative, needs_shared_memory, needs_one_node, needs_block_nodes, needs_exchange;
    int groups; /* 1, or 2: between two. Those of one group come first */
} caucus_study_listed;
int caucus_study_listed_entry(int index, caucus_study_listed *entry);

/* The parameters of the model with their defaults: 1, or 0 beyond the end. */
int caucus_study_parameter_entry(int index, const char **name, const char **help, double *value);

#ifdef __cplusplus
}
#endif

#endif
