/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of requests that hold all kinds: persistent collectives, persistent and other messages,
 * and none. All functions that take an array, and statuses as MPI says.
 * run: ranks=2,3,8 preload
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=5 preload env=CAUCUS_SHARED_MEMORY=0 */
#include "persistent.h"

#if HAS_PERSISTENT
enum { COLLECTIVES = 12, MESSAGES = 8, NULLS = 4, ALL = COLLECTIVES + 2 * MESSAGES + NULLS };

static int rank, size, rounds;
static long in[COLLECTIVES], out[COLLECTIVES];
static int sent[MESSAGES], received[MESSAGES];
static MPI_Request kept[ALL], requests[ALL];

static int is_receive(int i) {
    return i < 2 * MESSAGES && i % 2 == 0;
}

static int is_send(int i) {
    return i < 2 * MESSAGES && i % 2 == 1;
}

/* Places of the collectives, shuffled differently on every rank. */
static int place[COLLECTIVES];

static void make(void) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < ALL; i++)
        kept[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Recv_init(&received[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &kept[2 * i]);
        MPI_Send_init(&sent[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &kept[2 * i + 1]);
    }
    for (int i = 0; i < COLLECTIVES; i++) {
        place[i] = 2 * MESSAGES + (i + 5 * rank) % COLLECTIVES;
        MPI_Allreduce_init(&in[i], &out[i], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &kept[place[i]]);
    }
}

static void begin(void) {
    rounds++;
    for (int i = 0; i < COLLECTIVES; i++) {
        in[i] = 100 * rounds + i + rank;
        out[i] = -1;
    }
    for (int i = 0; i < MESSAGES; i++) {
        sent[i] = 1000 * rounds + 10 * i + rank;
        received[i] = -1;
    }
    memcpy(requests, kept, sizeof kept);
    MPI_Startall(ALL - NULLS, requests);
}

static void check_status(int i, const MPI_Status *status) {
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    if (is_receive(i))
        CHECK(status->MPI_TAG == i / 2 && count == 1 &&
                  status->MPI_SOURCE == (rank + size - 1) % size,
              "status %d: tag %d, count %d", i, status->MPI_TAG, count);
    else if (!is_send(i))
        CHECK(status->MPI_TAG == MPI_ANY_TAG && status->MPI_SOURCE == MPI_ANY_SOURCE && count == 0,
              "status %d: tag %d, source %d", i, status->MPI_TAG, status->MPI_SOURCE);
}

static void check_data(void) {
    for (int i = 0; i < COLLECTIVES; i++)
        CHECK(out[i] == (long)size * (100 * rounds + i) + (long)size * (size - 1) / 2, "%d: %ld", i,
              out[i]);
    for (int i = 0; i < MESSAGES; i++)
        CHECK(received[i] == 1000 * rounds + 10 * i + (rank + size - 1) % size, "%d", received[i]);
    for (int i = 0; i < ALL; i++)
        CHECK((requests[i] == MPI_REQUEST_NULL) == (i >= ALL - NULLS), "request %d", i);
}

static void wait_all(void) {
    MPI_Status statuses[ALL];
    begin();
    CHECK_MPI(MPI_Waitall(ALL, requests, statuses));
    for (int i = 0; i < ALL; i++)
        check_status(i, &statuses[i]);
    check_data();
    begin();
    CHECK_MPI(MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE));
    check_data();
    CHECK_MPI(MPI_Waitall(ALL, requests, statuses)); /* all are inactive */
    begin();
    for (int flag = 0; !flag;) {
        CHECK_MPI(MPI_Testall(ALL, requests, &flag, statuses));
        for (int i = 0; flag && i < ALL; i++)
            check_status(i, &statuses[i]);
    }
    check_data();
}

static void wait_any(int tests) {
    int seen[ALL] = {0}, index, total = 0;
    MPI_Status status;
    begin();
    for (;;) {
        int flag = 1;
        if (tests)
            CHECK_MPI(MPI_Testany(ALL, requests, &index, &flag, &status));
        else
            CHECK_MPI(MPI_Waitany(ALL, requests, &index, &status));
        if (!flag)
            continue;
        if (index == MPI_UNDEFINED)
            break;
        check_status(index, &status);
        CHECK(!seen[index]++, "%d came twice", index);
        total++;
    }
    CHECK(total == ALL - NULLS, "%d came", total);
    check_data();
}

static void wait_some(int tests) {
    int seen[ALL] = {0}, indices[ALL], count, total = 0;
    MPI_Status statuses[ALL];
    begin();
    for (;;) {
        if (tests)
            CHECK_MPI(MPI_Testsome(ALL, requests, &count, indices, statuses));
        else
            CHECK_MPI(MPI_Waitsome(ALL, requests, &count, indices, statuses));
        if (count == MPI_UNDEFINED)
            break;
        CHECK(tests || count > 0, "nothing came");
        for (int i = 0; i < count; i++) {
            check_status(indices[i], &statuses[i]);
            CHECK(!seen[indices[i]]++, "%d came twice", indices[i]);
        }
        total += count;
    }
    CHECK(total == ALL - NULLS, "%d came", total);
    check_data();
}

/* One by one, in another order on every rank. */
static void one_by_one(void) {
    MPI_Status status;
    begin();
    for (int i = 0; i < ALL; i++) {
        int at = (i + 7 * rank) % ALL, flag = 0;
        while (rank % 2 && !flag)
            CHECK_MPI(MPI_Request_get_status(requests[at], &flag, &status));
        while (rank % 3 == 1 && !flag)
            CHECK_MPI(MPI_Test(&requests[at], &flag, &status));
        CHECK_MPI(MPI_Wait(&requests[at], &status));
    }
    check_data();
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
/* Looking does not complete anything: with collectives and nulls only, for MPICH 5.0.2 forgets
 * persistent messages that it was asked about. */
static void look_at_many(void) {
    enum { FIRST = 2 * MESSAGES, LOOKED = ALL - FIRST };
    int flag = 0, count = 0, index = -1, indices[ALL];
    MPI_Status statuses[ALL];
    CHECK_MPI(MPI_Request_get_status_any(LOOKED, kept + FIRST, &index, &flag, statuses));
    CHECK(flag && index == MPI_UNDEFINED, "flag %d, index %d", flag, index);
    CHECK_MPI(MPI_Request_get_status_some(LOOKED, kept + FIRST, &count, indices, statuses));
    CHECK(count == MPI_UNDEFINED, "%d of none", count);
    begin();
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status_any(LOOKED, requests + FIRST, &index, &flag, statuses));
    CHECK(index >= 0 && index < COLLECTIVES, "%d", index);
    for (flag = 0; !flag;)
        CHECK_MPI(MPI_Request_get_status_all(LOOKED, requests + FIRST, &flag, statuses));
    for (int i = 0; i < LOOKED; i++)
        check_status(FIRST + i, &statuses[i]);
    CHECK_MPI(MPI_Request_get_status_some(LOOKED, requests + FIRST, &count, indices, statuses));
    CHECK(count == COLLECTIVES, "%d", count);
    for (int i = 0; i < count; i++)
        check_status(FIRST + indices[i], &statuses[i]);
    CHECK_MPI(MPI_Waitall(ALL, requests, statuses));
    for (int i = 0; i < ALL; i++)
        check_status(i, &statuses[i]);
    check_data();
}
#else
static void look_at_many(void) {}
#endif

static void nothing_at_all(void) {
    int index = 0, count = 0, flag = 0;
    CHECK_MPI(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE));
    CHECK(index == MPI_UNDEFINED, "%d", index);
    CHECK_MPI(MPI_Testsome(0, NULL, &count, NULL, MPI_STATUSES_IGNORE));
    CHECK(count == MPI_UNDEFINED, "%d", count);
    CHECK_MPI(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag, "not complete");
    CHECK_MPI(MPI_Startall(0, requests));
}

/* Of what is MPI's own, its answer comes back as it is. */
static void cancel_receive(void) {
    int number, cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MESSAGES, MPI_COMM_SELF, &request);
    CHECK_MPI(MPI_Cancel(&request));
    CHECK_MPI(MPI_Wait(&request, &status));
    CHECK_MPI(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled, "a receive of nothing was not cancelled");
}

/* What MPI forbids of collectives comes back as an error. */
static void forbidden(void) {
    int class;
    MPI_Request request;
    return_errors(MPI_COMM_SELF);
    return_errors(MPI_COMM_WORLD);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Error_class(MPI_Cancel(&request), &class);
    CHECK(class == MPI_ERR_REQUEST, "cancel: class %d", class);
    MPI_Start(&request);
    MPI_Error_class(MPI_Start(&request), &class);
    CHECK(class == MPI_ERR_REQUEST, "start of an active one: class %d", class);
    MPI_Error_class(MPI_Request_free(&request), &class);
    CHECK(class == MPI_ERR_REQUEST, "free of an active one: class %d", class);
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Request_free(&request));
}

/* By each of the calls that only look. */
static void look(MPI_Request request, int way, int *flag) {
    int found = 0, index;
    switch (way) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    case 1:
        MPI_Request_get_status_all(1, &request, flag, MPI_STATUSES_IGNORE);
        break;
    case 2:
        MPI_Request_get_status_any(1, &request, &index, flag, MPI_STATUS_IGNORE);
        break;
    case 3:
        MPI_Request_get_status_some(1, &request, &found, &index, MPI_STATUSES_IGNORE);
        *flag = found != 0;
        break;
#endif
    default:
        (void)found, (void)index;
        MPI_Request_get_status(request, flag, MPI_STATUS_IGNORE);
    }
}

/* Freed when it has been called complete; nonblocking ones are only ours where that is enabled. */
static void free_what_is_complete(void) {
    const char *enabled = getenv("CAUCUS_ENABLE");
    for (int way = 0; way < 8; way++) {
        MPI_Request request;
        int mine = rank + way, sum = -1, flag = 0;
        if (way % 2 && enabled) {
            MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        } else {
            MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &request);
            MPI_Start(&request);
        }
        while (!flag)
            look(request, way / 2, &flag);
        CHECK_MPI(MPI_Request_free(&request));
        CHECK(request == MPI_REQUEST_NULL, "way %d: the handle lives on", way);
        CHECK(sum == size * (size - 1) / 2 + way * size, "way %d: %d", way, sum);
    }
}

/* What others have not begun is not complete, whoever looks. */
static void look_too_early(void) {
    for (int way = 0; way < 4 && size > 1; way++) {
        MPI_Request request;
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        if (rank == 0) {
            int flag = 1;
            MPI_Start(&request);
            look(request, way, &flag);
            CHECK(!flag, "way %d: complete before the others have begun", way);
            for (int other = 1; other < size; other++)
                MPI_Send(NULL, 0, MPI_INT, other, way, MPI_COMM_WORLD);
        } else {
            MPI_Recv(NULL, 0, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Start(&request);
        }
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_MPI(MPI_Request_free(&request));
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    make();
    for (int turn = 0; turn < 3; turn++) {
        wait_all();
        wait_any(turn % 2);
        wait_some(turn % 2);
        one_by_one();
        look_at_many();
    }
    look_too_early();
    nothing_at_all();
    cancel_receive();
    forbidden();
    free_what_is_complete();
    for (int i = 0; i < ALL - NULLS; i++)
        MPI_Request_free(&kept[i]);
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
