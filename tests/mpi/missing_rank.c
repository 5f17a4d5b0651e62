/* SPDX-License-Identifier: BSD-3-Clause */
/* With CAUCUS_TIMEOUT, waits for a rank that does not come end with an error, also those before
 * anything is sent: for the comparison of arguments, to attach, of inits, and of what makes
 * something of a communicator. The ranks missing are named where something was attached before. Who
 * comes late gets an error too, and so does whoever calls again; other communicators are none the
 * worse.
 *
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_CHECK=1 mpi=mpich,openmpi
 * run: ranks=3 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_CHECK=1 env=CAUCUS_SHARED_MEMORY=0 full
 * run: ranks=4 env=CAUCUS_TIMEOUT=0.5 env=CAUCUS_CHECK=1 env=CAUCUS_NODES=2x2 full
 * run: ranks=3 args=makers env=CAUCUS_TIMEOUT=0.5 full
 * run: ranks=3 args=within env=CAUCUS_TIMEOUT=0.5 mpi=mpich,openmpi */
#define _GNU_SOURCE
#include "expect_error.h"
#include "join_groups.h"

#include <caucus/caucus.h>
#include <caucus/collective.h>
#include <caucus/group.h>

#include <dlfcn.h>
#include <stdbool.h>

#define LATE " has not come, or came late and waits for others"

static int in = 1, out[64];

enum way { BLOCKING, NONBLOCKING, INIT, GROUP, BETWEEN, ATTACH, GRID, BALANCE, WAYS };

struct place {
    MPI_Comm comm;
    caucus_group group;
};

static int make_grid(MPI_Comm comm) {
    const int dims[] = {world_size()}, periods[] = {0};
    MPI_Comm grid = MPI_COMM_NULL;
    int code = caucus_cart_create(comm, 1, dims, periods, 1, &grid);
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
    return code;
}

static int make_balance(MPI_Comm comm) {
    caucus_balance balance;
    int news = CAUCUS_BALANCE_SAME, code = caucus_balance_open(comm, 1, &balance);
    if (code != MPI_SUCCESS)
        return code;
    while (news != CAUCUS_BALANCE_OVER)
        CHECK_MPI(caucus_balance_poll(balance, 0, &news));
    return caucus_balance_close(&balance);
}

static int call(enum way way, const struct place *place) {
    caucus_request request = CAUCUS_REQUEST_NULL;
    switch (way) {
    case NONBLOCKING:
        return caucus_iallreduce(&in, out, 1, MPI_INT, MPI_SUM, place->comm, &request);
    case INIT:
        return caucus_allreduce_init(&in, out, 1, MPI_INT, MPI_SUM, place->comm, MPI_INFO_NULL,
                                     &request);
    case GROUP:
        return caucus_group_allreduce(&in, out, 1, MPI_INT, MPI_SUM, place->group);
    case BETWEEN:
        return caucus_allgather(&in, 1, MPI_INT, out, 1, MPI_INT, place->comm);
    case ATTACH:
        return caucus_comm_attach(place->comm);
    case GRID:
        return make_grid(place->comm);
    case BALANCE:
        return make_balance(place->comm);
    default:
        return caucus_allreduce(&in, out, 1, MPI_INT, MPI_SUM, place->comm);
    }
}

static struct place make(enum way way) {
    struct place place = {.comm = MPI_COMM_NULL};
    if (way == BETWEEN)
        place.comm = join_groups(MPI_COMM_WORLD, 1, world_size() - 1);
    else
        MPI_Comm_dup(MPI_COMM_WORLD, &place.comm);
    return_errors(place.comm);
    if (way == GROUP) {
        CHECK_MPI(caucus_comm_attach(place.comm));
        CHECK_MPI(caucus_group_from_comm(place.comm, &place.group));
    }
    return place;
}

/* Until the others have given up. */
static void stay_away(bool stays) {
    static int nothing;
    MPI_Request request;
    int done = 0;
    if (!stays)
        MPI_Send(&nothing, 0, MPI_INT, world_size() - 1, 99, MPI_COMM_WORLD);
    for (int rank = 0; stays && rank < world_size() - 1; rank++)
        for (MPI_Irecv(&nothing, 0, MPI_INT, rank, 99, MPI_COMM_WORLD, &request), done = 0; !done;)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

/* The library waits for all by calls of this function, twice before it attaches, and later again.
 */
static int calls_before_it_stays;

int PMPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request) {
    static int (*real)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
    if (calls_before_it_stays > 0 && --calls_before_it_stays == 0)
        stay_away(true);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
    return real(from, to, count, type, op, comm, request);
}

/* The last rank stops within the call, where the others have heard that it has come. */
static void stop_within(void) {
    const bool stops = world_rank() == world_size() - 1;
    const struct place place = make(ATTACH);
    calls_before_it_stays = stops ? 3 : 0;
    expect(call(ATTACH, &place), MPI_ERR_OTHER, "not all of the");
    if (!stops)
        stay_away(false);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The last rank comes when the others have given up. */
static void leave_out(enum way way, bool attached) {
    const int last = world_size() - 1;
    const bool stays = world_rank() == last;
    const char *group = world_rank() == 0 ? " of the remote group" : " of the local group";
    char missing[100];
    struct place place = make(way);
    if (attached)
        CHECK_MPI(call(way == INIT || way == NONBLOCKING ? BLOCKING : way, &place));
    snprintf(missing, sizeof missing, "seconds, rank %d%s had not come, 1 of the %d ranks",
             way == BETWEEN ? last - 1 : last, way == BETWEEN ? group : "", last + 1);
    bool named = way == GROUP || (attached && way < ATTACH);
    double begin = MPI_Wtime();
    if (stays)
        stay_away(true);
    int code = call(way, &place);
    /* Who comes late may not have heard yet what the others say. */
    bool unheard = stays && named && strstr(caucus_error_text(), LATE);
    expect(code, MPI_ERR_OTHER, unheard ? LATE : named ? missing : "not all of the");
    CHECK(MPI_Wtime() - begin < 20, "it took %g s", MPI_Wtime() - begin);
    expect(call(way, &place), MPI_ERR_INTERN, "was given up");
    if (!stays)
        stay_away(false);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Everything works on what nobody has given up. */
static void go_on(void) {
    for (enum way way = BLOCKING; way < WAYS; way++) {
        struct place place = make(way);
        if (way == NONBLOCKING || way == INIT)
            continue;
        for (int i = 0; i < 3; i++)
            CHECK_MPI(call(way, &place));
        CHECK(way >= ATTACH || out[0] == (way == BETWEEN ? 1 : world_size()), "it is %d", out[0]);
        if (way == GROUP)
            CHECK_MPI(caucus_group_free(&place.group));
        MPI_Comm_free(&place.comm);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const bool makers = argc > 1 && strcmp(argv[1], "makers") == 0;
    const bool within = argc > 1 && strcmp(argv[1], "within") == 0;
    if (within)
        stop_within();
    for (enum way way = makers ? ATTACH : BLOCKING; !within && way < (makers ? WAYS : ATTACH);
         way++) {
        leave_out(way, true);
        leave_out(way, false);
    }
    go_on();
    MPI_Finalize();
    return 0;
}
