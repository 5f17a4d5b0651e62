/* SPDX-License-Identifier: BSD-3-Clause */
/* What the striped rings cost. */
#include "plan/collective/cost.h"
#include "plan/intergroup/stripes.h"

#include <math.h>

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* As long as chunks cross, all cards pass some of each stripe; then, where nodes are blocks of
 * ranks, only what goes round. */
double caucus_stripes_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                           const struct caucus_model *model) {
    if (stripes->length == 0)
        return 0;
    double chunk = (double)stripes->chunk, ranks = task->nodes ? task->nodes->largest : 1;
    double chunks = ceil((double)stripes->length / chunk) + (double)stripes->fill;
    double crossing = ceil((double)stripes->height / chunk);
    double sharing = (double)stripes->count < ranks ? (double)stripes->count : ranks;
    double round = caucus_cost_shift(task, model, 1, chunk);
    double across = caucus_cost_between(model, chunk, sharing);
    double seconds = crossing * (across > round ? across : round) + (chunks - crossing) * round;
    return seconds + (stripes->reduces ? chunks * caucus_cost_reduce(model, chunk) : 0);
}

/* All data of the larger group goes to one node, which passes nothing on. */
static bool for_one(const struct caucus_stripes *stripes) {
    return stripes->lanes[0].ranks == 1 || stripes->lanes[1].ranks == 1;
}

static int64_t longest_of(const struct caucus_group_blocks *side) {
    int64_t longest = 0;
    for (int32_t i = 0; i < side->ranks; i++)
        longest = larger(longest, caucus_group_block(side, i));
    return longest;
}

/* A rank that has much of the data sends it alone, piece by piece, and waits wherever a lane of
 * the other group begins; half of the data has all of that. */
static double heaviest_cost(const struct caucus_stripes *stripes, const struct caucus_task *task,
                            const struct caucus_model *model, double hop) {
    struct caucus_group_blocks own = caucus_intergroup_own(task),
                               other = caucus_intergroup_other(task);
    double longest = (double)larger(longest_of(&own), longest_of(&other));
    double pieces = ceil(longest / (double)stripes->piece);
    double waits = (double)stripes->fill * fmin(1, 2 * longest / (double)stripes->length);
    return pieces * (model->operation + model->overhead[CAUCUS_BETWEEN_NODES]) +
           longest * model->byte[CAUCUS_BETWEEN_NODES] + waits * hop;
}

/* A card passes one chunk after the other. As many teams of ranks as the smallest node has wait for
 * them; each gets a chunk, then passes it on. */
double caucus_stripes_node_cost(const struct caucus_stripes *stripes,
                                const struct caucus_task *task, const struct caucus_model *model) {
    if (stripes->length == 0)
        return 0;
    double chunk = (double)stripes->chunk, piece = (double)stripes->piece;
    double chunks = ceil((double)stripes->length / chunk), team = ceil(chunk / piece);
    double turns = floor(task->nodes->smallest / team);
    double hop = caucus_cost_between(model, piece, team);
    double turn = for_one(stripes) ? 0 : turns > 1 ? 2 * hop / turns : turns < 1 ? team * hop : hop;
    double reduce = stripes->reduces ? caucus_cost_reduce(model, piece) : 0;
    double slot =
        turn + reduce > chunk * model->card_byte ? turn + reduce : chunk * model->card_byte;
    double fill = for_one(stripes) ? 1 : 0.25 * (double)stripes->fill; /* as measured */
    double seconds = chunks * slot + fill * (hop + reduce);
    int64_t hops = larger(stripes->lanes[0].ranks, stripes->lanes[1].ranks);
    double around = (double)hops * (hop + reduce);
    double least = fmax(around, heaviest_cost(stripes, task, model, hop));
    return fmax(seconds, least) + caucus_cost_between(model, 0, 1);
}
