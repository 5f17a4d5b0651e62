/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/channel/object.h"

int caucus_channel_stop_progress(caucus_channel channel) {
    int status = caucus_channel_hold(channel, CAUCUS_CHANNEL_USE_ALONE);
    if (!status) {
        caucus_channel_runner_rest(channel->runner);
        caucus_channel_release(channel, CAUCUS_CHANNEL_USE_ALONE);
    }
    return caucus_channel_end(channel, __func__, status);
}
