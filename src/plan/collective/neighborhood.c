/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/collective/neighborhood.h"

#include <stddef.h>

void caucus_neighborhood_init(struct caucus_neighborhood *neighborhood,
                              struct caucus_builder *builder, const struct caucus_task *task) {
    struct caucus_place in = {CAUCUS_BUFFER_IN, 0}, out = {CAUCUS_BUFFER_OUT, 0};
    bool shared = task->collective == CAUCUS_NEIGHBOR_ALLGATHER ||
                  task->collective == CAUCUS_NEIGHBOR_ALLGATHERV;
    *neighborhood = (struct caucus_neighborhood){
        .shared = shared,
        .sent = caucus_blocks_in_row(builder, in, shared ? 1 : task->destinations,
                                     shared ? NULL : task->send_bytes, task->bytes),
        .received =
            caucus_blocks_in_row(builder, out, task->sources, task->receive_bytes, task->bytes),
    };
}

void caucus_neighborhood_free(struct caucus_neighborhood *neighborhood) {
    caucus_blocks_free(&neighborhood->sent);
    caucus_blocks_free(&neighborhood->received);
}

void caucus_neighborhood_keep(const struct caucus_neighborhood *neighborhood,
                              struct caucus_builder *builder, const struct caucus_task *task) {
    int32_t to = 0;
    for (int32_t from = 0; from < task->destinations; from++) {
        if (task->destination[from] != task->rank)
            continue;
        while (to < task->sources && task->source[to] != task->rank)
            to++;
        if (to == task->sources)
            return;
        caucus_emit_copy(builder, caucus_neighborhood_sent(neighborhood, from),
                         caucus_block_place(&neighborhood->received, to),
                         caucus_block_length(&neighborhood->received, to));
        to++;
    }
}
