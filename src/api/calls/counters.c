/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/calls/counters.h"

#include "plan/collective/algorithm.h"
#include "plan/graph/choose.h"
#include "plan/grid/mapper.h"
#include "plan/intergroup/intergroup.h"
#include "run/creation/creation.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a grid may be placed by besides the table's mappers; other last. */
static const char *const others[] = {"given", "chaos", "nodes", "other"};
enum { OTHERS = sizeof others / sizeof *others };

/* As struct caucus_call_counters: calls of collectives are counted often, so there is no lock. */
static struct {
    atomic_int_least64_t taken, passed, bytes, between, by_algorithm[CAUCUS_COUNTERS_ALGORITHMS],
        by_reason[CAUCUS_REASONS];
} counted[CAUCUS_CALL_COUNT];
static atomic_bool is_wanted = true;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char *text;
    size_t length;
    int count;
} grids[CAUCUS_GRID_LISTS];

bool caucus_counters_is_wanted(void) {
    return atomic_load_explicit(&is_wanted, memory_order_relaxed);
}

void caucus_counters_want(bool wanted) {
    is_wanted = wanted;
}

static const char *of_grids(int index) {
    int mappers = 0;
    while (mappers < CAUCUS_COUNTERS_ALGORITHMS - OTHERS && caucus_grid_mapper_entry(mappers))
        mappers++;
    if (index < mappers)
        return caucus_grid_mapper_entry(index)->name;
    return index < mappers + OTHERS ? others[index - mappers] : NULL;
}

static const char *of_graphs(int index) {
    static const char *const more[] = {"given", "within-node", "other-ranks",
                                       "chaos", "distributed", "other"};
    const int count = sizeof more / sizeof *more;
    const char *method = caucus_graph_method(index);
    int methods = 0;
    while (caucus_graph_method(methods))
        methods++;
    return method ? method : index - methods < count ? more[index - methods] : NULL;
}

/* Those of one group, and then those between two that have another name. */
static const char *of_collective(int collective, int index) {
    const struct caucus_algorithm *entry;
    int found = 0;
    for (int i = 0; found < CAUCUS_COUNTERS_ALGORITHMS - 1 && (entry = caucus_algorithm_entry(i));
         i++)
        if ((int)entry->collective == collective && found++ == index)
            return entry->name;
    for (int i = 0;
         found < CAUCUS_COUNTERS_ALGORITHMS - 1 && (entry = caucus_intergroup_algorithm(i)); i++)
        if ((int)entry->collective == collective &&
            !caucus_algorithm_find(entry->collective, entry->name) && found++ == index)
            return entry->name;
    return index == found ? "other" : NULL;
}

/* "none" for who gets no communicator. */
static const char *of_creation(int index) {
    const struct caucus_creation_algorithm *entry = caucus_creation_algorithm(index);
    if (entry)
        return entry->name;
    return index == 0 || caucus_creation_algorithm(index - 1) ? "none" : NULL;
}

const char *caucus_counters_algorithm(enum caucus_call call, int index) {
    if (call == CAUCUS_CALL_INTERCOMM_CREATE)
        return index == 0 ? "union" : NULL;
    if (call == CAUCUS_CALL_COMM_CREATE_GROUP)
        return of_creation(index);
    if (call >= CAUCUS_CALL_GRAPH_CREATE && call <= CAUCUS_CALL_DIST_GRAPH_CREATE_ADJACENT)
        return of_graphs(index);
    return call < CAUCUS_CALL_COLLECTIVE
               ? of_grids(index)
               : of_collective((int)(call - CAUCUS_CALL_COLLECTIVE) / CAUCUS_CALL_FORMS, index);
}

static int number_of(enum caucus_call call, const char *algorithm) {
    int index = 0;
    while (caucus_counters_algorithm(call, index + 1) &&
           strcmp(caucus_counters_algorithm(call, index), algorithm) != 0)
        index++;
    return index;
}

static void add(atomic_int_least64_t *count, int64_t more) {
    atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

void caucus_call_count(enum caucus_call call, const char *algorithm) {
    add(&counted[call].taken, 1);
    add(&counted[call].by_algorithm[number_of(call, algorithm)], 1);
}

void caucus_call_pass(enum caucus_call call, enum caucus_reason reason) {
    add(&counted[call].passed, 1);
    add(&counted[call].by_reason[reason], 1);
}

void caucus_counters_add_bytes(enum caucus_call call, int64_t bytes) {
    add(&counted[call].bytes, bytes);
}

void caucus_counters_add_between(enum caucus_call call) {
    add(&counted[call].between, 1);
}

void caucus_counters_read(struct caucus_call_counters counters[CAUCUS_CALL_COUNT]) {
    for (int call = 0; call < CAUCUS_CALL_COUNT; call++) {
        counters[call].taken = counted[call].taken;
        counters[call].passed = counted[call].passed;
        counters[call].bytes = counted[call].bytes;
        counters[call].between = counted[call].between;
        for (int i = 0; i < CAUCUS_COUNTERS_ALGORITHMS; i++)
            counters[call].by_algorithm[i] = counted[call].by_algorithm[i];
        for (int i = 0; i < CAUCUS_REASONS; i++)
            counters[call].by_reason[i] = counted[call].by_reason[i];
    }
}

void caucus_counters_keep_grid(enum caucus_grid_list list, const char *object) {
    pthread_mutex_lock(&lock);
    size_t length = grids[list].length;
    const char *separator = length ? ",\n" : "";
    size_t added = strlen(separator) + strlen(object);
    bool room = grids[list].count < CAUCUS_COUNTERS_GRIDS;
    char *longer = room ? realloc(grids[list].text, length + added + 1) : NULL;
    if (longer) { /* otherwise the report lacks it, which is better than a failing program */
        strcpy(stpcpy(longer + length, separator), object);
        grids[list].text = longer;
        grids[list].length += added;
        grids[list].count++;
    }
    pthread_mutex_unlock(&lock);
}

const char *caucus_counters_grids(enum caucus_grid_list list, size_t *length) {
    *length = grids[list].length;
    return *length ? grids[list].text : "";
}
