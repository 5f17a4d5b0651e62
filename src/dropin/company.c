/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "dropin/company.h"

#include "run/support/foreign.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By this others know what this one was built for. Of the name, the loader has all mean the first.
 */
static const int family_of_this = CAUCUS_MPI_BUILT_FOR;
extern const int caucus_dropin_family __attribute__((alias("family_of_this")));

enum { LONGEST = 8192 };

/* Of an entry of LD_PRELOAD: what it was built for; NULL where it is no drop-in of Caucus. */
static const int *family_of(const char *path) {
    void *object = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const int *family = object ? dlsym(object, "caucus_dropin_family") : NULL;
    if (object)
        dlclose(object);
    return family;
}

struct company {
    bool before_it;     /* this one is named first */
    char path[LONGEST]; /* of the first other that fits; "": none */
};

static void look(struct company *company) {
    char names[LONGEST], *rest = NULL;
    const char *said = getenv("LD_PRELOAD");
    company->before_it = false;
    company->path[0] = '\0';
    if (!said || snprintf(names, sizeof names, "%s", said) >= LONGEST || !strpbrk(names, ": "))
        return;
    for (char *name = strtok_r(names, ": ", &rest); name; name = strtok_r(NULL, ": ", &rest)) {
        const int *family = family_of(name);
        if (family == &family_of_this)
            company->before_it = true;
        else if (family && *family == (int)caucus_mpi_at_hand()) {
            strcpy(company->path, name);
            return;
        }
    }
}

bool caucus_company_fits(void) {
    struct company company;
    look(&company);
    return *company.path;
}

/* The program may have been started by the loader, as a program of its own. */
static bool find_program(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    const char *name = strrchr(path, '/');
    return name && strncmp(name, "/ld", 3) != 0;
}

void caucus_company_go_last(char **argv) {
    char program[PATH_MAX], list[2 * LONGEST];
    struct company company;
    look(&company);
    if (!*company.path || !company.before_it || !caucus_mpi_is_foreign() || !find_program(program))
        return;
    snprintf(list, sizeof list, "%s:%s", company.path, getenv("LD_PRELOAD"));
    if (setenv("LD_PRELOAD", list, 1) == 0)
        execv(program, argv);
}
