/* SPDX-License-Identifier: BSD-3-Clause */
/* What the drop-in knows of a communicator it knows of those that are made of it, without a walk
 * through their groups: PMPI_Group_difference, by which it would find out, takes Open MPI 5.0.11
 * the product of their sizes, as does PMPI_Group_translate_ranks. Of a window's group it finds out
 * once. The program's own ones count.
 *
 * run: ranks=4 preload
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking
 * start: own (what replaces PMPI_Group_difference must be the program) */
#define _GNU_SOURCE
#include "persistent.h"

#if HAS_PERSISTENT
#include <dlfcn.h>

static int walks, translations;

int PMPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group *rest) {
    static int (*real)(MPI_Group, MPI_Group, MPI_Group *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Group_difference");
    walks++;
    return real(first, second, rest);
}

int PMPI_Group_translate_ranks(MPI_Group first, int count, const int ranks[], MPI_Group second,
                               int there[]) {
    static int (*real)(MPI_Group, int, const int[], MPI_Group, int[]);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Group_translate_ranks");
    translations++;
    return real(first, count, ranks, second, there);
}

/* The init has the others made as nonblocking ones from then on, if it has not been so before. */
static void use(MPI_Comm comm) {
    MPI_Request request;
    int value = 1, sum = 0, size;
    MPI_Comm_size(comm, &size);
    CHECK_MPI(MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    CHECK_MPI(MPI_Start(&request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&request));
    CHECK(sum == size, "%d of %d", sum, size);
    CHECK_MPI(MPI_Barrier(comm));
    CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

static MPI_Comm grid_of(MPI_Comm comm) {
    MPI_Comm grid;
    CHECK_MPI(MPI_Cart_create(comm, 2, (const int[]){2, 2}, (const int[]){0, 0}, 1, &grid));
    return grid;
}

/* On what is made of comm, of some ranks of it first. */
static void descend(MPI_Comm comm) {
    MPI_Comm row, half, copy, grid = grid_of(comm), second = grid_of(grid);
    CHECK_MPI(MPI_Cart_sub(grid, (const int[]){0, 1}, &row));
    CHECK_MPI(MPI_Comm_split(comm, world_rank() % 2, 0, &half));
    CHECK_MPI(MPI_Comm_dup(second, &copy));
    MPI_Comm all[] = {second, copy, grid, row, half};
    for (int i = 0; i < 5; i++)
        use(all[i]);
    CHECK(walks == 0, "%d walks", walks);
    for (int i = 0; i < 5; i++)
        MPI_Comm_free(&all[i]);
}

/* On half of the ranks: the group of all may be known by its handle. */
static void fence(void) {
    MPI_Comm half;
    MPI_Win window;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half);
    CHECK_MPI(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, half, &window));
    CHECK_MPI(MPI_Win_fence(0, window));
    int walked = walks, translated = translations;
    for (int i = 0; i < 10; i++)
        CHECK_MPI(MPI_Win_fence(0, window));
    CHECK(walks == walked && translations == translated, "%d walks, %d translations",
          walks - walked, translations - translated);
    CHECK(translated > 0, "this program's function was not found");
    MPI_Win_free(&window);
    MPI_Comm_free(&half);
}

static MPI_Comm made_by_members(void) {
    int pair[] = {world_rank() / 2 * 2, world_rank() / 2 * 2 + 1};
    MPI_Group all, two;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, pair, &two);
    int before = translations;
    CHECK_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, two, 1, &made));
    CHECK(translations - before <= 2, "%d translations", translations - before);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
    return made;
}

int main(int argc, char **argv) {
    MPI_Comm copy, later, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    descend(copy);
    use(copy);
    MPI_Comm_dup(copy, &later);
    use(later);
    CHECK(walks == 0, "%d walks", walks);
    other = made_by_members();
    use(other);
    fence();
    CHECK(walks > 0, "this program's function was not found");
    MPI_Comm_free(&other);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
