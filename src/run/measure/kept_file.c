/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/kept_file.h"

#include "base/settings.h"
#include "run/measure/fabric.h"
#include "run/peers/agree.h"
#include "run/support/notice.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SAID_MOST = 32 };

/* ---- which file ---- */
/* "" for none. */
static void find_folder(char folder[CAUCUS_KEPT_PATH]) {
    const char *named = caucus_setting_text(CAUCUS_SETTING_CACHE);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    folder[0] = '\0';
    if (strcmp(named, "none") == 0)
        return;
    if (*named)
        length = snprintf(folder, CAUCUS_KEPT_PATH, "%s", named);
    else if (cache && *cache == '/')
        length = snprintf(folder, CAUCUS_KEPT_PATH, "%s/caucus", cache);
    else if (home && *home == '/')
        length = snprintf(folder, CAUCUS_KEPT_PATH, "%s/.cache/caucus", home);
    if (length >= CAUCUS_KEPT_PATH)
        folder[0] = '\0';
}

/* Hosts of a cluster are named alike, but for their numbers. */
void caucus_kept_describe(const struct caucus_attachment *attachment, const char *words,
                          char key[CAUCUS_KEPT_KEY]) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", host[256] = "", fabric[CAUCUS_FABRIC_ROOM];
    struct utsname system = {0};
    int length;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    host[strcspn(host, "0123456789.-")] = '\0';
    uname(&system);
    caucus_fabric_describe(fabric);
    snprintf(key, CAUCUS_KEPT_KEY, "%.200s, %d nodes %d ranks %ld processors %s %s %.500s %s",
             words, attachment->nodes.count, attachment->local_size, sysconf(_SC_NPROCESSORS_ONLN),
             system.machine, host, library, fabric);
    for (char *at = key; *at; at++)
        *at = (char)(isprint((unsigned char)*at) ? *at : ' ');
}

bool caucus_kept_file_find(struct caucus_kept_file *file, const char *kind, const char *key) {
    const struct caucus_item item = {"key", CAUCUS_ITEM_TEXT, key, 1};
    find_folder(file->folder);
    snprintf(file->key, sizeof file->key, "%s", key);
    int length = snprintf(file->path, CAUCUS_KEPT_PATH, "%s/%s-%016" PRIx64 ".txt", file->folder,
                          kind, caucus_agree_digest(1, &item));
    return *file->folder && length < CAUCUS_KEPT_PATH;
}

/* Once in a process; when much has been said, nothing more is. */
static bool is_news(const char *text) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t said[SAID_MOST];
    static int count;
    const struct caucus_item item = {"text", CAUCUS_ITEM_TEXT, text, 1};
    const uint64_t digest = caucus_agree_digest(1, &item);
    pthread_mutex_lock(&lock);
    int at = 0;
    while (at < count && said[at] != digest)
        at++;
    bool news = at == count && count < SAID_MOST;
    if (news)
        said[count++] = digest;
    pthread_mutex_unlock(&lock);
    return news;
}

void caucus_kept_file_say(const struct caucus_kept_file *file, const char *what) {
    char text[CAUCUS_KEPT_PATH + 200];
    snprintf(text, sizeof text, "%s %s", file->path, what);
    if (is_news(text))
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

bool caucus_kept_file_is_fit(const struct caucus_kept_file *file) {
    struct stat found;
    if (lstat(file->path, &found) != 0)
        return false;
    const char *fault = fault_of(&found);
    if (fault)
        caucus_kept_file_say(file, fault);
    return !fault;
}

/* ---- writing ---- */
static bool make_folder(const char *folder) {
    char above[CAUCUS_KEPT_PATH];
    snprintf(above, sizeof above, "%s", folder);
    char *end = strrchr(above, '/');
    if (end && end > above) {
        *end = '\0';
        mkdir(above, S_IRWXU);
    }
    return mkdir(folder, S_IRWXU) == 0 || errno == EEXIST;
}

static bool replace(const struct caucus_kept_file *file,
                    bool (*write)(FILE *stream, const void *data), const void *data) {
    char written[CAUCUS_KEPT_PATH];
    int length = snprintf(written, sizeof written, "%s/new-XXXXXX", file->folder);
    bool there = length < CAUCUS_KEPT_PATH && make_folder(file->folder);
    int descriptor = there ? mkstemp(written) : -1;
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!stream) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    bool good = fprintf(stream, "# Measured by Caucus: %s\n", file->key) > 0;
    good = good && write(stream, data);
    good = (fclose(stream) == 0) && good && rename(written, file->path) == 0;
    if (!good)
        unlink(written);
    return good;
}

void caucus_kept_file_replace(const struct caucus_kept_file *file,
                              bool (*write)(FILE *stream, const void *data), const void *data) {
    if (!replace(file, write, data) && *caucus_setting_text(CAUCUS_SETTING_CACHE))
        caucus_kept_file_say(file, "can't be written: other runs measure again.");
}
