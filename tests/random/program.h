/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that goes through random scripts, action by action. Arguments:
 *
 *   --seed S --programs N   scripts S to S + N - 1 (0, 20), each of
 *   --actions A             so many actions (60), and those that free what is left
 *   --only LIST             kinds of actions, with commas (kinds.h), and no others
 *   --without LIST          all but these
 *   --skip LIST             leaves actions out, and those that need what they make: 3,10-15
 *   --matched               from anybody is only received what was probed: between nodes MPICH
 *                           5.0.2 never completes a receive that is posted after its message came
 *   --single                requests are completed one at a time, for MPICH's own persistent
 *                           collectives: its MPI_Testall fails for them
 *   --kept                  no communicator is freed that a request is of, and none that is active:
 *                           Open MPI 5.0.11's own collectives crash after that
 *                           and its nonblocking ones exchange the blocks of a short periodic axis,
 *                           so that these are alike
 *   --print                 the script in words
 *   --loud                  each rank says what it does
 *   --limit T               a script that takes more than T seconds ends: each rank says where it
 * is
 */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include <sched.h>
#include <signal.h>

#include "run.h"

static struct {
    uint64_t seed;
    int from, programs, actions, limit;
    int weight[KINDS];
    bool print, skipped[ACTIONS];
} asked;

/* What only programs of this kind do. */
static void run_more(const struct action *a, const struct thing *on) {
    switch (a->kind) {
#ifdef TEST_MPI
    case PAIR:
        run_pair(a, on, my.action);
        break;
#else
    case GROUP_CREATE:
        run_group(a, on);
        break;
    case GROUP_MERGE:
        run_group_merge(a, on);
        break;
    case GROUP_SPLIT:
        run_group_split(a, on);
        break;
    case GROUP_GROW:
        run_group_grow(a, on);
        break;
    case GROUP_COMM:
        run_group_comm(a, on);
        break;
    case GROUP_FREE:
        complete_all_on(a->on);
        MUST(caucus_group_free(&my.thing[a->on].group));
        break;
    case CHANNEL_OPEN:
        run_open(a, on);
        break;
    case STORM:
        run_storm(a, on->storm);
        break;
    case QUIET:
        run_quiet(a, on->storm);
        break;
    case CHANNEL_CLOSE:
        run_close(a, on->storm);
        break;
#endif
    default:
        wrong(my.action, "nobody knows how to do this");
    }
}

static void run_action(const struct action *a) {
    const struct thing *on = a->on >= 0 ? &my.thing[a->on] : NULL;
    switch (a->kind) {
    case COLLECTIVE:
    case COLLECTIVE_NONBLOCKING:
    case COLLECTIVE_NATIVE:
        run_collective(a);
        break;
    case INIT:
        run_init(a);
        break;
    case START:
        run_start(a);
        break;
    case FREE_REQUEST:
        run_free_request(a);
        break;
    case MESSAGES:
    case WILDCARDS:
        run_messages(a, on, my.action, a->kind == WILDCARDS);
        break;
    case RING:
        run_ring(a, on, my.action);
        break;
    case WRONG:
        run_wrong(a, on);
        break;
    case DUP:
        run_dup(a, on);
        break;
    case IDUP:
        run_idup(a, on);
        break;
    case SPLIT:
        run_split(a, on);
        break;
    case CREATE_GROUP:
        run_create_group(a, on);
        break;
    case INTERCOMM:
        run_intercomm(a, on);
        break;
    case MERGE:
        run_merge(a, on);
        break;
    case CART:
        run_grid(a, on);
        break;
    case DIST_GRAPH:
        run_graph(a, on);
        break;
    case FREE:
        run_free(a);
        break;
    default:
        run_more(a, on);
    }
}

/* What is used must have been made. */
static void make_sure(int object) {
    if (object >= 0 && my.thing[object].maker)
        complete_task(my.thing[object].maker);
}

static bool has_single_side(const struct object *o) {
    return o->what == COMMUNICATOR && (o->count == 1 || o->first == 1 || o->count - o->first == 1);
}

/* No communicator of a single rank, or one between it and others, is made while a duplicate is
 * pending: MPICH 5.0.2 may never return (tests/faults/single_beside_idup.c). */
static void make_way(const struct action *a) {
    const struct script *s = &my.script;
    for (int i = 0; i < a->made_count; i++)
        if (has_single_side(&s->object[a->made[i]]))
            for (int k = 0; k < s->objects; k++)
                if (s->object[k].what == COMMUNICATOR)
                    make_sure(k);
}

static void run_script(void) {
    struct script *s = &my.script;
    my.own = mixed_with(s->seed, (uint64_t)my.rank + 1000);
    memset(my.thing, 0, sizeof my.thing);
    my.thing[0].comm = MPI_COMM_WORLD;
    my.action = 0;
    learn(&my.thing[0], &s->object[0]);
    for (my.action = 0; my.action < s->actions; my.action++) {
        const struct action *a = &s->action[my.action];
        bool mine = takes_part(s, a, my.rank);
        for (int i = 0; i < a->list; i++)
            mine = mine || has_member(&s->object[a->listed[i]], my.rank);
        if (a->skipped || !mine)
            continue;
        tell("before", my.action);
        do_something_else();
        tell("in", my.action);
        if (a->on >= 0 && has_member(&s->object[a->on], my.rank))
            make_sure(a->on);
        if (a->with >= 0 && has_member(&s->object[a->with], my.rank))
            make_sure(a->with);
        make_way(a);
        run_action(a);
    }
    tell("after", my.action);
    my.action = s->actions - 1;
    complete_all_on(-1);
}

/* Which action does not end; written by a handler, so that a rank that is stuck within MPI tells it
 * too. A second one ends the program. */
static void tell_late(int signal_number) {
    static int times;
    (void)signal_number;
    if (write(STDERR_FILENO, my.doing, strlen(my.doing)) < 0 || times++ > 0)
        _exit(14);
    if (getenv("CAUCUS_SIGNAL"))
        raise(SIGUSR2); /* then the library says what it waits for */
    alarm(3);
}

static void print_script(const struct script *s) {
    printf("program %llu of %d ranks\n", (unsigned long long)s->seed, s->ranks);
    for (int i = 0; i < s->actions; i++)
        if (!s->action[i].skipped)
            printf("%4d %s\n", i, words_of(&s->action[i]));
}

static bool usable(int kind) {
#ifdef TEST_MPI
    return kinds[kind].where != LIBRARY_ONLY && (HAS_PERSISTENT || kind != INIT);
#else
    return kinds[kind].where != MPI_ONLY;
#endif
}

/* Lists of kinds, with commas. `only` keeps these, else they are left out. */
static void read_kinds(const char *list, bool only) {
    bool named[KINDS] = {false};
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        int kind = kind_named(at, length);
        if (kind < 0) {
            fprintf(stderr, "random: there is no kind '%.*s'\n", (int)length, at);
            exit(2);
        }
        named[kind] = true;
        at += length + (at[length] == ',');
    }
    for (int k = 0; k < KINDS; k++)
        if (named[k] != only)
            asked.weight[k] = 0;
}

static void read_skipped(const char *list) {
    for (char *end; *list; list = end + (*end == ',')) {
        long number = strtol(list, &end, 10),
             last = *end == '-' ? strtol(end + 1, &end, 10) : number;
        if (end == list || number < 0 || last >= ACTIONS) {
            fprintf(stderr, "random: '%s' is no list of actions\n", list);
            exit(2);
        }
        for (; number <= last; number++)
            asked.skipped[number] = true;
    }
}

static void read_arguments(int argc, char **argv) {
    asked.programs = 20;
    asked.actions = 60;
    for (int k = 0; k < KINDS; k++)
        asked.weight[k] = usable(k) ? kinds[k].weight : 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(word, "--print") == 0) {
            asked.print = true;
            continue;
        } else if (strcmp(word, "--matched") == 0) {
            my.matched = true;
            continue;
        } else if (strcmp(word, "--single") == 0) {
            my.single = true;
            continue;
        } else if (strcmp(word, "--kept") == 0) {
            my.kept = true;
            continue;
        } else if (strcmp(word, "--loud") == 0) {
            my.loud = true;
            continue;
        } else if (strcmp(word, "--seed") == 0)
            asked.seed = strtoull(value, NULL, 10);
        else if (strcmp(word, "--programs") == 0)
            asked.programs = atoi(value);
        else if (strcmp(word, "--actions") == 0)
            asked.actions = atoi(value);
        else if (strcmp(word, "--limit") == 0)
            asked.limit = atoi(value);
        else if (strcmp(word, "--only") == 0)
            read_kinds(value, true);
        else if (strcmp(word, "--without") == 0)
            read_kinds(value, false);
        else if (strcmp(word, "--skip") == 0)
            read_skipped(value);
        else {
            fprintf(stderr, "random: '%s' is unknown\n", word);
            exit(2);
        }
        i++;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    my.rank = world_rank();
    my.ranks = world_size();
    read_arguments(argc, argv);
    CHECK(my.ranks <= MOST, "at most %d ranks", MOST);
    make_types();
    if (asked.limit > 0)
        signal(SIGALRM, tell_late);
#ifndef TEST_MPI
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
#endif
    long actions = 0;
    for (int i = 0; i < asked.programs; i++) {
        draw_script(&my.script, asked.seed + (uint64_t)i, my.ranks, asked.weight, asked.actions);
        skip_actions(&my.script, asked.skipped);
        if (asked.print && my.rank == 0)
            print_script(&my.script);
        if (asked.limit > 0)
            alarm((unsigned)asked.limit);
        run_script();
        actions += my.script.actions;
    }
    alarm(0);
    free_types();
    if (my.rank == 0)
        printf("%d random programs of %d ranks, seeds %llu to %llu, %ld actions: right\n",
               asked.programs, my.ranks, (unsigned long long)asked.seed,
               (unsigned long long)(asked.seed + (uint64_t)asked.programs - 1), actions);
    MPI_Finalize();
    return 0;
}

#endif
