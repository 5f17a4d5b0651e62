/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups, communicators, their attributes and error handlers: handles of the world's own. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMM = 0x636f6d6d, GROUP = 0x67726f75 };

struct keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
};
enum { FIRST_KEY = 1000, MOST_KEYS = 4096 };
static struct keyval keys[MOST_KEYS];
static int key_count;

struct attribute {
    int key;
    void *value;
    struct attribute *next;
};

/* ---- groups ---- */
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

static MPI_Group group_of_members(int size, const int *members) {
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

/* ---- communicators ---- */
struct context *context_new_inter(int size0, const int *members0, int size1, const int *members1) {
    static int last;
    struct context *context = NEW(1, struct context);
    const int sizes[] = {size0, size1}, *members[] = {members0, members1};
    context->id = last++;
    context->inter = members1 != NULL;
    for (int side = 0; side < 2; side++) {
        context->size[side] = sizes[side];
        context->members[side] = allocate((size_t)sizes[side], sizeof(int));
        if (sizes[side] > 0)
            memcpy(context->members[side], members[side], (size_t)sizes[side] * sizeof(int));
    }
    return context;
}

struct context *context_new(int size, const int *members) {
    return context_new_inter(size, members, 0, NULL);
}

struct comm *comm_new(struct process *process, struct context *context, int side, int rank) {
    struct comm *comm = NEW(1, struct comm);
    comm->magic = COMM;
    comm->process = process;
    comm->context = context;
    comm->side = side;
    comm->rank = rank;
    comm->handler = MPI_ERRORS_ARE_FATAL;
    comm->references = 1;
    process->comms++;
    return comm;
}

struct comm *comm_of(MPI_Comm handle, const char *call) {
    struct comm *comm = (struct comm *)(void *)handle;
    if (!self->process->initialized && handle == MPI_COMM_WORLD)
        finish(BROKEN, 1, "rank %d: %s before MPI_Init", self->process->rank, call);
    if (handle == MPI_COMM_WORLD)
        return self->process->world;
    if (handle == MPI_COMM_SELF)
        return self->process->self;
    if (handle == MPI_COMM_NULL || !comm || comm->magic != COMM) {
        if (handle != MPI_COMM_NULL && comm)
            note_event("rank %d: %s on what is no communicator", self->process->rank, call);
        return NULL;
    }
    if (comm->process != self->process)
        finish(BROKEN, 1, "rank %d: %s on a communicator of rank %d", self->process->rank, call,
               comm->process->rank);
    if (comm->freed)
        finish(BROKEN, 1, "rank %d: %s on a communicator that was freed", self->process->rank,
               call);
    return comm;
}

static MPI_Comm handle_of(struct comm *comm) {
    if (comm == comm->process->world)
        return MPI_COMM_WORLD;
    return comm == comm->process->self ? MPI_COMM_SELF : (MPI_Comm)(void *)comm;
}

int comm_peers(const struct comm *comm) {
    return comm->context->size[comm->context->inter ? !comm->side : 0];
}

int comm_process(const struct comm *comm, int peer) {
    return comm->context->members[comm->context->inter ? !comm->side : 0][peer];
}

#define COMM_OR_ERROR(name, handle)                                                                \
    struct comm *name = comm_of(handle, __func__);                                                 \
    if (!name)                                                                                     \
    return comm_error(NULL, MPI_ERR_COMM)

int world_Comm_rank(MPI_Comm handle, int *rank) {
    COMM_OR_ERROR(comm, handle);
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int world_Comm_size(MPI_Comm handle, int *size) {
    COMM_OR_ERROR(comm, handle);
    *size = comm->context->size[comm->side];
    return MPI_SUCCESS;
}

int world_Comm_remote_size(MPI_Comm handle, int *size) {
    COMM_OR_ERROR(comm, handle);
    if (!comm->context->inter)
        return comm_error(comm, MPI_ERR_COMM);
    *size = comm->context->size[!comm->side];
    return MPI_SUCCESS;
}

int world_Comm_test_inter(MPI_Comm handle, int *flag) {
    COMM_OR_ERROR(comm, handle);
    *flag = comm->context->inter;
    return MPI_SUCCESS;
}

int world_Comm_group(MPI_Comm handle, MPI_Group *group) {
    COMM_OR_ERROR(comm, handle);
    *group = group_of_members(comm->context->size[comm->side], comm->context->members[comm->side]);
    return MPI_SUCCESS;
}

int world_Comm_remote_group(MPI_Comm handle, MPI_Group *group) {
    COMM_OR_ERROR(comm, handle);
    if (!comm->context->inter)
        return comm_error(comm, MPI_ERR_COMM);
    *group =
        group_of_members(comm->context->size[!comm->side], comm->context->members[!comm->side]);
    return MPI_SUCCESS;
}

int world_Comm_compare(MPI_Comm a, MPI_Comm b, int *result) {
    COMM_OR_ERROR(one, a);
    COMM_OR_ERROR(other, b);
    if (one == other) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    *result = one->context->inter == other->context->inter ? MPI_CONGRUENT : MPI_UNEQUAL;
    for (int side = 0; side < 2 && *result != MPI_UNEQUAL; side++) {
        MPI_Group mine = group_of_members(one->context->size[side], one->context->members[side]);
        MPI_Group theirs =
            group_of_members(other->context->size[side], other->context->members[side]);
        int same;
        world_Group_compare(mine, theirs, &same);
        if (same == MPI_UNEQUAL || (same == MPI_SIMILAR && *result == MPI_CONGRUENT))
            *result = same;
        world_Group_free(&mine);
        world_Group_free(&theirs);
    }
    return MPI_SUCCESS;
}

int world_Comm_free(MPI_Comm *handle) {
    COMM_OR_ERROR(comm, *handle);
    if (*handle == MPI_COMM_WORLD || *handle == MPI_COMM_SELF)
        return comm_error(comm, MPI_ERR_COMM);
    choose("MPI_Comm_free");
    comm_delete_attributes(comm);
    comm->freed = true;
    comm->process->comms--;
    happened();
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int world_Comm_disconnect(MPI_Comm *handle) {
    return world_Comm_free(handle);
}

int world_Comm_set_name(MPI_Comm handle, const char *name) {
    COMM_OR_ERROR(comm, handle);
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return MPI_SUCCESS;
}

int world_Comm_get_name(MPI_Comm handle, char *name, int *length) {
    COMM_OR_ERROR(comm, handle);
    *length = snprintf(name, MPI_MAX_OBJECT_NAME, "%s", comm->name);
    return MPI_SUCCESS;
}

int world_Comm_set_info(MPI_Comm handle, MPI_Info info) {
    COMM_OR_ERROR(comm, handle);
    (void)comm, (void)info;
    return MPI_SUCCESS;
}

int world_Comm_get_parent(MPI_Comm *parent) {
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- attributes ---- */
int world_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                             MPI_Comm_delete_attr_function *delete, int *key, void *extra) {
    if (key_count == MOST_KEYS)
        finish(BROKEN, 1, "more than %d keys", MOST_KEYS);
    keys[key_count] = (struct keyval){copy, delete, extra};
    *key = FIRST_KEY + key_count++;
    return MPI_SUCCESS;
}

int world_Comm_free_keyval(int *key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static struct attribute **find_attribute(struct comm *comm, int key) {
    struct attribute **place = &comm->attributes;
    while (*place && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

int world_Comm_get_attr(MPI_Comm handle, int key, void *value, int *flag) {
    static int tag_bound = 0x7fffffff, universe, failures = 1, own_code = MPI_ERR_LASTCODE;
    COMM_OR_ERROR(comm, handle);
    universe = settings.ranks;
    *flag = 1;
    if (key == MPI_TAG_UB)
        *(void **)value = &tag_bound;
    else if (key == MPI_UNIVERSE_SIZE)
        *(void **)value = &universe;
    else if (key == MPIX_FT)
        *(void **)value = &failures;
    else if (key == MPI_LASTUSEDCODE)
        *(void **)value = &own_code;
    else if (key < FIRST_KEY) {
        *flag = 0;
    } else {
        struct attribute *found = *find_attribute(comm, key);
        *flag = found != NULL;
        if (found)
            *(void **)value = found->value;
    }
    return MPI_SUCCESS;
}

static int delete_attribute(struct comm *comm, struct attribute **place) {
    struct attribute *gone = *place;
    struct keyval *keyval = &keys[gone->key - FIRST_KEY];
    *place = gone->next;
    int code = MPI_SUCCESS;
    if (keyval->delete && keyval->delete != MPI_COMM_NULL_DELETE_FN)
        code = keyval->delete (handle_of(comm), gone->key, gone->value, keyval->extra);
    free(gone);
    return code;
}

int world_Comm_delete_attr(MPI_Comm handle, int key) {
    COMM_OR_ERROR(comm, handle);
    struct attribute **place = find_attribute(comm, key);
    return *place ? delete_attribute(comm, place) : comm_error(comm, MPI_ERR_KEYVAL);
}

int world_Comm_set_attr(MPI_Comm handle, int key, void *value) {
    COMM_OR_ERROR(comm, handle);
    struct attribute **place = find_attribute(comm, key);
    if (*place)
        delete_attribute(comm, place);
    struct attribute *made = NEW(1, struct attribute);
    *made = (struct attribute){key, value, comm->attributes};
    comm->attributes = made;
    return MPI_SUCCESS;
}

void comm_delete_attributes(struct comm *comm) {
    while (comm->attributes)
        delete_attribute(comm, &comm->attributes);
}

int comm_copy_attributes(struct comm *from, struct comm *to) {
    for (struct attribute *one = from->attributes; one; one = one->next) {
        struct keyval *keyval = &keys[one->key - FIRST_KEY];
        void *value = one->value;
        int flag = 0, code = MPI_SUCCESS;
        if (keyval->copy == MPI_COMM_DUP_FN)
            flag = 1;
        else if (keyval->copy && keyval->copy != MPI_COMM_NULL_COPY_FN)
            code = keyval->copy(handle_of(from), one->key, keyval->extra, one->value, &value,
                                &flag);
        if (code)
            return code;
        if (flag)
            world_Comm_set_attr((MPI_Comm)(void *)to, one->key, value);
    }
    return MPI_SUCCESS;
}

/* ---- error handlers ---- */
int world_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
    MPI_Comm_errhandler_function **box = (MPI_Comm_errhandler_function **)allocate(1, sizeof *box);
    *box = function;
    *made = (MPI_Errhandler)(void *)box;
    return MPI_SUCCESS;
}

int world_Errhandler_free(MPI_Errhandler *handler) {
    *handler = MPI_ERRHANDLER_NULL; /* communicators may have it still */
    return MPI_SUCCESS;
}

int world_Comm_set_errhandler(MPI_Comm handle, MPI_Errhandler handler) {
    COMM_OR_ERROR(comm, handle);
    comm->handler = handler;
    return MPI_SUCCESS;
}

int world_Comm_get_errhandler(MPI_Comm handle, MPI_Errhandler *handler) {
    COMM_OR_ERROR(comm, handle);
    *handler = comm->handler;
    return MPI_SUCCESS;
}

/* Errors without a communicator go to the handler of MPI_COMM_WORLD. */
int comm_error(struct comm *comm, int code) {
    if (code == MPI_SUCCESS)
        return code;
    if (!comm)
        comm = self->process->world;
    note_event("rank %d: error %d from %s", self->process->rank, code, self->call.name);
    if (comm->handler == MPI_ERRORS_RETURN)
        return code;
    if (comm->handler == MPI_ERRORS_ARE_FATAL || comm->handler == MPI_ERRORS_ABORT) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        PMPI_Error_string(code, text, &length);
        finish(ABORTED, code, "rank %d: fatal error %d (%s), last call %s", self->process->rank,
               code, text, self->call.name);
    }
    MPI_Comm handle = handle_of(comm);
    (*(MPI_Comm_errhandler_function **)(void *)comm->handler)(&handle, &code);
    return code;
}

int world_Comm_call_errhandler(MPI_Comm handle, int code) {
    COMM_OR_ERROR(comm, handle);
    comm_error(comm, code);
    return MPI_SUCCESS;
}
