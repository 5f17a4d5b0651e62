/* SPDX-License-Identifier: BSD-3-Clause */
/* A number for each communicator that was derived from MPI_COMM_WORLD by calls of all ranks of its
 * parent: the same on all of its ranks, without a message. Such calls come in one order on all
 * ranks, so the parent's number and how many came before give it. Communicators that one call makes
 * have the same, but they have no rank in common. */
#ifndef CAUCUS_API_INTERPOSITION_COMMUNICATOR_ID_H
#define CAUCUS_API_INTERPOSITION_COMMUNICATOR_ID_H

#include <mpi.h>
#include <stdint.h>

/* Before any other: MPI_COMM_WORLD gets one. */
void caucus_communicator_id_begin(void);

/* After a call that made made, perhaps null, of all ranks of parent; it gets a number if parent has
 * one. What has two groups gets none. Local. */
void caucus_communicator_id_derive(MPI_Comm parent, MPI_Comm made);

/* 0 where it has none, on all ranks alike. */
uint64_t caucus_communicator_id(MPI_Comm comm);

/* Of each that was asked for its number and has been freed since, the number, once. */
struct caucus_attachment;
void caucus_communicator_id_tell_gone(void (*tell)(struct caucus_attachment *world,
                                                   uint64_t number),
                                      struct caucus_attachment *world);

#endif
