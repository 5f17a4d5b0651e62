/* SPDX-License-Identifier: BSD-3-Clause */
/* A checked call as a task, with the layouts of its buffers. */
#ifndef CAUCUS_API_COLLECTIVE_WORK_H
#define CAUCUS_API_COLLECTIVE_WORK_H

#include "api/collective/call.h"
#include "api/collective/team.h"
#include "api/collective/view.h"
#include "run/execution.h"
#include "run/tables.h"

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

/* The call's arguments are good. Local; to be freed. */
int caucus_work_create(struct caucus_work *work, const struct caucus_collective_call *call,
                       struct caucus_team *team);
void caucus_work_free(struct caucus_work *work);

/* How many entries its task's receive_bytes, or send_bytes, has where it has any. */
int32_t caucus_work_blocks(const struct caucus_work *work, bool receives);

/* Node memory for its schedule, as much as one persistent request may have, or none. */
void caucus_work_limit(struct caucus_work *work, bool shares_memory);

/* Makes the layouts now, for a time when the user may have freed his datatypes. */
int caucus_work_lay_out(struct caucus_work *work);

/* The user's buffers as the schedule sees them; once only, where they were made already. */
int caucus_work_layouts(struct caucus_work *work, struct caucus_layout *in,
                        struct caucus_layout *out);

#endif
