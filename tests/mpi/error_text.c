/* SPDX-License-Identifier: BSD-3-Clause */
/* What caucus_error_text() has after calls that succeed: nothing before a call of the thread has
 * failed, whatever was tried in vain on the way, and then the last failure. Errors have the class
 * itself as code, also where there is no communicator.
 * run: ranks=4,5 mpi=mpich,openmpi,intel,abi
 * run: ranks=4 env=CAUCUS_CHECK=1 env=CAUCUS_NODES=2x2
 * run: ranks=3 env=CAUCUS_ONE_COPY=never env=CAUCUS_SHARED_MEMORY=0 */
#include "collective_call.h"
#include "expect_error.h"
#include "join_groups.h"

#include <caucus/alive.h>
#include <caucus/balance.h>
#include <caucus/channel.h>
#include <caucus/create_group.h>
#include <caucus/graph.h>
#include <caucus/group.h>
#include <caucus/pool.h>
#include <caucus/redistribute.h>

static char kept[4096]; /* what the text is to be */

static void expect_kept(const char *where) {
    CHECK(strcmp(caucus_error_text(), kept) == 0, "after %s: '%s', not '%s'", where,
          caucus_error_text(), kept);
}

static void call_all(MPI_Comm comm, bool between) {
    static int send[4096], receive[64 * 4096];
    static struct arguments a;
    const enum caucus_collective shared[] = {CAUCUS_ALLGATHER, CAUCUS_ALLTOALL, CAUCUS_ALLREDUCE,
                                             CAUCUS_BARRIER};
    for (int i = 0; i < 4; i++)
        for (int count = 1; count <= 4096; count *= 64) {
            a = (struct arguments){.send = send,
                                   .receive = receive,
                                   .type = MPI_INT,
                                   .op = MPI_SUM,
                                   .comm = comm,
                                   .info = MPI_INFO_NULL,
                                   .count = count};
            if (shared[i] == CAUCUS_ALLTOALL)
                a.count = 1 + count / 64;
            for (enum form form = BLOCKING; form <= PERSISTENT; form++) {
                caucus_request request = CAUCUS_REQUEST_NULL;
                CHECK_MPI(call_collective(shared[i], form, 0, &a, &request));
                expect_kept(between ? "a collective between groups" : "a collective");
                if (form == PERSISTENT)
                    CHECK_MPI(caucus_start(&request));
                CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
                if (form == PERSISTENT)
                    CHECK_MPI(caucus_request_free(&request));
                expect_kept("its request");
            }
        }
}

static void make_grids(void) {
    const int dims[] = {world_size(), 1}, periods[] = {1, 0};
    MPI_Comm cart;
    CHECK_MPI(caucus_cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart));
    expect_kept("caucus_cart_create");
    MPI_Comm_free(&cart);
    int next = (world_rank() + 1) % world_size();
    int last = (world_rank() + world_size() - 1) % world_size();
    CHECK_MPI(caucus_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next,
                                                MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &cart));
    expect_kept("caucus_dist_graph_create_adjacent");
    MPI_Comm_free(&cart);
}

static void succeed(void) {
    MPI_Comm own, inter = join_groups(MPI_COMM_WORLD, 1, world_size() - 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    call_all(inter, true);
    call_all(own, false);
    make_grids();
    MPI_Comm_free(&inter);
    MPI_Comm_free(&own);
}

static void is_class(int code, const char *function) {
    CHECK(code == MPI_ERR_COMM, "%s returned %d", function, code);
    CHECK(strncmp(caucus_error_text(), function, strlen(function)) == 0 &&
              strstr(caucus_error_text(), "MPI_COMM_NULL"),
          "%s: %s", function, caucus_error_text());
}

#define OF_NULL(function, ...) is_class(function(__VA_ARGS__), #function)

/* No function of collectives asks for more than the communicator. */
static void collectives_of_null(void) {
    static int data[64];
    static struct arguments a;
    a = (struct arguments){.send = data,
                           .receive = data + 32,
                           .type = MPI_INT,
                           .op = MPI_SUM,
                           .comm = MPI_COMM_NULL,
                           .info = MPI_INFO_NULL,
                           .count = 1};
    for (int collective = 0; collective < CAUCUS_COLLECTIVES; collective++)
        for (int form = 0; form < 2 * FORMS; form++) {
            caucus_request request = CAUCUS_REQUEST_NULL;
            int code = call_collective((enum caucus_collective)collective, (enum form)(form / 2),
                                       form % 2, &a, &request);
            is_class(code, "caucus_");
        }
}

static void others_of_null(void) {
    const int one = 1, zero = 0;
    const double unit = 1;
    int number, dims[] = {0};
    MPI_Comm made;
    caucus_cart_report_data report;
    caucus_group group;
    caucus_request request;
    caucus_channel channel;
    caucus_pool pool;
    caucus_balance balance;
    const caucus_channel_options channel_options = {0};
    const caucus_pool_options pool_options = {0};
    const MPI_Comm null = MPI_COMM_NULL;
    OF_NULL(caucus_comm_attach, null);
    OF_NULL(caucus_cart_create, null, 1, &one, &zero, 1, &made);
    OF_NULL(caucus_cart_create_weighted, null, 1, &one, &zero, &unit, 1, &made);
    OF_NULL(caucus_stencil_create, null, 1, &one, &zero, 1, &one, &unit, MPI_INFO_NULL, 1, &made);
    OF_NULL(caucus_cart_map, null, 1, &one, &zero, &number);
    OF_NULL(caucus_dims_create, null, 1, 1, &unit, &zero, dims);
    OF_NULL(caucus_cart_report, null, &report);
    OF_NULL(caucus_dist_graph_create_adjacent, null, 0, NULL, NULL, 0, NULL, NULL, MPI_INFO_NULL, 0,
            &made);
    OF_NULL(caucus_dist_graph_create, null, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 0, &made);
    OF_NULL(caucus_graph_create, null, 1, &zero, NULL, 0, &made);
    OF_NULL(caucus_graph_report, null, &report);
    OF_NULL(caucus_group_create, null, &zero, 1, 0, &group);
    OF_NULL(caucus_group_create_unchecked, null, &zero, 1, 0, &group);
    OF_NULL(caucus_group_create_lazy, null, &zero, 1, &group);
    OF_NULL(caucus_group_create_range, null, 0, 0, 1, &group);
    OF_NULL(caucus_group_from_comm, null, &group);
    OF_NULL(caucus_group_icreate, null, &zero, 1, 0, &group, &request);
    OF_NULL(caucus_group_create_alive, null, &zero, 1, 1, &group);
    OF_NULL(caucus_comm_create_group, null, MPI_GROUP_EMPTY, 1, &made);
    OF_NULL(caucus_channel_open, null, &channel_options, &channel);
    OF_NULL(caucus_pool_open, null, &pool_options, &pool);
    OF_NULL(caucus_balance_open, null, 1, &balance);
    OF_NULL(caucus_redistribute_init, NULL, 0, NULL, MPI_INT, NULL, 0, NULL, MPI_INT, null,
            MPI_INFO_NULL, &request);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    /* Other programs may have failed in this process before. */
    snprintf(kept, sizeof kept, "%s", caucus_error_text());
    succeed();
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    collectives_of_null();
    others_of_null();
    snprintf(kept, sizeof kept, "%s", caucus_error_text());
    CHECK(*kept, "no text of a failure");
    succeed();
    MPI_Finalize();
    return 0;
}
