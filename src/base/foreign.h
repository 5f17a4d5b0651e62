/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that are loaded when they are first wanted, and not linked: a program may have one of
 * the same name, of another version, with numbers of another width, perhaps linked statically. So
 * our calls go where dlsym says, its symbols are of no use to others (RTLD_LOCAL), and its own
 * calls stay within it (RTLD_DEEPBIND), whatever the program defines. */
#ifndef CAUCUS_BASE_FOREIGN_H
#define CAUCUS_BASE_FOREIGN_H

#include "base/settings.h"

#include <stddef.h>
#include <stdint.h>

/* The library that a setting names; NULL for none, and where it can't be loaded. That, or that it
 * lacks the function that is needed, is said where something else than the default is asked for. */
void *caucus_foreign_open(enum caucus_setting_id setting, const char *needed);

/* Whether there would be nothing to say. */
int caucus_foreign_check(enum caucus_setting_id setting, const char *needed);

/* Numbers of so many bytes (4 or 8) of ours, which have another width: to be freed; NULL without
 * memory. */
void *caucus_foreign_widened(int64_t count, const void *numbers, size_t width, size_t to);

/* The other way round. */
void caucus_foreign_narrow(int32_t count, const void *numbers, size_t width, int32_t *to);

#endif
