/* SPDX-License-Identifier: BSD-3-Clause */
/* A small text file as lines of words. */
#ifndef CAUCUS_BASE_LINES_H
#define CAUCUS_BASE_LINES_H

#include <stdint.h>

struct caucus_lines {
    const char *path; /* the caller's */
    char *text;
    char *next;
    int64_t number; /* of the line read last, from 1 */
};

/* Reads the whole file. Fails with CAUCUS_BAD_FILE if it can't be read, is larger than 1 GiB or is
 * no text: control characters other than tabs and line ends (LF or CR LF; the last may be missing).
 */
int caucus_lines_open(struct caucus_lines *lines, const char *path);

/* Splits the next line that has words, blank-separated, # starting a comment. Returns how many it
 * has, 0 at the end; at most limit are put into words, where they stay valid until the close. */
int caucus_lines_next(struct caucus_lines *lines, int limit, char **words);

void caucus_lines_close(struct caucus_lines *lines);

#endif
