/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of GPUs, which only their runtime may touch: whether an address is such, and moving bytes
 * to and from it. Nothing of a runtime is linked or loaded: what the process has loaded is found.
 * Memory that processors may touch too (managed, pinned) counts as the host's. */
#ifndef CAUCUS_RUN_LAYOUT_DEVICE_H
#define CAUCUS_RUN_LAYOUT_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How many runtimes were found so far. */
extern _Atomic int caucus_device_runtimes;

static inline bool caucus_device_is_known(void) {
    return atomic_load_explicit(&caucus_device_runtimes, memory_order_acquire) > 0;
}

/* The same, with what was loaded since the last look: some ten nanoseconds. */
bool caucus_device_look(void);

/* Whether some runtime that was found says that the address is its device's. */
bool caucus_device_owns(const void *address);

/* Both: of an address that has not been asked for yet. */
static inline bool caucus_device_holds(const void *address) {
    return caucus_device_look() && caucus_device_owns(address);
}

/* Between packed bytes of the host's and count runs of so many bytes, stride apart from `at` on,
 * wherever that is: packs where packs, else unpacks. Complete on return. */
int caucus_device_move(char *at, int64_t bytes, int64_t count, int64_t stride, char *packed,
                       bool packs);

/* Whether MPI says that it takes addresses of this device. */
bool caucus_device_suits_mpi(const void *address);

/* How many bytes came from devices, and went to them, in this process. */
struct caucus_device_traffic {
    int64_t from, to;
};
struct caucus_device_traffic caucus_device_moved(void);

#endif
