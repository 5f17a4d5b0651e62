/* SPDX-License-Identifier: BSD-3-Clause */
/* A member that has no memory, be it for what it may, while a group or a communicator is made: it
 * gets an error or what all make, and so does each of the others; nobody waits for it for ever, and
 * the same call goes through afterwards. This program's calloc, which the library finds before the
 * C library's, refuses the library one array after the other, once each; or that one and all behind
 * it until the call is over.
 *
 * run: ranks=5
 * run: ranks=5 args=lasting mpi=mpich
 * run: ranks=5 args=lasting env=CAUCUS_TIMEOUT=20 mpi=mpich full
 * start: own (what replaces calloc must be the program) */
#define _GNU_SOURCE
#include "refusing.h"

enum { RANKS = 5, NEVER = -1 };

static int left = NEVER; /* so many are granted yet */
static bool refused, lasts;
static int rank, tag = 1;
static caucus_group own; /* of all; or one of those that merge */

static bool refuses(size_t count, size_t size) {
    (void)count, (void)size;
    if (left == NEVER || calloc_is_mpis())
        return false;
    bool grants = left > 0;
    if (grants)
        left--;
    else if (!lasts)
        left = NEVER;
    refused = refused || !grants;
    return !grants;
}

/* Which group each rank is in beforehand: one of all; five of one, whose firsts are a tree with an
 * inner one; a tree with an inner member and one more. */
enum before { ALL, ALONE, TREE };

/* A call that makes something, and whether it did. */
struct call {
    const char *name;
    enum before before;
    int (*make)(void);
    bool (*made)(void); /* what was made is freed */
};

static caucus_group group;
static MPI_Comm comm;

static bool made_group(void) {
    bool is = group != CAUCUS_GROUP_NULL;
    if (is)
        CHECK_MPI(caucus_group_free(&group));
    return is;
}

static bool made_comm(void) {
    bool is = comm != MPI_COMM_NULL;
    if (is)
        MPI_Comm_free(&comm);
    return is;
}

static const int order[RANKS] = {3, 0, 1, 2, 4};

static int create(void) {
    return caucus_group_create(MPI_COMM_WORLD, order, RANKS, tag, &group);
}

static int create_unchecked(void) {
    return caucus_group_create_unchecked(MPI_COMM_WORLD, order, RANKS, tag, &group);
}

static int create_within(void) {
    return caucus_group_create_within(own, order, RANKS, tag, &group);
}

static int await(int code, caucus_request *request) {
    return code == MPI_SUCCESS ? caucus_wait(request, MPI_STATUS_IGNORE) : code;
}

static int icreate(void) {
    caucus_request request;
    int code = caucus_group_icreate(MPI_COMM_WORLD, order, RANKS, tag, &group, &request);
    return await(code, &request);
}

static int merge(void) {
    return caucus_group_merge(own, order, RANKS, tag, &group);
}

static int imerge(void) {
    static const int firsts[] = {0, 4};
    caucus_request request;
    int code = caucus_group_imerge(own, firsts, 2, tag, &group, &request);
    return await(code, &request);
}

static int grow(void) {
    static const int joining[] = {4};
    return rank == 4 ? caucus_group_join(MPI_COMM_WORLD, 0, tag, &group)
                     : caucus_group_grow(own, joining, 1, tag, &group);
}

static int to_comm(void) {
    return caucus_group_to_comm(own, &comm);
}

static int ito_comm(void) {
    caucus_request request;
    int code = caucus_group_ito_comm(own, &comm, &request);
    return await(code, &request);
}

static int create_comm(void) {
    MPI_Group all, some;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, RANKS, order, &some);
    int code = caucus_comm_create_group(MPI_COMM_WORLD, some, tag, &comm);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    return code;
}

static int between(void) {
    return caucus_intercomm_create_group(own, 0, rank == 4 ? 0 : 4, tag, &comm);
}

/* Nobody hears of one that is made later: who was refused makes it alone, and all use it. */
static int use(int (*make)(void)) {
    bool first = make() == MPI_SUCCESS;
    left = NEVER;
    if (!first)
        CHECK_MPI(make());
    return caucus_group_barrier(group);
}

static int make_lazy(void) {
    return caucus_group_create_lazy(MPI_COMM_WORLD, order, RANKS, &group);
}

static int create_lazy(void) {
    return use(make_lazy);
}

static int make_range(void) {
    return caucus_group_create_range(MPI_COMM_WORLD, RANKS - 1, 0, -1, &group);
}

static int create_range(void) {
    return use(make_range);
}

static int make_all(void) {
    return caucus_group_from_comm(MPI_COMM_WORLD, &group);
}

static int from_comm(void) {
    return use(make_all);
}

static int make_rest(void) {
    return caucus_group_shrink(own, NULL, 0, &group);
}

static int shrink(void) {
    return use(make_rest);
}

static void make_own(enum before before) {
    static const int all[] = {0, 1, 2, 3, 4};
    if (before == ALL)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, all, RANKS, 0, &own));
    else if (before == TREE && rank < 4)
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, all, 4, 0, &own));
    else
        CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, &rank, 1, 0, &own));
}

static int make_halves(void) {
    return caucus_group_split(own, rank % 2, 0, &group);
}

/* What a member of a split takes before the others hear of it: it may try again, while they wait.
 */
static void check_split(void) {
    enum { ARRAYS = 3 };
    make_own(ALL);
    for (int which = 0; which < RANKS; which += 3)
        for (int granted = 0; granted < ARRAYS; granted++) {
            refused = false;
            left = rank == which ? granted : NEVER;
            CHECK_MPI(use(make_halves));
            CHECK(refused == (rank == which), "array %d of a split was not refused", granted);
            CHECK_MPI(caucus_group_free(&group));
        }
    CHECK_MPI(caucus_group_free(&own));
}

static const struct call calls[] = {
    {"create", ALL, create, made_group},
    {"create_unchecked", ALL, create_unchecked, made_group},
    {"create_within", ALL, create_within, made_group},
    {"icreate", ALL, icreate, made_group},
    {"create_lazy", ALL, create_lazy, made_group},
    {"create_range", ALL, create_range, made_group},
    {"from_comm", ALL, from_comm, made_group},
    {"shrink", ALL, shrink, made_group},
    {"to_comm", ALL, to_comm, made_comm},
    {"ito_comm", ALL, ito_comm, made_comm},
    {"comm_create_group", ALL, create_comm, made_comm},
    {"merge", ALONE, merge, made_group},
    {"imerge", TREE, imerge, made_group},
    {"grow", TREE, grow, made_group},
    {"intercomm", TREE, between, made_comm},
};

/* Who has an error has nothing that was made; and where nothing was refused nobody has one. */
static bool run(const struct call *call, bool refuses_any) {
    int code = call->make();
    int any = refused, errs = code != MPI_SUCCESS;
    left = NEVER;
    CHECK(errs != call->made(), "%s: code %d, and something made or nothing", call->name, code);
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &errs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(errs == 0 || (refuses_any && any), "%s: %d errors, nothing was refused", call->name,
          errs);
    tag++;
    return any;
}

static void check(const struct call *call, int which) {
    int granted = 0;
    for (bool any = true; any; granted++) {
        refused = false;
        left = rank == which ? granted : NEVER;
        any = run(call, true);
        refused = false;
        run(call, false);
    }
    CHECK(granted > 1, "%s: nothing was refused on rank %d", call->name, which);
}

int main(int argc, char **argv) {
    int status = begin_refusing(&argc, &argv);
    if (status)
        return status;
    rank = world_rank();
    lasts = argc > 1;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        make_own(calls[i].before);
        for (int which = 0; which < RANKS; which++)
            if (calls[i].before != ALL || which % 3 == 0) /* the first one, and another */
                check(&calls[i], which);
        CHECK_MPI(caucus_group_free(&own));
    }
    check_split();
    MPI_Finalize();
    return 0;
}
