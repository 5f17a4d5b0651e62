/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the file that the drop-in wrote: what is looked for is looked for as text. */
#ifndef TESTS_DROPIN_REPORT_H
#define TESTS_DROPIN_REPORT_H

#include "../mpi/check.h"

#include <string.h>
#include <unistd.h>

enum { REPORT_ROOM = 1 << 20 };

/* After MPI_Finalize, on the process that was rank 0: the file, which is deleted. "" if none. */
static inline char *read_report(void) {
    const char *path = getenv("CAUCUS_REPORT");
    char *text = calloc(REPORT_ROOM, 1);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (file) {
        size_t length = fread(text, 1, REPORT_ROOM - 1, file);
        text[length] = '\0';
        fclose(file);
        unlink(path);
    }
    return text;
}

/* The process's exit status. MPI is over: there is nothing to abort. */
static inline int expect_in_report(const char *report, const char *words) {
    if (strstr(report, words))
        return 0;
    fprintf(stderr, "the report lacks %s:\n%s\n", words, report);
    return 1;
}

#endif
