/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/status.h"
#include "plan/machine/machine.h"
#include "plan/machine/machine_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char known_forms[] = "4x8, cyclic:4, 40*48,15*32, ppn:16 and file:PATH";

/* Reads a whole number of 1 to INT32_MAX at *at and moves on; 0 where there is none. */
static int64_t read_count(const char **at) {
    int64_t value = 0;
    for (; **at >= '0' && **at <= '9' && value <= INT32_MAX; ++*at)
        value = 10 * value + (**at - '0');
    return value <= INT32_MAX ? value : 0;
}

static int bad_word(const char *text, const char *word, const char *wanted) {
    size_t length = strcspn(word, ",");
    return caucus_fail(CAUCUS_BAD_ARGUMENT,
                       "'%.200s' describes no nodes: '%.*s' is not %s (known forms: %s)", text,
                       (int)(length < 60 ? length : 60), word, wanted, known_forms);
}

/* Walks through a list of SIZE, COUNT*SIZE or COUNTxSIZE. Adds up the ranks, stopping beyond
 * INT32_MAX, and fills in node_of_rank where it is not NULL. */
static int walk_list(const char *text, int64_t *total, int32_t *node_of_rank) {
    int32_t node = 0;
    *total = 0;
    for (const char *at = text; *total <= INT32_MAX; at++) {
        const char *word = at;
        int64_t count = 1, size = read_count(&at);
        if (size && (*at == '*' || *at == 'x')) {
            at++;
            count = size;
            size = read_count(&at);
        }
        if (!size || (*at && *at != ','))
            return bad_word(text, word, "SIZE or COUNT*SIZE, numbers from 1 to 2147483647");
        for (int64_t rank = 0; node_of_rank && rank < count * size; rank++)
            node_of_rank[*total + rank] = node + (int32_t)(rank / size);
        node += node_of_rank ? (int32_t)count : 0;
        *total += count * size;
        if (!*at)
            break;
    }
    return CAUCUS_OK;
}

static int parse_list(struct caucus_machine *machine, const char *text, int64_t ranks) {
    int64_t total;
    int status = walk_list(text, &total, NULL);
    if (status)
        return status;
    if (total > INT32_MAX)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%.200s' describes more than %d ranks", text,
                           INT32_MAX);
    if (ranks && total != ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%.200s' describes %lld ranks, but there are %lld",
                           text, (long long)total, (long long)ranks);
    int32_t *node_of_rank = caucus_array(total, sizeof *node_of_rank);
    if (!node_of_rank)
        return CAUCUS_NO_MEMORY;
    walk_list(text, &total, node_of_rank);
    status = caucus_machine_init(machine, total, node_of_rank);
    free(node_of_rank);
    return status;
}

/* "cyclic:COUNT" deals the ranks out to so many nodes, "ppn:SIZE" makes blocks of so many. */
static int parse_rule(struct caucus_machine *machine, const char *text, int64_t ranks,
                      bool cyclic) {
    const char *number = strchr(text, ':') + 1, *at = number;
    int64_t count = read_count(&at);
    if (!count || *at)
        return bad_word(text, number, "a number from 1 to 2147483647");
    if (!ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "'%s' does not say how many ranks there are", text);
    if (cyclic && count > ranks)
        return caucus_fail(CAUCUS_BAD_ARGUMENT,
                           "'%s' describes %lld nodes, but there are only %lld ranks", text,
                           (long long)count, (long long)ranks);
    int32_t *node_of_rank = caucus_array(ranks, sizeof *node_of_rank);
    if (!node_of_rank)
        return CAUCUS_NO_MEMORY;
    for (int64_t rank = 0; rank < ranks; rank++)
        node_of_rank[rank] = (int32_t)(cyclic ? rank % count : rank / count);
    int status = caucus_machine_init(machine, ranks, node_of_rank);
    free(node_of_rank);
    return status;
}

static bool begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

int caucus_machine_parse(struct caucus_machine *machine, const char *text, int64_t ranks) {
    memset(machine, 0, sizeof *machine);
    if (!text)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "the description of the nodes is a null pointer");
    if (ranks < 0 || ranks > INT32_MAX)
        return caucus_fail(CAUCUS_BAD_ARGUMENT, "%lld ranks: there must be 0 (not known) to %d",
                           (long long)ranks, INT32_MAX);
    if (begins_with(text, "file:"))
        return caucus_machine_read(machine, text + strlen("file:"), ranks);
    if (begins_with(text, "cyclic:"))
        return parse_rule(machine, text, ranks, true);
    if (begins_with(text, "ppn:"))
        return parse_rule(machine, text, ranks, false);
    return parse_list(machine, text, ranks);
}
