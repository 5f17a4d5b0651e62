/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/intergroup/stripes.h"

#include <stdlib.h>

struct emission {
    struct caucus_place data, row; /* byte 0 of the own group's data and of the other one's */
    struct caucus_place token;     /* a byte for each: what they say is nothing */
};

static struct caucus_place place_of(struct emission *emission,
                                    const struct caucus_striped *message) {
    if (message->token) {
        emission->token.offset++;
        return caucus_at(emission->token, -1);
    }
    bool own = message->sends && message->crosses;
    return caucus_at(own ? emission->data : emission->row, message->begin);
}

int64_t caucus_stripes_own_begin(const struct caucus_stripes *stripes, int32_t rank) {
    if (stripes->nodes.map)
        return stripes->nodes.offset[rank];
    const struct caucus_lanes *own = &stripes->lanes[rank >= stripes->lanes[1].first];
    return own->block[rank - own->first];
}

void caucus_stripes_emit(struct caucus_builder *builder, const struct caucus_stripes *stripes,
                         struct caucus_place in, struct caucus_place row) {
    int32_t rank = builder->group.rank;
    struct caucus_striped_list list;
    struct emission emission = {.row = row};
    int64_t tokens = 0;
    int status = caucus_stripes_messages(stripes, rank, &list);
    if (status) {
        caucus_builder_fail(builder, status, "no memory for the messages of a striped ring");
        return;
    }
    for (int64_t i = 0; i < list.count; i++)
        tokens += list.message[i].token;
    emission.data = caucus_at(in, -caucus_stripes_own_begin(stripes, rank));
    emission.token = caucus_reserve_scratch(builder, tokens);
    for (int64_t i = 0; i < list.count; i++) {
        const struct caucus_striped *message = &list.message[i];
        struct caucus_place place = place_of(&emission, message);
        if (i > 0 && message->slot != list.message[i - 1].slot)
            caucus_end_step(builder);
        if (message->sends)
            caucus_emit_send(builder, message->peer, place, message->end - message->begin);
        else
            caucus_emit_receive(builder, message->peer, place, message->end - message->begin);
    }
    caucus_end_step(builder);
    free(list.message);
}
