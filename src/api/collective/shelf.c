/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/shelf.h"

#include "base/memory.h"
#include "base/status.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };
static const int64_t MOST_BYTES = 16 << 20;

struct caucus_shelf {
    pthread_mutex_t lock;
    int count;
    int64_t bytes;
    struct caucus_request_object *request[MOST + 1]; /* the oldest first */
};

int caucus_shelf_create(struct caucus_shelf **made) {
    struct caucus_shelf *shelf = caucus_array(1, sizeof *shelf);
    *made = NULL;
    if (!shelf)
        return CAUCUS_NO_MEMORY;
    if (pthread_mutex_init(&shelf->lock, NULL)) {
        free(shelf);
        return caucus_fail(CAUCUS_NO_MEMORY, "no lock could be made");
    }
    *made = shelf;
    return CAUCUS_OK;
}

/* Under the lock. */
static struct caucus_request_object *remove_at(struct caucus_shelf *shelf, int index) {
    struct caucus_request_object *request = shelf->request[index];
    shelf->count--;
    for (int i = index; i < shelf->count; i++)
        shelf->request[i] = shelf->request[i + 1];
    shelf->bytes -= caucus_arena_size(request->arena);
    return request;
}

void caucus_shelf_free(struct caucus_shelf *shelf) {
    if (!shelf)
        return;
    while (shelf->count > 0)
        caucus_request_discard(remove_at(shelf, 0));
    pthread_mutex_destroy(&shelf->lock);
    free(shelf);
}

void caucus_shelf_put(struct caucus_shelf *shelf, struct caucus_request_object *request) {
    struct caucus_request_object *gone[MOST + 1];
    int count = 0;
    pthread_mutex_lock(&shelf->lock);
    shelf->request[shelf->count++] = request;
    shelf->bytes += caucus_arena_size(request->arena);
    while (shelf->count > MOST || shelf->bytes > MOST_BYTES)
        gone[count++] = remove_at(shelf, 0);
    pthread_mutex_unlock(&shelf->lock);
    for (int i = 0; i < count; i++)
        caucus_request_discard(gone[i]);
}

struct caucus_request_object *caucus_shelf_take(struct caucus_shelf *shelf, const void *key,
                                                size_t bytes) {
    int found = -1;
    struct caucus_request_object *request = NULL;
    pthread_mutex_lock(&shelf->lock);
    for (int i = 0; i < shelf->count; i++) {
        const struct caucus_request_object *at = shelf->request[i];
        if (at->key_bytes == bytes && memcmp(at->key, key, bytes) == 0 &&
            (found < 0 || at->arena->number > shelf->request[found]->arena->number))
            found = i;
    }
    if (found >= 0)
        request = remove_at(shelf, found);
    pthread_mutex_unlock(&shelf->lock);
    return request;
}
