/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_RUN_SUPPORT_THREADS_H
#define CAUCUS_RUN_SUPPORT_THREADS_H

#include <stdbool.h>

/* Whether several threads may call MPI at a time. In programs of sessions they may: each session
 * has a level of its own, and MPI_Query_thread of Open MPI 5.0.11 says MPI_THREAD_SINGLE of all.
 * Local; true where MPI fails. */
bool caucus_threads_may(void);

#endif
