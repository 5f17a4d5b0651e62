/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: many at a time, started and completed in another order on every rank, with the rules
 * for null and inactive ones, and what may not be done.
 * run: ranks=1,2,3,4
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_REQUESTS=kept */
#include "collective_case.h"

enum { MANY = 24, WORDS = 40 };

static int class_of(int code) {
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void check_empty(const MPI_Status *status) {
    int count, cancelled;
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    CHECK(status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0 &&
              !cancelled,
          "source %d, tag %d, count %d", status->MPI_SOURCE, status->MPI_TAG, count);
}

static int in[MANY][WORDS], out[MANY][WORDS];

/* Sums, broadcasts and barriers in turns. */
static void make(caucus_request *requests) {
    for (int i = 0; i < MANY; i++) {
        int root = i % world_size();
        MPI_Info info = MPI_INFO_NULL;
        MPI_Comm comm = MPI_COMM_WORLD;
        CHECK_MPI(i % 3 == 0 ? caucus_allreduce_init(in[i], out[i], WORDS, MPI_INT, MPI_SUM, comm,
                                                     info, &requests[i])
                  : i % 3 == 1
                      ? caucus_bcast_init(out[i], WORDS, MPI_INT, root, comm, info, &requests[i])
                      : caucus_barrier_init(comm, info, &requests[i]));
    }
}

static void fill(int round) {
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < WORDS; k++) {
            in[i][k] = round + i * k + world_rank();
            out[i][k] = world_rank() == i % world_size() ? round + i * k : -1;
        }
}

static void check(int round) {
    int size = world_size(), ranks = size * (size - 1) / 2;
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < WORDS && i % 3 < 2; k++) {
            int expected = i % 3 == 0 ? size * (round + i * k) + ranks : round + i * k;
            CHECK(out[i][k] == expected, "request %d, word %d: %d, not %d", i, k, out[i][k],
                  expected);
        }
}

/* A different order on each rank: a multiplier that shares no factor with MANY. */
static int turn(int i, int round) {
    static const int steps[] = {1, 5, 7, 11, 13, 17, 19, 23};
    return (i * steps[(world_rank() + round) % 8] + world_rank()) % MANY;
}

static void complete(int round, caucus_request *requests) {
    MPI_Status statuses[MANY];
    int index, indices[MANY], count, flag = 0, left = MANY;
    switch (round % 7) {
    case 0:
        CHECK_MPI(caucus_waitall(MANY, requests, statuses));
        for (int i = 0; i < MANY; i++)
            check_empty(&statuses[i]);
        break;
    case 1:
        for (int i = 0; i < MANY; i++)
            CHECK_MPI(caucus_wait(&requests[turn(i, 3)], &statuses[0]));
        break;
    case 2:
        for (int i = 0; i < MANY; i++) {
            CHECK_MPI(caucus_waitany(MANY, requests, &index, MPI_STATUS_IGNORE));
            CHECK(index >= 0 && index < MANY, "index %d", index);
        }
        break;
    case 3:
        for (; left > 0; left -= count) {
            CHECK_MPI(caucus_waitsome(MANY, requests, &count, indices, MPI_STATUSES_IGNORE));
            CHECK(count > 0 && count <= left, "%d of %d", count, left);
        }
        break;
    case 4:
        while (!flag)
            CHECK_MPI(caucus_testall(MANY, requests, &flag, statuses));
        break;
    case 5:
        for (; left > 0; left -= flag)
            CHECK_MPI(caucus_testany(MANY, requests, &index, &flag, statuses));
        break;
    default:
        for (; left > 0; left -= count)
            CHECK_MPI(caucus_testsome(MANY, requests, &count, indices, statuses));
    }
}

static void start_in_any_order(void) {
    caucus_request requests[MANY], copies[MANY];
    make(requests);
    for (int round = 0; round < 14; round++) {
        fill(round);
        for (int i = 0; i < MANY && round != 7; i++)
            CHECK_MPI(caucus_start(&requests[turn(i, round)]));
        if (round == 7)
            CHECK_MPI(caucus_startall(MANY, requests));
        memcpy(copies, requests, sizeof copies);
        complete(round, requests);
        CHECK(memcmp(copies, requests, sizeof copies) == 0, "a persistent handle changed");
        check(round);
    }
    for (int i = 0; i < MANY; i++)
        CHECK_MPI(caucus_request_free(&requests[turn(i, 1)]));
}

static void none_to_wait_for(caucus_request inactive) {
    caucus_request requests[] = {CAUCUS_REQUEST_NULL, inactive};
    MPI_Status status;
    int flag = 0;
    for (int i = 0; i < 2; i++) {
        CHECK_MPI(caucus_wait(&requests[i], &status));
        check_empty(&status);
        CHECK_MPI(caucus_test(&requests[i], &flag, &status));
        CHECK(flag, "not complete");
        CHECK_MPI(caucus_request_get_status(requests[i], &flag, MPI_STATUS_IGNORE));
        CHECK(flag, "not complete");
    }
}

static void nothing_to_wait_for(caucus_request inactive) {
    caucus_request requests[] = {CAUCUS_REQUEST_NULL, inactive};
    MPI_Status status, statuses[2];
    int flag = 0, index = 5, count = 5, indices[2];
    CHECK_MPI(caucus_waitall(2, requests, statuses));
    check_empty(&statuses[1]);
    CHECK_MPI(caucus_waitany(2, requests, &index, &status));
    CHECK(index == MPI_UNDEFINED, "index %d", index);
    check_empty(&status);
    CHECK_MPI(caucus_waitsome(2, requests, &count, indices, statuses));
    CHECK(count == MPI_UNDEFINED, "count %d", count);
    CHECK_MPI(caucus_testany(2, requests, &index, &flag, &status));
    CHECK(flag && index == MPI_UNDEFINED, "flag %d, index %d", flag, index);
    CHECK_MPI(caucus_testsome(2, requests, &count, indices, statuses));
    CHECK(count == MPI_UNDEFINED, "count %d", count);
    CHECK_MPI(caucus_testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag, "none is not complete");
}

#define EXPECT(class, words, call)                                                                 \
    do {                                                                                           \
        int expect_code = (call);                                                                  \
        CHECK(class_of(expect_code) == (class) && strstr(caucus_error_text(), words), "%d: %s",    \
              expect_code, caucus_error_text());                                                   \
    } while (0)

static void what_is_no_request(void) {
    caucus_request request = CAUCUS_REQUEST_NULL;
    int index, flag;
    EXPECT(MPI_ERR_REQUEST, "CAUCUS_REQUEST_NULL", caucus_start(&request));
    EXPECT(MPI_ERR_REQUEST, "CAUCUS_REQUEST_NULL", caucus_request_free(&request));
    EXPECT(MPI_ERR_REQUEST, "null pointer", caucus_wait(NULL, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_ARG, "flag", caucus_test(&request, NULL, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_ARG, "count is -1", caucus_waitall(-1, &request, MPI_STATUSES_IGNORE));
    EXPECT(MPI_ERR_REQUEST, "null", caucus_waitany(1, NULL, &index, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_REQUEST, "null", caucus_testany(1, NULL, &index, &flag, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_ARG, "index", caucus_testany(1, &request, NULL, &flag, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_ARG, "flag", caucus_testany(1, &request, &index, NULL, MPI_STATUS_IGNORE));
}

static void what_persistent_ones_may_not(void) {
    caucus_request request = CAUCUS_REQUEST_NULL;
    int flag;
    CHECK_MPI(caucus_barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    none_to_wait_for(request);
    nothing_to_wait_for(request);
    CHECK_MPI(caucus_start(&request));
    EXPECT(MPI_ERR_REQUEST, "is active", caucus_start(&request));
    EXPECT(MPI_ERR_REQUEST, "is active", caucus_request_free(&request));
    for (flag = 0; !flag;)
        CHECK_MPI(caucus_request_get_status(request, &flag, MPI_STATUS_IGNORE));
    EXPECT(MPI_ERR_REQUEST, "is active", caucus_start(&request)); /* complete, not waited for */
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
}

static void what_nonblocking_ones_may_not(void) {
    caucus_request request = CAUCUS_REQUEST_NULL;
    CHECK_MPI(caucus_ibarrier(MPI_COMM_WORLD, &request));
    EXPECT(MPI_ERR_REQUEST, "not persistent", caucus_start(&request));
    EXPECT(MPI_ERR_REQUEST, "is active", caucus_request_free(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK(request == CAUCUS_REQUEST_NULL, "a nonblocking request lives on");
}

/* Freed when it has been called complete, without a wait. */
static void free_what_is_complete(void) {
    for (int i = 0; i < 2 * WORDS; i++) {
        caucus_request request;
        int mine = world_rank() + i, sum = -1, flag = 0;
        if (i % 2) {
            CHECK_MPI(
                caucus_iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        } else {
            CHECK_MPI(caucus_allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                            MPI_INFO_NULL, &request));
            CHECK_MPI(caucus_start(&request));
        }
        while (!flag)
            CHECK_MPI(caucus_request_get_status(request, &flag, MPI_STATUS_IGNORE));
        CHECK_MPI(caucus_request_free(&request));
        int expected = world_size() * (world_size() - 1) / 2 + i * world_size();
        CHECK(request == CAUCUS_REQUEST_NULL && sum == expected, "%d, not %d", sum, expected);
    }
}

/* A communicator, a datatype and an operation may go before the request that uses them. */
static void outlive(void) {
    MPI_Comm comm;
    MPI_Op op;
    MPI_Datatype type;
    caucus_request request;
    unsigned mine[4] = {1, (unsigned)world_rank(), 0, 1}, product[4];
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Op_create(multiply, 0, &op);
    MPI_Type_contiguous(4, MPI_UNSIGNED, &type);
    MPI_Type_commit(&type);
    CHECK_MPI(caucus_allreduce_init(mine, product, 1, type, op, comm, MPI_INFO_NULL, &request));
    CHECK_MPI(caucus_op_free(&op));
    CHECK(op == MPI_OP_NULL, "the operation's handle lives on");
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(caucus_start(&request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        unsigned sum = (unsigned)(world_size() * (world_size() - 1) / 2);
        CHECK(product[1] == sum && product[0] == 1, "%u, not %u", product[1], sum);
    }
    CHECK_MPI(caucus_request_free(&request));
}

/* Rank 0 goes on to what is collective while the others still wait for what it has begun. */
static void begin_and_go_on(int what) {
    caucus_request request, other = CAUCUS_REQUEST_NULL;
    MPI_Comm comm;
    bool first = world_rank() == 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(caucus_ibarrier(what == 2 ? comm : MPI_COMM_WORLD, &request));
        if (!first)
            CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        if (what == 0)
            CHECK_MPI(caucus_barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &other));
        else
            CHECK_MPI(caucus_comm_attach(comm));
        if (first)
            CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        if (other != CAUCUS_REQUEST_NULL)
            CHECK_MPI(caucus_request_free(&other));
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    start_in_any_order();
    what_is_no_request();
    what_persistent_ones_may_not();
    what_nonblocking_ones_may_not();
    free_what_is_complete();
    outlive();
    for (int what = 0; what < 3; what++)
        begin_and_go_on(what);
    MPI_Finalize();
    return 0;
}
