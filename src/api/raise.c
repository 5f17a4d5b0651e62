/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/raise.h"

#include "base/status.h"
#include "run/failure.h"
#include "run/say.h"

#include <stddef.h>

int caucus_error_class(int status) {
    switch (status) {
    case CAUCUS_BAD_DIMS:
        return MPI_ERR_DIMS;
    case CAUCUS_BAD_COMM:
        return MPI_ERR_COMM;
    case CAUCUS_BAD_TOPOLOGY:
        return MPI_ERR_TOPOLOGY;
    case CAUCUS_NO_MEMORY:
        return MPI_ERR_NO_MEM;
    case CAUCUS_BAD_COUNT:
        return MPI_ERR_COUNT;
    case CAUCUS_BAD_TYPE:
        return MPI_ERR_TYPE;
    case CAUCUS_BAD_OPERATION:
        return MPI_ERR_OP;
    case CAUCUS_BAD_ROOT:
        return MPI_ERR_ROOT;
    case CAUCUS_BAD_BUFFER:
        return MPI_ERR_BUFFER;
    case CAUCUS_BAD_REQUEST:
        return MPI_ERR_REQUEST;
    case CAUCUS_BAD_RANK:
        return MPI_ERR_RANK;
    case CAUCUS_BAD_TAG:
        return MPI_ERR_TAG;
    case CAUCUS_TRUNCATED:
        return MPI_ERR_TRUNCATE;
    case CAUCUS_IN_STATUS:
        return MPI_ERR_IN_STATUS;
    case CAUCUS_TIMED_OUT:
        return MPI_ERR_OTHER;
    case CAUCUS_BAD_GROUP:
        return MPI_ERR_GROUP;
    case CAUCUS_UNSUPPORTED:
        return MPI_ERR_UNSUPPORTED_OPERATION;
    case CAUCUS_PENDING:
        return MPI_ERR_PENDING;
    case CAUCUS_DEAD:
        return caucus_failure_class();
    case CAUCUS_NOT_APPLICABLE:
    case CAUCUS_BAD_ARGUMENT:
    case CAUCUS_BAD_FILE:
        return MPI_ERR_ARG;
    default:
        return MPI_ERR_INTERN;
    }
}

static bool is_fatal(MPI_Comm comm) {
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return false;
    bool fatal = handler == MPI_ERRORS_ARE_FATAL;
#ifdef MPI_ERRORS_ABORT
    fatal = fatal || handler == MPI_ERRORS_ABORT;
#endif
    PMPI_Errhandler_free(&handler);
    return fatal;
}

static void tell(MPI_Comm comm, const struct caucus_attachment *agreed) {
    bool fatal = is_fatal(comm);
    if (agreed)
        caucus_say_once(agreed, fatal, caucus_error_text());
    else if (fatal)
        caucus_say(caucus_error_text());
}

/* Who handles the error of a call without a communicator depends on MPI's version: let MPI itself
 * find that there is none. */
static int raise_null(void) {
    int size, initialized;
    PMPI_Initialized(&initialized);
    if (initialized)
        tell(MPI_COMM_SELF, NULL);
    int code = PMPI_Comm_size(MPI_COMM_NULL, &size);
    return code == MPI_SUCCESS ? MPI_ERR_COMM : code;
}

static struct caucus_reader reader_of(MPI_Comm comm) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    return attachment ? caucus_attachment_reader(attachment) : (struct caucus_reader){0, 0};
}

int caucus_raise(MPI_Comm comm, const struct caucus_attachment *agreed, const char *function,
                 int status) {
    caucus_fail_in(status, "%s", function);
    if (comm == MPI_COMM_NULL)
        return raise_null();
    caucus_words_settle(reader_of(comm));
    bool alone = status == CAUCUS_INTERNAL || status == CAUCUS_DEAD;
    tell(comm, alone ? NULL : agreed);
    int code = caucus_error_class(status);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

int caucus_check_any_comm(MPI_Comm comm) {
    return comm == MPI_COMM_NULL ? caucus_fail(CAUCUS_BAD_COMM, "the communicator is MPI_COMM_NULL")
                                 : CAUCUS_OK;
}

int caucus_check_comm(MPI_Comm comm) {
    int inter = 0, status = caucus_check_any_comm(comm);
    if (!status)
        PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        return caucus_fail(CAUCUS_BAD_COMM,
                           "the communicator is an intercommunicator: one group is needed");
    return status;
}
