/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded apart from the program's own (base/foreign.h). Its numbers have the width that
 * SCOTCH_numSizeof says; its objects are made and sized by itself. Errors it prints and returns
 * (Debian's needs libscotcherr, which does that); what it gets here is right, so that only memory
 * can fail. Its random numbers, which are its own, start anew each time: the outcome is the same.
 * Its strategies are texts that it writes and reads itself, and can't where numbers have commas.
 * Ours may be called by a program that has called this very library before, if it is loaded. */
#include "base/scotch.h"

#include "base/foreign.h"
#include "base/memory.h"
#include "base/number.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* Arguments that are numbers have either width. */
typedef void *allocate(void);
typedef int initialise(void *object);
typedef void finish(void *object);
typedef int map_function(void *graph, const void *machine, void *strategy, void *part);
typedef int machine32(void *machine, int32_t parts, const void *size);
typedef int machine64(void *machine, int64_t parts, const void *size);
typedef int build32(void *graph, int32_t base, int32_t vertices, const void *start, const void *end,
                    const void *load, const void *label, int32_t edges, const void *to,
                    const void *weight);
typedef int build64(void *graph, int64_t base, int64_t vertices, const void *start, const void *end,
                    const void *load, const void *label, int64_t edges, const void *to,
                    const void *weight);

typedef int plan32(void *strategy, int32_t flags, int32_t parts, double imbalance);
typedef int plan64(void *strategy, int64_t flags, int64_t parts, double imbalance);

/* In this order made and, so that what is bound goes before what it is bound to, freed the other
 * way round. */
enum { CONTEXT, GRAPH, BOUND, MACHINE, STRATEGY, KINDS };

enum { QUALITY = 1 }; /* SCOTCH_STRATQUALITY */
static const double IMBALANCE = 0.01;

static struct {
    allocate *allocate[KINDS];
    initialise *initialise[KINDS];
    finish *finish[KINDS], *free;
    map_function *map;
    void *machine, *build, *plan;
    finish *reset;
    int (*spawn)(void *context, int threads, const int *cores);
    int (*bind)(void *context, const void *graph, void *bound);
    size_t number; /* bytes of SCOTCH_Num; 0: not to be had */
} scotch;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char needed[] = "SCOTCH_graphMap";

int caucus_scotch_check_setting(void) {
    return caucus_foreign_check(CAUCUS_SETTING_SCOTCH, needed);
}

static void load(void) {
    static const char *const names[] = {
        "SCOTCH_contextAlloc", "SCOTCH_contextInit", "SCOTCH_contextExit", "SCOTCH_graphAlloc",
        "SCOTCH_graphInit",    "SCOTCH_graphExit",   "SCOTCH_graphAlloc",  "SCOTCH_graphInit",
        "SCOTCH_graphExit",    "SCOTCH_archAlloc",   "SCOTCH_archInit",    "SCOTCH_archExit",
        "SCOTCH_stratAlloc",   "SCOTCH_stratInit",   "SCOTCH_stratExit"};
    static const struct {
        const char *name;
        void **found;
    } others[] = {{"SCOTCH_memFree", (void **)&scotch.free},
                  {"SCOTCH_contextThreadSpawn", (void **)&scotch.spawn},
                  {"SCOTCH_contextBindGraph", (void **)&scotch.bind},
                  {"SCOTCH_contextRandomReset", (void **)&scotch.reset},
                  {"SCOTCH_graphMap", (void **)&scotch.map},
                  {"SCOTCH_archCmpltw", &scotch.machine},
                  {"SCOTCH_graphBuild", &scotch.build},
                  {"SCOTCH_stratGraphMapBuild", &scotch.plan}};
    void *library = caucus_foreign_open(CAUCUS_SETTING_SCOTCH, needed);
    int (*width)(void) = NULL;
    if (!library)
        return;
    for (int kind = 0; kind < KINDS; kind++) {
        *(void **)&scotch.allocate[kind] = dlsym(library, names[3 * kind]);
        *(void **)&scotch.initialise[kind] = dlsym(library, names[3 * kind + 1]);
        *(void **)&scotch.finish[kind] = dlsym(library, names[3 * kind + 2]);
        if (!scotch.allocate[kind] || !scotch.initialise[kind] || !scotch.finish[kind])
            return;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!(*others[i].found = dlsym(library, others[i].name)))
            return;
    *(void **)&width = dlsym(library, "SCOTCH_numSizeof");
    size_t bytes = width ? (size_t)width() : 0;
    scotch.number = bytes == sizeof(int32_t) || bytes == sizeof(int64_t) ? bytes : 0;
}

/* A graph in the numbers of Scotch. */
struct tables {
    void *start, *to, *weight, *size, *part;
};

static bool fill(void *const object[KINDS], int32_t vertices, int32_t edges, int32_t parts,
                 const struct tables *tables) {
    const void *start = tables->start, *to = tables->to, *weight = tables->weight;
    void *graph = object[GRAPH], *machine = object[MACHINE], *strategy = object[STRATEGY];
    if (scotch.number == sizeof(int64_t))
        return ((build64 *)scotch.build)(graph, 0, vertices, start, NULL, NULL, NULL, edges, to,
                                         weight) == 0 &&
               ((machine64 *)scotch.machine)(machine, parts, tables->size) == 0 &&
               ((plan64 *)scotch.plan)(strategy, QUALITY, parts, IMBALANCE) == 0;
    return ((build32 *)scotch.build)(graph, 0, vertices, start, NULL, NULL, NULL, edges, to,
                                     weight) == 0 &&
           ((machine32 *)scotch.machine)(machine, parts, tables->size) == 0 &&
           ((plan32 *)scotch.plan)(strategy, QUALITY, parts, IMBALANCE) == 0;
}

static bool map(int32_t vertices, int32_t edges, int32_t parts, const struct tables *tables) {
    void *object[KINDS] = {NULL};
    int made = 0;
    bool good = true;
    while (made < KINDS && good) {
        object[made] = scotch.allocate[made]();
        good = object[made] && scotch.initialise[made](object[made]) == 0;
        made += good;
    }
    good = good && scotch.spawn(object[CONTEXT], 1, NULL) == 0;
    if (good)
        scotch.reset(object[CONTEXT]);
    good = good && fill(object, vertices, edges, parts, tables) &&
           scotch.bind(object[CONTEXT], object[GRAPH], object[BOUND]) == 0 &&
           scotch.map(object[BOUND], object[MACHINE], object[STRATEGY], tables->part) == 0;
    for (int kind = KINDS - 1; kind >= 0; kind--) {
        if (kind < made)
            scotch.finish[kind](object[kind]);
        scotch.free(object[kind]);
    }
    return good;
}

static bool call(int32_t vertices, const int64_t *start, const int32_t *to, const int32_t *weight,
                 int32_t parts, const int32_t *size, int32_t *part_of_vertex) {
    size_t number = scotch.number;
    int64_t edges = start[vertices];
    struct tables tables = {
        caucus_foreign_widened((int64_t)vertices + 1, start, sizeof *start, number),
        caucus_foreign_widened(edges, to, sizeof *to, number),
        caucus_foreign_widened(edges, weight, sizeof *weight, number),
        caucus_foreign_widened(parts, size, sizeof *size, number), caucus_array(vertices, number)};
    bool good = tables.start && tables.to && tables.weight && tables.size && tables.part &&
                map(vertices, (int32_t)edges, parts, &tables);
    if (good)
        caucus_foreign_narrow(vertices, tables.part, number, part_of_vertex);
    free(tables.start);
    free(tables.to);
    free(tables.weight);
    free(tables.size);
    free(tables.part);
    return good;
}

bool caucus_scotch_partition(int32_t vertices, const int64_t *start, const int32_t *to,
                             const int32_t *weight, int32_t parts, const int32_t *size, int method,
                             int32_t *part_of_vertex) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (method > 0 || parts < 2 || start[vertices] > INT32_MAX)
        return false;
    pthread_mutex_lock(&lock);
    pthread_once(&once, load);
    const struct caucus_numbers numbers = caucus_numbers_begin();
    bool good = scotch.number && call(vertices, start, to, weight, parts, size, part_of_vertex);
    caucus_numbers_end(numbers);
    pthread_mutex_unlock(&lock);
    return good;
}
