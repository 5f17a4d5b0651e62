/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of each rank make groups at once whose lists differ between ranks: every one gets
 * its error and the words, whichever thread finds out.
 *
 * run: ranks=2,3 */
#include "check.h"
#include "skip.h"

#include <caucus/caucus.h>

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, TURNS = 40, MOST = 8 };

static MPI_Comm comm;

/* The lists of rank 0 are another way round. */
static void *make_in_vain(void *argument) {
    const int tag = *(const int *)argument, size = world_size();
    int list[MOST], class;
    for (int i = 0; i < size; i++)
        list[i] = world_rank() == 0 ? size - 1 - i : i;
    for (int turn = 0; turn < TURNS; turn++) {
        caucus_group group;
        int code = caucus_group_create(comm, list, size, tag, &group);
        CHECK(code != MPI_SUCCESS, "tag %d, turn %d: it is made", tag, turn);
        MPI_Error_class(code, &class);
        CHECK(class == MPI_ERR_ARG, "class %d: %s", class, caucus_error_text());
        CHECK(strstr(caucus_error_text(), "the lists of members differ"), "%s",
              caucus_error_text());
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[THREADS];
    int number[THREADS], provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        CHECK(pthread_create(&thread[i], NULL, make_in_vain, &number[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
