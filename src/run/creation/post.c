/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/creation/post.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/table.h"
#include "run/mpi_status.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct wire {
    uint64_t topic, number;
    unsigned char bytes[CAUCUS_LETTER_BYTES];
};

struct letter {
    struct wire wire;
    int from;
    MPI_Request request; /* of one that is sent */
    struct letter *next;
};

struct caucus_post {
    MPI_Comm comm;
    int tag;
    pthread_mutex_t lock; /* looking and putting in order is one, for all threads */
    struct letter *come, **come_last;
    struct letter *sent;        /* until MPI has taken them */
    struct caucus_table counts; /* of calls begun, by topic and rank */
};

int caucus_post_create(MPI_Comm comm, int tag, struct caucus_post **made) {
    struct caucus_post *post = caucus_array(1, sizeof *post);
    if (!post)
        return CAUCUS_NO_MEMORY;
    if (pthread_mutex_init(&post->lock, NULL)) {
        free(post);
        return caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    }
    post->comm = comm;
    post->tag = tag;
    post->come_last = &post->come;
    *made = post;
    return CAUCUS_OK;
}

/* Under the lock, or where nobody else is: drops what MPI has taken. */
static void sweep(struct caucus_post *post) {
    for (struct letter **at = &post->sent; *at;) {
        struct letter *letter = *at;
        int taken = 0;
        if (PMPI_Test(&letter->request, &taken, MPI_STATUS_IGNORE) == MPI_SUCCESS && !taken) {
            at = &letter->next;
        } else {
            *at = letter->next;
            free(letter);
        }
    }
}

void caucus_post_free(struct caucus_post *post) {
    int finalized;
    if (!post)
        return;
    PMPI_Finalized(&finalized);
    if (!finalized)
        sweep(post); /* what is left is MPI's, which may read it yet */
    while (post->come) {
        struct letter *letter = post->come;
        post->come = letter->next;
        free(letter);
    }
    caucus_table_free(&post->counts);
    pthread_mutex_destroy(&post->lock);
    free(post);
}

int caucus_post_begin(struct caucus_post *post, uint64_t topic, int count, const int32_t ranks[],
                      uint64_t numbers[]) {
    pthread_mutex_lock(&post->lock);
    bool room = caucus_table_reserve(&post->counts, count); /* or some would have counted */
    for (int i = 0; i < count && room; i++) {
        const struct caucus_table_key key = {topic, (uint64_t)ranks[i]};
        numbers[i] = (uint64_t)(*caucus_table_at(&post->counts, key))++;
    }
    pthread_mutex_unlock(&post->lock);
    return room ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

int caucus_post_send(struct caucus_post *post, int rank, uint64_t topic, uint64_t number,
                     const void *bytes) {
    struct letter *letter = caucus_array(1, sizeof *letter);
    if (!letter)
        return CAUCUS_NO_MEMORY;
    letter->wire.number = number;
    letter->wire.topic = topic;
    memcpy(letter->wire.bytes, bytes, sizeof letter->wire.bytes);
    pthread_mutex_lock(&post->lock);
    sweep(post);
    int status = caucus_mpi_status(PMPI_Isend(&letter->wire, sizeof letter->wire, MPI_BYTE, rank,
                                              post->tag, post->comm, &letter->request),
                                   "MPI_Isend");
    if (status) {
        free(letter);
    } else {
        letter->next = post->sent;
        post->sent = letter;
    }
    pthread_mutex_unlock(&post->lock);
    return status;
}

/* Under the lock: *more if there was one. */
static int take_in(struct caucus_post *post, int rank, bool *more) {
    int found = 0;
    MPI_Message message;
    *more = false;
    int status = caucus_mpi_status(
        PMPI_Improbe(rank, post->tag, post->comm, &found, &message, MPI_STATUS_IGNORE),
        "MPI_Improbe");
    if (status || !found)
        return status;
    struct letter *letter = caucus_array(1, sizeof *letter);
    struct wire lost;
    status = caucus_mpi_status(PMPI_Mrecv(letter ? &letter->wire : &lost, sizeof lost, MPI_BYTE,
                                          &message, MPI_STATUS_IGNORE),
                               "MPI_Mrecv");
    if (status || !letter) {
        free(letter);
        return status ? status : CAUCUS_NO_MEMORY;
    }
    letter->from = rank;
    *post->come_last = letter;
    post->come_last = &letter->next;
    *more = true;
    return CAUCUS_OK;
}

int caucus_post_look(struct caucus_post *post, int rank) {
    bool more = true;
    int status = CAUCUS_OK;
    pthread_mutex_lock(&post->lock);
    while (more && !status)
        status = take_in(post, rank, &more);
    pthread_mutex_unlock(&post->lock);
    return status;
}

static void take_out(struct caucus_post *post, struct letter **at) {
    struct letter *letter = *at;
    *at = letter->next;
    if (post->come_last == &letter->next)
        post->come_last = at;
}

bool caucus_post_take(struct caucus_post *post, int rank, uint64_t topic, uint64_t number,
                      bool (*urgent)(const void *bytes), void *bytes) {
    struct letter **found = NULL;
    bool is_urgent = false;
    pthread_mutex_lock(&post->lock);
    for (struct letter **at = &post->come; *at && !is_urgent;) {
        struct letter *letter = *at;
        bool concerns = letter->from == rank && letter->wire.topic == topic;
        if (concerns && letter->wire.number < number) {
            take_out(post, at);
            free(letter);
            continue;
        }
        if (concerns && letter->wire.number == number) {
            is_urgent = urgent(letter->wire.bytes);
            found = found && !is_urgent ? found : at;
        }
        at = &letter->next;
    }
    struct letter *letter = found ? *found : NULL;
    if (letter) {
        take_out(post, found);
        memcpy(bytes, letter->wire.bytes, sizeof letter->wire.bytes);
        free(letter);
    }
    pthread_mutex_unlock(&post->lock);
    return letter != NULL;
}
