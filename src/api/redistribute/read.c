/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank can tell of its arguments. */
#include "api/redistribute/call.h"

#include "api/collective/predefined.h"
#include "base/status.h"
#include "run/committed.h"

#include <stdlib.h>

static int read_type(const struct caucus_redistribute_side *side, MPI_Comm private,
                     int64_t *element) {
    if (side->type == MPI_DATATYPE_NULL)
        return caucus_fail(CAUCUS_BAD_TYPE, "%s is MPI_DATATYPE_NULL", side->type_name);
    if (!caucus_datatype_name(side->type) && !caucus_type_committed(side->type, private))
        return caucus_fail(CAUCUS_BAD_TYPE,
                           "%s can't be used for communication: MPI_Type_commit must come first",
                           side->type_name);
    MPI_Count bytes;
    if (PMPI_Type_size_x(side->type, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED)
        return caucus_fail(CAUCUS_BAD_TYPE, "%s has no size", side->type_name);
    *element = bytes;
    return CAUCUS_OK;
}

/* MPI_BOTTOM is a null pointer in most MPIs: right with a datatype of addresses. */
static int check_buffer(const struct caucus_redistribute_side *side) {
    MPI_Aint lower = 0, extent;
    if (side->buffer == MPI_IN_PLACE)
        return caucus_fail(CAUCUS_BAD_BUFFER, "%s must not be MPI_IN_PLACE", side->buffer_name);
    if (side->buffer)
        return CAUCUS_OK;
    if (!caucus_datatype_name(side->type) &&
        PMPI_Type_get_true_extent(side->type, &lower, &extent) == MPI_SUCCESS && lower != 0)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_BAD_BUFFER,
                       "%s is a null pointer, but there are elements to be moved",
                       side->buffer_name);
}

static int read_side(const struct caucus_redistribute_side *side, MPI_Comm private,
                     struct caucus_index_list *list, struct caucus_index_repeats *repeats,
                     int64_t *element) {
    int64_t bytes;
    int status =
        caucus_index_list_create(list, side->list_name, side->count, side->ranges, repeats);
    if (status || list->elements == 0)
        return status;
    status = read_type(side, private, element);
    if (!status)
        status = check_buffer(side);
    if (!status && __builtin_mul_overflow(2 * *element, list->elements, &bytes))
        status = caucus_fail(CAUCUS_BAD_COUNT, "%s has more than 2^62 bytes", side->buffer_name);
    return status;
}

int caucus_redistribute_read(struct caucus_redistribute_work *work,
                             const struct caucus_redistribute_call *call,
                             const struct caucus_team *team) {
    MPI_Comm private = team->attachment->comm;
    *work = (struct caucus_redistribute_work){.hints = {.agreed = ""}};
    if (!call->request)
        return caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    int status = read_side(&call->send, private, &work->has, NULL, &work->has_element);
    if (!status)
        status =
            read_side(&call->receive, private, &work->wants, &work->repeats, &work->wants_element);
    if (!status && work->has.elements > 0 && work->wants.elements > 0 &&
        call->send.buffer == call->receive.buffer && call->send.buffer)
        status = caucus_fail(CAUCUS_BAD_BUFFER, "%s and %s are the same buffer",
                             call->send.buffer_name, call->receive.buffer_name);
    return status ? status : caucus_hints_read(call->info, team, &work->hints);
}

void caucus_redistribute_work_free(struct caucus_redistribute_work *work) {
    caucus_index_list_free(&work->has);
    caucus_index_list_free(&work->wants);
    free(work->repeats.repeat);
    caucus_index_side_free(&work->plan.send);
    caucus_index_side_free(&work->plan.receive);
    caucus_relay_free(&work->relay);
    *work = (struct caucus_redistribute_work){0};
}
