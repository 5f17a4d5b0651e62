/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/common/raise.h"

#include "base/status.h"
#include "run/support/failure.h"
#include "run/support/foreign.h"
#include "run/support/notice.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 2048 };

static _Thread_local char raised[TEXT_SIZE]; /* what the user may read until a call fails again */

void caucus_keep_raised(void) {
    snprintf(raised, sizeof raised, "%s", caucus_error_text());
}

/* Where one way does not serve and another one does, the former leaves its reason. */
void caucus_succeed(void) {
    if (strcmp(caucus_error_text(), raised) != 0)
        caucus_fail(CAUCUS_OK, "%s", raised);
}

int caucus_error_class(int status) {
    static const int classes[] = {
        [CAUCUS_NOT_APPLICABLE] = MPI_ERR_ARG,
        [CAUCUS_BAD_ARGUMENT] = MPI_ERR_ARG,
        [CAUCUS_BAD_FILE] = MPI_ERR_ARG,
        [CAUCUS_BAD_DIMS] = MPI_ERR_DIMS,
        [CAUCUS_BAD_COMM] = MPI_ERR_COMM,
        [CAUCUS_BAD_TOPOLOGY] = MPI_ERR_TOPOLOGY,
        [CAUCUS_NO_MEMORY] = MPI_ERR_NO_MEM,
        [CAUCUS_BAD_COUNT] = MPI_ERR_COUNT,
        [CAUCUS_BAD_TYPE] = MPI_ERR_TYPE,
        [CAUCUS_BAD_OPERATION] = MPI_ERR_OP,
        [CAUCUS_BAD_ROOT] = MPI_ERR_ROOT,
        [CAUCUS_BAD_BUFFER] = MPI_ERR_BUFFER,
        [CAUCUS_BAD_REQUEST] = MPI_ERR_REQUEST,
        [CAUCUS_BAD_RANK] = MPI_ERR_RANK,
        [CAUCUS_BAD_TAG] = MPI_ERR_TAG,
        [CAUCUS_TRUNCATED] = MPI_ERR_TRUNCATE,
        [CAUCUS_IN_STATUS] = MPI_ERR_IN_STATUS,
        [CAUCUS_TIMED_OUT] = MPI_ERR_OTHER,
        [CAUCUS_BAD_GROUP] = MPI_ERR_GROUP,
        [CAUCUS_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
        [CAUCUS_PENDING] = MPI_ERR_PENDING,
        [CAUCUS_INTERNAL] = MPI_ERR_INTERN,
        [CAUCUS_REFUSED] = MPI_ERR_INTERN, /* who gets it leaves the call to MPI */
    };
    int class = status == CAUCUS_DEAD ? caucus_failure_class() : classes[status];
    return class ? class : MPI_ERR_INTERN; /* no error may look like success */
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

/* The lowest of the ranks whose handler is fatal says it. When all leave, it is said: they may well
 * abort then. */
static void tell_once(const struct caucus_attachment *agreed, bool fatal) {
    int own = fatal ? agreed->rank : INT_MAX, lowest = own;
    caucus_peers_allreduce(&agreed->peers, &own, &lowest, 1, MPI_INT, MPI_MIN);
    if (fatal && own == lowest)
        caucus_notice(caucus_error_text());
    caucus_peers_meet(&agreed->peers);
}

static void tell(MPI_Comm comm, const struct caucus_attachment *agreed) {
    bool fatal = is_fatal(comm);
    if (agreed)
        tell_once(agreed, fatal);
    else if (fatal)
        caucus_notice(caucus_error_text());
}

/* Programs of sessions have none. */
static bool has_self(void) {
    int initialized;
    PMPI_Initialized(&initialized);
    return initialized;
}

/* Who handles the error of a call without a communicator depends on MPI's version: let MPI itself
 * find that there is none. What it returns then may be a code of its own; ours is the class, as
 * everywhere. */
static int raise_null(void) {
    int size;
    if (has_self())
        tell(MPI_COMM_SELF, NULL);
    PMPI_Comm_size(MPI_COMM_NULL, &size);
    return MPI_ERR_COMM;
}

static struct caucus_reader reader_of(MPI_Comm comm) {
    const struct caucus_attachment *attachment = caucus_attached(comm);
    return attachment ? caucus_attachment_reader(attachment) : (struct caucus_reader){0, 0};
}

int caucus_raise(MPI_Comm comm, const struct caucus_attachment *agreed, const char *function,
                 int status) {
    if (!status) {
        caucus_succeed();
        return MPI_SUCCESS;
    }
    caucus_mpi_insist();
    caucus_fail_in(status, "%s", function);
    if (comm == MPI_COMM_SELF && !has_self()) {
        caucus_keep_raised();
        return caucus_error_class(status);
    }
    if (comm != MPI_COMM_NULL)
        caucus_rank_text_settle(reader_of(comm));
    caucus_keep_raised();
    if (comm == MPI_COMM_NULL)
        return raise_null();
    bool alone = /* so that the others may not come */
        status == CAUCUS_INTERNAL || status == CAUCUS_DEAD || status == CAUCUS_TIMED_OUT;
    tell(comm, alone ? NULL : agreed);
    int code = caucus_error_class(status);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

int caucus_check_pointer(const void *pointer, const char *name) {
    return pointer ? CAUCUS_OK : caucus_fail(CAUCUS_BAD_ARGUMENT, "%s is a null pointer", name);
}

int caucus_fail_again(int status, char *text) {
    caucus_fail(status, "%s", text ? text : "out of memory");
    free(text);
    return status;
}

int caucus_check_any_comm(MPI_Comm comm) {
    caucus_mpi_insist();
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
