/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library takes it gives back: the communicator of MPI's first topology, its hold on the
 * communicator of a pool, the node memory of a communicator. The first two are told by functions of
 * this program, which the library finds before MPI's own, and by its insides. The first topology is
 * made where threads may call MPI alone.
 *
 * run: ranks=1,2,3
 * run: ranks=2 args=threads */
#include "check.h"

#include "run/attachment/attach.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <string.h>

static MPI_Comm first = MPI_COMM_NULL;
static int made, freed;

int PMPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *cart) {
    static int (*real)(MPI_Comm, int, const int[], const int[], int, MPI_Comm *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Cart_create");
    int code = real(comm, ndims, dims, periods, reorder, cart);
    if (comm == MPI_COMM_SELF) {
        first = *cart;
        made++;
    }
    return code;
}

int PMPI_Comm_free(MPI_Comm *comm) {
    static int (*real)(MPI_Comm *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Comm_free");
    if (made > 0 && *comm == first) {
        first = MPI_COMM_NULL;
        freed++;
    }
    return real(comm);
}

static void check_first_topology(int expected) {
    const int dims[] = {world_size()}, periods[] = {0};
    for (int again = 0; again < 2; again++) {
        MPI_Comm grid;
        CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &grid));
        CHECK(made == expected && freed == expected, "made %d, freed %d", made, freed);
        MPI_Comm_free(&grid);
    }
}

static int body(void *context, caucus_pool pool, caucus_group group, const void *task) {
    (void)context, (void)pool, (void)group, (void)task;
    return 0;
}

static void check_pool(void) {
    const caucus_pool_options options = {.body = body, .task_bytes = sizeof(int)};
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    const struct caucus_attachment *attachment = caucus_attached(MPI_COMM_WORLD);
    int before = attachment->references;
    for (int again = 0; again < 2; again++) {
        caucus_pool pool;
        CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
        CHECK(attachment->references == before + 1, "it is not held");
        CHECK_MPI(caucus_pool_submit(pool, 1, &again));
        CHECK_MPI(caucus_pool_run(pool));
        CHECK_MPI(caucus_pool_close(&pool));
        CHECK(attachment->references == before, "held %d times, not %d", attachment->references,
              before);
    }
}

/* How many of the library's shared pieces of memory this process has; -1 in a seeded world, where
 * they are others. */
static int shared_pieces(void) {
    char line[512];
    int pieces = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps)
        return -1;
    while (fgets(line, sizeof line, maps))
        pieces += strstr(line, "/memfd:caucus-") || strstr(line, "/dev/shm/caucus-");
    fclose(maps);
    return pieces;
}

static void check_node_memory(void) {
    MPI_Comm comm, node;
    int others, before = shared_pieces();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &others);
    for (int again = 0; again < 2; again++) {
        int in = 1, out = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        CHECK_MPI(caucus_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm));
        CHECK(out == world_size(), "%d", out);
        CHECK(before < 0 || others == 1 || shared_pieces() > before, "there is no node memory");
        MPI_Comm_free(&comm);
        CHECK(shared_pieces() == before, "%d pieces of memory, not %d", shared_pieces(), before);
    }
    MPI_Comm_free(&node);
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    check_first_topology(level == MPI_THREAD_MULTIPLE);
    check_pool();
    check_node_memory();
    MPI_Finalize();
    return 0;
}
