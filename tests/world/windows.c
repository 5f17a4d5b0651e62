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
};

static int make(const char *name, void *base, MPI_Aint bytes, int unit, MPI_Comm handle,
                MPI_Win *made) {
    struct comm *comm = comm_of(handle, name);
    struct window *window = NEW(1, struct window);
    struct {
        char *base;
        MPI_Aint bytes, unit;
    } mine = {base, bytes, unit}, all[MOST_PROCESSES];
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
