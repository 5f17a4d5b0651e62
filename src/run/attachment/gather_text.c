/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/attachment/gather_text.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/mpi_status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Where each rank's text goes, with room for a separator behind it; returns the room in all. */
static int64_t lay_out(int size, const int *lengths, int *displacements) {
    int64_t room = 1;
    for (int rank = 0; rank < size; rank++) {
        displacements[rank] = (int)(room - 1);
        room += lengths[rank] > 0 ? lengths[rank] + 2 : 0;
        if (room > INT_MAX)
            return -1;
    }
    return room;
}

static void put_separators(int size, const int *lengths, const int *displacements, char *text) {
    char *end = text;
    for (int rank = 0; rank < size; rank++) {
        if (lengths[rank] == 0)
            continue;
        end = text + displacements[rank] + lengths[rank];
        memcpy(end, ",\n", 2);
    }
    *end = '\0';
}

int caucus_gather_text(const struct caucus_attachment *attachment, const char *text, size_t length,
                       char **gathered) {
    int size = attachment->size, own = (int)length, status = CAUCUS_OK;
    bool root = attachment->rank == 0;
    int *lengths = caucus_array(root ? 2 * (int64_t)size : 0, sizeof *lengths);
    int *displacements = lengths + (root ? size : 0);
    *gathered = NULL;
    if (!lengths)
        status = CAUCUS_NO_MEMORY;
    else if (length > INT_MAX)
        status = caucus_fail(CAUCUS_INTERNAL, "a text of %zu characters is too long", length);
    status = caucus_agree(&attachment->peers, status, 0, NULL);
    if (!status)
        status = caucus_mpi_status(
            PMPI_Gather(&own, 1, MPI_INT, lengths, 1, MPI_INT, 0, attachment->comm), "MPI_Gather");
    if (!status && root) {
        int64_t room = lay_out(size, lengths, displacements);
        *gathered = room < 0 ? NULL : caucus_array(room, 1);
        if (!*gathered)
            status = room < 0 ? caucus_fail(CAUCUS_INTERNAL, "the texts are too long")
                              : CAUCUS_NO_MEMORY;
    }
    status = caucus_agree_root(&attachment->peers, 0, status);
    if (!status)
        status = caucus_mpi_status(PMPI_Gatherv(text, own, MPI_CHAR, *gathered, lengths,
                                                displacements, MPI_CHAR, 0, attachment->comm),
                                   "MPI_Gatherv");
    if (!status && root)
        put_separators(size, lengths, displacements, *gathered);
    free(lengths);
    return status;
}
