/* SPDX-License-Identifier: BSD-3-Clause */
#include "dropin/objects.h"

#include "dropin/functions.h"
#include "dropin/redirect.h"
#include "dropin/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an object has to do with the drop-in's functions: it has an MPI_X of its own; its calls of
 * PMPI_X come here, or some do not. */
struct facts {
    bool defines[CAUCUS_FUNCTIONS_MOST], comes[CAUCUS_FUNCTIONS_MOST],
        passes_by[CAUCUS_FUNCTIONS_MOST];
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

static bool begins(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
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
    int number = caucus_function_named(name);
    (void)place;
    if (number >= 0)
        facts->defines[number] = true;
    else if (strcmp(name, "PMPI_Init") == 0)
        facts->is_mpi = true;
    else if (strcmp(name, "caucus_comm_attach") == 0 || strcmp(name, "caucus_dropin_family") == 0)
        facts->is_caucus = true; /* the library, or a drop-in for another MPI */
    else if (is_of_fortran(name))
        facts->is_fortran = true;
}

/* What is called as PMPI_X outside of MPI comes here from now on: by MPI's libraries for Fortran,
 * whose own business it is how they turn a call of Fortran's into one of C's, by tools that hand on
 * what they have seen, by programs. */
static void note_needed(const char *name, void *place, void *extra) {
    struct look *look = extra;
    int number = name[0] == 'P' ? caucus_function_named(name + 1) : -1;
    look->facts.uses_fortran |= begins(name, "mpi_");
    if (number < 0)
        return;
    const struct caucus_function *function = caucus_function(number);
    if (place && caucus_redirect(look->object, place, function->behind, function->ours))
        look->facts.comes[number] = true;
    else
        look->facts.passes_by[number] = true;
}

/* A tool may have asked for the function that is found next, and keep its address. */
static void note_kept(const void *address, void *extra) {
    struct facts *facts = extra;
    int number = caucus_function_at(address);
    if (number < 0)
        return;
    if (caucus_function(number)->ours == address)
        facts->comes[number] = true;
    else
        facts->passes_by[number] = true;
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
    for (int i = 0; i < caucus_functions_count(); i++) {
        const char *name = caucus_function(i)->name;
        bool of_requests = caucus_function_is_of_requests(name);
        enum caucus_left left = of_requests ? CAUCUS_LEFT_REQUESTS : CAUCUS_LEFT_ALL;
        bool comes = facts->comes[i] && !facts->passes_by[i];
        if (facts->defines[i] && !look->came_by_us && !comes)
            tell(look, left, who, "comes before the drop-in and has an %s of its own", name);
        else if (facts->passes_by[i] && !facts->defines[i])
            tell(look, left, who, "calls P%s, around the drop-in", name);
    }
}

/* Whether calls of the program's may end in a function of the object that hands them on in a way
 * that is not known yet. */
static bool is_in_front(const struct look *look) {
    if (look->came_by_us)
        return false;
    for (int i = 0; i < caucus_functions_count(); i++)
        if (look->facts.defines[i] && !look->facts.comes[i])
            return true;
    return false;
}

static int look_at(struct dl_phdr_info *object, size_t size, void *extra) {
    struct look *look = extra;
    const char *who = name_of(object);
    (void)size;
    if (caucus_functions_are_in(object)) {
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
    if (is_in_front(look))
        caucus_symbols_kept(object, note_kept, &look->facts);
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
    caucus_functions_learn();
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
