/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief Traffic along the edges of a Cartesian grid.
 */
#ifndef CAUCUS_TRAFFIC_H
#define CAUCUS_TRAFFIC_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Traffic along the edges of a grid in one exchange with all neighbours.
 *
 * An edge is a message from a rank to a neighbour, so two ranks that exchange messages count as two
 * edges. Weights are in the unit of the weights that were given when the grid was made (bytes, for
 * instance), and 1 for each edge if none were given.
 *
 * @ingroup grid
 */
typedef struct caucus_cart_traffic {
    double off_node;       /**< Weight of all edges between ranks of different nodes (Jsum). */
    double off_node_worst; /**< Weight of the edges that leave the busiest node (Jmax). */
    double all;            /**< Weight of all edges. */
    int on_min;            /**< Fewest neighbours that a rank has on its own node. */
    int on_max;            /**< Most neighbours that a rank has on its own node. */
    int off_min;           /**< Fewest neighbours that a rank has on other nodes. */
    int off_max;           /**< Most neighbours that a rank has on other nodes. */
    double on_mean;        /**< Mean number of neighbours of a rank on its own node. */
    double off_mean;       /**< Mean number of neighbours of a rank on other nodes. */
} caucus_cart_traffic;

#ifdef __cplusplus
}
#endif

#endif
