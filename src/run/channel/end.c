/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a channel: all together, or of one that has failed. */
#include "base/status.h"
#include "run/channel/failures.h"
#include "run/channel/node_links.h"
#include "run/channel/state.h"
#include "run/support/private.h"

#include <pthread.h>
#include <stdlib.h>

void caucus_channel_runner_cancel(MPI_Request *request) {
    int active = 0;
    if (*request == MPI_REQUEST_NULL)
        return;
    PMPI_Request_get_status(*request, &active, MPI_STATUS_IGNORE);
    if (!active) {
        PMPI_Cancel(request);
        PMPI_Wait(request, MPI_STATUS_IGNORE);
    }
    if (*request != MPI_REQUEST_NULL) /* persistent, or complete */
        PMPI_Request_free(request);
}

static void cancel_all(struct caucus_channel_runner *runner) {
    int64_t slots = (int64_t)runner->setup.sources * runner->setup.credits;
    for (int64_t i = 0; runner->receive && i < slots; i++)
        caucus_channel_runner_cancel(&runner->receive[i]);
    caucus_channel_failures_cancel(runner);
}

/* Once nothing is on its way from here, all have to say so. */
bool caucus_channel_runner_is_through(struct caucus_channel_runner *runner) {
    int done = 0;
    if (!runner->confirmed && !runner->sends) { /* so no more credits go out */
        caucus_channel_runner_confirm_credits(runner);
        runner->confirmed = true;
    }
    if (runner->barrier == MPI_REQUEST_NULL && !runner->sends)
        PMPI_Ibarrier(runner->comm, &runner->barrier);
    if (runner->barrier != MPI_REQUEST_NULL)
        PMPI_Test(&runner->barrier, &done, MPI_STATUS_IGNORE);
    return done;
}

/* Others may wait for what is on its way from here: nobody stops receiving before all is there. */
static int drain(struct caucus_channel_runner *runner) {
    struct caucus_channel_wait wait = {.round = 0};
    caucus_channel_runner_lock(runner); /* which waits let go of */
    for (bool done = false; !done && !runner->status;) {
        caucus_channel_runner_progress(runner);
        done = runner->kind->is_through(runner);
        if (!done)
            caucus_channel_runner_wait(runner, &wait);
    }
    int status = caucus_channel_runner_tell(runner);
    caucus_channel_runner_unlock(runner);
    return status;
}

void caucus_channel_runner_clear(struct caucus_channel_runner *runner) {
    for (int32_t i = 0; runner->piece && i < runner->setup.credits; i++) {
        caucus_channel_runner_let_go(runner->piece[i]);
        runner->piece[i] = NULL;
    }
    for (int64_t i = 0; runner->kept && runner->setup.total_order && i < runner->setup.window;
         i++) {
        caucus_channel_runner_let_go(runner->kept[i]);
        runner->kept[i] = NULL;
    }
    while (runner->first)
        caucus_channel_runner_unqueue(runner);
    free(runner->assembly);
    runner->assembly = NULL;
    caucus_channel_runner_let_go(runner->given);
    runner->given = NULL;
}

void caucus_channel_runner_destroy(struct caucus_channel_runner *runner) {
    caucus_waits_remove(&runner->waits_source);
    caucus_channel_runner_stop_thread(runner);
    cancel_all(runner);
    PMPI_Wait(&runner->control.receiving, MPI_STATUS_IGNORE); /* if any, its sender is through */
    if (runner->comm != MPI_COMM_NULL)
        caucus_private_free(&runner->comm);
    caucus_channel_runner_drop(runner, &runner->held);
    caucus_channel_runner_let_go(runner->unpacked.piece); /* a slot of an earlier view, perhaps */
    caucus_channel_failures_free(runner);
    caucus_channel_retained_free(runner);
    caucus_channel_bundle_free(runner);
    free(runner->handing.answered);
    for (struct caucus_channel_taken taken; caucus_channel_runner_take_from_inbox(runner, &taken);)
        caucus_channel_runner_drop(runner, &taken);
    caucus_channel_runner_clear(runner);
    caucus_actions_free(&runner->actions);
    caucus_node_map_free(&runner->nodes);
    free(runner->link);
    free(runner->slot);
    free(runner->piece);
    free(runner->kept);
    free(runner->memory);
    caucus_channel_node_links_free(runner);
    caucus_mailbox_close(&runner->control);
    for (int32_t i = 0; runner->answers && i < runner->ranks; i++)
        free(runner->answers[i]);
    free(runner->answers);
    caucus_channel_allreduce_free(runner);
    free(runner->receive);
    free(runner->awaited);
    free(runner->told);
    free(runner->came);
    caucus_runner_end(&runner->machine);
    free(runner->path);
    free(runner->held_bytes);
    free(runner->send);
    free(runner->sent);
    free(runner->completed);
    if (runner->has_lock)
        pthread_mutex_destroy(&runner->lock);
    free(runner);
}

/* Failed ones whose sends may still be read by MPI. */
static struct caucus_channel_runner *abandoned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_over(struct caucus_channel_runner *runner) {
    int done = 1;
    caucus_channel_runner_finish_sends(runner);
    if (runner->barrier != MPI_REQUEST_NULL)
        PMPI_Test(&runner->barrier, &done, MPI_STATUS_IGNORE);
    return done && !runner->sends && caucus_mailbox_rests(&runner->control);
}

void caucus_channel_runner_reap(void) {
    pthread_mutex_lock(&lock);
    for (struct caucus_channel_runner **at = &abandoned; *at;) {
        struct caucus_channel_runner *runner = *at;
        if (is_over(runner)) {
            *at = runner->next;
            caucus_channel_runner_destroy(runner);
        } else {
            at = &runner->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* Its communicator is never freed: MPI might give its place to another one, and late messages of
 * others would be taken for that one's. */
static void abandon(struct caucus_channel_runner *runner) {
    caucus_waits_remove(&runner->waits_source);
    cancel_all(runner);
    runner->comm = MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    runner->next = abandoned;
    abandoned = runner;
    pthread_mutex_unlock(&lock);
    caucus_channel_runner_reap();
}

int caucus_channel_runner_free(struct caucus_channel_runner *runner) {
    caucus_channel_runner_stop_thread(runner);
    if (caucus_channel_runner_has_failed(runner)) {
        caucus_channel_runner_end_background(runner);
        abandon(runner);
        return CAUCUS_OK;
    }
    int status = drain(runner);
    if (!status)
        caucus_channel_runner_end_background(runner);
    if (!status && caucus_channel_failures_has_deaths(runner))
        abandon(runner); /* to the dead something may be on its way for ever */
    else if (!status)
        caucus_channel_runner_destroy(runner);
    return status;
}
