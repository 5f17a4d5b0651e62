/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/group/alone.h"

#include "base/status.h"
#include "run/group/group.h"

#include <stdlib.h>
#include <string.h>

static int make(struct caucus_alone *alone) {
    struct caucus_engine *engine;
    int status = caucus_group_reserve(alone->group, &alone->attachment);
    if (status)
        return status;
    caucus_group_attach(alone->group, alone->attachment);
    status = caucus_engine_alone(alone->attachment, caucus_group_tags_alone(alone->group), &engine);
    for (int i = 0; i < CAUCUS_ALONE_ARENAS && !status; i++)
        status = caucus_arena_alone(engine, i, &alone->arena[i]);
    if (!status)
        alone->engine = engine;
    return status;
}

int caucus_alone_advance(struct caucus_alone *alone, bool *ready) {
    *ready = alone->engine != NULL;
    if (*ready)
        return CAUCUS_OK;
    if (alone->status)
        return caucus_fail(alone->status, "%s", alone->text ? alone->text : "out of memory");
    int status = caucus_group_advance(alone->group, ready);
    if (!status && *ready)
        status = make(alone);
    *ready = *ready && !status;
    alone->status = status;
    if (status)
        alone->text = strdup(caucus_error_text());
    return status;
}

void caucus_alone_free(struct caucus_alone *alone) {
    for (int i = 0; i < CAUCUS_ALONE_ARENAS; i++)
        if (alone->arena[i])
            caucus_arena_free(alone->attachment->engine, alone->arena[i]);
    if (alone->attachment)
        caucus_attachment_let_go(alone->attachment);
    free(alone->text);
}
