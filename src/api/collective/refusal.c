/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/collective/refusal.h"

#include "base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool refused;

void caucus_refuse_persistent(void) {
    refused = true;
}

int caucus_refusal(void) {
    return atomic_load_explicit(&refused, memory_order_relaxed)
               ? caucus_fail(CAUCUS_REFUSED, "a rank leaves the call to MPI")
               : CAUCUS_OK;
}
