/* SPDX-License-Identifier: BSD-3-Clause */
/* Planning a grid without MPI: which rank should take which cell on a machine that need not be at
 * hand. This is what the command line and the Python binding call; libcaucus_plan.so has it.
 *
 *   caucus_plan *plan;
 *   int dims[] = {50, 48};
 *   if (!caucus_plan_create(2, dims, NULL, "star", NULL, "ppn:48", 0, &plan)) {
 *       caucus_cart_traffic traffic;
 *       if (!caucus_plan_map(plan, "best") && !caucus_plan_measure(plan, 0, &traffic))
 *           printf("%s: %g edges between nodes\n", caucus_plan_mapper(plan), traffic.off_node);
 *       caucus_plan_free(plan);
 *   }
 *
 * Cells are numbered in row-major order, last dimension fastest; ranks and nodes as the machine
 * text numbers them, nodes by first appearance. Functions that can fail return a status and leave
 * the whole story in caucus_error_text(). Different plans may be used by different threads. */
#ifndef CAUCUS_PLAN_H
#define CAUCUS_PLAN_H

#include <caucus/error.h>
#include <caucus/traffic.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum caucus_plan_status {
    CAUCUS_PLAN_OK = 0,
    CAUCUS_PLAN_BAD_INPUT = 1,      /* an argument, or a text or file that it names, is wrong */
    CAUCUS_PLAN_NOT_APPLICABLE = 2, /* this mapper does not serve this case */
    CAUCUS_PLAN_FAILED = 3          /* out of memory, or a bug of Caucus */
};

typedef struct caucus_plan caucus_plan;

/* A grid on a machine; *plan is the caller's, for caucus_plan_free, and NULL after a failure.
 * Everything given is copied. The first mapping is "given": nobody reorders.
 *   dims, periods   ndims entries, at most 10; periods may be NULL (all open)
 *   stencil         "star", "box", or the path of a file with one offset per line (ndims whole
 *                   numbers, then an optional weight); NULL is "star"
 *   axis_weights    for "star" only: ndims finite weights, at least 0; NULL is all 1
 *   machine         "4x8", "cyclic:4", "40*48,15*32", "ppn:16", or "file:PATH" with one line per
 *                   rank: node [package [cache]]
 *   ranks           how many there are; 0 is what the machine text says or, where it does not say
 *                   ("cyclic:", "ppn:"), one per cell
 * More ranks than cells are fine: the largest nodes are taken first. Fewer are a failure.
 * O(ranks) time and memory. */
int caucus_plan_create(int ndims, const int dims[], const int periods[], const char *stencil,
                       const double axis_weights[], const char *machine, int64_t ranks,
                       caucus_plan **plan);

/* The same with the stencil as numbers: noffsets * ndims offsets, noffsets weights or NULL. */
int caucus_plan_create_offsets(int ndims, const int dims[], const int periods[], int noffsets,
                               const int offsets[], const double weights[], const char *machine,
                               int64_t ranks, caucus_plan **plan);

/* NULL is allowed. */
void caucus_plan_free(caucus_plan *plan);

int64_t caucus_plan_cells(const caucus_plan *plan);
int64_t caucus_plan_ranks(const caucus_plan *plan); /* of the machine, with or without a cell */
/* Levels that the machine text describes: 1 (nodes), 2 (and packages), 3 (and shared caches). */
int caucus_plan_levels(const caucus_plan *plan);
/* How many nodes (level 0), packages (1) or caches (2) the machine has; 0 for an unknown level. */
int32_t caucus_plan_parts(const caucus_plan *plan, int level);
/* The name that the machine text gives a node; NULL where it gives none. The plan's. */
const char *caucus_plan_node_name(const caucus_plan *plan, int32_t node);

/* Maps the ranks to the cells; the last mapping that worked stays. mapper: a name of the table
 * below; "best" for the best of all of them, refined; "given" for cell i to rank i.
 * CAUCUS_PLAN_NOT_APPLICABLE where the mapper does not serve the case. Deterministic. O(cells *
 * offsets) for most mappers; "best" takes seconds at some 10^5 cells. */
int caucus_plan_map(caucus_plan *plan, const char *mapper);

/* What made the mapping in force: a name of the table, "annealed", or "given". The library's. */
const char *caucus_plan_mapper(const caucus_plan *plan);

/* What the mapping costs between the parts of a level (0 is nodes). O(cells * offsets). */
int caucus_plan_measure(caucus_plan *plan, int level, caucus_cart_traffic *traffic);

/* No mapping of the largest nodes has fewer edges between nodes than this (directed, weighted). */
int caucus_plan_bound(const caucus_plan *plan, double *bound);

/* The mapping, one entry per cell. rank_of_cell chooses among the ranks of a node such that
 * packages and caches get compact sets too. */
int caucus_plan_node_of_cell(const caucus_plan *plan, int32_t node_of_cell[]);
int caucus_plan_rank_of_cell(caucus_plan *plan, int32_t rank_of_cell[]);

/* The machine, one entry per rank: the number of its part of a level. */
int caucus_plan_part_of_rank(const caucus_plan *plan, int level, int32_t part_of_rank[]);

/* The stencil as noffsets * ndims numbers and noffsets weights, the plan's. */
void caucus_plan_stencil(const caucus_plan *plan, int *noffsets, const int **offsets,
                         const double **weights);

/* Fills the zeros of dims, keeps the others, such that the bytes between nodes plus a tenth of all
 * halo bytes are least. extents: the global mesh along each axis, NULL for a cube. ranks 0: what
 * the machine text says. */
int caucus_plan_dims(const char *machine, int64_t ranks, int ndims, const double extents[],
                     const int periods[], int dims[]);

/* The table of mappers, in the order in which ties are broken: 1 and the entry's texts, which are
 * the library's, or 0 beyond the end. */
int caucus_plan_mapper_entry(int index, const char **name, const char **summary);

/* The table of settings. */
typedef struct caucus_plan_setting {
    const char *environment, *info_key, *default_value, *syntax, *help;
    const char *value; /* in force now */
} caucus_plan_setting;

/* 1 and the entry, whose texts are the library's, or 0 beyond the end. */
int caucus_plan_setting_entry(int index, caucus_plan_setting *setting);

/* Warns on standard error of CAUCUS_ variables that no setting has; returns how many. */
int caucus_plan_warn_unknown_settings(void);

#ifdef __cplusplus
}
#endif

#endif
