/* SPDX-License-Identifier: BSD-3-Clause */
/* What each node's card takes in and sends out, without headers and acknowledgements: a packet of
 * TCP on such a card has 66 bytes of headers, and the lab's cards let nobody gather packets. */
#ifndef CAUCUS_BENCH_INTERGROUP_CARDS_H
#define CAUCUS_BENCH_INTERGROUP_CARDS_H

#include "../lab_card.h"
#include "intergroup_groups.h"

enum { PACKET_HEADERS = 66, CARDS_IDLE = 5 };

struct cards {
    const struct groups *groups;
    int there; /* every node has a card to read */
    struct lab_card before;
    double idle[2]; /* bytes in and out of two barriers */
};

/* Bytes in and out at a node's lowest rank since the start. */
static inline void cards_read(const struct cards *cards, double bytes[2]) {
    struct lab_card after = cards->before;
    if (cards->there && cards->groups->leads_node)
        lab_card_read(&after);
    struct lab_card used = lab_card_difference(after, cards->before);
    bytes[0] = (double)(used.received_bytes - PACKET_HEADERS * used.received_packets);
    bytes[1] = (double)(used.sent_bytes - PACKET_HEADERS * used.sent_packets);
}

/* Nothing else must be under way. */
static inline void cards_start(struct cards *cards) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (cards->there && cards->groups->leads_node)
        lab_card_read(&cards->before);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On all ranks: what the worst card took in over its own bound, and what the busiest one took in or
 * sent over the largest bound. bound is this node's. */
static inline void cards_stop(const struct cards *cards, int times, double bound, double largest,
                              double ratio[2]) {
    double mine[2] = {0, 0}, bytes[2];
    MPI_Barrier(MPI_COMM_WORLD);
    cards_read(cards, bytes);
    if (cards->there && cards->groups->leads_node && bound > 0 && largest > 0) {
        for (int way = 0; way < 2; way++)
            bytes[way] = (bytes[way] - cards->idle[way]) / times;
        mine[0] = bytes[0] / bound;
        mine[1] = (bytes[0] > bytes[1] ? bytes[0] : bytes[1]) / largest;
    }
    MPI_Allreduce(mine, ratio, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static inline struct cards cards_find(const struct groups *groups) {
    struct cards cards = {.groups = groups};
    double ratio[2], sum[2] = {0, 0};
    int fine = !groups->leads_node || lab_card_read(&cards.before);
    MPI_Allreduce(&fine, &cards.there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; i < CARDS_IDLE; i++) {
        double bytes[2];
        cards_start(&cards);
        MPI_Barrier(MPI_COMM_WORLD);
        cards_read(&cards, bytes);
        sum[0] += bytes[0];
        sum[1] += bytes[1];
        cards_stop(&cards, 1, 0, 0, ratio);
    }
    cards.idle[0] = sum[0] / CARDS_IDLE;
    cards.idle[1] = sum[1] / CARDS_IDLE;
    return cards;
}

#endif
