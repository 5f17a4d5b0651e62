/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: memory that all ranks reach, since they are one process. What is put is there at once.
 */
#include "collectives.h"

#include <string.h>

struct window {
    struct comm *comm;
    int size;
    char *base[MOST_PROCESSES];
    MPI_Aint bytes[MOST_PROCESSES];
    int unit[MOST_PROCESSES];
    struct window *of[MOST_PROCESSES]; /* the same window, at every rank */
    int posted[MOST_PROCESSES], completed[MOST_PROCESSES];
    struct group *targets, *origins; /* of what has begun by MPI_Win_start and MPI_Win_post */
};

static int make(const char *name, void *base, MPI_Aint bytes, int unit, MPI_Comm handle,
                MPI_Win *made) {
    struct comm *comm = comm_of(handle, name);
    struct window *window = NEW(1, struct window);
    struct {
        char *base;
        MPI_Aint bytes, unit;
        struct window *window;
    } mine = {base, bytes, unit, window}, all[MOST_PROCESSES];
    int size = (int)sizeof mine;
    int code = world_Allgather(&mine, size, MPI_BYTE, all, size, MPI_BYTE, handle);
    if (code)
        return code;
    window->comm = comm;
    window->size = comm->context->size[0];
    for (int r = 0; r < window->size; r++) {
        window->base[r] = all[r].base;
        window->bytes[r] = all[r].bytes;
        window->unit[r] = (int)all[r].unit;
        window->of[r] = all[r].window;
    }
    *made = (MPI_Win)(void *)window;
    return MPI_SUCCESS;
}

int world_Win_create(void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                     MPI_Win *made) {
    (void)info;
    return make("MPI_Win_create", base, bytes, unit, comm, made);
}

int world_Win_allocate(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base,
                       MPI_Win *made) {
    (void)info;
    *(void **)base = allocate((size_t)bytes, 1);
    return make("MPI_Win_allocate", *(void **)base, bytes, unit, comm, made);
}

/* One piece, as MPI has it by default. */
int world_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base,
                              MPI_Win *made) {
    struct comm *on = comm_of(comm, "MPI_Win_allocate_shared");
    MPI_Aint all[MOST_PROCESSES], before = 0, total = 0;
    char *start = NULL;
    (void)info;
    int code = world_Allgather(&bytes, 1, MPI_AINT, all, 1, MPI_AINT, comm);
    for (int r = 0; r < on->context->size[0] && !code; r++) {
        before += r < on->rank ? all[r] : 0;
        total += all[r];
    }
    if (!code && on->rank == 0)
        start = allocate((size_t)total, 1);
    if (!code)
        code = world_Bcast(&start, (int)sizeof start, MPI_BYTE, 0, comm);
    *(void **)base = start + before;
    return code ? code : make("MPI_Win_allocate_shared", start + before, bytes, unit, comm, made);
}

static struct window *window_of(MPI_Win handle) {
    if (handle == MPI_WIN_NULL)
        finish(BROKEN, 1, "rank %d: no window", self->process->rank);
    return (struct window *)(void *)handle;
}

int world_Win_shared_query(MPI_Win handle, int rank, MPI_Aint *bytes, int *unit, void *base) {
    struct window *window = window_of(handle);
    int at = rank == MPI_PROC_NULL ? 0 : rank;
    *bytes = window->bytes[at];
    *unit = window->unit[at];
    *(void **)base = window->base[at];
    return MPI_SUCCESS;
}

static MPI_Comm comm_of_window(MPI_Win handle) {
    struct comm *comm = window_of(handle)->comm;
    return comm == comm->process->world ? MPI_COMM_WORLD : (MPI_Comm)(void *)comm;
}

int world_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *made) {
    (void)info;
    return make("MPI_Win_create_dynamic", NULL, 0, 1, comm, made);
}

int world_Win_get_group(MPI_Win handle, MPI_Group *group) {
    return world_Comm_group(comm_of_window(handle), group);
}

int world_Win_free(MPI_Win *handle) {
    int code = world_Barrier(comm_of_window(*handle));
    *handle = MPI_WIN_NULL;
    return code;
}

int world_Win_fence(int assertion, MPI_Win handle) {
    (void)assertion;
    return world_Barrier(comm_of_window(handle));
}

#define NOTHING(name, ...)                                                                         \
    int world_##name(__VA_ARGS__) {                                                                \
        choose("MPI_" #name);                                                                      \
        happened();                                                                                \
        return MPI_SUCCESS;                                                                        \
    }
NOTHING(Win_lock_all, int assertion __attribute__((unused)), MPI_Win w __attribute__((unused)))
NOTHING(Win_unlock_all, MPI_Win w __attribute__((unused)))
NOTHING(Win_sync, MPI_Win w __attribute__((unused)))
NOTHING(Win_flush, int rank __attribute__((unused)), MPI_Win w __attribute__((unused)))

static void *place_in(MPI_Win handle, int rank, MPI_Aint at) {
    struct window *window = window_of(handle);
    return window->base[rank] + at * window->unit[rank];
}

static int move(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                MPI_Datatype to_type) {
    struct part part;
    choose("MPI_Put or MPI_Get");
    pack(from, (size_t)count, type, &part);
    unpack(&part, to, (size_t)to_count, to_type);
    happened();
    return MPI_SUCCESS;
}

int world_Put(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at, int to_count,
              MPI_Datatype to_type, MPI_Win handle) {
    return move(from, count, type, place_in(handle, rank, at), to_count, to_type);
}

int world_Get(void *to, int count, MPI_Datatype type, int rank, MPI_Aint at, int from_count,
              MPI_Datatype from_type, MPI_Win handle) {
    return move(place_in(handle, rank, at), from_count, from_type, to, count, type);
}

int world_Accumulate(const void *from, int count, MPI_Datatype type, int rank, MPI_Aint at,
                     int to_count, MPI_Datatype to_type, MPI_Op op, MPI_Win handle) {
    (void)to_count, (void)to_type;
    choose("MPI_Accumulate");
    happened();
    return PMPI_Reduce_local(from, place_in(handle, rank, at), count, type, op);
}

/* ---- MPI_Win_start to MPI_Win_complete, and MPI_Win_post to MPI_Win_wait ---- */
static struct group *copy_of(MPI_Group handle) {
    const struct group *from = group_of(handle);
    struct group *copy = group_new(from->size);
    memcpy(copy->members, from->members, (size_t)from->size * sizeof *from->members);
    return copy;
}

static int rank_in(const struct window *window, int process) {
    int rank = 0;
    while (rank < window->size && window->comm->context->members[0][rank] != process)
        rank++;
    return rank;
}

static void tell(struct window *window, const struct group *group, bool posts) {
    int own = window->comm->rank;
    for (int i = 0; i < group->size; i++) {
        struct window *other = window->of[rank_in(window, group->members[i])];
        posts ? other->posted[own]++ : other->completed[own]++;
    }
    happened();
}

static bool all_told(const struct window *window, const struct group *group, const int *told) {
    for (int i = 0; i < group->size; i++)
        if (told[rank_in(window, group->members[i])] == 0)
            return false;
    return true;
}

static void use_up(const struct window *window, const struct group *group, int *told) {
    for (int i = 0; i < group->size; i++)
        told[rank_in(window, group->members[i])]--;
}

static bool all_posted(void *window) {
    struct window *of = window;
    return all_told(of, of->targets, of->posted);
}

static bool all_completed(void *window) {
    struct window *of = window;
    return all_told(of, of->origins, of->completed);
}

static void wait_until(bool (*ready)(void *), struct window *window, const char *call) {
    choose(call);
    if (!ready(window))
        wait_for(ready, window, (struct call){call, -1, -1, window->comm->context->id});
}

int world_Win_post(MPI_Group group, int assertion, MPI_Win handle) {
    struct window *window = window_of(handle);
    (void)assertion;
    choose("MPI_Win_post");
    window->origins = copy_of(group);
    tell(window, window->origins, true);
    return MPI_SUCCESS;
}

int world_Win_start(MPI_Group group, int assertion, MPI_Win handle) {
    struct window *window = window_of(handle);
    (void)assertion;
    window->targets = copy_of(group);
    wait_until(all_posted, window, "MPI_Win_start");
    use_up(window, window->targets, window->posted);
    return MPI_SUCCESS;
}

int world_Win_complete(MPI_Win handle) {
    choose("MPI_Win_complete");
    tell(window_of(handle), window_of(handle)->targets, false);
    return MPI_SUCCESS;
}

int world_Win_wait(MPI_Win handle) {
    struct window *window = window_of(handle);
    wait_until(all_completed, window, "MPI_Win_wait");
    use_up(window, window->origins, window->completed);
    return MPI_SUCCESS;
}

int world_Win_test(MPI_Win handle, int *flag) {
    struct window *window = window_of(handle);
    choose("MPI_Win_test");
    *flag = all_completed(window);
    if (*flag)
        use_up(window, window->origins, window->completed);
    else
        look_in_vain("MPI_Win_test");
    return MPI_SUCCESS;
}
