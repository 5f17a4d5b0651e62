/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/functions.h"

#include "dropin/symbols.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range {
    uintptr_t first, last;
};

static struct {
    struct caucus_function function[CAUCUS_FUNCTIONS_MOST];
    int count;
    struct range ours, behind;
} known;

bool caucus_functions_are_in(const struct dl_phdr_info *object) {
    return caucus_symbols_hold(object, &known);
}

int caucus_functions_count(void) {
    return known.count;
}

const struct caucus_function *caucus_function(int number) {
    return &known.function[number];
}

static int compare(const void *a, const void *b) {
    const struct caucus_function *left = a, *right = b;
    return strcmp(left->name, right->name);
}

int caucus_function_named(const char *name) {
    const struct caucus_function wanted = {.name = name};
    const struct caucus_function *found =
        bsearch(&wanted, known.function, (size_t)known.count, sizeof wanted, compare);
    return found ? (int)(found - known.function) : -1;
}

static bool is_in(struct range range, uintptr_t address) {
    return address >= range.first && address <= range.last;
}

int caucus_function_at(const void *address) {
    if (!is_in(known.ours, (uintptr_t)address) && !is_in(known.behind, (uintptr_t)address))
        return -1;
    for (int i = 0; i < known.count; i++)
        if (known.function[i].ours == address || known.function[i].behind == address)
            return i;
    return -1;
}

static void keep_name(const char *name, void *place, void *unused) {
    (void)unused;
    if (strncmp(name, "MPI_", 4) == 0 && known.count < CAUCUS_FUNCTIONS_MOST)
        known.function[known.count++] = (struct caucus_function){.name = name, .ours = place};
}

static int keep_names(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    if (!caucus_functions_are_in(object))
        return 0;
    caucus_symbols_defined(object, keep_name, unused);
    qsort(known.function, (size_t)known.count, sizeof *known.function, compare);
    return 1;
}

static void widen(struct range *range, const void *address) {
    uintptr_t at = (uintptr_t)address;
    if (!address)
        return;
    range->first = range->first && range->first < at ? range->first : at;
    range->last = range->last > at ? range->last : at;
}

/* By dlsym, which must not be called while objects are looked at: it would wait for who loads one,
 * who would wait for the look to end. */
static void learn(void) {
    dl_iterate_phdr(keep_names, NULL);
    for (int i = 0; i < known.count; i++) {
        char name[128];
        struct caucus_function *function = &known.function[i];
        snprintf(name, sizeof name, "P%s", function->name);
        function->behind = dlsym(RTLD_DEFAULT, name);
        widen(&known.ours, function->ours);
        widen(&known.behind, function->behind);
    }
}

void caucus_functions_learn(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, learn);
}

bool caucus_function_is_of_requests(const char *name) {
    static const char *const beginnings[] = {
        "MPI_Start",   "MPI_Wait",   "MPI_Test",  "MPI_Request_", "MPI_Cancel",
        "MPI_Op_free", "MPI_Send",   "MPI_Ssend", "MPI_Rsend",    "MPI_Recv",
        "MPI_Probe",   "MPI_Mprobe", "MPI_Mrecv", "MPI_Ia",       "MPI_Ib",
        "MPI_Ie",      "MPI_Ig",     "MPI_Ine",   "MPI_Ire",      "MPI_Is"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return strstr(name, "_init") != NULL;
}
