/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_TRAFFIC_H
#define CAUCUS_TRAFFIC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Traffic along the edges of a grid; an edge is a message from a rank to another one. */
typedef struct caucus_cart_traffic {
    double off_node;       /* weight of the edges between nodes (Jsum) */
    double off_node_worst; /* weight of those that leave the worst node (Jmax) */
    double all;            /* weight of all edges */
    int on_min, on_max;    /* neighbours of a rank on its own node */
    int off_min, off_max;  /* and on other nodes */
    double on_mean, off_mean;
} caucus_cart_traffic;

#ifdef __cplusplus
}
#endif

#endif
