/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/graph/post.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int caucus_post_init(struct caucus_post *post, const struct caucus_attachment *attachment) {
    int32_t nodes = attachment->nodes.count;
    *post = (struct caucus_post){.attachment = attachment};
    post->counts = caucus_array(4 * (int64_t)nodes, sizeof *post->counts);
    int status = post->counts ? CAUCUS_OK : CAUCUS_NO_MEMORY;
    if (!status)
        status = caucus_letters_init(&post->received, nodes);
    return status ? status : caucus_letters_init(&post->sent, nodes);
}

void caucus_post_free(struct caucus_post *post) {
    caucus_letters_free(&post->sent);
    caucus_letters_free(&post->received);
    free(post->counts);
    memset(post, 0, sizeof *post);
}

int caucus_post_add_up(struct caucus_post *post, int status, int64_t *sum, int count) {
    int64_t numbers[CAUCUS_POST_SUMS + 1] = {status != CAUCUS_OK};
    if (count > 0)
        memcpy(numbers + 1, sum, (size_t)count * sizeof *sum);
    int failed = caucus_mpi_status(PMPI_Allreduce(MPI_IN_PLACE, numbers, count + 1, MPI_INT64_T,
                                                  MPI_SUM, post->attachment->leaders),
                                   "MPI_Allreduce");
    if (!failed && count > 0)
        memcpy(sum, numbers + 1, (size_t)count * sizeof *sum);
    post->stopped = failed || numbers[0] > 0;
    return status ? status : failed;
}

/* How many numbers go to each leader or come from it; too many for MPI are refused. */
static int count_letters(const struct caucus_letters *letters, int *count, int *place) {
    if (letters->start[letters->leaders] > INT_MAX)
        return caucus_fail(CAUCUS_NO_MEMORY, "a node has %lld numbers for others: too many to send",
                           (long long)letters->start[letters->leaders]);
    for (int32_t i = 0; i < letters->leaders; i++) {
        place[i] = (int)letters->start[i];
        count[i] = (int)(letters->start[i + 1] - letters->start[i]);
    }
    return CAUCUS_OK;
}

/* Room for what the others send, who have said how much that is. */
static int expect(struct caucus_letters *received, int32_t leaders, const int *count, int *place) {
    caucus_letters_free(received);
    int status = caucus_letters_init(received, leaders);
    for (int32_t i = 0; i < leaders && !status; i++) {
        received->start[i + 1] = received->start[i] + count[i];
        place[i] = received->start[i] > INT_MAX ? 0 : (int)received->start[i];
    }
    if (!status && received->start[leaders] > INT_MAX)
        status =
            caucus_fail(CAUCUS_NO_MEMORY, "other nodes have %lld numbers for one: too many to get",
                        (long long)received->start[leaders]);
    if (!status)
        received->number = caucus_array(received->start[leaders], sizeof *received->number);
    return status || received->number ? status : CAUCUS_NO_MEMORY;
}

int caucus_post_exchange(struct caucus_post *post, int status, int64_t *sum, int sums) {
    MPI_Comm leaders = post->attachment->leaders;
    int32_t nodes = post->attachment->nodes.count;
    int *count = post->counts, *place = count + nodes, *theirs = place + nodes;
    if (!status)
        status = caucus_letters_close(&post->sent);
    if (!status)
        status = count_letters(&post->sent, count, place);
    status = caucus_post_add_up(post, status, sum, sums);
    if (post->stopped)
        return status;
    status = caucus_mpi_status(PMPI_Alltoall(count, 1, MPI_INT, theirs, 1, MPI_INT, leaders),
                               "MPI_Alltoall");
    if (!status)
        status = expect(&post->received, nodes, theirs, theirs + nodes);
    status = caucus_post_add_up(post, status, NULL, 0);
    if (!post->stopped)
        status = caucus_mpi_status(PMPI_Alltoallv(post->sent.number, count, place, MPI_INT64_T,
                                                  post->received.number, theirs, theirs + nodes,
                                                  MPI_INT64_T, leaders),
                                   "MPI_Alltoallv");
    caucus_letters_free(&post->sent);
    return status ? status : caucus_letters_init(&post->sent, nodes);
}
