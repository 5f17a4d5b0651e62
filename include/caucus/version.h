/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_VERSION_H
#define CAUCUS_VERSION_H

#define CAUCUS_VERSION_MAJOR 0
#define CAUCUS_VERSION_MINOR 1
#define CAUCUS_VERSION_PATCH 0
#define CAUCUS_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library in use, such as "0.1.0". Any thread, any time; no MPI needed. */
const char *caucus_version(void);

#ifdef __cplusplus
}
#endif

#endif
