/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends this process, with words, if a call of MPI's that may hang for ever takes too long. */
#ifndef CAUCUS_RUN_SUPPORT_WATCHDOG_H
#define CAUCUS_RUN_SUPPORT_WATCHDOG_H

struct caucus_watchdog;

/* Watches from now on, for so many seconds; NULL without memory or a thread. words stay where they
 * are until it is called off. */
struct caucus_watchdog *caucus_watchdog_start(double seconds, const char *words);

/* The call has come back. */
void caucus_watchdog_call_off(struct caucus_watchdog *watchdog);

#endif
