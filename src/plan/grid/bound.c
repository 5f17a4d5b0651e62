/* SPDX-License-Identifier: BSD-3-Clause */
/* A lower bound of the weight of the edges between nodes.
 *
 * Along an axis of weight w with L lines, let p be how many lines a node meets and f how many it
 * fills. A closed line of several nodes is cut at least once for each, so the directed edges of a
 * periodic axis weigh at least 2 w sum(p - f). An open line of c nodes is cut at least c - 1 times,
 * and at least once if nobody fills it: 2 w (sum p - L) and 2 w (L - sum f), and every mix of the
 * two with shares theta and 1 - theta. What p and f a set of cells must have at least is worked out
 * by bound_slices.c (isoperimetry in a box; compare Bollobas and Leader, "Edge-isoperimetric
 * inequalities in the grid", Combinatorica, 1991),. Below, prices add what follows
 * from the lengths of lines, a climb finds the best mixes, and a search cares for who fills lines
 * at all. A periodic axis of 2 has two edges between its cells, and is cut twice or not at all: the
 * same inequality.
 *
 * Cost: O(sizes of nodes squared) for a mix; in all at most about 2 10^8 steps, usually 10^6. */
#include "plan/grid/bound.h"
#include "plan/grid/bound_slices.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 512 }; /* with pieces of different prices */
enum { MOST_SETS = 32 };     /* of axes that may be filled, climbed for */
enum { MOST_MIXES = 128, MOST_KINDS = 64, MOST_SIZES = 64 }; /* in the search over nodes */

static const double most_work = 4e7, most_work_of_many = 5e6; /* from so many cells on: */
static const int64_t many_cells = 100000;

struct bound_axis {
    int32_t length;
    bool periodic;
    double weight; /* of an undirected edge */
    double lines;
};

/* A grid without axes of 1, and its nodes by size. */
struct bound_case {
    int axes;
    struct bound_axis axis[CAUCUS_GRID_MAX_DIMS];
    int32_t sizes; /* different ones, ascending */
    int32_t *size;
    int32_t *count; /* of nodes with that size */
    int fillable;   /* the set of axes with a weight of which some node could fill a line */
    double work;    /* elementary steps that may still be spent */
    double dearest; /* the steps of the dearest mix so far */
    /* Of the last mix, [sizes]: what a node of each size adds to jsum at least, and what it adds if
     * it fills lines along each axis that may be filled; what is to be added once. */
    double *cost, *filling, constant;
};

/* How the inequalities of each axis are mixed. */
struct bound_mix {
    double theta[CAUCUS_GRID_MAX_DIMS]; /* the share of the lines met */
    double share[CAUCUS_GRID_MAX_DIMS]; /* of the pieces, within that; 0: none */
    int piece[CAUCUS_GRID_MAX_DIMS];    /* their length; negative: pieces of at most that length */
    double value;                       /* the bound that it gave where it was found */
};

/* What cells on a line cost in a mix of inequalities.
 *
 * An open line in c pieces is cut c - 1 times, so each piece costs 1, and a line is worth -1.
 * Pieces of different lengths may cost different amounts, as long as no way to compose a line of
 * length d costs more by that: a line has at most floor(d/b) disjoint pieces of length b, and is
 * covered by no fewer than ceil(d/b) of at most that length. So with a share e of one of these two
 *
 *   price(l) = 1 + e (floor(l/b) - l/d floor(d/b))
 *   price(l) = 1 + e (l/d ceil(d/b) - ceil(l/b))
 *
 * For e <= 1 all prices are positive and no piece gets cheaper by being cut in two. This is what
 * makes shapes dear that are compact but do not fit the grid, such as squares of 2 x 2 in a grid of
 * odd sides. (These are rounding functions of cutting stock: Fekete and Schepers, "New classes of
 * fast lower bounds for bin packing problems", Mathematical Programming, 2001.) */
static double price_of_piece(double length, double share, int piece, double cells) {
    double b = fabs((double)piece);
    if (piece > 0)
        return 1 + share * (floor(cells / b) - cells / length * floor(length / b));
    return 1 + share * (cells / length * ceil(length / b) - ceil(cells / b));
}

static void set_prices(struct caucus_slice_axis *axis, double share, int piece, int32_t largest,
                       double *price) {
    int32_t last = axis->length - 1 < largest ? axis->length - 1 : largest;
    double filled = axis->met - axis->whole;
    for (int32_t cells = 1; cells <= last; cells++)
        price[cells] = axis->met * price_of_piece(axis->length, share, piece, cells);
    for (int32_t cells = 1; cells <= last; cells++)
        axis->met = fmin(axis->met, price[cells]);
    if (axis->length <= largest)
        price[axis->length] = filled;
    axis->whole = fmax(0, axis->met - filled);
    axis->price = price;
}

/* Sets the axis up without pieces; returns the constant that goes with it. */
static double mix_axis(const struct bound_axis *axis, bool fillable, double theta,
                       struct caucus_slice_axis *slice) {
    double weight = 2 * axis->weight;
    *slice = (struct caucus_slice_axis){.length = axis->length,
                                        .met = theta * weight,
                                        .may_fill = fillable || weight == 0,
                                        .must_fill = fillable};
    if (!axis->periodic) {
        slice->whole = fillable ? (1 - theta) * weight : 0;
        return (1 - 2 * theta) * weight * axis->lines;
    }
    if (fillable) {
        slice->met = slice->whole = weight;
        return 0;
    }
    return 2 * (1 - theta) * weight * axis->lines;
}

/* What a mix makes of the axes, for nodes that fill lines along no axis outside fillable; returns
 * the constant that goes with it. */
static double make_prices(const struct bound_case *bound_case, int fillable,
                          const struct bound_mix *mix, struct caucus_slices *slices,
                          double price[][LONGEST_LINE + 1]) {
    int32_t largest = bound_case->size[bound_case->sizes - 1];
    double constant = 0;
    slices->axes = bound_case->axes;
    slices->sizes = bound_case->sizes;
    slices->size = bound_case->size;
    for (int a = 0; a < bound_case->axes; a++) {
        const struct bound_axis *axis = &bound_case->axis[a];
        constant += mix_axis(axis, fillable >> a & 1, mix->theta[a], &slices->axis[a]);
        if (mix->share[a] > 0 && slices->axis[a].met > 0)
            set_prices(&slices->axis[a], mix->share[a], mix->piece[a], largest, price[a]);
    }
    return constant;
}

/* Whether a mix says anything where lines along these axes are filled. */
static bool mix_serves(const struct bound_case *bound_case, int fillable,
                       const struct bound_mix *mix) {
    for (int a = 0; a < bound_case->axes; a++)
        if (fillable >> a & 1 && mix->theta[a] < (bound_case->axis[a].periodic ? 1 : .5))
            return false; /* less would be paid for a line met than is given back for a filled one
                           */
    return true;
}

static double work_of_prices(const struct bound_case *bound_case, const struct bound_mix *mix) {
    double work = 10 * bound_case->sizes;
    for (int a = 0; a < bound_case->axes; a++) {
        double cells = fmin(bound_case->axis[a].length, bound_case->size[bound_case->sizes - 1]);
        work += mix->share[a] > 0 ? 20 * cells : 0;
    }
    return work;
}

/* Works out the costs for nodes that fill lines along no axis outside fillable. */
static int cost_with(struct bound_case *bound_case, int fillable, const struct bound_mix *mix) {
    double price[CAUCUS_GRID_MAX_DIMS][LONGEST_LINE + 1];
    struct caucus_slices slices;
    bound_case->constant = make_prices(bound_case, fillable, mix, &slices, price);
    double work = work_of_prices(bound_case, mix);
    int status = caucus_slices_cost(&slices, bound_case->cost, bound_case->filling, &work);
    bound_case->work -= work;
    bound_case->dearest = fmax(bound_case->dearest, work);
    return status;
}

/* What the lines along the axes outside fillable cost if none of them is filled. */
static double unfilled_lines(const struct bound_case *bound_case, int fillable) {
    double cost = 0;
    for (int a = 0; a < bound_case->axes; a++) {
        const struct bound_axis *axis = &bound_case->axis[a];
        if (!(fillable >> a & 1))
            cost += (axis->periodic ? 4 : 2) * axis->weight * axis->lines;
    }
    return cost;
}

static int evaluate_mix(struct bound_case *bound_case, int fillable, struct bound_mix *mix) {
    int status = cost_with(bound_case, fillable, mix);
    mix->value = bound_case->constant;
    for (int32_t j = 0; j < bound_case->sizes; j++)
        mix->value += bound_case->count[j] * bound_case->cost[j];
    return status;
}

/* The search for the best mix: each gives a bound, and which gives the best depends on the shape of
 * the grid. */
struct climb {
    struct bound_case *bound_case;
    int fillable;
    struct bound_mix best;
    bool better;
};

static int try_mix(struct climb *climb, struct bound_mix mix) {
    if (climb->bound_case->work <= 0 || !mix_serves(climb->bound_case, climb->fillable, &mix))
        return CAUCUS_OK;
    int status = evaluate_mix(climb->bound_case, climb->fillable, &mix);
    if (!status && mix.value > climb->best.value * (1 + 1e-12)) {
        climb->best = mix;
        climb->better = true;
    }
    return status;
}

static int climb_theta(struct climb *climb, int a) {
    static const double steps[] = {1, .9, .8, .7, .6, .5, .25, 0};
    struct bound_mix mix = climb->best;
    int status = CAUCUS_OK;
    for (int step = 0; step < (int)(sizeof steps / sizeof *steps) && !status; step++) {
        mix.theta[a] = steps[step];
        if (steps[step] != climb->best.theta[a])
            status = try_mix(climb, mix);
    }
    return status;
}

/* Pieces of lengths that a node may well have along an axis. */
static int climb_pieces(struct climb *climb, int a) {
    static const double shares[] = {.05, .1, .15, .25, 1. / 3, .5, 2. / 3, .8, 1};
    const struct bound_case *bound_case = climb->bound_case;
    double largest = bound_case->size[bound_case->sizes - 1];
    int side = (int)pow(largest, 1. / bound_case->axes), length = bound_case->axis[a].length;
    if (length > LONGEST_LINE || bound_case->axes < 2)
        return CAUCUS_OK;
    struct bound_mix mix = climb->best;
    int status = CAUCUS_OK;
    for (int b = 2; b < length && b <= 4 * side + 1; b++)
        for (int kind = -1; kind <= 1 && length % b; kind += 2)
            for (int share = 0; share < (int)(sizeof shares / sizeof *shares) && !status; share++) {
                mix.piece[a] = kind * b;
                mix.share[a] = shares[share];
                status = try_mix(climb, mix);
            }
    return status;
}

/* Where to start: only lines met, or both inequalities alike for lines that may be filled. */
static int start_climb(struct climb *climb) {
    struct bound_mix half = {.value = 0};
    for (int a = 0; a < climb->bound_case->axes; a++)
        half.theta[a] = 1;
    climb->best = half;
    int status = evaluate_mix(climb->bound_case, climb->fillable, &climb->best);
    for (int a = 0; a < climb->bound_case->axes; a++)
        if (climb->fillable >> a & 1 && !climb->bound_case->axis[a].periodic)
            half.theta[a] = .5;
    return status || !climb->fillable ? status : try_mix(climb, half);
}

/* Climbs to the mix with the largest bound where no line outside fillable is filled. */
static int climb_mixes(struct bound_case *bound_case, int fillable, bool pieces,
                       struct bound_mix *best) {
    struct climb climb = {.bound_case = bound_case, .fillable = fillable, .better = true};
    int status = start_climb(&climb);
    for (int round = 0; round < 4 && climb.better && isfinite(climb.best.value); round++) {
        climb.better = false;
        for (int a = 0; a < bound_case->axes && !status; a++)
            status = climb_theta(&climb, a);
        for (int a = 0; a < bound_case->axes && pieces && !status; a++)
            status = climb_pieces(&climb, a);
    }
    *best = climb.best;
    return status;
}

/* The bound where it is known which nodes fill lines along which axes, and the least of that over
 * all such ways. Knowing it helps much where nodes are few and large: a mix of the inequalities
 * that is good for nodes which fill lines is bad for the others, and lines that nobody fills are
 * all cut.
 *
 * Branch and bound over the numbers of nodes of each size and kind (the set of axes along which a
 * node fills lines), with all mixes at once. Where it takes too many steps, what is left unexplored
 * counts with the bound of its beginning, so that the outcome stays a bound. */
struct search {
    struct bound_case *bound_case;
    int mixes, kinds;
    struct bound_mix mix[MOST_MIXES];
    int kind[MOST_KINDS]; /* sets of axes */
    double *cost;         /* [size][kind][mix]; -HUGE_VAL where the mix does not serve */
    double *from;         /* [size][kind][mix]: the least cost of this kind or a later one */
    double *rest; /* [size][mix]: of all nodes of this size and later ones, constant included */
    double least;
    double steps, most_steps;
};

static size_t at(const struct search *search, int32_t size, int kind) {
    return ((size_t)size * (size_t)search->kinds + (size_t)kind) * (size_t)search->mixes;
}

/* Lines along different axes have at most one cell in common. */
static bool fits(const struct bound_case *bound_case, int kind, int32_t size) {
    int64_t cells = 1;
    for (int a = 0; a < bound_case->axes; a++)
        cells += kind >> a & 1 ? bound_case->axis[a].length - 1 : 0;
    return cells <= size;
}

/* In a plane every row crosses every column: no two nodes can fill one of each. */
static bool crosses(const struct bound_case *bound_case, int filled, int kind, int32_t nodes) {
    return bound_case->axes == 2 && kind && (filled | kind) == 3 && !(filled == 0 && nodes == 1);
}

static void add_mix(struct search *search, const struct bound_mix *mix) {
    for (int t = 0; t < search->mixes; t++)
        if (memcmp(&search->mix[t], mix, offsetof(struct bound_mix, value)) == 0)
            return;
    if (search->mixes < MOST_MIXES)
        search->mix[search->mixes++] = *mix;
}

/* All mixes of levels values of theta on the open axes that may be filled. */
static void add_mixes(struct search *search, int levels) {
    const struct bound_case *bound_case = search->bound_case;
    int mixes = 1;
    for (int a = 0; a < bound_case->axes; a++)
        mixes *= bound_case->fillable >> a & 1 && !bound_case->axis[a].periodic ? levels : 1;
    for (int code = 0; code < mixes; code++) {
        struct bound_mix mix = {.value = 0};
        int digits = code;
        for (int a = 0; a < bound_case->axes; a++) {
            mix.theta[a] = 1;
            if (!(bound_case->fillable >> a & 1) || bound_case->axis[a].periodic)
                continue;
            mix.theta[a] = 1 - .5 * (digits % levels) / (levels - 1);
            digits /= levels;
        }
        add_mix(search, &mix);
    }
}

static int find_kinds(struct search *search) {
    const struct bound_case *bound_case = search->bound_case;
    search->kinds = 0;
    for (int kind = 0; kind <= bound_case->fillable; kind++)
        if ((kind & ~bound_case->fillable) == 0 &&
            fits(bound_case, kind, bound_case->size[bound_case->sizes - 1])) {
            if (search->kinds == MOST_KINDS)
                return 0;
            search->kind[search->kinds++] = kind;
        }
    return search->kinds;
}

static int cost_of_kind(struct search *search, int kind, int t) {
    struct bound_case *bound_case = search->bound_case;
    int fillable = search->kind[kind];
    bool serves = mix_serves(bound_case, fillable, &search->mix[t]);
    if (serves && cost_with(bound_case, fillable, &search->mix[t]))
        return CAUCUS_NO_MEMORY;
    for (int32_t j = 0; j < bound_case->sizes; j++) {
        double of_kind = fillable ? bound_case->filling[j] : bound_case->cost[j];
        if (!fits(bound_case, fillable, bound_case->size[j]))
            of_kind = HUGE_VAL;
        search->cost[at(search, j, kind) + (size_t)t] = serves ? of_kind : -HUGE_VAL;
    }
    return CAUCUS_OK;
}

static void sum_rest(struct search *search) {
    const struct bound_case *bound_case = search->bound_case;
    size_t mixes = (size_t)search->mixes;
    for (int32_t j = bound_case->sizes - 1; j >= 0; j--)
        for (size_t t = 0; t < mixes; t++) {
            double least = HUGE_VAL;
            for (int kind = search->kinds - 1; kind >= 0; kind--) {
                least = fmin(least, search->cost[at(search, j, kind) + t]);
                search->from[at(search, j, kind) + t] = least;
            }
            search->rest[(size_t)j * mixes + t] =
                search->rest[((size_t)j + 1) * mixes + t] + bound_case->count[j] * least;
        }
}

static int make_costs(struct search *search) {
    const struct bound_case *bound_case = search->bound_case;
    for (int t = 0; t < search->mixes; t++) {
        for (int kind = search->kinds - 1; kind >= 0; kind--)
            if (cost_of_kind(search, kind, t))
                return CAUCUS_NO_MEMORY;
        /* that of kind 0, which every mix serves */
        search->rest[bound_case->sizes * search->mixes + t] = bound_case->constant;
    }
    sum_rest(search);
    return CAUCUS_OK;
}

static double largest_sum(const struct search *search, const double *sum, double nodes,
                          const double *each, const double *rest) {
    double largest = -HUGE_VAL;
    for (int t = 0; t < search->mixes; t++) {
        double total = sum[t] + rest[t] + (nodes > 0 ? nodes * each[t] : 0);
        largest = total > largest ? total : largest;
    }
    return largest;
}

/* Deals out the nodes of size j that are left to kinds from this one on. sum: what all nodes dealt
 * with so far cost; filled: along which axes they fill lines. */
static void deal(struct search *search, int32_t j, int kind, int32_t left, int filled,
                 const double *sum) {
    const struct bound_case *bound_case = search->bound_case;
    while (left == 0 && j < bound_case->sizes) {
        kind = 0;
        left = ++j < bound_case->sizes ? bound_case->count[j] : 0;
    }
    size_t mixes = (size_t)search->mixes;
    if (j == bound_case->sizes) {
        double value = largest_sum(search, sum, 0, sum, search->rest + (size_t)j * mixes);
        search->least = fmin(search->least, fmax(value, unfilled_lines(bound_case, filled)));
        return;
    }
    if (kind == search->kinds)
        return;
    double value = largest_sum(search, sum, left, search->from + at(search, j, kind),
                               search->rest + ((size_t)j + 1) * mixes);
    if (value >= search->least)
        return;
    if (search->steps > search->most_steps) {
        search->least = value;
        return;
    }
    const double *each = search->cost + at(search, j, kind);
    double next[MOST_MIXES];
    for (int32_t nodes = left; nodes >= 0; nodes--) {
        search->steps += 2 * search->mixes;
        if (nodes && (crosses(bound_case, filled, search->kind[kind], nodes) ||
                      !fits(bound_case, search->kind[kind], bound_case->size[j])))
            continue;
        for (size_t t = 0; t < mixes; t++)
            next[t] = sum[t] + (nodes ? nodes * each[t] : 0);
        deal(search, j, kind + 1, left - nodes, nodes ? filled | search->kind[kind] : filled, next);
    }
}

static int search_all(struct search *search, double *bound) {
    int64_t sizes = search->bound_case->sizes, row = (int64_t)search->kinds * search->mixes;
    search->cost = caucus_array(2 * sizes * row, sizeof *search->cost);
    search->rest = caucus_array((sizes + 1) * search->mixes, sizeof *search->rest);
    int status = search->cost && search->rest ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    search->from = search->cost + sizes * row;
    if (!status)
        status = make_costs(search);
    if (!status) {
        const double nothing[MOST_MIXES] = {0};
        search->least = HUGE_VAL;
        deal(search, 0, 0, search->bound_case->count[0], 0, nothing);
        *bound = isfinite(search->least) ? search->least : 0;
    }
    free(search->cost);
    free(search->rest);
    return status;
}

/* The least over all ways in which single nodes may fill lines; mixes (count) are worth trying. */
static int bound_by_nodes(struct bound_case *bound_case, const struct bound_mix *mixes, int count,
                          double *bound) {
    struct search search;
    search.bound_case = bound_case;
    search.steps = 0;
    search.most_steps = bound_case->work / 4;
    *bound = 0;
    if (!find_kinds(&search) || bound_case->sizes > MOST_SIZES)
        return CAUCUS_OK;
    for (int levels = 3; levels >= 1; levels--) {
        search.mixes = 0;
        for (int t = 0; t < count; t++)
            add_mix(&search, &mixes[t]);
        if (levels > 1)
            add_mixes(&search, levels);
        if (search.kinds * (double)search.mixes * bound_case->dearest <= bound_case->work)
            return search_all(&search, bound);
    }
    return CAUCUS_OK;
}

static int gather_sizes(const struct caucus_nodes *nodes, struct bound_case *bound_case) {
    int32_t different = nodes->equal ? 1 : nodes->count;
    bound_case->size = caucus_array(different, sizeof *bound_case->size);
    bound_case->count = caucus_array(different, sizeof *bound_case->count);
    bound_case->cost = caucus_array(2 * (int64_t)different, sizeof *bound_case->cost);
    if (!bound_case->size || !bound_case->count || !bound_case->cost)
        return CAUCUS_NO_MEMORY;
    bound_case->filling = bound_case->cost + different;
    for (int32_t node = 0; node < different; node++)
        bound_case->size[node] = caucus_nodes_size(nodes, node);
    caucus_sort_numbers(different, bound_case->size);
    for (int32_t node = 0; node < different; node++) {
        if (node == 0 || bound_case->size[node] != bound_case->size[bound_case->sizes - 1])
            bound_case->size[bound_case->sizes++] = bound_case->size[node];
        bound_case->count[bound_case->sizes - 1]++;
    }
    if (nodes->equal)
        bound_case->count[0] = nodes->count;
    return CAUCUS_OK;
}

static void gather_axes(const struct caucus_grid *grid, const double *weight,
                        struct bound_case *bound_case) {
    int32_t largest = bound_case->size[bound_case->sizes - 1];
    for (int a = 0; a < grid->ndims; a++) {
        if (grid->dims[a] == 1)
            continue;
        if (weight[a] > 0 && grid->dims[a] <= largest)
            bound_case->fillable |= 1 << bound_case->axes;
        bound_case->axis[bound_case->axes++] =
            (struct bound_axis){.length = grid->dims[a],
                                .periodic = grid->periodic[a],
                                .weight = weight[a],
                                .lines = (double)grid->size / grid->dims[a]};
    }
}

/* jsum is a multiple of every common divisor of the weights of both directions together. */
static double round_up(const struct bound_case *bound_case, double bound) {
    int64_t divisor = 0;
    bound = fmax(0, bound - 1e-12 * unfilled_lines(bound_case, 0) - 1e-12 * bound);
    for (int a = 0; a < bound_case->axes; a++) {
        double weight = 2 * bound_case->axis[a].weight;
        if (weight != floor(weight) || weight > 1e9)
            return bound;
        for (int64_t rest = (int64_t)weight; rest;) {
            int64_t remainder = divisor % rest;
            divisor = rest;
            rest = remainder;
        }
    }
    return divisor ? (double)divisor * fmax(0, ceil(bound / (double)divisor - 1e-6)) : 0;
}

/* Climbs for every set of axes that may be filled, then looks at the single nodes. */
static int work_out(struct bound_case *bound_case, bool pieces, double work, double *bound) {
    struct bound_mix mix[MOST_SETS];
    int count = 0;
    bound_case->work = work;
    /* All that may be filled first: the bound of that holds whatever is filled. */
    for (int set = bound_case->fillable; set >= 0 && count < MOST_SETS; set--) {
        if (set & ~bound_case->fillable)
            continue;
        int status = climb_mixes(bound_case, set, pieces, &mix[count++]);
        if (status)
            return status;
        if (bound_case->work < work / 2)
            break;
    }
    double by_nodes;
    int status = bound_by_nodes(bound_case, mix, count, &by_nodes);
    *bound = fmax(*bound, fmax(mix[0].value, by_nodes));
    return status;
}

int caucus_grid_bound(const struct caucus_grid_problem *problem, double *bound) {
    *bound = 0;
    int status = caucus_grid_problem_check(problem);
    if (status || problem->nodes.count == 1)
        return status;
    double weight[CAUCUS_GRID_MAX_DIMS];
    caucus_stencil_is_star(&problem->stencil, weight);
    struct bound_case bound_case = {.axes = 0};
    double work = problem->grid.size < many_cells ? most_work : most_work_of_many;
    status = gather_sizes(&problem->nodes, &bound_case);
    if (!status) {
        gather_axes(&problem->grid, weight, &bound_case);
        status = work_out(&bound_case, false, work, bound);
    }
    if (!status)
        status = work_out(&bound_case, true, work, bound);
    if (!status)
        *bound = round_up(&bound_case, *bound);
    free(bound_case.size);
    free(bound_case.count);
    free(bound_case.cost);
    return status;
}
