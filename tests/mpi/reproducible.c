/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_REPRODUCIBLE=1: what is chosen for reductions is what built-in figures say, whatever a
 * file says; other collectives go by the file, and so do reductions without it.
 *
 * run: ranks=4 env=CAUCUS_NODES=2x2
 * run: ranks=6 env=CAUCUS_NODES=2x3 env=CAUCUS_SHARED_MEMORY=0 mpi=mpich,openmpi */
#include "check.h"

#include "api/collective/context.h"
#include "api/collective/prepared.h"
#include "api/collective/request.h"

#include <caucus/caucus.h>

#include <string.h>

enum { COUNT = 20000 };

/* The algorithms of an allreduce and an allgather on a communicator that is attached now. */
struct names {
    char allreduce[CAUCUS_PREPARED_NAME], allgather[CAUCUS_PREPARED_NAME];
};

static void name_of(caucus_request *request, char name[CAUCUS_PREPARED_NAME]) {
    snprintf(name, CAUCUS_PREPARED_NAME, "%s", (*request)->prepared->name);
    CHECK_MPI(caucus_request_free(request));
}

static struct names choose(const char *model, const char *reproducible) {
    static double in[COUNT], out[8 * COUNT];
    struct names names;
    caucus_request request;
    MPI_Comm comm;
    setenv("CAUCUS_MODEL", model, 1);
    setenv("CAUCUS_REPRODUCIBLE", reproducible, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(
        caucus_allreduce_init(in, out, COUNT, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request));
    name_of(&request, names.allreduce);
    CHECK_MPI(caucus_allgather_init(in, COUNT, MPI_DOUBLE, out, COUNT, MPI_DOUBLE, comm,
                                    MPI_INFO_NULL, &request));
    name_of(&request, names.allgather);
    MPI_Comm_free(&comm);
    return names;
}

/* Long ways are all that counts here. */
static void write_model(const char *path) {
    FILE *file = world_rank() == 0 ? fopen(path, "w") : NULL;
    CHECK(file || world_rank(), "no file");
    if (file)
        CHECK(fprintf(file, "latency_within 10\nlatency_between 10\nlatency_lone 10\nsignal 10\n") >
                      0 &&
                  fclose(file) == 0,
              "not written");
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    write_model("model.txt");
    struct names standard = choose("default", "0"), same = choose("default", "1");
    CHECK(memcmp(standard.allreduce, same.allreduce, strlen(same.allreduce) + 1) == 0,
          "%s with built-in figures, then %s", standard.allreduce, same.allreduce);
    struct names free_to = choose("model.txt", "0"), kept = choose("model.txt", "1");
    CHECK(strcmp(free_to.allreduce, standard.allreduce) != 0, "the file changes nothing: %s",
          standard.allreduce);
    CHECK(strcmp(kept.allreduce, standard.allreduce) == 0, "%s instead of %s", kept.allreduce,
          standard.allreduce);
    CHECK(strcmp(kept.allgather, free_to.allgather) == 0, "%s instead of %s", kept.allgather,
          free_to.allgather);
    MPI_Finalize();
    return 0;
}
