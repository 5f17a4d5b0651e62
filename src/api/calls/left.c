/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/left.h"

#include "api/calls/report_path.h"
#include "base/status.h"
#include "run/attachment/attach.h"
#include "run/support/notice.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static enum caucus_left wanted, agreed;
static char why[CAUCUS_LEFT_WORDS], said[2 * CAUCUS_LEFT_WORDS];

void caucus_left_want(enum caucus_left left, const char *words) {
    if (left <= wanted)
        return;
    wanted = left;
    snprintf(why, sizeof why, "%s", words);
}

enum caucus_left caucus_left_agree(const struct caucus_attachment *world) {
    static const char *const what[] = {[CAUCUS_LEFT_REQUESTS] =
                                           "nonblocking and persistent collectives are",
                                       [CAUCUS_LEFT_ALL] = "all calls are"};
    int own = (CAUCUS_LEFT_ALL - (int)wanted) * world->size + world->rank, lowest = 0;
    if (caucus_peers_allreduce(&world->peers, &own, &lowest, 1, MPI_INT, MPI_MIN))
        return agreed = CAUCUS_LEFT_ALL;
    agreed = (enum caucus_left)(CAUCUS_LEFT_ALL - lowest / world->size);
    if (agreed != CAUCUS_LEFT_NONE && own == lowest) {
        snprintf(said, sizeof said, "%s: %s left to MPI.", why, what[agreed]);
        caucus_left_say(said);
    }
    return agreed;
}

enum caucus_left caucus_left_agreed(void) {
    return agreed;
}

const char *caucus_left_sentence(void) {
    return said;
}

void caucus_left_say(const char *sentence) {
    caucus_notice(sentence);
}

void caucus_left_report(const char *sentence) {
    const char *path = caucus_report_path();
    FILE *file = *path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "{\n  \"left_to_mpi\": \"%s\",\n  \"calls\": {},\n  \"communicators\": []\n}\n",
            sentence);
    fclose(file);
}

static atomic_bool refuses_persistent;
static _Thread_local bool may_refuse;

void caucus_refusal_allow(bool allowed) {
    may_refuse = allowed;
}

int caucus_refusal(void) {
    return may_refuse && atomic_load_explicit(&refuses_persistent, memory_order_relaxed)
               ? caucus_fail(CAUCUS_REFUSED, "a rank leaves the call to MPI")
               : CAUCUS_OK;
}

void caucus_left_late(const char *words) {
    static atomic_flag known = ATOMIC_FLAG_INIT;
    int rank;
    if (atomic_flag_test_and_set(&known))
        return;
    refuses_persistent = true;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        return;
    snprintf(said, sizeof said,
             "%s, and was loaded after MPI_Init: persistent collectives are left to MPI from now "
             "on, and a request of a nonblocking one that it gets is an error.",
             words);
    caucus_left_say(said);
}
