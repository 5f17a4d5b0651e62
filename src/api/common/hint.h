/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that a call gives by an info object. */
#ifndef CAUCUS_API_COMMON_HINT_H
#define CAUCUS_API_COMMON_HINT_H

#include "base/settings.h"

#include <mpi.h>

enum { CAUCUS_INFO_VALUE = 64 };

/* Writes what info says under the setting's key into value, which has room for CAUCUS_INFO_VALUE
 * characters; "" where info is MPI_INFO_NULL or says nothing. */
int caucus_hint_read(MPI_Info info, enum caucus_setting_id id, char *value);

/* The text in force: the hint, or without one the setting's; and the name that it goes by. */
const char *caucus_hint_or_setting(const char *hint, enum caucus_setting_id id, const char **name);

/* A failure, if it is one, is the setting's fault unless the text was a hint; returns status. */
int caucus_hint_blame(const char *hint, enum caucus_setting_id id, int status);

/* The part of the bytes between nodes that reordering must save, by a hint or the setting. */
int caucus_hint_threshold(const char *hint, double *threshold);

#endif
