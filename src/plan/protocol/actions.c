/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "plan/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

void caucus_actions_clear(struct caucus_actions *actions) {
    actions->count = 0;
    actions->used = 0;
    actions->status = CAUCUS_OK;
}

void caucus_actions_free(struct caucus_actions *actions) {
    free(actions->action);
    free(actions->bytes);
    memset(actions, 0, sizeof *actions);
}

/* Makes room for `more` beyond `used`; *size and *array follow. */
static bool grow(struct caucus_actions *actions, void **array, int64_t *size, int64_t used,
                 int64_t more, size_t element) {
    if (more <= *size - used)
        return true;
    int64_t wanted = 2 * (used + more);
    void *larger = realloc(*array, (size_t)wanted * element);
    if (!larger) {
        actions->status = caucus_fail(CAUCUS_NO_MEMORY, "out of memory for a protocol's actions");
        return false;
    }
    *array = larger;
    *size = wanted;
    return true;
}

/* Returns where the action's bytes go; NULL without memory, and perhaps where there are none. */
static unsigned char *add(struct caucus_actions *actions, struct caucus_action action) {
    void *list = actions->action, *contents = actions->bytes;
    bool fits = grow(actions, &list, &actions->room, actions->count, 1, sizeof action);
    actions->action = list;
    fits = fits && grow(actions, &contents, &actions->size, actions->used, action.length, 1);
    actions->bytes = contents;
    if (!fits)
        return NULL;
    action.offset = actions->used;
    actions->used += action.length;
    actions->action[actions->count++] = action;
    return actions->bytes ? actions->bytes + action.offset : NULL;
}

static void add_with(struct caucus_actions *actions, struct caucus_action action,
                     const void *bytes) {
    unsigned char *place = add(actions, action);
    if (place && action.length > 0)
        memcpy(place, bytes, (size_t)action.length);
}

void caucus_act_send(struct caucus_actions *actions, int32_t peer, const void *bytes,
                     int64_t length) {
    add_with(actions,
             (struct caucus_action){.kind = CAUCUS_ACTION_SEND, .peer = peer, .length = length},
             bytes);
}

void caucus_act_deliver(struct caucus_actions *actions, int32_t peer, const void *bytes,
                        int64_t length) {
    add_with(actions,
             (struct caucus_action){.kind = CAUCUS_ACTION_DELIVER, .peer = peer, .length = length},
             bytes);
}

void caucus_act_timer(struct caucus_actions *actions, int64_t number, int64_t after) {
    add(actions,
        (struct caucus_action){.kind = CAUCUS_ACTION_TIMER, .number = number, .after = after});
}

void caucus_act_decide(struct caucus_actions *actions, int64_t number, const void *bytes,
                       int64_t length) {
    add_with(
        actions,
        (struct caucus_action){.kind = CAUCUS_ACTION_DECIDE, .number = number, .length = length},
        bytes);
}
