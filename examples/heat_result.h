/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of the temperature, a checksum of all its bits, and the speed. */
#ifndef HEAT_RESULT_H
#define HEAT_RESULT_H

#include "heat_fields.h"

struct heat_speed {
    double seconds;          /* of all steps */
    double exchange_seconds; /* of these, in the halo exchange */
    long long bytes;         /* that this process sent in it */
};

/* Temperatures from 0 to 1 as whole numbers from 0 to 65535. */
static inline unsigned short *heat_picture(const struct heat_fields *fields,
                                           const struct heat_blocks *blocks) {
    int length[3];
    heat_three(blocks->ndims, blocks->length, 1, length);
    unsigned short *samples =
        heat_array((size_t)length[0] * (size_t)length[1] * (size_t)length[2], sizeof *samples);
    unsigned short *to = samples;
    for (int plane = 0; plane < length[0]; plane++)
        for (int row = 0; row < length[1]; row++)
            for (int column = 0; column < length[2]; column++) {
                double value =
                    fields->temperature[heat_row(blocks, plane, row) + (size_t)column] * 65535.0;
                *to++ = (unsigned short)(value < 0.0       ? 0.0
                                         : value > 65535.0 ? 65535.0
                                                           : value + 0.5);
            }
    return samples;
}

/* Stirs 64 bits (an invertible mixture of shifts and odd factors). */
static inline uint64_t heat_stir(uint64_t bits) {
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 29) * 0xD1B54A32D192ED03u;
    return bits ^ bits >> 32;
}

/* A sum of whole numbers, one for each cell, that depends on every bit and its place; the order of
 * summation does not matter. */
static inline uint64_t heat_checksum(const struct heat_fields *fields,
                                     const struct heat_blocks *blocks) {
    int length[3], first[3], extents[3];
    heat_three(blocks->ndims, blocks->length, 1, length);
    heat_three(blocks->ndims, blocks->first, 0, first);
    heat_three(blocks->ndims, blocks->extents, 1, extents);
    uint64_t mine = 0, sum;
    for (int plane = 0; plane < length[0]; plane++)
        for (int row = 0; row < length[1]; row++) {
            size_t cell = heat_row(blocks, plane, row);
            uint64_t line =
                (uint64_t)(first[0] + plane) * (uint64_t)extents[1] + (uint64_t)(first[1] + row);
            uint64_t place = line * (uint64_t)extents[2] + (uint64_t)first[2];
            for (int column = 0; column < length[2]; column++, cell++, place++) {
                uint64_t bits;
                memcpy(&bits, fields->temperature + cell, sizeof bits);
                mine += heat_stir(bits ^ heat_stir(place + 1));
            }
        }
    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, blocks->cart);
    return sum;
}

static inline void heat_print(const char *name, int steps, const struct heat_fields *fields,
                              const struct heat_blocks *blocks, const struct heat_speed *speed) {
    int rank, processes;
    MPI_Comm_rank(blocks->cart, &rank);
    MPI_Comm_size(blocks->cart, &processes);
    uint64_t checksum = heat_checksum(fields, blocks);
    double mine[2] = {speed->seconds, speed->exchange_seconds}, slowest[2];
    long long bytes;
    MPI_Reduce(mine, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, blocks->cart);
    MPI_Reduce(&speed->bytes, &bytes, 1, MPI_LONG_LONG, MPI_SUM, 0, blocks->cart);
    if (rank != 0)
        return;
    printf("%s:", name);
    for (int axis = 0; axis < blocks->ndims; axis++)
        printf("%s%d", axis == 0 ? " " : "x", blocks->extents[axis]);
    for (int axis = 0; axis < blocks->ndims; axis++)
        printf("%s%d", axis == 0 ? " cells on " : "x", blocks->dims[axis]);
    printf(" processes, %d steps\n", steps);
    double megabytes = 1e-6 * (double)bytes;
    printf("seconds %.6f\nexchange_seconds %.6f\nexchange_megabytes %.6f\n", slowest[0], slowest[1],
           megabytes);
    printf("megabytes_per_second_and_process %.6f\n",
           slowest[1] > 0.0 ? megabytes / slowest[1] / processes : 0.0);
    printf("checksum %016llx\n", (unsigned long long)checksum);
}

#endif
