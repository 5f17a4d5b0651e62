/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/prepared.h"

#include "api/collective/predefined.h"
#include "api/collective/shape.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct key {
    int64_t bytes, remote_bytes, element, volume, node_limit;
    MPI_Op op;
    MPI_Datatype type;
    int32_t collective, root;
    int32_t in_place, commutative, crossed, send_blocks, receive_blocks;
};

static bool means_the_same(const struct caucus_work *work) {
    return !caucus_shapes[work->task.collective].reduces || caucus_datatype_name(work->type);
}

static size_t array_bytes(const int64_t *lengths, int32_t blocks) {
    return lengths ? (size_t)blocks * sizeof *lengths : 0;
}

int caucus_key_create(const struct caucus_work *work, struct caucus_key *made) {
    const struct caucus_task *task = &work->task;
    size_t sent = array_bytes(task->send_bytes, caucus_work_blocks(work, false));
    size_t received = array_bytes(task->receive_bytes, caucus_work_blocks(work, true));
    struct key key;
    *made = (struct caucus_key){0};
    if (!means_the_same(work))
        return CAUCUS_OK;
    memset(&key, 0, sizeof key); /* gaps are compared too */
    key.bytes = task->bytes;
    key.remote_bytes = task->remote_bytes;
    key.element = task->element;
    key.volume = task->volume;
    key.node_limit = task->node_limit;
    key.op = work->call->op;
    key.type = work->type;
    key.collective = task->collective;
    key.root = task->root;
    key.in_place = task->in_place;
    key.commutative = task->commutative;
    key.crossed = task->crossed;
    key.send_blocks = sent > 0;
    key.receive_blocks = received > 0;
    made->bytes = sizeof key + sent + received;
    char *text = made->text = caucus_array(1, made->bytes);
    if (!text)
        return CAUCUS_NO_MEMORY;
    memcpy(text, &key, sizeof key);
    if (sent)
        memcpy(text + sizeof key, task->send_bytes, sent);
    if (received)
        memcpy(text + sizeof key + sent, task->receive_bytes, received);
    return CAUCUS_OK;
}

void caucus_key_free(struct caucus_key *key) {
    free(key->text);
    *key = (struct caucus_key){0};
}

bool caucus_key_matches(const struct caucus_key *key, const struct caucus_key *other) {
    return key->text && other->text && key->bytes == other->bytes &&
           memcmp(key->text, other->text, key->bytes) == 0;
}
