/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/foreign.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_VERSION = 8192 }; /* of any MPI; the one at hand may need more than ours */

/* MPIs whose handles are alike: the standard ABI, the MPICH ABI initiative, Open MPI. */
enum family { STANDARD, MPICH_LIKE, OPEN_MPI_LIKE, UNKNOWN };

static const char *const names[] = {"the standard MPI ABI", "MPICH or Intel MPI", "Open MPI",
                                    "another MPI"};

#if defined(MPI_ABI) || (defined(MPI_ABI_VERSION) && MPI_ABI_VERSION >= 1)
static const enum family built_with = STANDARD;
#elif defined(OPEN_MPI)
static const enum family built_with = OPEN_MPI_LIKE;
#elif defined(MPICH_VERSION) || defined(I_MPI_VERSION)
static const enum family built_with = MPICH_LIKE;
#else
static const enum family built_with = UNKNOWN;
#endif

static bool foreign;

/* New in MPI-5; where it is not, there is no standard ABI. */
int PMPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

static bool has_standard_abi(void) {
    int major = -1, minor = -1;
    return PMPI_Abi_get_version && PMPI_Abi_get_version(&major, &minor) == MPI_SUCCESS &&
           major >= 1;
}

static enum family running_on(char *version) {
    static const char *const mpich_like[] = {"MPICH", "Intel(R) MPI", "MVAPICH"};
    int length;
    version[0] = '\0';
    PMPI_Get_library_version(version, &length);
    if (has_standard_abi())
        return STANDARD;
    if (strstr(version, "Open MPI"))
        return OPEN_MPI_LIKE;
    for (size_t i = 0; i < sizeof mpich_like / sizeof *mpich_like; i++)
        if (strstr(version, mpich_like[i]))
            return MPICH_LIKE;
    return UNKNOWN;
}

static void find_out(void) {
    char version[LONGEST_VERSION + 1];
    enum family at_hand = running_on(version);
    foreign = at_hand != built_with;
    if (foreign)
        fprintf(
            stderr,
            "caucus: this drop-in was built for %s, but the program runs on %s (%.*s): it leaves "
            "all calls to MPI; preload the one built for that MPI.\n",
            names[built_with], names[at_hand], (int)strcspn(version, "\n,"), version);
}

bool caucus_mpi_is_foreign(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_out);
    return foreign;
}
