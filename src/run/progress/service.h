/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process owes to others although no call of its own waits for it: it is looked after
 * whenever a call waits for anything. */
#ifndef CAUCUS_RUN_PROGRESS_SERVICE_H
#define CAUCUS_RUN_PROGRESS_SERVICE_H

#include <stdbool.h>

/* None of these waits, or takes a lock that it would have to wait for. */
struct caucus_service {
    bool (*hold)(void *context); /* keeps it from going, if it is not about to */
    void (*serve)(void *context);
    void (*let_go)(void *context); /* of what was held: it may take itself out */
    void *context;
    struct caucus_service *next;
};

/* It must stay where it is until it is taken out. Any thread; not out of hold() and serve(). */
void caucus_service_add(struct caucus_service *service);
void caucus_service_remove(struct caucus_service *service);

/* So many more things are owed now (or fewer): without any, nobody is asked to serve. */
void caucus_service_owe(int change);

/* Looks after what is owed, if anything is, by one service at a time in turn; any thread.
 * caucus_progress does so too. */
void caucus_serve(void);

#endif
