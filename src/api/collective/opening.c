/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/context.h"

#include "api/common/raise.h"
#include "run/creation/room.h"
#include "run/peers/agree.h"

#include <caucus/comm.h>

int caucus_opening_context(MPI_Comm comm, const char *function, struct caucus_context **context) {
    struct caucus_attachment *attachment;
    int code = caucus_prepare(comm, function, &attachment);
    if (code)
        return code;
    int status = caucus_context_get(comm, context);
    return caucus_raise(comm, attachment, function, status);
}

int caucus_opening_agree(const struct caucus_context *context, int status, const char *name,
                         int64_t value) {
    const struct caucus_item item = {name, CAUCUS_ITEM_LONGS, &value, 1};
    return caucus_agree(&context->attachment->peers, status, 1, &item);
}

int caucus_comm_attach(MPI_Comm comm) {
    struct caucus_attachment *attachment;
    struct caucus_context *context;
    int code = caucus_prepare_any(comm, __func__, &attachment);
    if (code)
        return code;
    int status = caucus_context_get(comm, &context);
    if (!status && !context->between)
        status = caucus_creation_room_make(context->attachment);
    return caucus_raise(comm, attachment, __func__, status);
}
