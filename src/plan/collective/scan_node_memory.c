/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan and exscan on one node: everybody copies its operand into node memory, and combines those
 * of the ranks before it.
 *
 * Cost: one synchronization; the last rank makes p combinations. For small data. */
#include "plan/collective/algorithm.h"
#include "plan/collective/node_parts.h"
#include "plan/collective/node_scan_cost.h"
#include "plan/collective/vector.h"

static void emit(struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_node node = caucus_node_of(task);
    builder->schedule.synchronising = task->ranks == 1;
    caucus_node_scan(builder, &node, caucus_vector_in(task), caucus_vector_out, task->bytes,
                     task->element, task->collective == CAUCUS_SCAN);
}

static double cost(const struct caucus_task *task, const struct caucus_model *model) {
    return caucus_node_scan_cost(task, model, (double)task->volume);
}

const struct caucus_algorithm caucus_scan_node_memory = {
    .collective = CAUCUS_SCAN,
    .name = "node_memory",
    .summary = "one node: all copy into node memory and combine what lower ranks have",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};

const struct caucus_algorithm caucus_exscan_node_memory = {
    .collective = CAUCUS_EXSCAN,
    .name = "node_memory",
    .summary = "one node: all copy into node memory and combine what lower ranks have",
    .needs = CAUCUS_NEEDS_ONE_NODE,
    .emit = emit,
    .cost = cost,
};
