/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/say.h"

#include <limits.h>
#include <stdio.h>

void caucus_say(const char *text) {
    fprintf(stderr, "caucus: %s\n", text);
}

void caucus_say_once(const struct caucus_attachment *attachment, bool wants, const char *text) {
    int own = wants ? attachment->rank : INT_MAX, lowest = own;
    caucus_peers_combine(&attachment->peers, &own, &lowest, 1, MPI_INT, MPI_MIN);
    if (wants && own == lowest)
        caucus_say(text);
    caucus_peers_meet(&attachment->peers, NULL);
}
