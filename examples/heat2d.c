/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation on a picture, by plain MPI: blocks of an MPI_Cart_create grid, halos by
 * MPI_Isend and MPI_Irecv, columns as derived types. The result is the same to the last bit for any
 * number of processes and any placement. */
#include "heat_pnm.h"
#include "heat_program.h"

enum { SIDES = 4 };

/* Where this process sends and receives along each side: lower and upper row, lower and upper
 * column. */
struct halo {
    MPI_Comm cart;
    int neighbour[SIDES];
    MPI_Datatype type[SIDES];
    size_t inner[SIDES], ghost[SIDES]; /* first cell sent, first cell received */
    long long bytes;                   /* sent in an exchange */
};

static struct halo *halo_make(const struct heat_blocks *blocks) {
    struct halo *halo = heat_array(1, sizeof *halo);
    halo->cart = blocks->cart;
    int rows = blocks->length[0], columns = blocks->length[1];
    size_t width = blocks->stride[0];
    MPI_Datatype row, column;
    MPI_Type_contiguous(columns, MPI_DOUBLE, &row);
    MPI_Type_vector(rows, 1, (int)width, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    for (int side = 0; side < SIDES; side++) {
        int axis = side / 2, upper = side % 2;
        size_t last = (size_t)blocks->length[axis], step = blocks->stride[axis];
        size_t corner =
            axis == 0 ? 1 : width; /* the ghost cell before the first cell, on this axis */
        halo->inner[side] = corner + (upper ? last : 1) * step;
        halo->ghost[side] = corner + (upper ? last + 1 : 0) * step;
        halo->type[side] = axis == 0 ? row : column;
    }
    for (int axis = 0; axis < 2; axis++)
        MPI_Cart_shift(blocks->cart, axis, 1, &halo->neighbour[2 * axis],
                       &halo->neighbour[2 * axis + 1]);
    for (int side = 0; side < SIDES; side++)
        if (halo->neighbour[side] != MPI_PROC_NULL)
            halo->bytes += (long long)sizeof(double) * (side < 2 ? columns : rows);
    return halo;
}

static long long halo_exchange(struct halo *halo, double *cells) {
    MPI_Request requests[2 * SIDES];
    for (int side = 0; side < SIDES; side++)
        MPI_Irecv(cells + halo->ghost[side], 1, halo->type[side], halo->neighbour[side], side,
                  halo->cart, &requests[side]);
    for (int side = 0; side < SIDES; side++) /* what leaves below arrives above, and so on */
        MPI_Isend(cells + halo->inner[side], 1, halo->type[side], halo->neighbour[side], side ^ 1,
                  halo->cart, &requests[SIDES + side]);
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    return halo->bytes;
}

static void halo_free(struct halo *halo) {
    MPI_Type_free(&halo->type[0]);
    MPI_Type_free(&halo->type[2]);
    free(halo);
}

static void sweep(const struct heat_fields *fields, const struct heat_blocks *blocks) {
    size_t width = blocks->stride[0];
    const double *old = fields->temperature;
    const double *row_coupling = fields->coupling[0], *column_coupling = fields->coupling[1];
    for (int row = 0; row < blocks->length[0]; row++) {
        size_t end = heat_row(blocks, 0, row) + (size_t)blocks->length[1];
        for (size_t cell = heat_row(blocks, 0, row); cell < end; cell++) {
            double across = row_coupling[cell] * (old[cell - width] - old[cell]) +
                            row_coupling[cell + width] * (old[cell + width] - old[cell]);
            double along = column_coupling[cell] * (old[cell - 1] - old[cell]) +
                           column_coupling[cell + 1] * (old[cell + 1] - old[cell]);
            fields->next[cell] = old[cell] + fields->rate[cell] * (across + along);
        }
    }
}

int main(int argc, char **argv) {
    const struct heat_program program = {
        .name = "heat2d",
        .ndims = 2,
        .parse = heat_pnm_parse,
        .header = heat_pnm_header,
        .halo_make = halo_make,
        .halo_exchange = halo_exchange,
        .halo_free = halo_free,
        .sweep = sweep,
    };
    return heat_main(&program, argc, argv);
}
