/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief The version of the headers and of the library.
 */
#ifndef CAUCUS_VERSION_H
#define CAUCUS_VERSION_H

/**
 * @defgroup version Version
 * @brief The version that a program was compiled with (macros) and runs with (caucus_version).
 * @{
 */

/** Major version of these headers. */
#define CAUCUS_VERSION_MAJOR 0
/** Minor version of these headers. */
#define CAUCUS_VERSION_MINOR 1
/** Patch level of these headers. */
#define CAUCUS_VERSION_PATCH 0
/** Version of these headers as text, "major.minor.patch". */
#define CAUCUS_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library that the program runs with, such as "0.1.0". It differs from
 * #CAUCUS_VERSION if the program was compiled with the headers of another version.
 *
 * Local. May be called by any thread at any time, also before MPI_Init and after MPI_Finalize.
 *
 * @return A string that belongs to the library and stays valid; never NULL.
 */
const char *caucus_version(void);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
