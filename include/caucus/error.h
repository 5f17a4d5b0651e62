/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_ERROR_H
#define CAUCUS_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* The whole story of the calling thread's last failed call: which function and argument, on which
 * rank, and what was expected. "" if nothing failed yet. The text belongs to the library and is
 * valid until this thread's next failing call. Any time; no MPI needed. */
const char *caucus_error_text(void);

#ifdef __cplusplus
}
#endif

#endif
