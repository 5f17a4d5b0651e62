/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/within_nodes.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/attachment/exchange.h"
#include "run/measure/median.h"
#include "run/measure/probe.h"
#include "run/measure/shared.h"
#include "run/memory/node_memory.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

enum { TRIP, SEND, BYTE, SIGNAL, COPY, FIGURES };

static const double NONE = -1; /* no figure */

/* ---- pairs: the ranks 0 and 1 of a node, 2 and 3 and so on ---- */
static int other_rank(const struct caucus_attachment *attachment) {
    int other = attachment->local_rank ^ 1;
    return other < attachment->local_size ? other : MPI_PROC_NULL;
}

static int measure_messages(const struct caucus_probe *probe, double figures[FIGURES]) {
    int bytes;
    int status = caucus_probe_trip(probe, &figures[TRIP]);
    if (!status)
        status = caucus_probe_send(probe, &figures[SEND]);
    return status ? status : caucus_probe_stream(probe, &figures[BYTE], &bytes);
}

/* Flags of all ranks of the node, then room for each pair. */
static int64_t bytes_of_flags(int ranks) {
    return (int64_t)ranks * CAUCUS_NODE_ALIGNMENT;
}

static _Atomic int64_t *flag_of(struct caucus_node_block *block, int rank) {
    return (_Atomic int64_t *)(void *)((char *)(block + 1) + bytes_of_flags(rank));
}

static void measure_shared(const struct caucus_engine *engine, const struct caucus_probe *probe,
                           struct caucus_node_block *block, double figures[FIGURES]) {
    const struct caucus_attachment *attachment = engine->attachment;
    const int rank = attachment->local_rank;
    char *room = (char *)(block + 1) + bytes_of_flags(attachment->local_size);
    struct caucus_shared_probe shared = {
        .waiting = &engine->waiting,
        .first = probe->first,
        .seconds = probe->seconds,
        .mine = flag_of(block, rank),
        .other = flag_of(block, probe->peer),
        .shared = room + (int64_t)(rank / 2) * CAUCUS_SHARED_BYTES,
        .own = probe->data,
    };
    figures[SIGNAL] = caucus_shared_signal(&shared);
    figures[COPY] = caucus_shared_copy(&shared, figures[SIGNAL]);
}

/* NULL where the ranks of the node share no memory. */
static struct caucus_node_block *take_block(const struct caucus_engine *engine) {
    const int ranks = engine->attachment->local_size;
    int64_t flags = bytes_of_flags(ranks), bytes = flags + ranks / 2 * (int64_t)CAUCUS_SHARED_BYTES;
    struct caucus_node_block *block = NULL;
    if (engine->memory && engine->shares_by_nodes)
        caucus_node_memory_take(engine->memory, bytes, flags, 1, &block);
    return block;
}

static int measure(const struct caucus_engine *engine, const struct caucus_probe *probe,
                   double figures[FIGURES]) {
    const struct caucus_attachment *attachment = engine->attachment;
    const bool takes_part = probe->peer != MPI_PROC_NULL;
    struct caucus_node_block *block = attachment->local_size > 1 ? take_block(engine) : NULL;
    int status = caucus_come_together(attachment->comm);
    if (!status && takes_part)
        status = measure_messages(probe, figures);
    if (!status)
        status = caucus_come_together(attachment->node);
    if (!status && takes_part && block)
        measure_shared(engine, probe, block, figures);
    if (block)
        caucus_node_memory_let_go(block);
    for (int i = 0; i < FIGURES && !probe->first; i++)
        figures[i] = NONE;
    return status ? status : caucus_come_together(attachment->comm);
}

/* ---- the median of all pairs ---- */
/* Of the figures that there are of each kind. room[count]. */
static void medians(const double *all, int count, double *room, double figures[FIGURES]) {
    for (int kind = 0; kind < FIGURES; kind++) {
        int known = 0;
        for (int i = 0; i < count; i++)
            if (all[i * FIGURES + kind] > 0)
                room[known++] = all[i * FIGURES + kind];
        figures[kind] = known ? caucus_median(room, known) : NONE;
    }
}

static int gather_medians(MPI_Comm comm, int count, double *room, double figures[FIGURES]) {
    int rank;
    int status = caucus_mpi_status(
        PMPI_Gather(figures, FIGURES, MPI_DOUBLE, room, FIGURES, MPI_DOUBLE, 0, comm),
        "MPI_Gather");
    PMPI_Comm_rank(comm, &rank);
    if (!status && rank == 0)
        medians(room, count, room + (int64_t)count * FIGURES, figures);
    return status;
}

/* Medians of the nodes' medians, from room for a node's ranks or for all nodes. */
static int combine(const struct caucus_attachment *attachment, double *room,
                   double figures[FIGURES]) {
    const bool leads = attachment->local_rank == 0;
    int status = gather_medians(attachment->node, attachment->local_size, room, figures);
    if (!status && leads)
        status = gather_medians(attachment->leaders, attachment->nodes.count, room, figures);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    return status ? status : caucus_bcast_all(attachment, figures, FIGURES * sizeof *figures);
}

static int measure_pairs(const struct caucus_engine *engine, double seconds,
                         double figures[FIGURES]) {
    const struct caucus_attachment *attachment = engine->attachment;
    const int64_t nodes = attachment->nodes.count, ranks = attachment->local_size;
    const bool leads = attachment->local_rank == 0;
    double *room =
        leads ? caucus_array((nodes > ranks ? nodes : ranks) * (FIGURES + 1), sizeof *room) : NULL;
    struct caucus_probe probe = {.comm = attachment->node,
                                 .peer = other_rank(attachment),
                                 .first = attachment->local_rank % 2 == 0 &&
                                          other_rank(attachment) != MPI_PROC_NULL,
                                 .seconds = seconds,
                                 .data = caucus_array(CAUCUS_PROBE_BYTES, 1)};
    const bool memory = probe.data && (room || !leads);
    for (int i = 0; i < FIGURES; i++)
        figures[i] = NONE;
    int status = caucus_agree(&attachment->peers, memory ? CAUCUS_OK : CAUCUS_NO_MEMORY, 0, NULL);
    if (!status)
        status = measure(engine, &probe, figures);
    if (!status)
        status = combine(attachment, room, figures);
    free(probe.data);
    free(room);
    return status;
}

/* ---- what the model says then ---- */
int caucus_measure_within_nodes(const struct caucus_engine *engine, double seconds,
                                struct caucus_model *model) {
    double figures[FIGURES];
    int status = measure_pairs(engine, seconds, figures);
    if (status)
        return status;
    if (figures[TRIP] > 0 && figures[BYTE] > 0) {
        caucus_probe_split(figures[TRIP], figures[SEND], &model->latency[CAUCUS_WITHIN_NODE],
                           &model->overhead[CAUCUS_WITHIN_NODE]);
        model->byte[CAUCUS_WITHIN_NODE] = figures[BYTE];
    }
    if (figures[SIGNAL] > 0)
        model->signal = figures[SIGNAL];
    if (figures[COPY] > 0) { /* to combine is to read two and write one */
        model->reduce_byte *= figures[COPY] / model->copy_byte;
        model->copy_byte = figures[COPY];
    }
    return CAUCUS_OK;
}
