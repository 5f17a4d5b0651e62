/* SPDX-License-Identifier: BSD-3-Clause */
/* Two programs, coupled: one has a 2-D field in blocks of rows, the other in 2-D blocks with a
 * border of one cell around each, as its stencil needs it. The field goes over in every step, and
 * what the second one makes of it comes back; all values are checked.
 *
 *   mpiexec -n 6 coupled_field [ranks of the first program] [rows] [columns] [steps] */
#include <caucus/caucus.h>
#include <stdio.h>
#include <stdlib.h>

/* What every rank knows of the field and of the two programs. */
struct coupling {
    MPI_Comm inter;
    int rank, ranks; /* in the own program */
    int first;       /* which of the two this is */
    long rows, columns;
};

/* Cells of the field, row by row: [begin, end) in each direction. */
struct block {
    long row_begin, row_end, column_begin, column_end;
};

static long width(const struct block *block) {
    return block->column_end - block->column_begin;
}

static long cells(const struct block *block) {
    return (block->row_end - block->row_begin) * width(block);
}

/* Part i of n equal ones, as far as that goes. */
static void cut(long length, int n, int i, long *begin, long *end) {
    *begin = length * i / n;
    *end = length * (i + 1) / n;
}

static struct block own_block(const struct coupling *coupling) {
    struct block block = {.column_end = coupling->columns};
    if (coupling->first) {
        cut(coupling->rows, coupling->ranks, coupling->rank, &block.row_begin, &block.row_end);
    } else {
        int dims[2] = {0, 0};
        MPI_Dims_create(coupling->ranks, 2, dims);
        cut(coupling->rows, dims[0], coupling->rank / dims[1], &block.row_begin, &block.row_end);
        cut(coupling->columns, dims[1], coupling->rank % dims[1], &block.column_begin,
            &block.column_end);
    }
    return block;
}

/* The block and the cells around it, as far as there are any. */
static struct block with_border(struct block block, const struct coupling *coupling) {
    block.row_begin -= block.row_begin > 0;
    block.row_end += block.row_end < coupling->rows;
    block.column_begin -= block.column_begin > 0;
    block.column_end += block.column_end < coupling->columns;
    return block;
}

/* The global index of a cell is its place in the whole field: a range for each row of the block. */
static caucus_index_range *ranges_of(const struct block *block, const struct coupling *coupling) {
    long rows = block->row_end - block->row_begin;
    caucus_index_range *ranges = calloc((size_t)rows + 1, sizeof *ranges);
    if (!ranges)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; i < rows; i++)
        ranges[i] = (caucus_index_range){
            (block->row_begin + i) * coupling->columns + block->column_begin, width(block)};
    return ranges;
}

/* A persistent request that moves one block of each rank of a program to one of each of the other:
 * at one end there is but what is had, at the other what is wanted. */
static caucus_request transfer(const struct coupling *coupling, const struct block *block,
                               double *field, int sends) {
    caucus_request request;
    caucus_index_range *ranges = ranges_of(block, coupling);
    long rows = block->row_end - block->row_begin;
    if (sends)
        caucus_redistribute_init(field, rows, ranges, MPI_DOUBLE, NULL, 0, NULL, MPI_DOUBLE,
                                 coupling->inter, MPI_INFO_NULL, &request);
    else
        caucus_redistribute_init(NULL, 0, NULL, MPI_DOUBLE, field, rows, ranges, MPI_DOUBLE,
                                 coupling->inter, MPI_INFO_NULL, &request);
    free(ranges);
    return request;
}

static double value(long row, long column, int step) {
    return (double)(1000 * step + 7 * row + 3 * column);
}

/* Whole numbers, so that what comes back is exact. */
static double neighbours(long row, long column, int step, const struct coupling *coupling) {
    double sum = 0;
    if (row > 0)
        sum += value(row - 1, column, step);
    if (row + 1 < coupling->rows)
        sum += value(row + 1, column, step);
    if (column > 0)
        sum += value(row, column - 1, step);
    if (column + 1 < coupling->columns)
        sum += value(row, column + 1, step);
    return sum;
}

/* The second program's part: for each cell of its block, the sum of the cells beside it. */
static void add_neighbours(const struct block *block, const struct block *border,
                           const struct coupling *coupling, const double *field, double *sums) {
    for (long row = block->row_begin; row < block->row_end; row++)
        for (long column = block->column_begin; column < block->column_end; column++) {
            const double *at =
                field + (row - border->row_begin) * width(border) + column - border->column_begin;
            double sum = 0;
            sum += row > 0 ? at[-width(border)] : 0;
            sum += row + 1 < coupling->rows ? at[width(border)] : 0;
            sum += column > 0 ? at[-1] : 0;
            sum += column + 1 < coupling->columns ? at[1] : 0;
            *sums++ = sum;
        }
}

static void move(caucus_request *request) {
    caucus_start(request);
    caucus_wait(request, MPI_STATUS_IGNORE);
}

/* Returns how many values of the first program are wrong; *seconds in transfers. */
static long couple(const struct coupling *coupling, int steps, double *seconds) {
    struct block block = own_block(coupling), border = with_border(block, coupling);
    const struct block *there = coupling->first ? &block : &border;
    double *field = calloc((size_t)cells(there) + 1, sizeof *field);
    double *sums = calloc((size_t)cells(&block) + 1, sizeof *sums);
    long wrong = 0;
    if (!field || !sums)
        MPI_Abort(MPI_COMM_WORLD, 1);
    caucus_request forth = transfer(coupling, there, field, coupling->first);
    caucus_request back = transfer(coupling, &block, sums, !coupling->first);
    for (int step = 0; step < steps; step++) {
        for (long i = 0; coupling->first && i < cells(&block); i++)
            field[i] = value(block.row_begin + i / coupling->columns, i % coupling->columns, step);
        double begin = MPI_Wtime();
        move(&forth);
        *seconds += MPI_Wtime() - begin;
        if (!coupling->first)
            add_neighbours(&block, &border, coupling, field, sums);
        move(&back);
        for (long i = 0; coupling->first && i < cells(&block); i++)
            wrong += sums[i] != neighbours(block.row_begin + i / coupling->columns,
                                           i % coupling->columns, step, coupling);
    }
    caucus_request_free(&forth);
    caucus_request_free(&back);
    free(field);
    free(sums);
    return wrong;
}

static long argument(int argc, char **argv, int i, long otherwise) {
    long given = i < argc ? atol(argv[i]) : 0;
    return given > 0 ? given : otherwise;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "coupled_field: two programs need at least two processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int firsts = (int)argument(argc, argv, 1, size / 2), steps;
    firsts = firsts < size ? firsts : size - 1;
    struct coupling coupling = {.first = rank < firsts,
                                .rows = argument(argc, argv, 2, 512),
                                .columns = argument(argc, argv, 3, 512)};
    steps = (int)argument(argc, argv, 4, 100);
    MPI_Comm own; /* two programs would find each other by MPI_Comm_connect, or be started as one */
    MPI_Comm_split(MPI_COMM_WORLD, coupling.first, rank, &own);
    MPI_Comm_rank(own, &coupling.rank);
    MPI_Comm_size(own, &coupling.ranks);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, coupling.first ? firsts : 0, 0, &coupling.inter);
    double seconds = 0, slowest;
    long wrong = couple(&coupling, steps, &seconds), all;
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld x %ld cells from %d ranks to %d and back, %d times: %.1f us a transfer, %ld "
               "values are wrong\n",
               coupling.rows, coupling.columns, firsts, size - firsts, steps, 1e6 * slowest / steps,
               all);
    MPI_Comm_free(&coupling.inter);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return all > 0;
}
