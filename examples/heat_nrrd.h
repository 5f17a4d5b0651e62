/* SPDX-License-Identifier: BSD-3-Clause */
/* Volumes in the format NRRD: lines "field: value", an empty line, then the raw samples. */
#ifndef HEAT_NRRD_H
#define HEAT_NRRD_H

#include "heat_file.h"

/* The value if the line is about the field, else NULL. */
static inline const char *heat_nrrd_value(const char *line, const char *field) {
    size_t length = strlen(field);
    if (strncmp(line, field, length) != 0 || strncmp(line + length, ": ", 2) != 0)
        return NULL;
    return line + length + 2;
}

static inline int heat_nrrd_type(struct heat_file *file, const char *value) {
    if (strcmp(value, "uint8") == 0 || strcmp(value, "unsigned char") == 0) {
        file->sample_bytes = 1;
        file->maximum = 255;
    } else if (strcmp(value, "uint16") == 0 || strcmp(value, "unsigned short") == 0) {
        file->sample_bytes = 2;
        file->maximum = 65535;
    } else {
        return heat_bad(file, "has samples of type %.40s: uint8 or uint16 is wanted", value);
    }
    return 1;
}

static inline int heat_nrrd_line(struct heat_file *file, const char *line) {
    const char *value;
    if ((value = heat_nrrd_value(line, "type")) != NULL)
        return heat_nrrd_type(file, value);
    if ((value = heat_nrrd_value(line, "encoding")) != NULL && strcmp(value, "raw") != 0)
        return heat_bad(file, "has the encoding %.40s: raw is wanted", value);
    if ((value = heat_nrrd_value(line, "dimension")) != NULL && strcmp(value, "3") != 0)
        return heat_bad(file, "has dimension %.40s: 3 is wanted", value);
    if (heat_nrrd_value(line, "data file") != NULL)
        return heat_bad(file, "has its samples in another file, which is not served");
    if ((value = heat_nrrd_value(line, "endian")) != NULL)
        file->big_endian = strcmp(value, "big") == 0;
    if ((value = heat_nrrd_value(line, "sizes")) != NULL &&
        sscanf(value, "%9d %9d %9d", &file->extents[2], &file->extents[1], &file->extents[0]) != 3)
        return heat_bad(file, "has malformed sizes: three numbers are wanted");
    return 1;
}

static inline int heat_nrrd_parse(struct heat_file *file, FILE *stream) {
    char line[1024];
    if (fgets(line, sizeof line, stream) == NULL || strncmp(line, "NRRD000", 7) != 0)
        return heat_bad(file, "is no NRRD volume");
    file->ndims = 3;
    file->channels = 1;
    for (;;) {
        if (fgets(line, sizeof line, stream) == NULL || strchr(line, '\n') == NULL)
            return heat_bad(file, "has a header without an end");
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0')
            break;
        if (!heat_nrrd_line(file, line))
            return 0;
    }
    if (file->sample_bytes == 0 || file->extents[0] == 0)
        return heat_bad(file, "does not tell its type or its sizes");
    file->header = ftell(stream);
    return 1;
}

/* The header of a volume of 16 bits; returns its length. */
static inline int heat_nrrd_header(char *text, size_t size, const int *extents) {
    return snprintf(text, size,
                    "NRRD0004\ntype: uint16\ndimension: 3\nsizes: %d %d %d\n"
                    "encoding: raw\nendian: big\n\n",
                    extents[2], extents[1], extents[0]);
}

#endif
