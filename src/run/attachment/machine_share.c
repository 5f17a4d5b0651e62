/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/machine_share.h"

#include "base/status.h"
#include "run/support/mpi_status.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = CPU_SETSIZE / 64 };

/* The processors that this process may run on. */
static void own_processors(uint64_t words[WORDS]) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) { /* more than a set has room for */
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        CPU_ZERO(&set);
        for (long processor = 0; processor < online && processor < CPU_SETSIZE; processor++)
            CPU_SET((size_t)processor, &set);
    }
    memset(words, 0, WORDS * sizeof *words);
    for (size_t processor = 0; processor < CPU_SETSIZE; processor++)
        if (CPU_ISSET(processor, &set))
            words[processor / 64] |= UINT64_C(1) << processor % 64;
}

static int of_machine(MPI_Comm machine, const uint64_t *own, uint64_t *all, int *ranks) {
    PMPI_Comm_size(machine, ranks);
    return caucus_mpi_status(PMPI_Allreduce(own, all, WORDS, MPI_UINT64_T, MPI_BOR, machine),
                             "MPI_Allreduce");
}

static int of_described(MPI_Comm comm, const uint64_t *own, uint64_t *all, int *ranks) {
    MPI_Comm machine;
    int status = caucus_mpi_status(
        PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
        "MPI_Comm_split_type");
    if (status)
        return status;
    status = of_machine(machine, own, all, ranks);
    PMPI_Comm_free(&machine);
    return status;
}

int caucus_ranks_per_core(const struct caucus_attachment *attachment, int *ranks_per_core) {
    uint64_t own[WORDS], all[WORDS] = {0};
    int ranks = 1, processors = 0;
    *ranks_per_core = 1;
    if (attachment->size == 1) /* see run/support/alone.h */
        return CAUCUS_OK;
    own_processors(own);
    int status = attachment->described ? of_described(attachment->comm, own, all, &ranks)
                                       : of_machine(attachment->node, own, all, &ranks);
    for (int word = 0; word < WORDS; word++)
        processors += __builtin_popcountll(all[word]);
    *ranks_per_core = processors > 0 ? (ranks + processors - 1) / processors : ranks;
    return status;
}
