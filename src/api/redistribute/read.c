/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank can tell of its arguments. */
#include "api/redistribute/call.h"

#include "api/collective/calls.h"
#include "base/status.h"
#include "run/layout/section.h"

#include <stdlib.h>

static int read_type(const struct caucus_redistribute_side *side,
                     const struct caucus_context *context, int64_t *element) {
    MPI_Count bytes;
    int status = caucus_check_type(side->type, side->type_name, -1, context);
    if (!status && (PMPI_Type_size_x(side->type, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED))
        status = caucus_fail(CAUCUS_BAD_TYPE, "%s has no size", side->type_name);
    if (!status)
        *element = bytes;
    return status;
}

static int check_buffer(const struct caucus_redistribute_side *side) {
    if (side->buffer == MPI_IN_PLACE)
        return caucus_fail(CAUCUS_BAD_BUFFER, "%s must not be MPI_IN_PLACE", side->buffer_name);
    if (side->buffer || caucus_leads_away(side->type, 0))
        return caucus_check_section(side->buffer, side->buffer_name);
    return caucus_fail(CAUCUS_BAD_BUFFER,
                       "%s is a null pointer, but there are elements to be moved",
                       side->buffer_name);
}

static int read_side(const struct caucus_redistribute_side *side,
                     const struct caucus_context *context, struct caucus_index_list *list,
                     struct caucus_index_repeats *repeats, int64_t *element) {
    int64_t bytes;
    int status =
        caucus_index_list_create(list, side->list_name, side->count, side->ranges, repeats);
    if (status || list->elements == 0)
        return status;
    status = read_type(side, context, element);
    if (!status)
        status = check_buffer(side);
    if (!status && __builtin_mul_overflow(2 * *element, list->elements, &bytes))
        status = caucus_fail(CAUCUS_BAD_COUNT, "%s has more than 2^62 bytes", side->buffer_name);
    return status;
}

int caucus_redistribute_read(struct caucus_redistribute_work *work,
                             const struct caucus_redistribute_call *call,
                             const struct caucus_context *context) {
    *work = (struct caucus_redistribute_work){.hints = {.agreed = ""}};
    if (!call->request)
        return caucus_fail(CAUCUS_BAD_REQUEST, "request is a null pointer");
    int status = read_side(&call->send, context, &work->has, NULL, &work->has_element);
    if (!status)
        status =
            read_side(&call->receive, context, &work->wants, &work->repeats, &work->wants_element);
    if (!status && work->has.elements > 0 && work->wants.elements > 0 &&
        call->send.buffer == call->receive.buffer && call->send.buffer)
        status = caucus_fail(CAUCUS_BAD_BUFFER, "%s and %s are the same buffer",
                             call->send.buffer_name, call->receive.buffer_name);
    return status ? status : caucus_hints_read(call->info, context, &work->hints);
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
