/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/path.h"

#include "base/refused.h"
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* Without slashes at the end. */
static void trim(char *path) {
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/';)
        path[--length] = '\0';
}

static void go_up(char *path) {
    char *end = strrchr(path, '/');
    if (!end)
        strcpy(path, ".");
    else
        end[end == path] = '\0'; /* "/" is above all */
    trim(path);
}

/* 0, or an errno. */
static int find_fault(char *path, enum caucus_path_kind kind, int missing) {
    struct stat found;
    trim(path);
    while (stat(path, &found) != 0) {
        if (errno != ENOENT || missing-- == 0)
            return errno;
        go_up(path);
        kind = CAUCUS_PATH_FOLDER;
    }
    bool is_folder = S_ISDIR(found.st_mode);
    if (is_folder != (kind == CAUCUS_PATH_FOLDER))
        return is_folder ? EISDIR : ENOTDIR;
    return access(path, is_folder ? W_OK | X_OK : W_OK) == 0 ? 0 : errno;
}

int caucus_path_check(enum caucus_setting_id id, enum caucus_path_kind kind, int missing) {
    const char *text = caucus_setting_text(id);
    char path[LONGEST];
    int length = snprintf(path, sizeof path, "%s", text);
    if (!*text)
        return CAUCUS_OK;
    int fault = length < LONGEST ? find_fault(path, kind, missing) : ENAMETOOLONG;
    return fault ? caucus_setting_blame(
                       id, caucus_fail(CAUCUS_BAD_ARGUMENT,
                                       "%s is '%.200s': it must be %s that can be written (%s)",
                                       caucus_setting_entry(id)->environment, text,
                                       kind == CAUCUS_PATH_FILE ? "a file" : "a folder",
                                       strerror(fault)))
                 : CAUCUS_OK;
}
