// SPDX-License-Identifier: BSD-3-Clause
// Self-test of the lab, plain MPI: lab_probe [BYTES [ROUNDS]]. Every rank sends BYTES, ROUNDS
// times, to the next rank that lives on another node, and the card's counters are read around that.
// Prints
//   rank R node N host NAME target T
//   card N host NAME sent BYTES received BYTES expected SENT RECEIVED packets SENT RECEIVED resent
//   SEGMENTS
// where a node is the lowest rank that shares its memory, and the figures expected lack headers.
#include "lab_card.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct probe {
    int rank;
    int ranks;
    int *node_of; // of every rank: the lowest rank on its node
    int bytes;
    int rounds;
    char *out;
    char *in; // one message per rank that sends to us
    MPI_Request *requests;
};

static void *memory(size_t size) {
    void *got = calloc(size > 0 ? size : 1, 1);
    if (got == NULL) {
        fprintf(stderr, "lab_probe: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return got;
}

static int target_of(const struct probe *probe, int rank) {
    for (int step = 1; step < probe->ranks; step++) {
        int other = (rank + step) % probe->ranks;
        if (probe->node_of[other] != probe->node_of[rank])
            return other;
    }
    return -1;
}

static void exchange(struct probe *probe) {
    int count = 0;
    for (int rank = 0; rank < probe->ranks; rank++) {
        if (target_of(probe, rank) == probe->rank) {
            char *place = probe->in + (size_t)count * (size_t)probe->bytes;
            MPI_Irecv(place, probe->bytes, MPI_CHAR, rank, 0, MPI_COMM_WORLD,
                      &probe->requests[count++]);
        }
    }
    int target = target_of(probe, probe->rank);
    if (target >= 0)
        MPI_Isend(probe->out, probe->bytes, MPI_CHAR, target, 0, MPI_COMM_WORLD,
                  &probe->requests[count++]);
    MPI_Waitall(count, probe->requests, MPI_STATUSES_IGNORE);
}

static int find_nodes(struct probe *probe) {
    MPI_Comm node;
    int lowest = probe->rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, probe->rank, MPI_INFO_NULL, &node);
    MPI_Bcast(&lowest, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&lowest, 1, MPI_INT, probe->node_of, 1, MPI_INT, MPI_COMM_WORLD);
    return lowest;
}

static void report_card(const struct probe *probe, const char *host, struct lab_card used) {
    long long sent = 0;
    long long received = 0;
    for (int rank = 0; rank < probe->ranks; rank++) {
        int target = target_of(probe, rank);
        if (target < 0)
            continue;
        sent += probe->node_of[rank] == probe->rank;
        received += probe->node_of[target] == probe->rank;
    }
    long long each = (long long)probe->bytes * probe->rounds;
    printf("card %d host %s sent %lld received %lld expected %lld %lld packets %lld %lld "
           "resent %lld\n",
           probe->rank, host, used.sent_bytes, used.received_bytes, sent * each, received * each,
           used.sent_packets, used.received_packets, used.resent_segments);
}

int main(int count, char **words) {
    MPI_Init(&count, &words);
    struct probe probe = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &probe.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &probe.ranks);
    probe.bytes = count > 1 ? atoi(words[1]) : 1000;
    probe.rounds = count > 2 ? atoi(words[2]) : 1;
    if (probe.bytes < 0 || probe.rounds < 0) {
        fprintf(stderr, "lab_probe: bytes and rounds are not negative\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    probe.node_of = memory((size_t)probe.ranks * sizeof *probe.node_of);
    probe.out = memory((size_t)probe.bytes);
    probe.requests = memory(((size_t)probe.ranks + 1) * sizeof(MPI_Request));
    int node = find_nodes(&probe);
    size_t senders = 0;
    for (int rank = 0; rank < probe.ranks; rank++)
        senders += target_of(&probe, rank) == probe.rank;
    probe.in = memory(senders * (size_t)probe.bytes);
    memset(probe.out, probe.rank % 128, (size_t)probe.bytes);

    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    printf("rank %d node %d host %s target %d\n", probe.rank, node, host,
           target_of(&probe, probe.rank));

    struct lab_card before;
    struct lab_card after;
    MPI_Barrier(MPI_COMM_WORLD);
    int in_lab = lab_card_read(&before);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < probe.rounds; round++)
        exchange(&probe);
    MPI_Barrier(MPI_COMM_WORLD);
    if (in_lab && lab_card_read(&after) && node == probe.rank)
        report_card(&probe, host, lab_card_difference(after, before));

    free(probe.in);
    free(probe.requests);
    free(probe.out);
    free(probe.node_of);
    MPI_Finalize();
    return 0;
}
