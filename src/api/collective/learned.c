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

/* False for reductions that are never measured. A sum of rounded numbers has the same bits in all
 * forms. */
static bool form_of(const struct caucus_work *work, const struct caucus_context *context,
                    bool persistent, int64_t *form) {
    *form = persistent ? CAUCUS_CHOICE_PERSISTENT : CAUCUS_CHOICE_BLOCKING;
    if (!caucus_shapes[work->task.collective].reduces)
        return true;
    if (context->settings.reproducible)
        return false;
    if (caucus_operation_is_exact(work->call->op, work->type))
        return true;
    *form = CAUCUS_CHOICE_ALL;
    return !work->task.first_group && caucus_operation_rounds(work->call->op, work->type);
}

static bool key_of(const struct caucus_work *work, const struct caucus_context *context,
                   bool persistent, struct caucus_choice_key *key) {
    const struct caucus_task *task = &work->task;
    int64_t form;
    if (task->ranks < 2)
        return false;
    if (task->first_group && caucus_shapes[task->collective].rooted)
        return false; /* whoever has no part there knows no operation */
    if (task->volume == 0 && task->collective != CAUCUS_BARRIER)
        return false;
    if (!form_of(work, context, persistent, &form))
        return false;
    *key = (struct caucus_choice_key){
        .form = form,
        .collective = task->collective,
        .size_class = size_class(task->volume),
        .element = task->element,
        .commutative = task->commutative,
        .shares_memory = task->nodes && task->node_limit > 0,
    };
    return true;
}

static uint64_t bit_of(const struct caucus_choice_key *key) {
    return (uint64_t)1 << key->size_class;
}

bool caucus_learned_key_of(const struct caucus_work *work, const struct caucus_context *context,
                           bool persistent, struct caucus_choice_key *key) {
    if (!context->learned || !key_of(work, context, persistent, key))
        return false;
    return key->form != CAUCUS_CHOICE_ALL ||
           (context->keeps_choices && !(context->went_by_model[key->collective] & bit_of(key)));
}

void caucus_learned_goes_by_model(const struct caucus_work *work, struct caucus_context *context) {
    struct caucus_choice_key key;
    if (caucus_shapes[work->task.collective].reduces && key_of(work, context, false, &key) &&
        key.form == CAUCUS_CHOICE_ALL && !caucus_learned_find(context->learned, &key))
        context->went_by_model[key.collective] |= bit_of(&key);
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
