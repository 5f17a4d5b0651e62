/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/redirect.h"

#include "dropin/symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void *_Atomic place_of_address;

/* Whether the loader has made the page read-only when it was done: it does so to whole ones. */
static bool is_sealed(const struct dl_phdr_info *object, uintptr_t address, uintptr_t page) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t first = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        uintptr_t end = first + object->dlpi_phdr[i].p_memsz;
        if (object->dlpi_phdr[i].p_type == PT_GNU_RELRO && address >= first - first % page &&
            address < end - end % page)
            return true;
    }
    return false;
}

static bool put(const struct dl_phdr_info *object, place_of_address *place, void *to) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), address = (uintptr_t)place;
    void *begin = (void *)(address - address % page);
    bool sealed = is_sealed(object, address, page);
    if (sealed && mprotect(begin, page, PROT_READ | PROT_WRITE))
        return false;
    *place = to;
    return !sealed || !mprotect(begin, page, PROT_READ);
}

/* Before the first call the place may lead to a piece of the object that looks for the function.
 * Where it holds anything else, it is of a kind that is not known here. */
bool caucus_redirect(const struct dl_phdr_info *object, void *place, const void *from, void *to) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    place_of_address *known = place;
    if ((uintptr_t)place % sizeof to)
        return false;
    pthread_mutex_lock(&lock);
    void *now = *known;
    bool done = now == to;
    if (!done && (now == from || caucus_symbols_hold(object, now)))
        done = put(object, known, to);
    pthread_mutex_unlock(&lock);
    return done;
}
