/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAUCUS_BASE_STATUS_H
#define CAUCUS_BASE_STATUS_H

/* What a function below src/run returns; src/api turns it into MPI's error classes. */
enum caucus_status {
    CAUCUS_OK = 0,
    CAUCUS_BAD_ARGUMENT, /* MPI_ERR_ARG */
    CAUCUS_BAD_DIMS,     /* MPI_ERR_DIMS */
    CAUCUS_BAD_COMM,     /* MPI_ERR_COMM */
    CAUCUS_BAD_TOPOLOGY, /* MPI_ERR_TOPOLOGY */
    CAUCUS_BAD_FILE,     /* MPI_ERR_ARG: a malformed or unreadable machine or stencil description */
    CAUCUS_NO_MEMORY,    /* MPI_ERR_NO_MEM */
    CAUCUS_NOT_APPLICABLE, /* a mapper or algorithm that does not serve this case */
    CAUCUS_INTERNAL,       /* MPI_ERR_INTERN: a bug of ours, or a failure of MPI below us */
    CAUCUS_BAD_COUNT,      /* MPI_ERR_COUNT */
    CAUCUS_BAD_TYPE,       /* MPI_ERR_TYPE */
    CAUCUS_BAD_OPERATION,  /* MPI_ERR_OP */
    CAUCUS_BAD_ROOT,       /* MPI_ERR_ROOT */
    CAUCUS_BAD_BUFFER,     /* MPI_ERR_BUFFER */
    CAUCUS_BAD_REQUEST,    /* MPI_ERR_REQUEST */
    CAUCUS_TRUNCATED,      /* MPI_ERR_TRUNCATE: more was sent than there is room for */
    CAUCUS_IN_STATUS,      /* MPI_ERR_IN_STATUS: of several requests, some failed */
    CAUCUS_TIMED_OUT,      /* MPI_ERR_OTHER: somebody did not come within CAUCUS_TIMEOUT */
    CAUCUS_BAD_RANK,       /* MPI_ERR_RANK */
    CAUCUS_BAD_TAG,        /* MPI_ERR_TAG */
    CAUCUS_UNSUPPORTED,    /* MPI_ERR_UNSUPPORTED_OPERATION: neither we nor this MPI have it */
    CAUCUS_BAD_GROUP,      /* MPI_ERR_GROUP */
    CAUCUS_PENDING,        /* MPI_ERR_PENDING: the caller has to do something else first */
    CAUCUS_REFUSED,        /* no error: all ranks leave the call to MPI (api/calls/left.h) */
    CAUCUS_DEAD            /* MPIX_ERR_PROC_FAILED, where MPI has it, else MPI_ERR_INTERN: somebody
                              who is needed is known to be dead */
};

/* Keeps the text for caucus_error_text() of this thread and returns status, so that a check is
 * one line: return caucus_fail(CAUCUS_BAD_DIMS, "dims[%d] is %d: it must be positive", i, d). */
int caucus_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts a place in front of the text kept, for a caller that knows more; returns status. */
int caucus_fail_in(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of this thread's last failure; "" if there was none. Valid until its next one. */
const char *caucus_failure_text(void);

/* The same, public: caucus/error.h. */
const char *caucus_error_text(void);

#endif
