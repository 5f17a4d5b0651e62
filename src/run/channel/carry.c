/* SPDX-License-Identifier: BSD-3-Clause */
/* What the protocol asks for, carried out. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/channel/survivor.h"
#include "run/mpi_status.h"

#include <stdlib.h>
#include <string.h>

struct caucus_channel_piece *caucus_channel_piece_new(int64_t length) {
    enum { BEFORE = (sizeof(struct caucus_channel_piece) + 15) / 16 * 16 };
    struct caucus_channel_piece *piece = caucus_array(BEFORE + length, sizeof(char));
    if (!piece)
        return NULL;
    piece->own = true;
    piece->users = 1;
    piece->bytes = (unsigned char *)piece + BEFORE;
    return piece;
}

void caucus_channel_runner_let_go(struct caucus_channel_piece *piece) {
    if (piece && --piece->users == 0 && piece->own)
        free(piece);
}

/* Of an own message: mostly the first, but a flush may have its turn before it has left. */
static struct caucus_channel_record *record_of(const struct caucus_channel_runner *runner,
                                               int64_t sequence) {
    struct caucus_channel_record *at = runner->first;
    while (at->sequence != sequence)
        at = at->next;
    return at;
}

static void drop_record(struct caucus_channel_runner *runner, struct caucus_channel_record *gone) {
    struct caucus_channel_record **at = &runner->first, *before = NULL;
    for (; *at != gone; at = &before->next)
        before = *at;
    *at = gone->next;
    if (runner->last == gone)
        runner->last = before;
    free(gone->copy);
    free(gone);
}

/* Where a message is kept until its turn; NULL for one that is not. */
static struct caucus_channel_piece **place_of(const struct caucus_channel_runner *runner,
                                              const struct caucus_channel_message *message) {
    return caucus_channel_keeps(&runner->setup, message)
               ? &runner->kept[message->ticket % runner->setup.window]
               : NULL;
}

static void keep(struct caucus_channel_runner *runner, const struct caucus_channel_message *message,
                 struct caucus_channel_piece *piece) {
    struct caucus_channel_piece **place = place_of(runner, message);
    if (!place)
        return;
    caucus_channel_runner_let_go(*place);
    *place = piece;
    piece->users++;
}

void caucus_channel_runner_hold(struct caucus_channel_runner *runner,
                                const struct caucus_channel_message *message,
                                const unsigned char *bytes) {
    if (!place_of(runner, message))
        return;
    size_t length = sizeof *message + (size_t)message->total;
    struct caucus_channel_piece *piece = caucus_channel_piece_new((int64_t)length);
    if (!piece) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    memcpy(piece->bytes, bytes, length);
    keep(runner, message, piece);
    caucus_channel_runner_let_go(piece);
}

void caucus_channel_runner_pass(struct caucus_channel_runner *runner,
                                const struct caucus_channel_message *message) {
    struct caucus_channel_piece **place = place_of(runner, message);
    if (place) {
        caucus_channel_runner_let_go(*place);
        *place = NULL;
    }
    runner->own_taken +=
        message->origin == runner->rank && caucus_channel_is_last(&runner->setup, message);
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_TAKE, NULL);
}

struct caucus_channel_piece *caucus_channel_runner_piece(struct caucus_channel_runner *runner,
                                                         const struct caucus_channel_message *m) {
    int64_t own = m->slot - (int64_t)runner->setup.sources * runner->setup.credits;
    int64_t length = caucus_channel_piece(&runner->setup, m);
    struct caucus_channel_message there;
    struct caucus_channel_piece **kept = place_of(runner, m);
    if (kept && *kept) { /* or a flush that had the place before and that nobody takes */
        memcpy(&there, (*kept)->bytes, sizeof there);
        if (there.ticket == m->ticket)
            return *kept;
    }
    if (own < 0)
        return &runner->slot[m->slot];
    struct caucus_channel_piece **place = &runner->piece[own];
    if (*place) {
        memcpy(&there, (*place)->bytes, sizeof there);
        if (there.sequence == m->sequence && there.offset == m->offset)
            return *place;
        caucus_channel_runner_let_go(*place);
    }
    *place = caucus_channel_piece_new((int64_t)sizeof *m + length);
    if (!*place) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return NULL;
    }
    if (runner->survivor) {
        caucus_channel_survivor_fill(runner, m, (*place)->bytes);
        return *place;
    }
    struct caucus_channel_record *record = record_of(runner, m->sequence);
    there = *m;
    there.slot = record->casts;
    memcpy((*place)->bytes, &there, sizeof there);
    if (length > 0)
        memcpy((*place)->bytes + sizeof *m, record->bytes + m->offset, (size_t)length);
    if (caucus_channel_is_last(&runner->setup, m))
        drop_record(runner, record);
    keep(runner, m, *place);
    return *place;
}

static bool room_for_send(struct caucus_channel_runner *runner) {
    if (runner->sends < runner->send_room)
        return true;
    int room = 2 * runner->send_room + 16;
    MPI_Request *send = realloc(runner->send, (size_t)room * sizeof *send);
    runner->send = send ? send : runner->send;
    struct caucus_channel_piece **sent = realloc(runner->sent, (size_t)room * sizeof(void *));
    runner->sent = sent ? sent : runner->sent;
    int *completed = realloc(runner->completed, (size_t)room * sizeof *completed);
    runner->completed = completed ? completed : runner->completed;
    if (send && sent && completed)
        runner->send_room = room;
    else
        caucus_channel_runner_good(
            runner, caucus_fail(CAUCUS_NO_MEMORY, "out of memory for %d sends of a channel", room));
    return runner->sends < runner->send_room;
}

/* That it was received must be known before the channel ends. Of most messages it is, since what
 * answers them has come by then; credits are asked for at the end, all at once. */
static bool goes_unanswered(const struct caucus_channel_piece *piece, int tag) {
    struct caucus_channel_message message;
    memcpy(&message, piece->bytes, sizeof message);
    int32_t kind = caucus_survival_kind(&message);
    return tag == CAUCUS_CHANNEL_TAG_CONTROL && kind != CAUCUS_CHANNEL_CREDIT &&
           kind != CAUCUS_CHANNEL_REQUEST && kind != CAUCUS_CHANNEL_GRANT;
}

static void count(struct caucus_channel_runner *runner, const struct caucus_channel_piece *piece,
                  bool control, int64_t length) {
    struct caucus_channel_counts *counts = &runner->counts;
    struct caucus_channel_message message;
    caucus_channel_raise_to(&counts->peak_sends, runner->sends);
    if (control) {
        counts->controls++;
        return;
    }
    counts->sends++;
    memcpy(&message, piece->bytes, sizeof message);
    counts->sent_bytes += length - (int64_t)sizeof message;
    counts->forwards += message.origin != runner->rank;
}

void caucus_channel_runner_send(struct caucus_channel_runner *runner, int32_t to, int tag,
                                struct caucus_channel_piece *piece, int64_t length) {
    if (!piece)
        return;
    bool control = tag == CAUCUS_CHANNEL_TAG_CONTROL;
    if (!control && caucus_channel_node_links_send(runner, to, piece, length)) {
        count(runner, piece, control, length);
        return;
    }
    if (!room_for_send(runner))
        return;
    bool known = goes_unanswered(piece, tag);
    int code = (known ? PMPI_Issend : PMPI_Isend)(piece->bytes, (int)length, MPI_BYTE, to, tag,
                                                  runner->comm, &runner->send[runner->sends]);
    if (caucus_channel_survivor_forgives(runner, code))
        return;
    if (!caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Isend")))
        return;
    piece->users++;
    runner->sent[runner->sends++] = piece;
    count(runner, piece, control, length);
}

void caucus_channel_runner_control(struct caucus_channel_runner *runner, int32_t to,
                                   const struct caucus_channel_message *message, const void *answer,
                                   int64_t length) {
    struct caucus_channel_piece *piece =
        caucus_channel_piece_new((int64_t)sizeof *message + length);
    if (!piece) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    memcpy(piece->bytes, message, sizeof *message);
    if (length > 0)
        memcpy(piece->bytes + sizeof *message, answer, (size_t)length);
    caucus_channel_runner_send(runner, to, CAUCUS_CHANNEL_TAG_CONTROL, piece,
                               (int64_t)sizeof *message + length);
    caucus_channel_runner_let_go(piece);
}

/* Credits wait until the receives of their slots are restarted: move.c. */
void caucus_channel_runner_hold_credit(struct caucus_channel_runner *runner, int32_t to,
                                       int64_t freed) {
    for (int32_t i = 0; i < runner->setup.sources; i++)
        if (runner->link[i].rank == to)
            runner->link[i].freed = freed;
}

void caucus_channel_runner_store(struct caucus_channel_runner *runner,
                                 const struct caucus_channel_message *message) {
    struct caucus_channel_piece *piece = caucus_channel_runner_piece(runner, message);
    if (!runner->assembly)
        runner->assembly = caucus_array(message->total, 1);
    if (!runner->assembly)
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
    else if (piece)
        memcpy(runner->assembly + message->offset, piece->bytes + sizeof *message,
               (size_t)caucus_channel_piece(&runner->setup, message));
}

void caucus_channel_runner_carry_out(struct caucus_channel_runner *runner,
                                     const struct caucus_action *action, const void *bytes) {
    struct caucus_channel_message message;
    if (action->kind == CAUCUS_ACTION_DECIDE) {
        runner->decided |= (int64_t)1 << action->number;
        if (action->number == CAUCUS_CHANNEL_ASK)
            caucus_channel_outcome_decided(runner);
        return;
    }
    memcpy(&message, bytes, sizeof message);
    if (action->kind == CAUCUS_ACTION_DELIVER) {
        /* What is taken was handed out by the poll. */
        if (caucus_channel_assembles(&runner->setup, &message) &&
            !caucus_channel_is_last(&runner->setup, &message))
            caucus_channel_runner_store(runner, &message);
    } else if (caucus_channel_is_data(message.kind)) {
        caucus_channel_runner_send(runner, action->peer, CAUCUS_CHANNEL_TAG_DATA,
                                   caucus_channel_runner_piece(runner, &message),
                                   (int64_t)sizeof message +
                                       caucus_channel_piece(&runner->setup, &message));
    } else if (message.kind == CAUCUS_CHANNEL_CREDIT) {
        caucus_channel_runner_hold_credit(runner, action->peer, message.number[0]);
    } else if (message.kind == CAUCUS_CHANNEL_ANSWERED) {
        caucus_channel_runner_send_answers(runner, action->peer, &message);
    } else {
        caucus_channel_runner_control(runner, action->peer, &message, NULL, 0);
    }
}

void caucus_channel_runner_step(struct caucus_channel_runner *runner,
                                const struct caucus_event *event) {
    runner->arrived += event->kind == CAUCUS_EVENT_MESSAGE;
    caucus_actions_clear(&runner->actions);
    if (runner->survivor) {
        caucus_channel_survivor_step(runner, event);
        return;
    }
    caucus_channel_protocol.step(&runner->setup, runner->state, event, &runner->actions);
    caucus_channel_runner_good(runner, runner->actions.status);
    for (int64_t i = 0; i < runner->actions.count; i++)
        caucus_channel_runner_carry_out(runner, &runner->actions.action[i],
                                        caucus_action_bytes(&runner->actions, i));
}

void caucus_channel_runner_call(struct caucus_channel_runner *runner, int64_t number,
                                const int64_t *bytes) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                 .number = number,
                                 .bytes = bytes,
                                 .length = bytes ? (int64_t)sizeof *bytes : 0};
    caucus_channel_runner_step(runner, &event);
}

bool caucus_channel_runner_hears(const struct caucus_channel_runner *runner, int64_t number) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL, .number = number};
    if (runner->survivor)
        return caucus_survival.hears(&runner->survivor->setup, runner->state, &event);
    return caucus_channel_protocol.hears(&runner->setup, runner->state, &event);
}

bool caucus_channel_runner_peek(const struct caucus_channel_runner *runner,
                                struct caucus_channel_message *message) {
    if (runner->survivor)
        return caucus_survival_peek(&runner->survivor->setup, runner->state, message);
    return caucus_channel_peek(&runner->setup, runner->state, message);
}

bool caucus_channel_runner_rests(const struct caucus_channel_runner *runner) {
    return runner->survivor ? caucus_survival_rests(&runner->survivor->setup, runner->state)
                            : caucus_channel_rests(runner->state);
}
