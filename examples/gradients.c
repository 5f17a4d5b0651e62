/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves -u'' = 1 on a line with ends at 0 by the method of conjugate gradients (Hestenes and
 * Stiefel, 1952). Each iteration needs two sums over all processes, eight bytes each: with few
 * unknowns to a process these sums are all that takes time. They are made by persistent reductions
 * of MPI 4, set up once. A plain MPI program that knows nothing of Caucus.
 *
 *   mpiexec -n 4 gradients [unknowns of a process]
 *
 * Prints the iterations, the largest error against the known solution, and the time. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 100000 };

struct line {
    int unknowns, rank, size;
    double *u, *residual, *direction, *applied; /* direction has a cell more on either side */
    double sums[2], parts[2];
    MPI_Request reductions[2], halo[4];
};

static double dot(struct line *line, int which, const double *a, const double *b) {
    line->parts[which] = 0;
    for (int i = 0; i < line->unknowns; i++)
        line->parts[which] += a[i] * b[i];
    MPI_Start(&line->reductions[which]);
    MPI_Wait(&line->reductions[which], MPI_STATUS_IGNORE);
    return line->sums[which];
}

static void set_up(struct line *line) {
    int n = line->unknowns, left = line->rank > 0 ? line->rank - 1 : MPI_PROC_NULL;
    int right = line->rank + 1 < line->size ? line->rank + 1 : MPI_PROC_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    double *p = line->direction;
    for (int which = 0; which < 2; which++)
        MPI_Allreduce_init(&line->parts[which], &line->sums[which], 1, MPI_DOUBLE, MPI_SUM, world,
                           MPI_INFO_NULL, &line->reductions[which]);
    MPI_Recv_init(&p[-1], 1, MPI_DOUBLE, left, 0, world, &line->halo[0]);
    MPI_Recv_init(&p[n], 1, MPI_DOUBLE, right, 1, world, &line->halo[1]);
    MPI_Send_init(&p[0], 1, MPI_DOUBLE, left, 1, world, &line->halo[2]);
    MPI_Send_init(&p[n - 1], 1, MPI_DOUBLE, right, 0, world, &line->halo[3]);
}

/* applied = the second difference of direction, with its sign turned. */
static void apply(struct line *line) {
    const double *p = line->direction;
    MPI_Startall(4, line->halo);
    MPI_Waitall(4, line->halo, MPI_STATUSES_IGNORE);
    for (int i = 0; i < line->unknowns; i++)
        line->applied[i] = 2 * p[i] - p[i - 1] - p[i + 1];
}

/* Returns the number of iterations. */
static int solve(struct line *line, double right_side) {
    for (int i = 0; i < line->unknowns; i++) {
        line->u[i] = 0;
        line->residual[i] = line->direction[i] = right_side;
    }
    double norm = dot(line, 0, line->residual, line->residual), goal = 1e-20 * norm;
    int iteration = 0;
    for (; iteration < MOST_ITERATIONS && norm > goal; iteration++) {
        apply(line);
        double step = norm / dot(line, 1, line->direction, line->applied);
        for (int i = 0; i < line->unknowns; i++) {
            line->u[i] += step * line->direction[i];
            line->residual[i] -= step * line->applied[i];
        }
        double before = norm;
        norm = dot(line, 0, line->residual, line->residual);
        for (int i = 0; i < line->unknowns; i++)
            line->direction[i] = line->residual[i] + norm / before * line->direction[i];
    }
    return iteration;
}

/* u(x) = x (1 - x) / 2, exactly, at the points of the line. */
static double largest_error(const struct line *line, double spacing) {
    double worst = 0, all;
    for (int i = 0; i < line->unknowns; i++) {
        double x = spacing * (double)((long)line->rank * line->unknowns + i + 1);
        worst = fmax(worst, fabs(line->u[i] - 0.5 * x * (1 - x)));
    }
    MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static void free_requests(struct line *line) {
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&line->reductions[i]);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&line->halo[i]);
}

int main(int argc, char **argv) {
    struct line line = {.unknowns = 200};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &line.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &line.size);
    if (argc > 1)
        line.unknowns = atoi(argv[1]);
    if (line.unknowns < 1 || line.unknowns > 10000000) {
        if (line.rank == 0)
            fprintf(stderr, "gradients: unknowns of a process: 1 to 10000000\n");
        MPI_Finalize();
        return EXIT_FAILURE;
    }
    size_t n = (size_t)line.unknowns;
    double *memory = calloc(4 * n + 2, sizeof *memory);
    if (memory == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    line.u = memory;
    line.residual = memory + n;
    line.applied = memory + 2 * n;
    line.direction = memory + 3 * n + 1;
    set_up(&line);
    double spacing = 1.0 / ((double)line.unknowns * line.size + 1);
    solve(&line, spacing * spacing); /* connections are made */
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    int iterations = solve(&line, spacing * spacing);
    double seconds = MPI_Wtime() - begin, error = largest_error(&line, spacing);
    if (line.rank == 0) {
        printf("iterations %d\nlargest_error %.3g\n", iterations, error);
        printf("microseconds_per_iteration %.4g\n", 1e6 * seconds / iterations);
    }
    free_requests(&line);
    free(memory);
    MPI_Finalize();
    return error < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
