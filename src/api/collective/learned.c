/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/learned.h"

#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 128 };

struct caucus_learned {
    int64_t count; /* of all that were added */
    struct entry {
        struct caucus_learned_key key;
        const struct caucus_algorithm *algorithm;
    } entry[KEPT];
};

/* How many bits the number of bytes has. */
static int64_t size_class(int64_t bytes) {
    int64_t bits = 0;
    for (; bytes > 0; bytes /= 2)
        bits++;
    return bits;
}

bool caucus_learned_key_of(const struct caucus_work *work, const struct caucus_context *context,
                           struct caucus_learned_key *key) {
    const struct caucus_task *task = &work->task;
    if (context->settings.select_seconds <= 0 || task->ranks < 2)
        return false;
    if (task->first_group && caucus_shapes[task->collective].rooted)
        return false; /* whoever has no part there knows no operation */
    if (task->volume == 0 && task->collective != CAUCUS_BARRIER)
        return false;
    if (caucus_shapes[task->collective].reduces &&
        (context->settings.reproducible || !caucus_operation_is_exact(work->call->op, work->type)))
        return false;
    *key = (struct caucus_learned_key){
        .collective = task->collective,
        .size_class = size_class(task->volume),
        .element = task->element,
        .commutative = task->commutative,
        .shares_memory = task->nodes && task->node_limit > 0,
    };
    return true;
}

/* -1: nowhere. */
static int64_t find(const struct caucus_learned *learned, const struct caucus_learned_key *key) {
    for (int64_t i = 0; learned && i < learned->count && i < KEPT; i++)
        if (memcmp(&learned->entry[i].key, key, sizeof *key) == 0)
            return i;
    return -1;
}

const struct caucus_algorithm *caucus_learned_find(const struct caucus_learned *learned,
                                                   const struct caucus_learned_key *key) {
    int64_t at = find(learned, key);
    return at < 0 ? NULL : learned->entry[at].algorithm;
}

int64_t caucus_learned_count(const struct caucus_learned *learned) {
    return learned ? learned->count : 0;
}

int caucus_learned_create(struct caucus_learned **learned) {
    if (!*learned)
        *learned = caucus_array(1, sizeof **learned);
    return *learned ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_learned_add(struct caucus_learned *learned, const struct caucus_learned_key *key,
                        const struct caucus_algorithm *algorithm) {
    learned->entry[learned->count++ % KEPT] = (struct entry){*key, algorithm};
}

void caucus_learned_free(struct caucus_learned *learned) {
    free(learned);
}
