/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures in the formats PGM (P5, grey) and PPM (P6, red green blue). */
#ifndef HEAT_PNM_H
#define HEAT_PNM_H

#include "heat_file.h"

#include <ctype.h>

/* The next whole number of the header, behind blanks and comments; -1 if there is none. */
static inline int heat_pnm_number(FILE *stream) {
    int next = getc(stream);
    while (isspace(next) || next == '#') {
        if (next == '#')
            while (next != '\n' && next != EOF)
                next = getc(stream);
        next = getc(stream);
    }
    if (!isdigit(next))
        return -1;
    int value = 0;
    for (; isdigit(next); next = getc(stream)) {
        if (value > (INT_MAX - 9) / 10)
            return -1;
        value = value * 10 + (next - '0');
    }
    return value; /* the one blank behind the number is gone, too */
}

static inline int heat_pnm_parse(struct heat_file *file, FILE *stream) {
    int letter = getc(stream), kind = getc(stream);
    if (letter != 'P' || (kind != '5' && kind != '6'))
        return heat_bad(file, "is no binary PGM or PPM picture (P5 or P6)");
    file->ndims = 2;
    file->channels = kind == '6' ? 3 : 1;
    file->extents[1] = heat_pnm_number(stream);
    file->extents[0] = heat_pnm_number(stream);
    file->maximum = heat_pnm_number(stream);
    if (file->maximum < 1 || file->maximum > 65535)
        return heat_bad(file, "has a malformed header: width, height and maximum are wanted");
    file->sample_bytes = file->maximum > 255 ? 2 : 1;
    file->big_endian = 1;
    file->header = ftell(stream);
    return 1;
}

/* The header of a grey picture of 16 bits; returns its length. */
static inline int heat_pnm_header(char *text, size_t size, const int *extents) {
    return snprintf(text, size, "P5\n%d %d\n65535\n", extents[1], extents[0]);
}

#endif
