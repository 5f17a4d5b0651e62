/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested slabs: which axis order and node order. With few nodes the estimates of the dynamic
 * programme are too coarse to choose by, so that candidates are evaluated exactly; with many, only
 * the few with the best estimates, and none where a table of all cells is not wanted.
 *
 * Cost: for m nodes a plane of size_x * size_y cells takes O(size_x * widths * m / strips) steps,
 * once per window that sees a new pattern of node borders; the orders multiply that. */
#include "plan/grid/slabs_orders.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/slabs_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_GRID = 4096,    /* cells up to which four axes get the full effort with uneven nodes */
    SHORTLIST = 3,        /* plans evaluated exactly with more nodes */
    LARGEST_TABLE = 65536 /* cells up to which a plan on every rank may use a table of them */
};

/* Nodes looked at, over all orders: about a second. */
static const int64_t work_in_all = 50 * 1000 * 1000;

struct choice {
    const struct caucus_grid_problem *problem;
    int exponent; /* of the costs' unit */
    int64_t work;
    struct slabs_frame *frame; /* [frames] seen with the present node order */
    int frames;
    int32_t *node_of_cell; /* NULL: no exact evaluation */
    int kept, keep;
    struct caucus_slabs *plan[SHORTLIST + 1]; /* the best first */
    struct caucus_grid_score score;           /* of plan[0] where all are evaluated */
};

static bool few_nodes(const struct choice *choice) {
    return choice->node_of_cell && choice->problem->nodes.count < SLABS_FEW_NODES;
}

static int evaluate(struct choice *choice, const struct caucus_slabs *slabs,
                    struct caucus_grid_score *score) {
    const struct caucus_grid_problem *problem = choice->problem;
    caucus_slabs_fill(slabs, choice->node_of_cell);
    return caucus_grid_evaluate(&problem->grid, &problem->stencil, choice->node_of_cell,
                                problem->nodes.count, score);
}

/* Takes the plan, and drops the worst if there are too many. */
static int consider(struct choice *choice, struct caucus_slabs *slabs) {
    struct caucus_grid_score score = {0};
    int place = choice->kept;
    if (few_nodes(choice)) {
        int status = evaluate(choice, slabs, &score);
        if (status) {
            caucus_slabs_free(slabs);
            return status;
        }
        if (choice->kept == 0 || caucus_grid_better(&score, &choice->score)) {
            place = 0;
            choice->score = score;
        }
    } else {
        while (place > 0 && slabs->estimate < choice->plan[place - 1]->estimate)
            place--;
    }
    memmove(&choice->plan[place + 1], &choice->plan[place],
            (size_t)(choice->kept - place) * sizeof *choice->plan);
    choice->plan[place] = slabs;
    if (++choice->kept > choice->keep)
        caucus_slabs_free(choice->plan[--choice->kept]);
    return CAUCUS_OK;
}

static int least_effort(const struct choice *choice) {
    bool equal = choice->problem->nodes.equal != 0;
    int count = choice->frame->count;
    bool cheap = equal || choice->problem->grid.size <= SMALL_GRID;
    return count <= 3 || (cheap && count == 4) ? 0 : count <= 6 ? 1 : 2;
}

/* With less effort if that takes too long; the very first plan is made at any price. */
static int solve(struct choice *choice, const struct slabs_frame *frame, const int32_t *node_at,
                 struct caucus_slabs *slabs) {
    int status = caucus_slabs_runs_init(&slabs->runs, &choice->problem->nodes, node_at);
    if (status)
        return status;
    int64_t cost;
    status = CAUCUS_NOT_APPLICABLE;
    for (int effort = least_effort(choice); effort < 3 && status == CAUCUS_NOT_APPLICABLE;
         effort++) {
        bool last = effort == 2 && choice->kept == 0;
        int64_t work = last ? INT64_MAX / 2 : choice->work;
        status = caucus_slabs_solve(frame, &slabs->runs, effort, &work, slabs, &cost);
        if (!status && !last)
            choice->work = work;
        if (status == CAUCUS_NOT_APPLICABLE && choice->kept > 0) {
            choice->work = -1; /* there is a plan: leave it at that */
            break;
        }
    }
    slabs->estimate = status ? 0 : ldexp((double)cost, -choice->exponent);
    return status;
}

static int try_axis_order(struct choice *choice, const int *axis, int count,
                          const int32_t *node_at) {
    const struct caucus_grid_problem *problem = choice->problem;
    struct slabs_frame *frame = &choice->frame[choice->frames];
    caucus_slabs_frame_init(frame, &problem->grid, &problem->stencil, choice->exponent,
                            problem->nodes.count, count, axis);
    /* Strips and slabs across the one axis that may be longer than this would be too many. */
    for (int place = 0; place + 1 < count; place++)
        if (frame->size[place] > 46340)
            return CAUCUS_OK;
    for (int other = 0; other < choice->frames; other++)
        if (caucus_slabs_frame_same(frame, &choice->frame[other]))
            return CAUCUS_OK;
    choice->frames++;
    struct caucus_slabs *slabs = caucus_slabs_new(&problem->grid, count, axis);
    if (!slabs)
        return CAUCUS_NO_MEMORY;
    int status = solve(choice, frame, node_at, slabs);
    if (!status)
        return consider(choice, slabs);
    caucus_slabs_free(slabs);
    return status == CAUCUS_NOT_APPLICABLE ? CAUCUS_OK : status;
}

static int try_axis_orders(struct choice *choice, const int32_t *node_at) {
    struct slabs_axis_orders orders;
    int axis[CAUCUS_GRID_MAX_DIMS], status = CAUCUS_OK;
    caucus_slabs_axis_orders_start(&orders, &choice->problem->grid);
    choice->frames = 0;
    while (!status && (choice->work > 0 || choice->kept == 0) &&
           caucus_slabs_axis_orders_next(&orders, axis))
        status = try_axis_order(choice, axis, orders.count, node_at);
    return status;
}

static int try_node_orders(struct choice *choice) {
    struct slabs_node_orders orders;
    const int32_t *node_at;
    int status = caucus_slabs_node_orders_start(&orders, &choice->problem->nodes,
                                                choice->problem->grid.ndims);
    while (!status && caucus_slabs_node_orders_next(&orders, &node_at))
        status = try_axis_orders(choice, node_at);
    caucus_slabs_node_orders_end(&orders);
    return status;
}

/* Puts the best of the shortlist first. */
static int evaluate_shortlist(struct choice *choice) {
    int best = 0, status = CAUCUS_OK;
    for (int i = 0; i < choice->kept && !status; i++) {
        struct caucus_grid_score score;
        status = evaluate(choice, choice->plan[i], &score);
        if (!status && (i == 0 || caucus_grid_better(&score, &choice->score))) {
            choice->score = score;
            best = i;
        }
    }
    struct caucus_slabs *plan = choice->plan[best];
    choice->plan[best] = choice->plan[0];
    choice->plan[0] = plan;
    return status;
}

/* The best plan; with a table of cells to be used for exact evaluation, or NULL. */
static int choose(const struct caucus_grid_problem *problem, int32_t *node_of_cell,
                  struct caucus_slabs **slabs) {
    *slabs = NULL;
    int status = caucus_grid_problem_check(problem);
    if (status)
        return status;
    struct choice choice = {.problem = problem, .node_of_cell = node_of_cell, .work = work_in_all};
    choice.exponent = caucus_slabs_exponent(&problem->grid, &problem->stencil);
    choice.keep = node_of_cell && !few_nodes(&choice) ? SHORTLIST : 1;
    choice.frame = caucus_array(120, sizeof *choice.frame);
    if (!choice.frame)
        return CAUCUS_NO_MEMORY;
    status = try_node_orders(&choice);
    if (!status && choice.kept > 1)
        status = evaluate_shortlist(&choice);
    free(choice.frame);
    if (!status)
        *slabs = choice.plan[0];
    for (int i = status ? 0 : 1; i < choice.kept; i++)
        caucus_slabs_free(choice.plan[i]);
    return status;
}

int caucus_slabs_plan(const struct caucus_grid_problem *problem, struct caucus_slabs **slabs) {
    int32_t *table = NULL;
    if (problem->grid.size <= LARGEST_TABLE) {
        table = caucus_array(problem->grid.size, sizeof *table);
        if (!table)
            return CAUCUS_NO_MEMORY;
    }
    int status = choose(problem, table, slabs);
    free(table);
    return status;
}

int caucus_grid_map_slabs(const struct caucus_grid_problem *problem, int32_t *node_of_cell) {
    struct caucus_slabs *slabs;
    int status = choose(problem, node_of_cell, &slabs);
    if (status)
        return status;
    caucus_slabs_fill(slabs, node_of_cell);
    caucus_slabs_free(slabs);
    return CAUCUS_OK;
}
