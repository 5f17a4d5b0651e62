/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of several casts, on their way to the user: each cast is handed out by itself. To the
 * protocol the message was taken when the last is, since who flushes or waits for quiet means all
 * of them; after the others their user may cast as after any message. Where ranks may die while
 * some of them wait to be received, it was taken with the first: the others are not lost. */
#include "run/channel/state.h"

#include <string.h>

/* Until its first cast is handed out it may have to be taken in another view, or by nobody. */
void caucus_channel_runner_unpack(struct caucus_channel_runner *runner) {
    struct caucus_channel_unpacked *unpacked = &runner->unpacked;
    struct caucus_channel_message message, travelled;
    if (runner->status || unpacked->place.cast > 0)
        return;
    caucus_channel_runner_let_go(unpacked->piece);
    unpacked->piece = NULL;
    if (!caucus_channel_runner_peek(runner, &message) || message.kind != CAUCUS_CHANNEL_DATA ||
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
    struct caucus_channel_unpacked all = *unpacked;
    if (runner->status || !unpacked->piece)
        return false;
    bool first = unpacked->place.cast == 0;
    caucus_channel_bundle_next(&all.message, all.casts, &unpacked->place, &all.message);
    bool last = unpacked->place.cast == all.casts;
    *taken = (struct caucus_channel_taken){.delivered = all.message, .piece = all.piece};
    if (last)
        *unpacked = (struct caucus_channel_unpacked){.piece = NULL};
    else
        all.piece->users++;
    bool early = caucus_channel_retains(runner) && !runner->user.deliver;
    if (early ? first : last)
        caucus_channel_runner_pass(runner, &all.whole, all.piece->bytes + sizeof all.whole,
                                   all.casts);
    else
        caucus_channel_runner_call(runner, CAUCUS_CHANNEL_WAKE, NULL);
    return true;
}
