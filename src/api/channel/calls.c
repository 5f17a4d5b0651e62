/* SPDX-License-Identifier: BSD-3-Clause */
/* Casting, polling, receiving, and the end. */
#include "api/channel/object.h"
#include "base/status.h"
#include "run/layout/host_copy.h"

#include <stdlib.h>

static int check_message(const void *bytes, MPI_Count length) {
    if (length < 0)
        return caucus_fail(CAUCUS_BAD_COUNT, "length is %lld: it must be at least 0",
                           (long long)length);
    if (length > 0 && !bytes)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "bytes is NULL, but length is %lld",
                           (long long)length);
    return CAUCUS_OK;
}

static int check_pointer(const void *pointer, const char *name) {
    return pointer ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is NULL", name);
}

/* Ends what caucus_channel_hold has begun, if it has. */
static int leave(caucus_channel channel, enum caucus_channel_use use, const char *function,
                 bool entered, int status) {
    if (entered)
        caucus_channel_release(channel, use);
    return caucus_channel_end(channel, function, status);
}

/* What a call hands over, where processors may read it; answers are as long as the channel has it.
 */
struct handed {
    struct caucus_host_copy bytes, answer;
};

static int take(struct handed *handed, caucus_channel channel, const void *bytes, MPI_Count length,
                const void *answer) {
    int64_t answered = answer ? channel->options.answer_bytes : 0;
    int status = caucus_host_copy_create(&handed->bytes, bytes, length, MPI_BYTE);
    if (status)
        return status;
    status = caucus_host_copy_create(&handed->answer, answer, answered, MPI_BYTE);
    if (status)
        caucus_host_copy_free(&handed->bytes);
    return status;
}

static void let_go(struct handed *handed) {
    caucus_host_copy_free(&handed->bytes);
    caucus_host_copy_free(&handed->answer);
}

static int cast_copy(struct caucus_channel_runner *runner, const void *bytes, int64_t length) {
    struct caucus_host_copy copy;
    int status = caucus_host_copy_create(&copy, bytes, length, MPI_BYTE);
    if (status)
        return status;
    status = caucus_channel_runner_cast(runner, copy.buffer, length);
    caucus_host_copy_free(&copy);
    return status;
}

int caucus_cast(caucus_channel channel, const void *bytes, MPI_Count length) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_message(bytes, length);
    if (!status)
        status = caucus_device_may_hold(bytes)
                     ? cast_copy(channel->runner, bytes, length)
                     : caucus_channel_runner_cast(channel->runner, bytes, length);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_try_cast(caucus_channel channel, const void *bytes, MPI_Count length, int *accepted) {
    struct caucus_host_copy copy;
    bool taken = false;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_INSIDE);
    bool entered = !status;
    if (!status)
        status = check_message(bytes, length);
    if (!status)
        status = check_pointer(accepted, "accepted");
    if (!status)
        status = caucus_host_copy_create(&copy, bytes, length, MPI_BYTE);
    if (!status) {
        status = caucus_channel_runner_try_cast(channel->runner, copy.buffer, length, &taken);
        caucus_host_copy_free(&copy);
    }
    if (!status)
        *accepted = taken;
    return leave(channel, CAUCUS_CHANNEL_USE_INSIDE, __func__, entered, status);
}

static int check_question(caucus_channel channel, MPI_Count length, const void *answer) {
    if (channel->options.answer_bytes == 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the channel was opened without options.answer_bytes");
    if (length > channel->options.memory)
        return caucus_fail(CAUCUS_BAD_COUNT,
                           "length is %lld: questions come whole, so it must be at most "
                           "options.memory, %lld",
                           (long long)length, (long long)channel->options.memory);
    return check_pointer(answer, "answer");
}

/* silent: a question, to which all answer. */
static int reduce(caucus_channel channel, int32_t ranks, bool silent, const void *bytes,
                  MPI_Count length, void *answer) {
    struct handed handed;
    int status = take(&handed, channel, bytes, length, answer);
    if (status)
        return status;
    status = caucus_channel_runner_allreduce(channel->runner, ranks, silent, handed.bytes.buffer,
                                             length, handed.answer.buffer);
    if (!status)
        status = caucus_host_copy_write_back(&handed.answer);
    let_go(&handed);
    return status;
}

int caucus_channel_ask(caucus_channel channel, const void *bytes, MPI_Count length, void *answer) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_message(bytes, length);
    if (!status)
        status = check_question(channel, length, answer);
    if (!status)
        status = reduce(channel, channel->ranks, true, bytes, length, answer);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

static int check_quorum(caucus_channel channel, int quorum) {
    int64_t longest =
        channel->options.answer_bytes + (int64_t)sizeof(int32_t) + (channel->ranks + 7) / 8;
    if (quorum < CAUCUS_QUORUM_SOLO || quorum > channel->ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "quorum is %d: it must be CAUCUS_QUORUM_ALL, _MAJORITY or _SOLO, or a "
                           "number of ranks from 1 to %d",
                           quorum, channel->ranks);
    if (quorum == CAUCUS_QUORUM_SOLO && !channel->options.answer)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "quorum is CAUCUS_QUORUM_SOLO, but the channel was opened without "
                           "options.answer: who receives has nothing to contribute at once");
    if (longest > channel->options.memory)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "options.answer_bytes is %lld: outcomes come whole, so with the %lld "
                           "bytes that tell who is in them it must be at most options.memory, %lld",
                           (long long)channel->options.answer_bytes,
                           (long long)(longest - channel->options.answer_bytes),
                           (long long)channel->options.memory);
    return CAUCUS_OK;
}

static int32_t ranks_of(caucus_channel channel, int quorum) {
    return quorum == CAUCUS_QUORUM_MAJORITY ? channel->ranks / 2 + 1
           : quorum > 0                     ? quorum
                                            : channel->ranks;
}

static int check_reduction(caucus_channel channel, int quorum, const void *bytes, MPI_Count length,
                           const void *answer) {
    int status = check_message(bytes, length);
    if (!status)
        status = check_question(channel, length, answer);
    return status ? status : check_quorum(channel, quorum);
}

int caucus_channel_allreduce(caucus_channel channel, int quorum, const void *bytes,
                             MPI_Count length, void *answer) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_reduction(channel, quorum, bytes, length, answer);
    if (!status)
        status = reduce(channel, ranks_of(channel, quorum), false, bytes, length, answer);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_try_allreduce(caucus_channel channel, int quorum, const void *bytes,
                                 MPI_Count length, const void *answer, int *accepted) {
    struct handed handed;
    bool opened = false;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_INSIDE);
    bool entered = !status;
    if (!status)
        status = check_reduction(channel, quorum, bytes, length, answer);
    if (!status)
        status = check_pointer(accepted, "accepted");
    if (!status)
        status = take(&handed, channel, bytes, length, answer);
    if (!status) {
        status = caucus_channel_runner_try_allreduce(channel->runner, ranks_of(channel, quorum),
                                                     handed.bytes.buffer, length,
                                                     handed.answer.buffer, &opened);
        let_go(&handed);
    }
    if (!status)
        *accepted = opened;
    return leave(channel, CAUCUS_CHANNEL_USE_INSIDE, __func__, entered, status);
}

int caucus_channel_reply(caucus_channel channel, int origin, const void *answer) {
    struct handed handed;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool held = !status;
    if (!status)
        status = check_question(channel, 0, answer);
    if (!status)
        status = take(&handed, channel, NULL, 0, answer);
    if (!status) {
        status = caucus_channel_runner_reply(channel->runner, origin, handed.answer.buffer);
        let_go(&handed);
    }
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, held, status);
}

int caucus_channel_flush(caucus_channel channel) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = caucus_channel_runner_flush(channel->runner);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_poll(caucus_channel channel) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = caucus_channel_runner_poll(channel->runner);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

static int check_receive(caucus_channel channel, const caucus_delivery *delivery) {
    if (channel->options.deliver)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "the channel was opened with a callback, which gets all messages");
    return check_pointer(delivery, "delivery");
}

int caucus_channel_recv(caucus_channel channel, caucus_delivery *delivery) {
    struct caucus_channel_delivered delivered;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_receive(channel, delivery);
    if (!status)
        status = caucus_channel_runner_receive(channel->runner, &delivered);
    if (!status)
        *delivery = caucus_channel_delivery(&delivered);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_try_recv(caucus_channel channel, caucus_delivery *delivery, int *received) {
    struct caucus_channel_delivered delivered;
    bool came = false;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_receive(channel, delivery);
    if (!status)
        status = check_pointer(received, "received");
    if (!status)
        status = caucus_channel_runner_try_receive(channel->runner, &delivered, &came);
    if (!status && came)
        *delivery = caucus_channel_delivery(&delivered);
    if (!status)
        *received = came;
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_quiesce(caucus_channel channel) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = caucus_channel_runner_settle(channel->runner, CAUCUS_CHANNEL_QUIESCE);
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_try_quiesce(caucus_channel channel, int *quiet) {
    bool done = false;
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    bool entered = !status;
    if (!status)
        status = check_pointer(quiet, "quiet");
    if (!status)
        status = caucus_channel_runner_try_settle(channel->runner, CAUCUS_CHANNEL_QUIESCE, &done);
    if (!status)
        *quiet = done;
    return leave(channel, CAUCUS_CHANNEL_USE_OUTSIDE, __func__, entered, status);
}

int caucus_channel_close(caucus_channel *channel) {
    if (!channel)
        return caucus_channel_end(
            NULL, __func__, caucus_fail(CAUCUS_BAD_ARGUMENT, "the pointer to the channel is NULL"));
    int status = caucus_channel_hold(*channel, CAUCUS_CHANNEL_USE_ALONE);
    if (status)
        return caucus_channel_end(*channel, __func__, status);
    struct caucus_channel_runner *runner = (*channel)->runner;
    if (!caucus_channel_runner_has_failed(runner))
        status = caucus_channel_runner_settle(runner, CAUCUS_CHANNEL_CLOSE);
    if (!status)
        status = caucus_channel_runner_free(runner);
    if (status)
        return leave(*channel, CAUCUS_CHANNEL_USE_ALONE, __func__, true, status);
    caucus_channel_forget(*channel);
    caucus_context_let_go((*channel)->comm_context);
    free(*channel);
    *channel = CAUCUS_CHANNEL_NULL;
    return MPI_SUCCESS;
}
