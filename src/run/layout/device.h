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

/* Looks at what was loaded since the last look, which takes some 15 ns, and tells whether any
 * runtime is there. */
bool caucus_device_look(void);

/* Pages that were the host's at the last look that found no runtime. One of them that is unmapped,
 * and given to a device by the first runtime, loaded only then, is taken for the host's until a
 * look for another page finds that runtime: looking each time would cost 15 ns a call
 * (docs/device-memory.md, what is not covered). */
enum { CAUCUS_DEVICE_PAGE_BITS = 12, CAUCUS_DEVICE_PAGES = 256 };
extern _Atomic uintptr_t caucus_device_host_page[CAUCUS_DEVICE_PAGES];
bool caucus_device_look_for(uintptr_t page);

/* Whether an address, or what else lies at it, need be asked for. */
static inline bool caucus_device_may_hold(const void *address) {
    uintptr_t page = (uintptr_t)address >> CAUCUS_DEVICE_PAGE_BITS;
    if (atomic_load_explicit(&caucus_device_runtimes, memory_order_acquire) > 0)
        return true;
    return atomic_load_explicit(&caucus_device_host_page[page % CAUCUS_DEVICE_PAGES],
                                memory_order_relaxed) != page &&
           caucus_device_look_for(page);
}

/* Whether some runtime that was found says that the address is its device's. */
bool caucus_device_owns(const void *address);

static inline bool caucus_device_holds(const void *address) {
    return caucus_device_may_hold(address) && caucus_device_owns(address);
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
