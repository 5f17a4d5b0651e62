/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples between a file and the block of this process, by MPI-IO, one row of the block at a time.
 * Two-dimensional blocks are taken as one plane. */
#ifndef HEAT_SAMPLES_H
#define HEAT_SAMPLES_H

#include "heat_blocks.h"

/* The planes, rows and columns of something with two or three axes. */
static inline void heat_three(int ndims, const int *numbers, int missing, int three[3]) {
    three[0] = missing;
    memcpy(three + 3 - ndims, numbers, (size_t)ndims * sizeof(int));
}

static inline void heat_all_or_stop(MPI_Comm cart, int fine, const char *path, const char *what) {
    int all;
    MPI_Allreduce(&fine, &all, 1, MPI_INT, MPI_MIN, cart);
    if (!all)
        heat_stop_in(cart, "%s can't be %s.", path, what);
}

static inline int heat_sample(const struct heat_file *file, const unsigned char *at) {
    if (file->sample_bytes == 1)
        return at[0];
    return file->big_endian ? at[0] << 8 | at[1] : at[1] << 8 | at[0];
}

/* Spreads a row of the file over length cells, each sample over refine of them; offset: the cells
 * of the first sample that lie before. Returns the end of what it wrote. */
static inline int *heat_spread(const struct heat_file *file, const unsigned char *row, int offset,
                               int length, int refine, int *to) {
    int pixel = file->channels * file->sample_bytes;
    for (int cell = 0; cell < length; cell++) {
        const unsigned char *from = row + (offset + cell) / refine * pixel;
        for (int channel = 0; channel < file->channels; channel++)
            *to++ = heat_sample(file, from + channel * file->sample_bytes);
    }
    return to;
}

/* Returns samples[cell * channels + channel] for the cells of the block, row by row. */
static inline int *heat_samples_read(const char *path, const struct heat_file *file,
                                     const struct heat_blocks *blocks, int refine) {
    int extents[3], first[3], length[3];
    heat_three(file->ndims, file->extents, 1, extents);
    heat_three(file->ndims, blocks->first, 0, first);
    heat_three(file->ndims, blocks->length, 1, length);
    int left = first[2] / refine, width = (first[2] + length[2] - 1) / refine - left + 1;
    int pixel = file->channels * file->sample_bytes;
    unsigned char *row = heat_array((size_t)width, (size_t)pixel);
    int *samples = heat_array((size_t)length[0] * (size_t)length[1] * (size_t)length[2],
                              (size_t)file->channels * sizeof(int));
    int *to = samples;

    MPI_File handle;
    int fine = MPI_File_open(blocks->cart, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &handle);
    heat_all_or_stop(blocks->cart, fine == MPI_SUCCESS, path, "opened by every process");
    for (int z = first[0]; z < first[0] + length[0]; z++)
        for (int y = first[1]; y < first[1] + length[1]; y++) {
            int plane = file->ndims == 3 ? z / refine : 0;
            MPI_Offset line = (MPI_Offset)plane * extents[1] + y / refine;
            MPI_Offset start = file->header + (line * extents[2] + left) * pixel;
            if (MPI_File_read_at(handle, start, row, width * pixel, MPI_BYTE, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
                fine = MPI_ERR_IO;
            to = heat_spread(file, row, first[2] % refine, length[2], refine, to);
        }
    MPI_File_close(&handle);
    free(row);
    heat_all_or_stop(blocks->cart, fine == MPI_SUCCESS, path, "read");
    return samples;
}

/* Writes the header and one sample of 16 bits, high byte first, for each cell. */
static inline void heat_samples_write(const char *path, const struct heat_blocks *blocks,
                                      const char *header, int header_length,
                                      const unsigned short *samples) {
    int extents[3], first[3], length[3], rank;
    heat_three(blocks->ndims, blocks->extents, 1, extents);
    heat_three(blocks->ndims, blocks->first, 0, first);
    heat_three(blocks->ndims, blocks->length, 1, length);
    MPI_Comm_rank(blocks->cart, &rank);

    MPI_File handle;
    int fine = MPI_File_open(blocks->cart, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                             &handle) == MPI_SUCCESS;
    heat_all_or_stop(blocks->cart, fine, path, "opened for writing");
    MPI_Offset cells = (MPI_Offset)extents[0] * extents[1] * extents[2];
    fine &= MPI_File_set_size(handle, header_length + 2 * cells) == MPI_SUCCESS;
    if (rank == 0)
        fine &= MPI_File_write_at(handle, 0, header, header_length, MPI_BYTE, MPI_STATUS_IGNORE) ==
                MPI_SUCCESS;
    unsigned char *row = heat_array((size_t)length[2], 2);
    for (int z = 0; z < length[0]; z++)
        for (int y = 0; y < length[1]; y++) {
            for (int x = 0; x < length[2]; x++, samples++) {
                row[2 * x] = (unsigned char)(*samples >> 8);
                row[2 * x + 1] = (unsigned char)(*samples & 255);
            }
            MPI_Offset line = (MPI_Offset)(first[0] + z) * extents[1] + first[1] + y;
            MPI_Offset start = header_length + 2 * (line * extents[2] + first[2]);
            fine &= MPI_File_write_at(handle, start, row, 2 * length[2], MPI_BYTE,
                                      MPI_STATUS_IGNORE) == MPI_SUCCESS;
        }
    free(row);
    fine &= MPI_File_close(&handle) == MPI_SUCCESS;
    heat_all_or_stop(blocks->cart, fine, path, "written");
}

#endif
