/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: messages that block. While one of our requests is active, others may wait
 * for what this process is to pass on; so the nonblocking form is called then, and both kinds are
 * moved on until it is complete. As in entry.c, this file knows nothing of mpi.h. */
#include "dropin/forward.h"
#include "dropin_calls.h"

#define MESSAGE intptr_t buffer, intptr_t count, intptr_t type, int peer, int tag, intptr_t comm
#define GIVEN buffer, count, type, peer, tag, comm

#define SEND(name, nonblocking)                                                                    \
    int P##name(MESSAGE);                                                                          \
    int P##nonblocking(MESSAGE, void *request);                                                    \
    int name(MESSAGE) {                                                                            \
        intptr_t request = 0;                                                                      \
        if (!caucus_forward_is_busy())                                                             \
            return P##name(GIVEN);                                                                 \
        int code = P##nonblocking(GIVEN, &request);                                                \
        return code ? code : caucus_forward_finish(&request);                                      \
    }

SEND(MPI_Send, MPI_Isend)
SEND(MPI_Ssend, MPI_Issend)
SEND(MPI_Rsend, MPI_Irsend)

#define RECEIVE(name, nonblocking)                                                                 \
    int P##name(MESSAGE, void *status);                                                            \
    int P##nonblocking(MESSAGE, void *request);                                                    \
    int name(MESSAGE, void *status) {                                                              \
        intptr_t request = 0;                                                                      \
        if (!caucus_forward_is_busy())                                                             \
            return P##name(GIVEN, status);                                                         \
        int code = P##nonblocking(GIVEN, &request);                                                \
        return caucus_forward_finish_receive(code, &request, status);                              \
    }

RECEIVE(MPI_Recv, MPI_Irecv)

#define MATCHED(name, nonblocking)                                                                 \
    int P##name(intptr_t buffer, intptr_t count, intptr_t type, void *message, void *status);      \
    int P##nonblocking(intptr_t buffer, intptr_t count, intptr_t type, void *message,              \
                       void *request);                                                             \
    int name(intptr_t buffer, intptr_t count, intptr_t type, void *message, void *status) {        \
        intptr_t request = 0;                                                                      \
        if (!caucus_forward_is_busy())                                                             \
            return P##name(buffer, count, type, message, status);                                  \
        int code = P##nonblocking(buffer, count, type, message, &request);                         \
        return caucus_forward_finish_receive(code, &request, status);                              \
    }

MATCHED(MPI_Mrecv, MPI_Imrecv)

#define BOTH                                                                                       \
    intptr_t send_buffer, intptr_t send_count, intptr_t send_type, int to, int send_tag,           \
        intptr_t receive_buffer, intptr_t receive_count, intptr_t receive_type, int from,          \
        int receive_tag, intptr_t comm, void *status

#define SEND_AND_RECEIVE(name, receive, send)                                                      \
    int P##name(BOTH);                                                                             \
    int name(BOTH) {                                                                               \
        intptr_t received = 0, sent = 0;                                                           \
        if (!caucus_forward_is_busy())                                                             \
            return P##name(send_buffer, send_count, send_type, to, send_tag, receive_buffer,       \
                           receive_count, receive_type, from, receive_tag, comm, status);          \
        int code = P##receive(receive_buffer, receive_count, receive_type, from, receive_tag,      \
                              comm, &received);                                                    \
        if (code)                                                                                  \
            return code;                                                                           \
        code = P##send(send_buffer, send_count, send_type, to, send_tag, comm, &sent);             \
        return caucus_forward_finish_both(code, &received, &sent, status);                         \
    }

SEND_AND_RECEIVE(MPI_Sendrecv, MPI_Irecv, MPI_Isend)

#if CAUCUS_DROPIN_HAS_LARGE_MESSAGES
SEND(MPI_Send_c, MPI_Isend_c)
SEND(MPI_Ssend_c, MPI_Issend_c)
SEND(MPI_Rsend_c, MPI_Irsend_c)
RECEIVE(MPI_Recv_c, MPI_Irecv_c)
MATCHED(MPI_Mrecv_c, MPI_Imrecv_c)
SEND_AND_RECEIVE(MPI_Sendrecv_c, MPI_Irecv_c, MPI_Isend_c)
#endif

int PMPI_Sendrecv_replace(intptr_t buffer, int count, intptr_t type, int to, int send_tag, int from,
                          int receive_tag, intptr_t comm, void *status);

int MPI_Sendrecv_replace(intptr_t buffer, int count, intptr_t type, int to, int send_tag, int from,
                         int receive_tag, intptr_t comm, void *status) {
    int code;
    if (caucus_forward_is_busy() &&
        caucus_forward_sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag, comm,
                                        status, &code))
        return code;
    return PMPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag, comm,
                                 status);
}

#if CAUCUS_DROPIN_HAS_LARGE_REPLACE
#define REPLACED                                                                                   \
    intptr_t buffer, intptr_t count, intptr_t type, int to, int send_tag, int from,                \
        int receive_tag, intptr_t comm
int PMPI_Sendrecv_replace_c(REPLACED, void *status);
int PMPI_Isendrecv_replace_c(REPLACED, void *request);

int MPI_Sendrecv_replace_c(REPLACED, void *status) {
    intptr_t request = 0;
    if (!caucus_forward_is_busy())
        return PMPI_Sendrecv_replace_c(buffer, count, type, to, send_tag, from, receive_tag, comm,
                                       status);
    int code = PMPI_Isendrecv_replace_c(buffer, count, type, to, send_tag, from, receive_tag, comm,
                                        &request);
    return caucus_forward_finish_receive(code, &request, status);
}
#endif

int PMPI_Probe(int source, int tag, intptr_t comm, void *status);
int PMPI_Iprobe(int source, int tag, intptr_t comm, int *flag, void *status);
int PMPI_Mprobe(int source, int tag, intptr_t comm, void *message, void *status);
int PMPI_Improbe(int source, int tag, intptr_t comm, int *flag, void *message, void *status);

int MPI_Probe(int source, int tag, intptr_t comm, void *status) {
    int code, flag = 0, looks = 0;
    while (caucus_forward_is_busy()) {
        code = PMPI_Iprobe(source, tag, comm, &flag, status);
        if (code || flag)
            return code;
        caucus_forward_pause(&looks);
    }
    return PMPI_Probe(source, tag, comm, status);
}

int MPI_Mprobe(int source, int tag, intptr_t comm, void *message, void *status) {
    int code, flag = 0, looks = 0;
    while (caucus_forward_is_busy()) {
        code = PMPI_Improbe(source, tag, comm, &flag, message, status);
        if (code || flag)
            return code;
        caucus_forward_pause(&looks);
    }
    return PMPI_Mprobe(source, tag, comm, message, status);
}
