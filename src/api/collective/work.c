/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/work.h"

#include "api/collective/part.h"
#include "api/collective/shape.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

enum { NODE_LIMIT = 4 << 20 }; /* bytes of node memory */

static bool varies(enum caucus_side_kind kind) {
    return kind == CAUCUS_SIDE_VARYING || kind == CAUCUS_SIDE_TYPED;
}

/* The length of the block that a rank has for itself. */
static int64_t own_block(const struct caucus_view *view, int rank) {
    return view->lengths ? view->lengths[rank] : view->block_bytes;
}

int64_t caucus_work_length(const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    const struct caucus_shape *shape = &caucus_shapes[task->collective];
    const struct caucus_view *send = &work->send, *receive = &work->receive;
    if (shape->send.kind == CAUCUS_SIDE_ABSENT) /* bcast, and nothing of barrier */
        return receive->bytes;
    if (shape->send.kind == CAUCUS_SIDE_ONE) /* gathers and reductions */
        return task->in_place ? own_block(receive, task->rank) : send->bytes;
    if (shape->rooted) /* scatters */
        return task->in_place ? own_block(send, task->rank) : receive->bytes;
    if (varies(shape->send.kind))
        return 0;
    return shape->neighbors && task->destinations > 0 ? send->block_bytes : receive->block_bytes;
}

/* What all ranks know alike without a message: see task.h. */
static int64_t volume_of(const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    switch (task->collective) {
    case CAUCUS_BCAST:
    case CAUCUS_REDUCE:
    case CAUCUS_ALLREDUCE:
    case CAUCUS_SCAN:
    case CAUCUS_EXSCAN:
        return task->bytes;
    case CAUCUS_GATHER:
    case CAUCUS_SCATTER:
    case CAUCUS_ALLGATHER:
    case CAUCUS_ALLTOALL:
    case CAUCUS_REDUCE_SCATTER_BLOCK:
        return task->bytes <= INT64_MAX / task->ranks ? task->bytes * task->ranks : INT64_MAX;
    case CAUCUS_ALLGATHERV:
        return work->receive.bytes;
    case CAUCUS_REDUCE_SCATTER: /* the operand, wherever it is */
        return task->in_place ? work->receive.bytes : work->send.bytes;
    default:
        return 0;
    }
}

static int check_pair(const struct caucus_work *work, int64_t sent, int64_t received) {
    const struct caucus_shape *shape = &caucus_shapes[work->task.collective];
    if (sent == received)
        return CAUCUS_OK;
    return caucus_fail(CAUCUS_TRUNCATED,
                       "%s and %s make a block of %lld bytes, %s and %s one of %lld: they must be "
                       "equal",
                       shape->send.count, shape->send.type, (long long)sent, shape->receive.count,
                       shape->receive.type, (long long)received);
}

/* A rank that has both ends of a block in hand sees whether they fit. */
static int check_lengths(const struct caucus_work *work) {
    const struct caucus_task *task = &work->task;
    const struct caucus_shape *shape = &caucus_shapes[task->collective];
    const struct caucus_view *send = &work->send, *receive = &work->receive;
    bool both = shape->send.kind != CAUCUS_SIDE_ABSENT && !shape->reduces && !task->in_place &&
                (!shape->rooted || task->rank == task->root);
    if (both && !shape->neighbors)
        return check_pair(work, own_block(send, task->rank), own_block(receive, task->rank));
    bool sends = shape->send.kind == CAUCUS_SIDE_ONE || task->destinations > 0;
    if (both && shape->receive.kind == CAUCUS_SIDE_EACH && task->sources > 0 && sends)
        return check_pair(work, send->block_bytes, receive->block_bytes);
    return CAUCUS_OK;
}

static int create_view(struct caucus_view *view, enum caucus_side_kind kind,
                       const struct caucus_side *side, const struct caucus_part *part,
                       const struct caucus_context *context,
                       const struct caucus_neighbor_list *neighbors) {
    return neighbors
               ? caucus_view_create(view, kind, side, neighbors->count, neighbors->block, part->own)
               : caucus_view_create(view, kind, side, caucus_part_blocks(context, kind), NULL,
                                    part->own);
}

/* Measures what matters here. In place, nothing is said of the other buffer. */
static int create_views(struct caucus_work *work, const struct caucus_part *part,
                        const struct caucus_context *context) {
    const struct caucus_collective_call *call = work->call;
    const struct caucus_shape *shape = &caucus_shapes[call->collective];
    enum caucus_side_kind send = part->sends ? shape->send.kind : CAUCUS_SIDE_ABSENT;
    enum caucus_side_kind receive = part->receives ? shape->receive.kind : CAUCUS_SIDE_ABSENT;
    if (receive == CAUCUS_SIDE_OWN && part->in_place)
        receive = CAUCUS_SIDE_TOTAL; /* the operand is there too */
    int status = create_view(&work->send, send, &call->send, part, context,
                             shape->neighbors ? &context->neighbors.destinations : NULL);
    if (!status)
        status = create_view(&work->receive, receive, &call->receive, part, context,
                             shape->neighbors ? &context->neighbors.sources : NULL);
    return status;
}

static int describe_operand(struct caucus_work *work) {
    int commutes = 1;
    MPI_Count size = 1;
    work->task.element = 1;
    work->task.commutative = true;
    work->type = MPI_BYTE;
    if (!caucus_shapes[work->task.collective].reduces || work->call->op == MPI_OP_NULL)
        return CAUCUS_OK;
    work->type = work->call->receive.type;
    int status = caucus_mpi_status(PMPI_Type_size_x(work->type, &size), "MPI_Type_size_x");
    if (!status)
        status =
            caucus_mpi_status(PMPI_Op_commutative(work->call->op, &commutes), "MPI_Op_commutative");
    work->task.element = size > 0 ? size : 1;
    work->task.commutative = commutes;
    return status;
}

static void describe_context(struct caucus_task *task, const struct caucus_context *context) {
    task->ranks = context->size;
    task->rank = context->rank;
    if (context->between)
        task->first_group = context->local.first ? context->remote.size : context->local.size;
    task->nodes =
        context->engine && context->engine->shares_memory ? &context->engine->nodes : NULL;
}

static void describe_blocks(struct caucus_work *work, const struct caucus_context *context) {
    struct caucus_task *task = &work->task;
    const struct caucus_shape *shape = &caucus_shapes[task->collective];
    if (varies(shape->receive.kind) || task->collective == CAUCUS_REDUCE_SCATTER)
        task->receive_bytes = work->receive.lengths;
    if (varies(shape->send.kind))
        task->send_bytes = work->send.lengths;
    if (task->in_place &&
        (task->collective == CAUCUS_ALLTOALLV || task->collective == CAUCUS_ALLTOALLW))
        task->send_bytes = task->receive_bytes;
    if (shape->neighbors) {
        const struct caucus_neighbors *neighbors = &context->neighbors;
        task->sources = neighbors->sources.count;
        task->destinations = neighbors->destinations.count;
        task->source = neighbors->sources.rank;
        task->destination = neighbors->destinations.rank;
    }
    if (context->between) {
        caucus_between_measure(work, context);
        return;
    }
    task->bytes = caucus_work_length(work);
    task->volume = volume_of(work);
}

int caucus_work_create(struct caucus_work *work, const struct caucus_collective_call *call,
                       const struct caucus_context *context) {
    *work = (struct caucus_work){.call = call};
    struct caucus_task *task = &work->task;
    task->collective = call->collective;
    struct caucus_part part = caucus_part_of(call, context);
    task->root = part.root;
    task->in_place = part.in_place;
    describe_context(task, context);
    int status = describe_operand(work);
    if (!status)
        status = create_views(work, &part, context);
    if (!status) {
        describe_blocks(work, context);
        status = context->between ? CAUCUS_OK : check_lengths(work);
    }
    if (status)
        caucus_work_free(work);
    return status;
}

void caucus_work_free(struct caucus_work *work) {
    caucus_view_free(&work->send);
    caucus_view_free(&work->receive);
    caucus_edges_free(&work->edges);
    free(work->counts);
    free(work->row);
    work->counts = NULL;
    work->row = NULL;
    if (work->is_laid_out) {
        caucus_layout_free(&work->in);
        caucus_layout_free(&work->out);
    }
    work->is_laid_out = false;
}

static bool in_is_own_block(enum caucus_collective collective) {
    return collective == CAUCUS_GATHER || collective == CAUCUS_GATHERV ||
           collective == CAUCUS_ALLGATHER || collective == CAUCUS_ALLGATHERV;
}

/* In place, in lies within out, or for a scatter out within in: see task.h. */
static int overlapping(const struct caucus_work *work, struct caucus_layout *in,
                       struct caucus_layout *out) {
    const struct caucus_task *task = &work->task;
    bool scatters = task->collective == CAUCUS_SCATTER || task->collective == CAUCUS_SCATTERV;
    const struct caucus_view *whole = scatters ? &work->send : &work->receive;
    int status = caucus_view_layout(whole, scatters ? in : out);
    if (status)
        return status;
    if (scatters)
        status = caucus_view_block_layout(whole, task->rank, out);
    else if (in_is_own_block(task->collective))
        status = caucus_view_block_layout(whole, task->rank, in);
    else
        status = caucus_view_layout(whole, in);
    if (status)
        caucus_layout_free(scatters ? in : out);
    return status;
}

static int make_layouts(const struct caucus_work *work, struct caucus_layout *in,
                        struct caucus_layout *out) {
    const struct caucus_task *task = &work->task;
    if (task->in_place || (task->collective == CAUCUS_BCAST && task->rank == task->root))
        return overlapping(work, in, out);
    int status = caucus_view_layout(&work->send, in);
    if (!status) {
        status = caucus_view_layout(&work->receive, out);
        if (status)
            caucus_layout_free(in);
    }
    return status;
}

int caucus_work_lay_out(struct caucus_work *work) {
    int status = make_layouts(work, &work->in, &work->out);
    work->is_laid_out = !status;
    return status;
}

int caucus_work_layouts(struct caucus_work *work, struct caucus_layout *in,
                        struct caucus_layout *out) {
    if (!work->is_laid_out)
        return make_layouts(work, in, out);
    *in = work->in;
    *out = work->out;
    work->is_laid_out = false;
    return CAUCUS_OK;
}

int32_t caucus_work_blocks(const struct caucus_work *work, bool receives) {
    const struct caucus_task *task = &work->task;
    if (caucus_shapes[task->collective].neighbors)
        return receives ? task->sources : task->destinations;
    return task->first_group ? caucus_between_blocks(task, receives) : task->ranks;
}

void caucus_work_limit(struct caucus_work *work, bool shares_memory) {
    work->task.node_limit = shares_memory ? NODE_LIMIT : 0;
    if (!shares_memory)
        work->task.nodes = NULL;
}

/* MPI has all ranks give as many bytes, but for those whose blocks vary. Whether a rank's schedule
 * is empty tells nothing of the others, which may count a run. */
bool caucus_work_is_idle(const struct caucus_work *work, const struct caucus_schedule *schedule) {
    const struct caucus_task *task = &work->task;
    const struct caucus_shape *shape = &caucus_shapes[task->collective];
    if (task->first_group || shape->neighbors)
        return false;
    if (task->ranks == 1)
        return schedule->count == 0;
    return task->collective != CAUCUS_BARRIER && !shape->send.counted && !shape->receive.counted &&
           task->bytes == 0;
}
