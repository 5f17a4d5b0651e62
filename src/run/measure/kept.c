/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/kept.h"

#include "base/settings.h"
#include "base/status.h"
#include "run/peers/agree.h"
#include "run/support/notice.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, KEY_ROOM = 1024, NOTICE_ROOM = PATH_ROOM + 200 };

/* ---- which file ---- */
/* "" for none. */
static void find_folder(char folder[PATH_ROOM]) {
    const char *named = caucus_setting_text(CAUCUS_SETTING_CACHE);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    folder[0] = '\0';
    if (strcmp(named, "none") == 0)
        return;
    if (*named)
        length = snprintf(folder, PATH_ROOM, "%s", named);
    else if (cache && *cache == '/')
        length = snprintf(folder, PATH_ROOM, "%s/caucus", cache);
    else if (home && *home == '/')
        length = snprintf(folder, PATH_ROOM, "%s/.cache/caucus", home);
    if (length >= PATH_ROOM)
        folder[0] = '\0';
}

/* What the figures depend on; hosts of a cluster are named alike, but for their numbers. */
static void describe(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                     char key[KEY_ROOM]) {
    static const char *const words[] = {"nothing", "messages", "all"};
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[256] = "";
    struct utsname system = {0};
    int length;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    host[strcspn(host, "0123456789.-")] = '\0';
    uname(&system);
    snprintf(key, KEY_ROOM, "%s within, %d nodes %d ranks %ld processors %s %s %.500s",
             words[within], attachment->nodes.count, attachment->local_size,
             sysconf(_SC_NPROCESSORS_ONLN), system.machine, host, library);
    for (char *at = key; *at; at++)
        *at = (char)(isprint((unsigned char)*at) ? *at : ' ');
}

static bool find_path(const char *folder, const char *key, char path[PATH_ROOM]) {
    const struct caucus_item item = {"key", CAUCUS_ITEM_TEXT, key, 1};
    int length = snprintf(path, PATH_ROOM, "%s/model-%016" PRIx64 ".txt", folder,
                          caucus_agree_digest(1, &item));
    return *folder && length < PATH_ROOM;
}

static void say(const char *path, const char *what) {
    char text[NOTICE_ROOM];
    snprintf(text, sizeof text, "%s %s", path, what);
    caucus_notice(text);
}

/* ---- reading ---- */
static const char *fault_of(const struct stat *file) {
    if (!S_ISREG(file->st_mode))
        return "is no file: what it should keep is measured again.";
    if (file->st_uid != geteuid())
        return "is another user's: what it keeps is measured again.";
    if (file->st_mode & (S_IWGRP | S_IWOTH))
        return "may be written by others: what it keeps is measured again.";
    return NULL;
}

/* A file that was cut short may read well. */
static bool read_whole(const char *path, struct caucus_model *model) {
    const char *help;
    double *value;
    for (int i = 0; caucus_model_parameter(model, i, &help, &value); i++)
        *value = -1;
    if (caucus_model_read(model, path))
        return false;
    for (int i = 0; caucus_model_parameter(model, i, &help, &value); i++)
        if (*value < 0)
            return false;
    return model->latency[CAUCUS_BETWEEN_NODES] > 0 && model->card_byte > 0;
}

bool caucus_kept_read(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                      struct caucus_model *model) {
    char folder[PATH_ROOM], key[KEY_ROOM], path[PATH_ROOM];
    struct caucus_model found;
    struct stat file;
    find_folder(folder);
    describe(attachment, within, key);
    if (!find_path(folder, key, path) || lstat(path, &file) != 0)
        return false;
    const char *fault = fault_of(&file);
    if (!fault && !read_whole(path, &found))
        fault = "is not as it was written: what it keeps is measured again.";
    if (fault)
        say(path, fault);
    else
        *model = found;
    return !fault;
}

/* ---- writing ---- */
static bool make_folder(const char *folder) {
    char above[PATH_ROOM];
    snprintf(above, sizeof above, "%s", folder);
    char *end = strrchr(above, '/');
    if (end && end > above) {
        *end = '\0';
        mkdir(above, S_IRWXU);
    }
    return mkdir(folder, S_IRWXU) == 0 || errno == EEXIST;
}

static bool write_to(FILE *file, const char *key, struct caucus_model model) {
    const char *name, *help;
    double *value;
    bool good = fprintf(file, "# Measured by Caucus: %s\n", key) > 0;
    for (int i = 0; good && (name = caucus_model_parameter(&model, i, &help, &value)); i++)
        good = fprintf(file, "%s %.17g\n", name, *value) > 0;
    return (fclose(file) == 0) && good;
}

static bool write_file(const char *folder, const char *path, const char *key,
                       const struct caucus_model *model) {
    char written[PATH_ROOM];
    int length = snprintf(written, sizeof written, "%s/new-XXXXXX", folder);
    int file = length < PATH_ROOM && make_folder(folder) ? mkstemp(written) : -1;
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (!stream) {
        if (file >= 0)
            close(file);
        return false;
    }
    bool good = write_to(stream, key, *model) && rename(written, path) == 0;
    if (!good)
        unlink(written);
    return good;
}

void caucus_kept_write(const struct caucus_attachment *attachment, enum caucus_kept_within within,
                       const struct caucus_model *model) {
    char folder[PATH_ROOM], key[KEY_ROOM], path[PATH_ROOM];
    find_folder(folder);
    describe(attachment, within, key);
    if (find_path(folder, key, path) && !write_file(folder, path, key, model) &&
        *caucus_setting_text(CAUCUS_SETTING_CACHE))
        say(path, "can't be written: other runs measure again.");
}
