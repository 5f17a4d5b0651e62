/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief What went wrong, in words.
 */
#ifndef CAUCUS_ERROR_H
#define CAUCUS_ERROR_H

/**
 * @defgroup error Error messages
 * @brief The explanation of an error, beyond its MPI error class.
 * @{
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Explains the most recent failure of a Caucus function in the calling thread: which function and
 * argument, on which rank, and what was expected.
 *
 * @code
 * MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
 * if (caucus_bcast(buffer, count, MPI_INT, root, comm) != MPI_SUCCESS)
 *     fprintf(stderr, "%s\n", caucus_error_text());
 * @endcode
 *
 * Local. May be called by any thread at any time, also before MPI_Init and after MPI_Finalize.
 *
 * @return The text, "" if no call of this thread has failed yet; never NULL. It belongs to the
 *         library and is valid until the next failing call of this thread.
 */
const char *caucus_error_text(void);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
