/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Planning a grid or a graph without MPI, on a machine that need not be at hand.
 *
 * libcaucus_plan.so has it, which a program links (-lcaucus_plan) with or without libcaucus.so.
 */
#ifndef CAUCUS_PLAN_H
#define CAUCUS_PLAN_H

#include <caucus/error.h>
#include <caucus/traffic.h>

#include <stdint.h>

/**
 * @defgroup plan Planning grids without MPI
 * @brief Which rank should take which cell of a grid, and how much traffic between nodes it saves.
 *
 * No MPI is needed: the library libcaucus_plan.so has these functions. The command line (caucus
 * map) and the Python binding call them. docs/map.md is the guide.
 *
 * @code
 * caucus_plan *plan;
 * int dims[] = {50, 48};
 * if (!caucus_plan_create(2, dims, NULL, "star", NULL, "ppn:48", 0, &plan)) {
 *     caucus_cart_traffic traffic;
 *     if (!caucus_plan_map(plan, "best") && !caucus_plan_measure(plan, 0, &traffic))
 *         printf("%s: %g edges between nodes\n", caucus_plan_mapper(plan), traffic.off_node);
 *     caucus_plan_free(plan);
 * }
 * @endcode
 *
 * Cells are numbered in row-major order, the last dimension fastest, as ranks of a Cartesian
 * communicator are. Ranks are numbered from 0, nodes by their first rank.
 *
 * Errors: functions that can fail return a ::caucus_plan_status and leave an explanation in
 * caucus_error_text(). All are local.
 *
 * Threads: different plans may be used by different threads at the same time, one plan by one
 * thread at a time.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/** What functions of caucus/plan.h and caucus/schedule.h return. */
enum caucus_plan_status {
    CAUCUS_PLAN_OK = 0,             /**< Success. */
    CAUCUS_PLAN_BAD_INPUT = 1,      /**< An argument, or a text or file that it names, is wrong. */
    CAUCUS_PLAN_NOT_APPLICABLE = 2, /**< This mapper or algorithm cannot serve this case. */
    CAUCUS_PLAN_FAILED = 3          /**< Out of memory, output failed, or an error in Caucus. */
};

/** A grid on a machine, with a mapping of ranks to cells. */
typedef struct caucus_plan caucus_plan;

/**
 * Makes a plan. Its first mapping is "given": rank i takes cell i. O(ranks) time and memory.
 *
 * @param[in] ndims        Number of dimensions, 0 to 10.
 * @param[in] dims         @p ndims entries, each at least 1.
 * @param[in] periods      @p ndims flags: not 0 if the dimension is periodic. NULL: none is.
 * @param[in] stencil      Neighbours: "star" (distance 1 along each dimension), "box" (diagonals
 *                         too), or the path of a file with one offset per line: @p ndims whole
 *                         numbers, then an optional weight. NULL: "star".
 * @param[in] axis_weights For "star" only: @p ndims weights, finite and at least 0: what a rank
 *                         sends to each neighbour along the dimension. NULL: all 1.
 * @param[in] machine      "4x8" (4 nodes of 8 ranks by blocks), "cyclic:4" (4 nodes round-robin),
 *                         "40*48,15*32" (sizes of nodes), "ppn:16" (nodes of 16), or "file:PATH"
 *                         with one line per rank: node [package [cache]].
 * @param[in] ranks        Number of ranks; 0: what @p machine says, or one for each cell with
 *                         "cyclic:" and "ppn:". May be more than cells: the largest nodes are taken
 *                         first. Fewer than cells are an error.
 * @param[out] plan        The plan, to be freed by caucus_plan_free; NULL after an error. All
 *                         arguments are copied.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_create(int ndims, const int dims[], const int periods[], const char *stencil,
                       const double axis_weights[], const char *machine, int64_t ranks,
                       caucus_plan **plan);

/**
 * Makes a plan as caucus_plan_create does, with any neighbourhood given as numbers.
 *
 * @param[in] ndims    Number of dimensions, 0 to 10.
 * @param[in] dims     @p ndims entries, each at least 1.
 * @param[in] periods  @p ndims flags: not 0 if the dimension is periodic. NULL: none is.
 * @param[in] noffsets Number of neighbours of a rank, 0 to 2^20.
 * @param[in] offsets  @p noffsets times @p ndims entries: the coordinates of neighbour k relative
 *                     to the rank's own are offsets[k * ndims] and the following, not all zero.
 * @param[in] weights  @p noffsets weights, finite and at least 0. NULL: all 1.
 * @param[in] machine  As in caucus_plan_create.
 * @param[in] ranks    As in caucus_plan_create.
 * @param[out] plan    The plan, to be freed by caucus_plan_free; NULL after an error.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_create_offsets(int ndims, const int dims[], const int periods[], int noffsets,
                               const int offsets[], const double weights[], const char *machine,
                               int64_t ranks, caucus_plan **plan);

/**
 * Frees a plan.
 *
 * @param[in] plan A plan or NULL.
 */
void caucus_plan_free(caucus_plan *plan);

/**
 * Tells how many cells the grid has.
 *
 * @param[in] plan A plan.
 * @return The product of the dimensions.
 */
int64_t caucus_plan_cells(const caucus_plan *plan);

/**
 * Tells how many ranks the machine has, with or without a cell.
 *
 * @param[in] plan A plan.
 * @return The number of ranks.
 */
int64_t caucus_plan_ranks(const caucus_plan *plan);

/**
 * Tells how many levels the text of the machine describes.
 *
 * @param[in] plan A plan.
 * @return 1 (nodes), 2 (nodes and packages) or 3 (nodes, packages and shared caches).
 */
int caucus_plan_levels(const caucus_plan *plan);

/**
 * Tells how many parts of a level the machine has.
 *
 * @param[in] plan  A plan.
 * @param[in] level 0 (nodes), 1 (packages) or 2 (shared caches).
 * @return The number of parts; 0 for a level that the machine does not describe.
 */
int32_t caucus_plan_parts(const caucus_plan *plan, int level);

/**
 * Tells the name that the text of the machine gives a node.
 *
 * @param[in] plan A plan.
 * @param[in] node Number of a node, from 0.
 * @return The name, which belongs to the plan; NULL if the node has none.
 */
const char *caucus_plan_node_name(const caucus_plan *plan, int32_t node);

/**
 * Maps ranks to cells. The last mapping that succeeded stays in force. The result is the same at
 * every call with the same arguments. O(cells * neighbours) time for most mappers; "best" takes
 * seconds for some 10^5 cells.
 *
 * @param[in,out] plan A plan.
 * @param[in] mapper   A name of caucus_plan_mapper_entry; "best": the best of all, refined;
 *                     "given": rank i takes cell i.
 * @return A ::caucus_plan_status; CAUCUS_PLAN_NOT_APPLICABLE if the mapper cannot serve this case.
 */
int caucus_plan_map(caucus_plan *plan, const char *mapper);

/**
 * Asks that rank 0 have cell 0, as some programs demand, in the mapping in force. caucus_plan_map
 * sees to that by itself where it costs nothing; else the next best mapping in which rank 0 has
 * cell 0, of those tried and with two cells exchanged, is put in force if it is allowed.
 *
 * @param[in,out] plan A plan.
 * @param[in] most     By which fraction of them the traffic between nodes, in all (Jsum) and of the
 *                     busiest node (Jmax), may rise: at least 0. Negative: nothing is changed.
 * @param[out] kept    1 if rank 0 has cell 0 now, else 0.
 * @param[out] cost    The fraction by which it has risen, or would have: whichever rises more.
 *                     Infinite if there is no such traffic otherwise.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_keep_rank0(caucus_plan *plan, double most, int *kept, double *cost);

/**
 * Tells what made the mapping in force.
 *
 * @param[in] plan A plan.
 * @return The name of a mapper, "annealed", or "given". Belongs to the library.
 */
const char *caucus_plan_mapper(const caucus_plan *plan);

/**
 * Measures the traffic of the mapping in force between the parts of a level. O(cells * neighbours).
 *
 * @param[in,out] plan A plan; which rank of a node takes which of its cells is worked out and kept.
 * @param[in] level    0 (nodes), 1 (packages) or 2 (shared caches).
 * @param[out] traffic The traffic; "node" in its members means a part of the level.
 * @return A ::caucus_plan_status; CAUCUS_PLAN_BAD_INPUT for a level that the machine does not
 *         describe.
 */
int caucus_plan_measure(caucus_plan *plan, int level, caucus_cart_traffic *traffic);

/**
 * Works out a lower bound of the traffic between nodes.
 *
 * @param[in] plan   A plan.
 * @param[out] bound No mapping to the nodes that take part has less weight of edges between nodes
 *                   (caucus_cart_traffic::off_node).
 * @return A ::caucus_plan_status.
 */
int caucus_plan_bound(const caucus_plan *plan, double *bound);

/**
 * Tells on which node each cell is.
 *
 * @param[in] plan          A plan.
 * @param[out] node_of_cell Room for one entry for each cell: a node.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_node_of_cell(const caucus_plan *plan, int32_t node_of_cell[]);

/**
 * Tells which rank takes each cell. Among the ranks of a node, packages and shared caches get
 * compact sets of cells.
 *
 * @param[in,out] plan      A plan; which rank of a node takes which of its cells is worked out and
 *                          kept.
 * @param[out] rank_of_cell Room for one entry for each cell: a rank.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_rank_of_cell(caucus_plan *plan, int32_t rank_of_cell[]);

/**
 * Tells in which part of a level each rank of the machine is.
 *
 * @param[in] plan          A plan.
 * @param[in] level         0 (nodes), 1 (packages) or 2 (shared caches).
 * @param[out] part_of_rank Room for one entry for each rank of the machine: the number of a part.
 * @return A ::caucus_plan_status; CAUCUS_PLAN_BAD_INPUT for a level that the machine does not
 *         describe.
 */
int caucus_plan_part_of_rank(const caucus_plan *plan, int level, int32_t part_of_rank[]);

/**
 * Tells the neighbourhood as numbers, as caucus_plan_create_offsets takes it.
 *
 * @param[in] plan      A plan.
 * @param[out] noffsets Number of neighbours.
 * @param[out] offsets  Their offsets, noffsets times ndims entries that belong to the plan.
 * @param[out] weights  Their weights, noffsets entries that belong to the plan.
 */
void caucus_plan_stencil(const caucus_plan *plan, int *noffsets, const int **offsets,
                         const double **weights);

/**
 * Chooses dimensions for a grid such that the bytes between nodes, plus a tenth of all bytes sent
 * to neighbours, are least.
 *
 * @param[in] machine  As in caucus_plan_create.
 * @param[in] ranks    Number of ranks in the grid; 0: what @p machine says.
 * @param[in] ndims    Number of dimensions, 0 to 10.
 * @param[in] extents  @p ndims entries: the size of the global mesh along each dimension, finite
 *                     and positive. NULL: the same along all.
 * @param[in] periods  @p ndims flags: not 0 if the dimension is periodic. NULL: none is.
 * @param[in,out] dims @p ndims entries: zeros are replaced, positive ones kept.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_dims(const char *machine, int64_t ranks, int ndims, const double extents[],
                     const int periods[], int dims[]);

/** What placing the vertices of a graph gains. */
typedef struct caucus_plan_graph_outcome {
    char method[32];            /**< What placed them: see caucus_graph_report; or "given". */
    int64_t ranks;              /**< Number of ranks of the machine. */
    int32_t nodes;              /**< Number of nodes. */
    int levels;                 /**< 1 (nodes) to 3 (nodes, packages, shared caches). */
    caucus_cart_traffic given;  /**< Traffic between nodes if rank i takes vertex i. */
    caucus_cart_traffic placed; /**< The same as placed. */
    double inner_given[2];  /**< Weight between packages, then caches, of the same node: on the same
                                 nodes, in ascending order. */
    double inner_placed[2]; /**< The same as placed. */
} caucus_plan_graph_outcome;

/**
 * Works out which rank should take which vertex of a graph, as caucus_dist_graph_create does.
 * Partitions of METIS and Scotch compete where they can be loaded (settings CAUCUS_METIS,
 * CAUCUS_SCOTCH). For 10^6 edges it takes some seconds, or up to a minute where neighbours lie
 * anywhere in the graph, most of which METIS and Scotch take.
 *
 * @param[in] vertices        Number of vertices, at least 1.
 * @param[in] start           @p vertices + 1 entries: vertex v has the edges start[v] to
 *                            start[v + 1] - 1.
 * @param[in] to              The vertex that each edge leads to.
 * @param[in] weights         The weight of each edge, at least 0. NULL: all 1.
 * @param[in] machine         As in caucus_plan_create.
 * @param[in] ranks           Number of ranks; 0: what @p machine says, or one for each vertex with
 *                            "cyclic:" and "ppn:". May be more than vertices.
 * @param[out] rank_of_vertex @p vertices entries: a rank each, all different.
 * @param[out] node_of_vertex 2 * @p vertices entries: the node of vertex v if rank v takes it at v,
 *                            as placed at @p vertices + v. NULL: not wanted.
 * @param[out] outcome        What it gains.
 * @return A ::caucus_plan_status.
 */
int caucus_plan_graph(int32_t vertices, const int64_t start[], const int32_t to[],
                      const int32_t weights[], const char *machine, int64_t ranks,
                      int32_t rank_of_vertex[], int32_t node_of_vertex[],
                      caucus_plan_graph_outcome *outcome);

/**
 * Lists the mappers, in the order in which ties are broken. Any thread.
 *
 * @param[in] index    From 0.
 * @param[out] name    The name of the mapper; belongs to the library.
 * @param[out] summary What it does, when it applies, and what it costs; belongs to the library.
 * @return 1, or 0 if @p index is beyond the last mapper.
 */
int caucus_plan_mapper_entry(int index, const char **name, const char **summary);

/** A setting: an environment variable, and for some the info key of the same name in lower case.
 * Texts are never NULL. */
typedef struct caucus_plan_setting {
    const char *environment;   /**< Name of the environment variable. */
    const char *info_key;      /**< It in lower case, a key only where a call's page names it. */
    const char *default_value; /**< Default, "" if there is none. */
    const char *syntax;        /**< Which values there are. */
    const char *help;          /**< What it means. */
    const char *value;         /**< The value in force now. */
} caucus_plan_setting;

/**
 * Lists the settings (docs/reference/settings.md). Any thread.
 *
 * @param[in] index    From 0.
 * @param[out] setting The setting; its texts belong to the library.
 * @return 1, or 0 if @p index is beyond the last setting.
 */
int caucus_plan_setting_entry(int index, caucus_plan_setting *setting);

/**
 * Writes a warning to standard error for each environment variable that begins with CAUCUS_ and is
 * no setting, with the nearest name that is one.
 *
 * @return How many there are.
 */
int caucus_plan_warn_unknown_settings(void);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
