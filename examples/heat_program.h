/* SPDX-License-Identifier: BSD-3-Clause */
/* The course of a heat program; what differs between two and three dimensions is handed in. */
#ifndef HEAT_PROGRAM_H
#define HEAT_PROGRAM_H

#include "heat_result.h"

struct halo; /* each program's own */

struct heat_program {
    const char *name;
    int ndims;
    int (*parse)(struct heat_file *file, FILE *stream);
    int (*header)(char *text, size_t size, const int *extents);
    struct halo *(*halo_make)(const struct heat_blocks *blocks);
    long long (*halo_exchange)(struct halo *halo, double *cells); /* returns the bytes sent */
    void (*halo_free)(struct halo *halo);
    void (*sweep)(const struct heat_fields *fields, const struct heat_blocks *blocks);
};

static inline struct heat_speed heat_steps(const struct heat_program *program, struct halo *halo,
                                           struct heat_fields *fields,
                                           const struct heat_blocks *blocks, int steps) {
    struct heat_speed speed = {.exchange_seconds = 0.0};
    MPI_Barrier(blocks->cart);
    double start = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        double before = MPI_Wtime();
        speed.bytes += program->halo_exchange(halo, fields->temperature);
        speed.exchange_seconds += MPI_Wtime() - before;
        program->sweep(fields, blocks);
        double *swap = fields->temperature;
        fields->temperature = fields->next;
        fields->next = swap;
    }
    speed.seconds = MPI_Wtime() - start;
    return speed;
}

static inline void heat_write(const struct heat_program *program, const char *path,
                              const struct heat_fields *fields, const struct heat_blocks *blocks) {
    char header[160];
    int length = program->header(header, sizeof header, blocks->extents);
    unsigned short *picture = heat_picture(fields, blocks);
    heat_samples_write(path, blocks, header, length, picture);
    free(picture);
}

static inline void heat_solve(const struct heat_program *program,
                              const struct heat_options *options, const struct heat_file *file,
                              const struct heat_blocks *blocks) {
    int *samples = heat_samples_read(options->input, file, blocks, options->refine);
    struct heat_fields fields = heat_fields_make(blocks, file, samples);
    free(samples);
    struct halo *halo = program->halo_make(blocks);
    program->halo_exchange(halo, fields.conductivity);
    heat_couple(&fields, blocks);
    struct heat_speed speed = heat_steps(program, halo, &fields, blocks, options->steps);
    if (options->output != NULL)
        heat_write(program, options->output, &fields, blocks);
    heat_print(program->name, options->steps, &fields, blocks, &speed);
    program->halo_free(halo);
    heat_fields_free(&fields);
}

static inline int heat_main(const struct heat_program *program, int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct heat_options options = heat_options_read(program->ndims, argc, argv);
    struct heat_file file = heat_file_open(options.input, program->parse);
    struct heat_blocks blocks = heat_blocks_make(&options, &file);
    if (blocks.cart != MPI_COMM_NULL) {
        heat_solve(program, &options, &file, &blocks);
        MPI_Comm_free(&blocks.cart);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}

#endif
