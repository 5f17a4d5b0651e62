/* SPDX-License-Identifier: BSD-3-Clause */
/* Races: over the turns each racer comes after every other one equally often, and who was held up
 * in the first two rounds still runs. The racers are MPI's own allreduces of so many elements,
 * whose operation sleeps, and notes who ran.
 *
 * run: ranks=2 */
#include "check.h"

#include "api/collective/context.h"
#include "api/collective/race.h"

#include <caucus/caucus.h>
#include <string.h>
#include <time.h>

enum { COUNT = 3, ROUNDS = 3 + CAUCUS_RACE_SAMPLES, TRIES = 20 };
static const long USUAL = 250000, HELD_UP = 3000000; /* nanoseconds */

static int ran[ROUNDS * COUNT + 1], runs, times_held_up;

static void note(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)in;
    (void)inout;
    (void)type;
    bool held_up = *length == 2 && times_held_up > 0;
    times_held_up -= held_up;
    if (runs < (int)(sizeof ran / sizeof *ran))
        ran[runs++] = *length - 1;
    nanosleep(&(struct timespec){.tv_nsec = held_up ? HELD_UP : USUAL}, NULL);
}

static void race(MPI_Op op, int held_up, struct caucus_racer racers[COUNT]) {
    static int in[COUNT], out[COUNT];
    struct caucus_collective_call calls[COUNT];
    bool is_run;
    runs = 0;
    times_held_up = held_up;
    memset(racers, 0, COUNT * sizeof *racers);
    for (int i = 0; i < COUNT; i++) {
        caucus_call_clear(&calls[i]);
        calls[i].collective = CAUCUS_ALLREDUCE;
        calls[i].send = (struct caucus_side){.buffer = in, .count = i + 1, .type = MPI_INT};
        calls[i].receive = (struct caucus_side){.buffer = out, .count = i + 1, .type = MPI_INT};
        calls[i].op = op;
        calls[i].comm = MPI_COMM_WORLD;
        racers[i].native = &calls[i];
    }
    const struct caucus_context *context = caucus_context_kept(MPI_COMM_WORLD);
    CHECK(!caucus_race_run(&context->attachment->peers, 10, racers, COUNT, &is_run) && is_run,
          "no race");
}

/* In as many turns as each comes first in twice; a rank may have no part in what is combined. */
static void check_order(void) {
    int followed[COUNT][COUNT] = {{0}}, first = runs / COUNT - CAUCUS_RACE_SAMPLES;
    if (runs == 0)
        return;
    CHECK(runs % COUNT == 0 && (first == 2 || first == 3), "%d runs", runs);
    for (int at = first * COUNT; at < (first + 2 * COUNT) * COUNT; at++)
        if (at % COUNT)
            followed[ran[at - 1]][ran[at]]++;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            CHECK(followed[i][k] == (i == k ? 0 : 2), "%d came after %d %d times", k, i,
                  followed[i][k]);
}

static bool all_run(const struct caucus_racer racers[COUNT]) {
    bool found = true;
    for (int i = 0; i < COUNT; i++)
        found = found && !racers[i].is_out;
    return found;
}

/* The machine may hold anybody up, too: then once more. */
static void check(MPI_Op op, int held_up) {
    struct caucus_racer racers[COUNT];
    int at = 0;
    do
        race(op, held_up, racers);
    while (!all_run(racers) && ++at < TRIES);
    CHECK(at < TRIES, "who was held up %d times is out", held_up);
    check_order();
}

int main(int argc, char **argv) {
    MPI_Op op;
    MPI_Init(&argc, &argv);
    CHECK_MPI(caucus_comm_attach(MPI_COMM_WORLD));
    CHECK_MPI(caucus_barrier(MPI_COMM_WORLD));
    MPI_Op_create(note, 1, &op);
    check(op, 0);
    check(op, 2);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
