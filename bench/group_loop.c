/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to make a group of some of the ranks, and what its collectives cost then, beside
 * MPI's own communicators, by turns in one program. The members are every second rank, in an order
 * that is no range unless a range is asked for; the others wait, and only MPI_Comm_split and
 * MPI_Comm_create need them. Times are the slowest member's, in microseconds, of one creation and
 * the end of what was made.
 *
 *   mpiexec -n 8 build/mpich/bin/group_loop --members 4 --json groups.json */
#include "common/sample.h"

#include <caucus/caucus.h>

static int rank, size, members, list[4096];
static MPI_Group group_of_members;

static void native_group(int barrier) {
    MPI_Comm made;
    MPI_Comm_create_group(MPI_COMM_WORLD, group_of_members, 7, &made);
    if (barrier)
        MPI_Barrier(made);
    MPI_Comm_free(&made);
}

static void native_create(int barrier) {
    MPI_Comm made;
    MPI_Comm_create(MPI_COMM_WORLD, group_of_members, &made);
    if (made != MPI_COMM_NULL && barrier)
        MPI_Barrier(made);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

static void native_split(int barrier) {
    MPI_Comm made;
    int inside = rank % 2 == 0 && rank / 2 < members;
    MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, -rank, &made);
    if (made != MPI_COMM_NULL && barrier)
        MPI_Barrier(made);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

static void end(caucus_group group, int barrier) {
    if (barrier)
        caucus_group_barrier(group);
    caucus_group_free(&group);
}

static void checked(int barrier) {
    caucus_group group;
    caucus_group_create(MPI_COMM_WORLD, list, members, 7, &group);
    end(group, barrier);
}

static void unchecked(int barrier) {
    caucus_group group;
    caucus_group_create_unchecked(MPI_COMM_WORLD, list, members, 7, &group);
    end(group, barrier);
}

static void range(int barrier) {
    caucus_group group;
    caucus_group_create_range(MPI_COMM_WORLD, 0, 2 * members - 2, 2, &group);
    end(group, barrier);
}

static const struct way {
    const char *name;
    void (*make)(int barrier);
    int all; /* everybody takes part */
} ways[] = {
    {"MPI_Comm_create_group", native_group, 0},
    {"MPI_Comm_create", native_create, 1},
    {"MPI_Comm_split", native_split, 1},
    {"checked", checked, 0},
    {"unchecked", unchecked, 0},
    {"range", range, 0},
};

enum { WAYS = sizeof ways / sizeof *ways };

static double slowest(double own) {
    double most;
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Nobody else does anything meanwhile but wait in a barrier. */
static double time_way(const struct way *way, int iterations, int barrier) {
    int inside = rank % 2 == 0 && rank / 2 < members;
    double seconds = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (inside || way->all) {
        double begin = MPI_Wtime();
        for (int i = 0; i < iterations; i++)
            way->make(barrier);
        seconds = inside ? MPI_Wtime() - begin : 0;
    }
    return 1e6 * slowest(seconds) / iterations;
}

/* Collectives on what was made: Caucus's on the group, and MPI's and Caucus's on a communicator of
 * the same members. */
enum { ON_MPI, ON_COMM, ON_GROUP, PLACES };
static const char *const places[PLACES] = {"MPI", "Caucus, communicator", "Caucus, group"};
static const int lengths[] = {8, 1024, 65536, 1048576};

static void reduce_once(int place, MPI_Comm comm, caucus_group group, double *in, double *out,
                        int count) {
    if (place == ON_MPI)
        MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
    else if (place == ON_COMM)
        caucus_allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, comm);
    else
        caucus_group_allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, group);
}

static double time_reduce(int place, MPI_Comm comm, caucus_group group, int bytes, int iterations) {
    static double in[1048576 / sizeof(double)], out[1048576 / sizeof(double)];
    double seconds = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (comm != MPI_COMM_NULL) {
        int count = bytes / (int)sizeof(double);
        for (int i = 0; i < count; i++)
            in[i] = rank + i;
        reduce_once(place, comm, group, in, out, count);
        double begin = MPI_Wtime();
        for (int i = 0; i < iterations; i++)
            reduce_once(place, comm, group, in, out, count);
        seconds = MPI_Wtime() - begin;
        for (int i = 0; i < count; i++)
            if (out[i] != (double)members * (members - 1) + (double)members * i)
                MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return 1e6 * slowest(seconds) / iterations;
}

static int number(int argc, char **argv, const char *name, int otherwise) {
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return atoi(argv[i + 1]);
    return otherwise;
}

static void measure(FILE *file, int iterations, int repetitions) {
    static struct sample made[2][WAYS], reduced[PLACES];
    caucus_group group = CAUCUS_GROUP_NULL;
    MPI_Comm comm;
    for (int r = 0; r < repetitions; r++)
        for (int barrier = 0; barrier < 2; barrier++)
            for (int way = 0; way < WAYS; way++)
                sample_add(
                    &made[barrier][way],
                    time_way(&ways[way], barrier ? 1 + iterations / 10 : iterations, barrier));
    for (int barrier = 0; barrier < 2; barrier++) {
        fprintf(file, "\"%s\": {", barrier ? "made and used" : "made");
        for (int way = 0; way < WAYS; way++) {
            fprintf(file, "%s", way ? ", " : "");
            sample_json(file, ways[way].name, &made[barrier][way]);
        }
        fprintf(file, "}, ");
    }
    MPI_Comm_create(MPI_COMM_WORLD, group_of_members, &comm);
    if (comm != MPI_COMM_NULL)
        caucus_group_create(MPI_COMM_WORLD, list, members, 7, &group);
    fprintf(file, "\"allreduce\": [");
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        memset(reduced, 0, sizeof reduced);
        for (int r = 0; r < repetitions; r++)
            for (int place = 0; place < PLACES; place++)
                sample_add(&reduced[place], time_reduce(place, comm, group, lengths[l],
                                                        1 + iterations / (1 + lengths[l] / 4096)));
        fprintf(file, "%s{\"bytes\": %d", l ? ", " : "", lengths[l]);
        for (int place = 0; place < PLACES; place++) {
            fprintf(file, ", ");
            sample_json(file, places[place], &reduced[place]);
        }
        fprintf(file, "}");
    }
    fprintf(file, "]");
    if (comm != MPI_COMM_NULL) {
        caucus_group_free(&group);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv) {
    const char *json = NULL;
    MPI_Group world;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--json") == 0)
            json = argv[i + 1];
    members = number(argc, argv, "--members", (size + 1) / 2);
    if (members < 1 || 2 * members - 1 > size || members > 4096) {
        fprintf(stderr, "group_loop: --members must be from 1 to %d\n", (size + 1) / 2);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < members; i++) /* from both ends */
        list[i] = 2 * (i % 2 ? members - 1 - i / 2 : i / 2);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, members, list, &group_of_members);
    caucus_comm_attach(MPI_COMM_WORLD);
    FILE *file = rank == 0 && json ? fopen(json, "w")
                 : rank == 0       ? stdout
                                   : fopen("/dev/null", "w");
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(file, "{\"ranks\": %d, \"members\": %d, ", size, members);
    measure(file, number(argc, argv, "--iterations", 300), number(argc, argv, "--repetitions", 5));
    fprintf(file, "}\n");
    if (file != stdout)
        fclose(file);
    MPI_Group_free(&world);
    MPI_Group_free(&group_of_members);
    MPI_Finalize();
    return 0;
}
