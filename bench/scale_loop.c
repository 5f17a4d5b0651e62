/* SPDX-License-Identifier: BSD-3-Clause */
/* What it takes of time, of each rank's heap, and of the memory that a node shares, to attach a
 * communicator and to make things on it: grids, persistent requests, light groups, channels. Each
 * on a communicator that has what it needs of the others already; the median of some, of the
 * slowest rank, and the bytes of the rank that has most. Under SMPI times are simulated.
 *
 *   mpiexec -n 8 build/mpich/bin/scale_loop [--repetitions 5] [--most STEP] [--json FILE] */
#include "api/collective/context.h"
#include "common/own_memory.h"
#include "common/sample.h"
#include "run/memory/node_memory.h"

#include <caucus/caucus.h>

enum { BYTES = 8, NEIGHBOR_BYTES = 1024, MOST_STEPS = 32, TAG = 1 };

#ifdef CAUCUS_SIMULATED
enum { HAS_TOPOLOGIES = 0 }; /* SMPI lacks MPI_Topo_test */
#else
enum { HAS_TOPOLOGIES = 1 };
#endif

static int rank, size;

/* What a step is given and what it makes; it is undone when it was measured. */
struct made {
    MPI_Comm comm; /* attached but for the first steps; of inits of neighbourhoods a grid */
    MPI_Comm other;
    caucus_request request;
    caucus_group group;
    caucus_channel channel;
};

static char *in, *out; /* of all ranks' blocks */
static int *list;      /* all ranks, and no range */

static int attach(struct made *made) {
    return caucus_comm_attach(made->comm);
}

static int make_grid(struct made *made) {
    int dims[2] = {0, 0}, periods[2] = {1, 1};
    MPI_Dims_create(size, 2, dims);
    return caucus_cart_create(made->comm, 2, dims, periods, 1, &made->other);
}

static int init_barrier(struct made *made) {
    return caucus_barrier_init(made->comm, MPI_INFO_NULL, &made->request);
}

static int init_bcast(struct made *made) {
    return caucus_bcast_init(in, BYTES, MPI_BYTE, 0, made->comm, MPI_INFO_NULL, &made->request);
}

static int init_allreduce(struct made *made) {
    return caucus_allreduce_init(in, out, 1, MPI_DOUBLE, MPI_SUM, made->comm, MPI_INFO_NULL,
                                 &made->request);
}

static int init_allgather(struct made *made) {
    return caucus_allgather_init(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, made->comm,
                                 MPI_INFO_NULL, &made->request);
}

static int init_alltoall(struct made *made) {
    return caucus_alltoall_init(in, BYTES, MPI_BYTE, out, BYTES, MPI_BYTE, made->comm,
                                MPI_INFO_NULL, &made->request);
}

static int init_neighbors(struct made *made) {
    return caucus_neighbor_alltoall_init(in, NEIGHBOR_BYTES, MPI_BYTE, out, NEIGHBOR_BYTES,
                                         MPI_BYTE, made->comm, MPI_INFO_NULL, &made->request);
}

static int make_range(struct made *made) {
    return caucus_group_create_range(made->comm, 0, size - 1, 1, &made->group);
}

static int make_group(struct made *made) {
    return caucus_group_create(made->comm, list, size, TAG, &made->group);
}

static int use_group(struct made *made) {
    int code = make_group(made);
    return code ? code : caucus_group_barrier(made->group);
}

static int open_channel(struct made *made) {
    const caucus_channel_options options = {0};
    return caucus_channel_open(made->comm, &options, &made->channel);
}

static const struct step {
    const char *name;
    bool is_first; /* on a communicator that is not attached */
    bool on_grid;
    int (*run)(struct made *made);
} steps[] = {
    {"attach", true, false, attach},
    {"grid", true, false, make_grid},
    {"init barrier", false, false, init_barrier},
    {"init bcast 8 B", false, false, init_bcast},
    {"init allreduce 8 B", false, false, init_allreduce},
    {"init allgather 8 B", false, false, init_allgather},
    {"init alltoall 8 B", false, false, init_alltoall},
    {"init neighbor_alltoall 4 x 1 KiB", false, true, init_neighbors},
    {"group, a range", false, false, make_range},
    {"group, a list", false, false, make_group},
    {"group, a list, and a barrier on it", false, false, use_group},
    {"channel", false, false, open_channel},
};
enum { STEPS = sizeof steps / sizeof *steps };

/* What was measured of a step, of the rank that had most. */
struct result {
    struct sample seconds;
    double own, peak, shared;
};

__attribute__((noreturn)) static void fail(const char *what) {
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, caucus_error_text());
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}

static double most(double value) {
    double all;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Of the node, as far as the communicator has any. */
static double shared_bytes(MPI_Comm comm) {
    const struct caucus_context *context = caucus_context_kept(comm);
    const struct caucus_engine *engine = context ? context->engine : NULL;
    return engine && engine->memory ? (double)caucus_node_memory_size(engine->memory) : 0;
}

static void prepare(const struct step *step, struct made *made) {
    *made = (struct made){.comm = MPI_COMM_NULL, .other = MPI_COMM_NULL};
    if (!step->on_grid)
        MPI_Comm_dup(MPI_COMM_WORLD, &made->comm);
    else {
        int dims[2] = {0, 0}, periods[2] = {1, 1};
        MPI_Dims_create(size, 2, dims);
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made->comm);
    }
    if (!step->is_first && caucus_comm_attach(made->comm))
        fail("caucus_comm_attach");
}

static void undo(struct made *made) {
    if (made->request)
        caucus_request_free(&made->request);
    if (made->group)
        caucus_group_free(&made->group);
    if (made->channel)
        caucus_channel_close(&made->channel);
    if (made->other != MPI_COMM_NULL)
        MPI_Comm_free(&made->other);
    MPI_Comm_free(&made->comm);
}

static void measure(const struct step *step, struct result *result, bool counts) {
    struct made made;
    prepare(step, &made);
    MPI_Barrier(MPI_COMM_WORLD);
    double before = shared_bytes(made.comm), begin = MPI_Wtime();
    size_t kept = own.most = own.now;
    if (step->run(&made))
        fail(step->name);
    double took = MPI_Wtime() - begin, more = (double)own.now - (double)kept;
    double peak = (double)(own.most - kept), shared = shared_bytes(made.comm) - before;
    took = most(took);
    if (counts) {
        sample_add(&result->seconds, took);
        result->own = most(more);
        result->peak = most(peak);
        result->shared = most(shared);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    undo(&made);
}

static void write_json(const char *path, const struct result *results, int count) {
    FILE *file = fopen(path, "w");
    if (!file)
        fail(path);
    fprintf(file, "{\"ranks\": %d, \"steps\": [", size);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s\n {\"what\": \"%s\", \"own\": %.0f, \"peak\": %.0f, \"shared\": %.0f, ",
                i ? "," : "", steps[i].name, results[i].own, results[i].peak, results[i].shared);
        sample_json(file, "seconds", &results[i].seconds);
        fprintf(file, "}");
    }
    fprintf(file, "\n]}\n");
    fclose(file);
}

static void report(const struct result *results, int count) {
    printf("%d ranks: microseconds, bytes of a rank's heap and at the peak, bytes of the node\n",
           size);
    for (int i = 0; i < count; i++)
        printf("%-36s %10.1f %12.0f %12.0f %12.0f\n", steps[i].name,
               1e6 * sample_median(&results[i].seconds), results[i].own, results[i].peak,
               results[i].shared);
    if (own.is_short)
        printf("bytes were not all counted\n");
}

int main(int argc, char **argv) {
    static struct result results[STEPS];
    int repetitions = 5, count = STEPS;
    const char *json = NULL;
    own_memory_begin();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--repetitions") == 0)
            repetitions = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--most") == 0 && atoi(argv[i + 1]) < STEPS)
            count = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--json") == 0)
            json = argv[i + 1];
    }
    in = calloc((size_t)size + 4, NEIGHBOR_BYTES);
    out = calloc((size_t)size + 4, NEIGHBOR_BYTES);
    list = calloc((size_t)size, sizeof *list);
    for (int i = 0; i < size; i++)
        list[i] = i == 1 && size > 3 ? 2 : i == 2 && size > 3 ? 1 : i;
    for (int i = 0; i < count; i++)
        for (int j = -1; j < repetitions && (HAS_TOPOLOGIES || !steps[i].on_grid); j++)
            measure(&steps[i], &results[i], j >= 0 || repetitions == 0); /* -1 warms up */
    if (rank == 0)
        report(results, count);
    if (rank == 0 && json)
        write_json(json, results, count);
    free(in);
    free(out);
    free(list);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
