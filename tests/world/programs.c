/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that run in worlds alone may call (programs/world_calls.h). */
#include "world.h"

static void *board;
static int shielded_count;

int world_is_dead(int rank) {
    return processes[rank].dead;
}

void world_shield(int shielded) {
    shielded_count += shielded ? 1 : -1;
}

bool deaths_may_come(void) {
    return shielded_count == 0;
}

void *world_board(size_t bytes) {
    if (!board)
        board = allocate(bytes, 1);
    return board;
}
