/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/engine/roll_call.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/engine/engine.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"
#include "run/support/keyval.h"
#include "run/support/mpi_status.h"
#include "run/support/waits.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Rank 0 gathers who is here and gives all of them, missing ones included, the same verdict. Who
 * waits for it gives up later than rank 0 does, if both came at the same time. A rank that has
 * given up all the same cannot take back that it came: so there are two rounds, and only who has
 * come to the second one is waited for. */
enum { ROUNDS = 2, NAMED = 8, LOOKS = 100 };

/* Ranks come to a constructor at other times than to calls that they make in turn. */
enum { LEAST_SECONDS = 1 };

struct verdict {
    int missing, rank[NAMED]; /* how many; the first ones of them */
};

struct roll {
    const struct caucus_peers *peers;
    int tag;
    double seconds;
    MPI_Request *request; /* of rank 0, one for each; of another one, two */
    struct verdict *verdict;
};

/* Whether all are complete before the time is over; everything moves on meanwhile. */
static int await(MPI_Request *request, int count, double seconds, bool *complete) {
    const double begin = caucus_seconds();
    for (;;) {
        int here = 0;
        caucus_progress();
        int status = caucus_mpi_status(PMPI_Testall(count, request, &here, MPI_STATUSES_IGNORE),
                                       "MPI_Testall");
        *complete = here;
        if (status || here || caucus_seconds() - begin > seconds)
            return status;
        sched_yield();
    }
}

static int rank_in_comm(const struct roll *roll, int peer) {
    return roll->peers->rank_of ? roll->peers->rank_of[peer] : peer;
}

/* MPI_Testall completes none of them where one is missing, and one look at a message that has come
 * may be in vain. */
static void complete_those_here(struct roll *roll) {
    for (int look = 0; look < LOOKS; look++)
        for (int peer = 1; peer < roll->peers->size; peer++) {
            int here;
            if (roll->request[peer] != MPI_REQUEST_NULL)
                PMPI_Test(&roll->request[peer], &here, MPI_STATUS_IGNORE);
        }
}

static void find_missing(struct roll *roll) {
    struct verdict *verdict = roll->verdict;
    complete_those_here(roll);
    for (int peer = 1; peer < roll->peers->size; peer++) {
        if (roll->request[peer] == MPI_REQUEST_NULL)
            continue;
        if (verdict->missing < NAMED)
            verdict->rank[verdict->missing] = peer;
        verdict->missing++;
        caucus_waiting_abandon(&roll->request[peer]);
        roll->request[peer] = MPI_REQUEST_NULL;
    }
}

static int send(struct roll *roll, void *data, int count, int peer, MPI_Request *request) {
    return caucus_mpi_status(PMPI_Isend(data, count, MPI_INT, rank_in_comm(roll, peer), roll->tag,
                                        roll->peers->comm, request),
                             "MPI_Isend");
}

static int explain(const struct roll *roll) {
    char names[NAMED * 24] = "";
    size_t at = 0;
    const struct verdict *verdict = roll->verdict;
    for (int i = 0; i < verdict->missing && i < NAMED; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s" CAUCUS_RANK, i ? ", " : "",
                               verdict->rank[i]);
    return caucus_fail(CAUCUS_TIMED_OUT,
                       "after %g seconds, %s%s had not come, %d of the %d ranks that are waited "
                       "for",
                       roll->seconds, names, verdict->missing > NAMED ? " and others" : "",
                       verdict->missing, roll->peers->size);
}

/* These messages are short: MPI takes them, whether their receivers are here or not. */
static int tell_all(struct roll *roll) {
    const int count = sizeof *roll->verdict / sizeof(int);
    bool complete = false;
    int status = CAUCUS_OK, size = roll->peers->size;
    for (int peer = 1; peer < size && !status; peer++)
        status = send(roll, roll->verdict, count, peer, &roll->request[peer]);
    if (!status)
        status = await(roll->request, size, roll->seconds, &complete);
    if (complete)
        return status;
    for (int peer = 1; peer < size; peer++)
        if (roll->request[peer] != MPI_REQUEST_NULL)
            PMPI_Request_free(&roll->request[peer]);
    if (!status && roll->verdict->missing > 0)
        status = explain(roll);
    else if (!status)
        status = caucus_fail(CAUCUS_TIMED_OUT, "after %g seconds, some rank takes no message",
                             roll->seconds);
    caucus_waiting_leave(roll->verdict);
    roll->verdict = NULL;
    return status;
}

static int lead(struct roll *roll) {
    bool complete = false;
    int status = CAUCUS_OK, size = roll->peers->size;
    for (int peer = 1; peer < size && !status; peer++)
        status = caucus_mpi_status(PMPI_Irecv(NULL, 0, MPI_INT, rank_in_comm(roll, peer), roll->tag,
                                              roll->peers->comm, &roll->request[peer]),
                                   "MPI_Irecv");
    if (!status)
        status = await(roll->request, size, roll->seconds, &complete);
    if (!status && !complete)
        find_missing(roll);
    return status ? status : tell_all(roll);
}

static int follow(struct roll *roll) {
    const int count = sizeof *roll->verdict / sizeof(int);
    const double longer = 1.25 * roll->seconds + 1; /* than rank 0 waits */
    bool complete = false;
    int status = send(roll, NULL, 0, 0, &roll->request[0]);
    if (!status)
        status = caucus_mpi_status(PMPI_Irecv(roll->verdict, count, MPI_INT, rank_in_comm(roll, 0),
                                              roll->tag, roll->peers->comm, &roll->request[1]),
                                   "MPI_Irecv");
    if (!status)
        status = await(roll->request, 2, longer, &complete);
    if (complete)
        return status;
    if (roll->request[0] != MPI_REQUEST_NULL)
        PMPI_Request_free(&roll->request[0]);
    if (roll->request[1] != MPI_REQUEST_NULL)
        caucus_waiting_abandon(&roll->request[1]);
    caucus_waiting_leave(roll->verdict);
    roll->verdict = NULL;
    return status ? status
                  : caucus_fail(CAUCUS_TIMED_OUT,
                                "after %g seconds, " CAUCUS_RANK
                                " has not come, or came late and waits for others",
                                roll->seconds, 0);
}

static int go_round(struct roll *roll) {
    const int size = roll->peers->size > 2 ? roll->peers->size : 2;
    roll->verdict = caucus_array(1, sizeof *roll->verdict);
    roll->request = caucus_array(size, sizeof *roll->request);
    int status = roll->verdict && roll->request ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    for (int i = 0; i < size && !status; i++)
        roll->request[i] = MPI_REQUEST_NULL;
    if (!status)
        status = roll->peers->rank == 0 ? lead(roll) : follow(roll);
    if (!status && roll->verdict->missing > 0)
        status = explain(roll);
    free(roll->request);
    free(roll->verdict);
    return status;
}

int caucus_roll_call(struct caucus_attachment *attachment, double seconds) {
    struct roll roll = {.peers = &attachment->peers, .seconds = fmax(seconds, LEAST_SECONDS)};
    int status = CAUCUS_OK;
    if (seconds <= 0 || attachment->size == 1)
        return CAUCUS_OK;
    if (attachment->given_up)
        return caucus_fail(CAUCUS_INTERNAL, "an earlier wait for all ranks was given up");
    roll.tag =
        attachment->parent ? attachment->peers.tag : caucus_engine_roll_tag(attachment->engine);
    for (int round = 0; round < ROUNDS && !status; round++)
        status = go_round(&roll);
    attachment->given_up = status != CAUCUS_OK;
    return status;
}

/* The barriers are MPI's, on the user's communicator: one that is given up stays in MPI's hands.
 */
static struct caucus_keyval given_up = CAUCUS_KEYVAL_DROPPED(NULL);

static int give_up(MPI_Comm comm, double seconds) {
    static char mark;
    int size, remote = 0, inter = 0;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &remote);
    int status = caucus_keyval_set(&given_up, comm, &mark);
    return status ? status
                  : caucus_fail(CAUCUS_TIMED_OUT,
                                "after %g seconds, not all of the %d ranks of the communicator "
                                "have come",
                                seconds, size + remote);
}

/* Whether all have come, or as long as it takes where seconds are 0; *flag: whether any rank of the
 * group, or of the other one of two, has set it. Where there is no memory for what may be left
 * behind this rank waits for as long as it takes: others wait for it, too. */
static int meet(MPI_Comm comm, double seconds, int *flag, bool *complete) {
    MPI_Request request = MPI_REQUEST_NULL; /* as it stays if MPI calls what failed a success */
    int kept[2], *left = seconds > 0 ? malloc(sizeof kept) : NULL;
    int *both = left ? left : kept;
    both[0] = *flag;
    int status = caucus_mpi_status(
        PMPI_Iallreduce(&both[0], &both[1], 1, MPI_INT, MPI_MAX, comm, &request), "MPI_Iallreduce");
    if (!status && left)
        status = await(&request, 1, seconds, complete);
    else if (!status)
        status = caucus_waiting_request(&request);
    if (!*complete) {
        caucus_waiting_leave(left);
        return status;
    }
    *flag = *flag || both[1];
    free(left);
    return status;
}

/* The limit may differ between ranks; where any has one, all go on to the second round. Between
 * groups a round takes two meetings, after which each knows of both. */
int caucus_roll_call_on(MPI_Comm comm) {
#ifdef CAUCUS_SIMULATED
    return caucus_come_together(comm);
#endif
    double seconds = 0;
    bool complete = true;
    int status = CAUCUS_OK, inter = 0;
    if (caucus_engine_read_limit(&seconds))
        seconds = 0;      /* a wrong value is told by all, later; */
    caucus_waits_begin(); /* and so is a failure of this */
    int limited = seconds > 0;
    if (limited && caucus_keyval_get(&given_up, comm))
        return caucus_fail(CAUCUS_INTERNAL, "an earlier wait for all ranks was given up");
    seconds = limited ? fmax(seconds, LEAST_SECONDS) : 0;
    PMPI_Comm_test_inter(comm, &inter);
    const int meetings = inter ? 2 : 1;
    for (int i = 0; i < (limited ? ROUNDS : 1) * meetings && !status && complete; i++)
        status = meet(comm, seconds, &limited, &complete);
    return status || complete ? status : give_up(comm, seconds);
}
