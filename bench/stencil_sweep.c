/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of a 5-point stencil over an N x N mesh, on the communicator of MPI_Cart_create and on
 * that of caucus_cart_create side by side: GFLOP/s over N. Experiment of W. Gropp, Using Node
 * Information to Implement MPI Cartesian Topologies, EuroMPI 2018. Four operations for a point and
 * sweep; repetitions alternate between the two communicators. */
#include "common/grids.h"
#include "common/sample.h"

struct mesh {
    MPI_Comm comm;
    int rows, columns, width; /* of the block of this process; width with ghost cells */
    int neighbour[4];         /* above, below, left, right */
    MPI_Datatype column;
    double *now, *next;
};

static int part(long extent, int parts, int index) {
    return (int)(extent * (index + 1) / parts - extent * index / parts);
}

static struct mesh mesh_make(MPI_Comm comm, const int dims[2], long extent) {
    struct mesh mesh = {.comm = comm};
    int rank, coords[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, coords);
    mesh.rows = part(extent, dims[0], coords[0]);
    mesh.columns = part(extent, dims[1], coords[1]);
    mesh.width = mesh.columns + 2;
    MPI_Cart_shift(comm, 0, 1, &mesh.neighbour[0], &mesh.neighbour[1]);
    MPI_Cart_shift(comm, 1, 1, &mesh.neighbour[2], &mesh.neighbour[3]);
    MPI_Type_vector(mesh.rows, 1, mesh.width, MPI_DOUBLE, &mesh.column);
    MPI_Type_commit(&mesh.column);
    size_t cells = (size_t)(mesh.rows + 2) * (size_t)mesh.width;
    mesh.now = calloc(cells, sizeof(double));
    mesh.next = calloc(cells, sizeof(double));
    if (mesh.now == NULL || mesh.next == NULL) {
        fprintf(stderr, "There is no memory for a mesh of %ld x %ld.\n", extent, extent);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    for (size_t cell = 0; cell < cells; cell++)
        mesh.now[cell] = (double)(cell % 7);
    return mesh;
}

static void mesh_free(struct mesh *mesh) {
    MPI_Type_free(&mesh->column);
    free(mesh->now);
    free(mesh->next);
}

static void exchange(struct mesh *mesh) {
    int width = mesh->width, rows = mesh->rows, columns = mesh->columns;
    double *first = mesh->now + width + 1, *last_row = mesh->now + rows * width + 1;
    double *out[] = {first, last_row, first, first + columns - 1};
    double *in[] = {first - width, last_row + width, first - 1, first + columns};
    MPI_Request requests[8];
    for (int side = 0; side < 4; side++) {
        MPI_Datatype type = side < 2 ? MPI_DOUBLE : mesh->column;
        int count = side < 2 ? columns : 1;
        MPI_Irecv(in[side], count, type, mesh->neighbour[side], side, mesh->comm, &requests[side]);
        MPI_Isend(out[side], count, type, mesh->neighbour[side], side ^ 1, mesh->comm,
                  &requests[4 + side]);
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static void sweep(struct mesh *mesh) {
    exchange(mesh);
    int width = mesh->width;
    for (int row = 1; row <= mesh->rows; row++) {
        const double *at = mesh->now + row * width;
        double *to = mesh->next + row * width;
        for (int column = 1; column <= mesh->columns; column++)
            to[column] =
                0.25 * (at[column - width] + at[column + width] + at[column - 1] + at[column + 1]);
    }
    double *swap = mesh->now;
    mesh->now = mesh->next;
    mesh->next = swap;
}

/* Seconds for a sweep on the slowest process. */
static double timed(struct mesh *mesh, int iterations) {
    double mine, slowest;
    MPI_Barrier(mesh->comm);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        sweep(mesh);
    mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, mesh->comm);
    return slowest / iterations;
}

static int measure(const struct grids *grids, const struct arguments *arguments, long extent,
                   struct sample seconds[KINDS]) {
    struct mesh mesh[KINDS];
    double slower = 1e-9;
    for (int kind = 0; kind < KINDS; kind++) {
        mesh[kind] = mesh_make(grids->cart[kind], arguments->dims, extent);
        timed(&mesh[kind], 1);
        double one = timed(&mesh[kind], 2);
        slower = one > slower ? one : slower;
    }
    double fitting = arguments->seconds / slower;
    int iterations = fitting < 2.0 ? 2 : fitting > 10000.0 ? 10000 : (int)fitting;
    MPI_Bcast(&iterations, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int repetition = 0; repetition < arguments->repetitions; repetition++)
        for (int turn = 0; turn < KINDS; turn++) {
            int kind = (repetition + turn) % KINDS;
            sample_add(&seconds[kind], timed(&mesh[kind], iterations));
        }
    for (int kind = 0; kind < KINDS; kind++)
        mesh_free(&mesh[kind]);
    return iterations;
}

static void report(FILE *json, long extent, int iterations, const struct sample seconds[KINDS],
                   const char *separator) {
    double rate[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        rate[kind] = 4e-9 * (double)extent * (double)extent / sample_median(&seconds[kind]);
    printf("%10ld %10d %12.4f %12.4f %8.2f\n", extent, iterations, rate[0], rate[1],
           rate[1] / rate[0]);
    fflush(stdout);
    if (json == NULL)
        return;
    fprintf(json, "  {\"extent\": %ld, \"iterations\": %d", extent, iterations);
    for (int kind = 0; kind < KINDS; kind++) {
        fprintf(json, ", \"%s\": {\"gflops\": %.9g, ", KIND[kind], rate[kind]);
        sample_json(json, "seconds", &seconds[kind]);
        fprintf(json, "}");
    }
    fprintf(json, "}%s\n", separator);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct arguments arguments = arguments_read(argc, argv, "256,512,1024,2048,4096");
    struct grids grids = grids_make(&arguments);
    if (arguments.ndims != 2)
        arguments_bad("--dims", "(the mesh has two dimensions)");
    FILE *json = NULL;
    if (grids.rank == 0) {
        json = grids_json_open(&arguments, &grids, "stencil_sweep");
        grids_print(&arguments, &grids);
        printf("# GFLOP/s of all processes, medians of %d\n%10s %10s %12s %12s %8s\n",
               arguments.repetitions, "# mesh", "sweeps", "cart", "caucus", "ratio");
    }
    for (int i = 0; i < arguments.nsizes; i++) {
        struct sample seconds[KINDS] = {{0}};
        int iterations = measure(&grids, &arguments, arguments.sizes[i], seconds);
        if (grids.rank == 0)
            report(json, arguments.sizes[i], iterations, seconds,
                   i + 1 < arguments.nsizes ? "," : "");
    }
    grids_json_close(json);
    grids_free(&grids);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
