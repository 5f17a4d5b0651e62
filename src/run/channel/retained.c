/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/channel/retained.h"

#include "base/memory.h"
#include "base/status.h"
#include "run/channel/state.h"

#include <stdlib.h>
#include <string.h>

int caucus_channel_retained_open(struct caucus_channel_runner *runner, int64_t window,
                                 int64_t bytes) {
    struct caucus_channel_retained *retained = &runner->retained;
    int64_t ranks = runner->ranks;
    retained->window = window;
    retained->bytes = bytes;
    retained->piece = caucus_array(ranks * window, sizeof(void *));
    retained->oldest = caucus_array(ranks, sizeof *retained->oldest);
    retained->newest = caucus_array(ranks, sizeof *retained->newest);
    retained->sum = caucus_array(ranks, sizeof *retained->sum);
    return retained->piece && retained->oldest && retained->newest && retained->sum
               ? CAUCUS_OK
               : CAUCUS_NO_MEMORY;
}

void caucus_channel_retained_free(struct caucus_channel_runner *runner) {
    struct caucus_channel_retained *retained = &runner->retained;
    for (int64_t i = 0; retained->piece && i < runner->ranks * retained->window; i++)
        caucus_channel_runner_let_go(retained->piece[i]);
    free(retained->piece);
    free(retained->oldest);
    free(retained->newest);
    free(retained->sum);
}

bool caucus_channel_retains(const struct caucus_channel_runner *runner) {
    return runner->retained.window > 0;
}

static struct caucus_channel_piece **place_of(const struct caucus_channel_retained *retained,
                                              int32_t rank, int64_t number) {
    return &retained->piece[rank * retained->window + number % retained->window];
}

static int64_t length_of(const struct caucus_channel_piece *piece) {
    struct caucus_channel_message message;
    memcpy(&message, piece->bytes, sizeof message);
    return message.total;
}

/* Its caster keeps within window and bytes what not everybody has: what is older all have. */
void caucus_channel_retain(struct caucus_channel_runner *runner, int32_t rank,
                           struct caucus_channel_piece *piece) {
    struct caucus_channel_retained *retained = &runner->retained;
    int64_t *oldest = &retained->oldest[rank], *newest = &retained->newest[rank];
    int64_t length = length_of(piece);
    while (*newest - *oldest >= retained->window ||
           (*newest > *oldest && retained->sum[rank] + length > retained->bytes)) {
        struct caucus_channel_piece **gone = place_of(retained, rank, (*oldest)++);
        retained->sum[rank] -= length_of(*gone);
        caucus_channel_runner_let_go(*gone);
        *gone = NULL;
    }
    *place_of(retained, rank, (*newest)++) = piece;
    retained->sum[rank] += length;
    piece->users++;
}

struct caucus_channel_piece *caucus_channel_retained(const struct caucus_channel_runner *runner,
                                                     int32_t rank, int64_t number) {
    const struct caucus_channel_retained *retained = &runner->retained;
    return number >= retained->oldest[rank] && number < retained->newest[rank]
               ? *place_of(retained, rank, number)
               : NULL;
}
