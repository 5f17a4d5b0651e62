/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process owes to others although no call of its own waits for it: it is looked after
 * whenever a call waits for anything. */
#ifndef CAUCUS_RUN_SERVICE_H
#define CAUCUS_RUN_SERVICE_H

#include <stdbool.h>

struct caucus_service {
    void (*serve)(void *context); /* never waits, takes no lock that it would have to wait for */
    void *context;
    struct caucus_service *next;
};

/* It must stay where it is until it is taken out. Any thread; not out of serve(). */
void caucus_service_add(struct caucus_service *service);
void caucus_service_remove(struct caucus_service *service);

/* So many more things are owed now (or fewer): without any, nobody is asked to serve. */
void caucus_service_owe(int change);
bool caucus_service_owed(void);

/* Looks after what is owed, if anything is; any thread. */
void caucus_serve(void);

#endif
