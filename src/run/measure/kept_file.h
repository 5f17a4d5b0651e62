/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of the folder that CAUCUS_CACHE names, by what it depends on: of this user alone, read and
 * written whole. */
#ifndef CAUCUS_RUN_MEASURE_KEPT_FILE_H
#define CAUCUS_RUN_MEASURE_KEPT_FILE_H

#include "run/attachment/attach.h"

#include <stdio.h>

enum { CAUCUS_KEPT_PATH = 4096, CAUCUS_KEPT_KEY = 2560 };

struct caucus_kept_file {
    char folder[CAUCUS_KEPT_PATH], path[CAUCUS_KEPT_PATH];
    char key[CAUCUS_KEPT_KEY];
};

/* What figures of these ranks depend on: MPI, kind of host, nodes, ranks of one, processors, and
 * the fabric; after those words. */
void caucus_kept_describe(const struct caucus_attachment *attachment, const char *words,
                          char key[CAUCUS_KEPT_KEY]);

/* The file of that kind for that key; false where nothing is kept. */
bool caucus_kept_file_find(struct caucus_kept_file *file, const char *kind, const char *key);

/* Whether it is there and may be believed; if only the latter is wrong, a line says so. */
bool caucus_kept_file_is_fit(const struct caucus_kept_file *file);

/* "PATH what" on standard error, the first time. */
void caucus_kept_file_say(const struct caucus_kept_file *file, const char *what);

/* A reader finds the whole file, this one or the one before, or none. Where none can be written,
 * there is none, and a line says so if the user has named the folder. */
void caucus_kept_file_replace(const struct caucus_kept_file *file,
                              bool (*write)(FILE *stream, const void *data), const void *data);

#endif
