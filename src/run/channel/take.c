/* SPDX-License-Identifier: BSD-3-Clause */
/* From slots to the user: by callback, or through the inbox of those who receive. */
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/survival.h"
#include "run/channel/state.h"

#include <stdlib.h>
#include <string.h>

static uint8_t path_length(const struct caucus_overlay *overlay, int32_t rank, int32_t origin) {
    uint8_t hops = 0; /* a few times log2 of the ranks at most */
    for (; rank != origin; hops++)
        rank = caucus_overlay_parent(overlay, rank, origin);
    return hops;
}

static void count(struct caucus_channel_runner *runner,
                  const struct caucus_channel_delivered *delivered) {
    struct caucus_channel_counts *counts = &runner->counts;
    counts->delivered_bytes += delivered->length;
    if (delivered->offset + delivered->length < delivered->total)
        return;
    int32_t origin = delivered->origin;
    counts->deliveries++;
    if (!runner->path)
        return; /* they change with the views */
    if (!runner->path[origin])
        runner->path[origin] = path_length(&runner->setup.overlay, runner->rank, origin);
    int64_t hops = runner->path[origin];
    counts->hops += hops;
    caucus_channel_raise_to(&counts->longest_path, hops);
}

/* Bytes that are handed over at once, and whether they are put together from pieces. */
static int64_t length_of(const struct caucus_channel_runner *runner,
                         const struct caucus_channel_message *message, bool *assembled) {
    bool given = message->slot == CAUCUS_SURVIVAL_GIVEN;
    *assembled = !given && caucus_channel_assembles(&runner->setup, message);
    return given || *assembled ? message->total : caucus_channel_piece(&runner->setup, message);
}

/* The slot stays as it is until it is dropped, though the protocol has freed it by then, so that
 * who got it may cast. */
static bool take_next(struct caucus_channel_runner *runner, struct caucus_channel_taken *taken) {
    struct caucus_channel_message message, travelled;
    if (runner->status || !caucus_channel_runner_peek(runner, &message))
        return false;
    struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, &message);
    *taken = (struct caucus_channel_taken){
        .delivered = {.origin = message.origin, .offset = message.offset, .total = message.total}};
    bool assembled;
    taken->delivered.length = length_of(runner, &message, &assembled);
    if (assembled) {
        caucus_channel_runner_store(runner, &message);
        taken->memory = runner->assembly;
        runner->assembly = NULL;
        taken->delivered.bytes = taken->memory;
        taken->delivered.offset = 0;
    }
    if (!piece || runner->status) {
        free(taken->memory);
        *taken = (struct caucus_channel_taken){.memory = NULL};
        return false;
    }
    if (!taken->memory) {
        taken->piece = piece;
        piece->users++;
        taken->delivered.bytes = piece->bytes + sizeof message;
    }
    memcpy(&travelled, piece->bytes, sizeof travelled);
    const void *bytes = taken->delivered.bytes;
    caucus_channel_allreduce_read(runner, travelled.slot, &taken->delivered);
    caucus_channel_runner_pass(runner, &message, bytes, travelled.slot);
    return true;
}

static bool is_question(struct caucus_channel_runner *runner,
                        const struct caucus_channel_message *message) {
    const struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, message);
    struct caucus_channel_message travelled = {.slot = 0};
    if (piece)
        memcpy(&travelled, piece->bytes, sizeof travelled);
    return caucus_channel_allreduce_asks(travelled.slot);
}

/* In a total order members hear their own questions too: nobody is told of them, so they take no
 * room and nobody has to receive them. */
static void pass_own_questions(struct caucus_channel_runner *runner) {
    struct caucus_channel_message message;
    struct caucus_channel_taken taken;
    while (caucus_channel_runner_peek(runner, &message) && message.origin == runner->rank &&
           is_question(runner, &message) && take_next(runner, &taken))
        caucus_channel_runner_drop(runner, &taken);
}

static bool take(struct caucus_channel_runner *runner, struct caucus_channel_taken *taken) {
    if (caucus_channel_allreduce_take(runner, taken))
        return true;
    pass_own_questions(runner);
    caucus_channel_runner_unpack(runner);
    return caucus_channel_runner_take_unpacked(runner, taken) || take_next(runner, taken);
}

bool caucus_channel_runner_take(struct caucus_channel_runner *runner,
                                struct caucus_channel_taken *taken) {
    bool any = take(runner, taken);
    if (any)
        count(runner, &taken->delivered);
    return any;
}

void caucus_channel_runner_drop(struct caucus_channel_runner *runner,
                                struct caucus_channel_taken *taken) {
    caucus_channel_runner_let_go(taken->piece);
    runner->inbox_bytes -= taken->room;
    free(taken->memory);
    *taken = (struct caucus_channel_taken){.memory = NULL};
}

bool caucus_channel_runner_is_full(const struct caucus_channel_runner *runner) {
    struct caucus_channel_message message;
    return !runner->user.deliver &&
           (caucus_channel_allreduce_waits(runner) >= 0 || runner->unpacked.place.cast > 0 ||
            caucus_channel_runner_peek(runner, &message));
}

/* Of what is taken next, and whether that is put together elsewhere; -1: there is nothing. */
static int64_t next_length(const struct caucus_channel_runner *runner, bool *assembled) {
    struct caucus_channel_delivered cast;
    struct caucus_channel_message message;
    *assembled = caucus_channel_allreduce_waits(runner) >= 0;
    if (*assembled)
        return caucus_channel_allreduce_waits(runner);
    if (caucus_channel_runner_peek_unpacked(runner, &cast))
        return cast.length;
    if (!caucus_channel_runner_peek(runner, &message))
        return -1;
    return length_of(runner, &message, assembled);
}

/* Who has no memory for it leaves it where it is. */
static struct caucus_channel_entry *entry_for(const struct caucus_channel_runner *runner) {
    bool assembled;
    int64_t length = next_length(runner, &assembled);
    if (length < 0)
        return NULL;
    int64_t room = length + (int64_t)sizeof(struct caucus_channel_entry);
    if (room > runner->user.inbox - runner->inbox_bytes)
        return NULL;
    struct caucus_channel_entry *entry = malloc(sizeof *entry + (assembled ? 0 : (size_t)length));
    if (entry)
        *entry = (struct caucus_channel_entry){.taken.room = room};
    return entry;
}

static bool keep_next(struct caucus_channel_runner *runner) {
    pass_own_questions(runner);
    caucus_channel_runner_unpack(runner);
    struct caucus_channel_entry *entry = runner->status ? NULL : entry_for(runner);
    if (!entry)
        return false;
    struct caucus_channel_taken *taken = &entry->taken;
    int64_t room = taken->room;
    if (!caucus_channel_runner_take(runner, taken)) {
        free(entry);
        return false;
    }
    if (taken->piece) {
        memcpy(entry + 1, taken->delivered.bytes, (size_t)taken->delivered.length);
        caucus_channel_runner_let_go(taken->piece);
        taken->piece = NULL;
        taken->memory = entry;
        taken->delivered.bytes = entry + 1;
    }
    taken->room = room;
    runner->inbox_bytes += room;
    caucus_channel_raise_to(&runner->counts.peak_inbox, runner->inbox_bytes);
    *(runner->inbox ? &runner->inbox_last->next : &runner->inbox) = entry;
    runner->inbox_last = entry;
    return true;
}

void caucus_channel_runner_fill_inbox(struct caucus_channel_runner *runner) {
    while (keep_next(runner))
        continue;
}

bool caucus_channel_runner_take_from_inbox(struct caucus_channel_runner *runner,
                                           struct caucus_channel_taken *taken) {
    struct caucus_channel_entry *entry = runner->inbox;
    if (!entry)
        return false;
    runner->inbox = entry->next;
    *taken = entry->taken;
    if (taken->memory != entry)
        free(entry);
    return true;
}
