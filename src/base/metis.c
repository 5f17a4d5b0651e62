/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded apart from the program's own (base/foreign.h). How wide its numbers are it does not tell:
 * it is tried out. Options are left at their defaults, as their places differ between versions. The
 * state of rand(), which it seeds, is put back. */
#include "base/metis.h"

#include "base/foreign.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS = 40, FINE = 1, LEAST = 4 }; /* METIS_NOPTIONS, METIS_OK; vertices a part */

/* Numbers (idx_t) and shares (real_t) by pointers to whatever they are. */
typedef int partition_function(void *vertices, void *constraints, void *start, void *to,
                               void *vertex_weight, void *vertex_size, void *weight, void *parts,
                               void *shares, void *imbalance, void *options, void *cut, void *part);

static struct {
    partition_function *method[2];
    size_t number, share; /* bytes of idx_t and real_t; 0: not to be had */
} metis;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* All options are set to -1, which shows how wide they are. */
static size_t width_of_numbers(int (*set_options)(void *options)) {
    unsigned char options[OPTIONS * sizeof(int64_t)];
    memset(options, 0, sizeof options);
    if (set_options(options) != FINE)
        return 0;
    size_t set = 0;
    while (set < sizeof options && options[set] == 0xff)
        set++;
    return set == OPTIONS * sizeof(int32_t)   ? sizeof(int32_t)
           : set == OPTIONS * sizeof(int64_t) ? sizeof(int64_t)
                                              : 0;
}

static void *widened(int64_t count, const void *numbers, size_t width) {
    return caucus_foreign_widened(count, numbers, width, metis.number);
}

/* Which share of the vertices each part is to have. */
static void *shares_of(int32_t parts, const int32_t *size, int32_t vertices) {
    void *made = caucus_array(parts, metis.share);
    for (int32_t i = 0; made && i < parts; i++) {
        double share = (double)size[i] / vertices;
        if (metis.share == sizeof(float))
            ((float *)made)[i] = (float)share;
        else
            ((double *)made)[i] = share;
    }
    return made;
}

/* Numbers of either width are passed by an int64_t: its first bytes are the narrow one where the
 * low ones come first, and a copy of them elsewhere. */
static int64_t passed(int32_t number) {
    int64_t wide = number;
    if (metis.number == sizeof number)
        memcpy(&wide, &number, sizeof number);
    return wide;
}

static bool call(int method, int32_t vertices, const int64_t *start, const int32_t *to,
                 const int32_t *weight, int32_t parts, const int32_t *size,
                 int32_t *part_of_vertex) {
    int64_t count = passed(vertices), constraints = passed(1), into = passed(parts), cut = 0;
    void *starts = widened((int64_t)vertices + 1, start, sizeof *start);
    void *ends = widened(start[vertices], to, sizeof *to);
    void *weights = widened(start[vertices], weight, sizeof *weight);
    void *shares = shares_of(parts, size, vertices);
    void *made = caucus_array(vertices, metis.number);
    bool good = starts && ends && weights && shares && made;
    good = good && metis.method[method](&count, &constraints, starts, ends, NULL, NULL, weights,
                                        &into, shares, NULL, NULL, &cut, made) == FINE;
    if (good)
        caucus_foreign_narrow(vertices, made, metis.number, part_of_vertex);
    free(starts);
    free(ends);
    free(weights);
    free(shares);
    free(made);
    return good;
}

/* Asks for two parts of a long ring, with shares that make sense in either width: 0.25 and 0.75 as
 * floats, next to nothing and the rest as doubles. */
static size_t width_of_shares(void) {
    enum { VERTICES = 64 };
    int64_t count = passed(VERTICES), constraints = passed(1), parts = passed(2), cut = 0;
    int64_t start[VERTICES + 1], to[2 * VERTICES], made[VERTICES] = {0};
    int32_t part[VERTICES], first = 0;
    const float floats[2] = {0.25f, 0.75f};
    double shares[2];
    memcpy(shares, floats, sizeof floats);
    shares[1] = 1 - shares[0];
    for (int32_t i = 0; i < VERTICES; i++) {
        start[i] = 2 * i;
        to[2 * i] = (i + 1) % VERTICES;
        to[2 * i + 1] = (i + VERTICES - 1) % VERTICES;
    }
    start[VERTICES] = 2 * VERTICES;
    void *starts = widened(VERTICES + 1, start, sizeof *start);
    void *ends = widened(2 * VERTICES, to, sizeof *to);
    bool good = starts && ends &&
                metis.method[1](&count, &constraints, starts, ends, NULL, NULL, NULL, &parts,
                                shares, NULL, NULL, &cut, made) == FINE;
    caucus_foreign_narrow(VERTICES, made, metis.number, part);
    for (int32_t i = 0; i < VERTICES; i++)
        first += part[i] == 0;
    free(starts);
    free(ends);
    return !good ? 0 : first >= VERTICES / 8 ? sizeof(float) : sizeof(double);
}

static const char needed[] = "METIS_PartGraphKway";

int caucus_metis_check_setting(void) {
    return caucus_foreign_check(CAUCUS_SETTING_METIS, needed);
}

static void load(void) {
    void *library = caucus_foreign_open(CAUCUS_SETTING_METIS, needed);
    int (*set_options)(void *options) = NULL;
    if (!library)
        return;
    *(void **)&set_options = dlsym(library, "METIS_SetDefaultOptions");
    *(void **)&metis.method[0] = dlsym(library, "METIS_PartGraphKway");
    *(void **)&metis.method[1] = dlsym(library, "METIS_PartGraphRecursive");
    if (set_options && metis.method[0] && metis.method[1])
        metis.number = width_of_numbers(set_options);
    if (metis.number)
        metis.share = width_of_shares();
}

bool caucus_metis_partition(int32_t vertices, const int64_t *start, const int32_t *to,
                            const int32_t *weight, int32_t parts, const int32_t *size, int method,
                            int32_t *part_of_vertex) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (parts < 2 || vertices / LEAST < parts || start[vertices] > INT32_MAX)
        return false;
    char state[64];
    pthread_mutex_lock(&lock);
    char *before = initstate(1, state, sizeof state);
    pthread_once(&once, load);
    bool good =
        metis.share && call(method, vertices, start, to, weight, parts, size, part_of_vertex);
    setstate(before);
    pthread_mutex_unlock(&lock);
    return good;
}
