/* SPDX-License-Identifier: BSD-3-Clause */
/* Each edge goes to the rank that it leaves and to the one that it enters: what MPI does in
 * MPI_Dist_graph_create, which MPICH 5.0.2 never returns from on several nodes. */
#include "base/memory.h"
#include "base/status.h"
#include "run/graph/role_edges.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>

/* Pairs of numbers, the other end and the weight, on their way to the ranks whose edges they are.
 */
struct delivery {
    const struct caucus_attachment *attachment;
    int *counts; /* four times [size]: sent to each rank, where these begin, the same received */
    int *sent, *received;
    int total; /* received */
};

static int make_room(struct delivery *delivery, int edges) {
    delivery->counts = caucus_array(4 * (int64_t)delivery->attachment->size, sizeof(int));
    delivery->sent = caucus_array(2 * (int64_t)edges, sizeof(int));
    return delivery->counts && delivery->sent ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static void sort_edges(struct delivery *delivery, int edges, const int *owner, const int *other,
                       const int *weight) {
    int size = delivery->attachment->size, begin = 0;
    int *count = delivery->counts, *place = delivery->counts + size;
    for (int i = 0; i < edges; i++)
        count[owner[i]] += 2;
    for (int rank = 0; rank < size; begin += count[rank++])
        place[rank] = begin;
    for (int i = 0; i < edges; i++) {
        int at = place[owner[i]];
        delivery->sent[at] = other[i];
        delivery->sent[at + 1] = weight ? weight[i] : 1;
        place[owner[i]] += 2;
    }
    for (int rank = 0; rank < size; rank++)
        place[rank] -= count[rank];
}

static int prepare_to_receive(struct delivery *delivery) {
    int size = delivery->attachment->size;
    int *count = delivery->counts + 2 * (size_t)size, *place = count + size;
    int64_t sum = 0;
    for (int rank = 0; rank < size; sum += count[rank++])
        place[rank] = sum < INT_MAX ? (int)sum : 0;
    if (sum > INT_MAX)
        return caucus_fail(CAUCUS_NO_MEMORY, "a rank has %lld edges", (long long)sum / 2);
    delivery->total = (int)sum;
    delivery->received = caucus_array(sum, sizeof(int));
    return delivery->received ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

static int deliver(struct delivery *delivery, int edges, const int *owner, const int *other,
                   const int *weight) {
    const struct caucus_attachment *attachment = delivery->attachment;
    int size = attachment->size, status = make_room(delivery, edges);
    if (!status)
        sort_edges(delivery, edges, owner, other, weight);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (status)
        return status;
    int *count = delivery->counts, *expected = count + 2 * (size_t)size;
    status = caucus_mpi_status(
        PMPI_Alltoall(count, 1, MPI_INT, expected, 1, MPI_INT, attachment->comm), "MPI_Alltoall");
    if (!status)
        status = prepare_to_receive(delivery);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = caucus_mpi_status(PMPI_Alltoallv(delivery->sent, count, count + size, MPI_INT,
                                                  delivery->received, expected, expected + size,
                                                  MPI_INT, attachment->comm),
                                   "MPI_Alltoallv");
    return status;
}

static void delivery_free(struct delivery *delivery) {
    free(delivery->counts);
    free(delivery->sent);
    free(delivery->received);
}

static void take_apart(const struct delivery *delivery, int *other, int *weight) {
    for (int i = 0; i < delivery->total / 2; i++) {
        other[i] = delivery->received[2 * (size_t)i];
        weight[i] = delivery->received[2 * (size_t)i + 1];
    }
}

int caucus_role_edges_assemble(const struct caucus_attachment *attachment,
                               const struct caucus_edge_list *edges, bool weighted,
                               struct caucus_role_edges *neighbors) {
    struct delivery in = {.attachment = attachment}, out = {.attachment = attachment};
    int status = deliver(&in, edges->count, edges->to, edges->from, edges->weight);
    status = caucus_agree(&attachment->peers, status, 0, NULL); /* MPI may fail on one rank */
    if (!status)
        status = deliver(&out, edges->count, edges->from, edges->to, edges->weight);
    if (!status)
        status = caucus_role_edges_init(neighbors, in.total / 2, out.total / 2, weighted);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status) {
        take_apart(&in, neighbors->sources, neighbors->source_weights);
        take_apart(&out, neighbors->destinations, neighbors->destination_weights);
    }
    delivery_free(&in);
    delivery_free(&out);
    return status;
}
