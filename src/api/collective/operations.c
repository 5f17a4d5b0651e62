/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/request.h"

#include "api/collective/predefined.h"
#include "api/common/raise.h"
#include "base/memory.h"
#include "base/status.h"

#include <caucus/collective.h>

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct held {
    MPI_Op op;
    long users;
    bool freed; /* by the user */
    struct held *next;
};

static struct held *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Where the operation is in the list, or the list's end. Under the lock. */
static struct held **find(MPI_Op op) {
    struct held **at = &list;
    while (*at && (*at)->op != op)
        at = &(*at)->next;
    return at;
}

int caucus_operation_hold(MPI_Op op) {
    int status = CAUCUS_OK;
    if (op == MPI_OP_NULL || caucus_operation_name(op))
        return status;
    pthread_mutex_lock(&lock);
    struct held **at = find(op);
    if (!*at) {
        *at = caucus_array(1, sizeof **at);
        if (*at)
            (*at)->op = op;
    }
    if (*at)
        (*at)->users++;
    else
        status = CAUCUS_NO_MEMORY;
    pthread_mutex_unlock(&lock);
    return status;
}

void caucus_operation_let_go(MPI_Op op) {
    bool freed = false;
    if (op == MPI_OP_NULL || caucus_operation_name(op))
        return;
    pthread_mutex_lock(&lock);
    struct held **at = find(op), *held = *at;
    if (held && --held->users == 0) {
        freed = held->freed;
        *at = held->next;
        free(held);
    }
    pthread_mutex_unlock(&lock);
    if (freed)
        PMPI_Op_free(&op);
}

/* Whether requests use the operation, which is marked as freed then. */
static bool put_off(MPI_Op op) {
    pthread_mutex_lock(&lock);
    struct held *held = *find(op);
    if (held)
        held->freed = true;
    pthread_mutex_unlock(&lock);
    return held != NULL;
}

static int check(const MPI_Op *op) {
    if (!op)
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is a null pointer");
    if (*op == MPI_OP_NULL)
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is MPI_OP_NULL");
    if (caucus_operation_name(*op))
        return caucus_fail(CAUCUS_BAD_OPERATION, "op is %s, which is MPI's own",
                           caucus_operation_name(*op));
    return CAUCUS_OK;
}

int caucus_op_free(MPI_Op *op) {
    int status = check(op);
    if (status)
        return caucus_raise(MPI_COMM_SELF, NULL, __func__, status);
    if (!put_off(*op))
        return PMPI_Op_free(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
