/* SPDX-License-Identifier: BSD-3-Clause */

#include "api/common/raise.h"
#include "base/settings.h"
#include "base/status.h"
#include "run/peers/peers.h"
#include "run/support/waits.h"

#include <stdatomic.h>
#include <stddef.h>

static void warn_once(const struct caucus_attachment *attachment) {
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&warned) && attachment->rank == 0)
        caucus_settings_warn_unknown();
}

static int prepare(MPI_Comm comm, const char *function, int status,
                   struct caucus_attachment **attachment) {
    if (!status)
        status = caucus_come_together(comm);
    if (!status)
        status = caucus_waits_begin();
    if (!status)
        status = caucus_attach(comm, attachment);
    if (status)
        return caucus_raise(comm, NULL, function, status);
    warn_once(*attachment);
    return MPI_SUCCESS;
}

int caucus_prepare(MPI_Comm comm, const char *function, struct caucus_attachment **attachment) {
    return prepare(comm, function, caucus_check_comm(comm), attachment);
}

int caucus_prepare_any(MPI_Comm comm, const char *function, struct caucus_attachment **attachment) {
    return prepare(comm, function, caucus_check_any_comm(comm), attachment);
}
