/* SPDX-License-Identifier: BSD-3-Clause */
/* What the protocol asks for, carried out. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/failures.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(struct caucus_channel_message) };

/* With one user; its bytes begin at a multiple of 16. NULL without memory. */
static struct caucus_channel_piece *new_piece(int64_t length) {
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

struct caucus_channel_piece *caucus_channel_piece_whole(const void *bytes, int64_t length,
                                                        int64_t casts) {
    struct caucus_channel_message head = {.kind = CAUCUS_CHANNEL_DATA, .slot = casts};
    struct caucus_channel_piece *piece = new_piece(HEAD + length);
    if (!piece)
        return NULL;
    head.total = length;
    memcpy(piece->bytes, &head, sizeof head);
    if (length > 0)
        memcpy(piece->bytes + HEAD, bytes, (size_t)length);
    return piece;
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
    struct caucus_channel_piece *piece = new_piece((int64_t)length);
    if (!piece) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    memcpy(piece->bytes, bytes, length);
    keep(runner, message, piece);
    caucus_channel_runner_let_go(piece);
}

static void retain(struct caucus_channel_runner *runner,
                   const struct caucus_channel_message *message, const void *bytes, int64_t casts) {
    struct caucus_channel_piece *piece = caucus_channel_piece_whole(bytes, message->total, casts);
    if (piece)
        caucus_channel_retain(runner, message->origin, piece);
    else
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
    caucus_channel_runner_let_go(piece);
}

void caucus_channel_runner_pass(struct caucus_channel_runner *runner,
                                const struct caucus_channel_message *message, const void *bytes,
                                int64_t casts) {
    struct caucus_channel_piece **place = place_of(runner, message);
    bool own = message->origin == runner->rank, given = message->slot == CAUCUS_SURVIVAL_GIVEN;
    if (caucus_channel_retains(runner) && !own)
        retain(runner, message, bytes, casts);
    if (given) {
        caucus_channel_runner_let_go(runner->given);
        runner->given = NULL;
    }
    if (given && own) /* so it need not be cast again */
        caucus_channel_runner_unqueue(runner);
    if (place) {
        caucus_channel_runner_let_go(*place);
        *place = NULL;
    }
    runner->own_taken += own && (given || caucus_channel_is_last(&runner->setup, message));
    caucus_channel_runner_call(runner, CAUCUS_CHANNEL_TAKE, NULL);
}

/* A piece of the own message that is the next of which pieces are made. */
static void fill(struct caucus_channel_runner *runner, const struct caucus_channel_message *m,
                 unsigned char *bytes) {
    const struct caucus_channel_record *record = runner->first;
    struct caucus_channel_message there = *m;
    there.origin = runner->position;
    if (m->kind == CAUCUS_CHANNEL_FLUSHING) {
        memcpy(bytes, &there, sizeof there);
        return;
    }
    there.slot = record->casts;
    memcpy(bytes, &there, sizeof there);
    int64_t length = caucus_channel_piece(&runner->setup, m);
    if (length > 0)
        memcpy(bytes + HEAD, record->bytes + m->offset, (size_t)length);
    if (caucus_channel_is_last(&runner->setup, m))
        caucus_channel_runner_unqueue(runner);
}

/* Whether a piece is that of an own message. Own messages are counted anew in every view, and are
 * taken by those who cast them where they have tickets alone. */
static bool is_of(const struct caucus_channel_runner *runner,
                  const struct caucus_channel_piece *piece,
                  const struct caucus_channel_message *m) {
    struct caucus_channel_message there;
    memcpy(&there, piece->bytes, sizeof there);
    return there.offset == m->offset && there.ticket == m->ticket &&
           (runner->setup.total_order || there.sequence == m->sequence);
}

struct caucus_channel_piece *caucus_channel_runner_piece(struct caucus_channel_runner *runner,
                                                         const struct caucus_channel_message *m) {
    int64_t own = m->slot - (int64_t)runner->setup.sources * runner->setup.credits;
    struct caucus_channel_piece **kept = place_of(runner, m);
    if (m->slot == CAUCUS_SURVIVAL_GIVEN)
        return runner->given;
    if (kept && *kept) { /* or a flush that had the place before and that nobody takes */
        struct caucus_channel_message there;
        memcpy(&there, (*kept)->bytes, sizeof there);
        if (there.ticket == m->ticket)
            return *kept;
    }
    if (own < 0)
        return &runner->slot[m->slot];
    struct caucus_channel_piece **place = &runner->piece[own];
    if (*place && is_of(runner, *place, m))
        return *place;
    caucus_channel_runner_let_go(*place);
    *place = new_piece(HEAD + caucus_channel_piece(&runner->setup, m));
    if (!*place) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return NULL;
    }
    fill(runner, m, (*place)->bytes);
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
    counts->forwards += message.origin != runner->position; /* both among those of this view */
}

/* Length bytes of a piece, which is kept until they are gone. */
static void send_piece(struct caucus_channel_runner *runner, int32_t to, int tag,
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
    if (caucus_channel_failures_forgives(runner, code))
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
    struct caucus_channel_piece *piece = new_piece((int64_t)sizeof *message + length);
    if (!piece) {
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    memcpy(piece->bytes, message, sizeof *message);
    if (length > 0)
        memcpy(piece->bytes + sizeof *message, answer, (size_t)length);
    send_piece(runner, to, CAUCUS_CHANNEL_TAG_CONTROL, piece, (int64_t)sizeof *message + length);
    caucus_channel_runner_let_go(piece);
}

/* Credits wait until the receives of their slots are restarted: progress.c. */
static void hold_credit(struct caucus_channel_runner *runner, int32_t to, int64_t freed) {
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

static int send(void *owner, int32_t peer, const void *bytes, int64_t length) {
    struct caucus_channel_runner *runner = owner;
    struct caucus_channel_message message;
    if (runner->status)
        return runner->status;
    memcpy(&message, bytes, sizeof message);
    int64_t view = caucus_survival_view_of(&message);
    int32_t kind = caucus_survival_kind(&message);
    if (caucus_channel_is_data(kind)) {
        message.kind = kind;
        send_piece(runner, peer, CAUCUS_CHANNEL_TAG_DATA + (int)view,
                   caucus_channel_runner_piece(runner, &message),
                   HEAD + caucus_channel_piece(&runner->setup, &message));
    } else if (kind == CAUCUS_CHANNEL_CREDIT) {
        if (message.kind == (kind | runner->view_bits))
            hold_credit(runner, peer, message.number[0]);
    } else if (kind == CAUCUS_CHANNEL_ANSWERED) {
        caucus_channel_runner_send_answers(runner, peer, &message);
    } else if (kind == CAUCUS_SURVIVAL_GIVE) {
        caucus_channel_failures_give(runner, peer, &message);
    } else {
        caucus_channel_runner_control(runner, peer, &message, (const unsigned char *)bytes + HEAD,
                                      length - HEAD);
    }
    return runner->status;
}

/* What is taken was handed out by the poll. */
static void deliver(void *owner, int32_t peer, const void *bytes, int64_t length) {
    struct caucus_channel_runner *runner = owner;
    struct caucus_channel_message message;
    (void)peer, (void)length;
    if (runner->status)
        return;
    memcpy(&message, bytes, sizeof message);
    if (message.slot != CAUCUS_SURVIVAL_GIVEN &&
        caucus_channel_assembles(&runner->setup, &message) &&
        !caucus_channel_is_last(&runner->setup, &message))
        caucus_channel_runner_store(runner, &message);
}

static void decide(void *owner, int64_t number, const void *bytes, int64_t length) {
    struct caucus_channel_runner *runner = owner;
    (void)bytes, (void)length;
    if (runner->status)
        return;
    if (number == CAUCUS_SURVIVAL_VIEW || number == CAUCUS_SURVIVAL_LEFT) {
        caucus_channel_failures_decided(runner, number);
    } else if (number == CAUCUS_CHANNEL_ASK && runner->makes_room) {
        runner->makes_room = false;
    } else {
        runner->decided |= (int64_t)1 << number;
        if (number == CAUCUS_CHANNEL_ASK)
            caucus_channel_allreduce_decided(runner);
    }
}

int caucus_channel_runner_begin_protocol(struct caucus_channel_runner *runner, const void *setup) {
    runner->binding = (struct caucus_runner_binding){runner->kind->variant->protocol, .send = send,
                                                     .decide = decide, .deliver = deliver};
    int status = caucus_runner_begin(&runner->machine, &runner->binding, setup, runner->rank,
                                     &runner->actions, runner);
    return status || caucus_channel_runner_has_links(runner) ? status : CAUCUS_NO_MEMORY;
}

bool caucus_channel_runner_has_links(const struct caucus_channel_runner *runner) {
    return runner->kind->variant->has_links(runner->machine.setup, runner->machine.state);
}

void caucus_channel_runner_step(struct caucus_channel_runner *runner,
                                const struct caucus_event *event) {
    runner->arrived += event->kind == CAUCUS_EVENT_MESSAGE;
    int status = caucus_runner_step(&runner->machine, event);
    if (!runner->status)
        caucus_channel_runner_good(runner, status);
}

void caucus_channel_runner_call(struct caucus_channel_runner *runner, int64_t number,
                                const int64_t *bytes) {
    struct caucus_event event = {.kind = CAUCUS_EVENT_CALL,
                                 .number = number,
                                 .bytes = bytes,
                                 .length = bytes ? (int64_t)sizeof *bytes : 0};
    caucus_channel_runner_step(runner, &event);
}

bool caucus_channel_runner_hears(const struct caucus_channel_runner *runner, int64_t number,
                                 int64_t length) {
    struct caucus_event event = {
        .kind = CAUCUS_EVENT_CALL, .number = number, .bytes = &length, .length = sizeof length};
    return caucus_runner_hears(&runner->machine, &event);
}

bool caucus_channel_runner_peek(const struct caucus_channel_runner *runner,
                                struct caucus_channel_message *message) {
    return runner->kind->variant->peek(runner->machine.setup, runner->machine.state, message);
}

bool caucus_channel_runner_rests(const struct caucus_channel_runner *runner) {
    return runner->kind->variant->rests(runner->machine.setup, runner->machine.state);
}
