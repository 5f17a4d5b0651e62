/* SPDX-License-Identifier: BSD-3-Clause */
/* Small casts for which there was no room wait together and go as one message of the protocol, as
 * soon as it takes one. Where there is room every cast goes by itself, so that nothing waits for
 * company.
 *
 * In the segment that travels, casts begin at multiples of 16 bytes, and their lengths, 4 bytes
 * each, stand at its end. On its way the field slot of the header says how many casts it has. */
#ifndef CAUCUS_RUN_CHANNEL_BUNDLE_H
#define CAUCUS_RUN_CHANNEL_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

struct caucus_channel_runner;
struct caucus_channel_delivered;

struct caucus_channel_bundle {
    unsigned char *bytes; /* setup.segment; NULL while there was no need */
    int32_t *length;      /* of each cast */
    int64_t casts, used, room;
};

/* Whether a cast of so many bytes may wait with those that do. */
bool caucus_channel_bundle_fits(const struct caucus_channel_runner *runner, int64_t length);
int caucus_channel_bundle_add(struct caucus_channel_runner *runner, const void *bytes,
                              int64_t length);
/* All that wait, as one message: its length. Once it is closed it lies in bytes until the next cast
 * waits. */
int64_t caucus_channel_bundle_length(const struct caucus_channel_runner *runner);
int64_t caucus_channel_bundle_close(struct caucus_channel_runner *runner);
void caucus_channel_bundle_free(struct caucus_channel_runner *runner);

/* Where one who reads a message of several casts is; all zero at its begin. */
struct caucus_channel_bundle_place {
    int64_t cast, at;
};

/* The next cast of a message that has so many; false after the last. */
bool caucus_channel_bundle_next(const struct caucus_channel_delivered *message, int64_t casts,
                                struct caucus_channel_bundle_place *place,
                                struct caucus_channel_delivered *cast);

#endif
