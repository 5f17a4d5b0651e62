/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands around the figures in a file of caucus tune: who measured them, and an end. */
#ifndef CAUCUS_BASE_TUNED_H
#define CAUCUS_BASE_TUNED_H

#include "base/lines.h"

/* How lines of it begin, which are comments to whoever reads the figures. */
#define CAUCUS_TUNED_HEAD "# Measured by caucus tune"
#define CAUCUS_TUNED_MPI "# MPI: "
#define CAUCUS_TUNED_END "# End of what was measured."

enum { CAUCUS_TUNED_ROOM = 120 };

/* Opens the file, whose figures are then the lines: it is read once, so that it may be a pipe.
 * Fails with CAUCUS_BAD_FILE as caucus_lines_open; with CAUCUS_NOT_APPLICABLE where a file has
 * nothing but comments, or the head and no end: the text names it and says which. mpi is what the
 * head names; "" where there is none: then it may be a user's own, or an older one. */
int caucus_tuned_open(struct caucus_lines *lines, const char *path, char mpi[CAUCUS_TUNED_ROOM]);

#endif
