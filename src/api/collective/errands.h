/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that stand for something else than a collective: what moves on by being looked at, until
 * it is complete. */
#ifndef CAUCUS_API_COLLECTIVE_ERRANDS_H
#define CAUCUS_API_COLLECTIVE_ERRANDS_H

#include "api/collective/request.h"

/* The head of whatever it is. */
struct caucus_errand {
    /* Goes on without waiting; fails for good. */
    int (*advance)(struct caucus_errand *errand, bool *complete);
    /* As caucus_request_limit, of what it waits for; NULL: it sees to that itself. */
    void (*limit)(struct caucus_errand *errand, double *begin);
    /* What is left when it is complete, or NULL: may wait for other ranks, while other threads
     * begin and look at theirs. */
    int (*finish)(struct caucus_errand *errand);
    void (*free)(struct caucus_errand *errand); /* complete, or failed */
    struct caucus_request_object *request;
    struct caucus_errand *next;
};

/* A request for it, which holds the team; the errand is taken over, on failure too. */
int caucus_errand_begin(struct caucus_errand *errand, struct caucus_team *team,
                        caucus_request *request);

/* Whether any of this process is not complete. */
bool caucus_errands_any(void);

/* Looks at all. Local. */
void caucus_errands_progress(void);

/* caucus_request_limit, of one that has an errand. */
void caucus_errand_limit(const struct caucus_request_object *request, double *begin);

#endif
