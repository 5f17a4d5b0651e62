/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/channel/object.h"

#include "api/common/raise.h"
#include "base/status.h"

#include <pthread.h>

static struct caucus_channel_object *opened; /* in this process */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock. */
static bool is_open(const struct caucus_channel_object *channel) {
    const struct caucus_channel_object *at = opened;
    while (at && at != channel)
        at = at->next;
    return at != NULL;
}

void caucus_channel_register(caucus_channel channel) {
    pthread_mutex_lock(&lock);
    channel->next = opened;
    opened = channel;
    pthread_mutex_unlock(&lock);
}

void caucus_channel_forget(caucus_channel channel) {
    pthread_mutex_lock(&lock);
    struct caucus_channel_object **at = &opened;
    while (*at != channel)
        at = &(*at)->next;
    *at = channel->next;
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static int check(const struct caucus_channel_object *channel, enum caucus_channel_use use) {
    if (!is_open(channel))
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "channel is not open: it was closed, or never opened");
    if (caucus_channel_runner_is_inside(channel->runner))
        return use == CAUCUS_CHANNEL_USE_INSIDE
                   ? CAUCUS_OK
                   : caucus_fail(CAUCUS_BAD_ARGUMENT,
                                 "it was called by the callback of its channel, which may call "
                                 "caucus_try_cast and caucus_channel_try_allreduce alone");
    if (channel->closing)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "another thread is closing the channel");
    if (use == CAUCUS_CHANNEL_USE_ALONE && channel->users > 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "other threads are using the channel: calls that are active: %d",
                           channel->users);
    return CAUCUS_OK;
}

int caucus_channel_hold(caucus_channel channel, enum caucus_channel_use use) {
    if (!channel)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "channel is CAUCUS_CHANNEL_NULL");
    pthread_mutex_lock(&lock);
    int status = check(channel, use);
    if (!status && !caucus_channel_runner_is_inside(channel->runner)) {
        channel->users++;
        channel->closing = channel->closing || use == CAUCUS_CHANNEL_USE_ALONE;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void caucus_channel_release(caucus_channel channel, enum caucus_channel_use use) {
    if (caucus_channel_runner_is_inside(channel->runner)) /* part of the call that delivers */
        return;
    pthread_mutex_lock(&lock);
    channel->users--;
    if (use == CAUCUS_CHANNEL_USE_ALONE)
        channel->closing = false;
    pthread_mutex_unlock(&lock);
}

int caucus_channel_end(caucus_channel channel, const char *function, int status) {
    if (!status)
        return MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    struct caucus_context *comm_context = is_open(channel) ? channel->comm_context : NULL;
    if (comm_context) /* another thread may close the channel meanwhile */
        caucus_context_hold(comm_context);
    pthread_mutex_unlock(&lock);
    if (!comm_context)
        return caucus_raise(MPI_COMM_SELF, NULL, function, status);
    int code = caucus_context_raise(comm_context, false, function, status);
    caucus_context_let_go(comm_context);
    return code;
}
