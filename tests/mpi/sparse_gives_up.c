/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse exchange with somebody who is said to be dead: nobody waits for him; but all enter the
 * barrier once, also those whose messages are not taken, since MPI's collectives are called in one
 * order by all. Who is dead is told by functions of this program, for most MPIs do not tell: the
 * library finds them before its own, unless it is linked into the program.
 *
 * run: ranks=2,3 */
#include "check.h"

#include "base/status.h"
#include "run/engine/engine.h"
#include "run/engine/sparse.h"
#include "run/support/failure.h"
#include "skip.h"

#include <dlfcn.h>
#include <string.h>

static bool told;
static int barriers;

__attribute__((weak)) bool caucus_failure_detected(void) {
    return told;
}

__attribute__((weak)) int caucus_peers_dead(const struct caucus_peers *peers, int *dead) {
    *dead = told ? peers->size - 1 : -1;
    return CAUCUS_OK;
}

/* Before MPI's own. */
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    static int (*real)(MPI_Comm, MPI_Request *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Ibarrier");
    barriers++;
    return real(comm, request);
}

/* Rank 0 has a message for the last rank, who takes none. */
static void check(const struct caucus_attachment *attachment, int tag) {
    const int32_t to = attachment->size - 1;
    const int64_t begin[] = {0, 1};
    const int data = 11;
    const struct caucus_sparse_messages letters = {attachment->rank == 0, &to, begin, &data,
                                                   sizeof data};
    void *received;
    int64_t count;
    told = true;
    int status = caucus_sparse_exchange(attachment, tag, &letters, &received, &count);
    told = false;
    CHECK(status == CAUCUS_DEAD, "status %d", status);
    CHECK(strstr(caucus_error_text(), "which takes part, is dead"), "%s", caucus_error_text());
    CHECK(count == 0, "%lld", (long long)count);
    CHECK(barriers == 1, "%d barriers", barriers);
    free(received);
}

int main(int argc, char **argv) {
    struct caucus_attachment *attachment;
    struct caucus_engine *engine;
    MPI_Init(&argc, &argv);
    told = true;
    bool asked = caucus_failure_detected();
    told = false;
    if (!asked) {
        MPI_Finalize();
        return skipped("the library is linked into the program, and asks itself who is dead");
    }
    CHECK(!caucus_attach(MPI_COMM_WORLD, &attachment), "attach");
    CHECK(!caucus_engine_get(attachment, NULL, &engine), "engine");
    barriers = 0;
    check(attachment, (int)engine->tags - 1); /* of no arena here */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
