/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/learned.h"

#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct caucus_learned {
    int64_t count;
    struct caucus_learned_entry entry[CAUCUS_LEARNED_MOST];
};

/* How many bits the number of bytes has. */
static int64_t size_class(int64_t bytes) {
    int64_t bits = 0;
    for (; bytes > 0; bytes /= 2)
        bits++;
    return bits;
}

bool caucus_learned_key_of(const struct caucus_work *work, const struct caucus_context *context,
                           bool persistent, struct caucus_choice_key *key) {
    const struct caucus_task *task = &work->task;
    if (!context->learned || task->ranks < 2)
        return false;
    if (task->first_group && caucus_shapes[task->collective].rooted)
        return false; /* whoever has no part there knows no operation */
    if (task->volume == 0 && task->collective != CAUCUS_BARRIER)
        return false;
    if (caucus_shapes[task->collective].reduces &&
        (context->settings.reproducible || !caucus_operation_is_exact(work->call->op, work->type)))
        return false;
    *key = (struct caucus_choice_key){
        .persistent = persistent,
        .collective = task->collective,
        .size_class = size_class(task->volume),
        .element = task->element,
        .commutative = task->commutative,
        .shares_memory = task->nodes && task->node_limit > 0,
    };
    return true;
}

int caucus_learned_create(struct caucus_learned **learned) {
    *learned = caucus_array(1, sizeof **learned);
    return *learned ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_learned_free(struct caucus_learned *learned) {
    free(learned);
}

struct caucus_learned_entry *caucus_learned_find(struct caucus_learned *learned,
                                                 const struct caucus_choice_key *key) {
    for (int64_t i = 0; learned && i < learned->count; i++)
        if (memcmp(&learned->entry[i].key, key, sizeof *key) == 0)
            return &learned->entry[i];
    return NULL;
}

struct caucus_learned_entry *caucus_learned_open(struct caucus_learned *learned,
                                                 const struct caucus_choice_key *key) {
    struct caucus_learned_entry *entry = caucus_learned_find(learned, key);
    if (entry || !learned || learned->count == CAUCUS_LEARNED_MOST)
        return entry;
    entry = &learned->entry[learned->count++];
    *entry = (struct caucus_learned_entry){.key = *key};
    return entry;
}

int64_t caucus_learned_choices(const struct caucus_learned *learned,
                               struct caucus_choice *choices) {
    int64_t count = 0;
    for (int64_t i = 0; i < learned->count; i++) {
        const struct caucus_learned_entry *entry = &learned->entry[i];
        if (entry->is_kept)
            choices[count++] = (struct caucus_choice){entry->key, entry->algorithm, entry->is_mpis};
    }
    return count;
}

int64_t caucus_learned_count(const struct caucus_learned *learned) {
    int64_t count = 0;
    for (int64_t i = 0; learned && i < learned->count; i++)
        count += learned->entry[i].is_settled;
    return count;
}

int64_t caucus_learned_mpis(const struct caucus_learned *learned) {
    int64_t count = 0;
    for (int64_t i = 0; learned && i < learned->count; i++)
        count += learned->entry[i].is_mpis;
    return count;
}
