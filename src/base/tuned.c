/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/tuned.h"

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct marks {
    bool head, end, figures;
};

static bool begins(const char *line, const char *words) {
    return strncmp(line, words, strlen(words)) == 0;
}

static bool has_words(const char *line) {
    char first = line[strspn(line, " \t\r")];
    return first && first != '\n' && first != '#';
}

static void look_at(const char *line, struct marks *marks, char mpi[CAUCUS_TUNED_ROOM]) {
    marks->figures = marks->figures || has_words(line);
    marks->head = marks->head || begins(line, CAUCUS_TUNED_HEAD);
    marks->end = marks->end || begins(line, CAUCUS_TUNED_END);
    if (!begins(line, CAUCUS_TUNED_MPI))
        return;
    const char *name = line + strlen(CAUCUS_TUNED_MPI);
    snprintf(mpi, CAUCUS_TUNED_ROOM, "%.*s", (int)strcspn(name, "\r\n"), name);
}

int caucus_tuned_open(struct caucus_lines *lines, const char *path, char mpi[CAUCUS_TUNED_ROOM]) {
    struct marks marks = {.head = false};
    int status = caucus_lines_open(lines, path);
    mpi[0] = '\0';
    if (status)
        return status;
    for (const char *line = lines->next; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        look_at(line, &marks, mpi);
    }
    if (!marks.head)
        mpi[0] = '\0';
    if (!marks.figures)
        status = caucus_fail(CAUCUS_NOT_APPLICABLE, "%s: it is empty, it names no parameter", path);
    else if (marks.head && !marks.end)
        status = caucus_fail(CAUCUS_NOT_APPLICABLE,
                             "%s: it is cut off, the line '" CAUCUS_TUNED_END "' is missing", path);
    if (status)
        caucus_lines_close(lines);
    return status;
}
