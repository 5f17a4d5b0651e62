/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of caucus tune is taken if it is whole and of this MPI, or has no head; if not, a sentence
 * says why, and the process does as if there was none. A malformed line is an error, and so is a
 * pipe, which nobody waits for.
 *
 * run: ranks=2 mpi=mpich,openmpi,intel
 * run: ranks=2 args=pipe mpi=mpich,openmpi,intel
 * run: ranks=2 args=empty output="model.txt: it is empty" output="; auto is used instead"
 * run: ranks=2 args=cut output="model.txt: it is cut off" output="; auto is used instead"
 * run: ranks=2 args=other output="model.txt: it was measured with Some MPI 1.0, and this is" */
#include "expect_error.h"

#include "api/collective/context.h"
#include "run/measure/tuned.h"

#include <caucus/caucus.h>

#include <string.h>
#include <sys/stat.h>

enum { ROOM = 1000 };

static const char path[] = "model.txt";
static const char figures[] = "latency_between 0.5\nlatency_within 0.25\n";
static const char end[] = CAUCUS_TUNED_END "\n";

static void write_file(const char *head, const char *figures_of_it, const char *last) {
    FILE *file = world_rank() == 0 ? fopen(path, "w") : NULL;
    CHECK(file || world_rank(), "no file");
    if (file)
        CHECK(fprintf(file, "%s%s%s", head, figures_of_it, last) >= 0 && fclose(file) == 0,
              "not written");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void head_of(const char *mpi, char head[ROOM]) {
    snprintf(head, ROOM, CAUCUS_TUNED_HEAD " of Caucus.\n" CAUCUS_TUNED_MPI "%s\n", mpi);
}

/* What a communicator that is attached now is chosen by. */
static struct caucus_context_settings settings_now(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_MPI(caucus_barrier(comm));
    const struct caucus_context_settings settings = caucus_context_kept(comm)->settings;
    MPI_Comm_free(&comm);
    return settings;
}

static bool is_of_file(const struct caucus_context_settings *settings) {
    return settings->model.latency[CAUCUS_BETWEEN_NODES] == 0.5 &&
           settings->model.latency[CAUCUS_WITHIN_NODE] == 0.25;
}

static void expect_taken(const char *head, const char *last) {
    write_file(head, figures, last);
    const struct caucus_context_settings settings = settings_now();
    CHECK(is_of_file(&settings) && !settings.measures, "it is not taken");
}

/* Once it is left, it stays so. */
static void expect_left(const char *head, const char *figures_of_it, const char *last) {
    write_file(head, figures_of_it, last);
    for (int i = 0; i < 3; i++) {
        const struct caucus_context_settings settings = settings_now();
        CHECK(!is_of_file(&settings) && settings.measures, "attached %d times", i);
        write_file("", figures, "");
    }
}

static void expect_error_of_it(const char *head) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    write_file(head, "magic 1\n", end);
    expect(caucus_barrier(comm), MPI_ERR_ARG, "there is no parameter 'magic'");
    MPI_Comm_free(&comm);
}

static void expect_no_pipe(void) {
    MPI_Comm comm;
    if (world_rank() == 0) {
        remove(path);
        CHECK(mkfifo(path, S_IRWXU) == 0, "no pipe");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return_errors(comm);
    expect(caucus_barrier(comm), MPI_ERR_ARG, "model.txt: it is a pipe");
    MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        remove(path); /* who writes to it would wait */
}

int main(int argc, char **argv) {
    char mpi[CAUCUS_TUNED_ROOM], own[ROOM], others[ROOM];
    const char *how = argc > 1 ? argv[1] : "taken";
    MPI_Init(&argc, &argv);
    setenv("CAUCUS_MODEL", path, 1);
    caucus_tuned_mpi(mpi);
    head_of(mpi, own);
    head_of("Some MPI 1.0", others);
    if (strcmp(how, "empty") == 0)
        expect_left(own, "", end);
    else if (strcmp(how, "cut") == 0)
        expect_left(own, figures, "");
    else if (strcmp(how, "other") == 0)
        expect_left(others, figures, end);
    else if (strcmp(how, "pipe") == 0)
        expect_no_pipe();
    else {
        expect_error_of_it(own);
        expect_taken(own, end);
        expect_taken("", "");
    }
    MPI_Finalize();
    return 0;
}
