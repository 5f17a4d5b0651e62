/* SPDX-License-Identifier: BSD-3-Clause */
/* Casting and taking on a channel that survives deaths: a copy of every message is kept until all
 * that live have it. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/survivor.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(struct caucus_channel_message) };

static int64_t place_of(const struct caucus_channel_survivor *survivor, int64_t rank,
                        int64_t sequence) {
    return rank * survivor->setup.window + sequence % survivor->setup.window;
}

static void drop_oldest(struct caucus_channel_survivor *survivor, int64_t rank) {
    int64_t place = place_of(survivor, rank, survivor->oldest[rank]++);
    caucus_channel_runner_let_go(survivor->kept[place]);
    survivor->kept[place] = NULL;
    survivor->bytes[rank] -= survivor->length[place];
}

/* Its caster keeps within window and bytes what not everybody has: what is older all have. */
void caucus_channel_survivor_keep(struct caucus_channel_runner *runner, int64_t rank,
                                  int64_t sequence, struct caucus_channel_piece *piece,
                                  int64_t length) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    while (survivor->newest[rank] - survivor->oldest[rank] >= survivor->setup.window ||
           (survivor->newest[rank] > survivor->oldest[rank] &&
            survivor->bytes[rank] + length > survivor->setup.bytes))
        drop_oldest(survivor, rank);
    int64_t place = place_of(survivor, rank, sequence);
    survivor->kept[place] = piece;
    survivor->length[place] = length;
    survivor->bytes[rank] += length;
    survivor->newest[rank] = sequence + 1;
    if (survivor->oldest[rank] == survivor->newest[rank] - 1)
        survivor->oldest[rank] = sequence;
    piece->users++;
}

struct caucus_channel_piece *
caucus_channel_survivor_kept(const struct caucus_channel_runner *runner, int64_t rank,
                             int64_t sequence, int64_t *length) {
    const struct caucus_channel_survivor *survivor = runner->survivor;
    if (sequence < survivor->oldest[rank] || sequence >= survivor->newest[rank])
        return NULL;
    int64_t place = place_of(survivor, rank, sequence);
    *length = survivor->length[place];
    return survivor->kept[place];
}

int caucus_channel_survivor_begin(struct caucus_channel_runner *runner, int64_t call,
                                  const void *bytes, int64_t length, int64_t *sequence) {
    const struct caucus_event event = {
        .kind = CAUCUS_EVENT_CALL, .number = call, .bytes = &length, .length = sizeof length};
    struct caucus_channel_survivor *survivor = runner->survivor;
    *sequence = -1;
    if (call == CAUCUS_CHANNEL_CAST && length > survivor->limit)
        return caucus_fail(CAUCUS_BAD_COUNT,
                           "length is %lld: on a channel that survives deaths it must be at most "
                           "half of options.keeps divided by the ranks, and options.memory: %lld",
                           (long long)length, (long long)survivor->limit);
    if (runner->status || runner->closing ||
        !caucus_survival.hears(&survivor->setup, runner->state, &event))
        return CAUCUS_OK;
    if (call == CAUCUS_CHANNEL_CAST) {
        struct caucus_channel_piece *piece = caucus_channel_piece_new(HEAD + length);
        if (!piece)
            return CAUCUS_NO_MEMORY;
        if (length > 0)
            memcpy(piece->bytes + HEAD, bytes, (size_t)length);
        caucus_channel_survivor_keep(runner, runner->rank, caucus_survival_casts(runner->state),
                                     piece, length);
        caucus_channel_runner_let_go(piece);
        runner->counts.casts++;
        runner->counts.cast_bytes += length;
    }
    *sequence = runner->casts++;
    caucus_channel_runner_step(runner, &event);
    return CAUCUS_OK;
}

void caucus_channel_survivor_fill(struct caucus_channel_runner *runner,
                                  const struct caucus_channel_message *message,
                                  unsigned char *bytes) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    struct caucus_channel_message there = *message;
    int64_t length;
    there.slot = 1; /* cast */
    memcpy(bytes, &there, sizeof there);
    if (message->kind == CAUCUS_CHANNEL_FLUSHING)
        return;
    const struct caucus_channel_piece *piece = caucus_channel_survivor_kept(
        runner, runner->rank, caucus_survival_first(runner->state) + survivor->own, &length);
    if (!piece || length != message->total) {
        caucus_channel_runner_good(runner,
                                   caucus_fail(CAUCUS_INTERNAL, "an own message was not kept"));
        return;
    }
    if (length > 0)
        memcpy(bytes + HEAD, piece->bytes + HEAD + message->offset,
               (size_t)caucus_channel_piece(&runner->setup, message));
    survivor->own += caucus_channel_is_last(&runner->setup, message);
}

/* Whole, as a message to be kept. */
static struct caucus_channel_piece *gather(struct caucus_channel_runner *runner,
                                           const struct caucus_channel_message *message) {
    const struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, message);
    struct caucus_channel_piece *whole = caucus_channel_piece_new(HEAD + message->total);
    const unsigned char *from = piece ? piece->bytes + HEAD : NULL;
    if (caucus_channel_assembles(&runner->setup, message)) {
        caucus_channel_runner_store(runner, message);
        from = runner->assembly;
    }
    if (!whole || !from)
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
    else if (message->total > 0)
        memcpy(whole->bytes + HEAD, from, (size_t)message->total);
    if (from && from == runner->assembly) {
        free(runner->assembly);
        runner->assembly = NULL;
    }
    return whole;
}

bool caucus_channel_survivor_take(struct caucus_channel_runner *runner,
                                  struct caucus_channel_taken *taken) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    struct caucus_channel_message message;
    struct caucus_channel_piece *piece;
    int64_t length;
    if (runner->status || !caucus_channel_runner_peek(runner, &message))
        return false;
    if (message.origin == runner->rank) {
        piece = caucus_channel_survivor_kept(runner, runner->rank, message.sequence, &length);
        piece->users++;
        if (message.slot == CAUCUS_SURVIVAL_GIVEN) {
            caucus_channel_runner_let_go(survivor->given);
            survivor->given = NULL;
        }
    } else {
        bool given = message.slot == CAUCUS_SURVIVAL_GIVEN;
        piece = given ? survivor->given : gather(runner, &message);
        if (given)
            survivor->given = NULL;
        if (!piece || runner->status) {
            caucus_channel_runner_let_go(piece);
            return false;
        }
        caucus_channel_survivor_keep(runner, message.origin, message.sequence, piece,
                                     message.total);
    }
    *taken = (struct caucus_channel_taken){.delivered = {.origin = message.origin,
                                                         .bytes = piece->bytes + HEAD,
                                                         .length = message.total,
                                                         .total = message.total},
                                           .piece = piece};
    caucus_channel_runner_pass(runner, &message);
    return true;
}
