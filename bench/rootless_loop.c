/* SPDX-License-Identifier: BSD-3-Clause */
/* The experiment of Li et al. ("Anycast: Rootless Broadcasting with MPI", ExaMPI 2018) with the
 * sizes really sent, and every message looked at. By turns in one run: channels, with casts that
 * may share messages and without, of plain and of total order; a loop of sends by the caster; a
 * coordinator that relays by MPI_Bcast; and MPI_Bcast where everybody knows who casts next.
 *
 *   fixed    rank 1 casts, one message after the other
 *   varied   ranks cast by turns, each when it has heard the cast before
 *   all      all ranks cast at once, one message after the other
 *   lone     one cast at a time, of varied ranks: until the last rank has heard it
 *
 * Casts in a second by the time of the slowest rank; lone: microseconds, by one clock, so that it
 * has a meaning on one machine (of any number of virtual nodes) alone.
 *
 *   mpiexec -n 4 build/mpich/bin/rootless_loop --sizes 10,1000 --patterns all,lone --json cells */
#include "common/rootless_cell.h"

#include <stdio.h>
#include <unistd.h>

enum { SIZES = 16, LONE_PAUSE = 300 /* microseconds */, LEAST_CASTS = 16 };

struct options {
    long size[SIZES];
    int sizes, repetitions;
    double seconds; /* of a sample */
    long casts;     /* at most, in a sample */
    long lone;
    bool pattern[PATTERNS], way[ROOTLESS_WAYS];
    const char *json;
    int yields;
};

static struct rootless all;

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (all.rank == 0)
        fprintf(stderr,
                "rootless_loop: %s %s is not understood.\n"
                "Options: --sizes 10,1000 (bytes, 10 to 1048576)  --patterns fixed,varied,all,lone "
                "(all of them)\n         --ways 0,1,... (all; see bench/common/rootless_ways.h)  "
                "--repetitions 3  --seconds 0.1\n         --casts 10000 (the most of a sample)  "
                "--lone 100  --yield 0 or 1  --credits 0 (of channels; 0: their default)  --json "
                "FILE\n",
                name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static double number(const char *name, const char *text, double least, double most) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || value < least || value > most)
        bad(name, text);
    return value;
}

/* Calls take for each word of a list. */
static void words(const char *name, const char *list,
                  void (*take)(struct options *, const char *, const char *),
                  struct options *options) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        take(options, name, word);
}

static void take_size(struct options *options, const char *name, const char *word) {
    if (options->sizes == SIZES)
        bad(name, word);
    options->size[options->sizes++] = (long)number(name, word, ROOTLESS_LEAST, ROOTLESS_MOST);
}

static void take_pattern(struct options *options, const char *name, const char *word) {
    int i = 0;
    while (i < PATTERNS && strcmp(rootless_patterns[i], word) != 0)
        i++;
    if (i == PATTERNS)
        bad(name, word);
    options->pattern[i] = true;
}

static void take_way(struct options *options, const char *name, const char *word) {
    options->way[(int)number(name, word, 0, ROOTLESS_WAYS - 1)] = true;
}

static int shares_processors(void) {
    MPI_Comm node;
    int ranks;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    return ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {.repetitions = 3, .seconds = 0.1, .casts = 10000, .lone = 100};
    const char *sizes = "10,100,1000,10000", *kinds = "fixed,varied,all,lone", *ways = NULL;
    options.yields = shares_processors();
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "--sizes") == 0)
            sizes = text;
        else if (strcmp(name, "--patterns") == 0)
            kinds = text;
        else if (strcmp(name, "--ways") == 0)
            ways = text;
        else if (strcmp(name, "--repetitions") == 0)
            options.repetitions = (int)number(name, text, 1, SAMPLE_MOST);
        else if (strcmp(name, "--seconds") == 0)
            options.seconds = number(name, text, 0, 1000);
        else if (strcmp(name, "--casts") == 0)
            options.casts = (long)number(name, text, LEAST_CASTS, 1e8);
        else if (strcmp(name, "--lone") == 0)
            options.lone = (long)number(name, text, 1, SAMPLE_MOST);
        else if (strcmp(name, "--yield") == 0)
            options.yields = (int)number(name, text, 0, 1);
        else if (strcmp(name, "--credits") == 0)
            all.credits = (int)number(name, text, 0, 1000);
        else if (strcmp(name, "--json") == 0)
            options.json = text;
        else
            bad(name, text);
    }
    words("--sizes", sizes, take_size, &options);
    words("--patterns", kinds, take_pattern, &options);
    words("--ways", ways ? ways : "0,1,2,3,4,5,6", take_way, &options);
    return options;
}

static double largest(double value) {
    double found;
    MPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return found;
}

/* A barrier in which ranks go on forwarding. */
static void meet(const struct rootless_way *way) {
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        if (way->poll)
            rootless_wait(&all, way);
        else if (all.yields)
            sched_yield();
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Simulated ranks may wait for messages in a storm; at other times more than messages ends a wait.
 */
static void patient(bool waits) {
    (void)waits;
#ifdef CAUCUS_PATIENT
    caucus_smpi_patient = waits;
#endif
}

/* Who casts the message with a number, where that is known in advance. */
static int origin_of(enum rootless_pattern pattern, long number) {
    if (pattern == FIXED)
        return all.size > 1;
    return (int)((pattern == LONE ? 7 * number + 1 : number) % all.size);
}

/* This rank's casts among the first so many messages. */
static long share(enum rootless_pattern pattern, long messages) {
    if (pattern == FIXED)
        return origin_of(FIXED, 0) == all.rank ? messages : 0;
    return messages / all.size + (all.rank < messages % all.size);
}

/* All messages by a way in which everybody takes part. */
static void run_collective(const struct rootless_way *way, enum rootless_pattern pattern,
                           long messages) {
    long mine = 0, due = share(pattern, messages);
    for (long i = 0; i < messages; i++) {
        int origin = origin_of(pattern, i);
        bool turn = origin == all.rank && mine < due;
        if (way->any_casts && all.rank > 0) {
            if (pattern == VARIED && turn)
                while (!way->cast(&all, mine))
                    ;
            mine += pattern == VARIED && turn;
            while (pattern != VARIED && mine < due && way->cast(&all, mine))
                mine++;
            turn = false;
        }
        way->next(&all, origin, turn, mine);
        mine += turn;
    }
}

static void run_free(const struct rootless_way *way, enum rootless_pattern pattern, long messages) {
    long mine = 0, due = share(pattern, messages);
    patient(true);
    while (mine < due || all.heard < messages) {
        bool may = mine < due && (pattern != VARIED || all.heard == all.rank + mine * all.size);
        if (may && way->cast(&all, mine))
            mine++;
        else
            rootless_wait(&all, way);
    }
    patient(false);
}

/* Everybody has heard all, in one order where that is promised. */
static void check(const struct rootless_way *way, enum rootless_pattern pattern, long messages) {
    uint64_t orders[2] = {all.order, ~all.order};
    for (int r = 0; r < all.size; r++) {
        long due = pattern == FIXED ? (r == origin_of(FIXED, 0) ? messages : 0)
                                    : messages / all.size + (r < messages % all.size);
        all.wrong += pattern != LONE && all.got[r] != due;
    }
    MPI_Allreduce(MPI_IN_PLACE, orders, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    all.wrong += way->total && orders[0] != ~orders[1];
}

/* Seconds of so many messages, at the slowest rank. */
static double run(const struct rootless_way *way, enum rootless_pattern pattern, long messages) {
    rootless_begin(&all);
    meet(way);
    double begin = rootless_now();
    (way->collective ? run_collective : run_free)(way, pattern, messages);
    double seconds = rootless_now() - begin;
    meet(way);
    check(way, pattern, messages);
    return largest(seconds);
}

/* The cast of an origin that is message number due, from 1; it may have come already. */
static void hear_one(const struct rootless_way *way, int origin, long mine, long due) {
    bool turn = origin == all.rank;
    if (way->collective) {
        bool hands_over = way->any_casts && all.rank > 0;
        while (turn && hands_over && !way->cast(&all, mine))
            ;
        way->next(&all, origin, turn && !hands_over, mine);
    } else {
        while (turn && !way->cast(&all, mine))
            rootless_wait(&all, way);
        while (all.heard < due)
            rootless_wait(&all, way);
    }
}

/* Microseconds of each cast, until the last rank has heard it. */
static void run_lone(const struct rootless_way *way, long casts, struct sample *found) {
    static double begin[SAMPLE_MOST], end[SAMPLE_MOST];
    long mine = 0;
    memset(begin, 0, sizeof begin);
    rootless_begin(&all);
    all.stamps = 1;
    for (long i = 0; i < casts; i++) {
        int origin = origin_of(LONE, i);
        meet(way);
        if (origin == all.rank) {
            usleep(LONE_PAUSE); /* the others wait by then */
            begin[i] = rootless_now();
        }
        hear_one(way, origin, mine, i + 1);
        end[i] = all.last;
        mine += origin == all.rank;
    }
    all.stamps = 0;
    meet(way);
    check(way, LONE, casts);
    MPI_Allreduce(MPI_IN_PLACE, begin, (int)casts, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, end, (int)casts, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    found->count = 0;
    for (long i = 0; i < casts; i++)
        sample_add(found, 1e6 * (end[i] - begin[i]));
}

/* How many messages take as long as a sample should, all that may be if that is 0. Warms up, too.
 */
static long calibrate(const struct rootless_way *way, enum rootless_pattern pattern,
                      const struct options *options) {
    if (options->seconds == 0)
        return options->casts;
    for (long messages = LEAST_CASTS;;) {
        double seconds = run(way, pattern, messages);
        double wanted = (double)messages * options->seconds / (seconds + 1e-9);
        if (seconds > options->seconds / 2 || messages == options->casts)
            return wanted<LEAST_CASTS ? LEAST_CASTS : wanted>(double) options->casts
                       ? options->casts
                       : (long)wanted;
        messages = wanted > 16.0 * (double)messages ? 16 * messages : (long)wanted + 1;
        messages = messages > options->casts ? options->casts : messages;
    }
}

static void measure_way(struct rootless_cell *cell, int i, bool first,
                        const struct options *options) {
    const struct rootless_way *way = &rootless_ways[i];
    static struct sample times;
    all.wrong = 0;
    if (way->begin)
        way->begin(&all, way);
    if (cell->pattern == LONE) {
        run_lone(way, options->lone, &times);
        cell->messages[i] = options->lone;
        qsort(times.value, (size_t)times.count, sizeof(double), sample_compare);
        sample_add(&cell->sample[i], sample_median(&times));
        sample_add(&cell->late[i], times.value[times.count * 99 / 100]);
    } else {
        if (first)
            cell->messages[i] = calibrate(way, cell->pattern, options);
        sample_add(&cell->sample[i],
                   (double)cell->messages[i] / run(way, cell->pattern, cell->messages[i]));
    }
    if (way->end)
        way->end();
    MPI_Allreduce(MPI_IN_PLACE, &all.wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    cell->wrong[i] += all.wrong;
}

/* Whether all was as it should be. */
static bool measure(enum rootless_pattern pattern, const struct options *options, FILE *file) {
    static struct rootless_cell cell;
    bool good = true;
    memset(&cell, 0, sizeof cell);
    cell.pattern = pattern;
    cell.bytes = all.bytes;
    cell.ranks = all.size;
    for (int repetition = 0; repetition < options->repetitions; repetition++)
        for (int turn = 0; turn < ROOTLESS_WAYS; turn++) {
            int i = (turn + repetition) % ROOTLESS_WAYS;
            if (options->way[i])
                measure_way(&cell, i, repetition == 0, options);
        }
    if (all.rank == 0)
        rootless_print(&cell);
    if (file)
        rootless_write(file, &cell);
    for (int i = 0; i < ROOTLESS_WAYS; i++)
        good = good && !cell.wrong[i];
    return good;
}

int main(int argc, char **argv) {
    bool good = true;
    FILE *file = NULL;
    MPI_Init(&argc, &argv);
    if (!rootless_init(&all))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    struct options options = read_options(argc, argv);
    all.yields = options.yields;
    if (all.rank == 0 && options.json && !(file = fopen(options.json, "w"))) {
        perror(options.json);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    for (int i = 0; i < options.sizes; i++)
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            all.bytes = options.size[i];
            if (options.pattern[pattern])
                good = measure((enum rootless_pattern)pattern, &options, file) && good;
        }
    if (file)
        fclose(file);
    rootless_free(&all);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
