/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop of Bouhrour and Jaeger (Implementation and performance evaluation of MPI persistent
 * collective in MPC, 2020): so many iterations of one collective, the time of the slowest rank,
 * init and free within it. In the same run, by turns: MPI's own three forms, Caucus's blocking and
 * nonblocking forms, and its persistent form with the schedule kept between starts,
 * the requests kept too, and with node
 * memory.
 *
 *   mpiexec -n 4 build/mpich/bin/persistent_loop --collective reduce --bytes 4 --json loop.json */
#include "common/loop_calls.h"
#include "common/sample.h"

#include <stdio.h>
#include <stdlib.h>

enum variant_kind {
    NATIVE_BLOCKING,
    NATIVE_NONBLOCKING,
    NATIVE_PERSISTENT,
    BLOCKING,
    NONBLOCKING,
    PERSISTENT
};

struct variant {
    const char *name;
    enum variant_kind kind;
    const char *requests; /* caucus_requests */
    const char *memory;   /* caucus_shared_memory */
};

static const struct variant variants[] = {
    {"native blocking", NATIVE_BLOCKING, NULL, NULL},
    {"native nonblocking", NATIVE_NONBLOCKING, NULL, NULL},
    {"native persistent", NATIVE_PERSISTENT, NULL, NULL},
    {"blocking", BLOCKING, NULL, NULL},
    {"nonblocking", NONBLOCKING, NULL, NULL},
    {"schedule kept", PERSISTENT, "immediate", "0"},
    {"requests kept, made at init", PERSISTENT, "kept", "0"},
    {"persistent", PERSISTENT, "immediate", "1"},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

struct options {
    const struct loop_calls *calls;
    long bytes;
    int iterations, repetitions;
    const char *json, *algorithm;
    int grows; /* by an integer with each repetition, so that nobody has seen the shape before */
};

static int rank, size;

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (rank == 0)
        fprintf(stderr,
                "%s %s is not understood.\n"
                "Options: --collective barrier|bcast|reduce|scatter|allreduce|alltoall  --bytes 4 "
                "(of a "
                "block)\n         --iterations 500  --repetitions 5  --algorithm NAME (where node "
                "memory is not used)  --json FILE\n"
                "         --shapes same|new (new: one integer more with each repetition, so that "
                "nothing is\n         known from the one before)\n",
                name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static long number(const char *name, const char *text, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most)
        bad(name, text);
    return value;
}

static const struct loop_calls *find_calls(const char *name, const char *text) {
    for (int i = 0; i < LOOP_COLLECTIVES; i++)
        if (strcmp(loop_table[i].name, text) == 0)
            return &loop_table[i];
    bad(name, text);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {.calls = loop_table, .bytes = 4, .iterations = 500, .repetitions = 5};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--collective") == 0)
            options.calls = find_calls(name, text);
        else if (strcmp(name, "--bytes") == 0)
            options.bytes = number(name, text, 4, 1L << 30);
        else if (strcmp(name, "--iterations") == 0)
            options.iterations = (int)number(name, text, 1, 1000000);
        else if (strcmp(name, "--repetitions") == 0)
            options.repetitions = (int)number(name, text, 1, SAMPLE_MOST);
        else if (strcmp(name, "--json") == 0)
            options.json = text;
        else if (strcmp(name, "--algorithm") == 0)
            options.algorithm = text;
        else if (strcmp(name, "--shapes") == 0 &&
                 (strcmp(text, "new") == 0 || strcmp(text, "same") == 0))
            options.grows = strcmp(text, "new") == 0;
        else
            bad(name, text);
    }
    return options;
}

static void iterate(const struct loop *loop, enum variant_kind kind, int iterations) {
    MPI_Request native;
    caucus_request request;
    if (kind == NATIVE_PERSISTENT)
        loop->calls->native_init(loop, &native);
    if (kind == PERSISTENT)
        loop->calls->init(loop, &request);
    for (int i = 0; i < iterations; i++)
        switch (kind) {
        case NATIVE_BLOCKING:
            loop->calls->native_blocking(loop);
            break;
        case NATIVE_NONBLOCKING:
            loop->calls->native_nonblocking(loop, &native);
            MPI_Wait(&native, MPI_STATUS_IGNORE);
            break;
        case NATIVE_PERSISTENT:
            MPI_Start(&native);
            MPI_Wait(&native, MPI_STATUS_IGNORE);
            break;
        case BLOCKING:
            loop->calls->blocking(loop);
            break;
        case NONBLOCKING:
            loop->calls->nonblocking(loop, &request);
            caucus_wait(&request, MPI_STATUS_IGNORE);
            break;
        case PERSISTENT:
            caucus_start(&request);
            caucus_wait(&request, MPI_STATUS_IGNORE);
            break;
        }
    if (kind == NATIVE_PERSISTENT)
        MPI_Request_free(&native);
    if (kind == PERSISTENT)
        caucus_request_free(&request);
}

static void fill(const struct loop *loop) {
    for (long i = 0; i < (long)size * loop->count; i++) {
        loop->in[i] = (int)(1000003L * rank + i);
        loop->out[i] = loop->calls->in_out && rank == loop->root ? (int)(7 * i + 1) : -1;
    }
}

/* The checksum of the result: the same for all variants, or one of them is wrong. */
static long long checksum(const struct loop *loop) {
    long long sum = 0, total;
    if (!loop->calls->only_root || rank == loop->root)
        for (long i = 0; i < (long)(loop->calls->blocks_out ? size : 1) * loop->count; i++)
            sum = sum * 31 % 1000000007LL + loop->out[i] + rank;
    MPI_Allreduce(&sum, &total, 1, MPI_LONG_LONG, MPI_SUM, loop->comm);
    return total;
}

static MPI_Info make_info(const struct options *options, const struct variant *variant) {
    MPI_Info info = MPI_INFO_NULL;
    if (variant->kind != PERSISTENT)
        return info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "caucus_requests", variant->requests);
    MPI_Info_set(info, "caucus_shared_memory", variant->memory);
    if (options->algorithm && variant->memory[0] == '0') {
        char text[128];
        snprintf(text, sizeof text, "%s:%s", options->calls->name, options->algorithm);
        MPI_Info_set(info, "caucus_algorithm", text);
    }
    return info;
}

/* Microseconds of an iteration at the slowest rank. */
static double measure(const struct loop *loop, enum variant_kind kind, int iterations) {
    double slowest;
    MPI_Barrier(loop->comm);
    double begin = MPI_Wtime();
    iterate(loop, kind, iterations);
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, loop->comm);
    return 1e6 * slowest / iterations;
}

static int is_there(const struct loop *loop, enum variant_kind kind) {
    return kind != NATIVE_PERSISTENT || loop_find(loop->calls->native_init_name) != NULL;
}

/* Whether all variants have given the same result. */
static int warm_up(struct loop *loop, MPI_Info *infos) {
    long long wanted = 0;
    for (int i = 0; i < VARIANTS; i++) {
        if (!is_there(loop, variants[i].kind))
            continue;
        loop->info = infos[i];
        fill(loop);
        iterate(loop, variants[i].kind, 3);
        long long got = checksum(loop);
        wanted = i == 0 ? got : wanted;
        if (got != wanted) {
            if (rank == 0)
                fprintf(stderr, "persistent_loop: %s, %s: the result differs from MPI's\n",
                        loop->calls->name, variants[i].name);
            return 0;
        }
    }
    return 1;
}

static void print(const struct options *options, const struct sample *samples) {
    double native = sample_median(&samples[NATIVE_NONBLOCKING]);
    printf("# %s of %ld bytes a block, %d ranks, %d iterations, medians of %d, slowest rank\n",
           options->calls->name, options->bytes, size, options->iterations, options->repetitions);
    printf("# %-30s %12s %24s\n", "", "µs each", "native nonblocking over it");
    for (int i = 0; i < VARIANTS; i++)
        if (samples[i].count > 0)
            printf("  %-30s %12.3f %24.2f\n", variants[i].name, sample_median(&samples[i]),
                   native / sample_median(&samples[i]));
}

static int write_json(const struct options *options, const struct sample *samples) {
    FILE *file = fopen(options->json, "w");
    if (!file) {
        perror(options->json);
        return EXIT_FAILURE;
    }
    fprintf(file, "{\"experiment\": \"persistent_loop\", \"collective\": \"%s\", \"bytes\": %ld, ",
            options->calls->name, options->bytes);
    fprintf(file, "\"ranks\": %d, \"iterations\": %d, \"shapes\": \"%s\", ", size,
            options->iterations, options->grows ? "new" : "same");
    fprintf(file, "\"microseconds\": {\n");
    const char *separator = "";
    for (int i = 0; i < VARIANTS; i++) {
        if (samples[i].count == 0)
            continue;
        fprintf(file, "%s ", separator);
        sample_json(file, variants[i].name, &samples[i]);
        separator = ",\n";
    }
    fprintf(file, "}}\n");
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    static struct sample samples[VARIANTS];
    MPI_Info infos[VARIANTS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct options options = read_options(argc, argv);
    size_t room = ((size_t)options.bytes + SAMPLE_MOST * sizeof(int)) * (size_t)size;
    struct loop loop = {.calls = options.calls,
                        .count = (int)(options.bytes / (long)sizeof(int)),
                        .in = malloc(room),
                        .out = malloc(room),
                        .comm = MPI_COMM_WORLD};
    if (!loop.in || !loop.out)
        bad("--bytes", "(no memory)");
    for (int i = 0; i < VARIANTS; i++)
        infos[i] = make_info(&options, &variants[i]);
    int exit_code = warm_up(&loop, infos) ? EXIT_SUCCESS : EXIT_FAILURE;
    for (int repetition = 0; !exit_code && repetition < options.repetitions; repetition++) {
        loop.count += options.grows;
        for (int turn = 0; turn < VARIANTS; turn++) {
            int i = (turn + repetition) % VARIANTS;
            loop.info = infos[i];
            if (is_there(&loop, variants[i].kind))
                sample_add(&samples[i], measure(&loop, variants[i].kind, options.iterations));
        }
    }
    if (rank == 0 && !exit_code) {
        print(&options, samples);
        exit_code = options.json ? write_json(&options, samples) : EXIT_SUCCESS;
    }
    for (int i = 0; i < VARIANTS; i++)
        if (infos[i] != MPI_INFO_NULL)
            MPI_Info_free(&infos[i]);
    free(loop.in);
    free(loop.out);
    MPI_Finalize();
    return exit_code;
}
