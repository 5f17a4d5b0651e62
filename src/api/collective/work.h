/* SPDX-License-Identifier: BSD-3-Clause */
/* A checked call as a task, with the layouts of its buffers. */
#ifndef CAUCUS_API_COLLECTIVE_WORK_H
#define CAUCUS_API_COLLECTIVE_WORK_H

#include "api/collective/call.h"
#include "api/collective/context.h"
#include "api/collective/view.h"
#include "run/attachment/attach.h"
#include "run/execution/execution.h"

/* The edges of a graph: of all ranks, one after the other: those of rank r are first[r] to first[r
 * + 1]. The arrays are to be given to free(). With more than limit edges in all, nothing is
 * collected and first is NULL. Collective over the attachment. */
struct caucus_edges {
    int64_t *first;
    int32_t *to;
    int64_t *bytes;
};
int caucus_collect_edges(const struct caucus_attachment *attachment, int32_t count,
                         const int32_t *to, const int64_t *bytes, int64_t limit,
                         struct caucus_edges *edges);
void caucus_edges_free(struct caucus_edges *edges);

struct caucus_work {
    const struct caucus_collective_call *call;
    struct caucus_task task;
    struct caucus_view send, receive; /* what matters on this rank; else empty */
    struct caucus_edges edges;        /* of a neighbourhood, where they were collected */
    struct caucus_traffic_table traffic;
    int64_t *counts; /* the root's, where they were told */
    char *row;       /* blocks that came with the counts, where the task says that they did */
    int64_t row_bytes;
    MPI_Datatype type;
    struct caucus_layout in, out; /* where they were made already */
    bool is_laid_out;
};

/* The call's arguments are good, and the neighbours are known where it has any. Local; to be
 * freed. */
int caucus_work_create(struct caucus_work *work, const struct caucus_collective_call *call,
                       const struct caucus_context *context);
void caucus_work_free(struct caucus_work *work);

/* task->bytes, as task.h has it, where there is one group. */
int64_t caucus_work_length(const struct caucus_work *work);

/* How many entries its task's receive_bytes, or send_bytes, has where it has any. */
int32_t caucus_work_blocks(const struct caucus_work *work, bool receives);

/* Whether its arguments tell every rank that no rank has anything to do, with this schedule. */
bool caucus_work_is_idle(const struct caucus_work *work, const struct caucus_schedule *schedule);

/* Node memory for its schedule, as much as one persistent request may have, or none. */
void caucus_work_limit(struct caucus_work *work, bool shares_memory);

/* Makes the layouts now, for a time when the user may have freed his datatypes. */
int caucus_work_lay_out(struct caucus_work *work);

/* The user's buffers as the schedule sees them; once only, where they were made already. */
int caucus_work_layouts(struct caucus_work *work, struct caucus_layout *in,
                        struct caucus_layout *out);

/* The lengths and the volume, of work whose buffers were measured. Local. */
void caucus_between_measure(struct caucus_work *work, const struct caucus_context *context);

/* The length of a block of the first group's and of the second one's, as this rank has them. */
void caucus_between_lengths(const struct caucus_task *task, int64_t lengths[2]);

/* Again, where the length has come from others. */
void caucus_between_set_volume(struct caucus_work *work, const struct caucus_context *context);

/* How many entries receive_bytes, or send_bytes, has where it has any. */
int32_t caucus_between_blocks(const struct caucus_task *task, bool receives);

#endif
