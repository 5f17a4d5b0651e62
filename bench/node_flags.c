/* SPDX-License-Identifier: BSD-3-Clause */
/* What no collective through shared memory can do without: a line that a rank writes and others
 * wait for, written by hand, with nothing around it. All to all is a barrier; one to all and all to
 * one are a broadcast and a reduction, in which nobody waits for those behind him until they are
 * 16 runs behind: a rank has a line for each of these. The slowest rank's median of repetitions, in
 * microseconds for each run.
 *
 *   mpiexec -n 2 build/mpich/bin/node_flags [REPETITIONS [RUNS]] */
#include "common/sample.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum { LINE = 64, AHEAD = 16 };

/* What a rank writes: its run and value. */
struct line {
    _Alignas(LINE) _Atomic int64_t written;
    int64_t value;
};

/* All lines of a rank; read: the last run of others that it has seen. */
struct lines {
    struct line of_run[AHEAD];
    _Alignas(LINE) _Atomic int64_t read;
};

static struct lines *lines;
static int rank, size;
static bool yields;
static volatile int64_t seen;

static void await(const _Atomic int64_t *flag, int64_t run) {
    while (atomic_load_explicit(flag, memory_order_acquire) < run) {
        if (yields)
            sched_yield();
#if defined __x86_64__
        else
            __builtin_ia32_pause();
#endif
    }
}

static void write_line(int64_t run) {
    struct line *line = &lines[rank].of_run[run % AHEAD];
    line->value = run;
    atomic_store_explicit(&line->written, run, memory_order_release);
}

static void read_line(int of, int64_t run) {
    const struct line *line = &lines[of].of_run[run % AHEAD];
    await(&line->written, run);
    seen = line->value;
}

/* Now and then: all that the next half of the lines overwrites has been read. */
static void await_reader(int reader, int64_t run) {
    if (run % (AHEAD / 2) == 0)
        await(&lines[reader].read, run - AHEAD / 2);
}

static void tell_read(int64_t run) {
    atomic_store_explicit(&lines[rank].read, run, memory_order_release);
}

static void all_to_all(int64_t run) {
    write_line(run);
    for (int other = 0; other < size; other++)
        read_line(other, run);
}

static void one_to_all(int64_t run) {
    if (rank > 0) {
        read_line(0, run);
        tell_read(run);
        return;
    }
    for (int other = 1; other < size; other++)
        await_reader(other, run);
    write_line(run);
}

static void all_to_one(int64_t run) {
    if (rank > 0) {
        await_reader(0, run);
        write_line(run);
        return;
    }
    for (int other = 1; other < size; other++)
        read_line(other, run);
    tell_read(run);
}

static const struct {
    const char *name;
    void (*run)(int64_t run);
} ways[] = {{"all to all", all_to_all}, {"one to all", one_to_all}, {"all to one", all_to_one}};

enum { WAYS = sizeof ways / sizeof *ways };

static double measure(int way, int runs) {
    static int64_t run;
    double slowest;
    run += 2 * AHEAD; /* behind all that is waited for */
    tell_read(run);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < runs; i++)
        ways[way].run(++run);
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e6 * slowest / runs;
}

static void share_lines(MPI_Win *window) {
    MPI_Aint bytes;
    int unit;
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    bytes = rank == 0 ? (MPI_Aint)sizeof *lines * (size + 1) : 0;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node, &lines, window);
    MPI_Win_shared_query(*window, 0, &bytes, &unit, &lines);
    lines = (struct lines *)(((uintptr_t)lines + LINE - 1) / LINE * LINE);
    MPI_Comm_free(&node);
}

int main(int argc, char **argv) {
    static struct sample samples[WAYS];
    int repetitions = argc > 1 ? atoi(argv[1]) : 51, runs = argc > 2 ? atoi(argv[2]) : 500;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    yields = size > sysconf(_SC_NPROCESSORS_ONLN);
    share_lines(&window);
    for (int i = 0; i < repetitions; i++)
        for (int way = 0; way < WAYS; way++)
            sample_add(&samples[way], measure(way, runs));
    for (int way = 0; way < WAYS && rank == 0; way++)
        printf("%s: %.3f us\n", ways[way].name, sample_median(&samples[way]));
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
