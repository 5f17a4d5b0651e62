/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/graph/registry.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { PAIR = 2, ASKED = -1 }; /* what stands for the value in a question */

int caucus_registry_init(struct caucus_registry *registry, const struct caucus_nodes *nodes,
                         int32_t leader) {
    int32_t size = caucus_nodes_size(nodes, leader);
    *registry = (struct caucus_registry){.leaders = nodes->count, .leader = leader};
    registry->first = caucus_array((int64_t)nodes->count + 1, sizeof *registry->first);
    registry->value = caucus_array(size, sizeof *registry->value);
    if (!registry->first || !registry->value)
        return CAUCUS_NO_MEMORY;
    for (int32_t node = 0; node < nodes->count; node++)
        registry->first[node + 1] = registry->first[node] + caucus_nodes_size(nodes, node);
    for (int32_t i = 0; i < size; i++)
        registry->value[i] = leader;
    return CAUCUS_OK;
}

void caucus_registry_free(struct caucus_registry *registry) {
    free(registry->first);
    free(registry->value);
    memset(registry, 0, sizeof *registry);
}

int32_t caucus_registry_keeper(const struct caucus_registry *registry, int64_t role) {
    int32_t low = 0, high = registry->leaders;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (registry->first[middle] <= role)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void caucus_registry_tell(const struct caucus_registry *registry, int64_t role, int64_t value,
                          struct caucus_letters *letters) {
    const int64_t pair[PAIR] = {role, value};
    caucus_letters_add(letters, caucus_registry_keeper(registry, role), PAIR, pair);
}

void caucus_registry_ask(const struct caucus_registry *registry, int64_t role,
                         struct caucus_letters *letters) {
    caucus_registry_tell(registry, role, ASKED, letters);
}

void caucus_registry_answer(struct caucus_registry *registry, const struct caucus_letters *received,
                            struct caucus_letters *answers) {
    int64_t own = registry->first[registry->leader], count = received->start[registry->leaders];
    for (int64_t at = 0; at < count; at += PAIR)
        if (received->number[at + 1] != ASKED)
            registry->value[received->number[at] - own] = (int32_t)received->number[at + 1];
    for (int32_t leader = 0; leader < registry->leaders; leader++)
        for (int64_t at = received->start[leader]; at < received->start[leader + 1]; at += PAIR) {
            const int64_t pair[PAIR] = {received->number[at],
                                        registry->value[received->number[at] - own]};
            if (received->number[at + 1] == ASKED)
                caucus_letters_add(answers, leader, PAIR, pair);
        }
}

static int compare(const void *a, const void *b) {
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

int caucus_answers_read(const struct caucus_letters *received, struct caucus_answers *answers) {
    int64_t count = received->start[received->leaders];
    *answers = (struct caucus_answers){.count = count / PAIR};
    answers->number = caucus_array_copy(received->number, count, sizeof *answers->number);
    if (!answers->number)
        return CAUCUS_NO_MEMORY;
    qsort(answers->number, (size_t)answers->count, PAIR * sizeof *answers->number, compare);
    return CAUCUS_OK;
}

void caucus_answers_free(struct caucus_answers *answers) {
    free(answers->number);
    memset(answers, 0, sizeof *answers);
}

int32_t caucus_answers_find(const struct caucus_answers *answers, int64_t role) {
    const int64_t *found = answers->count == 0
                               ? NULL
                               : bsearch(&role, answers->number, (size_t)answers->count,
                                         PAIR * sizeof *answers->number, compare);
    return found ? (int32_t)found[1] : -1;
}
