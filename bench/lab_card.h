// SPDX-License-Identifier: BSD-3-Clause
// What went through the network card of the virtual node that the caller runs on. The lab names
// the card in LAB_CARD and shows it, alone, in the node's own /sys, so that a rank can read the
// counters right before and right after its measured loop. Any rank of a node reads the same card:
// let one rank per node do it.
#ifndef CAUCUS_BENCH_LAB_CARD_H
#define CAUCUS_BENCH_LAB_CARD_H

#include <stdio.h>
#include <stdlib.h>

struct lab_card {
    long long sent_bytes;
    long long sent_packets;
    long long received_bytes;
    long long received_packets;
    long long resent_segments; // by TCP of this node, whole or in part
};

static inline int lab_card_figure(const char *card, const char *name, long long *figure) {
    char path[256];
    int length = snprintf(path, sizeof path, "/sys/class/net/%s/statistics/%s", card, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    int found = fscanf(file, "%lld", figure);
    fclose(file);
    return found == 1;
}

// The line with the names does not match, and the one with the figures behind it does.
static inline int lab_card_resent(long long *segments) {
    char line[1024];
    int found = 0;
    FILE *file = fopen("/proc/net/snmp", "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found =
            sscanf(line, "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %lld", segments) == 1;
    if (file != NULL)
        fclose(file);
    return found;
}

// Returns 1 and fills *card, or 0 outside a lab.
static inline int lab_card_read(struct lab_card *card) {
    const char *name = getenv("LAB_CARD");
    return name != NULL && lab_card_figure(name, "tx_bytes", &card->sent_bytes) &&
           lab_card_figure(name, "tx_packets", &card->sent_packets) &&
           lab_card_figure(name, "rx_bytes", &card->received_bytes) &&
           lab_card_figure(name, "rx_packets", &card->received_packets) &&
           lab_card_resent(&card->resent_segments);
}

static inline struct lab_card lab_card_difference(struct lab_card after, struct lab_card before) {
    struct lab_card used = {after.sent_bytes - before.sent_bytes,
                            after.sent_packets - before.sent_packets,
                            after.received_bytes - before.received_bytes,
                            after.received_packets - before.received_packets,
                            after.resent_segments - before.resent_segments};
    return used;
}

#endif
