/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/support/failure.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/support/mpi_status.h"

#include <stdlib.h>

#ifdef CAUCUS_HAVE_FAILURES

#ifdef CAUCUS_HAVE_MPI_EXTENSIONS
#include <mpi-ext.h>
#endif

bool caucus_failure_detected(void) {
    int *enabled = NULL, found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, (void *)&enabled, &found);
    return found && *enabled;
}

static int class_of(int code) {
    int class = code;
    if (code != MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    return class;
}

bool caucus_failure_is(int code) {
    int class = class_of(code);
    return class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_PROC_FAILED_PENDING;
}

bool caucus_failure_is_pending(int code) {
    return class_of(code) == MPIX_ERR_PROC_FAILED_PENDING;
}

/* members: of comm and of those that died, both to be freed by the caller. */
static int find_groups(MPI_Comm comm, MPI_Group *members, MPI_Group *dead) {
    int status = caucus_mpi_status(PMPIX_Comm_get_failed(comm, dead), "MPIX_Comm_get_failed");
    if (status)
        return status;
    status = caucus_mpi_status(PMPI_Comm_group(comm, members), "MPI_Comm_group");
    if (status)
        PMPI_Group_free(dead);
    return status;
}

static int translate(MPI_Group dead, int count, MPI_Group members, int ranks[]) {
    int *place = caucus_array(count, sizeof *place);
    if (!place)
        return CAUCUS_NO_MEMORY;
    for (int i = 0; i < count; i++)
        place[i] = i;
    int status = caucus_mpi_status(PMPI_Group_translate_ranks(dead, count, place, members, ranks),
                                   "MPI_Group_translate_ranks");
    free(place);
    return status;
}

int caucus_failure_ranks(MPI_Comm comm, int ranks[], int room, int *count) {
    MPI_Group members, dead;
    *count = 0;
    int status = find_groups(comm, &members, &dead);
    if (status)
        return status;
    PMPI_Group_size(dead, count);
    int told = *count < room ? *count : room;
    if (told > 0)
        status = translate(dead, told, members, ranks);
    if (dead != MPI_GROUP_EMPTY)
        PMPI_Group_free(&dead);
    PMPI_Group_free(&members);
    return status;
}

int caucus_failure_class(void) {
    return MPIX_ERR_PROC_FAILED;
}

int caucus_failure_acknowledge(MPI_Comm comm) {
    return caucus_mpi_status(PMPIX_Comm_failure_ack(comm), "MPIX_Comm_failure_ack");
}

#else /* this MPI tells nothing of deaths */

bool caucus_failure_detected(void) {
    return false;
}

bool caucus_failure_is(int code) {
    (void)code;
    return false;
}

bool caucus_failure_is_pending(int code) {
    (void)code;
    return false;
}

int caucus_failure_class(void) {
    return MPI_ERR_INTERN;
}

int caucus_failure_ranks(MPI_Comm comm, int ranks[], int room, int *count) {
    (void)comm, (void)ranks, (void)room;
    *count = 0;
    return CAUCUS_OK;
}

int caucus_failure_acknowledge(MPI_Comm comm) {
    (void)comm;
    return CAUCUS_OK;
}

#endif

int caucus_failure_among(MPI_Comm comm, int (*position)(const void *some, int rank),
                         const void *some, int *found) {
    int count;
    *found = -1;
    int status = caucus_failure_ranks(comm, NULL, 0, &count);
    if (status || count == 0)
        return status;
    int room = count, *ranks = caucus_array(room, sizeof *ranks);
    if (!ranks)
        return CAUCUS_NO_MEMORY;
    status = caucus_failure_ranks(comm, ranks, room, &count);
    for (int i = 0; i < room && !status && *found < 0; i++)
        *found = position(some, ranks[i]);
    free(ranks);
    return status;
}

int caucus_failure_probe(MPI_Comm comm, int tag, bool *found, MPI_Message *message,
                         MPI_Status *said, bool *deaths) {
    int flag = 0, status = CAUCUS_OK;
    int code = PMPI_Improbe(MPI_ANY_SOURCE, tag, comm, &flag, message, said);
    if (caucus_failure_is(code)) {
        *deaths = true;
        status = caucus_failure_acknowledge(comm);
        flag = 0;
        code = PMPI_Improbe(MPI_ANY_SOURCE, tag, comm, &flag, message, said);
    }
    *found = !status && code == MPI_SUCCESS && flag;
    if (status || caucus_failure_is(code)) /* somebody died just now: the next probe finds it */
        return status;
    return caucus_mpi_status(code, "MPI_Improbe");
}
