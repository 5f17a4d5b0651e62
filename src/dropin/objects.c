/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/objects.h"

#include "dropin/symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 }; /* functions of MPI's that the drop-in defines */

static struct {
    const char *name[MOST]; /* sorted */
    int count;
} ours;

/* What an object defines and needs of these. */
struct facts {
    bool defines[MOST], needs[MOST], needs_behind[MOST]; /* MPI_X, MPI_X, PMPI_X */
    bool is_mpi, is_caucus, is_fortran;
    bool uses_fortran, uses_f08;
};

struct look {
    bool came_by_us; /* objects that come later are found after the drop-in */
    bool uses_fortran, uses_f08;
    struct facts facts;    /* of the object at hand */
    struct facts wrappers; /* of all of MPI's libraries for Fortran */
    char fortran[CAUCUS_LEFT_WORDS / 2];
    enum caucus_left left;
    char *words;
};

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int number_of(const char *name) {
    const char **found = bsearch(&name, ours.name, (size_t)ours.count, sizeof name, compare);
    return found ? (int)(found - ours.name) : -1;
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

static bool is_own(const struct dl_phdr_info *object) {
    uintptr_t here = (uintptr_t)&ours;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t first = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && here >= first &&
            here < first + object->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

static void keep_name(const char *name, void *unused) {
    (void)unused;
    if (begins(name, "MPI_") && ours.count < MOST)
        ours.name[ours.count++] = name;
}

static int learn_names(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    if (!is_own(object))
        return 0;
    caucus_symbols_defined(object, keep_name, unused);
    qsort(ours.name, (size_t)ours.count, sizeof *ours.name, compare);
    return 1;
}

static void note_defined(const char *name, void *extra) {
    struct facts *facts = extra;
    int number = number_of(name);
    if (number >= 0)
        facts->defines[number] = true;
    else if (begins(name, "PMPI_Init"))
        facts->is_mpi = true;
    else if (strcmp(name, "caucus_comm_attach") == 0)
        facts->is_caucus = true;
    else if (strcmp(name, "mpi_wait_") == 0 || strcmp(name, "mpi_wait_f08_") == 0)
        facts->is_fortran = true;
}

static void note_needed(const char *name, void *extra) {
    struct facts *facts = extra;
    int number = number_of(name[0] == 'P' ? name + 1 : name);
    if (number >= 0 && name[0] == 'P')
        facts->needs_behind[number] = true;
    else if (number >= 0)
        facts->needs[number] = true;
    else if (begins(name, "mpi_")) {
        facts->uses_fortran = true;
        facts->uses_f08 |= strstr(name, "_f08") != NULL;
    }
}

static const char *name_of(const struct dl_phdr_info *object) {
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;
    return *name ? name : "the program";
}

/* Keeps the worst, and what was found first of that. The words go into a file of JSON. */
static void tell(struct look *look, const char *who, const char *format, int number) {
    const char *name = ours.name[number];
    enum caucus_left left = is_of_requests(name) ? CAUCUS_LEFT_REQUESTS : CAUCUS_LEFT_ALL;
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
        if (facts->defines[i] && !look->came_by_us)
            tell(look, who, "comes before the drop-in and has an %s of its own", i);
        else if (facts->needs_behind[i] && !facts->defines[i])
            tell(look, who, "calls P%s, around the drop-in", i);
    }
}

static void keep_wrapper(struct look *look, const char *who) {
    struct facts *all = &look->wrappers;
    for (int i = 0; i < ours.count; i++) {
        all->needs[i] |= look->facts.needs[i];
        all->needs_behind[i] |= look->facts.needs_behind[i];
    }
    snprintf(look->fortran, sizeof look->fortran, "%s", who);
}

static int look_at(struct dl_phdr_info *object, size_t size, void *extra) {
    struct look *look = extra;
    const char *who = name_of(object);
    (void)size;
    if (is_own(object)) {
        look->came_by_us = true;
        return 0;
    }
    look->facts = (struct facts){0};
    caucus_symbols_defined(object, note_defined, &look->facts);
    caucus_symbols_needed(object, note_needed, &look->facts);
    if (look->facts.is_mpi || look->facts.is_caucus || begins(who, "mca_") ||
        begins(who, "libmca_")) /* Open MPI's own parts */
        return 0;
    if (look->facts.is_fortran) {
        keep_wrapper(look, who);
        return 0;
    }
    look->uses_fortran |= look->facts.uses_fortran;
    look->uses_f08 |= look->facts.uses_f08;
    judge(look, who);
    return 0;
}

/* MPI's library for Fortran is there in C programs too. Open MPI's calls PMPI_X throughout;
 * MPICH's does for mpi_f08 alone. */
static void judge_fortran(struct look *look) {
    bool passes_by = look->uses_f08;
    if (look->uses_fortran && !passes_by) {
        passes_by = true;
        for (int i = 0; i < ours.count; i++)
            passes_by &= !look->wrappers.needs[i];
    }
    for (int i = 0; i < ours.count && passes_by; i++)
        if (look->wrappers.needs_behind[i])
            tell(look, look->fortran, "calls P%s, around the drop-in", i);
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
        dl_iterate_phdr(learn_names, NULL);
    dl_iterate_phdr(look_at, look);
    judge_fortran(look);
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
