/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives by several algorithms, by turns: milliseconds of each start, on the
 * slowest rank, all ranks starting together; and half of a round trip of an empty message.
 *
 *   mpiexec -n 4 build/mpich/bin/algorithm_loop 7 40 bcast:65536:chosen,binomial,MPI
 * scan:1024:chosen
 *
 * 7 turns, 40 ms of silence before each start (0: none). "chosen" is the algorithm that Caucus
 * takes, whose name is printed too, "MPI" the blocking call of MPI. An algorithm that cannot serve
 * is left out, with a line that says so. */
#include "common/sample.h"

#include "api/collective/request.h"
#include "plan/collective/algorithm.h"

#include <caucus/collective.h>
#include <time.h>

enum { WARM = 2, TRIPS = 20, WAYS_MOST = 24, NAME_MOST = 32 };

static int rank, size;
static double *in, *out;

static int start_bcast(int count, MPI_Info info, caucus_request *request) {
    if (!request)
        return MPI_Bcast(out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return caucus_bcast_init(out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD, info, request);
}

/* The others have the same list of arguments but for the last. */
#define CALL(lower, Upper, ...)                                                                    \
    static int start_##lower(int count, MPI_Info info, caucus_request *request) {                  \
        if (!request)                                                                              \
            return MPI_##Upper(__VA_ARGS__, MPI_COMM_WORLD);                                       \
        return caucus_##lower##_init(__VA_ARGS__, MPI_COMM_WORLD, info, request);                  \
    }
CALL(allgather, Allgather, in, count, MPI_DOUBLE, out, count, MPI_DOUBLE)
CALL(alltoall, Alltoall, in, count, MPI_DOUBLE, out, count, MPI_DOUBLE)
CALL(allreduce, Allreduce, in, out, count, MPI_DOUBLE, MPI_SUM)
CALL(reduce, Reduce, in, out, count, MPI_DOUBLE, MPI_SUM, 0)
CALL(scan, Scan, in, out, count, MPI_DOUBLE, MPI_SUM)
CALL(reduce_scatter_block, Reduce_scatter_block, in, out, count, MPI_DOUBLE, MPI_SUM)
CALL(gather, Gather, in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0)
CALL(scatter, Scatter, in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 0)

static const struct {
    const char *name;
    int (*start)(int count, MPI_Info info, caucus_request *request); /* request NULL: MPI's call */
} collectives[] = {
    {"bcast", start_bcast},       {"allgather", start_allgather},
    {"alltoall", start_alltoall}, {"allreduce", start_allreduce},
    {"reduce", start_reduce},     {"scan", start_scan},
    {"gather", start_gather},     {"reduce_scatter_block", start_reduce_scatter_block},
    {"scatter", start_scatter},
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

struct way {
    char name[NAME_MOST];
    caucus_request request; /* CAUCUS_REQUEST_NULL: MPI's own */
};

struct cell {
    int collective, count, ways;
    struct way way[WAYS_MOST];
};

__attribute__((noreturn)) static void bad(const char *what) {
    if (rank == 0)
        fprintf(stderr,
                "algorithm_loop: %s\nalgorithm_loop TURNS SILENCE_MS CELL [CELL ...], a cell "
                "is COLLECTIVE:BYTES:ALGORITHM,...\n",
                what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

static void read_cell(char *text, struct cell *cell, char **algorithms) {
    char *bytes = strchr(text, ':');
    *algorithms = bytes ? strchr(bytes + 1, ':') : NULL;
    if (!*algorithms)
        bad(text);
    *bytes++ = *(*algorithms)++ = '\0';
    *cell = (struct cell){.collective = -1, .count = atoi(bytes) / (int)sizeof(double)};
    for (int i = 0; i < COLLECTIVES; i++)
        if (strcmp(text, collectives[i].name) == 0)
            cell->collective = i;
    if (cell->collective < 0 || cell->count < 1)
        bad(text);
}

/* Whether an algorithm serves is the same on all ranks. */
static void add_way(struct cell *cell, const char *name) {
    struct way *way = &cell->way[cell->ways];
    MPI_Info info;
    MPI_Info_create(&info);
    *way = (struct way){.request = CAUCUS_REQUEST_NULL};
    snprintf(way->name, sizeof way->name, "%s", name);
    if (strcmp(name, "chosen") != 0)
        MPI_Info_set(info, "caucus_algorithm", name);
    int status = strcmp(name, "MPI") == 0
                     ? MPI_SUCCESS
                     : collectives[cell->collective].start(cell->count, info, &way->request);
    MPI_Info_free(&info);
    if (status == MPI_SUCCESS)
        cell->ways++;
    else if (rank == 0)
        printf("cannot %s\n", name);
    if (status == MPI_SUCCESS && strcmp(name, "chosen") == 0 && rank == 0)
        printf("chosen %s\n", way->request->prepared->algorithm->name);
}

static void be_silent(int milliseconds) {
    const struct timespec pause = {.tv_nsec = 1000000L * milliseconds};
    MPI_Barrier(MPI_COMM_WORLD);
    if (milliseconds == 0)
        return;
    nanosleep(&pause, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static double take(const struct cell *cell, struct way *way) {
    double begin = MPI_Wtime(), most;
    if (way->request == CAUCUS_REQUEST_NULL) {
        collectives[cell->collective].start(cell->count, MPI_INFO_NULL, NULL);
    } else {
        caucus_start(&way->request);
        caucus_wait(&way->request, MPI_STATUS_IGNORE);
    }
    double took = MPI_Wtime() - begin;
    MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void run(struct cell *cell, int turns, int silence) {
    for (int turn = -WARM; turn < turns; turn++)
        for (int i = 0; i < cell->ways; i++) {
            struct way *way = &cell->way[(i + turn + WARM) % cell->ways];
            be_silent(turn < 0 ? 0 : silence);
            double took = take(cell, way);
            if (rank == 0 && turn >= 0)
                printf("start %s %.5f\n", way->name, 1e3 * took);
        }
    fflush(stdout);
    for (int i = 0; i < cell->ways; i++)
        if (cell->way[i].request != CAUCUS_REQUEST_NULL)
            caucus_request_free(&cell->way[i].request);
}

static double half_trip(void) {
    struct sample sample = {0};
    for (int i = 0; i < TRIPS && size > 1; i++) {
        double begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(NULL, 0, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == size - 1) {
            MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
        sample_add(&sample, 0.5e6 * (MPI_Wtime() - begin));
    }
    return sample_median(&sample);
}

static void run_cell(char *text, int turns, int silence) {
    static struct cell cell;
    char *algorithms, *rest = NULL;
    if (rank == 0)
        printf("cell %s\n", text);
    read_cell(text, &cell, &algorithms);
    size_t room = (size_t)size * (size_t)cell.count;
    in = calloc(room, sizeof *in);
    out = calloc(room, sizeof *out);
    if (!in || !out)
        bad("out of memory");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (char *name = strtok_r(algorithms, ",", &rest); name && cell.ways < WAYS_MOST;
         name = strtok_r(NULL, ",", &rest))
        add_way(&cell, name);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    run(&cell, turns, silence);
    free(in);
    free(out);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4 || atoi(argv[1]) < 1 || atoi(argv[2]) < 0 || atoi(argv[2]) > 999)
        bad("what is to be run?");
    for (int i = 3; i < argc; i++)
        run_cell(argv[i], atoi(argv[1]), atoi(argv[2]));
    be_silent(1);
    double half = half_trip();
    if (rank == 0)
        printf("half %.2f\n", half);
    MPI_Finalize();
    return 0;
}
