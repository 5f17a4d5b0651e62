/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a group come together by messages over what MPI_COMM_WORLD is attached by, if an init
 * that all of them took part in says so (tracked.h). One that has no memory for its part tells the
 * others, and all go on. Used where one thread at a time calls MPI. */
#ifndef CAUCUS_API_INTERPOSITION_MEETING_H
#define CAUCUS_API_INTERPOSITION_MEETING_H

#include <mpi.h>

/* words: a constant that is the same on all, and another one where something else is made. */
void caucus_meet(MPI_Group group, const char *words);

/* The same for a group that MPI gives by one handle as long as what has it is there, such as a
 * window's, which comes again and again: what was found out of it is kept, for that takes some MPIs
 * the product of numbers of ranks (served.h). Takes the group over. */
void caucus_meet_again(MPI_Group group, const char *words);

/* When MPI is finalized. */
void caucus_meetings_end(void);

#endif
