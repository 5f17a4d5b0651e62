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

static void add(struct caucus_actions *actions, struct caucus_action action, const void *bytes) {
    void *list = actions->action, *contents = actions->bytes;
    bool fits = grow(actions, &list, &actions->room, actions->count, 1, sizeof action);
    actions->action = list;
    fits = fits && grow(actions, &contents, &actions->size, actions->used, action.length, 1);
    actions->bytes = contents;
    if (!fits)
        return;
    action.offset = actions->used;
    if (action.length > 0)
        memcpy(actions->bytes + actions->used, bytes, (size_t)action.length);
    actions->used += action.length;
    actions->action[actions->count++] = action;
}

void caucus_act_send(struct caucus_actions *actions, int32_t peer, const void *bytes,
                     int64_t length) {
    add(actions, (struct caucus_action){.kind = CAUCUS_ACTION_SEND, .peer = peer, .length = length},
        bytes);
}

void caucus_act_deliver(struct caucus_actions *actions, int32_t peer, const void *bytes,
                        int64_t length) {
    add(actions,
        (struct caucus_action){.kind = CAUCUS_ACTION_DELIVER, .peer = peer, .length = length},
        bytes);
}

void caucus_act_timer(struct caucus_actions *actions, int64_t number, int64_t after) {
    add(actions,
        (struct caucus_action){.kind = CAUCUS_ACTION_TIMER, .number = number, .after = after},
        NULL);
}

void caucus_act_decide(struct caucus_actions *actions, int64_t number, const void *bytes,
                       int64_t length) {
    add(actions,
        (struct caucus_action){.kind = CAUCUS_ACTION_DECIDE, .number = number, .length = length},
        bytes);
}
