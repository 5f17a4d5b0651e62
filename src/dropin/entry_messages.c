/* SPDX-License-Identifier: BSD-3-Clause */
/* Under MPI's own names: messages that block. While one of our requests is active, others may wait
 * for what this process is to pass on; so the nonblocking form is called then, and both kinds are
 * moved on until it is complete. As in entry.c, this file knows nothing of mpi.h. */
#include "api/interposition/helper.h"
#include "dropin/forward.h"
#include "dropin_calls.h"

#define BOTH                                                                                       \
    intptr_t send_buffer, intptr_t send_count, intptr_t send_type, int to, int send_tag,           \
        intptr_t receive_buffer, intptr_t receive_count, intptr_t receive_type, int from,          \
        int receive_tag, intptr_t comm, void *status

#define SEND_AND_RECEIVE(name, receive, send)                                                      \
    int P##name(BOTH);                                                                             \
    int P##receive(intptr_t, intptr_t, intptr_t, int, int, intptr_t, void *request);               \
    int P##send(intptr_t, intptr_t, intptr_t, int, int, intptr_t, void *request);                  \
    int name(BOTH) {                                                                               \
        intptr_t received = caucus_forward_no_request(), sent = caucus_forward_no_request();       \
        if (!caucus_forward_is_busy()) {                                                           \
            caucus_helper_enter();                                                                 \
            int code = P##name(send_buffer, send_count, send_type, to, send_tag, receive_buffer,   \
                               receive_count, receive_type, from, receive_tag, comm, status);      \
            caucus_helper_leave();                                                                 \
            return code;                                                                           \
        }                                                                                          \
        int code = P##receive(receive_buffer, receive_count, receive_type, from, receive_tag,      \
                              comm, &received);                                                    \
        if (code || received == caucus_forward_no_request())                                       \
            return code;                                                                           \
        code = P##send(send_buffer, send_count, send_type, to, send_tag, comm, &sent);             \
        return caucus_forward_finish_both(code, &received, &sent, status);                         \
    }

SEND_AND_RECEIVE(MPI_Sendrecv, MPI_Irecv, MPI_Isend)

#if CAUCUS_DROPIN_HAS_LARGE_MESSAGES
SEND_AND_RECEIVE(MPI_Sendrecv_c, MPI_Irecv_c, MPI_Isend_c)
#endif

/* Not by MPI_Isendrecv_replace: what MPICH 5.0.2 and Intel MPI 2021.18 give as the status of its
 * request is none. */
#define REPLACE(name, number)                                                                      \
    int P##name(intptr_t buffer, number count, intptr_t type, int to, int send_tag, int from,      \
                int receive_tag, intptr_t comm, void *status);                                     \
    int name(intptr_t buffer, number count, intptr_t type, int to, int send_tag, int from,         \
             int receive_tag, intptr_t comm, void *status) {                                       \
        int code;                                                                                  \
        if (caucus_forward_is_busy() &&                                                            \
            caucus_forward_sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag,  \
                                            comm, status, &code))                                  \
            return code;                                                                           \
        caucus_helper_enter();                                                                     \
        code = P##name(buffer, count, type, to, send_tag, from, receive_tag, comm, status);        \
        caucus_helper_leave();                                                                     \
        return code;                                                                               \
    }

REPLACE(MPI_Sendrecv_replace, int)

#if CAUCUS_DROPIN_HAS_LARGE_MESSAGES
REPLACE(MPI_Sendrecv_replace_c, intptr_t)
#endif
