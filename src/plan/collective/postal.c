/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/postal.h"

#include "plan/collective/cost.h"

#include <math.h>

enum { LONGEST = 128 };

/* Subtrees are rows of ranks of any length, begun anywhere: somewhere one that has so many times
 * fewer ranks than a node lies across the border of two. */
enum { ACROSS = 8 };

/* What goes through a link while a message is on its way besides, and while one is made. */
enum { LATENCY_BYTES = 16 << 10, OVERHEAD_BYTES = 4 << 10 };

/* Combining takes about twice as long as sending. */
int caucus_postal_delay(int64_t bytes, bool reduces) {
    if (bytes > 2 * LATENCY_BYTES)
        return CAUCUS_POSTAL_BINOMIAL;
    int64_t gap = bytes > OVERHEAD_BYTES ? bytes : OVERHEAD_BYTES;
    gap += reduces ? OVERHEAD_BYTES / 4 + 2 * bytes : 0;
    return 1 + (int)((LATENCY_BYTES + gap / 2) / gap);
}

/* F, as far as size ranks are reached: returns the time that it takes. */
static int reach(int32_t size, int delay, int64_t reached[LONGEST]) {
    int time = 0;
    for (reached[0] = 1; reached[time] < size; time++)
        reached[time + 1] = reached[time] + (time + 1 >= delay ? reached[time + 1 - delay] : 0);
    return time;
}

void caucus_postal_init(struct caucus_postal *tree, int32_t size, int32_t rank, int delay) {
    int64_t reached[LONGEST];
    int time = reach(size, delay, reached);
    int64_t first = 0, count = size;
    *tree = (struct caucus_postal){.parent = -1};
    for (; count > 1; time--) {
        if (time > 0 && reached[time - 1] >= count)
            continue;
        int64_t child = first + reached[time - 1];
        if (rank == first)
            tree->child[tree->children++] = (int32_t)child;
        if (rank >= child) {
            tree->parent = (int32_t)first;
            count -= child - first;
            first = child;
        } else {
            count = child - first;
        }
    }
}

/* Of one message: until it has arrived, and until the next one may be sent. Up to local ranks
 * further on is the same node. */
struct price {
    int32_t local;
    double message[CAUCUS_DISTANCES], gap[CAUCUS_DISTANCES];
};

static struct price price_of(const struct caucus_model *model, int32_t local, double bytes,
                             bool reduces) {
    struct price price = {.local = local};
    double reduce = reduces ? caucus_cost_reduce(model, bytes) : 0;
    price.message[CAUCUS_WITHIN_NODE] = reduce + caucus_cost_within(model, bytes);
    price.message[CAUCUS_BETWEEN_NODES] = reduce + caucus_cost_between(model, bytes, 1);
    for (int distance = 0; distance < CAUCUS_DISTANCES; distance++) {
        double made = model->operation + model->overhead[distance];
        double sent = bytes * model->byte[distance];
        price.gap[distance] = reduce + (made > sent ? made : sent);
    }
    return price;
}

static enum caucus_distance distance_to(const struct price *price, int64_t ranks) {
    return ranks < price->local ? CAUCUS_WITHIN_NODE : CAUCUS_BETWEEN_NODES;
}

/* When the last rank is reached. A tree is its first child's, and what is left, which has as many
 * ranks as it may for a time of the model and so comes up again and again. */
double caucus_postal_cost(const struct caucus_model *model, int32_t ranks, int32_t local,
                          double bytes, bool reduces) {
    struct price price = price_of(model, local, bytes, reduces);
    double last[LONGEST] = {0}, begun = 0, end = 0;
    int64_t reached[LONGEST], left = ranks;
    int delay = caucus_postal_delay((int64_t)bytes, reduces);
    int time = reach(ranks, delay, reached);
    for (int t = delay; t <= time; t++) {
        enum caucus_distance distance = distance_to(&price, reached[t - 1]);
        last[t] =
            fmax(price.message[distance] + last[t - delay], price.gap[distance] + last[t - 1]);
    }
    for (; left > 1; left -= reached[time - 1]) {
        while (reached[time - 1] >= left)
            time--;
        enum caucus_distance distance = distance_to(&price, reached[time - 1]);
        end = fmax(end, begun + price.gap[distance] + last[time - 1]);
        begun += price.message[distance];
    }
    return fmax(end, begun);
}

static struct caucus_model few_talk(const struct caucus_task *task,
                                    const struct caucus_model *model, int32_t ranks) {
    return caucus_cost_tree_part(task, model, ranks - 1, caucus_cost_rounds(ranks));
}

double caucus_postal_leaders_cost(const struct caucus_task *task, const struct caucus_model *model,
                                  bool reduces) {
    const struct caucus_model few = few_talk(task, model, task->nodes->nodes);
    return caucus_postal_cost(&few, task->nodes->nodes, 1, (double)task->volume, reduces);
}

double caucus_postal_task_cost(const struct caucus_task *task, const struct caucus_model *model,
                               bool reduces) {
    const struct caucus_node_map *nodes = task->nodes;
    const struct caucus_model few = few_talk(task, model, task->ranks);
    double bytes = (double)task->volume;
    if (!nodes || (!nodes->ordered && nodes->nodes > 1))
        return caucus_postal_cost(&few, task->ranks, 1, bytes, reduces);
    double aligned = caucus_postal_cost(&few, task->ranks, nodes->smallest, bytes, reduces);
    if (nodes->nodes == 1 || caucus_postal_delay(task->volume, reduces) <= 2)
        return aligned;
    int32_t local = nodes->smallest > ACROSS ? nodes->smallest / ACROSS : 1;
    return fmax(aligned, caucus_postal_cost(&few, task->ranks, local, bytes, reduces));
}
