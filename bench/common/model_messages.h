/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages cost between two ranks, and between two nodes. Collective over the communicator;
 * ranks that take no part wait. All get the figures of the first of the two ranks. */
#ifndef CAUCUS_BENCH_MODEL_MESSAGES_H
#define CAUCUS_BENCH_MODEL_MESSAGES_H

#include "run/attachment/attach.h"
#include "sample.h"

enum {
    SHORT_BYTES = 1,
    LONG_BYTES = 1 << 20,
    MEDIUM_BYTES = 1 << 18,
    BURST = 32,
    CARD_MESSAGES = 16
};

struct message_figures {
    double latency, byte, overhead;
};

/* Half a round trip between this rank and peer; the median of several. */
static inline double ping(MPI_Comm comm, int peer, int first, char *data, int bytes, int trips) {
    struct sample sample = {0};
    for (int i = 0; i < trips; i++) {
        double begin = MPI_Wtime();
        if (first)
            MPI_Send(data, bytes, MPI_BYTE, peer, 0, comm);
        MPI_Recv(data, bytes, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE);
        if (!first)
            MPI_Send(data, bytes, MPI_BYTE, peer, 0, comm);
        sample_add(&sample, 0.5 * (MPI_Wtime() - begin));
    }
    return sample_median(&sample);
}

/* The processor's time for a short send whose receive is posted. */
static inline double burst(MPI_Comm comm, int peer, int first, char *data, int repetitions) {
    struct sample sample = {0};
    for (int repetition = 0; repetition < repetitions; repetition++) {
        MPI_Request requests[BURST];
        int token = 0;
        if (!first)
            for (int i = 0; i < BURST; i++)
                MPI_Irecv(data + i, 1, MPI_BYTE, peer, 1, comm, &requests[i]);
        MPI_Sendrecv(&token, 1, MPI_INT, peer, 2, &token, 1, MPI_INT, peer, 2, comm,
                     MPI_STATUS_IGNORE);
        double begin = MPI_Wtime();
        if (first)
            for (int i = 0; i < BURST; i++)
                MPI_Isend(data, 1, MPI_BYTE, peer, 1, comm, &requests[i]);
        sample_add(&sample, (MPI_Wtime() - begin) / BURST);
        MPI_Waitall(BURST, requests, MPI_STATUSES_IGNORE);
    }
    return sample_median(&sample);
}

static inline struct message_figures measure_pair(MPI_Comm comm, int a, int b) {
    struct message_figures figures = {0};
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    if (rank == a || rank == b) {
        int first = rank == a, peer = first ? b : a;
        char *data = calloc(1, LONG_BYTES);
        if (!data)
            MPI_Abort(comm, EXIT_FAILURE);
        ping(comm, peer, first, data, SHORT_BYTES, 100); /* connections are made */
        double brief = ping(comm, peer, first, data, SHORT_BYTES, 1000);
        double medium = ping(comm, peer, first, data, MEDIUM_BYTES, 20);
        double whole = ping(comm, peer, first, data, LONG_BYTES, 10);
        double overhead = burst(comm, peer, first, data, 100);
        overhead = overhead < 0.4 * brief ? overhead : 0.4 * brief;
        figures.overhead = overhead;
        figures.latency = brief - 2 * overhead;
        figures.byte = (whole - medium) / (LONG_BYTES - MEDIUM_BYTES);
        figures.byte = figures.byte > 0 ? figures.byte : whole / LONG_BYTES;
        free(data);
    }
    MPI_Bcast(&figures, (int)(sizeof figures / sizeof(double)), MPI_DOUBLE, a, comm);
    return figures;
}

/* A rank of one node, and that of the same number on the next one: the nodes 0 and 1, 2 and 3 … by
 * pairs. Other nodes, and ranks of a node, than so many have nobody. */
struct node_pair {
    MPI_Comm both; /* null without a partner */
    int first;     /* is on the node of the lower number */
};

static inline struct node_pair pair_nodes(const struct caucus_attachment *attachment, int nodes,
                                          int ranks) {
    struct node_pair pair;
    int node = attachment->node_index, local = attachment->local_rank, size = 0;
    int color = node < nodes && local < ranks ? node / 2 * attachment->size + local : MPI_UNDEFINED;
    MPI_Comm_split(attachment->comm, color, node, &pair.both);
    if (pair.both != MPI_COMM_NULL)
        MPI_Comm_size(pair.both, &size);
    if (size == 1)
        MPI_Comm_free(&pair.both);
    pair.first = node % 2 == 0;
    return pair;
}

/* Seconds a byte of node 0's card: all its ranks send to the ranks of node 1, as far as there are
 * pairs; at most single, which one process alone needs. */
static inline double measure_card(const struct caucus_attachment *attachment, double single) {
    struct node_pair pair = pair_nodes(attachment, 2, attachment->size);
    int there = pair.both != MPI_COMM_NULL, pairs, sends = there && pair.first;
    char *data = calloc(1, LONG_BYTES);
    double seconds, byte = single;
    MPI_Barrier(attachment->comm);
    double begin = MPI_Wtime();
    for (int i = 0; data && there && i < CARD_MESSAGES; i++)
        if (pair.first)
            MPI_Send(data, LONG_BYTES, MPI_BYTE, 1, 0, pair.both);
        else
            MPI_Recv(data, LONG_BYTES, MPI_BYTE, 0, 0, pair.both, MPI_STATUS_IGNORE);
    if (data && there)
        ping(pair.both, pair.first, pair.first, data, SHORT_BYTES, 1);
    seconds = MPI_Wtime() - begin;
    free(data);
    if (there)
        MPI_Comm_free(&pair.both);
    MPI_Allreduce(&sends, &pairs, 1, MPI_INT, MPI_SUM, attachment->comm);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, attachment->comm);
    if (pairs > 0)
        byte = seconds / ((double)CARD_MESSAGES * pairs * LONG_BYTES);
    return byte < single ? byte : single;
}

/* Seconds of a side for a short message of many that two ranks exchange. */
static inline double exchange_burst(MPI_Comm comm, int peer, int repetitions) {
    struct sample sample = {0};
    char out = 0, in[BURST];
    for (int repetition = 0; repetition < repetitions; repetition++) {
        MPI_Request requests[2 * BURST];
        int token = 0;
        for (int i = 0; i < BURST; i++)
            MPI_Irecv(in + i, 1, MPI_BYTE, peer, 1, comm, &requests[i]);
        MPI_Sendrecv(&token, 1, MPI_INT, peer, 2, &token, 1, MPI_INT, peer, 2, comm,
                     MPI_STATUS_IGNORE);
        double begin = MPI_Wtime();
        for (int i = 0; i < BURST; i++)
            MPI_Isend(&out, 1, MPI_BYTE, peer, 1, comm, &requests[BURST + i]);
        MPI_Waitall(2 * BURST, requests, MPI_STATUSES_IGNORE);
        sample_add(&sample, (MPI_Wtime() - begin) / (2 * BURST));
    }
    return sample_median(&sample);
}

/* Short messages between node 0 and node 1 while so many ranks of each node exchange some too, as
 * they do in a collective: where ranks share processors, or cards, these take longer than a lonely
 * pair's. */
static inline void measure_busy(const struct caucus_attachment *attachment, int ranks,
                                double *latency, double *overhead) {
    struct node_pair pair = pair_nodes(attachment, attachment->nodes.count, ranks);
    int there = pair.both != MPI_COMM_NULL;
    double seconds[2] = {0, 0};
    char data[SHORT_BYTES] = {0};
    MPI_Barrier(attachment->comm);
    if (there) {
        ping(pair.both, pair.first, pair.first, data, SHORT_BYTES, 20); /* connections are made */
        seconds[0] = ping(pair.both, pair.first, pair.first, data, SHORT_BYTES, 300);
        seconds[1] = exchange_burst(pair.both, pair.first, 30);
        MPI_Comm_free(&pair.both);
    }
    MPI_Bcast(seconds, 2, MPI_DOUBLE, 0, attachment->comm);
    double side = seconds[1] < 0.4 * seconds[0] ? seconds[1] : 0.4 * seconds[0];
    *overhead = side > *overhead ? side : *overhead;
    double rest = seconds[0] - 2 * *overhead;
    *latency = rest > *latency ? rest : *latency;
}

#endif
