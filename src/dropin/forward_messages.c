/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that would block within MPI while requests of ours are active: both kinds move on. */
#include "api/interposition/interposition.h"
#include "api/interposition/mixed.h"
#include "dropin/forward.h"
#include "dropin_calls.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

bool caucus_forward_is_busy(void) {
    return caucus_interposition_polls();
}

/* What a request is until MPI sets it: after a handler of the user's, MPICH 5.0.2 calls what failed
 * a success, and there is nothing to wait for. */
intptr_t caucus_forward_no_request(void) {
    return (intptr_t)MPI_REQUEST_NULL;
}

int caucus_forward_finish(int code, void *request) {
    return code ? code : caucus_mixed_wait(request, MPI_STATUS_IGNORE);
}

int caucus_forward_finish_receive(int code, void *request, void *status) {
    return code ? code : caucus_mixed_wait(request, status);
}

/* The other side may send nothing to who sends it nothing. */
static void give_up(MPI_Request *received) {
    PMPI_Cancel(received);
    caucus_mixed_wait(received, MPI_STATUS_IGNORE);
}

/* The receive first: its status is the one that is told. */
int caucus_forward_finish_both(int code, void *received, void *sent, void *status) {
    if (code || *(MPI_Request *)sent == MPI_REQUEST_NULL) {
        give_up(received);
        return code;
    }
    int other = caucus_mixed_wait(received, status);
    code = caucus_mixed_wait(sent, MPI_STATUS_IGNORE);
    return code ? code : other;
}

#if CAUCUS_DROPIN_HAS_LARGE_MESSAGES
typedef MPI_Count number;
#define LARGE(name) name##_c
#else
typedef int number;
#define LARGE(name) name
#endif

/* Open MPI 5.0.11 says of 4 GiB and 16 bytes that they take 16. */
static bool is_too_long(number count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return sizeof(number) == sizeof(int) && size > 0 && count > INT_MAX / 2 / size;
}

/* The message packed, so that its buffer can be received into; NULL if it can't be, and *code is
 * not 0 where the caller has been told so. */
static void *pack(const void *buffer, number count, MPI_Datatype type, MPI_Comm comm,
                  number *length, int *code) {
    number room = 0;
    *length = 0;
    *code = LARGE(PMPI_Pack_size)(count, type, comm, &room);
    if (*code || is_too_long(count, type))
        return NULL;
    void *packed = malloc((size_t)room + 1);
    if (packed)
        *code = LARGE(PMPI_Pack)(buffer, count, type, packed, room, length, comm);
    if (!*code)
        return packed;
    free(packed);
    return NULL;
}

bool caucus_forward_sendrecv_replace(intptr_t buffer_address, int64_t all, intptr_t type_handle,
                                     int to, int send_tag, int from, int receive_tag,
                                     intptr_t comm_handle, void *status, int *code) {
    MPI_Comm comm = (MPI_Comm)comm_handle;
    MPI_Datatype type = (MPI_Datatype)type_handle;
    void *buffer = (void *)buffer_address;
    number count = (number)all, length;
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    void *packed = pack(buffer, count, type, comm, &length, code);
    if (!packed)
        return *code != MPI_SUCCESS;
    *code = LARGE(PMPI_Irecv)(buffer, count, type, from, receive_tag, comm, &received);
    if (!*code && received != MPI_REQUEST_NULL) {
        *code = LARGE(PMPI_Isend)(packed, length, MPI_PACKED, to, send_tag, comm, &sent);
        *code = caucus_forward_finish_both(*code, &received, &sent, status);
    }
    free(packed);
    return true;
}
