/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes and goes on a channel that survives deaths. */
#include "base/memory.h"
#include "base/status.h"
#include "run/channel/survivor.h"
#include "run/failure.h"
#include "run/mpi_status.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(struct caucus_channel_message) };

bool caucus_channel_survivor_forgives(const struct caucus_channel_runner *runner, int code) {
    return runner->survivor && caucus_failure_is(code);
}

/* None persists: Open MPI 5.0.11 frees requests that failed, those that do too. */
void caucus_channel_survivor_receive(struct caucus_channel_runner *runner, int64_t slot) {
    int view = runner->view_bits >> CAUCUS_SURVIVAL_VIEW_SHIFT;
    int32_t rank = runner->link[slot / runner->setup.credits].rank;
    runner->receive[slot] = MPI_REQUEST_NULL;
    if (caucus_set_has(runner->survivor->dead, rank))
        return;
    int code = PMPI_Irecv(runner->slot[slot].bytes, HEAD + (int)runner->setup.segment, MPI_BYTE,
                          rank, view ? CAUCUS_CHANNEL_TAG_VIEWS + view : CAUCUS_CHANNEL_TAG_DATA,
                          runner->comm, &runner->receive[slot]);
    if (caucus_channel_survivor_forgives(runner, code))
        runner->receive[slot] = MPI_REQUEST_NULL;
    else
        caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Irecv"));
}

void caucus_channel_survivor_receive_all(struct caucus_channel_runner *runner) {
    int64_t slots = (int64_t)runner->setup.sources * runner->setup.credits;
    for (int64_t i = 0; i < slots && !runner->status; i++)
        caucus_channel_survivor_receive(runner, i);
}

static void learn_deaths(struct caucus_channel_runner *runner) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    int32_t ranks = survivor->setup.channel.overlay.ranks;
    int count = 0;
    int *dead = caucus_array(ranks, sizeof *dead);
    int status = dead ? caucus_failure_ranks(runner->comm, dead, ranks, &count) : CAUCUS_NO_MEMORY;
    for (int i = 0; caucus_channel_runner_good(runner, status) && i < count; i++) {
        if (dead[i] < 0 || dead[i] >= ranks || caucus_set_has(survivor->dead, dead[i]))
            continue;
        struct caucus_event event = {.kind = CAUCUS_EVENT_DEATH, .peer = dead[i]};
        caucus_set_add(survivor->dead, dead[i]);
        survivor->deaths = true;
        caucus_channel_runner_step(runner, &event);
    }
    free(dead);
}

/* Where some operations are with the dead, they have failed; all else is as it was. */
static bool is_good(struct caucus_channel_runner *runner, int code, int count,
                    const MPI_Status *told, bool *deaths) {
    int class = MPI_SUCCESS;
    PMPI_Error_class(code, &class);
    if (code == MPI_SUCCESS)
        return true;
    if (caucus_failure_is(code)) {
        *deaths = true;
        return true;
    }
    for (int i = 0; class == MPI_ERR_IN_STATUS && i < count; i++)
        if (caucus_failure_is(told[i].MPI_ERROR))
            *deaths = true;
    return *deaths || caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Testsome"));
}

/* Of a send that failed nothing is under way any more; not all MPIs have freed it by then. */
static void end_failed(struct caucus_channel_runner *runner) {
    for (int i = 0; i < runner->sends; i++) {
        int done = 0;
        if (runner->send[i] == MPI_REQUEST_NULL)
            continue;
        int code = PMPI_Test(&runner->send[i], &done, MPI_STATUS_IGNORE);
        if (caucus_failure_is(code) && runner->send[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&runner->send[i]);
    }
}

void caucus_channel_survivor_finish_sends(struct caucus_channel_runner *runner) {
    int count, left = 0;
    if (!runner->sends)
        return;
    int code =
        PMPI_Testsome(runner->sends, runner->send, &count, runner->completed, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS) /* some are to the dead, which receives tell of */
        end_failed(runner);
    for (int i = 0; i < runner->sends; i++)
        if (runner->send[i] == MPI_REQUEST_NULL) {
            caucus_channel_runner_let_go(runner->sent[i]);
        } else {
            runner->send[left] = runner->send[i];
            runner->sent[left++] = runner->sent[i];
        }
    runner->sends = left;
}

static void start_control(struct caucus_channel_runner *runner, int32_t rank) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    int code = PMPI_Irecv(survivor->control_memory + rank * survivor->control_bytes,
                          (int)survivor->control_bytes, MPI_BYTE, rank, CAUCUS_CHANNEL_TAG_CONTROL,
                          runner->comm, &survivor->control[rank]);
    if (caucus_channel_survivor_forgives(runner, code))
        survivor->control[rank] = MPI_REQUEST_NULL;
    else
        caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Irecv"));
}

int caucus_channel_survivor_start(struct caucus_channel_runner *runner) {
    caucus_channel_survivor_receive_all(runner);
    for (int32_t i = 0; !runner->status && i < runner->setup.overlay.ranks; i++)
        if (i != runner->rank)
            start_control(runner, i);
    return runner->status;
}

/* A message is to be given: room for the longest. */
static void await_gift(struct caucus_channel_runner *runner, int32_t from) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    struct caucus_channel_piece *piece = caucus_channel_piece_new(HEAD + survivor->limit);
    struct caucus_channel_gift *gift = &survivor->gift[survivor->gifts];
    if (!piece || survivor->gifts == survivor->setup.channel.overlay.ranks) {
        caucus_channel_runner_let_go(piece);
        caucus_channel_runner_good(runner, CAUCUS_NO_MEMORY);
        return;
    }
    int code = PMPI_Irecv(piece->bytes, (int)(HEAD + survivor->limit), MPI_BYTE, from,
                          CAUCUS_CHANNEL_TAG_GIFT, runner->comm, &gift->request);
    if (code != MPI_SUCCESS) {
        caucus_channel_runner_let_go(piece);
        if (!caucus_channel_survivor_forgives(runner, code))
            caucus_channel_runner_good(runner, caucus_mpi_status(code, "MPI_Irecv"));
        return;
    }
    gift->from = from;
    gift->piece = piece;
    survivor->gifts++;
}

static void give(struct caucus_channel_runner *runner, int32_t to,
                 const struct caucus_channel_message *message) {
    const struct caucus_channel_piece *kept = NULL;
    int64_t length = 0;
    if (message->total >= 0)
        kept = caucus_channel_survivor_kept(runner, message->origin, message->sequence, &length);
    struct caucus_channel_piece *piece = caucus_channel_piece_new(HEAD + length);
    if (!piece || (message->total >= 0 && (!kept || length != message->total))) {
        caucus_channel_runner_let_go(piece);
        caucus_channel_runner_good(
            runner, piece ? caucus_fail(CAUCUS_INTERNAL, "a message was not kept for a survivor")
                          : CAUCUS_NO_MEMORY);
        return;
    }
    memcpy(piece->bytes, message, sizeof *message);
    if (length > 0)
        memcpy(piece->bytes + HEAD, kept->bytes + HEAD, (size_t)length);
    caucus_channel_runner_send(runner, to, CAUCUS_CHANNEL_TAG_GIFT, piece, HEAD + length);
    caucus_channel_runner_let_go(piece);
}

static void send(struct caucus_channel_runner *runner, const struct caucus_action *action,
                 const void *bytes) {
    struct caucus_channel_message message;
    memcpy(&message, bytes, sizeof message);
    int32_t kind = caucus_survival_kind(&message);
    if (caucus_channel_is_data(kind)) {
        int64_t view = caucus_survival_view_of(&message);
        message.kind = kind;
        caucus_channel_runner_send(runner, action->peer,
                                   view ? CAUCUS_CHANNEL_TAG_VIEWS + (int)view
                                        : CAUCUS_CHANNEL_TAG_DATA,
                                   caucus_channel_runner_piece(runner, &message),
                                   HEAD + caucus_channel_piece(&runner->setup, &message));
        return;
    }
    if (kind == CAUCUS_SURVIVAL_GIVE) {
        give(runner, action->peer, &message);
        return;
    }
    if (kind == CAUCUS_SURVIVAL_WANT)
        await_gift(runner, action->peer);
    caucus_channel_runner_control(runner, action->peer, &message,
                                  (const unsigned char *)bytes + sizeof message,
                                  action->length - (int64_t)sizeof message);
}

static void carry_out(struct caucus_channel_runner *runner, const struct caucus_action *action,
                      const void *bytes) {
    struct caucus_channel_message message;
    if (action->kind == CAUCUS_ACTION_DECIDE && action->number == CAUCUS_SURVIVAL_VIEW) {
        caucus_channel_survivor_renew(runner);
    } else if (action->kind == CAUCUS_ACTION_DECIDE && action->number == CAUCUS_SURVIVAL_LEFT) {
        runner->survivor->left = true;
    } else if (action->kind == CAUCUS_ACTION_SEND) {
        memcpy(&message, bytes, sizeof message);
        if (caucus_survival_kind(&message) != CAUCUS_CHANNEL_CREDIT)
            send(runner, action, bytes);
        else if (message.kind == (CAUCUS_CHANNEL_CREDIT | runner->view_bits))
            caucus_channel_runner_hold_credit(runner, action->peer, message.number[0]);
    } else if (action->kind == CAUCUS_ACTION_DELIVER) {
        memcpy(&message, bytes, sizeof message); /* own ones are kept whole */
        if (message.origin != runner->rank && message.slot != CAUCUS_SURVIVAL_GIVEN)
            caucus_channel_runner_carry_out(runner, action, bytes);
    } else {
        caucus_channel_runner_carry_out(runner, action, bytes);
    }
}

void caucus_channel_survivor_step(struct caucus_channel_runner *runner,
                                  const struct caucus_event *event) {
    caucus_survival.step(&runner->survivor->setup, runner->state, event, &runner->actions);
    caucus_channel_runner_good(runner, runner->actions.status);
    for (int64_t i = 0; !runner->status && i < runner->actions.count; i++)
        carry_out(runner, &runner->actions.action[i], caucus_action_bytes(&runner->actions, i));
}

/* The request at a place of all that are looked at: the next receive of each link, then those
 * without data of each rank, then gifts. NULL: it is in use, none is started. */
static MPI_Request *request_at(struct caucus_channel_runner *runner, int index) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    int32_t credits = runner->setup.credits, ranks = survivor->setup.channel.overlay.ranks;
    if (index < runner->setup.sources) {
        const struct caucus_channel_link *link = &runner->link[index];
        return link->arrived - link->restarted < credits
                   ? &runner->receive[(int64_t)index * credits + link->arrived % credits]
                   : NULL;
    }
    index -= runner->setup.sources;
    return index < ranks ? &survivor->control[index] : &survivor->gift[index - ranks].request;
}

static int collect(struct caucus_channel_runner *runner) {
    const struct caucus_channel_survivor *survivor = runner->survivor;
    int all = runner->setup.sources + survivor->setup.channel.overlay.ranks + survivor->gifts;
    for (int i = 0; i < all; i++) {
        const MPI_Request *request = request_at(runner, i);
        runner->awaited[i] = request ? *request : MPI_REQUEST_NULL;
    }
    return all;
}

/* Which are complete, or gone. */
static void put_back(struct caucus_channel_runner *runner, int all) {
    for (int i = 0; i < all; i++) {
        MPI_Request *request = request_at(runner, i);
        if (request)
            *request = runner->awaited[i];
    }
}

static void get_control(struct caucus_channel_runner *runner, int32_t rank,
                        const MPI_Status *status) {
    int length;
    PMPI_Get_count(status, MPI_BYTE, &length);
    caucus_channel_runner_hear(
        runner, rank, runner->survivor->control_memory + rank * runner->survivor->control_bytes,
        length);
    if (!caucus_set_has(runner->survivor->dead, rank))
        start_control(runner, rank);
}

static void get_gift(struct caucus_channel_runner *runner, struct caucus_channel_gift *gift,
                     bool failed) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    struct caucus_channel_message message;
    struct caucus_channel_piece *piece = gift->piece;
    gift->piece = NULL;
    if (!failed) {
        memcpy(&message, piece->bytes, sizeof message);
        caucus_channel_runner_hear(runner, gift->from, &message, sizeof message);
        /* It was accepted if it is there to be taken. */
        if (!survivor->given && caucus_channel_runner_peek(runner, &message) &&
            message.slot == CAUCUS_SURVIVAL_GIVEN) {
            survivor->given = piece;
            return;
        }
    }
    caucus_channel_runner_let_go(piece);
}

static void drop_gifts(struct caucus_channel_survivor *survivor) {
    int left = 0;
    for (int i = 0; i < survivor->gifts; i++)
        if (survivor->gift[i].piece)
            survivor->gift[left++] = survivor->gift[i];
    survivor->gifts = left;
}

/* One that is complete. Of data, those of a view that has just ended are void. */
static void get(struct caucus_channel_runner *runner, int index, int32_t sources, int32_t view,
                bool failed, const MPI_Status *status) {
    struct caucus_channel_survivor *survivor = runner->survivor;
    int32_t ranks = survivor->setup.channel.overlay.ranks;
    if (index < sources) {
        if (view == runner->view_bits && !failed)
            caucus_channel_runner_receive_data(runner, index);
    } else if (index < sources + ranks) {
        if (!failed)
            get_control(runner, index - sources, status);
    } else {
        struct caucus_channel_gift *gift = &survivor->gift[index - sources - ranks];
        get_gift(runner, gift, failed);
    }
}

static bool has_failed(int code, const MPI_Status *status) {
    return code != MPI_SUCCESS && status->MPI_ERROR != MPI_SUCCESS;
}

/* A receive has failed, but MPI has not told yet who is dead. */
static bool is_in_doubt(const struct caucus_channel_runner *runner) {
    const struct caucus_channel_survivor *survivor = runner->survivor;
    for (int32_t i = 0; i < survivor->setup.channel.overlay.ranks; i++)
        if (i != runner->rank && survivor->control[i] == MPI_REQUEST_NULL &&
            !caucus_set_has(survivor->dead, i))
            return true;
    return false;
}

void caucus_channel_survivor_move(struct caucus_channel_runner *runner) {
    caucus_channel_survivor_finish_sends(runner);
    if (is_in_doubt(runner))
        learn_deaths(runner);
    for (int32_t i = 0; i < runner->setup.sources; i++)
        caucus_channel_runner_restart(runner, i);
    for (int count = 1; count > 0 && !runner->status;) {
        bool deaths = false;
        int32_t sources = runner->setup.sources, view = runner->view_bits;
        int all = collect(runner);
        int code = PMPI_Testsome(all, runner->awaited, &count, runner->came, runner->told);
        if (count == MPI_UNDEFINED)
            count = 0;
        if (!is_good(runner, code, count, runner->told, &deaths))
            return;
        for (int i = 0; i < count; i++)
            if (has_failed(code, &runner->told[i]) &&
                runner->awaited[runner->came[i]] != MPI_REQUEST_NULL)
                PMPI_Request_free(&runner->awaited[runner->came[i]]);
        put_back(runner, all);
        for (int i = 0; i < count && !runner->status; i++)
            get(runner, runner->came[i], sources, view, has_failed(code, &runner->told[i]),
                &runner->told[i]);
        drop_gifts(runner->survivor);
        if (deaths)
            learn_deaths(runner);
    }
}
