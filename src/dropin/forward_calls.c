/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/forward_calls.h"

#include "api/calls/left.h"
#include "api/interposition/interposition.h"
#include "dropin/forward.h"
#include "dropin/guard.h"
#include "run/support/foreign.h"

/* Nothing of ours is called in a program of another MPI. */
static const int ways[] = {
    [CAUCUS_WAY_MPI] = CAUCUS_FORWARD_MPI,
    [CAUCUS_WAY_OURS] = CAUCUS_FORWARD_OURS,
    [CAUCUS_WAY_NONBLOCKING] = CAUCUS_FORWARD_NONBLOCKING,
};

_Static_assert((int)CAUCUS_FORWARD_LEFT == (int)CAUCUS_CALL_REFUSED, "the entries call MPI then");

int caucus_forward_enter(enum caucus_call call, MPI_Comm comm) {
    bool gather;
    if (caucus_guard_leaves())
        return CAUCUS_FORWARD_MPI;
    if (caucus_call_form(call) == CAUCUS_FORM_PERSISTENT)
        caucus_guard_look_again();
    enum caucus_way way = caucus_interposition_enter(call, comm, &gather);
    if (gather)
        caucus_forward_assemble(comm);
    return ways[way];
}

void caucus_forward_made(const void *comm, bool of_other_worlds) {
    if (!caucus_guard_leaves())
        caucus_interposition_made(*(const MPI_Comm *)comm, of_other_worlds);
}

void caucus_forward_derived(intptr_t parent, const void *comm) {
    if (!caucus_guard_leaves())
        caucus_interposition_derived((MPI_Comm)parent, *(const MPI_Comm *)comm);
}

/* What the guard says now does not tell whether it was entered: another thread may be in MPI_Init.
 */
void caucus_forward_leave(void) {
    caucus_interposition_leave();
}

int caucus_forward_lacks(const char *function) {
    return caucus_mpi_is_foreign() ? MPI_ERR_OTHER
                                   : caucus_interposition_missing(function, MPI_COMM_SELF);
}

int caucus_forward_missing(const char *function, intptr_t comm) {
    return caucus_mpi_is_foreign() ? MPI_ERR_OTHER
                                   : caucus_interposition_missing(function, (MPI_Comm)comm);
}
