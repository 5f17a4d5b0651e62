/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with a METIS of its own, whose numbers are 64 bits wide, and a Scotch, which every
 * library sees: Caucus loads both and never calls these, nor do those that it loads, whose inner
 * functions have the same names.
 *
 * start: own (a shared object's functions would be seen by nobody)
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_METIS=none args=libmetis
 * run: ranks=8 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SCOTCH=none args=libscotch */
#include "../mpi/check.h"
#include "../mpi/skip.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static int calls;

int METIS_SetDefaultOptions(int64_t *options);
int METIS_PartGraphKway(int64_t *vertices, int64_t *constraints, int64_t *start);
int METIS_PartGraphRecursive(int64_t *vertices, int64_t *constraints, int64_t *start);
int gk_malloc_init(void);
void *libmetis__SetupCtrl(void);
int SCOTCH_numSizeof(void);
int SCOTCH_graphMap(void);
int _SCOTCHcontextInit(void);
void SCOTCH_errorPrint(void);

int METIS_SetDefaultOptions(int64_t *options) {
    options[39] = -1;
    return ++calls;
}

int METIS_PartGraphKway(int64_t *vertices, int64_t *constraints, int64_t *start) {
    (void)constraints, (void)start;
    calls++;
    return (int)*vertices;
}

int METIS_PartGraphRecursive(int64_t *vertices, int64_t *constraints, int64_t *start) {
    return METIS_PartGraphKway(vertices, constraints, start);
}

int gk_malloc_init(void) {
    return ++calls;
}

void *libmetis__SetupCtrl(void) {
    calls++;
    return NULL;
}

int SCOTCH_numSizeof(void) {
    return ++calls;
}

int SCOTCH_graphMap(void) {
    return ++calls;
}

int _SCOTCHcontextInit(void) {
    return ++calls;
}

void SCOTCH_errorPrint(void) {
    calls++;
}

/* Whether this process has loaded it. */
static int has(const char *library) {
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found = found || strstr(line, library);
    if (maps)
        fclose(maps);
    return found;
}

int main(int argc, char **argv) {
    int64_t options[40], vertices = 5;
    int rank, heard[2];
    MPI_Comm made;
    int *volatile unweighted = MPI_UNWEIGHTED; /* which compilers take for an array of nothing */
    MPI_Init(&argc, &argv);
    int size = world_size();
    const char *none = argc > 1 ? argv[1] : NULL;
    if (SANITIZED) {
        MPI_Finalize();
        return skipped("sanitizers do not bear a library whose calls are bound to itself");
    }
    int around[2] = {(world_rank() + size - 1) % size, (world_rank() + 1) % size};
    for (int round = 0; round < 3; round++) {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, unweighted, 2, around, unweighted,
                                       MPI_INFO_NULL, 1, &made);
        MPI_Comm_rank(made, &rank);
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, made);
        CHECK(heard[0] == (rank + size - 1) % size && heard[1] == (rank + 1) % size, "%d",
              heard[0]);
        MPI_Comm_free(&made);
    }
    CHECK(calls == 0, "the program's own METIS or Scotch was called %d times", calls);
    CHECK(METIS_SetDefaultOptions(options) == 1 && gk_malloc_init() == 2, "other functions");
    CHECK(METIS_PartGraphRecursive(&vertices, &vertices, &vertices) == 5, "another function");
    CHECK(SCOTCH_numSizeof() == 4 && SCOTCH_graphMap() == 5, "other functions of Scotch");
    int found = has("libmetis") + has("libscotch");
    CHECK(!found || world_rank() == 0, "METIS or Scotch is loaded on rank %d", world_rank());
    CHECK(!none || !has(none), "%s is loaded", none);
    MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return found || none ? 0 : skipped("there is neither METIS nor Scotch to be loaded");
}
