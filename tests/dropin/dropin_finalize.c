/* SPDX-License-Identifier: BSD-3-Clause */
/* What is kept with MPI_COMM_SELF is deleted when MPI_Finalize begins, the last first, while MPI is
 * up: so the callbacks may start, wait for and free persistent collectives.
 * run: ranks=1,2,4 preload
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 preload args=multiple
 * run: ranks=3 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_ENABLE=nonblocking,blocking */
#include "persistent.h"

#if HAS_PERSISTENT
enum { STARTED = 0, IDLE = 1, REQUESTS = 2 };

static int in[REQUESTS], sum[REQUESTS], size;
static MPI_Request requests[REQUESTS];
static int deleted; /* so many callbacks have been called */

static void look(int which) {
    MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
    CHECK(sum[which] == in[which] * size, "%d: %d", which, sum[which]);
    MPI_Request_free(&requests[which]);
    CHECK(requests[which] == MPI_REQUEST_NULL, "%d is still there", which);
}

static int wait_and_free(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    CHECK(deleted++ == 1, "called as number %d", deleted);
    look(STARTED);
    return MPI_SUCCESS;
}

static int start_again(MPI_Comm comm, int key, void *value, void *extra) {
    int total = -1;
    (void)comm, (void)key, (void)value, (void)extra;
    CHECK(deleted++ == 0, "called as number %d", deleted);
    MPI_Start(&requests[IDLE]);
    MPI_Allreduce(&in[IDLE], &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(total == in[IDLE] * size, "%d", total);
    look(IDLE);
    return MPI_SUCCESS;
}

static void keep(MPI_Comm_delete_attr_function *callback) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &deleted);
}

int main(int argc, char **argv) {
    int several = argc > 1, provided;
    MPI_Init_thread(&argc, &argv, several ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (several && provided < MPI_THREAD_MULTIPLE)
        return skipped_without_threads();
    size = world_size();
    keep(wait_and_free);
    for (int i = 0; i < REQUESTS; i++) {
        in[i] = i + 1;
        MPI_Allreduce_init(&in[i], &sum[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[i]);
    }
    keep(start_again);
    MPI_Start(&requests[STARTED]);
    MPI_Finalize();
    if (deleted != 2)
        fprintf(stderr, "%d callbacks were called\n", deleted);
    return deleted != 2;
}
#else
int main(void) {
    return without_persistent();
}
#endif
