/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions of the Fortran module share that tools/generate_fortran.py makes: arguments of
 * Fortran's as C wants them. Handles are integers there, statuses arrays of integers, and buffers
 * come with their descriptor. */
#ifndef CAUCUS_FORTRAN_GLUE_H
#define CAUCUS_FORTRAN_GLUE_H

#include <caucus/caucus.h>

#include <ISO_Fortran_binding.h>

#include <stdbool.h>

/* A buffer of a blocking call: the user's own, or where that is a section of an array with gaps, a
 * copy without them. */
struct caucus_f_buffer {
    void *address;
    const CFI_cdesc_t *section; /* NULL where there is no copy */
};

/* On failure MPI_ERR_NO_MEM is raised at MPI_COMM_SELF and returned, and there is nothing to free.
 */
int caucus_f_buffer_open(struct caucus_f_buffer *buffer, const CFI_cdesc_t *given,
                         const char *function);

/* Frees the copy; written: what is in it goes to where the user has his buffer. */
void caucus_f_buffer_close(struct caucus_f_buffer *buffer, bool written);

/* Of a buffer that is used after the call: of a section with gaps caucus_array_section(), which all
 * functions refuse. */
void *caucus_f_address(const CFI_cdesc_t *given);

/* Weights of a graph. */
const int *caucus_f_weights(const MPI_Fint *given);

/* The datatypes of all blocks, to be freed by free(); NULL where none are read, and where there is
 * no memory. */
MPI_Datatype *caucus_f_types(const MPI_Fint given[], int count);

/* How many blocks a rank sends or receives; 0 where the function will say what is wrong. */
int caucus_f_blocks(MPI_Comm comm);
int caucus_f_neighbors(MPI_Comm comm, bool sends);
int caucus_f_group_blocks(caucus_group group);

/* Statuses of Fortran's as C has them: NULL stands for those that are to be ignored. close gives
 * them back and frees them. */
struct caucus_f_statuses {
    MPI_Status *entry, one;
    MPI_Fint *given;
    int count;
};
void caucus_f_status_open(struct caucus_f_statuses *statuses, MPI_Fint *given);
/* As caucus_f_buffer_open. */
int caucus_f_statuses_open(struct caucus_f_statuses *statuses, MPI_Fint *given, int count,
                           const char *function);
void caucus_f_statuses_close(struct caucus_f_statuses *statuses);

/* Indices into arrays begin with 1. */
void caucus_f_indices(int indices[], int count);

/* A communicator that comes when a request completes: where C is to write it; at its end it is
 * given to Fortran. NULL where there is no memory. */
MPI_Comm *caucus_f_comm_later(MPI_Fint *given, const char *function);
/* If the call has failed. */
void caucus_f_comm_never(MPI_Comm *later);
/* Gives those that have come; after every call that may complete a request. */
void caucus_f_comms_come(void);

#endif
