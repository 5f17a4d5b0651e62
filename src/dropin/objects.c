/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/objects.h"

#include "dropin/redirect.h"
#include "dropin/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 }; /* functions of MPI's that the drop-in defines */

/* MPI_X, where it is, and where PMPI_X is. */
struct function {
    const char *name;
    void *ours, *behind;
};

static struct {
    struct function function[MOST]; /* sorted */
    int count;
} ours;

/* What an object defines and needs of these; what it needs of PMPI_X and does not get from here. */
struct facts {
    bool defines[MOST], passes_by[MOST];
    bool is_mpi, is_caucus, is_fortran;
    bool uses_fortran;
};

struct look {
    bool came_by_us; /* objects that come later are found after the drop-in */
    bool uses_fortran;
    const struct dl_phdr_info *object;
    struct facts facts; /* of the object at hand */
    char whole[CAUCUS_LEFT_WORDS / 2];
    enum caucus_left left;
    char *words;
};

static int compare(const void *a, const void *b) {
    const struct function *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static int number_of(const char *name) {
    const struct function wanted = {.name = name};
    const struct function *found =
        bsearch(&wanted, ours.function, (size_t)ours.count, sizeof wanted, compare);
    return found ? (int)(found - ours.function) : -1;
}

static bool begins(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

/* Calls that matter to collectives which a later call completes, and to no others. */
static bool is_of_requests(const char *name) {
    static const char *const beginnings[] = {
        "MPI_Start",   "MPI_Wait",   "MPI_Test",  "MPI_Request_", "MPI_Cancel",
        "MPI_Op_free", "MPI_Send",   "MPI_Ssend", "MPI_Rsend",    "MPI_Recv",
        "MPI_Probe",   "MPI_Mprobe", "MPI_Mrecv", "MPI_Ia",       "MPI_Ib",
        "MPI_Ie",      "MPI_Ig",     "MPI_Ine",   "MPI_Ire",      "MPI_Is"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(name, beginnings[i]))
            return true;
    return strstr(name, "_init") != NULL;
}

static void keep_name(const char *name, void *place, void *unused) {
    (void)unused;
    if (begins(name, "MPI_") && ours.count < MOST)
        ours.function[ours.count++] = (struct function){.name = name, .ours = place};
}

static int learn_names(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    if (!caucus_symbols_hold(object, &ours))
        return 0;
    caucus_symbols_defined(object, keep_name, unused);
    qsort(ours.function, (size_t)ours.count, sizeof *ours.function, compare);
    return 1;
}

/* By dlsym, which must not be called while objects are looked at: it would wait for who loads one,
 * who would wait for the look to end. */
static void learn(void) {
    dl_iterate_phdr(learn_names, NULL);
    for (int i = 0; i < ours.count; i++) {
        char name[128];
        snprintf(name, sizeof name, "P%s", ours.function[i].name);
        ours.function[i].behind = dlsym(RTLD_DEFAULT, name);
    }
}

/* As compilers write it. */
static bool is_of_fortran(const char *name) {
    static const char *const names[] = {"mpi_wait_", "mpi_wait__", "mpi_wait", "MPI_WAIT",
                                        "mpi_wait_f08_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void note_defined(const char *name, void *place, void *extra) {
    struct facts *facts = extra;
    int number = number_of(name);
    (void)place;
    if (number >= 0)
        facts->defines[number] = true;
    else if (strcmp(name, "PMPI_Init") == 0)
        facts->is_mpi = true;
    else if (strcmp(name, "caucus_comm_attach") == 0)
        facts->is_caucus = true;
    else if (is_of_fortran(name))
        facts->is_fortran = true;
}

/* What MPI's libraries for Fortran call as PMPI_X comes here from now on: how they turn a call of
 * Fortran's into one of C's is their own business. */
static void note_needed(const char *name, void *place, void *extra) {
    struct look *look = extra;
    int number = name[0] == 'P' ? number_of(name + 1) : -1;
    look->facts.uses_fortran |= begins(name, "mpi_");
    if (number < 0)
        return;
    const struct function *function = &ours.function[number];
    if (!look->facts.is_fortran ||
        !caucus_redirect(look->object, place, function->behind, function->ours))
        look->facts.passes_by[number] = true;
}

static const char *name_of(const struct dl_phdr_info *object) {
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    return *name ? name : "the program";
}

/* Keeps the worst, and what was found first of that. The words go into a file of JSON. */
static void tell(struct look *look, enum caucus_left left, const char *who, const char *format,
                 const char *name) {
    if (left <= look->left)
        return;
    look->left = left;
    int length = snprintf(look->words, CAUCUS_LEFT_WORDS, "%.120s ", who);
    snprintf(look->words + length, CAUCUS_LEFT_WORDS - (size_t)length, format, name);
    for (char *at = look->words; *at; at++)
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ')
            *at = '?';
}

/* What calls PMPI_X only where its own MPI_X was called, and is not called as it comes behind the
 * drop-in, does no harm. */
static void judge(struct look *look, const char *who) {
    const struct facts *facts = &look->facts;
    for (int i = 0; i < ours.count; i++) {
        const char *name = ours.function[i].name;
        enum caucus_left left = is_of_requests(name) ? CAUCUS_LEFT_REQUESTS : CAUCUS_LEFT_ALL;
        if (facts->defines[i] && !look->came_by_us)
            tell(look, left, who, "comes before the drop-in and has an %s of its own", name);
        else if (facts->passes_by[i] && !facts->defines[i])
            tell(look, left, who, "calls P%s, around the drop-in", name);
    }
}

static int look_at(struct dl_phdr_info *object, size_t size, void *extra) {
    struct look *look = extra;
    const char *who = name_of(object);
    (void)size;
    if (caucus_symbols_hold(object, &ours)) {
        look->came_by_us = true;
        return 0;
    }
    look->object = object;
    look->facts = (struct facts){0};
    caucus_symbols_defined(object, note_defined, &look->facts);
    if (look->facts.is_mpi && look->facts.is_fortran)
        snprintf(look->whole, sizeof look->whole, "%s", who);
    if (look->facts.is_mpi || look->facts.is_caucus || begins(who, "mca_") ||
        begins(who, "libmca_")) /* Open MPI's own parts */
        return 0;
    caucus_symbols_needed(object, note_needed, look);
    look->uses_fortran |= look->facts.uses_fortran && !look->facts.is_fortran;
    judge(look, who);
    return 0;
}

enum caucus_left caucus_objects_look(char words[CAUCUS_LEFT_WORDS]) {
    words[0] = '\0';
    struct look *look = calloc(1, sizeof *look);
    if (!look) { /* nobody knows: nothing is whole for certain */
        snprintf(words, CAUCUS_LEFT_WORDS, "there is no memory to look at what is loaded");
        return CAUCUS_LEFT_ALL;
    }
    look->words = words;
    if (ours.count == 0)
        learn();
    dl_iterate_phdr(look_at, look);
    if (look->uses_fortran && *look->whole) /* what it calls within itself nobody sees */
        tell(look, CAUCUS_LEFT_ALL, look->whole, "has MPI's Fortran interface within itself%s", "");
    enum caucus_left left = look->left;
    free(look);
    return left;
}

static int read_count(struct dl_phdr_info *object, size_t size, void *extra) {
    (void)size;
    *(unsigned long long *)extra = object->dlpi_adds;
    return 1;
}

bool caucus_objects_are_new(void) {
    static _Atomic unsigned long long known;
    unsigned long long now = 0;
    dl_iterate_phdr(read_count, &now);
    if (now == known)
        return false;
    known = now;
    return true;
}
