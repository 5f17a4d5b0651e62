/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm between two groups by its name, in all forms, on small and on large data: all
 * ranks find alike where one can't serve, and the others give the right bytes.
 * run: ranks=2,3 mpi=mpich,openmpi
 * run: ranks=4 env=CAUCUS_NODES=2x2 mpi=mpich,openmpi
 * run: ranks=5 env=CAUCUS_NODES=cyclic:2 full
 * run: ranks=6 env=CAUCUS_NODES=2x3 mpi=mpich,openmpi full
 * run: ranks=6 env=CAUCUS_NODES=1,2,3 full */
#include "intergroup_case.h"
#include "join_groups.h"
#include "node_labels.h"
#include "plan/intergroup/intergroup.h"

enum { ROUNDS = 2 };

static uint64_t state = 31;
static int served, refused;
static struct node_labels nodes;

static int which_of(const struct caucus_algorithm *algorithm) {
    int which = 0;
    while (strcmp(names[which], caucus_collective_name((int)algorithm->collective)) != 0)
        which++;
    return which;
}

/* A rank without a part in it may not see that it can't serve, and goes on as the others do. */
static void run(const struct draw *d, MPI_Comm comm, int side, int rank, const char *name,
                bool must) {
    struct operation o;
    char text[512];
    int code = MPI_SUCCESS;
    build_operation(&o, d, comm, side, rank);
    describe(&o, text, sizeof text);
    for (int round = 0; round < ROUNDS; round++) {
        fill_operation(&o);
        if (d->form != PERSISTENT || round == 0)
            code = make_call(&o.call);
        if (code == MPI_SUCCESS && d->form == PERSISTENT)
            CHECK_MPI(caucus_start(&o.call.request));
        if (code == MPI_SUCCESS && d->form != BLOCKING) /* which finds it where counts came first */
            code = caucus_wait(&o.call.request, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) {
            CHECK(!must && strstr(caucus_error_text(), "can't serve"), "%s by %s: %s", text, name,
                  caucus_error_text());
            refused++;
            continue;
        }
        check_operation(&o);
        served++;
    }
    if (o.call.request != NO_REQUEST)
        CHECK_MPI(caucus_request_free(&o.call.request));
    drop_operation(&o);
}

/* Some of those that use nodes can't where one has ranks of both groups. */
static bool mixed(int first) {
    for (int a = 0; a < first; a++)
        for (int b = first; b < nodes.ranks; b++)
            if (nodes.label[a] == nodes.label[b])
                return true;
    return false;
}

static bool must(const struct caucus_algorithm *algorithm, const struct draw *d) {
    bool counts = algorithm->needs & CAUCUS_NEEDS_COUNTS && d->form != PERSISTENT;
    if (counts && (d->which == GATHERV || d->which == SCATTERV)) /* they are exchanged at init */
        return false;
    if (algorithm->needs & CAUCUS_NEEDS_NODES && mixed(d->size[0]))
        return false;
    if (strcmp(algorithm->name, "ring") == 0 && d->size[0] != d->size[1])
        return false; /* of whole blocks */
    bool commutative = !is_reduction(d->which) || d->reduction->combine != compose;
    return must_serve(&nodes, algorithm, commutative);
}

static void run_algorithm(const struct caucus_algorithm *algorithm, int first) {
    static const int longest[] = {4, 3000};
    char forced[128];
    int side = world_rank() >= first, rank = world_rank() - side * first;
    snprintf(forced, sizeof forced, "%s:%s", caucus_collective_name((int)algorithm->collective),
             algorithm->name);
    CHECK(setenv("CAUCUS_ALGORITHM", forced, 1) == 0, "no memory");
    MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
    return_errors(comm);
    CHECK_MPI(caucus_comm_attach(comm));
    for (int i = 0; i < 2; i++)
        for (int form = 0; form < FORMS; form++) {
            struct draw d = draw_case(&state, first, world_size() - first);
            d.which = (enum which)which_of(algorithm);
            d.form = (enum form)form;
            d.longest = longest[i];
            d.elements = (1 + d.elements % longest[i]) * common_multiple(d.size[0], d.size[1]);
            run(&d, comm, side, rank, forced, must(algorithm, &d));
        }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    const struct caucus_algorithm *algorithm;
    MPI_Init(&argc, &argv);
    int first = 1 + world_size() / 3, before = 0;
    return_errors(MPI_COMM_WORLD);
    make_types();
    nodes = node_labels();
    for (int i = 0; (algorithm = caucus_intergroup_algorithm(i)); i++) {
        run_algorithm(algorithm, first);
        if (world_rank() == 0 && served == before)
            printf("%s by %s can't serve\n", caucus_collective_name((int)algorithm->collective),
                   algorithm->name);
        before = served;
    }
    if (world_rank() == 0)
        printf("%d runs, %d refused\n", served, refused);
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
