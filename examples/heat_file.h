/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of samples behind a header: pictures (PGM, PPM) and volumes (NRRD). */
#ifndef HEAT_FILE_H
#define HEAT_FILE_H

#include "heat_stop.h"

#include <limits.h>
#include <string.h>

struct heat_file {
    int ndims;
    int extents[3];   /* slowest axis first */
    int channels;     /* 1, or 3: red, green and blue follow each other */
    int sample_bytes; /* 1 or 2 */
    int big_endian;
    int maximum;      /* of a sample */
    long long header; /* bytes before the first sample */
    char problem[256];
};

/* Keeps the sentence and returns 0, so that a check is one line. */
__attribute__((format(printf, 2, 3))) static inline int heat_bad(struct heat_file *file,
                                                                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->problem, sizeof file->problem, format, arguments);
    va_end(arguments);
    return 0;
}

/* Whether the file is as long as its header promises. */
static inline int heat_file_is_whole(struct heat_file *file, FILE *stream) {
    long long samples = file->channels;
    for (int axis = 0; axis < file->ndims; axis++) {
        if (file->extents[axis] < 1 || samples > INT_MAX / file->extents[axis])
            return heat_bad(file, "has an extent of %d, which is not possible or too large",
                            file->extents[axis]);
        samples *= file->extents[axis];
    }
    long long wanted = file->header + samples * file->sample_bytes;
    if (fseek(stream, 0, SEEK_END) != 0 || ftell(stream) < wanted)
        return heat_bad(file, "ends early: %lld bytes are wanted", wanted);
    return 1;
}

/* The first process reads the header with parse and tells the others. */
static inline struct heat_file heat_file_open(const char *path,
                                              int (*parse)(struct heat_file *, FILE *)) {
    struct heat_file file = {.ndims = 0};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *stream = fopen(path, "rb");
        if (stream == NULL)
            heat_bad(&file, "can't be opened");
        else if (parse(&file, stream))
            heat_file_is_whole(&file, stream);
        if (stream != NULL)
            fclose(stream);
    }
    MPI_Bcast(&file, (int)sizeof file, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (file.problem[0] != '\0')
        heat_stop("%s %s.", path, file.problem);
    return file;
}

#endif
