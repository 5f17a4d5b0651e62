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
#include "run/support/left_behind.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

enum { TRIP, SEND, BYTE, SIGNAL, COPY, ONE_COPY, FIGURES };
enum { LONG_BYTES = 1 << 17 };
enum { MOST_TURNS = 3 }; /* the best of which counts: others on the machine only make it slower */

static const double NONE = -1; /* no figure */

/* ---- pairs: the ranks 0 and 1 of a node, 2 and 3 and so on ---- */
static int other_rank(const struct caucus_attachment *attachment) {
    int other = attachment->local_rank ^ 1;
    return other < attachment->local_size ? other : MPI_PROC_NULL;
}

static void keep_best(double *figure, double value) {
    if (value > 0 && (*figure < 0 || value < *figure))
        *figure = value;
}

static int measure_messages(const struct caucus_probe *probe, double figures[FIGURES]) {
    double trip, send, byte;
    int status = caucus_probe_trip(probe, &trip);
    if (!status)
        status = caucus_probe_send(probe, &send);
    if (!status)
        status = caucus_probe_rate(probe, LONG_BYTES, trip, &byte);
    if (status)
        return status;
    keep_best(&figures[TRIP], trip);
    keep_best(&figures[SEND], send);
    keep_best(&figures[BYTE], byte);
    return CAUCUS_OK;
}

/* Flags of all ranks of the node, then room for each pair. */
static int64_t bytes_of_flags(int ranks) {
    return (int64_t)ranks * CAUCUS_NODE_ALIGNMENT;
}

static struct caucus_shared_line *line_of(struct caucus_node_block *block, int rank) {
    return (struct caucus_shared_line *)(void *)((char *)(block + 1) + bytes_of_flags(rank));
}

static struct caucus_shared_probe share(struct caucus_engine *engine,
                                        const struct caucus_probe *probe,
                                        struct caucus_node_block *block) {
    const struct caucus_attachment *attachment = engine->attachment;
    const int rank = attachment->local_rank;
    char *room = (char *)(block + 1) + bytes_of_flags(attachment->local_size);
    line_of(block, rank)->own = (uint64_t)(uintptr_t)probe->data;
    return (struct caucus_shared_probe){
        .engine = engine,
        .first = probe->first,
        .seconds = probe->seconds,
        .mine = line_of(block, rank),
        .other = line_of(block, probe->peer),
        .shared = room + (int64_t)(rank / 2) * CAUCUS_SHARED_BYTES,
        .own = probe->data,
        .process = engine->process ? engine->process[probe->peer] : 0,
    };
}

static void measure_shared(struct caucus_shared_probe *shared, double figures[FIGURES]) {
    keep_best(&figures[SIGNAL], caucus_shared_signal(shared));
    keep_best(&figures[COPY], caucus_shared_copy(shared));
    if (shared->engine->process)
        keep_best(&figures[ONE_COPY], caucus_shared_one_copy(shared));
}

/* block: NULL where the ranks of the node share no memory. */
static int measure_turns(struct caucus_engine *engine, const struct caucus_probe *probe,
                         struct caucus_node_block *block, double figures[FIGURES]) {
    struct caucus_shared_probe shared = {.round = 0};
    const double begin = PMPI_Wtime();
    bool goes_on = true;
    int status = CAUCUS_OK;
    if (block)
        shared = share(engine, probe, block);
    for (int turn = 1; !status && goes_on; turn++) {
        status = measure_messages(probe, figures);
        if (!status && block)
            measure_shared(&shared, figures);
        goes_on = turn < MOST_TURNS && PMPI_Wtime() - begin < MOST_TURNS * FIGURES * probe->seconds;
        if (!status)
            status = caucus_probe_agree(probe, &goes_on);
    }
    return status;
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

static int measure(struct caucus_engine *engine, const struct caucus_probe *probe,
                   double figures[FIGURES]) {
    const struct caucus_attachment *attachment = engine->attachment;
    const bool takes_part = probe->peer != MPI_PROC_NULL;
    struct caucus_node_block *block = attachment->local_size > 1 ? take_block(engine) : NULL;
    int status = caucus_come_together(attachment->comm);
    if (!status && takes_part)
        status = measure_turns(engine, probe, block, figures);
    if (block)
        caucus_node_memory_let_go(block);
    for (int i = 0; i < FIGURES && !probe->first; i++)
        figures[i] = NONE;
    int failed = caucus_come_together(attachment->comm);
    return caucus_agree(&attachment->peers, status ? status : failed, 0, NULL);
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

static int measure_pairs(struct caucus_engine *engine, double seconds, double figures[FIGURES]) {
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
    if (!status && (status = measure(engine, &probe, figures))) {
        caucus_leave_behind(probe.data);
        probe.data = NULL;
    }
    if (!status)
        status = combine(attachment, room, figures);
    free(probe.data);
    free(room);
    return status;
}

/* ---- what the model says then ---- */
/* Not far from what is usual: a machine that is full of other work shows anything. */
static double within_reason(double figure, double usual) {
    enum { FACTOR = 20 };
    double least = usual / FACTOR, most = usual * FACTOR;
    return figure < least ? least : figure > most ? most : figure;
}

int caucus_measure_within_nodes(struct caucus_engine *engine, double seconds,
                                struct caucus_model *model) {
    double figures[FIGURES], *latency = &model->latency[CAUCUS_WITHIN_NODE];
    double *overhead = &model->overhead[CAUCUS_WITHIN_NODE],
           *byte = &model->byte[CAUCUS_WITHIN_NODE];
    int status = measure_pairs(engine, seconds, figures);
    if (status)
        return status;
    if (figures[TRIP] > 0 && figures[BYTE] > 0) {
        double trip = within_reason(figures[TRIP], *latency + 2 * *overhead);
        caucus_probe_split(trip, figures[SEND] > 0 ? figures[SEND] : 0, latency, overhead);
        *byte = within_reason(figures[BYTE], *byte);
    }
    if (figures[SIGNAL] > 0)
        model->signal = within_reason(figures[SIGNAL], model->signal);
    if (figures[COPY] > 0) { /* to combine is to read two and write one */
        double copy = within_reason(figures[COPY], model->copy_byte);
        model->reduce_byte *= copy / model->copy_byte;
        model->copy_byte = copy;
    }
    if (figures[ONE_COPY] > 0)
        model->one_copy_byte = within_reason(figures[ONE_COPY], model->one_copy_byte);
    return CAUCUS_OK;
}
