/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/channel/object.h"
#include "base/status.h"

static caucus_channel_counters public_counters(const struct caucus_channel_counts *counts) {
    return (caucus_channel_counters){.casts = counts->casts,
                                     .cast_bytes = counts->cast_bytes,
                                     .deliveries = counts->deliveries,
                                     .delivered_bytes = counts->delivered_bytes,
                                     .sends = counts->sends,
                                     .sent_bytes = counts->sent_bytes,
                                     .forwards = counts->forwards,
                                     .controls = counts->controls,
                                     .refusals = counts->refusals,
                                     .stalls = counts->stalls,
                                     .stalled_seconds = counts->stalled_seconds,
                                     .hops = counts->hops,
                                     .longest_path = counts->longest_path,
                                     .peak_held = counts->peak_held,
                                     .peak_sends = counts->peak_sends,
                                     .peak_inbox = counts->peak_inbox};
}

int caucus_channel_dead(caucus_channel channel, int room, int ranks[], int *count) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    if (status)
        return caucus_channel_end(channel, __func__, status);
    if (!count || room < 0 || (room > 0 && !ranks))
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "%s",
                             !count     ? "count is NULL"
                             : room < 0 ? "room is negative: it must be at least 0"
                                        : "ranks is NULL, but room is not 0");
    else
        *count = caucus_channel_runner_dead(channel->runner, room, ranks);
    caucus_channel_release(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    return caucus_channel_end(channel, __func__, status);
}

int caucus_channel_statistics(caucus_channel channel, caucus_channel_counters *counters) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    if (status)
        return caucus_channel_end(channel, __func__, status);
    if (counters) {
        struct caucus_channel_counts counts = caucus_channel_runner_counts(channel->runner);
        *counters = public_counters(&counts);
    } else {
        status = caucus_fail(CAUCUS_BAD_ARGUMENT, "counters is NULL");
    }
    caucus_channel_release(channel, CAUCUS_CHANNEL_USE_OUTSIDE);
    return caucus_channel_end(channel, __func__, status);
}
