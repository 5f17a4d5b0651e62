/* SPDX-License-Identifier: BSD-3-Clause */
/* What makes communicators, windows and files, and what is collective over them, while a collective
 * of ours is active that others complete before they come (orders.h).
 * run: ranks=4 preload
 * run: ranks=5 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking args=nonblocking
 * run: ranks=4 preload args=between
 * run: ranks=4 preload env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich
 * run: ranks=4 preload env=MPIR_CVAR_NUM_CLIQUES=2 mpi=mpich args=between
 */
#include "orders_windows.h"

#if HAS_PERSISTENT
static MPI_Group world_group(void) {
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    return group;
}

static void comm_dup(void) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_free(&made);
}

static void comm_dup_with_info(void) {
    MPI_Comm made;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &made);
    MPI_Comm_free(&made);
}

static void comm_idup(void) {
    MPI_Comm made;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
}

static void comm_create(void) {
    MPI_Comm made;
    MPI_Group group = world_group();
    MPI_Comm_create(MPI_COMM_WORLD, group, &made);
    MPI_Group_free(&group);
    MPI_Comm_free(&made);
}

static void comm_create_group(void) {
    MPI_Comm made;
    MPI_Group group = world_group();
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &made);
    MPI_Group_free(&group);
    MPI_Comm_free(&made);
}

static void comm_split(void) {
    MPI_Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &made);
    MPI_Comm_free(&made);
}

static void comm_split_type(void) {
    MPI_Comm made;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    MPI_Comm_free(&made);
}

static void comm_disconnect(void) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_disconnect(&made);
}

/* Rank 0 alone is one of the groups: it has nobody to come together with but the other leader. */
static MPI_Comm between(int of_first) {
    MPI_Comm own, made;
    int first = world_rank() < of_first;
    MPI_Comm_split(MPI_COMM_WORLD, first, 0, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, first ? of_first : 0, 5, &made);
    MPI_Comm_free(&own);
    return made;
}

static MPI_Comm halves[2];

static void intercomm_create(void) {
    MPI_Comm made;
    int first = world_rank() == 0;
    MPI_Intercomm_create(halves[0], 0, MPI_COMM_WORLD, first, 6, &made);
    MPI_Comm_free(&made);
}

static void intercomm_merge(void) {
    MPI_Comm made;
    MPI_Intercomm_merge(halves[1], world_rank() == 0, &made);
    MPI_Comm_free(&made);
}

static void cart_create(void) {
    MPI_Comm made;
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){world_size()}, (int[]){0}, 0, &made);
    MPI_Comm_free(&made);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){world_size()}, (int[]){0}, 1, &made);
    MPI_Comm_free(&made);
}

static MPI_Comm line;

static void cart_sub(void) {
    MPI_Comm made;
    MPI_Cart_sub(line, (int[]){1}, &made);
    MPI_Comm_free(&made);
}

static void graph_create(void) {
    MPI_Comm made;
    int index[64], edges[64], size = world_size();
    for (int i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    for (int reorder = 0; reorder < 2; reorder++) {
        MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made);
        MPI_Comm_free(&made);
    }
}

/* Between nodes MPICH 5.0.2 hangs in it by itself, which it is left to without reordering. */
static void dist_graph_create(void) {
    MPI_Comm made;
    int rank = world_rank(), next = (rank + 1) % world_size();
    for (int reorder = getenv("MPIR_CVAR_NUM_CLIQUES") != NULL; reorder < 2; reorder++) {
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, (int[]){1}, &next, (int[]){1},
                              MPI_INFO_NULL, reorder, &made);
        MPI_Comm_free(&made);
    }
}

static void dist_graph_create_adjacent(void) {
    MPI_Comm made;
    int size = world_size(), next = (world_rank() + 1) % size,
        before = (world_rank() + size - 1) % size;
    for (int reorder = 0; reorder < 2; reorder++) {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, (int[]){1}, 1, &next, (int[]){1},
                                       MPI_INFO_NULL, reorder, &made);
        MPI_Comm_free(&made);
    }
}

static void comm_create_from_group(void) {
    MPI_Comm made;
    MPI_Group group = world_group();
    MPI_Comm_create_from_group(group, "constructors", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    MPI_Group_free(&group);
    MPI_Comm_free(&made);
}

static void persistent_init(void) {
    static int value;
    MPI_Request request;
    MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Request_free(&request);
}

/* The last rank says by a message that it has come; rank 0 looks until it is there. */
static void iprobe(void) {
    int found = 0;
    if (world_rank() == world_size() - 1)
        MPI_Send(NULL, 0, MPI_INT, 0, 8, MPI_COMM_WORLD);
    while (world_rank() == 0 && !found)
        MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (world_rank() == 0)
        MPI_Recv(NULL, 0, MPI_INT, world_size() - 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct orders_case all[] = {
    {"MPI_Comm_dup", comm_dup},
    {"MPI_Comm_dup_with_info", comm_dup_with_info},
    {"MPI_Comm_idup", comm_idup},
    {"MPI_Comm_create", comm_create},
    {"MPI_Comm_create_group", comm_create_group},
    {"MPI_Comm_split", comm_split},
    {"MPI_Comm_split_type", comm_split_type},
    {"MPI_Comm_disconnect", comm_disconnect},
    {"MPI_Intercomm_create", intercomm_create},
    {"MPI_Intercomm_merge", intercomm_merge},
    {"MPI_Cart_create", cart_create},
    {"MPI_Cart_sub", cart_sub},
    {"MPI_Graph_create", graph_create},
    {"MPI_Dist_graph_create", dist_graph_create},
    {"MPI_Dist_graph_create_adjacent", dist_graph_create_adjacent},
    {"MPI_Comm_create_from_group", comm_create_from_group},
    {"MPI_Bcast_init", persistent_init},
    {"MPI_Iprobe", iprobe},
    WINDOW_CASES,
};

/* Before any collective of ours: what the cases need. */
static void begin(void) {
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() == 0, 0, &halves[0]);
    halves[1] = between(1);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){world_size()}, (int[]){0}, 0, &line);
    make_windows();
}

static void end(void) {
    free_windows();
    MPI_Comm_free(&halves[0]);
    MPI_Comm_free(&halves[1]);
    MPI_Comm_free(&line);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "persistent";
    MPI_Comm over = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    begin();
    if (strcmp(word, "nonblocking") == 0)
        over = MPI_COMM_WORLD;
    if (strcmp(word, "between") == 0)
        over = inter = between(world_size() / 2);
    orders_run(all, sizeof all / sizeof *all, argv + (argc > 1 ? 2 : 1), over);
    if (inter != MPI_COMM_NULL)
        MPI_Comm_free(&inter);
    end();
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
