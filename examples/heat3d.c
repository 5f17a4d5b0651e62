/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation in a volume, by plain MPI: blocks of an MPI_Cart_create grid, halos by
 * MPI_Neighbor_alltoallw on subarrays. The result is the same to the last bit for any number of
 * processes and any placement.
 *
 * Where a process has the same neighbour on both sides (a periodic axis of one or two processes),
 * MPI 3.1 leaves open which of its two messages meets which receive, and libraries differ; there
 * the halos go as messages with tags. */
#include "heat_nrrd.h"
#include "heat_program.h"

enum { SIDES = 6 };

/* In MPI's order of the neighbours of a Cartesian communicator: lower and upper along each axis. */
struct halo {
    MPI_Comm cart;
    int counts[SIDES];
    MPI_Aint displacements[SIDES]; /* 0: the types know their places */
    MPI_Datatype inner[SIDES], ghost[SIDES];
    int neighbour[SIDES];
    int twice;       /* some neighbour is there on both sides */
    long long bytes; /* sent in an exchange */
};

/* One layer of cells of the block across `axis`; place 0 is the ghost layer below. */
static MPI_Datatype layer(const struct heat_blocks *blocks, int axis, int place) {
    int whole[3], part[3], start[3];
    for (int a = 0; a < 3; a++) {
        whole[a] = blocks->length[a] + 2;
        part[a] = a == axis ? 1 : blocks->length[a];
        start[a] = a == axis ? place : 1;
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static struct halo *halo_make(const struct heat_blocks *blocks) {
    struct halo *halo = heat_array(1, sizeof *halo);
    halo->cart = blocks->cart;
    for (int side = 0; side < SIDES; side++) {
        int axis = side / 2, last = blocks->length[axis];
        halo->counts[side] = 1;
        halo->inner[side] = layer(blocks, axis, side % 2 ? last : 1);
        halo->ghost[side] = layer(blocks, axis, side % 2 ? last + 1 : 0);
    }
    for (int axis = 0; axis < 3; axis++) {
        int *neighbour = halo->neighbour + 2 * axis, bytes;
        MPI_Cart_shift(blocks->cart, axis, 1, &neighbour[0], &neighbour[1]);
        MPI_Type_size(halo->inner[2 * axis], &bytes);
        for (int side = 0; side < 2; side++)
            halo->bytes += neighbour[side] != MPI_PROC_NULL ? bytes : 0;
        halo->twice |= neighbour[0] == neighbour[1] && neighbour[0] != MPI_PROC_NULL;
    }
    return halo;
}

static void halo_messages(struct halo *halo, double *cells) {
    MPI_Request requests[2 * SIDES];
    for (int side = 0; side < SIDES; side++) {
        MPI_Irecv(cells, 1, halo->ghost[side], halo->neighbour[side], side, halo->cart,
                  &requests[side]);
        MPI_Isend(cells, 1, halo->inner[side], halo->neighbour[side], side ^ 1, halo->cart,
                  &requests[SIDES + side]);
    }
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
}

static long long halo_exchange(struct halo *halo, double *cells) {
    if (halo->twice)
        halo_messages(halo, cells);
    else
        MPI_Neighbor_alltoallw(cells, halo->counts, halo->displacements, halo->inner, cells,
                               halo->counts, halo->displacements, halo->ghost, halo->cart);
    return halo->bytes;
}

static void halo_free(struct halo *halo) {
    for (int side = 0; side < SIDES; side++) {
        MPI_Type_free(&halo->inner[side]);
        MPI_Type_free(&halo->ghost[side]);
    }
    free(halo);
}

/* What flows into a cell along one axis, whose neighbours are `step` cells away. */
static inline double flow(const double *coupling, const double *old, size_t cell, size_t step) {
    return coupling[cell] * (old[cell - step] - old[cell]) +
           coupling[cell + step] * (old[cell + step] - old[cell]);
}

static void sweep(const struct heat_fields *fields, const struct heat_blocks *blocks) {
    const double *old = fields->temperature;
    for (int plane = 0; plane < blocks->length[0]; plane++)
        for (int row = 0; row < blocks->length[1]; row++) {
            size_t end = heat_row(blocks, plane, row) + (size_t)blocks->length[2];
            for (size_t cell = heat_row(blocks, plane, row); cell < end; cell++) {
                double planes = flow(fields->coupling[0], old, cell, blocks->stride[0]);
                double rows = flow(fields->coupling[1], old, cell, blocks->stride[1]);
                double columns = flow(fields->coupling[2], old, cell, 1);
                fields->next[cell] = old[cell] + fields->rate[cell] * ((planes + rows) + columns);
            }
        }
}

int main(int argc, char **argv) {
    const struct heat_program program = {
        .name = "heat3d",
        .ndims = 3,
        .parse = heat_nrrd_parse,
        .header = heat_nrrd_header,
        .halo_make = halo_make,
        .halo_exchange = halo_exchange,
        .halo_free = halo_free,
        .sweep = sweep,
    };
    return heat_main(&program, argc, argv);
}
