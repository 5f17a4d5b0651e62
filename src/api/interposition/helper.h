/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that moves our requests on while another blocks within MPI: only where MPI serves
 * several threads at a time. It sleeps while nobody needs it. */
#ifndef CAUCUS_API_INTERPOSITION_HELPER_H
#define CAUCUS_API_INTERPOSITION_HELPER_H

/* Between these it works; calls of several threads overlap freely. */
void caucus_helper_begin(void);
void caucus_helper_leave(void);

/* Before MPI_Finalize. */
void caucus_helper_end(void);

#endif
