/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator between two light groups. Each side meets, and so do the leaders, who tell each
 * other who their members are and how their sides fare; all hear of that, and only then MPI is
 * called, which every member will be in. Leaders compare before they wait for their sides, since a
 * rank that is in both groups cannot call for both at a time; but they are in the meeting of their
 * side from the start, so that nobody takes one for absent that waits for the other. Every wait
 * until then has a limit but those for one that has come. */
#include "api/common/raise.h"
#include "api/creation/create.h"
#include "api/creation/turn.h"
#include "api/group/object.h"
#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/creation.h"
#include "plan/protocol/sentences.h"
#include "run/creation/between.h"
#include "run/group/rendezvous.h"
#include "run/peers/agree.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/mpi_status.h"
#include "run/support/waits.h"

#include <caucus/group_comm.h>

#include <stdlib.h>
#include <string.h>

struct call {
    struct caucus_context *context;
    const struct caucus_light_group *group;
    int local_leader, remote_leader, tag;
    int32_t *ranks;
    struct caucus_light_group *inside;  /* all of this side */
    struct caucus_light_group *leaders; /* of a leader: it and the other one, once they have met */
    const struct caucus_creation_algorithm *algorithm;
};

/* How a side fares, and then both: how it has failed, the rank of the parent that is to be named,
 * and MPI's tag. */
struct verdict {
    int32_t status, rank, tag;
};
enum { VERDICT_NUMBERS = sizeof(struct verdict) / sizeof(int32_t) };

static int check(struct call *call, MPI_Comm *newintercomm) {
    const struct caucus_context *context = call->context;
    if (!newintercomm)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "newintercomm is a null pointer");
    *newintercomm = MPI_COMM_NULL;
    if (call->local_leader < 0 || call->local_leader >= context->size)
        return caucus_fail(CAUCUS_BAD_RANK, "local_leader is %d: it must be from 0 to %d",
                           call->local_leader, context->size - 1);
    if (call->remote_leader < 0 || call->remote_leader >= context->parent->size)
        return caucus_fail(CAUCUS_BAD_RANK, "remote_leader is %d: it must be from 0 to %d",
                           call->remote_leader, context->parent->size - 1);
    if (caucus_members_position(&call->group->members, call->remote_leader) >= 0)
        return caucus_fail(CAUCUS_BAD_RANK, "remote_leader is %d, which is in the local group",
                           call->remote_leader);
    if (call->tag < 0)
        return caucus_fail(CAUCUS_BAD_TAG, "tag is %d: it must be from 0 to 2147483647", call->tag);
    return caucus_creation_choose(&call->algorithm);
}

/* Begins to meet this side, which hears it if this member erred. */
static int begin_inside(struct call *call, int erred) {
    const int given[] = {call->local_leader, call->remote_leader, call->tag};
    const struct caucus_item arguments[] = {
        {"arguments", CAUCUS_ITEM_INTEGERS, given, 3},
        {"CAUCUS_CREATE_GROUP", CAUCUS_ITEM_TEXT, erred ? "" : call->algorithm->name, 0},
    };
    int status = caucus_rendezvous_of(call->group, CAUCUS_RENDEZVOUS_BETWEEN,
                                      caucus_agree_digest(2, arguments), erred != 0, &call->inside);
    if (!status)
        caucus_group_begin(call->inside);
    return status;
}

static const char *describe(const struct call *call, int rank) {
    if (rank == call->remote_leader)
        return "the other group's leader";
    return caucus_members_position(&call->group->members, rank) >= 0
               ? "a member"
               : "a member of the other group";
}

static int judge(const struct call *call, const struct verdict *verdict) {
    int status = verdict->status, rank = verdict->rank;
    switch (status) {
    case CAUCUS_OK:
        return CAUCUS_OK;
    case CAUCUS_TIMED_OUT:
        return caucus_fail(status, "rank %d of the parent, %s, did not come within CAUCUS_TIMEOUT",
                           rank, describe(call, rank));
    case CAUCUS_DEAD:
        return caucus_fail(status, "rank %d of the parent, %s, is dead", rank,
                           describe(call, rank));
    case CAUCUS_BAD_GROUP:
        return caucus_fail(status, "rank %d of the parent is in both groups, which must share none",
                           rank);
    case CAUCUS_BAD_ARGUMENT:
        return caucus_fail(status,
                           "the other group, whose leader is rank %d of the parent, has erred",
                           call->remote_leader);
    default:
        return caucus_fail(status, "the leader, rank %d of the group, failed", call->local_leader);
    }
}

/* All of this side know that members erred. Of one that did not come or is dead the other side is
 * to hear by the leaders. */
static bool has_erred(const struct call *call) {
    bool ready;
    int64_t code;
    int32_t rank;
    if (!call->inside || !caucus_group_advance(call->inside, &ready))
        return false;
    caucus_group_failure(call->inside, &code, &rank);
    return code == CAUCUS_CREATION_MISMATCH;
}

/* Where members took different ones for the leader, the other group's may wait for none of them. */
static int await_leaders(const struct call *call, struct caucus_light_group *leaders) {
    bool ready = false;
    int status = caucus_group_advance(leaders, &ready);
    for (int64_t round = 0; !status && !ready; round++) {
        if (has_erred(call) && caucus_group_call_off(leaders))
            return caucus_fail(CAUCUS_BAD_ARGUMENT, "the group has erred");
        caucus_progress();
        caucus_waiting_brief(&leaders->parent->engine->waiting, round);
        status = caucus_group_advance(leaders, &ready);
    }
    return status;
}

/* By a leader: whether the other one comes, and has none of this group's members in its own. One
 * that erred says only that. */
static struct verdict meet_leader(struct call *call, int erred) {
    struct caucus_attachment *parent = call->group->parent;
    struct caucus_light_group *leaders;
    struct verdict verdict = {.rank = call->remote_leader};
    int shared = -1;
    verdict.status =
        caucus_rendezvous_of_two(parent, call->remote_leader, call->tag, 0, erred != 0, &leaders);
    if (verdict.status)
        return verdict;
    verdict.status = await_leaders(call, leaders);
    if (verdict.status) {
        int64_t code;
        caucus_group_failure(leaders, &code, &verdict.rank);
        caucus_group_end(leaders);
        return verdict;
    }
    call->leaders = leaders;
    verdict.tag = caucus_rendezvous_tag(leaders);
    verdict.status = caucus_creation_compare(parent, call->remote_leader, verdict.tag,
                                             call->group->size, call->ranks, &shared);
    if (!verdict.status && shared >= 0) {
        verdict.status = CAUCUS_BAD_GROUP;
        verdict.rank = shared;
    }
    return verdict;
}

/* Whom a member waits for that has come. */
struct awaited {
    int rank; /* of the parent */
    const char *what;
};

static void explain(const void *context, char *text, int64_t size) {
    const struct awaited *wait = context;
    struct caucus_sentences words = caucus_sentences_in(text, size);
    caucus_sentences_has(&words, wait->rank, wait->what);
}

static struct caucus_waits_call told_as(const struct call *call, const struct awaited *wait) {
    return (struct caucus_waits_call){.name = "caucus_intercomm_create_group",
                                      .comm = call->group->parent->comm,
                                      .explain = explain,
                                      .context = wait};
}

/* By a leader, who has met the other one: how both sides fare. status: of this one's meeting. Of
 * ranks in both groups the other one knows too, and may wait for one that waits for this one. */
static struct verdict settle(const struct call *call, struct verdict own, int status) {
    const struct awaited wait = {call->remote_leader, "not said how its group fares"};
    struct caucus_waits_call told = told_as(call, &wait);
    struct verdict other = {0};
    if (own.status == CAUCUS_BAD_GROUP)
        return own;
    if (status) {
        int64_t code;
        own.status = status;
        own.rank = -1;
        if (call->inside)
            caucus_group_failure(call->inside, &code, &own.rank);
    }
    caucus_waits_call_begin(&told);
    status = caucus_creation_swap(call->group->parent, call->remote_leader, own.tag, &own,
                                  VERDICT_NUMBERS, &other, VERDICT_NUMBERS);
    caucus_waits_call_end(&told);
    if (own.status)
        return own;
    other.tag = own.tag;
    if (status)
        other.status = status;
    else if (other.status && other.status != CAUCUS_TIMED_OUT && other.status != CAUCUS_DEAD)
        other.status = CAUCUS_BAD_ARGUMENT;
    return other;
}

/* What the leader has found, on all that have met. */
static int tell(const struct call *call, struct verdict *verdict) {
    const struct caucus_peers peers = {
        .comm = call->group->parent->comm,
        .rank = call->context->rank,
        .size = call->context->size,
        .rank_of = call->ranks,
        .tag = (int)caucus_group_tags_peers(call->inside).first,
    };
    const struct awaited wait = {call->ranks[call->local_leader],
                                 "not told what the leaders have found, or who passes it on"};
    struct caucus_waits_call told = told_as(call, &wait);
    caucus_waits_call_begin(&told);
    if (peers.rank != call->local_leader)
        caucus_waiting_message(&call->group->parent->engine->waiting, peers.comm, peers.tag);
    int status = caucus_peers_bcast(&peers, verdict, sizeof *verdict, MPI_BYTE, call->local_leader);
    caucus_waits_call_end(&told);
    return status ? status : judge(call, verdict);
}

static int make(const struct call *call, int tag, MPI_Comm *made) {
    MPI_Comm local;
    int status = caucus_group_make_comm(
        call->group, call->ranks, caucus_rendezvous_tag(call->inside), call->algorithm, &local);
    if (status)
        return status;
    if (call->context->rank == call->local_leader)
        status = caucus_creation_greet(call->group->parent, call->remote_leader, tag);
    if (!status)
        status = caucus_mpi_status(PMPI_Intercomm_create(local, call->local_leader,
                                                         call->group->parent->creation->comm,
                                                         call->remote_leader, tag, made),
                                   "MPI_Intercomm_create");
    PMPI_Comm_free(&local);
    return status;
}

static int finish(const struct call *call, const struct verdict *verdict, MPI_Comm *newintercomm) {
    MPI_Comm made = MPI_COMM_NULL;
    int status = make(call, verdict->tag, &made);
    if (!status)
        status = caucus_group_hand_over(call->context, made);
    if (!status)
        *newintercomm = made;
    return status;
}

static bool leads(const struct call *call) {
    int other = call->remote_leader;
    return call->context->rank == call->local_leader && call->tag >= 0 && other >= 0 &&
           other < call->context->parent->size &&
           caucus_members_position(&call->group->members, other) < 0;
}

/* The words of what failed first are those that count. */
static int remember(int status, char **text) {
    if (status && !*text)
        *text = strdup(caucus_error_text());
    return status;
}

/* Until both sides know that they go on, or not; erred: how this member did, which counts on it. */
static int meet(struct call *call, int erred, struct verdict *verdict) {
    char *text = NULL;
    remember(erred, &text);
    int status = remember(begin_inside(call, erred), &text);
    erred = erred ? erred : status;
    if (leads(call))
        *verdict = meet_leader(call, erred);
    if (!status)
        status = remember(caucus_group_await(call->inside), &text);
    if (call->leaders)
        *verdict = settle(call, *verdict, status);
    if (erred || status)
        return caucus_fail_again(erred ? erred : status, text);
    return tell(call, verdict);
}

/* status: how this member erred. */
static int create(struct call *call, int status, MPI_Comm *newintercomm) {
    struct verdict verdict = {0};
    status = meet(call, status, &verdict);
    if (!status)
        status = finish(call, &verdict, newintercomm);
    if (call->leaders)
        caucus_group_end(call->leaders);
    if (call->inside)
        caucus_group_end(call->inside);
    return status;
}

static int come(struct call *call, MPI_Comm *newintercomm) {
    int status = caucus_group_check_room(call->group);
    if (status)
        return status;
    caucus_creation_turns_await();
    status = check(call, newintercomm);
    call->ranks = caucus_members_array(&call->group->members);
    if (!status && !call->ranks)
        status = CAUCUS_NO_MEMORY; /* of which the others hear */
    status = create(call, status, newintercomm);
    free(call->ranks);
    return status;
}

int caucus_intercomm_create_group(caucus_group local, int local_leader, int remote_leader, int tag,
                                  MPI_Comm *newintercomm) {
    struct call call = {.local_leader = local_leader, .remote_leader = remote_leader, .tag = tag};
    int status = caucus_group_check(local);
    if (!status) {
        call.context = local->context;
        call.group = local->context->group;
        status = come(&call, newintercomm);
    }
    return caucus_group_conclude(local, __func__, status);
}
