/* SPDX-License-Identifier: BSD-3-Clause */
/* A locale with a decimal comma, for which nothing need be installed: its file is written here, as
 * localedef of the GNU C library would write it. For C and C++. */
#ifndef TESTS_MPI_COMMA_H
#define TESTS_MPI_COMMA_H

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The category LC_NUMERIC: what it is, how many entries it has and where each is; then these. */
static inline bool write_comma_category(const char *path) {
    const uint32_t head[] = {0x20031114, 6, 32, 34, 35, 36, 40, 44};
    const char texts[4] = {',', '\0', '\0', '\0'}; /* point, separator of thousands, grouping */
    const uint32_t letters[] = {',', 0};           /* point and separator once more */
    const char letters_are[] = "ANSI_X3.4-1968";
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    size_t written = fwrite(head, sizeof head, 1, file) + fwrite(texts, sizeof texts, 1, file) +
                     fwrite(letters, sizeof letters, 1, file) +
                     fwrite(letters_are, sizeof letters_are, 1, file);
    return fclose(file) == 0 && written == 4;
}

static inline bool numbers_have_commas(void) {
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

/* Whether numbers of the process have commas from now on. Not where the C library is another one
 * and no such locale is installed; musl's numbers never have. Changes LOCPATH. */
static inline bool set_decimal_comma(void) {
    static const char *const names[] = {"comma", "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    const char *outside = getenv("TMPDIR");
    char folder[256], inner[300], path[340];
    snprintf(folder, sizeof folder, "%s/caucus-locale-XXXXXX", outside ? outside : "/tmp");
    bool made = mkdtemp(folder) != NULL;
    snprintf(inner, sizeof inner, "%s/comma", folder);
    snprintf(path, sizeof path, "%s/LC_NUMERIC", inner);
    made = made && mkdir(inner, S_IRWXU) == 0 && write_comma_category(path) &&
           setenv("LOCPATH", folder, 1) == 0;
    for (int i = 0; i < 4 && !numbers_have_commas(); i++) {
        setlocale(LC_NUMERIC, names[i]);
        unsetenv("LOCPATH"); /* the others are the system's */
    }
    if (made) {
        unlink(path);
        rmdir(inner);
        rmdir(folder);
    }
    return numbers_have_commas();
}

#endif
