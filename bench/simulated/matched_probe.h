/* SPDX-License-Identifier: BSD-3-Clause */
/* SMPI lacks matched probes. Its ranks have one thread each, so what a probe has found is still
 * there for the receive that follows. Included before every file of a build for SMPI. */
#ifndef CAUCUS_BENCH_SIMULATED_MATCHED_PROBE_H
#define CAUCUS_BENCH_SIMULATED_MATCHED_PROBE_H

#include <mpi.h>
#include <stdlib.h>

#define CAUCUS_SIMULATED

#undef free /* SMPI's macro also takes a member of that name */

struct caucus_smpi_message {
    int source, tag;
    MPI_Comm comm;
};

static inline int caucus_smpi_improbe(int source, int tag, MPI_Comm comm, int *flag,
                                      MPI_Message *message, MPI_Status *status) {
    MPI_Status found = {0};
    int code = PMPI_Iprobe(source, tag, comm, flag, &found);
    *message = MPI_MESSAGE_NULL;
    if (status != MPI_STATUS_IGNORE)
        *status = found;
    if (code || !*flag)
        return code;
    struct caucus_smpi_message *kept = malloc(sizeof *kept);
    if (!kept)
        return MPI_ERR_NO_MEM;
    *kept = (struct caucus_smpi_message){found.MPI_SOURCE, found.MPI_TAG, comm};
    *message = kept;
    return code;
}

static inline int caucus_smpi_mrecv(void *buffer, int count, MPI_Datatype type,
                                    MPI_Message *message, MPI_Status *status) {
    struct caucus_smpi_message *kept = (struct caucus_smpi_message *)*message;
    int code = PMPI_Recv(buffer, count, type, kept->source, kept->tag, kept->comm, status);
    free(kept);
    *message = MPI_MESSAGE_NULL;
    return code;
}

static inline int caucus_smpi_imrecv(void *buffer, int count, MPI_Datatype type,
                                     MPI_Message *message, MPI_Request *request) {
    struct caucus_smpi_message *kept = (struct caucus_smpi_message *)*message;
    int code = PMPI_Irecv(buffer, count, type, kept->source, kept->tag, kept->comm, request);
    free(kept);
    *message = MPI_MESSAGE_NULL;
    return code;
}

#define PMPI_Improbe caucus_smpi_improbe
#define PMPI_Imrecv caucus_smpi_imrecv
#define PMPI_Mrecv caucus_smpi_mrecv

#endif
