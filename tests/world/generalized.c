/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests: whoever makes one says when it is complete, and is asked for its status. */
#include "world.h"

struct generalized {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

int world_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *lost,
                         MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *made) {
    choose("MPI_Grequest_start");
    struct request *request = request_new(GENERALIZED, self->process->world);
    request->generalized = NEW(1, struct generalized);
    *request->generalized = (struct generalized){query, lost, cancel, extra};
    request->active = true;
    *made = (MPI_Request)(void *)request;
    return MPI_SUCCESS;
}

int world_Grequest_complete(MPI_Request handle) {
    struct request *request = request_of(handle, "MPI_Grequest_complete");
    choose("MPI_Grequest_complete");
    if (!request || request->kind != GENERALIZED)
        return comm_error(NULL, MPI_ERR_REQUEST);
    request->done = true;
    happened();
    return MPI_SUCCESS;
}

int generalized_query(struct request *request) {
    struct generalized *functions = request->generalized;
    return functions ? functions->query(functions->extra, &request->status) : MPI_SUCCESS;
}

int generalized_free(struct request *request) {
    struct generalized *functions = request->generalized;
    return functions ? functions->free(functions->extra) : MPI_SUCCESS;
}

int generalized_cancel(struct request *request) {
    struct generalized *functions = request->generalized;
    return functions ? functions->cancel(functions->extra, request->done) : MPI_SUCCESS;
}
