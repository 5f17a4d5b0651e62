/* SPDX-License-Identifier: BSD-3-Clause */
/* A TYPE(MPI_Status) has the memory of the array of integers that mpif.h has in its place, in MPICH
 * and in Open MPI, whose own functions for Fortran rely on it; MPI_Status_c2f08 is not in all. */
#include "fortran/constants.h"
#include "fortran/glue.h"

#include "api/common/raise.h"
#include "base/status.h"

#include <stdlib.h>

static size_t fortran_length(void) {
    return sizeof(MPI_Status) / sizeof(MPI_Fint);
}

static void read(struct caucus_f_statuses *statuses) {
    for (int i = 0; i < statuses->count; i++)
        MPI_Status_f2c(statuses->given + (size_t)i * fortran_length(), &statuses->entry[i]);
}

void caucus_f_status_open(struct caucus_f_statuses *statuses, MPI_Fint *given) {
    statuses->given = given;
    statuses->count = given == caucus_f_constants()->status_ignore ? 0 : 1;
    statuses->entry = statuses->count ? &statuses->one : MPI_STATUS_IGNORE;
    read(statuses);
}

int caucus_f_statuses_open(struct caucus_f_statuses *statuses, MPI_Fint *given, int count,
                           const char *function) {
    *statuses = (struct caucus_f_statuses){.entry = MPI_STATUSES_IGNORE, .given = given};
    if (count <= 0 || given == caucus_f_constants()->statuses_ignore)
        return MPI_SUCCESS;
    MPI_Status *entry = malloc((size_t)count * sizeof *entry);
    if (!entry)
        return caucus_raise(MPI_COMM_SELF, NULL, function,
                            caucus_fail(CAUCUS_NO_MEMORY, "no memory for %d statuses", count));
    statuses->entry = entry;
    statuses->count = count;
    read(statuses);
    return MPI_SUCCESS;
}

void caucus_f_statuses_close(struct caucus_f_statuses *statuses) {
    for (int i = 0; i < statuses->count; i++)
        MPI_Status_c2f(&statuses->entry[i], statuses->given + (size_t)i * fortran_length());
    if (statuses->count && statuses->entry != &statuses->one)
        free(statuses->entry);
}
