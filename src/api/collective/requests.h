/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions for one request and for many share. */
#ifndef CAUCUS_API_COLLECTIVE_REQUESTS_H
#define CAUCUS_API_COLLECTIVE_REQUESTS_H

#include "api/collective/request.h"

/* The empty status, unless it is to be ignored. */
void caucus_status_clear(MPI_Status *status);

bool caucus_request_is_active(caucus_request request);

/* Raises a failure; request may be NULL. */
int caucus_request_raise(const struct caucus_request_object *request, const char *function,
                         int status);

/* Whether a request may be started; and starts it. */
int caucus_request_check_start(caucus_request request);
int caucus_request_begin(caucus_request request);

#endif
