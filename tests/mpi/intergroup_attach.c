/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaching intercommunicators: groups of all sizes, duplicates and parts of attached ones, many at
 * a time and in turns, what the user has pending is not touched, requests live on, nodes are those
 * of both groups, and one may be left at the end.
 *
 * run: ranks=2,3,5
 * run: ranks=6 env=CAUCUS_NODES=cyclic:2
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 args=multiple mpi=mpich,openmpi
 * run: ranks=8 mpi=mpich,openmpi full */
#include "resident.h"
#include "skip.h"
#include "traffic.h"
#include "two_groups.h"

#include <pthread.h>

enum { CYCLES = 12, MANY = 4, THREADS = 3 };

/* How many nodes the ranks of both groups are on, by brute force. */
static void check_nodes(MPI_Comm comm) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    int node[MOST_RANKS], local = 0;
    gather_nodes(attachment->comm, node);
    for (int rank = 0; rank < attachment->size; rank++)
        local += node[rank] == node[attachment->rank];
    CHECK(attachment->nodes.count == count_nodes(attachment->size, node), "%d nodes",
          attachment->nodes.count);
    CHECK(attachment->local_size == local, "%d ranks on the node, not %d", attachment->local_size,
          local);
}

static void try_shapes(void) {
    for (int first = 1; first < world_size(); first++)
        for (int second = 1; first + second <= world_size(); second++) {
            MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, second);
            if (comm == MPI_COMM_NULL)
                continue;
            attach_and_check(comm, first);
            check_nodes(comm);
            const struct caucus_attachment *attachment = caucus_attached(comm);
            CHECK_MPI(caucus_comm_attach(comm));
            CHECK(caucus_attached(comm) == attachment, "it was attached twice");
            MPI_Comm_free(&comm);
        }
}

static MPI_Comm halves(void) {
    int half = world_size() / 2;
    return join_groups(MPI_COMM_WORLD, half, world_size() - half);
}

/* They are attached by themselves, and outlive what they were made of. */
static void try_derived(void) {
    MPI_Comm comm = halves(), twin, part;
    attach_and_check(comm, 1);
    MPI_Comm_dup(comm, &twin);
    CHECK(!caucus_attached(twin), "a duplicate is attached");
    attach_and_check(twin, 2);
    exchange(comm, 3);
    MPI_Comm_free(&comm);
    exchange(twin, 4);
    struct sides sides = sides_of(twin);
    bool both = sides.local > 1 && sides.remote > 1; /* or a part would lack a group */
    MPI_Comm_split(twin, both ? sides.rank % 2 : 0, -sides.rank, &part);
    MPI_Comm_free(&twin);
    attach_and_check(part, 5);
    MPI_Comm_free(&part);
}

static void try_many(void) {
    MPI_Comm comms[MANY];
    for (int i = 0; i < MANY; i++) {
        comms[i] = halves();
        CHECK_MPI(caucus_comm_attach(comms[i]));
    }
    for (int i = 0; i < 2 * MANY; i++)
        exchange(comms[i * 5 % MANY], i);
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&comms[i * 5 % MANY]);
}

/* What was posted before, for anything from anybody, gets the user's message and no other. */
static void try_wildcards(void) {
    MPI_Comm comm = halves();
    struct sides sides = sides_of(comm);
    MPI_Request request;
    MPI_Status status;
    int got = -1, flag, count;
    bool paired = sides.rank < sides.remote;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    attach_and_check(comm, 6);
    caucus_request barrier;
    CHECK_MPI(caucus_ibarrier(comm, &barrier));
    CHECK_MPI(caucus_wait(&barrier, MPI_STATUS_IGNORE));
    MPI_Test(&request, &flag, &status);
    CHECK(!flag, "a message came from %d", status.MPI_SOURCE);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    CHECK(!flag, "a message is there from %d", status.MPI_SOURCE);
    exchange(comm, 7);
    if (paired)
        MPI_Send(&sides.rank, 1, MPI_INT, sides.rank, 40 + sides.rank, comm);
    else
        MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    if (paired) {
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(got == sides.rank && status.MPI_SOURCE == sides.rank &&
                  status.MPI_TAG == 40 + sides.rank && count == 1,
              "%d from %d", got, status.MPI_SOURCE);
    }
    MPI_Comm_free(&comm);
}

/* As MPI's own do. */
static void try_requests(void) {
    MPI_Comm comm = halves();
    caucus_request active, persistent;
    attach_and_check(comm, 8);
    CHECK_MPI(caucus_barrier_init(comm, MPI_INFO_NULL, &persistent));
    CHECK_MPI(caucus_ibarrier(comm, &active));
    MPI_Comm_free(&comm);
    CHECK_MPI(caucus_wait(&active, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(caucus_start(&persistent));
        CHECK_MPI(caucus_wait(&persistent, MPI_STATUS_IGNORE));
    }
    CHECK_MPI(caucus_request_free(&persistent));
}

static void cycle(void) {
    MPI_Comm comm = halves();
    CHECK_MPI(caucus_barrier(comm));
    MPI_Comm_free(&comm);
}

static void try_cycles(void) {
    for (int i = 0; i < CYCLES; i++) /* MPI's own pools fill up */
        cycle();
    long before = resident();
    for (int i = 0; i < CYCLES; i++)
        cycle();
    long grown = resident() - before, allowed = 4L << 20;
#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory, and finds leaks itself */
    allowed += 1L << 30;
#endif
    CHECK(grown < allowed, "%ld bytes more after %d cycles", grown, CYCLES);
}

static void *work(void *argument) {
    MPI_Comm comm = *(MPI_Comm *)argument;
    for (int i = 0; i < 4; i++) {
        MPI_Comm twin;
        MPI_Comm_dup(comm, &twin);
        attach_and_check(twin, i);
        MPI_Comm_free(&twin);
    }
    return NULL;
}

static void try_threads(void) {
    pthread_t threads[THREADS];
    MPI_Comm comms[THREADS];
    for (int i = 0; i < THREADS; i++)
        comms[i] = halves();
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, work, &comms[i]), "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
}

int main(int argc, char **argv) {
    int wanted = argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, provided;
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    if (provided < wanted)
        return skipped_without_threads();
    if (wanted == MPI_THREAD_MULTIPLE) {
        try_threads();
    } else {
        try_shapes();
        try_derived();
        try_many();
        try_wildcards();
        try_requests();
        try_cycles();
    }
    MPI_Comm left = halves();
    attach_and_check(left, 9);
    MPI_Finalize();
    return 0;
}
