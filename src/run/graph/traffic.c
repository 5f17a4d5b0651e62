/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "run/graph/role_edges.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

/* Every rank knows every rank's node then. */
static int spread_nodes(const struct caucus_attachment *attachment, int32_t **node) {
    *node = caucus_array(attachment->size, sizeof **node);
    int status = caucus_agree(&attachment->peers, *node ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = caucus_peers_allgather(&attachment->peers, &attachment->node_index, 1, MPI_INT32_T,
                                        *node);
    return status;
}

int caucus_role_edges_traffic(const struct caucus_attachment *attachment,
                              const struct caucus_role_edges *neighbors,
                              struct caucus_node_traffic *traffic) {
    int32_t *node;
    int status = spread_nodes(attachment, &node);
    double leaving = 0, all = 0, of_node = 0;
    int on = 0, off = 0;
    for (int i = 0; i < neighbors->outdegree && !status; i++) {
        int to = neighbors->destinations[i];
        if (to == attachment->rank)
            continue;
        bool stays = node[to] == attachment->node_index;
        all += neighbors->destination_weights[i];
        leaving += stays ? 0 : neighbors->destination_weights[i];
        on += stays;
        off += !stays;
    }
    free(node);
    if (!status)
        status = caucus_mpi_status(
            PMPI_Allreduce(&leaving, &of_node, 1, MPI_DOUBLE, MPI_SUM, attachment->node),
            "MPI_Allreduce");
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    double sums[] = {leaving, all, on, off}, highest[] = {of_node, on, off, -on, -off};
    if (!status)
        status =
            caucus_peers_allreduce(&attachment->peers, MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM);
    if (!status)
        status = caucus_peers_allreduce(&attachment->peers, MPI_IN_PLACE, highest, 5, MPI_DOUBLE,
                                        MPI_MAX);
    *traffic = (struct caucus_node_traffic){sums[0],         highest[0],       sums[1],
                                            sums[2],         sums[3],          (int)-highest[3],
                                            (int)highest[1], (int)-highest[4], (int)highest[2]};
    return status;
}
