/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves a field of doubles between random decompositions on two groups of ranks, again and again:
 * by a redistribution, by MPI_Alltoallw on the intercommunicator, and by hand-written messages, all
 * with the same bytes between the same ranks, by turns in one program. Every variant's result is
 * compared with what it should be. Times are those of the slowest rank.
 *
 *   mpiexec -n 4 build/mpich/bin/redistribute_loop --first 2 --json loop.json */
#include "common/decomposition.h"
#include "common/sample.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdio.h>

enum variant { ALLTOALLW, TYPED, PACKED, OURS, OURS_MESSAGES, VARIANTS };
static const char *const names[VARIANTS] = {"alltoallw", "messages typed", "messages packed",
                                            "redistribute", "redistribute, messages only"};
enum { MOST_RANKS = 64, TAG = 1, ANY = -1, MOST_ITERATIONS = 20000 };

static int rank, size;

struct options {
    int first; /* ranks of the first group */
    int repetitions;
    double seconds; /* of each sample */
    int64_t least, most;
    int64_t length;       /* of ranges, 0: one for each pair; ANY */
    int least_both, both; /* 0 and 0: one way only; 1 and 1: both ways only */
    const char *json;
};

/* One direction: what this rank sends, or receives. */
struct side {
    double *buffer, *packed;
    int64_t elements, begin[MOST_RANKS + 1];
    MPI_Datatype type[MOST_RANKS]; /* of each remote rank */
};

struct cell {
    int64_t bytes,
        length; /* of a rank of the larger group; mean of a range, 0: one for each pair */
    int both;   /* directions at once */
    struct side in, out;
    MPI_Request requests[2][2 * MOST_RANKS];
    int count[2]; /* typed and packed */
    caucus_request ours[2];
    double start; /* seconds in caucus_start of the last run, and in posting by hand */
};

struct groups {
    MPI_Comm inter;
    int local, remote, remote_first; /* world ranks of the other group begin there */
};

static void fill_side(struct side *side, const struct decomposition *own,
                      const struct decomposition *other, const struct groups *groups,
                      int64_t indices) {
    side->elements = own->elements;
    side->buffer = decomposition_room(own->elements, sizeof *side->buffer);
    side->packed = decomposition_room(own->elements, sizeof *side->packed);
    for (int peer = 0; peer < groups->remote; peer++) {
        int64_t elements;
        side->type[peer] =
            decomposition_type(own, rank, other, groups->remote_first + peer, indices, &elements);
        side->begin[peer + 1] = side->begin[peer] + elements;
    }
}

static double value_of(int64_t index, int direction) {
    return (double)(3 * index + direction);
}

static void for_elements(const struct decomposition *own, struct side *side, int direction,
                         int *wrong) {
    int64_t at = 0;
    for (int64_t i = 0; i < own->ranges; i++)
        for (int64_t k = 0; k < own->range[i].count; k++, at++) {
            double value = value_of(own->range[i].first + k, direction);
            if (!wrong)
                side->buffer[at] = value;
            else
                *wrong += side->buffer[at] != value;
        }
}

static void make_messages(struct cell *cell, const struct groups *groups) {
    for (int packed = 0; packed < 2; packed++) {
        MPI_Request *request = cell->requests[packed];
        for (int receives = 1; receives >= 0; receives--) {
            struct side *side = receives ? &cell->out : &cell->in;
            for (int peer = 0; peer < groups->remote; peer++) {
                int count = (int)(side->begin[peer + 1] - side->begin[peer]);
                if (count == 0)
                    continue;
                void *at = packed ? (void *)(side->packed + side->begin[peer]) : side->buffer;
                MPI_Datatype type = packed ? MPI_DOUBLE : side->type[peer];
                if (receives)
                    MPI_Recv_init(at, packed ? count : 1, type, peer, TAG + packed, groups->inter,
                                  request++);
                else
                    MPI_Send_init(at, packed ? count : 1, type, peer, TAG + packed, groups->inter,
                                  request++);
            }
        }
        cell->count[packed] = (int)(request - cell->requests[packed]);
    }
}

/* lists[0]: what ranks have and want in the direction from the first group; lists[1]: back. */
static void make_ours(struct cell *cell, const struct groups *groups,
                      const struct decomposition *has, const struct decomposition *wants) {
    for (int messages = 0; messages < 2; messages++) {
        MPI_Info info;
        MPI_Info_create(&info);
        if (messages)
            MPI_Info_set(info, "caucus_shared_memory", "0");
        caucus_redistribute_init(cell->in.buffer, has->ranges, has->range, MPI_DOUBLE,
                                 cell->out.buffer, wants->ranges, wants->range, MPI_DOUBLE,
                                 groups->inter, info, &cell->ours[messages]);
        MPI_Info_free(&info);
    }
}

static void alltoallw(const struct cell *cell, const struct groups *groups) {
    int sent[MOST_RANKS], received[MOST_RANKS], zeros[MOST_RANKS] = {0};
    MPI_Datatype in[MOST_RANKS], out[MOST_RANKS];
    for (int peer = 0; peer < groups->remote; peer++) {
        sent[peer] = cell->in.type[peer] != MPI_DATATYPE_NULL;
        received[peer] = cell->out.type[peer] != MPI_DATATYPE_NULL;
        in[peer] = sent[peer] ? cell->in.type[peer] : MPI_DOUBLE;
        out[peer] = received[peer] ? cell->out.type[peer] : MPI_DOUBLE;
    }
    MPI_Alltoallw(cell->in.buffer, sent, zeros, in, cell->out.buffer, received, zeros, out,
                  groups->inter);
}

static void run(struct cell *cell, const struct groups *groups, enum variant variant) {
    double begin = MPI_Wtime();
    int packed = variant == PACKED;
    switch (variant) {
    case ALLTOALLW:
        alltoallw(cell, groups);
        break;
    case TYPED:
    case PACKED:
        MPI_Startall(cell->count[packed], cell->requests[packed]);
        cell->start += MPI_Wtime() - begin;
        MPI_Waitall(cell->count[packed], cell->requests[packed], MPI_STATUSES_IGNORE);
        break;
    default:
        caucus_start(&cell->ours[variant == OURS_MESSAGES]);
        cell->start += MPI_Wtime() - begin;
        caucus_wait(&cell->ours[variant == OURS_MESSAGES], MPI_STATUS_IGNORE);
    }
}

static double slowest(double seconds) {
    double all;
    MPI_Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* Seconds of a run; *start of its start. */
static double measure(struct cell *cell, const struct groups *groups, enum variant variant,
                      int iterations, double *start) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    cell->start = 0;
    for (int i = 0; i < iterations; i++)
        run(cell, groups, variant);
    double seconds = MPI_Wtime() - begin;
    *start = slowest(cell->start) / iterations;
    return slowest(seconds) / iterations;
}

static void check_result(struct cell *cell, const struct groups *groups,
                         const struct decomposition *wants, int direction, enum variant variant) {
    int wrong = 0;
    if (variant == PACKED) /* moves as many bytes, but places none */
        return;
    for (int64_t i = 0; i < cell->out.elements; i++)
        cell->out.buffer[i] = -1;
    run(cell, groups, variant);
    for_elements(wants, &cell->out, direction, &wrong);
    if (wrong) {
        fprintf(stderr, "rank %d: %d elements are wrong after %s\n", rank, wrong, names[variant]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* How many runs a sample takes: ranks leave the barrier before it at different times, which must
 * not weigh more with the faster variants. */
static int iterations_of(struct cell *cell, const struct groups *groups,
                         const struct options *options, enum variant variant) {
    double start, seconds = 0;
    int iterations = 2;
    for (; iterations < MOST_ITERATIONS; iterations *= 4) {
        seconds = iterations * measure(cell, groups, variant, iterations, &start);
        if (seconds >= options->seconds / 4)
            break;
    }
    double wanted = seconds > 0 ? iterations * options->seconds / seconds : MOST_ITERATIONS;
    return wanted < 2 ? 2 : wanted > MOST_ITERATIONS ? MOST_ITERATIONS : (int)wanted;
}

static void sample_cell(struct cell *cell, const struct groups *groups,
                        const struct options *options, FILE *json) {
    static struct sample samples[VARIANTS], starts[VARIANTS];
    memset(samples, 0, sizeof samples);
    memset(starts, 0, sizeof starts);
    double start;
    int iterations[VARIANTS];
    for (int variant = 0; variant < VARIANTS; variant++)
        iterations[variant] = iterations_of(cell, groups, options, (enum variant)variant);
    for (int repetition = 0; repetition < options->repetitions; repetition++)
        for (int variant = 0; variant < VARIANTS; variant++) {
            double seconds =
                measure(cell, groups, (enum variant)variant, iterations[variant], &start);
            sample_add(&samples[variant], 1e6 * seconds);
            sample_add(&starts[variant], 1e6 * start);
        }
    if (rank != 0)
        return;
    printf("%8lld B, ranges of %4lld, %s:", (long long)cell->bytes, (long long)cell->length,
           cell->both ? "both ways" : "one way  ");
    for (int variant = 0; variant < VARIANTS; variant++)
        printf("  %s %.2f", names[variant], sample_median(&samples[variant]));
    printf("\n");
    fflush(stdout);
    if (!json)
        return;
    fprintf(json, "{\"bytes\": %lld, \"length\": %lld, \"both\": %d", (long long)cell->bytes,
            (long long)cell->length, cell->both);
    for (int variant = 0; variant < VARIANTS; variant++) {
        char name[64];
        fprintf(json, ", ");
        sample_json(json, names[variant], &samples[variant]);
        fprintf(json, ", ");
        snprintf(name, sizeof name, "start of %s", names[variant]);
        sample_json(json, name, &starts[variant]);
    }
    fprintf(json, "}\n");
}

static void free_cell(struct cell *cell, const struct groups *groups) {
    struct side *sides[] = {&cell->in, &cell->out};
    for (int i = 0; i < 2; i++) {
        free(sides[i]->buffer);
        free(sides[i]->packed);
        for (int peer = 0; peer < groups->remote; peer++)
            if (sides[i]->type[peer] != MPI_DATATYPE_NULL)
                MPI_Type_free(&sides[i]->type[peer]);
        for (int k = 0; k < cell->count[i]; k++)
            MPI_Request_free(&cell->requests[i][k]);
        caucus_request_free(&cell->ours[i]);
    }
}

static void one_cell(const struct groups *groups, const struct options *options, int64_t bytes,
                     int64_t length, int both, FILE *json) {
    static struct cell cell;
    int first = options->first, second = size - first, mine = rank >= first;
    int64_t indices = bytes / (int64_t)sizeof(double) * (first > second ? first : second);
    uint64_t state = 88172645463325252u;
    struct decomposition parts[2][2]; /* [direction][has, wants] */
    memset(&cell, 0, sizeof cell);
    cell.bytes = bytes;
    cell.length = length;
    cell.both = both;
    for (int back = 0; back < 2; back++) {
        int64_t moved = back && !both ? 0 : indices;
        parts[back][0] = decomposition_make(&state, moved, length, back ? first : 0,
                                            back ? second : first, rank);
        parts[back][1] = decomposition_make(&state, moved, length, back ? 0 : first,
                                            back ? first : second, rank);
    }
    const struct decomposition *has = &parts[mine][0], *wants = &parts[!mine][1];
    fill_side(&cell.in, has, &parts[mine][1], groups, mine && !both ? 0 : indices);
    fill_side(&cell.out, wants, &parts[!mine][0], groups, !mine && !both ? 0 : indices);
    for_elements(has, &cell.in, mine, NULL);
    make_messages(&cell, groups);
    make_ours(&cell, groups, has, wants);
    for (int variant = 0; variant < VARIANTS; variant++)
        check_result(&cell, groups, wants, !mine, (enum variant)variant);
    sample_cell(&cell, groups, options, json);
    free_cell(&cell, groups);
    for (int i = 0; i < 4; i++)
        decomposition_free(&parts[i / 2][i % 2]);
}

static void cells_of(const struct groups *groups, const struct options *options, int64_t bytes,
                     FILE *json) {
    static const int64_t usual[] = {0, 1, 16, 256};
    bool all = options->length == ANY;
    for (size_t i = 0; i < (all ? sizeof usual / sizeof *usual : 1); i++)
        for (int both = options->least_both; both <= options->both; both++)
            one_cell(groups, options, bytes, all ? usual[i] : options->length, both, json);
}

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (rank == 0)
        fprintf(
            stderr,
            "%s %s is not understood.\nOptions: --first RANKS (of the first group)  --least "
            "1024  --most 4194304\n         --length ELEMENTS (of ranges; 0: one for each pair; "
            "else all)  --both 0|1 (else both)\n         --repetitions 5  --seconds 0.02 (of "
            "each sample)  --json FILE\n",
            name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {size / 2, 5, 0.02, 1024, 4194304, ANY, 0, 1, NULL};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        double number = atof(text);
        if (strcmp(name, "--json") == 0)
            options.json = text;
        else if (strcmp(name, "--first") == 0 && number > 0 && number < size)
            options.first = (int)number;
        else if (strcmp(name, "--least") == 0 && number >= sizeof(double))
            options.least = (int64_t)number;
        else if (strcmp(name, "--most") == 0 && number > 0 && number <= 1 << 28)
            options.most = (int64_t)number;
        else if (strcmp(name, "--length") == 0 && number >= 0 && *text)
            options.length = (int64_t)number;
        else if (strcmp(name, "--both") == 0 && (number == 0 || number == 1) && *text)
            options.least_both = options.both = (int)number;
        else if (strcmp(name, "--repetitions") == 0 && number > 0 && number <= SAMPLE_MOST)
            options.repetitions = (int)number;
        else if (strcmp(name, "--seconds") == 0 && number > 0)
            options.seconds = number;
        else
            bad(name, text);
    }
    if (size < 2 || size > MOST_RANKS)
        bad("the number of ranks", "(2 to 64 are needed)");
    return options;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct options options = read_options(argc, argv);
    int second = rank >= options.first;
    struct groups groups = {.remote_first = second ? 0 : options.first};
    MPI_Comm own;
    MPI_Comm_split(MPI_COMM_WORLD, second, rank, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, groups.remote_first, TAG, &groups.inter);
    MPI_Comm_size(groups.inter, &groups.local);
    MPI_Comm_remote_size(groups.inter, &groups.remote);
    FILE *json = options.json && rank == 0 ? fopen(options.json, "w") : NULL;
    for (int64_t bytes = options.least; bytes <= options.most; bytes *= 16)
        cells_of(&groups, &options, bytes, json);
    if (json)
        fclose(json);
    MPI_Comm_free(&own);
    MPI_Comm_free(&groups.inter);
    MPI_Finalize();
    return 0;
}
