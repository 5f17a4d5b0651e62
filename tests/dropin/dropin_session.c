/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of sessions, which never call MPI_Init, are served too.
 * run: ranks=1,4 preload
 * run: ranks=4 preload env=CAUCUS_NODES=cyclic:2 env=CAUCUS_VERBOSE=1 output="4 ranks on 2 nodes"
 */
#include "../mpi/skip.h"

#ifdef MPI_SESSION_NULL
int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, cart;
    int size, cells, periods[] = {0};
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "dropin", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_size(comm, &size);
    MPI_Cart_create(comm, 1, &size, periods, 1, &cart);
    MPI_Comm_size(cart, &cells);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return cells != size;
}
#else
int main(void) {
    return skipped("this MPI has no sessions");
}
#endif
