/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/queued.h"
#include "api/group/object.h"
#include "base/status.h"
#include "run/waiting.h"

#include <caucus/group.h>

_Static_assert((int)CAUCUS_GROUP_TAGS == (int)CAUCUS_GROUP_MESSAGE_TAGS, "as the header says");

static int check(const struct caucus_team *team, bool sends, int count, int peer, int tag) {
    const char *name = sends ? "destination" : "source";
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "count is %d: it must not be negative", count);
    if (peer != MPI_PROC_NULL && (sends || peer != MPI_ANY_SOURCE) &&
        (peer < 0 || peer >= team->size))
        return caucus_fail(CAUCUS_BAD_RANK, "%s is %d: it must be from 0 to %d", name, peer,
                           team->size - 1);
    if (tag < 0 || tag >= CAUCUS_GROUP_TAGS)
        return caucus_fail(CAUCUS_BAD_TAG, "tag is %d: it must be from 0 to %d", tag,
                           CAUCUS_GROUP_TAGS - 1);
    return CAUCUS_OK;
}

static int post(const struct caucus_team *team, bool sends, void *buffer, int count,
                MPI_Datatype type, int peer, int tag, MPI_Request *request) {
    int status = request ? check(team, sends, count, peer, tag)
                         : caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    if (!status)
        status = caucus_group_await(team->group, caucus_queued_progress);
    return status ? status
                  : caucus_group_post(team->group, sends, buffer, count, type, peer, tag, request);
}

static int begin(const char *function, bool sends, void *buffer, int count, MPI_Datatype type,
                 int peer, int tag, caucus_group group, MPI_Request *request) {
    int code = caucus_group_check(group, function);
    if (code)
        return code;
    int status = post(group->team, sends, buffer, count, type, peer, tag, request);
    return status ? caucus_team_raise(group->team, false, function, status) : MPI_SUCCESS;
}

static int receive_any(const struct caucus_team *team, void *buffer, int count, MPI_Datatype type,
                       int tag, MPI_Status *said) {
    int status = check(team, false, count, MPI_ANY_SOURCE, tag);
    if (!status)
        status = caucus_group_await(team->group, caucus_queued_progress);
    return status ? status
                  : caucus_group_receive_any(team->group, buffer, count, type, tag,
                                             caucus_queued_progress, said);
}

static int pass(const char *function, bool sends, void *buffer, int count, MPI_Datatype type,
                int peer, int tag, caucus_group group, MPI_Status *said) {
    MPI_Request request;
    int code = caucus_group_check(group, function);
    if (code)
        return code;
    const struct caucus_team *team = group->team;
    bool any = !sends && peer == MPI_ANY_SOURCE;
    int status = any ? receive_any(team, buffer, count, type, tag, said)
                     : post(team, sends, buffer, count, type, peer, tag, &request);
    if (!status && !any)
        status = caucus_group_complete(team->group, sends, peer, tag, &request,
                                       caucus_queued_progress, said);
    if (status)
        return caucus_team_raise(group->team, false, function, status);
    if (said != MPI_STATUS_IGNORE)
        caucus_group_translate(group->team->group, said);
    return MPI_SUCCESS;
}

int caucus_group_send(const void *buffer, int count, MPI_Datatype datatype, int destination,
                      int tag, caucus_group group) {
    return pass(__func__, true, (void *)buffer, count, datatype, destination, tag, group,
                MPI_STATUS_IGNORE);
}

int caucus_group_recv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                      caucus_group group, MPI_Status *status) {
    return pass(__func__, false, buffer, count, datatype, source, tag, group, status);
}

int caucus_group_isend(const void *buffer, int count, MPI_Datatype datatype, int destination,
                       int tag, caucus_group group, MPI_Request *request) {
    return begin(__func__, true, (void *)buffer, count, datatype, destination, tag, group, request);
}

int caucus_group_irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag,
                       caucus_group group, MPI_Request *request) {
    return begin(__func__, false, buffer, count, datatype, source, tag, group, request);
}

int caucus_group_status(caucus_group group, MPI_Status *status) {
    int code = caucus_group_check(group, __func__);
    if (code)
        return code;
    if (!status || group->team->group->number < 0) {
        int failed = caucus_fail(CAUCUS_BAD_ARGUMENT, "status is a null pointer, or the group has "
                                                      "had no messages yet");
        return caucus_team_raise(group->team, false, __func__, failed);
    }
    caucus_group_translate(group->team->group, status);
    return MPI_SUCCESS;
}
