/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of long data within a node, again and again: as Caucus chooses them, with messages of
 * one copy and without, by a forced algorithm of either kind, and MPI's own, by turns in one
 * program. Every variant's result is compared with what it should be. Times are those of the
 * slowest rank.
 *
 *   mpiexec -n 2 build/mpich/bin/one_copy_loop --json loop.json */
#include "../tests/mpi/forbidden.h"
#include "common/sample.h"

#include <caucus/caucus.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum operation { BCAST, ALLGATHER, ALLTOALL, ALLREDUCE, ONE_WAY, BOTH_WAYS, OPERATIONS };
static const char *const names[OPERATIONS] = {"bcast",
                                              "allgather",
                                              "alltoall",
                                              "allreduce",
                                              "redistribution, one way",
                                              "redistribution, both ways"};

enum variant {
    CHOSEN,
    CHOSEN_NEVER,
    ONE_COPY,
    NODE_MEMORY,
    MESSAGES,
    BLOCKING,
    PERSISTENT,
    VARIANTS
};
static const char *const variants[VARIANTS] = {"chosen",         "chosen, never",  "one copy",
                                               "node memory",    "MPI's messages", "MPI",
                                               "MPI, persistent"};
static const char *const by_messages[OPERATIONS] = {"binomial",          "ring", "pairwise",
                                                    "recursive_halving", NULL,   NULL};
static const char *const by_memory[OPERATIONS] = {"node_aware",  "node_aware", "node_aggregated",
                                                  "node_memory", NULL,         NULL};

enum { MOST_ITERATIONS = 20000 };
static int rank, size;
static MPI_Comm comms[2]; /* with one copy, and without */

struct options {
    int repetitions;
    double seconds;
    int64_t least, most;
    const char *json, *only;
    bool forbids;
};

struct cell {
    enum operation operation;
    int64_t bytes; /* of the vector, or of a block */
    int count;     /* doubles */
    double *in, *out;
    int64_t ins, outs; /* doubles there */
    caucus_request ours[BLOCKING];
    MPI_Request persistent;
};

static void make_one(struct cell *cell, MPI_Comm comm, const char *algorithm, bool memory,
                     caucus_request *request) {
    double *in = cell->in, *out = cell->out;
    int n = cell->count;
    MPI_Info info;
    MPI_Info_create(&info);
    if (algorithm)
        MPI_Info_set(info, "caucus_algorithm", algorithm);
    if (!memory)
        MPI_Info_set(info, "caucus_shared_memory", "0");
    caucus_index_range have = {(MPI_Count)rank * n, n},
                       want = {(MPI_Count)((rank + 1) % size) * n, n};
    bool has = cell->operation == BOTH_WAYS || rank == 1,
         wants = cell->operation == BOTH_WAYS || rank == 0;
    switch (cell->operation) {
    case BCAST:
        caucus_bcast_init(out, n, MPI_DOUBLE, 0, comm, info, request);
        break;
    case ALLGATHER:
        caucus_allgather_init(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm, info, request);
        break;
    case ALLTOALL:
        caucus_alltoall_init(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm, info, request);
        break;
    case ALLREDUCE:
        caucus_allreduce_init(in, out, n, MPI_DOUBLE, MPI_SUM, comm, info, request);
        break;
    default:
        caucus_redistribute_init(in, has, &have, MPI_DOUBLE, out, wants, &want, MPI_DOUBLE, comm,
                                 info, request);
    }
    MPI_Info_free(&info);
}

static void make_ours(struct cell *cell) {
    enum operation o = cell->operation;
    bool moves = o >= ONE_WAY;
    make_one(cell, comms[0], NULL, true, &cell->ours[CHOSEN]);
    make_one(cell, comms[1], NULL, true, &cell->ours[CHOSEN_NEVER]);
    make_one(cell, comms[0], by_messages[o], true, &cell->ours[ONE_COPY]);
    make_one(cell, comms[1], by_memory[o], true, &cell->ours[NODE_MEMORY]);
    make_one(cell, comms[1], by_messages[o], !moves, &cell->ours[MESSAGES]);
}

/* Elements of a redistribution's neighbours, for MPI's own call. */
static void alltoallw(const struct cell *cell) {
    int sent[64] = {0}, received[64] = {0}, zeros[64] = {0};
    MPI_Datatype types[64];
    bool both = cell->operation == BOTH_WAYS;
    for (int i = 0; i < size; i++)
        types[i] = MPI_DOUBLE;
    if (both || rank == 1)
        sent[(rank - 1 + size) % size] = cell->count;
    if (both || rank == 0)
        received[(rank + 1) % size] = cell->count;
    MPI_Alltoallw(cell->in, sent, zeros, types, cell->out, received, zeros, types, comms[0]);
}

static void mpis_own(const struct cell *cell) {
    double *in = cell->in, *out = cell->out;
    int n = cell->count;
    MPI_Comm comm = comms[0];
    switch (cell->operation) {
    case BCAST:
        MPI_Bcast(out, n, MPI_DOUBLE, 0, comm);
        break;
    case ALLGATHER:
        MPI_Allgather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm);
        break;
    case ALLTOALL:
        MPI_Alltoall(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm);
        break;
    case ALLREDUCE:
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
        break;
    default:
        alltoallw(cell);
    }
}

/* An MPI that says 3.1 may have them all the same. */
static bool find_init(const char *name, void *function) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* Redistributions have none, as they are no collective of MPI's. */
static void make_persistent(struct cell *cell) {
    double *in = cell->in, *out = cell->out;
    int n = cell->count;
    MPI_Comm comm = comms[0];
    MPI_Request *request = &cell->persistent;
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                     MPI_Request *);
    int (*all)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Info,
               MPI_Request *);
    cell->persistent = MPI_REQUEST_NULL;
    if (cell->operation == BCAST && find_init("MPI_Bcast_init", &bcast))
        bcast(out, n, MPI_DOUBLE, 0, comm, MPI_INFO_NULL, request);
    else if (cell->operation == ALLREDUCE && find_init("MPI_Allreduce_init", &allreduce))
        allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, request);
    else if ((cell->operation == ALLGATHER && find_init("MPI_Allgather_init", &all)) ||
             (cell->operation == ALLTOALL && find_init("MPI_Alltoall_init", &all)))
        all(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm, MPI_INFO_NULL, request);
}

static void run(struct cell *cell, enum variant variant) {
    if (variant < BLOCKING) {
        caucus_start(&cell->ours[variant]);
        caucus_wait(&cell->ours[variant], MPI_STATUS_IGNORE);
    } else if (variant == PERSISTENT && cell->persistent != MPI_REQUEST_NULL) {
        MPI_Start(&cell->persistent);
        MPI_Wait(&cell->persistent, MPI_STATUS_IGNORE);
    } else {
        mpis_own(cell);
    }
}

static double value_of(int from, int64_t at) {
    return from + 8.0 * (double)(at % 1000);
}

static double expected(const struct cell *cell, int64_t at) {
    int64_t n = cell->count, sum = (int64_t)size * (size - 1) / 2;
    switch (cell->operation) {
    case BCAST:
        return value_of(0, at);
    case ALLGATHER:
        return value_of((int)(at / n), at % n);
    case ALLTOALL:
        return value_of((int)(at / n), rank * n + at % n);
    case ALLREDUCE:
        return (double)sum + 8.0 * size * (double)(at % 1000);
    default:
        return value_of((rank + 1) % size, at);
    }
}

static void check(struct cell *cell, enum variant variant) {
    bool comes = cell->operation != ONE_WAY || rank == 0;
    for (int64_t i = 0; i < cell->outs; i++)
        cell->out[i] = cell->operation == BCAST && rank == 0 ? value_of(0, i) : -1;
    run(cell, variant);
    for (int64_t i = 0; i < cell->outs && comes; i++)
        if (cell->out[i] != expected(cell, i)) {
            fprintf(stderr, "rank %d: %s of %lld bytes, %s: element %lld is %g and not %g\n", rank,
                    names[cell->operation], (long long)cell->bytes, variants[variant], (long long)i,
                    cell->out[i], expected(cell, i));
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/* Seconds of a run. */
static double measure(struct cell *cell, enum variant variant, int iterations) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), slowest;
    for (int i = 0; i < iterations; i++)
        run(cell, variant);
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest / iterations;
}

static int iterations_of(struct cell *cell, enum variant variant, double wanted) {
    double seconds = 0;
    int iterations = 1;
    for (; iterations < MOST_ITERATIONS; iterations *= 4) {
        seconds = iterations * measure(cell, variant, iterations);
        if (seconds >= wanted / 4)
            break;
    }
    double many = seconds > 0 ? iterations * wanted / seconds : MOST_ITERATIONS;
    return many < 1 ? 1 : many > MOST_ITERATIONS ? MOST_ITERATIONS : (int)many;
}

static void sample_cell(struct cell *cell, const struct options *options, FILE *json) {
    static struct sample samples[VARIANTS];
    int iterations[VARIANTS];
    memset(samples, 0, sizeof samples);
    for (int v = 0; v < VARIANTS; v++)
        iterations[v] = iterations_of(cell, (enum variant)v, options->seconds);
    int repetitions = cell->bytes > 1 << 20 ? options->repetitions / 4 + 1 : options->repetitions;
    for (int repetition = 0; repetition < repetitions; repetition++)
        for (int v = 0; v < VARIANTS; v++)
            sample_add(&samples[v], 1e6 * measure(cell, (enum variant)v, iterations[v]));
    if (rank != 0)
        return;
    printf("%s, %lld B, lower decile:", names[cell->operation], (long long)cell->bytes);
    for (int v = 0; v < VARIANTS; v++)
        printf("  %s %.2f", variants[v], sample_quantile(&samples[v], 0.1));
    printf("\n");
    fflush(stdout);
    if (!json)
        return;
    fprintf(json, "{\"operation\": \"%s\", \"bytes\": %lld", names[cell->operation],
            (long long)cell->bytes);
    for (int v = 0; v < VARIANTS; v++) {
        fprintf(json, ", ");
        sample_json(json, variants[v], &samples[v]);
    }
    fprintf(json, "}\n");
}

static double *room(int64_t count) {
    double *buffer = malloc((size_t)count * sizeof *buffer);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return buffer;
}

static void one_cell(const struct options *options, enum operation operation, int64_t bytes,
                     FILE *json) {
    static struct cell cell;
    int64_t n = bytes / (int64_t)sizeof(double);
    cell = (struct cell){.operation = operation, .bytes = bytes, .count = (int)n};
    cell.ins = operation == ALLTOALL ? n * size : n;
    cell.outs = operation == ALLTOALL || operation == ALLGATHER ? n * size : n;
    cell.in = room(cell.ins);
    cell.out = room(cell.outs);
    for (int64_t i = 0; i < cell.ins; i++)
        cell.in[i] = value_of(rank, i);
    make_ours(&cell);
    make_persistent(&cell);
    for (int v = 0; v < VARIANTS; v++)
        check(&cell, (enum variant)v);
    sample_cell(&cell, options, json);
    for (int v = 0; v < BLOCKING; v++)
        caucus_request_free(&cell.ours[v]);
    if (cell.persistent != MPI_REQUEST_NULL)
        MPI_Request_free(&cell.persistent);
    free(cell.in);
    free(cell.out);
}

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (rank == 0)
        fprintf(stderr,
                "%s %s is not understood.\nOptions: --least 4096  --most 67108864  --only bcast\n"
                "         --repetitions 7  --seconds 0.02 (of each sample)  --forbid 0|1 (by a "
                "filter of system calls)\n         --json FILE\n",
                name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {60, 0.001, 4096, 64 << 20, NULL, "", false};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        double number = atof(text);
        if (strcmp(name, "--json") == 0)
            options.json = text;
        else if (strcmp(name, "--only") == 0)
            options.only = text;
        else if (strcmp(name, "--forbid") == 0 && (number == 0 || number == 1))
            options.forbids = number != 0;
        else if (strcmp(name, "--least") == 0 && number >= sizeof(double))
            options.least = (int64_t)number;
        else if (strcmp(name, "--most") == 0 && number > 0 && number <= 1 << 28)
            options.most = (int64_t)number;
        else if (strcmp(name, "--repetitions") == 0 && number > 0 && number <= SAMPLE_MOST)
            options.repetitions = (int)number;
        else if (strcmp(name, "--seconds") == 0 && number > 0)
            options.seconds = number;
        else
            bad(name, text);
    }
    if (size < 2 || size > 64)
        bad("the number of ranks", "(2 to 64 are needed)");
    return options;
}

/* The first collective on a communicator is when it is found out whether ranks may read each
 * other's memory. */
static void attach(void) {
    for (int never = 0; never < 2; never++) {
        setenv("CAUCUS_ONE_COPY", never ? "never" : "auto", 1);
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[never]);
        caucus_barrier(comms[never]);
    }
}

/* Before MPI is initialised, which tries itself what the kernel allows. */
static void forbid(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--forbid") == 0 && atoi(argv[i + 1]) && forbid_reading_of_others()) {
            perror("no filter of system calls");
            exit(EXIT_FAILURE);
        }
}

int main(int argc, char **argv) {
    forbid(argc, argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct options options = read_options(argc, argv);
    attach();
    FILE *json = options.json && rank == 0 ? fopen(options.json, "w") : NULL;
    for (int64_t bytes = options.least; bytes <= options.most; bytes *= 4)
        for (int operation = 0; operation < OPERATIONS; operation++)
            if (strstr(names[operation], options.only))
                one_cell(&options, (enum operation)operation, bytes, json);
    if (json)
        fclose(json);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
