/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to make a communicator or a light group of some of the ranks: by calls that all
 * ranks of the parent make, and by those that members make among themselves while the others sleep.
 * Groups are the first 2, 4, 8, ... ranks. A creation takes from when the last of those that call
 * has come to when the last one has it, by the clock that all processes of one machine share; all
 * are woken at one moment, and whoever is done sleeps. A sample is the median of some creations.
 * Where a first barrier is counted too, so is freeing.
 *
 *   mpiexec -n 16 build/mpich/bin/create_group_loop --json loop.json */
#include "common/sample.h"

#include <caucus/caucus.h>

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1, MOST_CREATIONS = 1000, MOST_RANKS = 4096 };
enum { LONG_NAP = 2000, NAP = 300, LONG = 20000, ENOUGH = 500000 }; /* microseconds */

static int rank, size;
static MPI_Comm parent; /* attached */

struct options {
    int least, most; /* of groups */
    int repetitions, creations;
    const char *json;
    int lead; /* microseconds of sleep before and after each creation; 0: a barrier alone */
};

struct group {
    int size;
    bool inside;
    MPI_Group group;
    int list[MOST_RANKS]; /* the same */
    MPI_Comm members;     /* made already, to come together on */
};

/* One of the two. */
struct made {
    MPI_Comm comm;
    caucus_group light;
};

static int by_create(const struct group *group, struct made *made) {
    return MPI_Comm_create(parent, group->group, &made->comm);
}

static int by_split(const struct group *group, struct made *made) {
    return MPI_Comm_split(parent, group->inside ? 0 : MPI_UNDEFINED, rank, &made->comm);
}

static int by_create_group(const struct group *group, struct made *made) {
    return MPI_Comm_create_group(parent, group->group, TAG, &made->comm);
}

static int by_caucus(const struct group *group, struct made *made) {
    return caucus_comm_create_group(parent, group->group, TAG, &made->comm);
}

static int by_checked(const struct group *group, struct made *made) {
    return caucus_group_create(parent, group->list, group->size, TAG, &made->light);
}

static int by_unchecked(const struct group *group, struct made *made) {
    return caucus_group_create_unchecked(parent, group->list, group->size, TAG, &made->light);
}

static int by_lazy(const struct group *group, struct made *made) {
    return caucus_group_create_lazy(parent, group->list, group->size, &made->light);
}

static int by_range(const struct group *group, struct made *made) {
    return caucus_group_create_range(parent, 0, group->size - 1, 1, &made->light);
}

static int use(const struct made *made) {
    return made->light ? caucus_group_barrier(made->light) : MPI_Barrier(made->comm);
}

static void release(struct made *made) {
    if (made->comm != MPI_COMM_NULL)
        MPI_Comm_free(&made->comm);
    if (made->light != CAUCUS_GROUP_NULL)
        caucus_group_free(&made->light);
}

/* Every way to get a group, in the order of the tables; figures.py tells what each one is. */
static const struct variant {
    const char *name;
    bool whole;            /* all ranks of the parent call */
    bool used;             /* with a first barrier and the end of it */
    const char *algorithm; /* of caucus_comm_create_group */
    int (*make)(const struct group *group, struct made *made);
} variants[] = {
    {"MPI_Comm_create", true, false, NULL, by_create},
    {"MPI_Comm_split", true, false, NULL, by_split},
    {"MPI_Comm_create_group", false, false, NULL, by_create_group},
    {"caucus native", false, false, "native", by_caucus},
    {"caucus recursive_merge", false, false, "recursive_merge", by_caucus},
    {"caucus parentless", false, false, "parentless", by_caucus},
    {"light checked", false, false, NULL, by_checked},
    {"light unchecked", false, false, NULL, by_unchecked},
    {"light lazy", false, false, NULL, by_lazy},
    {"light range", false, false, NULL, by_range},
    {"MPI_Comm_create_group used", false, true, NULL, by_create_group},
    {"light checked used", false, true, NULL, by_checked},
    {"light lazy used", false, true, NULL, by_lazy},
    {"light range used", false, true, NULL, by_range},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

__attribute__((noreturn)) static void fail(const char *what) {
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, caucus_error_text());
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(EXIT_FAILURE);
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Who waits sleeps, so that others have the processors. */
static void sleep_until(MPI_Request *request, int nap) {
    int complete = 0;
    for (MPI_Test(request, &complete, MPI_STATUS_IGNORE); !complete;
         MPI_Test(request, &complete, MPI_STATUS_IGNORE))
        usleep((useconds_t)nap);
}

/* All ranks of the parent come together. */
static void rest(void) {
    MPI_Request request;
    MPI_Ibarrier(parent, &request);
    sleep_until(&request, LONG_NAP);
}

/* Once all have done with what was before, they go on at one moment. */
static void start_together(MPI_Comm comm, int lead) {
    MPI_Request request;
    if (lead == 0) {
        MPI_Barrier(comm);
        return;
    }
    MPI_Ibarrier(comm, &request);
    sleep_until(&request, NAP);
    double when = microseconds() + lead;
    MPI_Ibcast(&when, 1, MPI_DOUBLE, 0, comm, &request);
    sleep_until(&request, NAP);
    int64_t nanoseconds = (int64_t)(when * 1e3);
    struct timespec moment = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
}

static void create_once(const struct variant *variant, const struct group *group, int lead,
                        double *start, double *end) {
    struct made made = {MPI_COMM_NULL, CAUCUS_GROUP_NULL};
    start_together(variant->whole ? parent : group->members, lead);
    *start = microseconds();
    if (variant->make(group, &made) != MPI_SUCCESS || (variant->used && use(&made) != MPI_SUCCESS))
        fail(variant->name);
    if (variant->used)
        release(&made);
    *end = microseconds();
    usleep((useconds_t)lead); /* while others finish */
    bool has_one = made.comm != MPI_COMM_NULL || made.light != CAUCUS_GROUP_NULL;
    if (!variant->used && has_one != group->inside)
        fail("a group for the wrong ranks");
    release(&made);
}

/* Microseconds for one creation. */
static double measure(const struct variant *variant, const struct group *group, int creations,
                      int lead) {
    static double start[MOST_CREATIONS], end[MOST_CREATIONS];
    struct sample taken = {0};
    if (variant->algorithm)
        setenv("CAUCUS_CREATE_GROUP", variant->algorithm, 1);
    memset(start, 0, sizeof start);
    memset(end, 0, sizeof end);
    rest();
    for (int i = 0; i < creations && (variant->whole || group->inside); i++)
        create_once(variant, group, lead, &start[i], &end[i]);
    rest();
    MPI_Allreduce(MPI_IN_PLACE, start, creations, MPI_DOUBLE, MPI_MAX, parent);
    MPI_Allreduce(MPI_IN_PLACE, end, creations, MPI_DOUBLE, MPI_MAX, parent);
    for (int i = 0; i < creations; i++)
        sample_add(&taken, end[i] - start[i]);
    return sample_median(&taken);
}

/* Tried on one process: where there is no such way here, that is an error. */
static bool is_there(const struct variant *variant) {
    MPI_Comm own, made = MPI_COMM_NULL;
    MPI_Group group;
    if (!variant->algorithm)
        return true;
    setenv("CAUCUS_CREATE_GROUP", variant->algorithm, 1);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    caucus_comm_attach(own);
    MPI_Comm_group(own, &group);
    bool there = caucus_comm_create_group(own, group, TAG, &made) == MPI_SUCCESS;
    if (there)
        MPI_Comm_free(&made);
    MPI_Group_free(&group);
    MPI_Comm_free(&own);
    return there;
}

static void make_group(struct group *group, int members) {
    MPI_Group all;
    group->size = members;
    group->inside = rank < members;
    MPI_Comm_group(parent, &all);
    for (int i = 0; i < members; i++)
        group->list[i] = i > 0 ? members - i : 0; /* no range */
    MPI_Group_incl(all, members, group->list, &group->group);
    MPI_Comm_create(parent, group->group, &group->members);
    MPI_Group_free(&all);
}

static void write_cell(FILE *file, const struct group *group, const struct sample *samples) {
    const char *separator = "";
    fprintf(file, "{\"members\": %d, \"ranks\": %d, \"samples\": {", group->size, size);
    for (int i = 0; i < VARIANTS; i++) {
        if (samples[i].count == 0)
            continue;
        fprintf(file, "%s", separator);
        sample_json(file, variants[i].name, &samples[i]);
        separator = ", ";
    }
    fprintf(file, "}}\n");
}

/* Where one takes long, fewer tell the same: Open MPI's MPI_Comm_create_from_group takes 0.3 s. */
static int how_many(int creations, double last) {
    int most = last > LONG ? (int)(ENOUGH / last) + 3 : creations;
    return most < creations ? most : creations;
}

static void one_size(int members, const bool *there, const struct options *options, FILE *json) {
    static struct sample samples[VARIANTS];
    struct group group;
    memset(samples, 0, sizeof samples);
    make_group(&group, members);
    double last[VARIANTS];
    for (int i = 0; i < VARIANTS; i++) /* once for nothing else */
        if (there[i])
            last[i] = measure(&variants[i], &group, 1, options->lead);
    for (int repetition = 0; repetition < options->repetitions; repetition++)
        for (int i = 0; i < VARIANTS; i++)
            if (there[i]) {
                int creations = how_many(options->creations, last[i]);
                last[i] = measure(&variants[i], &group, creations, options->lead);
                sample_add(&samples[i], last[i]);
            }
    if (rank == 0) {
        printf("%3d of %d:", members, size);
        for (int i = 0; i < VARIANTS; i++)
            if (samples[i].count > 0)
                printf("  %s %.1f", variants[i].name, sample_median(&samples[i]));
        printf("\n");
        fflush(stdout);
        if (json)
            write_cell(json, &group, samples);
    }
    if (group.members != MPI_COMM_NULL)
        MPI_Comm_free(&group.members);
    MPI_Group_free(&group.group);
}

__attribute__((noreturn)) static void bad(const char *name, const char *text) {
    if (rank == 0)
        fprintf(stderr,
                "%s %s is not understood.\nOptions: --least 2  --most RANKS (of groups)  "
                "--repetitions 7  --creations 10 (of each sample)  --lead 3000 (microseconds of "
                "sleep around each; 0: a barrier alone)  --json FILE\n",
                name, text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static struct options read_options(int argc, char **argv) {
    struct options options = {2, size < MOST_RANKS ? size : MOST_RANKS, 7, 10, NULL, 3000};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
        int number = atoi(text);
        if (strcmp(name, "--json") == 0)
            options.json = text;
        else if (strcmp(name, "--least") == 0 && number > 0 && number <= size)
            options.least = number;
        else if (strcmp(name, "--most") == 0 && number > 0 && number <= size &&
                 number <= MOST_RANKS)
            options.most = number;
        else if (strcmp(name, "--repetitions") == 0 && number > 0 && number <= SAMPLE_MOST)
            options.repetitions = number;
        else if (strcmp(name, "--creations") == 0 && number > 0 && number <= MOST_CREATIONS)
            options.creations = number;
        else if (strcmp(name, "--lead") == 0 && number >= 0)
            options.lead = number;
        else
            bad(name, text);
    }
    return options;
}

int main(int argc, char **argv) {
    bool there[VARIANTS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct options options = read_options(argc, argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    if (caucus_comm_attach(parent) != MPI_SUCCESS)
        fail("caucus_comm_attach");
    for (int i = 0; i < VARIANTS; i++)
        there[i] = is_there(&variants[i]);
    FILE *json = options.json && rank == 0 ? fopen(options.json, "w") : NULL;
    for (int members = options.least; members <= options.most; members *= 2)
        one_size(members, there, &options, json);
    if (json)
        fclose(json);
    MPI_Comm_free(&parent);
    MPI_Finalize();
    return 0;
}
