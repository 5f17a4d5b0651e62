/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Collectives without MPI: choosing, verifying, simulating and drawing their algorithms.
 */
#ifndef CAUCUS_SCHEDULE_H
#define CAUCUS_SCHEDULE_H

#include <caucus/plan.h>

#include <stdint.h>

/**
 * @defgroup schedule Studying collectives without MPI
 * @brief Which algorithm a collective would use, whether it is right, and how long it takes.
 *
 * The schedule of a rank is the list of its sends, receives, copies and reductions. A study builds
 * the schedules of all ranks of one collective on a machine that need not be at hand. No MPI is
 * needed: the library libcaucus_plan.so has these functions, and the command line (caucus schedule)
 * calls them. docs/schedule.md is the guide.
 *
 * @code
 * caucus_study *study;
 * caucus_study_question question = {.collective = "allreduce", .machine = "4x24", .bytes = 65536,
 *                                   .element = 8, .commutative = 1};
 * caucus_study_time time;
 * if (!caucus_study_create(&question, &study)) {
 *     if (!caucus_study_simulate(study, &time))
 *         printf("%s: %g s\n", caucus_study_algorithm(study), time.seconds);
 *     caucus_study_free(study);
 * }
 * @endcode
 *
 * Errors: functions that can fail return a ::caucus_plan_status and leave an explanation in
 * caucus_error_text(). All are local.
 *
 * Threads: different studies may be used by different threads at the same time, one study by one
 * thread at a time.
 *
 * Cost: verifying, simulating and writing first build the schedules, which takes time and memory in
 * proportion to the operations of all ranks; they are kept for the next such call.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A collective and all its ranks. All members but collective and ranks may be 0. */
typedef struct caucus_study_question {
    const char *collective; /**< Name in lower case, such as "allreduce". */
    const char *algorithm;  /**< Name of an algorithm; NULL or "": the one that is predicted to be
                               fastest. */
    const char *machine;    /**< As for caucus_plan_create; NULL or "": no ranks share memory. */
    const char *model;      /**< Path of a file with parameters of the cost model, lines "name
                               value"; NULL or "": defaults. */
    int64_t ranks;          /**< Number of ranks; 0: what machine says. */
    int64_t bytes;          /**< Bytes of a rank's block or operand, a multiple of element. */
    int64_t element;        /**< Bytes of what a reduction must not cut; 0: 1. */
    int64_t segment;        /**< Bytes of a piece where an algorithm pipelines, at most 2^40; 0: the
                               algorithm's own choice. */
    int64_t root;           /**< Rank of the root. */
    uint64_t seed;          /**< Seed of irregular blocks and random neighbours. */
    int commutative;        /**< Not 0 if the operation of a reduction commutes. */
    int in_place;           /**< Not 0: MPI_IN_PLACE. */
    int irregular;          /**< Not 0: blocks of the v and w collectives have 0 to 2 * bytes each,
                               at random; 0: all have bytes. */
    int persistent;         /**< Not 0: counts and neighbours may be exchanged at init. */
    int axes;               /**< Neighbourhood collectives: number of dimensions of a grid; each
                               rank has both neighbours along each. */
    int sides[6];           /**< Number of ranks along each dimension. */
    int periodic[6];        /**< Not 0 if the dimension is periodic. */
    int degree;             /**< Above 0: up to so many neighbours at random, instead of a grid. */
    int64_t first_group;  /**< Above 0: a collective between two groups; ranks 0 to first_group - 1
                             are the first one, the others the second one. machine may then have
                             a part for each, "4x8+cyclic:2"; root counts the ranks of both
                             groups; in_place is ignored; bytes are those of a block of the first
                             group. For reduce_scatter_block, blocks in the group of P ranks have
                             Q / gcd(P, Q) times bytes, Q being the size of the other group. */
    int64_t second_bytes; /**< Between groups: bytes of a block of the second group, of
                             allgather(v) and alltoall. */
    const char *counts;   /**< Lengths of the blocks of gatherv, scatterv, allgatherv and
                             reduce_scatter, with a mean of bytes (of reduce_scatter between
                             groups, in the first one): "regular", "nearly" (2 % more or less),
                             "linear", "exponential", "geometric", "one-heavy" (95 % in one),
                             "two-heavy", "with-zeros" (every other), or two of them, one for each
                             group: "linear+regular". NULL or "": regular. */
} caucus_study_question;

/** The study of one collective on one machine. */
typedef struct caucus_study caucus_study;

/**
 * Makes a study, and chooses the algorithm. Builds no schedules yet.
 *
 * @param[in] question The collective, which is copied with all its texts.
 * @param[out] study   The study, to be freed by caucus_study_free; NULL after an error.
 * @return A ::caucus_plan_status.
 */
int caucus_study_create(const caucus_study_question *question, caucus_study **study);

/**
 * Frees a study.
 *
 * @param[in] study A study or NULL.
 */
void caucus_study_free(caucus_study *study);

/**
 * Tells how many ranks take part, those of both groups.
 *
 * @param[in] study A study.
 * @return The number of ranks.
 */
int64_t caucus_study_ranks(const caucus_study *study);

/**
 * Tells on how many nodes they are.
 *
 * @param[in] study A study.
 * @return The number of nodes; that of ranks if no ranks share memory.
 */
int64_t caucus_study_nodes(const caucus_study *study);

/**
 * Tells which algorithm is in force.
 *
 * @param[in] study A study.
 * @return Its name, which belongs to the library.
 */
const char *caucus_study_algorithm(const caucus_study *study);

/**
 * Tells how long the cost formula of the algorithm in force predicts that the collective takes.
 *
 * @param[in] study A study.
 * @return Seconds; -1 if the formula was not evaluated.
 */
double caucus_study_predicted(const caucus_study *study);

/**
 * Changes the algorithm. After an error the one before stays in force.
 *
 * @param[in,out] study A study.
 * @param[in] algorithm Name of an algorithm; NULL or "": the one that is predicted to be fastest.
 * @return A ::caucus_plan_status.
 */
int caucus_study_use(caucus_study *study, const char *algorithm);

/** An algorithm that could be chosen for a study. */
typedef struct caucus_study_candidate {
    const char *name;    /**< Its name. */
    const char *summary; /**< What it does. */
    int serves;          /**< 1 if it can serve this collective, else 0. */
    double seconds;      /**< Predicted time, if it serves. */
    const char *why;     /**< Why it does not serve, else "". */
} caucus_study_candidate;

/**
 * Lists the algorithms of this collective, in the order of the table: why one was chosen.
 *
 * @param[in,out] study A study.
 * @param[in] index     From 0.
 * @param[out] entry    The algorithm; its texts are valid until the next call on the study.
 * @return 1, or 0 if @p index is beyond the last one.
 */
int caucus_study_candidate_entry(caucus_study *study, int index, caucus_study_candidate *entry);

/** How much a verified collective does, summed over all ranks. */
typedef struct caucus_study_verdict {
    int64_t operations; /**< Sends, receives, copies, reductions and flags. */
    int64_t messages;   /**< Messages. */
    int64_t bytes;      /**< Bytes in messages. */
    int64_t steps;      /**< Steps of the rank that has most. */
} caucus_study_verdict;

/**
 * Proves that the schedules of all ranks are right: every send meets its receive, no deadlock, no
 * two operations race on a byte, and every byte of the result is what MPI demands, in two runs one
 * after the other.
 *
 * @param[in,out] study A study.
 * @param[out] verdict  How much they do.
 * @return A ::caucus_plan_status; CAUCUS_PLAN_FAILED if the schedules are wrong, and the text names
 *         the first violation.
 */
int caucus_study_verify(caucus_study *study, caucus_study_verdict *verdict);

/** How long a simulated collective takes, and what it sends. */
typedef struct caucus_study_time {
    double seconds;           /**< Until the last rank is done. */
    int64_t operations;       /**< Operations of all ranks. */
    int64_t messages_within;  /**< Messages between ranks of the same node. */
    int64_t messages_between; /**< Messages between ranks of different nodes. */
    int64_t bytes_within;     /**< Bytes in messages between ranks of the same node. */
    int64_t bytes_between;    /**< Bytes in messages between ranks of different nodes. */
    int64_t card_bytes;       /**< Bytes that the busiest node sends to others, or receives. */
} caucus_study_time;

/**
 * Simulates the schedules of all ranks on the cost model.
 *
 * @param[in,out] study A study.
 * @param[out] time     How long they take.
 * @return A ::caucus_plan_status.
 */
int caucus_study_simulate(caucus_study *study, caucus_study_time *time);

/**
 * Writes the schedules of all ranks to a file.
 *
 * @param[in,out] study A study.
 * @param[in] format    "svg": a space-time diagram of the simulation; "text": a table of steps and
 *                      ranks; "goal": GOAL text, the input of the simulator LogGOPSim.
 * @param[in] path      Path of the file, "-": standard output.
 * @return A ::caucus_plan_status; CAUCUS_PLAN_FAILED if the file cannot be written.
 */
int caucus_study_write(caucus_study *study, const char *format, const char *path);

/** An algorithm in the table of all algorithms. */
typedef struct caucus_study_listed {
    const char *collective;  /**< The collective that it is for. */
    const char *name;        /**< Its name. */
    const char *summary;     /**< What it does. */
    int needs_commutative;   /**< 1 if the operation must commute. */
    int needs_shared_memory; /**< 1 if ranks of a node must share memory. */
    int needs_one_node;      /**< 1 if all ranks must be on one node. */
    int needs_block_nodes;   /**< 1 if the ranks of each node must follow one another. */
    int needs_exchange;      /**< 1 if it serves persistent operations only, because counts or
                                neighbours are exchanged at init. */
    int groups;              /**< 1, or 2 for collectives between two groups. */
} caucus_study_listed;

/**
 * Lists all algorithms: first those of one group, then those between two. Any thread.
 *
 * @param[in] index  From 0.
 * @param[out] entry The algorithm; its texts belong to the library.
 * @return 1, or 0 if @p index is beyond the last one.
 */
int caucus_study_listed_entry(int index, caucus_study_listed *entry);

/**
 * Lists the parameters of the cost model. Any thread.
 *
 * @param[in] index  From 0.
 * @param[out] name  Its name, in files that the setting CAUCUS_MODEL names.
 * @param[out] help  What it means, with its unit.
 * @param[out] value Its default.
 * @return 1, or 0 if @p index is beyond the last one.
 */
int caucus_study_parameter_entry(int index, const char **name, const char **help, double *value);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
