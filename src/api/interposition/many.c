/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of mixed.h that take an array of requests. */
#include "api/collective/request.h"
#include "api/common/raise.h"
#include "api/interposition/helper.h"
#include "api/interposition/mixed.h"
#include "api/interposition/progress.h"
#include "api/interposition/split.h"
#include "base/status.h"
#include "run/progress/progress.h"
#include "run/progress/waiting.h"

#include <stddef.h>

static bool has_ours(int count, const MPI_Request requests[]) {
    return requests && caucus_proxy_among(count, requests);
}

static int no_memory(const char *function) {
    return caucus_raise(MPI_COMM_SELF, NULL, function, CAUCUS_NO_MEMORY);
}

/* Between two looks of a wait; ours fail where it lasts too long. */
static void pass_time(struct caucus_split *split) {
    caucus_progress();
    caucus_mixed_pause(&split->looks);
    for (int i = 0; i < split->count && split->looks % CAUCUS_ROUNDS_PER_CLOCK == 0; i++)
        if (split->ours[i] && caucus_request_is_active(split->ours[i]->request))
            caucus_request_limit(split->ours[i]->request, &split->begin);
}

/* A wait for requests: for native ones alone by their test, as long as ours are active, and then by
 * MPI's wait; for both kinds by looks at both. */
#define WAIT(ours, name, parameters, test, is_done, wait, look)                                    \
    int caucus_mixed_##ours parameters {                                                           \
        struct caucus_split split;                                                                 \
        int flag = 0, looks = 0, code;                                                             \
        if (!has_ours(count, requests)) {                                                          \
            while (caucus_progress() > 0) {                                                        \
                code = test;                                                                       \
                if (code != MPI_SUCCESS || (is_done))                                              \
                    return code;                                                                   \
                caucus_mixed_pause(&looks);                                                        \
            }                                                                                      \
            caucus_helper_enter();                                                                 \
            code = wait;                                                                           \
            caucus_helper_leave();                                                                 \
            return code;                                                                           \
        }                                                                                          \
        if (caucus_split_begin(&split, count, requests))                                           \
            return no_memory(name);                                                                \
        while ((code = (look)) == MPI_SUCCESS && !(is_done))                                       \
            pass_time(&split);                                                                     \
        caucus_split_end(&split);                                                                  \
        (void)flag;                                                                                \
        return code;                                                                               \
    }

WAIT(waitall, "MPI_Waitall", (int count, MPI_Request requests[], MPI_Status statuses[]),
     PMPI_Testall(count, requests, &flag, statuses), flag, PMPI_Waitall(count, requests, statuses),
     caucus_split_test_all(&split, true, &flag, statuses))

WAIT(waitany, "MPI_Waitany", (int count, MPI_Request requests[], int *index, MPI_Status *status),
     PMPI_Testany(count, requests, index, &flag, status), flag,
     PMPI_Waitany(count, requests, index, status),
     caucus_split_test_any(&split, index, &flag, status))

WAIT(waitsome, "MPI_Waitsome",
     (int count, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[]),
     PMPI_Testsome(count, requests, completed, indices, statuses), *completed != 0,
     PMPI_Waitsome(count, requests, completed, indices, statuses),
     caucus_split_test_some(&split, completed, indices, statuses))

/* One look, whatever comes of it. */
#define TEST(ours, name, parameters, test, look)                                                   \
    int caucus_mixed_##ours parameters {                                                           \
        struct caucus_split split;                                                                 \
        if (!has_ours(count, requests)) {                                                          \
            caucus_progress();                                                                     \
            return test;                                                                           \
        }                                                                                          \
        if (caucus_split_begin(&split, count, requests))                                           \
            return no_memory(name);                                                                \
        if (!caucus_split_moves_others(&split))                                                    \
            caucus_progress();                                                                     \
        int code = look;                                                                           \
        caucus_split_end(&split);                                                                  \
        return code;                                                                               \
    }

TEST(testall, "MPI_Testall", (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
     PMPI_Testall(count, requests, flag, statuses),
     caucus_split_test_all(&split, false, flag, statuses))

TEST(testany, "MPI_Testany",
     (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
     PMPI_Testany(count, requests, index, flag, status),
     caucus_split_test_any(&split, index, flag, status))

TEST(testsome, "MPI_Testsome",
     (int count, MPI_Request requests[], int *completed, int indices[], MPI_Status statuses[]),
     PMPI_Testsome(count, requests, completed, indices, statuses),
     caucus_split_test_some(&split, completed, indices, statuses))
