/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_API_CALLS_FORGIVE_H
#define CAUCUS_API_CALLS_FORGIVE_H

#include <stdbool.h>

/* Fails where a setting that it reads has no value that it may have. */
typedef int caucus_check(void);

/* Under the drop-in, before anything is read: asks all that read settings, these and those that
 * this room knows, and refuses what is wrong (base/refused.h). `first`: this process is the one
 * that says so, and that writes files. May be called again. Local. */
void caucus_calls_forgive(bool first, caucus_check *const checks[], int count);

#endif
