/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/agreement.h"

#include "api/collective/counts.h"
#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "run/peers/agree.h"

#include <stdio.h>
#include <string.h>

static const char *const forms[] = {"blocking", "nonblocking", "persistent"};

static const char *name_of_operation(const struct caucus_work *work) {
    const char *name = caucus_operation_name(work->call->op);
    if (name)
        return name;
    return work->task.commutative ? "an operation of the user's that commutes"
                                  : "an operation of the user's that does not commute";
}

/* Neighbours without edges may say anything. */
bool caucus_call_has_one_length(enum caucus_collective collective) {
    const struct caucus_shape *shape = &caucus_shapes[collective];
    return collective != CAUCUS_BARRIER && !shape->send.counted && !shape->receive.counted &&
           !shape->neighbors;
}

bool caucus_call_exchanges(const struct caucus_task *task) {
    enum caucus_collective collective = task->collective;
    if (task->first_group && (caucus_shapes[collective].rooted || caucus_counts_are_missing(task)))
        return true;
    return collective == CAUCUS_GATHERV || collective == CAUCUS_SCATTERV ||
           collective == CAUCUS_ALLTOALLV || collective == CAUCUS_ALLTOALLW ||
           caucus_shapes[collective].neighbors;
}

int64_t caucus_call_operation_number(const struct caucus_work *work) {
    if (!caucus_shapes[work->task.collective].reduces)
        return 0;
    const struct caucus_item items[] = {
        {"op", CAUCUS_ITEM_TEXT, name_of_operation(work), 0},
        {"the size of datatype", CAUCUS_ITEM_LONGS, &work->task.element, 1},
    };
    return (int64_t)(caucus_agree_digest(2, items) >> 1);
}

int caucus_call_list(const struct caucus_collective_call *call,
                     const struct caucus_context *context, const struct caucus_work *work,
                     const char *forced, struct caucus_call_items *room,
                     struct caucus_item items[CAUCUS_AGREE_ITEMS]) {
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    const struct caucus_task *task = &work->task;
    bool between = context->between; /* then most of it is for agreement_between.c */
    bool listed =
        call->collective == CAUCUS_ALLGATHERV || call->collective == CAUCUS_REDUCE_SCATTER;
    bool combined = shape->reduces && !(between && shape->rooted);
    snprintf(room->kind, sizeof room->kind, "%s %s", forms[call->form],
             caucus_collective_name(call->collective));
    bool measures = combined && context->settings.select_seconds > 0; /* only what is exact */
    if (measures)
        room->exact = caucus_operation_is_exact(call->op, work->type);
    const struct caucus_item all[] = {
        {"the collective", CAUCUS_ITEM_TEXT, room->kind, 0},
        {"root", CAUCUS_ITEM_INTEGERS, shape->rooted && !between ? &call->root : NULL, 1},
        {"the length of a block in bytes", CAUCUS_ITEM_LONGS,
         caucus_call_has_one_length(call->collective) && !between ? &task->bytes : NULL, 1},
        {"the length of the blocks in bytes (recvcounts)", CAUCUS_ITEM_LONGS,
         listed && !between ? task->receive_bytes : NULL, context->size},
        {"op", CAUCUS_ITEM_TEXT, combined ? name_of_operation(work) : NULL, 0},
        {"the size of datatype", CAUCUS_ITEM_LONGS, combined ? &task->element : NULL, 1},
        {"whether datatype is one of whole numbers", CAUCUS_ITEM_INTEGERS,
         measures ? &room->exact : NULL, 1},
        {"info", CAUCUS_ITEM_TEXT, forced, 0},
    };
    memcpy(items, all, sizeof all);
    return sizeof all / sizeof *all;
}

static int agree_items(const struct caucus_collective_call *call,
                       const struct caucus_context *context, int status, const char *forced,
                       const struct caucus_work *work) {
    struct caucus_item items[CAUCUS_AGREE_ITEMS];
    struct caucus_call_items room;
    int count = caucus_call_list(call, context, work, forced, &room, items);
    return caucus_agree(&context->attachment->peers, status, count, items);
}

int caucus_call_agree(const struct caucus_collective_call *call,
                      const struct caucus_context *context, int status, const char *forced,
                      struct caucus_work *work) {
    int root = work->task.root;
    int failed = caucus_peers_meet(&context->attachment->peers);
    status = failed ? failed : agree_items(call, context, status, forced, work);
    if (!status && context->between)
        status = caucus_call_agree_between(context, work, &root);
    return status ? status : caucus_call_agree_counts(context, work, root);
}
