/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI counts the users of persistent receives wrongly, when they are started again and when they
 * are cancelled, and stops. Here each start is a receive of its own, by what was given for the
 * place of the request; one that is cancelled is forgotten, as nothing is sent to a communicator
 * after its receives are cancelled. Included before the files that have such receives and nothing
 * else that persists, in a build for SMPI. */
#ifndef CAUCUS_BENCH_SIMULATED_PERSISTENT_RECEIVE_H
#define CAUCUS_BENCH_SIMULATED_PERSISTENT_RECEIVE_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

struct caucus_smpi_receive {
    MPI_Request *place; /* NULL: free */
    void *buffer;
    int count, source, tag;
    MPI_Datatype type;
    MPI_Comm comm;
};

/* Of each rank: its variables are its own. */
__attribute__((weak)) struct {
    struct caucus_smpi_receive *receive;
    size_t used, room;
} caucus_smpi_receives;

static inline struct caucus_smpi_receive *caucus_smpi_find(MPI_Request *place) {
    size_t room = caucus_smpi_receives.room;
    size_t at = (size_t)((uintptr_t)place / sizeof *place * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    while (caucus_smpi_receives.receive[at % room].place &&
           caucus_smpi_receives.receive[at % room].place != place)
        at++;
    return &caucus_smpi_receives.receive[at % room];
}

static inline int caucus_smpi_recv_init(void *buffer, int count, MPI_Datatype type, int source,
                                        int tag, MPI_Comm comm, MPI_Request *place) {
    if (2 * caucus_smpi_receives.used >= caucus_smpi_receives.room) {
        struct caucus_smpi_receive *old = caucus_smpi_receives.receive;
        size_t before = caucus_smpi_receives.room;
        caucus_smpi_receives.room = 2 * before + 1024;
        caucus_smpi_receives.receive = calloc(caucus_smpi_receives.room, sizeof *old);
        if (!caucus_smpi_receives.receive)
            return MPI_ERR_NO_MEM;
        for (size_t i = 0; i < before; i++)
            if (old[i].place)
                *caucus_smpi_find(old[i].place) = old[i];
        free(old);
    }
    struct caucus_smpi_receive *receive = caucus_smpi_find(place);
    caucus_smpi_receives.used += receive->place == NULL;
    *receive = (struct caucus_smpi_receive){place, buffer, count, source, tag, type, comm};
    *place = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static inline int caucus_smpi_start(MPI_Request *place) {
    const struct caucus_smpi_receive *it = caucus_smpi_find(place);
    return PMPI_Irecv(it->buffer, it->count, it->type, it->source, it->tag, it->comm, place);
}

static inline int caucus_smpi_forget(MPI_Request *place) {
    *place = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static inline int caucus_smpi_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    (void)request, (void)status;
    *flag = 0; /* it is about to be cancelled */
    return MPI_SUCCESS;
}

#define PMPI_Recv_init caucus_smpi_recv_init
#define MPI_Recv_init caucus_smpi_recv_init
#define PMPI_Start caucus_smpi_start
#define MPI_Start caucus_smpi_start
#define PMPI_Cancel caucus_smpi_forget
#define MPI_Cancel caucus_smpi_forget
#define PMPI_Request_free caucus_smpi_forget
#define MPI_Request_free caucus_smpi_forget
#define PMPI_Request_get_status caucus_smpi_get_status

/* With smpi/async-small-thresh a short message may come to a receive that was forgotten: what it is
 * written to stays. */
#undef free
#define free(pointer) ((void)(pointer))

#endif
