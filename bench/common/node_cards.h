/* SPDX-License-Identifier: BSD-3-Clause */
/* What went through the cards of all virtual nodes between two moments. */
#ifndef CAUCUS_BENCH_NODE_CARDS_H
#define CAUCUS_BENCH_NODE_CARDS_H

#include "../lab_card.h"

#include <mpi.h>

struct node_cards {
    int reads; /* this process reads the card of its node */
    int there; /* every node has a card to read */
    struct lab_card before;
};

static inline struct node_cards node_cards_find(void) {
    struct node_cards cards = {0};
    MPI_Comm node;
    int rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    cards.reads = rank == 0;
    int fine = !cards.reads || lab_card_read(&cards.before);
    MPI_Allreduce(&fine, &cards.there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return cards;
}

/* Nothing else must be under way. */
static inline void node_cards_start(struct node_cards *cards) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (cards->reads && cards->there)
        lab_card_read(&cards->before);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On rank 0: the bytes that all cards sent since the start, and the most that one of them sent or
 * took in. The few bytes of two barriers are among them. */
static inline void node_cards_stop(struct node_cards *cards, double *all, double *worst) {
    double mine = 0.0, larger = 0.0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (cards->reads && cards->there) {
        struct lab_card after = cards->before;
        lab_card_read(&after);
        struct lab_card used = lab_card_difference(after, cards->before);
        mine = (double)used.sent_bytes;
        larger =
            (double)(used.sent_bytes > used.received_bytes ? used.sent_bytes : used.received_bytes);
    }
    MPI_Reduce(&mine, all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&larger, worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

#endif
