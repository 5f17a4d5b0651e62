/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a run has come to a stop before its end: who waits for whom. */
#include "study/verify/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether an operation of the present step has not been met yet. */
static bool is_open(const struct caucus_verify *verify, const struct caucus_verify_rank *rank,
                    int64_t i) {
    const struct caucus_operation *operation = &rank->operations[i];
    if (operation->kind != CAUCUS_OPERATION_SEND && operation->kind != CAUCUS_OPERATION_RECEIVE)
        return false;
    return rank->partner[i] >= verify->rank[operation->peer].posted;
}

/* The line that a rank waits at; -1 for none. */
static int64_t open_line(const struct caucus_verify *verify, const struct caucus_verify_rank *rank,
                         int64_t i) {
    const struct caucus_operation *await = &rank->operations[i];
    if (await->kind != CAUCUS_OPERATION_AWAIT)
        return -1;
    for (int64_t l = await->target_offset; l < await->target_offset + await->peer; l++) {
        const struct caucus_verify_line *line = &verify->node[rank->node].line[l];
        if (!line->signals || line->signal[line->signals - 1].value < await->length)
            return l;
    }
    return -1;
}

/* Who will raise a line to a value, of those who are not done; -1: nobody. */
static int32_t who_raises(const struct caucus_verify *verify, int32_t node, int64_t line,
                          int64_t value) {
    for (int32_t r = 0; r < verify->ranks; r++) {
        const struct caucus_verify_rank *rank = &verify->rank[r];
        for (int64_t i = rank->posted; rank->node == node && i < rank->count; i++)
            if (rank->operations[i].kind == CAUCUS_OPERATION_SIGNAL &&
                rank->operations[i].target_offset == line && rank->operations[i].length >= value)
                return r;
    }
    return -1;
}

/* What a stuck rank waits for, as text, and whom; -1: nobody will come. */
static int32_t waits_for(const struct caucus_verify *verify, int32_t r, int64_t *operation,
                         char *text, size_t room) {
    const struct caucus_verify_rank *rank = &verify->rank[r];
    for (int64_t i = rank->step_begin; i < rank->posted; i++) {
        int64_t line = open_line(verify, rank, i);
        *operation = i;
        if (is_open(verify, rank, i)) {
            snprintf(text, room, "rank %d (operation %lld) waits to %s rank %d", r, (long long)i,
                     rank->operations[i].kind == CAUCUS_OPERATION_SEND ? "send to" : "receive from",
                     rank->operations[i].peer);
            return rank->operations[i].peer;
        }
        if (line >= 0) {
            int32_t by = who_raises(verify, rank->node, line, rank->operations[i].length);
            snprintf(text, room, "rank %d (operation %lld) awaits line %lld, which %s %d", r,
                     (long long)i, (long long)line,
                     by < 0 ? "nobody will raise any more: value" : "is raised by rank",
                     by < 0 ? (int)rank->operations[i].length : by);
            return by;
        }
    }
    return -1;
}

/* Goes from each to whom it waits for, until one comes again: that is the cycle. */
static int describe(const struct caucus_verify *verify, int32_t first, int32_t *visited) {
    char text[512] = "", one[120];
    int used = 0, links = 0;
    int32_t r = first;
    int64_t operation = 0;
    while (r >= 0 && !visited[r]) {
        visited[r] = 1;
        r = waits_for(verify, r, &operation, one, sizeof one);
    }
    int32_t begin = r >= 0 ? r : first;
    r = begin;
    do {
        r = waits_for(verify, r, &operation, one, sizeof one);
        if (links < 4)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "%s%s", links ? "; " : "", one);
        links++;
    } while (r >= 0 && r != begin && used < (int)sizeof text - 1);
    return caucus_fail(CAUCUS_INTERNAL, "deadlock if sends wait for their receives%s: %s%s",
                       r == begin ? ", in a cycle" : "", text, links > 4 ? "; and so on" : "");
}

int caucus_verify_stuck(const struct caucus_verify *verify) {
    for (int32_t r = 0; r < verify->ranks; r++) {
        if (verify->rank[r].done)
            continue;
        int32_t *visited = caucus_array(verify->ranks, sizeof *visited);
        if (!visited)
            return CAUCUS_NO_MEMORY;
        int status = describe(verify, r, visited);
        free(visited);
        return status;
    }
    return CAUCUS_OK;
}
