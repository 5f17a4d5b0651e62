/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies in the memory of a device: that processors and the kernel can't touch it here,
 * channels, messages of groups, tasks of pools, buffers at absolute addresses, calls that come
 * again with other memory, and a runtime that is loaded when all of that was called before.
 *
 * run: ranks=1,2,3 args=cuda
 * run: ranks=4 args=hip env=CAUCUS_NODES=2x2
 * run: ranks=3 args=ze
 * run: ranks=2 args="cuda none" env=CAUCUS_DEVICE=none
 * run: ranks=3 args=cuda env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_TIMEOUT=60 */
#include "buffer_memory.h"
#include "expect_error.h"

#include <caucus/caucus.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

enum { LONG = 50000, TURNS = 6 };

/* An array of ints of one kind: what the test sees, and what calls are given. */
struct ints {
    int *seen;
    void *given;
};

static struct ints ints(int count, enum standin_kind kind) {
    struct ints made = {.seen = standin_new((size_t)count * sizeof(int), kind)};
    made.given = buffer_address(made.seen);
    return made;
}

static void fill(const struct ints *ints, int count, int value) {
    for (int i = 0; i < count; i++)
        ints->seen[i] = value + i;
}

static void expect_ints(const struct ints *ints, int count, int value, int step, const char *what) {
    for (int i = 0; i < count; i++)
        CHECK(ints->seen[i] == value + step * i, "%s: element %d is %d, not %d", what, i,
              ints->seen[i], value + step * i);
}

/* Else nothing here would show anything. */
static void check_standin(void) {
    struct ints there = ints(1, STANDIN_DEVICE);
    int file = open("/dev/null", O_WRONLY), out[2];
    there.seen[0] = 7;
    CHECK(pipe(out) == 0 && write(out[1], there.given, 4) == -1 && errno == EFAULT, "the kernel");
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(*(volatile int *)there.given);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
              (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGABRT),
          "a processor may touch it");
    CHECK(there.seen[0] == 7, "the window");
    close(file), close(out[0]), close(out[1]);
    buffer_free(there.seen);
}

/* The same call again and again, each time with memory of other kinds than before. */
static void calls_again(void) {
    int size = world_size(), sum = size * (size - 1) / 2;
    for (int turn = 0; turn < TURNS * STANDIN_KINDS; turn++) {
        int kind = (turn + world_rank()) % STANDIN_KINDS, count = turn % 2 ? 3 : LONG;
        struct ints in = ints(count, (enum standin_kind)kind);
        struct ints out = ints(count, (enum standin_kind)((kind + turn) % STANDIN_KINDS));
        fill(&in, count, world_rank());
        CHECK_MPI(caucus_allreduce(in.given, out.given, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        expect_ints(&out, count, sum, size, "allreduce");
        CHECK_MPI(
            caucus_allreduce(MPI_IN_PLACE, in.given, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        expect_ints(&in, count, sum, size, "allreduce in place");
        buffer_free(in.seen);
        buffer_free(out.seen);
    }
}

/* One type with a piece on the device and one elsewhere. */
static void absolute(void) {
    struct ints near = ints(3, STANDIN_PLAIN), far = ints(5, STANDIN_DEVICE);
    int lengths[] = {3, 5}, last = world_size() - 1;
    MPI_Aint places[2];
    MPI_Datatype type;
    MPI_Get_address(near.given, &places[0]);
    MPI_Get_address(far.given, &places[1]);
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    fill(&near, 3, world_rank() == last ? 100 : 0);
    fill(&far, 5, world_rank() == last ? 200 : 0);
    CHECK_MPI(caucus_bcast(MPI_BOTTOM, 1, type, last, MPI_COMM_WORLD));
    expect_ints(&near, 3, 100, 1, "near");
    expect_ints(&far, 5, 200, 1, "far");
    MPI_Type_free(&type);
    buffer_free(near.seen);
    buffer_free(far.seen);
}

/* Copies that are not needed are not made. */
static void spares_copies(void) {
    long before = STANDIN(copies)();
    for (int i = 0; i < 3; i++) {
        struct ints both = ints(10, i ? STANDIN_MANAGED : STANDIN_PINNED);
        fill(&both, 10, 1);
        CHECK_MPI(caucus_allreduce(MPI_IN_PLACE, both.given, 10, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        expect_ints(&both, 10, 1, 1, "max");
        buffer_free(both.seen);
    }
    CHECK(STANDIN(copies)() == before, "%ld copies", STANDIN(copies)() - before);
    struct ints there = ints(1, STANDIN_DEVICE);
    CHECK_MPI(caucus_bcast(there.given, 0, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(STANDIN(copies)() == before, "copies of nothing");
    buffer_free(there.seen);
}

/* What the runtime refuses is an error, which has its words. */
static void refused(void) {
    struct ints small = ints(4, STANDIN_DEVICE), out = ints(400, STANDIN_PLAIN);
    MPI_Comm self;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    return_errors(self);
    expect(caucus_allreduce(small.given, out.given, 400, MPI_INT, MPI_SUM, self), MPI_ERR_INTERN,
           "could not copy 1600 bytes from the memory of a device");
    MPI_Comm_free(&self);
    buffer_free(small.seen);
    buffer_free(out.seen);
}

static void add(void *context, void *into, const void *from) {
    (void)context;
    *(int *)into += *(const int *)from;
}

static void answer(void *context, const caucus_delivery *question, void *answer) {
    (void)context;
    *(int *)answer = *(const int *)question->bytes + world_rank();
}

static int heard;
static void hear(void *context, const caucus_delivery *message) {
    (void)context;
    for (MPI_Count i = 0; i < message->length; i++)
        CHECK(((const unsigned char *)message->bytes)[i] ==
                  (unsigned char)(message->origin + message->offset + i),
              "byte %d from %d", (int)i, message->origin);
    heard += (int)message->length;
}

static void cast_all(caucus_channel channel, enum standin_kind kind) {
    int lengths[] = {1, 100, 70000}, accepted = 0;
    for (int i = 0; i < 3; i++) {
        unsigned char *seen = standin_new((size_t)lengths[i], kind);
        for (int k = 0; k < lengths[i]; k++)
            seen[k] = (unsigned char)(world_rank() + k);
        if (i == 0)
            while (!accepted)
                CHECK_MPI(caucus_try_cast(channel, buffer_address(seen), lengths[i], &accepted));
        else
            CHECK_MPI(caucus_cast(channel, buffer_address(seen), lengths[i]));
        memset(seen, 0, (size_t)lengths[i]);
        buffer_free(seen);
    }
}

/* Casts, and questions of all ranks at once, which all answer. */
static void channels(void) {
    caucus_channel channel;
    int size = world_size(), sum = size * (size - 1) / 2;
    caucus_channel_options options = {
        .deliver = hear, .answer = answer, .combine = add, .answer_bytes = sizeof(int)};
    struct ints question = ints(1, STANDIN_DEVICE), all = ints(1, STANDIN_POOL);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    heard = 0;
    cast_all(channel, (enum standin_kind)(world_rank() % STANDIN_KINDS));
    question.seen[0] = 1000;
    all.seen[0] = 1000 + world_rank();
    CHECK_MPI(caucus_channel_ask(channel, question.given, sizeof(int), all.given));
    CHECK(all.seen[0] == 1000 * size + sum, "the answer is %d", all.seen[0]);
    CHECK_MPI(caucus_channel_quiesce(channel));
    CHECK(heard == 70101 * (size - 1), "%d bytes came", heard);
    CHECK_MPI(caucus_channel_close(&channel));
    buffer_free(question.seen);
    buffer_free(all.seen);
}

/* Without callbacks: rank 0 has all contribute, and they reply from their devices. */
static void replies(void) {
    caucus_channel channel;
    caucus_delivery came;
    caucus_channel_options options = {.combine = add, .answer_bytes = sizeof(int)};
    struct ints own = ints(1, STANDIN_DEVICE);
    CHECK_MPI(caucus_channel_open(MPI_COMM_WORLD, &options, &channel));
    own.seen[0] = world_rank() + 1;
    if (world_rank() == 0) {
        CHECK_MPI(caucus_channel_allreduce(channel, CAUCUS_QUORUM_ALL, own.given, sizeof(int),
                                           own.given));
        CHECK(own.seen[0] == world_size() * (world_size() + 1) / 2, "the sum is %d", own.seen[0]);
    } else {
        CHECK_MPI(caucus_channel_recv(channel, &came));
        CHECK(*(const int *)came.bytes == 1, "the question is %d", *(const int *)came.bytes);
        CHECK_MPI(caucus_channel_reply(channel, 0, own.given));
    }
    CHECK_MPI(caucus_channel_recv(channel, &came));
    CHECK(came.outcome, "no outcome");
    CHECK_MPI(caucus_channel_close(&channel));
    buffer_free(own.seen);
}

/* With gaps, and shorter than the buffer that waits for it. */
static void group_messages(void) {
    enum { BLOCKS = 100 };
    caucus_group group;
    MPI_Datatype type;
    MPI_Request request;
    int rank = world_rank(), other = rank ^ 1, ranks[] = {0, 1};
    if (rank > 1 || world_size() < 2)
        return;
    CHECK_MPI(caucus_group_create(MPI_COMM_WORLD, ranks, 2, 3, &group));
    struct ints sum = ints(3, rank ? STANDIN_DEVICE : STANDIN_PLAIN);
    fill(&sum, 3, rank);
    CHECK_MPI(caucus_group_allreduce(MPI_IN_PLACE, sum.given, 3, MPI_INT, MPI_SUM, group));
    expect_ints(&sum, 3, 1, 2, "allreduce of a group");
    buffer_free(sum.seen);
    MPI_Type_vector(BLOCKS, 2, 5, MPI_INT, &type);
    MPI_Type_commit(&type);
    struct ints out = ints(5 * BLOCKS, rank ? STANDIN_DEVICE : STANDIN_PLAIN);
    struct ints in = ints(11 * BLOCKS, rank ? STANDIN_APART : STANDIN_DEVICE);
    fill(&out, 5 * BLOCKS, 1000 * rank);
    for (int i = 0; i < 11 * BLOCKS; i++)
        in.seen[i] = -1;
    if (rank == 0)
        CHECK_MPI(caucus_group_send(out.given, 1, type, 1, 4, group));
    CHECK_MPI(caucus_group_recv(in.given, 2, type, rank ? 0 : MPI_ANY_SOURCE, 4, group,
                                MPI_STATUS_IGNORE));
    if (rank == 1)
        CHECK_MPI(caucus_group_send(out.given, 1, type, 0, 4, group));
    for (int i = 0; i < 11 * BLOCKS; i++) {
        int wanted = i % 5 < 2 && i < 5 * BLOCKS ? 1000 * other + i : -1;
        CHECK(in.seen[i] == wanted, "element %d is %d, not %d", i, in.seen[i], wanted);
    }
    expect(caucus_group_isend(in.given, 1, type, other, 5, group, &request), MPI_ERR_BUFFER,
           "the memory of a device");
    expect(caucus_group_irecv(in.given, 1, type, other, 5, group, &request), MPI_ERR_BUFFER,
           "the memory of a device");
    CHECK_MPI(caucus_group_free(&group));
    MPI_Type_free(&type);
    buffer_free(out.seen);
    buffer_free(in.seen);
}

static int body(void *context, caucus_pool pool, caucus_group group, const void *task) {
    (void)pool, (void)group;
    *(int *)context += *(const int *)task;
    return 0;
}

static void tasks(void) {
    caucus_pool pool;
    int done = 0, all = 0;
    caucus_pool_options options = {.body = body, .context = &done, .task_bytes = sizeof(int)};
    struct ints task = ints(1, STANDIN_DEVICE);
    CHECK_MPI(caucus_pool_open(MPI_COMM_WORLD, &options, &pool));
    for (int i = 1; i < 5; i++) {
        task.seen[0] = i;
        CHECK_MPI(caucus_pool_submit(pool, 1, task.given));
    }
    CHECK_MPI(caucus_pool_run(pool));
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 10 * world_size(), "%d", all);
    CHECK_MPI(caucus_pool_close(&pool));
    buffer_free(task.seen);
}

/* Before anything of a device is in the process: these calls come again afterwards. */
static void calls_before(void) {
    int in[3] = {1, 1, 1}, out[3];
    for (int i = 0; i < 3; i++) {
        CHECK_MPI(caucus_allreduce(in, out, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_MPI(caucus_allreduce(MPI_IN_PLACE, out, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(out[2] == world_size() * world_size(), "%d", out[2]);
    }
}

/* Nothing is asked. */
static void ignore_device(void) {
    struct ints both = ints(10, STANDIN_MANAGED);
    fill(&both, 10, 1);
    CHECK_MPI(caucus_bcast(both.given, 10, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(STANDIN(asked)() == 0, "%ld questions", STANDIN(asked)());
    buffer_free(both.seen);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    calls_before();
    open_standin(argv[1]);
    if (argc > 2) {
        ignore_device();
    } else {
        check_standin();
        calls_again();
        absolute();
        spares_copies();
        refused();
        channels();
        replies();
        group_messages();
        tasks();
        CHECK(STANDIN(errors)() == 0, "the program's own error is %d", STANDIN(errors)());
    }
    MPI_Finalize();
    return 0;
}
