/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation on the block of this process: temperature, material, and what couples cells.
 *
 *   new = old + rate * (sum over axes, both sides, of coupling * (neighbour - old))
 *
 * The coupling of two cells is the harmonic mean of their conductivities. Beyond an open edge the
 * conductivity is 0, so that no heat leaves. */
#ifndef HEAT_FIELDS_H
#define HEAT_FIELDS_H

#include "heat_samples.h"

#include <stdint.h>

struct heat_fields {
    double *temperature, *next; /* arrays with ghost cells: see heat_blocks.h */
    double *conductivity;
    double *coupling[3]; /* [axis][cell]: with its neighbour below along the axis */
    double *rate;        /* 0 where the temperature is held */
};

/* The place of the first cell of a row of the block in an array with ghost cells. */
static inline size_t heat_row(const struct heat_blocks *blocks, int plane, int row) {
    size_t cell = 1 + ((size_t)row + 1) * blocks->stride[blocks->ndims - 2];
    return blocks->ndims == 3 ? cell + ((size_t)plane + 1) * blocks->stride[0] : cell;
}

/* A picture in colour tells the temperature by its red, the conductivity by its green, and holds
 * the temperature where it is blue; one in grey tells both by its brightness. */
static inline void heat_material(struct heat_fields *fields, const struct heat_file *file,
                                 size_t cell, const int *sample) {
    double maximum = file->maximum, step = file->ndims == 2 ? 0.2 : 0.15;
    fields->temperature[cell] = sample[0] / maximum;
    fields->rate[cell] = step;
    if (file->channels == 3) {
        fields->conductivity[cell] = sample[1] / maximum;
        if (2 * sample[2] > file->maximum)
            fields->rate[cell] = 0.0;
    } else {
        fields->conductivity[cell] = 0.25 + 0.75 * (sample[0] / maximum);
    }
}

static inline struct heat_fields heat_fields_make(const struct heat_blocks *blocks,
                                                  const struct heat_file *file,
                                                  const int *samples) {
    struct heat_fields fields;
    double **arrays[] = {&fields.temperature, &fields.next, &fields.conductivity, &fields.rate};
    for (int i = 0; i < 4; i++)
        *arrays[i] = heat_array(blocks->cells, sizeof(double));
    for (int axis = 0; axis < 3; axis++)
        fields.coupling[axis] =
            axis < blocks->ndims ? heat_array(blocks->cells, sizeof(double)) : NULL;
    int length[3];
    heat_three(blocks->ndims, blocks->length, 1, length);
    for (int plane = 0; plane < length[0]; plane++)
        for (int row = 0; row < length[1]; row++)
            for (int column = 0; column < length[2]; column++, samples += file->channels)
                heat_material(&fields, file, heat_row(blocks, plane, row) + (size_t)column,
                              samples);
    return fields;
}

/* The ghost cells of conductivity must be there. */
static inline void heat_couple(struct heat_fields *fields, const struct heat_blocks *blocks) {
    for (int axis = 0; axis < blocks->ndims; axis++)
        for (size_t cell = blocks->stride[axis]; cell < blocks->cells; cell++) {
            double a = fields->conductivity[cell - blocks->stride[axis]];
            double b = fields->conductivity[cell];
            fields->coupling[axis][cell] = a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
        }
}

static inline void heat_fields_free(struct heat_fields *fields) {
    free(fields->temperature);
    free(fields->next);
    free(fields->conductivity);
    free(fields->rate);
    for (int axis = 0; axis < 3; axis++)
        free(fields->coupling[axis]);
}

#endif
