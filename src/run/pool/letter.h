/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks of a pool say to each other. */
#ifndef CAUCUS_RUN_POOL_LETTER_H
#define CAUCUS_RUN_POOL_LETTER_H

#include "run/pool/runner.h"

enum caucus_pool_kind {
    CAUCUS_POOL_SUBMIT, /* to rank 0: a task that needs `count` workers, and its bytes */
    CAUCUS_POOL_READY,  /* to rank 0: a worker has nothing to do; `number` is one it may give, code
                           what came of `task` */
    CAUCUS_POOL_START,  /* to workers: `count` ranks, and the bytes of `task` */
    CAUCUS_POOL_END     /* to workers: all is done */
};

struct caucus_pool_letter {
    int32_t kind, count, code, rank;
    int64_t number, task;
    unsigned char rest[];
};

/* server.c: rank 0 submits a task itself; hears a worker, or itself; hands out what can be. */
int caucus_pool_server_submit(struct caucus_pool_runner *runner, int32_t needs, const void *task);
int caucus_pool_server_hear(struct caucus_pool_runner *runner, int32_t rank,
                            const struct caucus_pool_letter *letter);
int caucus_pool_server_hand_out(struct caucus_pool_runner *runner);
void caucus_pool_server_drop(struct caucus_pool_runner *runner);

/* runner.c: to a rank, this one included. */
int caucus_pool_send(struct caucus_pool_runner *runner, int32_t rank,
                     const struct caucus_pool_letter *letter, int64_t length);

static inline int64_t caucus_pool_start_bytes(const struct caucus_pool_runner *runner,
                                              int32_t count) {
    return (int64_t)sizeof(struct caucus_pool_letter) + 4 * (int64_t)count + runner->task_bytes;
}

#endif
