/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/group/desk.h"

#include "base/memory.h"
#include "base/status.h"
#include "plan/protocol/sentences.h"

#include <stdlib.h>
#include <string.h>

int caucus_desk_create(struct caucus_desk *desk, int32_t workers, int32_t passes) {
    *desk = (struct caucus_desk){.workers = workers, .passes = passes};
    desk->is_idle = caucus_array(workers, sizeof *desk->is_idle);
    return desk->is_idle ? CAUCUS_OK : CAUCUS_NO_MEMORY;
}

void caucus_desk_free(struct caucus_desk *desk) {
    free(desk->is_idle);
    free(desk->waiting);
    *desk = (struct caucus_desk){0};
}

static int make_room(struct caucus_desk *desk) {
    int64_t waiting = desk->end - desk->first;
    if (desk->end < desk->room)
        return CAUCUS_OK;
    if (waiting <= desk->room / 2 && desk->room > 0) {
        memmove(desk->waiting, desk->waiting + desk->first,
                (size_t)waiting * sizeof *desk->waiting);
    } else {
        struct caucus_desk_task *larger = caucus_array(2 * waiting + 16, sizeof *larger);
        if (!larger)
            return CAUCUS_NO_MEMORY;
        if (waiting > 0)
            memcpy(larger, desk->waiting + desk->first, (size_t)waiting * sizeof *larger);
        free(desk->waiting);
        desk->waiting = larger;
        desk->room = 2 * waiting + 16;
    }
    desk->first = 0;
    desk->end = waiting;
    return CAUCUS_OK;
}

int caucus_desk_submit(struct caucus_desk *desk, int64_t task, int32_t needs) {
    if (make_room(desk))
        return CAUCUS_NO_MEMORY;
    desk->waiting[desk->end++] = (struct caucus_desk_task){task, needs, 0};
    return CAUCUS_OK;
}

void caucus_desk_ready(struct caucus_desk *desk, int32_t worker) {
    desk->idle += !desk->is_idle[worker];
    desk->is_idle[worker] = true;
}

void caucus_desk_clear(struct caucus_desk *desk) {
    desk->first = desk->end = 0;
}

/* The first that enough are idle for and that may pass all before it; -1. */
static int64_t find(const struct caucus_desk *desk) {
    for (int64_t i = desk->first; i < desk->end; i++) {
        if (desk->waiting[i].needs <= desk->idle)
            return i;
        if (desk->waiting[i].passed >= desk->passes)
            return -1;
    }
    return -1;
}

static void take(struct caucus_desk *desk, int64_t place) {
    for (int64_t i = place; i > desk->first; i--) {
        desk->waiting[i] = desk->waiting[i - 1];
        desk->waiting[i].passed++;
    }
    desk->first++;
}

/* The idle workers are listed; of needs that follow one another there, those nearest together. */
static void choose(struct caucus_desk *desk, int32_t needs, int32_t *chosen) {
    int32_t idle = 0, best = 0;
    for (int32_t worker = 0; worker < desk->workers; worker++)
        if (desk->is_idle[worker])
            chosen[idle++] = worker;
    for (int32_t i = 1; i + needs <= idle; i++)
        if (chosen[i + needs - 1] - chosen[i] < chosen[best + needs - 1] - chosen[best])
            best = i;
    memmove(chosen, chosen + best, (size_t)needs * sizeof *chosen);
    for (int32_t i = 0; i < needs; i++)
        desk->is_idle[chosen[i]] = false;
    desk->idle -= needs;
}

bool caucus_desk_next(struct caucus_desk *desk, struct caucus_desk_task *found, int32_t *chosen) {
    int64_t place = find(desk);
    if (place < 0)
        return false;
    *found = desk->waiting[place];
    take(desk, place);
    choose(desk, found->needs, chosen);
    return true;
}

void caucus_desk_explain(const struct caucus_desk *desk, int32_t first, char *text, int64_t size) {
    struct caucus_sentences words = caucus_sentences_in(text, size);
    for (int32_t worker = 0; worker < desk->workers; worker++)
        if (!desk->is_idle[worker])
            caucus_sentences_name(&words, (int64_t)first + worker);
    caucus_sentences_have(&words, "not come back for a task (message READY)");
    caucus_sentences_tell(&words, "%d of %d workers are idle, %lld tasks wait for workers",
                          (int)desk->idle, (int)desk->workers,
                          (long long)(desk->end - desk->first));
}
