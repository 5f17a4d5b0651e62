/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/bundle.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 16, PART = 4 /* of a segment: what is longer gains little by company */ };

static int64_t rounded(int64_t bytes, int64_t to) {
    return (bytes + to - 1) / to * to;
}

/* Bytes of so many casts that end there, with their lengths. */
static int64_t message_length(int64_t used, int64_t casts) {
    return rounded(used, sizeof(int32_t)) + casts * (int64_t)sizeof(int32_t);
}

bool caucus_channel_bundle_fits(const struct caucus_channel_runner *runner, int64_t length) {
    const struct caucus_channel_bundle *bundle = &runner->bundle;
    return length <= runner->setup.segment / PART &&
           message_length(rounded(bundle->used, ALIGNED) + length, bundle->casts + 1) <=
               runner->setup.segment;
}

static int make_room(struct caucus_channel_runner *runner) {
    struct caucus_channel_bundle *bundle = &runner->bundle;
    if (!bundle->bytes)
        bundle->bytes = caucus_array(runner->setup.segment, 1);
    if (!bundle->bytes)
        return CAUCUS_NO_MEMORY;
    if (bundle->casts < bundle->room)
        return CAUCUS_OK;
    int64_t room = 2 * bundle->room + 16;
    int32_t *length = realloc(bundle->length, (size_t)room * sizeof *length);
    if (!length)
        return caucus_fail(CAUCUS_NO_MEMORY, "out of memory for %lld casts that wait",
                           (long long)room);
    bundle->length = length;
    bundle->room = room;
    return CAUCUS_OK;
}

int caucus_channel_bundle_add(struct caucus_channel_runner *runner, const void *bytes,
                              int64_t length) {
    struct caucus_channel_bundle *bundle = &runner->bundle;
    int status = make_room(runner);
    if (status)
        return status;
    int64_t at = rounded(bundle->used, ALIGNED);
    if (length > 0)
        memcpy(bundle->bytes + at, bytes, (size_t)length);
    bundle->used = at + length;
    bundle->length[bundle->casts++] = (int32_t)length;
    return CAUCUS_OK;
}

int64_t caucus_channel_bundle_length(const struct caucus_channel_runner *runner) {
    const struct caucus_channel_bundle *bundle = &runner->bundle;
    return bundle->casts > 1 ? message_length(bundle->used, bundle->casts)
                             : bundle->used; /* it is as if it had not waited */
}

int64_t caucus_channel_bundle_close(struct caucus_channel_runner *runner) {
    struct caucus_channel_bundle *bundle = &runner->bundle;
    int64_t total = caucus_channel_bundle_length(runner);
    if (bundle->casts > 1)
        memcpy(bundle->bytes + rounded(bundle->used, sizeof(int32_t)), bundle->length,
               (size_t)bundle->casts * sizeof(int32_t));
    bundle->casts = bundle->used = 0;
    return total;
}

void caucus_channel_bundle_free(struct caucus_channel_runner *runner) {
    free(runner->bundle.bytes);
    free(runner->bundle.length);
}

bool caucus_channel_bundle_next(const struct caucus_channel_delivered *message, int64_t casts,
                                struct caucus_channel_bundle_place *place,
                                struct caucus_channel_delivered *cast) {
    const unsigned char *bytes = message->bytes;
    int32_t length;
    if (place->cast == casts)
        return false;
    memcpy(&length, bytes + message->total - (casts - place->cast++) * (int64_t)sizeof length,
           sizeof length);
    int64_t at = rounded(place->at, ALIGNED);
    *cast = (struct caucus_channel_delivered){
        .origin = message->origin, .bytes = bytes + at, .length = length, .total = length};
    place->at = at + length;
    return true;
}
