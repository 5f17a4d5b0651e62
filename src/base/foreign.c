/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/foreign.h"

#include "base/memory.h"
#include "base/refused.h"
#include "base/status.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *load(const char *name) {
    int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    flags |= RTLD_DEEPBIND; /* the sanitizers don't bear it */
#endif
    return strcmp(name, "none") == 0 ? NULL : dlopen(name, flags);
}

/* Whether the setting names something of the user's. */
static bool is_asked_for(enum caucus_setting_id setting, const char *name) {
    return strcmp(name, "none") != 0 &&
           strcmp(name, caucus_setting_entry(setting)->default_value) != 0;
}

static int open(enum caucus_setting_id setting, const char *needed, void **library) {
    const char *name = caucus_setting_text(setting);
    *library = load(name);
    if ((*library && dlsym(*library, needed)) || !is_asked_for(setting, name))
        return CAUCUS_OK;
    return caucus_setting_blame(
        setting, caucus_fail(CAUCUS_BAD_ARGUMENT,
                             "%s is '%.200s': it must be a library that can be loaded: %s",
                             caucus_setting_entry(setting)->environment, name, dlerror()));
}

int caucus_foreign_check(enum caucus_setting_id setting, const char *needed) {
    void *library = NULL;
    int status = is_asked_for(setting, caucus_setting_text(setting))
                     ? open(setting, needed, &library)
                     : CAUCUS_OK;
    if (library)
        dlclose(library);
    return status;
}

void *caucus_foreign_open(enum caucus_setting_id setting, const char *needed) {
    void *library;
    if (open(setting, needed, &library))
        fprintf(stderr, "caucus: warning: %s\n", caucus_failure_text());
    return library;
}

void *caucus_foreign_widened(int64_t count, const void *numbers, size_t width, size_t to) {
    void *made = caucus_array(count, to);
    for (int64_t i = 0; made && i < count; i++) {
        int64_t number = width == sizeof(int32_t) ? ((const int32_t *)numbers)[i]
                                                  : ((const int64_t *)numbers)[i];
        if (to == sizeof(int32_t))
            ((int32_t *)made)[i] = (int32_t)number;
        else
            ((int64_t *)made)[i] = number;
    }
    return made;
}

void caucus_foreign_narrow(int32_t count, const void *numbers, size_t width, int32_t *to) {
    for (int32_t i = 0; i < count; i++)
        to[i] = width == sizeof(int32_t) ? ((const int32_t *)numbers)[i]
                                         : (int32_t)((const int64_t *)numbers)[i];
}
