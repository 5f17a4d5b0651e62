/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/verify/state.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Any good enough hash of a rank: sums of these tell sets of ranks apart. */
static uint64_t key_of(int32_t rank) {
    uint64_t x = ((uint64_t)rank + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static int set_buffers(struct caucus_verify *verify, int32_t r) {
    const struct caucus_specification *specification = verify->specification;
    struct caucus_verify_rank *rank = &verify->rank[r];
    struct caucus_value kept = {.symbol = CAUCUS_SYMBOL_KEPT};
    specification->buffers(specification->context, r, &rank->buffers);
    const struct caucus_rank_buffers *buffers = &rank->buffers;
    if (buffers->in_bytes < 0 || buffers->out_bytes < 0 || rank->scratch_bytes < 0)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "rank %d has buffers of less than 0 bytes", r);
    if (buffers->in_bytes > INT64_MAX / 4 - verify->in_total)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "all ranks together have 2^61 bytes or more");
    rank->in_start = verify->in_total;
    verify->in_total += buffers->in_bytes;
    int status = caucus_map_init(&rank->out, &verify->pool, buffers->out_bytes, kept);
    if (!status)
        status = caucus_map_init(&rank->scratch, &verify->pool, rank->scratch_bytes,
                                 (struct caucus_value){0});
    int64_t begin = buffers->alias > 0 ? buffers->alias : 0;
    int64_t end = buffers->alias + buffers->in_bytes;
    end = end < buffers->out_bytes ? end : buffers->out_bytes;
    if (!status && buffers->aliased && begin < end)
        status = caucus_map_set(
            &rank->out, begin, end,
            (struct caucus_value){rank->in_start - buffers->alias, CAUCUS_SYMBOL_INPUT, 0});
    return status;
}

static int set_rank(struct caucus_verify *verify, int32_t r,
                    const struct caucus_schedule *schedule) {
    const struct caucus_node_map *nodes = verify->specification->nodes;
    struct caucus_verify_rank *rank = &verify->rank[r];
    rank->operations = schedule->operations;
    rank->count = schedule->count;
    rank->scratch_bytes = schedule->scratch_bytes;
    rank->synchronising = schedule->synchronising;
    rank->node = nodes ? caucus_node_of_rank(nodes, r) : r;
    rank->local = nodes ? caucus_local_of_rank(nodes, r) : 0;
    if (rank->count > UINT32_MAX)
        return caucus_fail(CAUCUS_NO_MEMORY, "rank %d has 2^32 operations or more", r);
    struct caucus_verify_node *node = &verify->node[rank->node];
    if (node->ranks++ == 0) {
        node->lines = schedule->lines;
        node->bytes = schedule->node_bytes;
    } else if (node->lines != schedule->lines || node->bytes != schedule->node_bytes) {
        return caucus_fail(CAUCUS_INTERNAL,
                           "rank %d has %d lines and %lld bytes of node memory, and another rank "
                           "of its node has %d lines and %lld bytes",
                           r, schedule->lines, (long long)schedule->node_bytes, node->lines,
                           (long long)node->bytes);
    }
    verify->verdict.operations += rank->count;
    rank->partner = caucus_array(rank->count, sizeof *rank->partner);
    return rank->partner ? set_buffers(verify, r) : CAUCUS_NO_MEMORY;
}

static int set_node(struct caucus_verify *verify, struct caucus_verify_node *node) {
    struct caucus_value nothing = {0};
    if (node->lines < 0 || node->bytes < 0)
        return caucus_fail(CAUCUS_INTERNAL, "a node has memory of less than 0 bytes");
    node->shared = node->lines > 0 || node->bytes > 0;
    node->line = caucus_array(node->lines, sizeof *node->line);
    if (!node->line)
        return CAUCUS_NO_MEMORY;
    int status = caucus_map_init(&node->line_payload, &verify->pool,
                                 (int64_t)node->lines * CAUCUS_LINE_BYTES, nothing);
    return status ? status : caucus_map_init(&node->memory, &verify->pool, node->bytes, nothing);
}

static int set_up(struct caucus_verify *verify, const struct caucus_schedule *schedules) {
    const struct caucus_specification *specification = verify->specification;
    int32_t ranks = verify->ranks;
    verify->nodes = specification->nodes ? specification->nodes->nodes : ranks;
    verify->rank = caucus_array(ranks, sizeof *verify->rank);
    verify->node = caucus_array(verify->nodes, sizeof *verify->node);
    verify->key_sum = caucus_array((int64_t)ranks + 1, sizeof *verify->key_sum);
    verify->ready = caucus_array(ranks, sizeof *verify->ready);
    if (!verify->rank || !verify->node || !verify->key_sum || !verify->ready)
        return CAUCUS_NO_MEMORY;
    int status = CAUCUS_OK;
    bool uniform = true;
    for (int32_t r = 0; r < ranks && !status; r++) {
        verify->key_sum[r + 1] = verify->key_sum[r] + key_of(r);
        status = set_rank(verify, r, &schedules[r]);
        uniform = uniform && verify->rank[r].buffers.in_bytes == verify->rank[0].buffers.in_bytes;
    }
    verify->uniform = uniform ? verify->rank[0].buffers.in_bytes : 0;
    if (!status && specification->barrier)
        status = caucus_verify_start(verify);
    for (int32_t n = 0; n < verify->nodes && !status; n++)
        status = set_node(verify, &verify->node[n]);
    return status;
}

static void free_node(struct caucus_verify_node *node) {
    for (int32_t l = 0; node->line && l < node->lines; l++) {
        for (int32_t s = 0; s < node->line[l].signals; s++)
            caucus_clock_release(node->line[l].signal[s].clock);
        free(node->line[l].signal);
    }
    for (int k = 0; k < CAUCUS_VERIFY_KEPT_JOINS; k++)
        caucus_clock_release(node->kept[k].clock);
    free(node->line);
}

static void tear_down(struct caucus_verify *verify) {
    for (int32_t r = 0; verify->rank && r < verify->ranks; r++) {
        caucus_clock_release(verify->rank[r].clock);
        caucus_clock_release(verify->rank[r].coming);
        free(verify->rank[r].partner);
    }
    for (int32_t n = 0; verify->node && n < verify->nodes; n++)
        free_node(&verify->node[n]);
    free(verify->rank);
    free(verify->node);
    free(verify->key_sum);
    free(verify->ready);
    free(verify->access);
    free(verify->read);
    free(verify->pieces.piece);
    free(verify->operands.piece);
    free(verify->results.piece);
    free(verify->combinations.combination);
    free(verify->combinations.table);
    caucus_pool_free(&verify->pool);
}

int caucus_schedule_verify(const struct caucus_specification *specification,
                           const struct caucus_schedule *schedules,
                           struct caucus_verdict *verdict) {
    struct caucus_verify verify = {.specification = specification, .ranks = specification->ranks};
    if (specification->ranks < 1 || specification->element < 1)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "there are no ranks, or elements have no bytes");
    int status = set_up(&verify, schedules);
    if (!status)
        status = caucus_verify_match(&verify);
    if (!status)
        status = caucus_verify_run(&verify);
    if (!status)
        status = caucus_verify_result(&verify);
    if (!status && verdict)
        *verdict = verify.verdict;
    tear_down(&verify);
    return status;
}
