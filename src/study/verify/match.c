/* SPDX-License-Identifier: BSD-3-Clause */
/* Who meets whom: between two ranks the n-th send meets the n-th receive, whatever else goes on, so
 * it can be said before anything runs. Sends are dealt out to their receivers, in the order of the
 * senders; each receiver then takes them one by one. */
#include "study/verify/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

struct arrival {
    int32_t from;
    uint32_t operation;
};

struct matching {
    int64_t *first;          /* ranks + 1: where the arrivals of a rank begin */
    struct arrival *arrival; /* ascending by sender and operation */
    int64_t *next;           /* [sender]: its next arrival at the receiver at hand */
    int32_t *valid;          /* [sender]: the receiver + 1 for which next was set */
};

static bool is_message(const struct caucus_operation *operation) {
    return operation->kind == CAUCUS_OPERATION_SEND || operation->kind == CAUCUS_OPERATION_RECEIVE;
}

static int count_arrivals(struct caucus_verify *verify, struct matching *matching) {
    for (int32_t r = 0; r < verify->ranks; r++) {
        const struct caucus_verify_rank *rank = &verify->rank[r];
        for (int64_t i = 0; i < rank->count; i++) {
            const struct caucus_operation *operation = &rank->operations[i];
            if (!is_message(operation))
                continue;
            if (operation->peer < 0 || operation->peer >= verify->ranks)
                return caucus_verify_fail(verify, r, i, "there is no rank %d", operation->peer);
            if (operation->kind == CAUCUS_OPERATION_SEND) {
                matching->first[operation->peer + 1]++;
                verify->verdict.messages++;
                verify->verdict.bytes += operation->length;
            }
        }
    }
    for (int32_t r = 0; r < verify->ranks; r++)
        matching->first[r + 1] += matching->first[r];
    return CAUCUS_OK;
}

static void deal_out(const struct caucus_verify *verify, struct matching *matching) {
    for (int32_t r = 0; r < verify->ranks; r++)
        matching->next[r] = matching->first[r];
    for (int32_t r = 0; r < verify->ranks; r++) {
        const struct caucus_verify_rank *rank = &verify->rank[r];
        for (int64_t i = 0; i < rank->count; i++)
            if (rank->operations[i].kind == CAUCUS_OPERATION_SEND)
                matching->arrival[matching->next[rank->operations[i].peer]++] =
                    (struct arrival){r, (uint32_t)i};
    }
}

static int take(struct caucus_verify *verify, struct matching *matching, int32_t to, int64_t i) {
    struct caucus_verify_rank *receiver = &verify->rank[to];
    const struct caucus_operation *receive = &receiver->operations[i];
    int32_t from = receive->peer;
    int64_t at = matching->next[from];
    if (matching->valid[from] != to + 1 || at >= matching->first[to + 1] ||
        matching->arrival[at].from != from)
        return caucus_verify_fail(verify, to, i, "rank %d sends nothing that meets it", from);
    uint32_t sent = matching->arrival[at].operation;
    const struct caucus_operation *send = &verify->rank[from].operations[sent];
    if (send->length != receive->length)
        return caucus_verify_fail(verify, to, i,
                                  "rank %d sends %lld bytes to meet it, in its operation %lld",
                                  from, (long long)send->length, (long long)sent);
    receiver->partner[i] = sent;
    verify->rank[from].partner[sent] = (uint32_t)i;
    matching->arrival[at].from = -1;
    matching->next[from]++;
    return CAUCUS_OK;
}

static int match_receiver(struct caucus_verify *verify, struct matching *matching, int32_t to) {
    const struct caucus_verify_rank *receiver = &verify->rank[to];
    for (int64_t at = matching->first[to]; at < matching->first[to + 1]; at++) {
        int32_t from = matching->arrival[at].from;
        if (matching->valid[from] != to + 1) {
            matching->valid[from] = to + 1;
            matching->next[from] = at;
        }
    }
    for (int64_t i = 0; i < receiver->count; i++) {
        int status = CAUCUS_OK;
        if (receiver->operations[i].kind == CAUCUS_OPERATION_RECEIVE)
            status = take(verify, matching, to, i);
        if (status)
            return status;
    }
    for (int64_t at = matching->first[to]; at < matching->first[to + 1]; at++)
        if (matching->arrival[at].from >= 0)
            return caucus_verify_fail(verify, matching->arrival[at].from,
                                      matching->arrival[at].operation,
                                      "rank %d has no receive that meets it", to);
    return CAUCUS_OK;
}

static int match_all(struct caucus_verify *verify, struct matching *matching) {
    int status = count_arrivals(verify, matching);
    if (status)
        return status;
    matching->arrival = caucus_array(matching->first[verify->ranks], sizeof *matching->arrival);
    if (!matching->arrival)
        return CAUCUS_NO_MEMORY;
    deal_out(verify, matching);
    for (int32_t to = 0; to < verify->ranks && !status; to++)
        status = match_receiver(verify, matching, to);
    return status;
}

int caucus_verify_match(struct caucus_verify *verify) {
    struct matching matching = {
        .first = caucus_array((int64_t)verify->ranks + 1, sizeof *matching.first),
        .next = caucus_array(verify->ranks, sizeof *matching.next),
        .valid = caucus_array(verify->ranks, sizeof *matching.valid),
    };
    int status = CAUCUS_NO_MEMORY;
    if (matching.first && matching.next && matching.valid)
        status = match_all(verify, &matching);
    free(matching.first);
    free(matching.next);
    free(matching.valid);
    free(matching.arrival);
    return status;
}
