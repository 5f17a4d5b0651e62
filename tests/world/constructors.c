/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructors of communicators: calls that all of those who take part enter, and that the last one
 * settles. With the fault "context_ids" a constructor goes on only where it has, at each of its
 * ranks, the lowest parent and tag of those that are under way there, as in Open MPI 5.0.11. */
#include "collectives.h"

#include <stdlib.h>
#include <string.h>

static struct slot *subgroup_slots, *leader_slots;

static int member_of(const struct call_data *call, int index) {
    const struct context *context = call->comm->context;
    return index < context->size[0] ? context->members[0][index]
                                    : context->members[1][index - context->size[0]];
}

void construct_entered(struct call_data *call) {
    call->order = (int64_t)(call->comm ? call->comm->context->id : 0) << 32 | call->tag;
    call->next = call->process->constructors;
    call->process->constructors = call;
}

static void leave(struct call_data *call) {
    struct call_data **place = &call->process->constructors;
    while (*place && *place != call)
        place = &(*place)->next;
    if (*place)
        *place = call->next;
}

static bool is_lowest(const struct call_data *call) {
    for (const struct call_data *other = call->process->constructors; other; other = other->next)
        if (other->order < call->order)
            return false;
    return true;
}

static bool may_settle(const struct slot *slot) {
    for (int i = 0; i < slot->size && (settings.faults & FAULT_CONTEXT_IDS); i++)
        if (!is_lowest(slot->calls[i]))
            return false;
    return true;
}

/* Those of a colour on one side, by key and rank. */
static int choose_members(const struct slot *slot, int first, int last, int colour, int *indices) {
    int count = 0;
    for (int i = first; i < last; i++) {
        if (slot->calls[i]->colour != colour)
            continue;
        int at = count++;
        for (; at > 0 && slot->calls[indices[at - 1]]->order_key > slot->calls[i]->order_key; at--)
            indices[at] = indices[at - 1];
        indices[at] = i;
    }
    return count;
}

static void settle_split(struct slot *slot, const struct comm *comm) {
    int size0 = comm->context->size[0];
    for (int i = 0; i < slot->size; i++) {
        int colour = slot->calls[i]->colour, indices[2][MOST_PROCESSES], count[2];
        int members[2][MOST_PROCESSES];
        if (slot->made[i] || colour == MPI_UNDEFINED)
            continue;
        count[0] = choose_members(slot, 0, size0, colour, indices[0]);
        count[1] = choose_members(slot, size0, slot->size, colour, indices[1]);
        for (int side = 0; side < 2; side++)
            for (int m = 0; m < count[side]; m++)
                members[side][m] = member_of(slot->calls[i], indices[side][m]);
        if (comm->context->inter && (count[0] == 0 || count[1] == 0))
            continue;
        struct context *made = context_new_inter(count[0], members[0], count[1],
                                                 comm->context->inter ? members[1] : NULL);
        for (int side = 0; side < 2; side++)
            for (int m = 0; m < count[side]; m++)
                slot->made[indices[side][m]] = made;
    }
}

static void give_all(struct slot *slot, struct context *made) {
    for (int i = 0; i < slot->size; i++)
        slot->made[i] = made;
}

static void settle_merge(struct slot *slot, const struct comm *comm) {
    const struct context *old = comm->context;
    int members[2 * MOST_PROCESSES], count = 0;
    int first = slot->calls[0]->colour > slot->calls[old->size[0]]->colour;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < old->size[first ^ pass]; i++)
            members[count++] = old->members[first ^ pass][i];
    give_all(slot, context_new(count, members));
}

/* The other side's slot, once its leader has come too. */
static struct slot *find_other_side(const struct call_data *leader) {
    for (struct slot *other = leader_slots; other; other = other->next) {
        const struct call_data *theirs = other->calls[other->key];
        bool named = theirs->process->rank == leader->leader_other &&
                     theirs->leader_other == leader->process->rank;
        bool taken = (settings.faults & FAULT_LEADERS_MESSAGE) &&
                     theirs->leader_other == leader->process->rank;
        if ((named || taken) && theirs->tag == leader->tag &&
            theirs->leader_context == leader->leader_context && other != leader->slot)
            return other;
    }
    return NULL;
}

static int sizes_and_members(const struct slot *slot, int *members) {
    for (int i = 0; i < slot->size; i++)
        members[i] = slot->calls[i]->process->rank;
    return slot->size;
}

static bool settle_between(struct slot *slot) {
    struct call_data *leader = NULL;
    for (int i = 0; i < slot->size; i++)
        if (slot->calls[i]->leader_other >= 0)
            leader = slot->calls[i];
    if (!leader)
        return true; /* all ranks erred */
    struct slot *other = find_other_side(leader);
    if (!other) {
        struct slot **place = &leader_slots;
        while (*place && *place != slot->entered)
            place = &(*place)->next;
        if (!slot->entered) {
            slot->entered = NEW(1, struct slot);
            *slot->entered = *slot;
            slot->entered->key = leader->index;
            slot->entered->entered = slot;
            slot->entered->next = leader_slots;
            leader_slots = slot->entered;
        }
        return false;
    }
    int members[2][MOST_PROCESSES];
    struct slot *theirs = other->entered, **place = &leader_slots;
    while (*place != other)
        place = &(*place)->next;
    *place = other->next;
    if (slot->entered)
        for (place = &leader_slots; *place; place = &(*place)->next)
            if (*place == slot->entered) {
                *place = slot->entered->next;
                break;
            }
    int size0 = sizes_and_members(theirs, members[0]);
    int size1 = sizes_and_members(slot, members[1]);
    struct context *made = context_new_inter(size0, members[0], size1, members[1]);
    give_all(theirs, made);
    give_all(slot, made);
    theirs->settled = true;
    for (int i = 0; i < theirs->size; i++)
        leave(theirs->calls[i]);
    return true;
}

static bool settle(struct slot *slot, const struct call_data *call) {
    const struct comm *comm = call->comm;
    int members[2 * MOST_PROCESSES];
    switch (slot->shape) {
    case MAKE_DUP:
        give_all(slot, context_new_inter(comm->context->size[0], comm->context->members[0],
                                         comm->context->size[1],
                                         comm->context->inter ? comm->context->members[1] : NULL));
        return true;
    case MAKE_SPLIT:
    case MAKE_GRID:
        settle_split(slot, comm);
        return true;
    case MAKE_MERGE:
        settle_merge(slot, comm);
        return true;
    case MAKE_BETWEEN:
        return settle_between(slot);
    case MAKE_GROUP:
    case MAKE_FROM_GROUP:
        for (int i = 0; i < slot->size; i++)
            members[i] = slot->calls[i]->process->rank;
        give_all(slot, context_new(slot->size, members));
        return true;
    default:
        return true;
    }
}

bool construct_ready(struct call_data *call) {
    struct slot *slot = call->slot;
    if (slot->settled)
        return true;
    if (slot->arrived < slot->size || !may_settle(slot) || !settle(slot, call))
        return false;
    slot->settled = true;
    for (int i = 0; i < slot->size; i++)
        leave(slot->calls[i]);
    happened();
    return true;
}

static int rank_in(const struct context *context, int process, int *side) {
    for (*side = 0; *side < 2; ++*side)
        for (int r = 0; r < context->size[*side]; r++)
            if (context->members[*side][r] == process)
                return r;
    finish(BROKEN, 1, "rank %d is not in what it made", process);
}

int construct_finish(struct call_data *call) {
    struct context *context = call->slot->made[call->index];
    leave(call);
    if (!context)
        return MPI_SUCCESS;
    int side, rank = rank_in(context, call->process->rank, &side);
    call->made = comm_new(call->process, context, side, rank);
    if (call->comm)
        call->made->handler = call->comm->handler;
    call->made->topology = call->topology;
    note_event("rank %d has comm %d by %s", call->process->rank, context->id, call->name);
    return MPI_SUCCESS;
}

/* ---- of members alone: the slot has their ranks and tag, or their words ---- */
static bool same_members(const struct slot *slot, const struct group *group) {
    return slot->group->size == group->size &&
           memcmp(slot->group->members, group->members, (size_t)group->size * sizeof(int)) == 0;
}

void subgroup_enter(struct call_data *call, const struct group *group, const char *word) {
    struct slot *slot = subgroup_slots;
    int key = call->comm ? call->comm->context->id : -1;
    call->index = group_index(group, call->process->rank);
    for (; slot; slot = slot->next)
        if (slot->key == key && slot->again == call->tag && !slot->calls[call->index] &&
            same_members(slot, group) && (!word || strcmp(slot->word, word) == 0))
            break;
    if (!slot) {
        slot = NEW(1, struct slot);
        struct group *kept = group_new(group->size);
        memcpy(kept->members, group->members, (size_t)group->size * sizeof(int));
        *slot = (struct slot){.key = key,
                              .again = call->tag,
                              .size = group->size,
                              .shape = call->shape,
                              .name = call->name,
                              .group = kept,
                              .word = word ? strdup(word) : NULL};
        slot->calls = NEW(group->size, struct call_data *);
        slot->made = NEW(group->size, struct context *);
        struct slot **end = &subgroup_slots;
        while (*end)
            end = &(*end)->next;
        *end = slot;
    }
    slot->calls[call->index] = call;
    slot->arrived++;
    call->slot = slot;
    construct_entered(call);
    happened();
}

/* Open MPI: any dead rank of the parent fails the call of members alone. */
static bool subgroup_ready(void *argument) {
    struct call_data *call = argument;
    if (construct_ready(call))
        return true;
    for (int i = 0; i < call->slot->size; i++)
        if (death_is_known(call->process->rank, call->slot->group->members[i]))
            call->error = MPIX_ERR_PROC_FAILED;
    if (call->comm && comm_has_dead(call->comm))
        call->error = MPIX_ERR_PROC_FAILED;
    return call->error != 0;
}

int subgroup_run(struct call_data *call) {
    if (!subgroup_ready(call))
        wait_for(
            subgroup_ready, call,
            (struct call){call->name, -1, call->tag, call->comm ? call->comm->context->id : -1});
    if (call->error) {
        leave(call);
        return call->error;
    }
    return construct_finish(call);
}
