/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/support/foreign.h"

#include "run/support/world.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_VERSION = 8192 }; /* of any MPI; the one at hand may need more than ours */

static const char *const names[] = {"the standard MPI ABI", "MPICH or Intel MPI", "Open MPI",
                                    "another MPI"};

static enum caucus_mpi_family at_hand;
static char version[LONGEST_VERSION + 1];

/* New in MPI-5; where it is not, there is no standard ABI. */
int PMPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

static bool has_standard_abi(void) {
    int major = -1, minor = -1;
    return PMPI_Abi_get_version && PMPI_Abi_get_version(&major, &minor) == MPI_SUCCESS &&
           major >= 1;
}

static enum caucus_mpi_family running_on(void) {
    static const char *const mpich_like[] = {"MPICH", "Intel(R) MPI", "MVAPICH"};
    int length;
    PMPI_Get_library_version(version, &length);
    if (has_standard_abi())
        return CAUCUS_MPI_STANDARD;
    if (strstr(version, "Open MPI"))
        return CAUCUS_MPI_OPEN_MPI_LIKE;
    for (size_t i = 0; i < sizeof mpich_like / sizeof *mpich_like; i++)
        if (strstr(version, mpich_like[i]))
            return CAUCUS_MPI_MPICH_LIKE;
    return CAUCUS_MPI_UNKNOWN;
}

static void find_out(void) {
    at_hand = running_on();
}

enum caucus_mpi_family caucus_mpi_at_hand(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_out);
    return at_hand;
}

/* MPI_COMM_WORLD as the MPI at hand has it: these are what its ABI fixes. 0 where it is not up. */
static intptr_t world_at_hand(void) {
    int initialized = 0, finalized = 1;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (!initialized || finalized)
        return 0;
    switch (at_hand) {
    case CAUCUS_MPI_STANDARD:
        return 0x101;
    case CAUCUS_MPI_MPICH_LIKE:
        return 0x44000000;
    case CAUCUS_MPI_OPEN_MPI_LIKE:
        return (intptr_t)dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    default:
        return 0;
    }
}

/* Handles pass as whole registers, whatever type the function has. */
typedef int rank_function(intptr_t comm, int *rank);
typedef int abort_function(intptr_t comm, int code);

static int rank_at_hand(void) {
    rank_function *rank_of;
    intptr_t world = world_at_hand();
    int rank = 0;
    *(void **)&rank_of = dlsym(RTLD_DEFAULT, "PMPI_Comm_rank");
    if (!world || !rank_of)
        return caucus_world_launched_rank();
    rank_of(world, &rank);
    return rank;
}

static void tell(int built_for, const char *who, const char *consequence) {
    fprintf(stderr, "caucus: %s was built for %s, but the program runs on %s (%.*s): %s.\n", who,
            names[built_for], names[at_hand], (int)strcspn(version, "\n,"), version, consequence);
}

void caucus_mpi_tell_foreign(int built_for, const char *who, const char *consequence) {
    if (rank_at_hand() == 0)
        tell(built_for, who, consequence);
}

static void end(void) {
    abort_function *abort_all;
    intptr_t world = world_at_hand();
    if (rank_at_hand() > 0)
        sleep(1); /* rank 0 most likely ends all of them first, with one sentence */
    tell(CAUCUS_MPI_BUILT_FOR, "this libcaucus",
         "no call can be carried out; have the program load the one that was "
         "built for that MPI");
    usleep(200000); /* launchers may lose what was written just before an abort */
    *(void **)&abort_all = dlsym(RTLD_DEFAULT, "PMPI_Abort");
    if (world && abort_all)
        abort_all(world, EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

void caucus_mpi_insist(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (caucus_mpi_is_foreign())
        pthread_once(&once, end);
}
