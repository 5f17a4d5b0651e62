/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the report goes: the file of CAUCUS_REPORT. Processes that were spawned have the same
 * setting as those that they come from, whose report must stay: theirs goes into a file beside it,
 * with a dot and the number of the process that writes it at the end. */
#ifndef CAUCUS_API_CALLS_REPORT_PATH_H
#define CAUCUS_API_CALLS_REPORT_PATH_H

/* When MPI is up: later a program may have left those that it comes from. Local. */
void caucus_report_path_begin(void);

/* For the process that writes it; "" where none is wanted. */
const char *caucus_report_path(void);

#endif
