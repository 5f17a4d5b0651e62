/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/group/object.h"
#include "base/status.h"
#include "run/layout/device.h"
#include "run/layout/host_copy.h"
#include "run/layout/section.h"

#include <caucus/group.h>

_Static_assert((int)CAUCUS_GROUP_TAGS == (int)CAUCUS_GROUP_MESSAGE_TAGS, "as the header says");

static int check(const struct caucus_context *context, bool sends, int count, int peer, int tag) {
    const char *name = sends ? "destination" : "source";
    if (count < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "count is %d: it must not be negative", count);
    if (peer != MPI_PROC_NULL && (sends || peer != MPI_ANY_SOURCE) &&
        (peer < 0 || peer >= context->size))
        return caucus_fail(CAUCUS_BAD_RANK, "%s is %d: it must be from 0 to %d", name, peer,
                           context->size - 1);
    if (tag < 0 || tag >= CAUCUS_GROUP_TAGS)
        return caucus_fail(CAUCUS_BAD_TAG, "tag is %d: it must be from 0 to %d", tag,
                           CAUCUS_GROUP_TAGS - 1);
    return CAUCUS_OK;
}

static int post(const struct caucus_context *context, bool sends, void *buffer, int count,
                MPI_Datatype type, int peer, int tag, MPI_Request *request) {
    int status = request ? check(context, sends, count, peer, tag)
                         : caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    if (!status)
        status = caucus_group_await(context->group);
    return status
               ? status
               : caucus_group_post(context->group, sends, buffer, count, type, peer, tag, request);
}

/* The request is MPI's: nobody would copy to the device, or free what is sent from, at its end. */
static int check_device(const void *buffer, int count, MPI_Datatype type) {
    struct caucus_layout layout;
    if (!buffer || count <= 0 || !caucus_device_may_hold(buffer) || caucus_device_suits_mpi(buffer))
        return CAUCUS_OK;
    int status = caucus_layout_elements(&layout, (void *)(uintptr_t)buffer, count, type);
    if (status)
        return status;
    if (layout.on_device)
        status = caucus_fail(CAUCUS_BAD_BUFFER,
                             "the buffer lies in the memory of a device, which this MPI takes no "
                             "messages from: use the blocking function");
    caucus_layout_free(&layout);
    return status;
}

static int begin(const char *function, bool sends, void *buffer, int count, MPI_Datatype type,
                 int peer, int tag, caucus_group group, MPI_Request *request) {
    int status = caucus_group_check(group);
    if (!status && count > 0)
        status = caucus_check_section(buffer, "buffer");
    if (!status)
        status = peer == MPI_PROC_NULL ? CAUCUS_OK : check_device(buffer, count, type);
    if (!status)
        status = post(group->context, sends, buffer, count, type, peer, tag, request);
    return caucus_group_conclude(group, function, status);
}

static int receive_any(const struct caucus_context *context, void *buffer, int count,
                       MPI_Datatype type, int tag, MPI_Status *said) {
    int status = check(context, false, count, MPI_ANY_SOURCE, tag);
    if (!status)
        status = caucus_group_await(context->group);
    return status ? status
                  : caucus_group_receive_any(context->group, buffer, count, type, tag, said);
}

static int complete(const struct caucus_context *context, bool sends, void *buffer, int count,
                    MPI_Datatype type, int peer, int tag, MPI_Status *said) {
    MPI_Request request;
    if (!sends && peer == MPI_ANY_SOURCE)
        return receive_any(context, buffer, count, type, tag, said);
    int status = post(context, sends, buffer, count, type, peer, tag, &request);
    return status ? status
                  : caucus_group_complete(context->group, sends, peer, tag, &request, said);
}

/* From and to a device by a copy. A message may be shorter than the buffer: what it leaves was
 * there before. */
static int complete_on_host(const struct caucus_context *context, bool sends, void *buffer,
                            int count, MPI_Datatype type, int peer, int tag, MPI_Status *said) {
    struct caucus_host_copy copy;
    int status = check(context, sends, count, peer, tag);
    if (!status)
        status = caucus_host_copy_create(&copy, buffer, count, type);
    if (status)
        return status;
    status = complete(context, sends, copy.buffer, count, type, peer, tag, said);
    if (!status && !sends)
        status = caucus_host_copy_write_back(&copy);
    caucus_host_copy_free(&copy);
    return status;
}

static int pass(const char *function, bool sends, void *buffer, int count, MPI_Datatype type,
                int peer, int tag, caucus_group group, MPI_Status *said) {
    int status = caucus_group_check(group);
    if (!status)
        status = complete_on_host(group->context, sends, buffer, count, type, peer, tag, said);
    if (!status && said != MPI_STATUS_IGNORE)
        caucus_group_translate(group->context->group, said);
    return caucus_group_conclude(group, function, status);
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
    int failed = caucus_group_check(group);
    if (!failed && (!status || !caucus_group_is_ready(group->context->group)))
        failed = caucus_fail(CAUCUS_BAD_ARGUMENT, "status is a null pointer, or the group has "
                                                  "had no messages yet");
    if (!failed)
        caucus_group_translate(group->context->group, status);
    return caucus_group_conclude(group, __func__, failed);
}
