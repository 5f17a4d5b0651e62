/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/tuned.h"

#include "base/status.h"

#include <ctype.h>
#include <mpi.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* The first line of what MPI says, up to a comma, behind which Open MPI names who built it; blanks
 * that line things up count as one. */
void caucus_tuned_mpi(char mpi[CAUCUS_TUNED_ROOM]) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, used = 0;
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\r\n,")] = '\0';
    for (const char *at = library; *at && used < CAUCUS_TUNED_ROOM - 1; at++) {
        bool blank = !isgraph((unsigned char)*at);
        if (!blank || (used > 0 && mpi[used - 1] != ' '))
            mpi[used++] = (char)(blank ? ' ' : *at);
    }
    used -= used > 0 && mpi[used - 1] == ' ';
    mpi[used] = '\0';
}

/* It is read for each communicator. */
static bool is_pipe(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

int caucus_tuned_read(const char *path, struct caucus_model *model) {
    char mpi[CAUCUS_TUNED_ROOM], own[CAUCUS_TUNED_ROOM];
    struct caucus_lines lines;
    if (is_pipe(path))
        return caucus_fail(CAUCUS_BAD_FILE, "%s: it is a pipe, which can be read but once", path);
    int status = caucus_tuned_open(&lines, path, mpi);
    if (status)
        return status;
    caucus_tuned_mpi(own);
    status = *mpi && strcmp(mpi, own) != 0
                 ? caucus_fail(CAUCUS_NOT_APPLICABLE, "%s: it was measured with %s, and this is %s",
                               path, mpi, own)
                 : caucus_model_parse(model, &lines);
    caucus_lines_close(&lines);
    return status;
}
