/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: members by their ranks in MPI_COMM_WORLD. */
#include "world.h"

#include <stdlib.h>

enum { GROUP = 0x67726f75 };

struct group *group_new(int size) {
    struct group *group = allocate(1, sizeof *group + (size_t)size * sizeof(int));
    group->magic = GROUP;
    group->size = size;
    return group;
}

static struct group *empty_group(void) {
    static struct group *empty;
    return empty ? empty : (empty = group_new(0));
}

struct group *group_of(MPI_Group handle) {
    struct group *group = (struct group *)(void *)handle;
    must_be_open("a call on a group");
    if (handle == MPI_GROUP_EMPTY)
        return empty_group();
    if (handle == MPI_GROUP_NULL || !group || group->magic != GROUP)
        return NULL;
    return group;
}

int group_index(const struct group *group, int process) {
    for (int i = 0; i < group->size; i++)
        if (group->members[i] == process)
            return i;
    return MPI_UNDEFINED;
}

static MPI_Group give(struct group *group) {
    if (group->size > 0)
        return (MPI_Group)(void *)group;
    free(group);
    return MPI_GROUP_EMPTY;
}

MPI_Group group_of_members(int size, const int *members) {
    struct group *group = group_new(size);
    for (int i = 0; i < size; i++)
        group->members[i] = members[i];
    return give(group);
}

#define GROUP_OR_ERROR(name, handle)                                                               \
    struct group *name = group_of(handle);                                                         \
    if (!name)                                                                                     \
    return comm_error(NULL, MPI_ERR_GROUP)

int world_Group_size(MPI_Group handle, int *size) {
    GROUP_OR_ERROR(group, handle);
    *size = group->size;
    return MPI_SUCCESS;
}

int world_Group_rank(MPI_Group handle, int *rank) {
    GROUP_OR_ERROR(group, handle);
    *rank = group_index(group, self->process->rank);
    return MPI_SUCCESS;
}

int world_Group_free(MPI_Group *handle) {
    GROUP_OR_ERROR(group, *handle);
    if (*handle != MPI_GROUP_EMPTY) {
        group->magic = 0;
        free(group);
    }
    *handle = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int world_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to,
                                int translated[]) {
    GROUP_OR_ERROR(one, from);
    GROUP_OR_ERROR(other, to);
    for (int i = 0; i < count; i++) {
        if (ranks[i] == MPI_PROC_NULL) {
            translated[i] = MPI_PROC_NULL;
            continue;
        }
        if (ranks[i] < 0 || ranks[i] >= one->size)
            return comm_error(NULL, MPI_ERR_RANK);
        translated[i] = group_index(other, one->members[ranks[i]]);
    }
    return MPI_SUCCESS;
}

int world_Group_incl(MPI_Group handle, int count, const int ranks[], MPI_Group *made) {
    GROUP_OR_ERROR(group, handle);
    struct group *chosen = group_new(count);
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= group->size)
            return comm_error(NULL, MPI_ERR_RANK);
        chosen->members[i] = group->members[ranks[i]];
    }
    *made = give(chosen);
    return MPI_SUCCESS;
}

/* Those of `one` that are, or are not, in `other`; then, for a union, the rest of `other`. */
static MPI_Group combine(const struct group *one, const struct group *other, bool within,
                         bool without, bool rest) {
    struct group *made = group_new(one->size + other->size);
    made->size = 0;
    for (int i = 0; i < one->size; i++) {
        bool is_in = group_index(other, one->members[i]) != MPI_UNDEFINED;
        if (is_in ? within : without)
            made->members[made->size++] = one->members[i];
    }
    for (int i = 0; rest && i < other->size; i++)
        if (group_index(one, other->members[i]) == MPI_UNDEFINED)
            made->members[made->size++] = other->members[i];
    return give(made);
}

int world_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made) {
    GROUP_OR_ERROR(one, a);
    GROUP_OR_ERROR(other, b);
    *made = combine(one, other, true, true, true);
    return MPI_SUCCESS;
}

int world_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made) {
    GROUP_OR_ERROR(one, a);
    GROUP_OR_ERROR(other, b);
    *made = combine(one, other, true, false, false);
    return MPI_SUCCESS;
}

int world_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made) {
    GROUP_OR_ERROR(one, a);
    GROUP_OR_ERROR(other, b);
    *made = combine(one, other, false, true, false);
    return MPI_SUCCESS;
}

int world_Group_excl(MPI_Group handle, int count, const int ranks[], MPI_Group *made) {
    MPI_Group out;
    int code = world_Group_incl(handle, count, ranks, &out);
    if (code == MPI_SUCCESS)
        code = world_Group_difference(handle, out, made);
    return code;
}

int world_Group_range_incl(MPI_Group handle, int count, int ranges[][3], MPI_Group *made) {
    int ranks[MOST_PROCESSES], chosen = 0;
    for (int i = 0; i < count; i++)
        for (int r = ranges[i][0]; ranges[i][2] > 0 ? r <= ranges[i][1] : r >= ranges[i][1];
             r += ranges[i][2])
            ranks[chosen++] = r;
    return world_Group_incl(handle, chosen, ranks, made);
}

int world_Group_compare(MPI_Group a, MPI_Group b, int *result) {
    GROUP_OR_ERROR(one, a);
    GROUP_OR_ERROR(other, b);
    *result = one->size == other->size ? MPI_IDENT : MPI_UNEQUAL;
    for (int i = 0; i < one->size && *result != MPI_UNEQUAL; i++)
        if (one->members[i] != other->members[i])
            *result =
                group_index(other, one->members[i]) == MPI_UNDEFINED ? MPI_UNEQUAL : MPI_SIMILAR;
    return MPI_SUCCESS;
}
