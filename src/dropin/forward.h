/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entries under MPI's names call: it takes a call over, or leaves it to MPI. Handles come
 * as whole registers or pointers to void. */
#ifndef CAUCUS_DROPIN_FORWARD_H
#define CAUCUS_DROPIN_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

int caucus_forward_init(void); /* when MPI is initialised; an error code of MPI */
void caucus_forward_finalize(void);

/* Grids: false for a call that is left to MPI. */
bool caucus_forward_cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods,
                                int reorder, void *comm_cart, int *code);
bool caucus_forward_cart_map(intptr_t comm, int ndims, const int *dims, const int *periods,
                             int *newrank, int *code);
bool caucus_forward_dims_create(int nnodes, int ndims, int *dims);

/* Graphs; the same. */
bool caucus_forward_graph_create(intptr_t comm_old, int nodes, const int *index, const int *edges,
                                 int reorder, void *comm_graph, int *code);
bool caucus_forward_dist_graph_create(intptr_t comm_old, int count, const int *sources,
                                      const int *degrees, const int *destinations,
                                      const int *weights, intptr_t info, int reorder,
                                      void *comm_graph, int *code);
bool caucus_forward_dist_graph_create_adjacent(intptr_t comm_old, int indegree, const int *sources,
                                               const int *source_weights, int outdegree,
                                               const int *destinations,
                                               const int *destination_weights, intptr_t info,
                                               int reorder, void *comm_graph, int *code);

/* A communicator made by its members; the same. It enters in any case, so leave afterwards. */
bool caucus_forward_comm_create_group(intptr_t comm, intptr_t group, int tag, void *made,
                                      int *code);

/* Collectives, made by tools/generate_dropin.py: each goes one of these ways, and then leaves. */
enum { CAUCUS_FORWARD_MPI, CAUCUS_FORWARD_OURS, CAUCUS_FORWARD_NONBLOCKING };
enum { CAUCUS_FORWARD_LEFT = -1 }; /* what it returns where it turns out to be MPI's after all */
void caucus_forward_leave(void);

/* Around other calls that block and are collective over comm; if needed, waits in between until all
 * ranks have come. */
void caucus_forward_enter_other(intptr_t comm);

/* The same where comm is behind a pointer, and where a call is collective over a window, a file, or
 * groups that are named by words; and over comm and what its leader and another one bring
 * together. */
void caucus_forward_enter_other_at(const void *comm);
void caucus_forward_enter_window(intptr_t window);
void caucus_forward_enter_window_at(const void *window);
void caucus_forward_enter_file(intptr_t file);
void caucus_forward_enter_file_at(const void *file);
void caucus_forward_enter_group(intptr_t group, const char *words);
void caucus_forward_enter_groups(intptr_t local, intptr_t remote, const char *words);
void caucus_forward_enter_leaders(intptr_t comm, int leader, intptr_t peers, int remote_leader);

/* Around a call that may wait for others and that they don't make; and before one that waits for
 * nobody, but may be made again and again. */
void caucus_forward_enter_alone(void);
void caucus_forward_advance(void);

/* After MPI_Comm_idup. */
void caucus_forward_duplicates(intptr_t comm, const void *request);

/* After a call that made a communicator and succeeded, before it leaves: first, where comm, perhaps
 * null here, was made of parent by all of parent's ranks. */
void caucus_forward_derived(intptr_t parent, const void *comm);

/* The same of any: perhaps with processes of other worlds. */
void caucus_forward_made(const void *comm, bool of_other_worlds);

/* The error of a call that this MPI does not have. */
int caucus_forward_missing(const char *function, intptr_t comm);
int caucus_forward_lacks(const char *function);

/* The functions of MPI's that take requests: X(MPI's name, ours, parameters, these without types);
 * first those that complete all of them, and those that may complete some, with their number and
 * where they are. */
#define CAUCUS_FORWARD_COMPLETING_ALL(X)                                                           \
    X(Wait, wait, (void *request, void *status), (request, status), 1, request)                    \
    X(Waitall, waitall, (int count, void *requests, void *statuses), (count, requests, statuses),  \
      count, requests)
#define CAUCUS_FORWARD_COMPLETING(X)                                                               \
    X(Waitany, waitany, (int count, void *requests, int *index, void *status),                     \
      (count, requests, index, status), count, requests)                                           \
    X(Waitsome, waitsome,                                                                          \
      (int count, void *requests, int *completed, int *indices, void *statuses),                   \
      (count, requests, completed, indices, statuses), count, requests)                            \
    X(Test, test, (void *request, int *flag, void *status), (request, flag, status), 1, request)   \
    X(Testall, testall, (int count, void *requests, int *flag, void *statuses),                    \
      (count, requests, flag, statuses), count, requests)                                          \
    X(Testany, testany, (int count, void *requests, int *index, int *flag, void *status),          \
      (count, requests, index, flag, status), count, requests)                                     \
    X(Testsome, testsome,                                                                          \
      (int count, void *requests, int *completed, int *indices, void *statuses),                   \
      (count, requests, completed, indices, statuses), count, requests)
#define CAUCUS_FORWARD_REQUESTS(X)                                                                 \
    CAUCUS_FORWARD_COMPLETING_ALL(X)                                                               \
    CAUCUS_FORWARD_COMPLETING(X)                                                                   \
    X(Start, start, (void *request), (request))                                                    \
    X(Startall, startall, (int count, void *requests), (count, requests))                          \
    X(Request_get_status, request_get_status, (intptr_t request, int *flag, void *status),         \
      (request, flag, status))                                                                     \
    X(Request_free, request_free, (void *request), (request))                                      \
    X(Cancel, cancel, (void *request), (request))                                                  \
    X(Op_free, op_free, (void *op), (op))

/* Whether some request may be ours, or a wait for one that is not needs the helper; and these
 * functions then. */
bool caucus_forward_has_requests(void);
#define CAUCUS_FORWARD_DECLARE(name, ours, parameters, ...) int caucus_forward_##ours parameters;
CAUCUS_FORWARD_REQUESTS(CAUCUS_FORWARD_DECLARE)

/* *natives: the same array with the native ones alone, to be given to free(); NULL where all are.
 * An error code of MPI. Then what MPI says of them is completed by what is known of ours. */
int caucus_forward_natives(const char *function, int count, const void *requests, void **natives);
void caucus_forward_peek_all(int count, const void *requests, int *flag, void *statuses);
void caucus_forward_peek_any(int count, const void *requests, int *index, int *flag, void *status);
void caucus_forward_peek_some(int count, const void *requests, int *completed, int *indices,
                              void *statuses);

/* Whether requests of ours are active, so that a call must not block within MPI; and what ends the
 * nonblocking calls that take its place. A code is that of an earlier part, which may have failed,
 * or have left its request as it was (MPICH 5.0.2, after a handler of the user's). */
bool caucus_forward_is_busy(void);
intptr_t caucus_forward_no_request(void);
int caucus_forward_finish(int code, void *request);
int caucus_forward_finish_receive(int code, void *request, void *status);
int caucus_forward_finish_both(int code, void *received, void *sent, void *status);

/* False, and nothing has happened, where the message can't be packed: in an MPI without large
 * counts one of 1 GiB and more, or for want of memory. */
bool caucus_forward_sendrecv_replace(intptr_t buffer, int64_t count, intptr_t type, int to,
                                     int send_tag, int from, int receive_tag, intptr_t comm,
                                     void *status, int *code);

#endif
