/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/neighbor_order.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/short_axes.h"

struct lists {
    int32_t blocks;
    uint64_t axes; /* those that MPI confuses */
    MPI_Aint *send_counts, *send_places, *receive_counts, *receive_places;
    MPI_Datatype *types;
};

/* Which block to give in the place of another. */
static int32_t instead_of(const struct lists *lists, int32_t block) {
    return lists->axes >> (block / 2) & 1 ? block ^ 1 : block;
}

static int make_lists(MPI_Comm comm, struct lists *lists, void **memory) {
    int axes;
    PMPI_Cartdim_get(comm, &axes);
    lists->blocks = 2 * axes;
    int64_t numbers = INT64_C(4) * lists->blocks;
    MPI_Aint *room = caucus_array(
        numbers * (int64_t)sizeof *room + lists->blocks * (int64_t)sizeof *lists->types, 1);
    *memory = room;
    if (!room)
        return CAUCUS_NO_MEMORY;
    lists->send_counts = room;
    lists->send_places = room + lists->blocks;
    lists->receive_counts = room + 2 * lists->blocks;
    lists->receive_places = room + 3 * lists->blocks;
    lists->types = (MPI_Datatype *)(room + numbers);
    return CAUCUS_OK;
}

static void set(struct caucus_side *side, MPI_Aint *counts, MPI_Aint *places) {
    side->counts = (struct caucus_numbers){counts, CAUCUS_NUMBER_AINT};
    side->displacements = (struct caucus_numbers){places, CAUCUS_NUMBER_AINT};
}

static void order_lists(struct caucus_collective_call *call, struct lists *lists) {
    struct caucus_side *send = &call->send;
    for (int32_t i = 0; i < lists->blocks; i++) {
        int32_t given = instead_of(lists, i);
        lists->send_counts[i] = (MPI_Aint)caucus_number(&send->counts, given);
        lists->send_places[i] = (MPI_Aint)caucus_number(&send->displacements, given);
        if (call->collective == CAUCUS_NEIGHBOR_ALLTOALLW)
            lists->types[i] = send->types[given];
    }
    set(send, lists->send_counts, lists->send_places);
    if (call->collective == CAUCUS_NEIGHBOR_ALLTOALLW)
        send->types = lists->types;
}

/* Blocks of one length, as lists that say so. */
static void order_equal(struct caucus_collective_call *call, struct lists *lists) {
    MPI_Aint send = (MPI_Aint)call->send.count, receive = (MPI_Aint)call->receive.count;
    for (int32_t i = 0; i < lists->blocks; i++) {
        lists->send_counts[i] = send;
        lists->send_places[i] = instead_of(lists, i) * send;
        lists->receive_counts[i] = receive;
        lists->receive_places[i] = i * receive;
    }
    call->collective = CAUCUS_NEIGHBOR_ALLTOALLV;
    set(&call->send, lists->send_counts, lists->send_places);
    set(&call->receive, lists->receive_counts, lists->receive_places);
}

int caucus_neighbor_order(struct caucus_collective_call *call, void **memory) {
    struct lists lists = {0};
    if (caucus_exchanges_with_neighbors(call->collective))
        lists.axes = caucus_confused_axes(call->comm);
    if (!lists.axes)
        return CAUCUS_OK;
    int status = make_lists(call->comm, &lists, memory);
    if (!status && call->collective == CAUCUS_NEIGHBOR_ALLTOALL)
        order_equal(call, &lists);
    else if (!status)
        order_lists(call, &lists);
    return status;
}
