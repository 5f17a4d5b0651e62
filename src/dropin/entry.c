/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's own names. Handles pass as whole registers, whatever type they have in the MPI that this is
 * built with: in a program of another MPI the calls must go through unharmed. So this file knows
 * nothing of mpi.h. */
#include "dropin/forward.h"
#include "dropin/guard.h"
#include "dropin_calls.h"

#include <stdbool.h>

int PMPI_Init(int *argc, char ***argv);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Finalize(void);
int PMPI_Cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods, int reorder,
                     void *comm_cart);
int PMPI_Cart_map(intptr_t comm, int ndims, const int *dims, const int *periods, int *newrank);
int PMPI_Dims_create(int nnodes, int ndims, int *dims);

int MPI_Init(int *argc, char ***argv) {
    caucus_guard_begin();
    int code = PMPI_Init(argc, argv);
    return code ? code : caucus_forward_init();
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    caucus_guard_begin();
    int code = PMPI_Init_thread(argc, argv, required, provided);
    return code ? code : caucus_forward_init();
}

#if CAUCUS_DROPIN_HAS_SESSIONS
int PMPI_Session_init(intptr_t info, intptr_t handler, void *session) __attribute__((weak));

int MPI_Session_init(intptr_t info, intptr_t handler, void *session) {
    bool before = caucus_guard_is_initialized();
    int code = PMPI_Session_init ? PMPI_Session_init(info, handler, session)
                                 : caucus_forward_lacks("MPI_Session_init");
    caucus_guard_session(before);
    return code;
}
#endif

int MPI_Finalize(void) {
    caucus_forward_finalize();
    int code = PMPI_Finalize();
    caucus_guard_end();
    return code;
}

int MPI_Cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods, int reorder,
                    void *comm_cart) {
    int code;
    caucus_forward_enter_other(comm_old);
    if (!caucus_forward_cart_create(comm_old, ndims, dims, periods, reorder, comm_cart, &code))
        code = PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart);
    if (!code) {
        caucus_forward_derived(comm_old, comm_cart);
        caucus_forward_made(comm_cart, false);
    }
    caucus_forward_leave();
    return code;
}

int MPI_Cart_map(intptr_t comm, int ndims, const int *dims, const int *periods, int *newrank) {
    int code;
    if (!caucus_forward_cart_map(comm, ndims, dims, periods, newrank, &code))
        code = PMPI_Cart_map(comm, ndims, dims, periods, newrank);
    return code;
}

int MPI_Dims_create(int nnodes, int ndims, int *dims) {
    if (caucus_forward_dims_create(nnodes, ndims, dims))
        return 0;
    return PMPI_Dims_create(nnodes, ndims, dims);
}
