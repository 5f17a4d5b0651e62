/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested slabs: which axis order and node order. Of axes all orders are tried where they are few,
 * else every pair of last axes; of nodes all where few differ, else by descending size, and as
 * given where they are few. With few nodes the estimates of the dynamic programme are too coarse to
 * choose by, so that candidates are evaluated exactly; with many, only the few with the best
 * estimates, and none where a table of all cells is not wanted.
 *
 * Cost: for m nodes a plane of size_x * size_y cells takes O(size_x * widths * m / strips) steps,
 * once per window that sees a new pattern of node borders; the orders multiply that. */
#include "plan/grid/slabs_internal.h"

#include "base/memory.h"
#include "base/permute.h"
#include "base/status.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_GRID = 4096,     /* cells up to which four axes get the full effort with uneven nodes */
    SHORTLIST = 3,         /* plans evaluated exactly with more nodes */
    LARGEST_TABLE = 65536, /* cells up to which a plan on every rank may use a table of them */
    FEW_NODES = 200        /* with fewer, the estimates of plans are too coarse to choose by */
};

/* NODE_ORDERS: for up to three axes */
enum { ALL_ORDERS_UP_TO = 5, NODE_ORDERS = 24, NODE_ORDERS_MANY_AXES = 6 };

/* Nodes looked at, over all orders: about a second. */
static const int64_t work_in_all = 50 * 1000 * 1000;

/* The steps that an offset really makes: shortest way round on a periodic axis. False if it leads
 * nowhere, or back to the cell. */
static bool real_steps(const struct caucus_grid *grid, const int *offset, int64_t *step) {
    bool moves = false;
    for (int axis = 0; axis < grid->ndims; axis++) {
        int64_t size = grid->dims[axis];
        step[axis] = offset[axis] < 0 ? -(int64_t)offset[axis] : offset[axis];
        if (grid->periodic[axis])
            step[axis] = slabs_least(step[axis] % size, size - step[axis] % size);
        if (step[axis] >= size)
            return false;
        moves = moves || step[axis] > 0;
    }
    return moves;
}

/* A weight of 1 is a cost of 2^exponent. Integer weights stay as they are, unless sums could
 * overflow; others get 26 bits for them all. */
static int cost_exponent(const struct caucus_grid *grid, const struct caucus_stencil *stencil) {
    double heaviest = 0, steps = 0;
    bool integers = true;
    for (int k = 0; k < stencil->count; k++) {
        int64_t step[CAUCUS_GRID_MAX_DIMS];
        if (!real_steps(grid, caucus_stencil_offset(stencil, k), step))
            continue;
        for (int axis = 0; axis < grid->ndims; axis++)
            steps += (double)step[axis];
        heaviest = fmax(heaviest, stencil->weight[k]);
        integers = integers && stencil->weight[k] == floor(stencil->weight[k]);
    }
    /* bits of the largest sum for one cell: as they come, and at most */
    int weight_bits, step_bits, size_bits;
    frexp(heaviest, &weight_bits);
    frexp(steps, &step_bits);
    frexp((double)grid->size, &size_bits);
    int bits = weight_bits + step_bits, most = 57 - size_bits;
    if (heaviest <= 0 || (integers && bits <= most))
        return 0;
    return (most < 26 ? most : 26) - bits;
}

static void add_offset(struct slabs_frame *frame, const int64_t *step, int64_t weight) {
    int moving = 0;
    for (int place = 0; place < frame->count; place++)
        moving += step[frame->axis[place]] > 0;
    for (int place = 0; place < frame->count; place++) {
        frame->face[place] += weight * step[frame->axis[place]];
        if (moving == 1)
            frame->line[place] += weight * step[frame->axis[place]];
    }
    if (frame->count < 2)
        return;
    int64_t x = step[frame->axis[frame->count - 2]], y = step[frame->axis[frame->count - 1]];
    if (y == 0)
        frame->within_row += weight * x;
    if (x == 0)
        frame->within_column += weight * y;
}

static double side_at(const struct slabs_frame *frame, int place, double factor) {
    int64_t heaviest = 1;
    for (int other = 0; other < frame->count; other++)
        heaviest = slabs_most(heaviest, frame->face[other]);
    double face = fmax((double)frame->face[place], (double)heaviest / 4096);
    return fmin(fmax(face * factor, 1), frame->size[place]);
}

/* Sides in proportion to the faces have the least surface; here within 1 and the grid's sizes. */
static void find_sides(struct slabs_frame *frame) {
    double low = 1e-30, high = 1e30;
    for (int round = 0; round < 200; round++) {
        double middle = sqrt(low * high), volume = 1;
        for (int place = 0; place < frame->count; place++)
            volume *= side_at(frame, place, middle);
        if (volume < frame->mean)
            low = middle;
        else
            high = middle;
    }
    for (int place = 0; place < frame->count; place++)
        frame->side[place] = side_at(frame, place, high);
}

static void frame_init(struct slabs_frame *frame, const struct caucus_grid *grid,
                       const struct caucus_stencil *stencil, int exponent, int32_t nodes, int count,
                       const int *axis) {
    memset(frame, 0, sizeof *frame);
    frame->count = count;
    frame->mean = (double)grid->size / nodes;
    for (int place = 0; place < count; place++) {
        frame->axis[place] = axis[place];
        frame->size[place] = grid->dims[axis[place]];
        frame->periodic[place] = grid->periodic[axis[place]];
    }
    int64_t rest = 1;
    for (int place = count - 1; place >= 0; place--) {
        frame->rest[place] = rest;
        rest *= frame->size[place];
    }
    for (int k = 0; k < stencil->count; k++) {
        int64_t step[CAUCUS_GRID_MAX_DIMS];
        if (real_steps(grid, caucus_stencil_offset(stencil, k), step))
            add_offset(frame, step, llround(ldexp(stencil->weight[k], exponent)));
    }
    find_sides(frame);
}

/* Whether a planner can't tell the two apart. */
static bool frame_same(const struct slabs_frame *a, const struct slabs_frame *b) {
    bool same = a->count == b->count && a->within_row == b->within_row &&
                a->within_column == b->within_column;
    for (int place = 0; place < a->count && same; place++)
        same = a->size[place] == b->size[place] && a->periodic[place] == b->periodic[place] &&
               a->face[place] == b->face[place] && a->line[place] == b->line[place];
    return same;
}

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
    return choice->node_of_cell && choice->problem->nodes.count < FEW_NODES;
}

/* Counts as work what it takes: a stencil may have very many offsets. */
static int evaluate(struct choice *choice, const struct caucus_slabs *slabs,
                    struct caucus_grid_score *score) {
    const struct caucus_grid_problem *problem = choice->problem;
    choice->work -= problem->grid.size * problem->stencil.count / 8;
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
        if (caucus_grid_better(&score, &choice->score)) {
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
    int count = choice->frame->count;
    bool cheap = choice->problem->nodes.equal || choice->problem->grid.size <= SMALL_GRID;
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
    frame_init(frame, &problem->grid, &problem->stencil, choice->exponent, problem->nodes.count,
               count, axis);
    /* Strips and slabs across the one axis that may be longer than this would be too many. */
    for (int place = 0; place + 1 < count; place++)
        if (frame->size[place] > 46340)
            return CAUCUS_OK;
    for (int other = 0; other < choice->frames; other++)
        if (frame_same(frame, &choice->frame[other]))
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

/* Every ordered pair of last axes; the others stay in their order. */
static bool pair_order(int count, int pair, int *place) {
    if (pair >= count * (count - 1))
        return false;
    int last = count - 1 - pair / (count - 1), before = pair % (count - 1), found = 0;
    before += before >= last;
    for (int other = 0; other < count; other++)
        if (other != last && other != before)
            place[found++] = other;
    place[found++] = before;
    place[found] = last;
    return true;
}

/* The axes longer than 1 by ascending size, so that the longest is last; returns how many. */
static int find_axes(const struct caucus_grid *grid, int *axis) {
    int count = 0;
    double shortness[CAUCUS_GRID_MAX_DIMS] = {0};
    for (int a = 0; a < grid->ndims; a++) {
        shortness[a] = -grid->dims[a];
        if (grid->dims[a] > 1)
            axis[count++] = a;
    }
    caucus_order_axes(count, shortness, axis);
    return count;
}

static int try_axis_orders(struct choice *choice, const int32_t *node_at) {
    int place[CAUCUS_GRID_MAX_DIMS], first[CAUCUS_GRID_MAX_DIMS], axis[CAUCUS_GRID_MAX_DIMS];
    int count = find_axes(&choice->problem->grid, first), status = CAUCUS_OK;
    for (int i = 0; i < count; i++)
        place[i] = i;
    choice->frames = 0;
    for (int tried = 0; !status && (choice->work > 0 || choice->kept == 0); tried++) {
        if (count > ALL_ORDERS_UP_TO ? !pair_order(count, tried, place)
                                     : tried > 0 && !caucus_permutation_next(count, place))
            break;
        for (int i = 0; i < count; i++)
            axis[i] = first[place[i]];
        status = try_axis_order(choice, axis, count, node_at);
    }
    return status;
}

/* Whether there are at most so many distinct sequences of the nodes' sizes. */
static bool few_sequences(const struct caucus_nodes *nodes, const int32_t *sorted, int most) {
    int64_t sequences = 1;
    for (int32_t i = 1, same = 1; i < nodes->count && sequences <= most; i++) {
        same = nodes->size[sorted[i]] == nodes->size[sorted[i - 1]] ? same + 1 : 1;
        sequences = sequences * (i + 1) / same;
    }
    return sequences <= most;
}

/* All sequences of the sizes; nodes of one size keep their order. */
static int try_sequences(struct choice *choice, const int32_t *sorted) {
    int class[NODE_ORDERS] = {0}, first[NODE_ORDERS] = {0}, next[NODE_ORDERS];
    const struct caucus_nodes *nodes = &choice->problem->nodes;
    int32_t node_at[NODE_ORDERS];
    int status;
    for (int i = 1; i < nodes->count; i++) {
        class[i] = class[i - 1] + (nodes->size[sorted[i]] != nodes->size[sorted[i - 1]]);
        if (class[i] != class[i - 1])
            first[class[i]] = i;
    }
    do {
        memcpy(next, first, sizeof next);
        for (int place = 0; place < nodes->count; place++)
            node_at[place] = sorted[next[class[place]]++];
        status = try_axis_orders(choice, node_at);
    } while (!status && caucus_permutation_next(nodes->count, class));
    return status;
}

/* By descending size, and as given where that is another order of few nodes. */
static int try_descending(struct choice *choice, const int32_t *sorted) {
    int32_t count = choice->problem->nodes.count;
    bool given = true;
    for (int32_t place = 0; place < count; place++)
        given = given && sorted[place] == place;
    int status = try_axis_orders(choice, given ? NULL : sorted);
    return !status && !given && count < FEW_NODES ? try_axis_orders(choice, NULL) : status;
}

static int try_node_orders(struct choice *choice) {
    const struct caucus_nodes *nodes = &choice->problem->nodes;
    int most = choice->problem->grid.ndims > 3 ? NODE_ORDERS_MANY_AXES : NODE_ORDERS;
    if (nodes->equal)
        return try_axis_orders(choice, NULL);
    int32_t *sorted = caucus_nodes_by_size(nodes);
    if (!sorted)
        return CAUCUS_NO_MEMORY;
    int status = few_sequences(nodes, sorted, most) ? try_sequences(choice, sorted)
                                                    : try_descending(choice, sorted);
    free(sorted);
    return status;
}

/* Puts the best of the shortlist first. */
static int evaluate_shortlist(struct choice *choice) {
    int best = 0, status = CAUCUS_OK;
    for (int i = 0; i < choice->kept && !status; i++) {
        struct caucus_grid_score score;
        status = evaluate(choice, choice->plan[i], &score);
        if (!status && caucus_grid_better(&score, &choice->score)) {
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
    struct choice choice = {.problem = problem,
                            .node_of_cell = node_of_cell,
                            .work = work_in_all,
                            .score.jsum = INFINITY};
    choice.exponent = cost_exponent(&problem->grid, &problem->stencil);
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
    *slabs = NULL;
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
