/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/between_nodes.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/measure/median.h"
#include "run/measure/probe.h"
#include "run/peers/agree.h"
#include "run/support/left_behind.h"
#include "run/support/mpi_status.h"

#include <math.h>
#include <stdlib.h>

enum { FIFTHS = 5, NOBODY = -1 };

/* Harmonic means over the ranks that measured, and medians over the pairs of nodes. */
enum { LONE_TRIP, LONE_SEND, BUSY_TRIP, BUSY_SEND, LONE, BUSY, MEANS };
enum { BYTE, CARD, RATES };

/* More than ranks that share processors make it vary. */
static const double MUCH_SLOWER = 1.5;

struct figures {
    double mean[MEANS], rate[RATES]; /* rates: seconds for a byte */
};

/* ---- who measures with whom ---- */
/* The nodes 0 and 1, 2 and 3 and so on are pairs; the last of an odd number has none. */
static int other_node(const struct caucus_attachment *attachment) {
    int other = attachment->node_index ^ 1;
    return other < attachment->nodes.count ? other : NOBODY;
}

/* Leaders tell one another who is on their nodes; peers[local_size] has NOBODY for whom there is
 * none on the other node, which has so many ranks. */
static int tell_leader(const struct caucus_attachment *attachment, const int64_t *own,
                       int64_t *peers, int64_t *theirs, int count) {
    const int other = other_node(attachment), size = attachment->local_size;
    int status = CAUCUS_OK;
    if (other != NOBODY)
        status = caucus_mpi_status(PMPI_Sendrecv(own, size, MPI_INT64_T, other, 0, theirs, count,
                                                 MPI_INT64_T, other, 0, attachment->leaders,
                                                 MPI_STATUS_IGNORE),
                                   "MPI_Sendrecv");
    for (int local = 0; local < size; local++)
        peers[local] = local < count ? theirs[local] : NOBODY;
    return status;
}

static int size_of_other(const struct caucus_attachment *attachment) {
    const int other = other_node(attachment);
    return other == NOBODY ? 0 : caucus_nodes_size(&attachment->nodes, other);
}

static int find_peer(const struct caucus_attachment *attachment, int *peer) {
    const bool leads = attachment->local_rank == 0;
    const int size = attachment->local_size, others = size_of_other(attachment);
    int64_t *own = leads ? caucus_array((int64_t)2 * size + others, sizeof *own) : NULL;
    int64_t *peers = leads && own ? own + size : NULL, found = NOBODY;
    int status =
        caucus_agree(&attachment->peers, leads && !own ? CAUCUS_NO_MEMORY : CAUCUS_OK, 0, NULL);
    if (!status)
        status = caucus_gather_node(attachment, attachment->rank, own);
    if (!status && leads)
        status = tell_leader(attachment, own, peers, peers + size, others);
    if (!status)
        status = caucus_scatter_node(attachment, peers, &found);
    free(own);
    *peer = (int)found;
    return status;
}

/* ---- the measurements, each by all that take part at the same time ---- */
static int measure_messages(const struct caucus_probe *probe, bool all, struct figures *figures) {
    double trip = 0, send = 0;
    int status = caucus_probe_trip(probe, &trip);
    if (!status)
        status = caucus_probe_send(probe, &send);
    if (!probe->first)
        return status;
    figures->mean[all ? BUSY_TRIP : LONE_TRIP] = trip;
    figures->mean[all ? BUSY_SEND : LONE_SEND] = send;
    figures->mean[all ? BUSY : LONE] = 1;
    return status;
}

/* All ranks of a node send some of what a leader alone has sent. */
static int measure_card(const struct caucus_attachment *attachment,
                        const struct caucus_probe *probe, int bytes, struct figures *figures) {
    const int there = size_of_other(attachment);
    const int pairs = there < attachment->local_size ? there : attachment->local_size;
    double took;
    if (probe->peer == NOBODY || bytes < pairs)
        return CAUCUS_OK;
    int status = caucus_probe_next(probe, bytes / pairs, &took);
    if (probe->first)
        figures->rate[CARD] = took / ((double)(bytes / pairs) * pairs);
    return status;
}

/* All come together whatever has failed, and then hear of it: else they would be in different
 * calls. */
static int meet(const struct caucus_attachment *attachment, int status) {
    int failed = caucus_come_together(attachment->comm);
    return caucus_agree(&attachment->peers, status ? status : failed, 0, NULL);
}

/* A node's leader first, whose longest message tells how much all of them send. Those who have
 * nothing to do wait without taking a processor from the others. */
static int measure_leaders(const struct caucus_attachment *attachment,
                           const struct caucus_probe *probe, struct figures *figures, int *bytes) {
    int status = caucus_come_together(attachment->comm);
    if (!status && attachment->local_rank == 0 && probe->peer != NOBODY) {
        status = measure_messages(probe, false, figures);
        if (!status)
            status = caucus_probe_stream(probe, &figures->rate[BYTE], bytes);
    }
    return meet(attachment, status);
}

static int measure(const struct caucus_attachment *attachment, const struct caucus_probe *probe,
                   struct figures *figures) {
    int bytes = 0;
    int status = measure_leaders(attachment, probe, figures, &bytes);
    if (status)
        return status;
    status = caucus_mpi_status(PMPI_Bcast(&bytes, 1, MPI_INT, 0, attachment->node), "MPI_Bcast");
    if (!status)
        status = measure_card(attachment, probe, bytes, figures);
    status = meet(attachment, status);
    if (!status && probe->peer != NOBODY)
        status = measure_messages(probe, true, figures);
    return meet(attachment, status);
}

/* Means of how many there are in a second: pairs that are held up count little then. */
static int combine_means(const struct caucus_attachment *attachment, double *mean) {
    for (int i = LONE_TRIP; i <= BUSY_SEND; i++)
        mean[i] = mean[i] > 0 ? 1 / mean[i] : 0;
    int status =
        caucus_peers_allreduce(&attachment->peers, MPI_IN_PLACE, mean, MEANS, MPI_DOUBLE, MPI_SUM);
    for (int i = LONE_TRIP; i <= BUSY_SEND; i++)
        mean[i] = mean[i] > 0 ? mean[i <= LONE_SEND ? LONE : BUSY] / mean[i] : 0;
    return status;
}

/* Every second node has a figure, if it is of a pair. Where ranks share processors some pairs are
 * held up, so that the median speaks for all; unless a card is much slower than the others, which
 * collectives then wait for. */
static double rate_of_pairs(double *of_node, int nodes, bool is_card) {
    int pairs = 0;
    for (int node = 0; node + 1 < nodes; node += 2)
        of_node[pairs++] = of_node[node];
    const double median = caucus_median(of_node, pairs); /* which sorts them */
    const double slowest = of_node[pairs - 1];
    return is_card && slowest > MUCH_SLOWER * median ? slowest : median;
}

/* A card is as fast as its leader's stream, where all ranks together are not much slower. A pair of
 * nodes says what the slowest of its ranks took. of_node[nodes] on rank 0. */
static int combine_rates(const struct caucus_attachment *attachment, double *of_node,
                         double *rate) {
    double slowest[RATES] = {0};
    int status = caucus_mpi_status(
        PMPI_Reduce(rate, slowest, RATES, MPI_DOUBLE, MPI_MAX, 0, attachment->node), "MPI_Reduce");
    if (slowest[CARD] < MUCH_SLOWER * slowest[BYTE])
        slowest[CARD] = fmin(slowest[CARD], slowest[BYTE]);
    for (int i = 0; i < RATES && !status && attachment->local_rank == 0; i++) {
        status = caucus_mpi_status(
            PMPI_Gather(&slowest[i], 1, MPI_DOUBLE, of_node, 1, MPI_DOUBLE, 0, attachment->leaders),
            "MPI_Gather");
        if (!status && attachment->rank == 0)
            rate[i] = rate_of_pairs(of_node, attachment->nodes.count, i == CARD);
    }
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status : caucus_bcast_all(attachment, rate, RATES * sizeof *rate);
}

static int measure_anew(const struct caucus_attachment *attachment, double seconds,
                        struct figures *figures) {
    const bool root = attachment->rank == 0;
    double *of_node = root ? caucus_array(attachment->nodes.count, sizeof *of_node) : NULL;
    struct caucus_probe probe = {.comm = attachment->comm,
                                 .first = attachment->node_index % 2 == 0,
                                 .seconds = seconds / FIFTHS,
                                 .data = caucus_array(CAUCUS_PROBE_BYTES, 1)};
    const bool memory = probe.data && (of_node || !root);
    int status = caucus_agree(&attachment->peers, memory ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = find_peer(attachment, &probe.peer);
    if (!status && (status = measure(attachment, &probe, figures))) {
        caucus_leave_behind(probe.data);
        probe.data = NULL;
    }
    if (!status)
        status = combine_means(attachment, figures->mean);
    if (!status)
        status = combine_rates(attachment, of_node, figures->rate);
    free(probe.data);
    free(of_node);
    return status;
}

/* ---- what the model says then ---- */
static void put_into(const struct figures *figures, struct caucus_model *model) {
    const double *mean = figures->mean;
    double *latency = &model->latency[CAUCUS_BETWEEN_NODES];
    double *overhead = &model->overhead[CAUCUS_BETWEEN_NODES];
    caucus_probe_split(mean[LONE_TRIP], mean[LONE_SEND], &model->lone_latency,
                       &model->lone_overhead);
    caucus_probe_split(mean[BUSY_TRIP], mean[BUSY_SEND], latency, overhead);
    *latency = *latency > model->lone_latency ? *latency : model->lone_latency;
    *overhead = *overhead > model->lone_overhead ? *overhead : model->lone_overhead;
    model->card_byte = figures->rate[CARD];
    /* No rank is faster than its card, though leaders may have been, or those of most nodes. */
    model->byte[CAUCUS_BETWEEN_NODES] = fmax(model->card_byte, figures->rate[BYTE]);
}

int caucus_measure_between_nodes(const struct caucus_attachment *attachment, double seconds,
                                 struct caucus_model *model) {
    struct figures figures = {0};
    int status = measure_anew(attachment, seconds, &figures);
    if (!status)
        put_into(&figures, model);
    return status;
}
