/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of several casts, on their way to the user: each cast is handed out by itself. To the
 * protocol the message was taken when the last is, since who flushes or waits for quiet means all
 * of them; after the others their user may cast as after any message. */
#include "run/channel/state.h"

#include <string.h>

void caucus_channel_runner_unpack(struct caucus_channel_runner *runner) {
    struct caucus_channel_unpacked *unpacked = &runner->unpacked;
    struct caucus_channel_message message, travelled;
    if (runner->status || unpacked->piece || runner->survivor ||
        !caucus_channel_runner_peek(runner, &message) || message.kind != CAUCUS_CHANNEL_DATA ||
        message.total > runner->setup.segment)
        return;
    struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, &message);
    if (!piece)
        return;
    memcpy(&travelled, piece->bytes, sizeof travelled);
    if (travelled.slot <= 1)
        return;
    *unpacked = (struct caucus_channel_unpacked){.message = {.origin = message.origin,
                                                             .bytes = piece->bytes + sizeof message,
                                                             .length = message.total,
                                                             .total = message.total},
                                                 .piece = piece,
                                                 .whole = message,
                                                 .casts = travelled.slot};
    piece->users++;
}

bool caucus_channel_runner_peek_unpacked(const struct caucus_channel_runner *runner,
                                         struct caucus_channel_delivered *cast) {
    struct caucus_channel_bundle_place place = runner->unpacked.place;
    return runner->unpacked.piece &&
           caucus_channel_bundle_next(&runner->unpacked.message, runner->unpacked.casts, &place,
                                      cast);
}

bool caucus_channel_runner_take_unpacked(struct caucus_channel_runner *runner,
                                         struct caucus_channel_taken *taken) {
    struct caucus_channel_unpacked *unpacked = &runner->unpacked;
    struct caucus_channel_delivered cast;
    if (runner->status || !unpacked->piece)
        return false;
    caucus_channel_bundle_next(&unpacked->message, unpacked->casts, &unpacked->place, &cast);
    *taken = (struct caucus_channel_taken){.delivered = cast, .piece = unpacked->piece};
    if (unpacked->place.cast < unpacked->casts) {
        unpacked->piece->users++;
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_WAKE, NULL);
        return true;
    }
    struct caucus_channel_message whole = unpacked->whole;
    *unpacked = (struct caucus_channel_unpacked){.piece = NULL};
    caucus_channel_runner_pass(runner, &whole);
    return true;
}
