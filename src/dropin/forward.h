/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entries under MPI's names call: it takes a call over, or leaves it to MPI. Handles come
 * as whole registers or pointers to void. */
#ifndef CAUCUS_DROPIN_FORWARD_H
#define CAUCUS_DROPIN_FORWARD_H

#include <stdbool.h>
#include <stdint.h>

void caucus_forward_begin(void); /* before MPI is initialised; and after: */
bool caucus_forward_is_initialized(void);
void caucus_forward_session(bool before); /* after one was made: whether MPI was so before */
int caucus_forward_init(void);            /* an error code of MPI */
void caucus_forward_finalize(void);

/* Grids: false for a call that is left to MPI. */
bool caucus_forward_cart_create(intptr_t comm_old, int ndims, const int *dims, const int *periods,
                                int reorder, void *comm_cart, int *code);
bool caucus_forward_cart_map(intptr_t comm, int ndims, const int *dims, const int *periods,
                             int *newrank, int *code);
bool caucus_forward_dims_create(int nnodes, int ndims, int *dims);

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

/* After a call that made a communicator and succeeded, before it leaves: perhaps with processes of
 * other worlds. */
void caucus_forward_made(const void *comm, bool of_other_worlds);

/* The same where comm, perhaps null here, was made of parent by all of parent's ranks. */
void caucus_forward_derived(intptr_t parent, const void *comm);

/* The error of a call that this MPI does not have. */
int caucus_forward_missing(const char *function, intptr_t comm);
int caucus_forward_lacks(const char *function);

/* Whether some request may be ours; and the functions for requests then. */
bool caucus_forward_has_requests(void);
int caucus_forward_start(void *request);
int caucus_forward_startall(int count, void *requests);
int caucus_forward_wait(void *request, void *status);
int caucus_forward_waitall(int count, void *requests, void *statuses);
int caucus_forward_waitany(int count, void *requests, int *index, void *status);
int caucus_forward_waitsome(int count, void *requests, int *completed, int *indices,
                            void *statuses);
int caucus_forward_test(void *request, int *flag, void *status);
int caucus_forward_testall(int count, void *requests, int *flag, void *statuses);
int caucus_forward_testany(int count, void *requests, int *index, int *flag, void *status);
int caucus_forward_testsome(int count, void *requests, int *completed, int *indices,
                            void *statuses);
int caucus_forward_request_get_status(intptr_t request, int *flag, void *status);
int caucus_forward_request_free(void *request);
int caucus_forward_cancel(void *request);
int caucus_forward_op_free(void *op);

/* The same array with the native ones alone, to be given to free(); NULL where all are. Then what
 * MPI says of them is completed by what is known of ours. */
void *caucus_forward_natives(int count, const void *requests);
void caucus_forward_peek_all(int count, const void *requests, int *flag);
void caucus_forward_peek_any(int count, const void *requests, int *index, int *flag, void *status);
void caucus_forward_peek_some(int count, const void *requests, int *completed, int *indices,
                              void *statuses);

/* Whether requests of ours are active, so that a call must not block within MPI; and what ends the
 * nonblocking calls that take its place. A code is that of an earlier part, which may have failed.
 */
bool caucus_forward_is_busy(void);
int caucus_forward_finish(void *request);
int caucus_forward_finish_receive(int code, void *request, void *status);
int caucus_forward_finish_both(int code, void *received, void *sent, void *status);
bool caucus_forward_sendrecv_replace(intptr_t buffer, int count, intptr_t type, int to,
                                     int send_tag, int from, int receive_tag, intptr_t comm,
                                     void *status, int *code);
void caucus_forward_pause(int *looks); /* between two looks at what was not there yet */

#endif
