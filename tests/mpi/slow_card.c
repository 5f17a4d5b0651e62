/* SPDX-License-Identifier: BSD-3-Clause */
/* CAUCUS_MODEL=auto where what all ranks of a node send takes much longer than what its leader
 * sends alone: the model knows no rank that is faster than its card.
 *
 * run: ranks=4 mpi=mpich env=CAUCUS_MODEL=auto env=CAUCUS_CACHE=none env=MPIR_CVAR_NUM_CLIQUES=2 */
#include "check.h"

#include "api/collective/context.h"

#include <caucus/caucus.h>
#include <dlfcn.h>
#include <time.h>

enum { LONG = 1 << 14 };

/* Long messages are held up but for rank 0, who leads the node that sends some. */
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request *request) {
    static int (*next)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    if (count >= LONG && world_rank() > 0)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return next(buffer, count, type, rank, tag, comm, request);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    CHECK_MPI(caucus_barrier(MPI_COMM_WORLD));
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    const struct caucus_model *model = &context->settings.model;
    const double byte = model->byte[CAUCUS_BETWEEN_NODES];
    CHECK(context->attachment->nodes.count == 2, "%d nodes", (int)context->attachment->nodes.count);
    CHECK(model->card_byte > 1e-8, "the card takes %g s for a byte", model->card_byte);
    CHECK(byte >= model->card_byte, "a rank is faster than its card: %g and %g", byte,
          model->card_byte);
    MPI_Finalize();
    return 0;
}
