/* SPDX-License-Identifier: BSD-3-Clause */
/* What a channel is to its user, and who may call what now. */
#ifndef CAUCUS_API_CHANNEL_OBJECT_H
#define CAUCUS_API_CHANNEL_OBJECT_H

#include <caucus/channel.h>

#include "api/collective/context.h"
#include "run/channel/runner.h"

struct caucus_channel_object {
    struct caucus_context *comm_context; /* held: the user may free the communicator */
    caucus_channel_options options;      /* the user's, but that memory is what it got */
    int ranks;
    struct caucus_channel_runner *runner;
    int users; /* calls that are active */
    bool closing;
    struct caucus_channel_object *next; /* of those that are open */
};

enum caucus_channel_use {
    CAUCUS_CHANNEL_USE_INSIDE,  /* by callbacks too */
    CAUCUS_CHANNEL_USE_OUTSIDE, /* not by the callback of this channel */
    CAUCUS_CHANNEL_USE_ALONE    /* and by no other thread meanwhile */
};

static inline caucus_delivery
caucus_channel_delivery(const struct caucus_channel_delivered *delivered) {
    return (caucus_delivery){delivered->origin,        delivered->bytes,
                             delivered->length,        delivered->offset,
                             delivered->total,         delivered->asks,
                             delivered->outcome,       delivered->included,
                             delivered->contributions, delivered->silent ? 0 : delivered->number};
}

void caucus_channel_register(caucus_channel channel);
void caucus_channel_forget(caucus_channel channel);

/* Whether it is open and may be used so; on success until it is let go. */
int caucus_channel_hold(caucus_channel channel, enum caucus_channel_use use);
void caucus_channel_release(caucus_channel channel, enum caucus_channel_use use);

/* How calls end: the code for a status, after the error handler of an open channel's communicator,
 * or else, and where that was freed, of MPI_COMM_SELF. */
int caucus_channel_end(caucus_channel channel, const char *function, int status);

#endif
