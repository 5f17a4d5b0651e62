/* SPDX-License-Identifier: BSD-3-Clause */
/* The C++ wrappers do what they wrap, free what they hold, and throw with the library's text. Run
 * on four ranks by test_wrappers.py. */
#include <caucus/caucus.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "rank %d, line %d: %s\n", rank, __LINE__, #condition);            \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static int rank, size;

static_assert(!std::is_copy_constructible<caucus::request>::value, "");
static_assert(!std::is_copy_constructible<caucus::group>::value, "");
static_assert(std::is_nothrow_move_constructible<caucus::request>::value, "");
static_assert(std::is_nothrow_move_constructible<caucus::group>::value, "");
static_assert(std::is_nothrow_move_constructible<caucus::communicator>::value, "");

/** Whether the request can be had, and so moved out of what the library writes to. */
template <class Pending, class = void> struct gives_request : std::false_type {};
template <class Pending>
struct gives_request<Pending, std::void_t<decltype(std::declval<Pending &>().request())>>
    : std::true_type {};
static_assert(!gives_request<caucus::pending_group>::value, "");

static void errors() {
    int value = 0;
    try {
        caucus::call(caucus_bcast, &value, 1, MPI_INT, size, MPI_COMM_WORLD);
        EXPECT(!"no exception");
    } catch (const caucus::error &problem) {
        EXPECT(problem.error_class() == MPI_ERR_ROOT);
        EXPECT(std::strstr(problem.what(), "root is 4"));
    }
}

static void requests() {
    int in = rank, out = -1;
    caucus::request sum = caucus::make_request(caucus_allreduce_init, &in, &out, 1, MPI_INT,
                                               MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL);
    for (int step = 0; step < 3; step++) {
        in = rank + step;
        sum.start();
        sum.wait();
        EXPECT(out == 6 + 4 * step);
    }
    caucus::request moved = std::move(sum);
    EXPECT(moved && !sum);
    moved.start();
    while (!moved.test())
        ;
    EXPECT(out == 14);
    try {
        caucus::request().start();
        EXPECT(!"no exception");
    } catch (const caucus::error &problem) {
        EXPECT(problem.error_class() == MPI_ERR_REQUEST);
    }
}

/** A request that goes out of scope has completed. */
static void destruction() {
    int in = 1 << rank, out = -1;
    {
        caucus::request sum =
            caucus::make_request(caucus_iallreduce, &in, &out, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    }
    EXPECT(out == 15);
    out = -1;
    {
        caucus::request sum = caucus::make_request(caucus_allreduce_init, &in, &out, 1, MPI_INT,
                                                   MPI_BOR, MPI_COMM_WORLD, MPI_INFO_NULL);
        sum.start();
    }
    EXPECT(out == 15);
}

static void several_requests() {
    int in = rank, out[2] = {-1, -1};
    std::vector<caucus::request> both;
    both.push_back(caucus::make_request(caucus_allreduce_init, &in, &out[0], 1, MPI_INT, MPI_SUM,
                                        MPI_COMM_WORLD, MPI_INFO_NULL));
    both.push_back(caucus::make_request(caucus_allreduce_init, &in, &out[1], 1, MPI_INT, MPI_MAX,
                                        MPI_COMM_WORLD, MPI_INFO_NULL));
    EXPECT(!caucus::wait_any(both));
    caucus::start_all(both);
    caucus::wait_all(both);
    EXPECT(out[0] == 6 && out[1] == 3 && caucus::test_all(both));
    caucus::start_all(both);
    EXPECT(caucus::wait_any(both));
    caucus::wait_all(both);
}

static int freed;

static int count_freed(MPI_Comm, int, void *, void *) {
    freed++;
    return MPI_SUCCESS;
}

/** A communicator that goes out of scope, or gets another value, is freed. */
static void communicators() {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_freed, &key, nullptr);
    {
        caucus::communicator comm, other;
        MPI_Comm_dup(MPI_COMM_WORLD, comm.place());
        MPI_Comm_dup(MPI_COMM_WORLD, other.place());
        MPI_Comm_set_attr(comm.get(), key, nullptr);
        MPI_Comm_set_attr(other.get(), key, nullptr);
        comm = std::move(other);
        EXPECT(freed == 1 && comm && !other);
    }
    EXPECT(freed == 2);
    MPI_Comm_free_keyval(&key);
}

static void groups() {
    const int members[] = {3, 1};
    caucus::group odd = caucus::make_group(caucus_group_create, MPI_COMM_WORLD, members, 2, 7);
    EXPECT(static_cast<bool>(odd) == (rank % 2 == 1));
    if (odd) {
        EXPECT(odd.size() == 2 && odd.rank() == (rank == 3 ? 0 : 1));
        EXPECT((odd.members() == std::vector<int>{3, 1}));
        int sum = rank;
        caucus::call(caucus_group_allreduce, MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, odd.get());
        EXPECT(sum == 4);
        caucus::communicator comm = odd.to_comm();
        int of_two = 0;
        MPI_Comm_size(comm.get(), &of_two);
        EXPECT(of_two == 2);
    }
    caucus::group all = caucus::make_group(caucus_group_from_comm, MPI_COMM_WORLD);
    caucus::pending_group half =
        caucus::make_pending_group(caucus_group_isplit, all.get(), rank / 2, -rank);
    caucus::pending_group elsewhere = std::move(half); // its place must not move with it
    caucus::group made = elsewhere.get();
    EXPECT(made.size() == 2 && made.rank() == 1 - rank % 2 && !elsewhere.get());
    for (int turn = 0; turn < 3; turn++) // one that is pending is waited for
        elsewhere = caucus::make_pending_group(caucus_group_isplit, all.get(), rank / 2, rank);
    EXPECT(elsewhere.get().rank() == rank % 2);
}

static void channels() {
    std::vector<int> heard(4, 0);
    auto hear = [&](const caucus_delivery &message) {
        EXPECT(message.length == 2 && !std::memcmp(message.bytes, "hi", 2));
        heard[static_cast<std::size_t>(message.origin)]++;
    };
    {
        caucus::channel channel(MPI_COMM_WORLD, {hear, {}, {}});
        caucus::channel moved = std::move(channel);
        moved.cast("hi");
        moved.quiesce();
        EXPECT(moved.statistics().casts == 1);
    }
    for (int other = 0; other < size; other++)
        EXPECT(heard[static_cast<std::size_t>(other)] == (other != rank));
}

static void received_messages() {
    caucus::channel channel(MPI_COMM_WORLD);
    if (rank == 2)
        channel.cast("once");
    int heard = 0;
    while (!channel.try_quiesce())
        if (auto message = channel.try_recv())
            heard += message->origin == 2 && message->length == 4;
    EXPECT(heard == (rank != 2) && !channel.try_recv());
    channel.close();
    EXPECT(channel.get() == CAUCUS_CHANNEL_NULL);
}

static void questions() {
    caucus_channel_options options = {};
    options.answer_bytes = sizeof(int);
    auto ignore = [](const caucus_delivery &) {};
    auto answer = [](const caucus_delivery &, void *bytes) { *static_cast<int *>(bytes) = rank; };
    auto combine = [](void *into, const void *from) {
        *static_cast<int *>(into) += *static_cast<const int *>(from);
    };
    caucus::channel channel(MPI_COMM_WORLD, {ignore, answer, combine}, options);
    int own = rank;
    if (rank == 1) {
        channel.ask("?", 1, &own);
        EXPECT(own == 6);
    }
    channel.close();
}

/** What a callback throws comes out of the call in which it ran. */
static void exceptions_of_callbacks() {
    auto refuse = [](const caucus_delivery &message) {
        throw std::runtime_error("no, rank " + std::to_string(message.origin));
    };
    caucus::channel channel(MPI_COMM_WORLD, {refuse, {}, {}});
    if (rank == 0)
        channel.cast("x");
    bool thrown = false;
    try {
        channel.quiesce();
    } catch (const std::runtime_error &problem) {
        thrown = !std::strcmp(problem.what(), "no, rank 0");
    }
    EXPECT(thrown == (rank != 0));
    channel.close();
}

/** A call whose callback throws has its result all the same: the next call throws. */
static void results_beside_exceptions() {
    caucus_channel_options options = {};
    options.answer_bytes = sizeof(int);
    int heard = 0, accepted = 0, own = rank;
    auto refuse = [&](const caucus_delivery &message) {
        if (message.origin == 0 && heard++ == 0)
            throw std::runtime_error("no");
    };
    auto answer = [](const caucus_delivery &, void *bytes) { *static_cast<int *>(bytes) = rank; };
    auto combine = [](void *into, const void *from) {
        *static_cast<int *>(into) += *static_cast<const int *>(from);
        if (rank == 1)
            throw std::runtime_error("no sum");
    };
    auto throws = [](caucus::channel &channel, const char *words) {
        try {
            channel.poll();
        } catch (const std::runtime_error &problem) {
            return !std::strcmp(problem.what(), words);
        }
        return false;
    };
    caucus::channel channel(MPI_COMM_WORLD, {refuse, answer, combine}, options);
    if (rank == 0)
        channel.cast("x");
    while (rank != 0 && heard == 0)
        accepted += channel.try_cast("y", 1);
    EXPECT(rank == 0 || throws(channel, "no"));
    EXPECT(rank == 0 || channel.statistics().casts == accepted);
    if (rank == 1) {
        channel.ask("?", 1, &own);
        EXPECT(own == 6 && throws(channel, "no sum"));
    }
    while (!channel.try_quiesce())
        continue;
    channel.close();
}

struct task {
    int number;
};

static void pools() {
    int done = 0, all = 0;
    caucus::pool<task> pool(MPI_COMM_WORLD, [&](caucus_group group, const task &given) {
        int own = 0, count = 0;
        caucus::call(caucus_group_rank, group, &own);
        caucus::call(caucus_group_size, group, &count);
        EXPECT(count == given.number % 3 + 1);
        done += own == 0 ? given.number : 0;
    });
    if (rank == 3)
        for (int i = 1; i <= 9; i++)
            pool.submit(i % 3 + 1, {i});
    pool.run();
    MPI_Allreduce(&done, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all == 45);
}

/** A task that cannot be made of nothing, and whose alignment is that of no byte. */
struct made_task {
    explicit made_task(long long given) : number(given) {}
    alignas(64) const long long number;
};

static void pool_of_made_tasks() {
    long long done = 0, all = 0;
    caucus::pool<made_task> pool(MPI_COMM_WORLD, [&](caucus_group, const made_task &given) {
        EXPECT(reinterpret_cast<std::uintptr_t>(&given) % 64 == 0);
        done += given.number;
    });
    if (rank == 0)
        for (int i = 1; i <= 4; i++)
            pool.submit(1, made_task(i));
    pool.run();
    MPI_Allreduce(&done, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all == 10);
}

static void failing_pool() {
    caucus::pool<task> pool(MPI_COMM_WORLD,
                            [](caucus_group, const task &) { throw std::logic_error("bad"); });
    if (rank == 0)
        pool.submit(1, {0});
    int thrown = 0, failed = 0;
    try {
        pool.run();
    } catch (const std::logic_error &) {
        thrown = 1;
    } catch (const caucus::error &problem) {
        failed = problem.error_class() == MPI_ERR_OTHER;
    }
    int mine[2] = {thrown, failed}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(all[0] == 1 && all[1] == 3);
}

static void balances() {
    caucus::balance balance(MPI_COMM_WORLD, 2);
    int left = balance.where().work == 0 ? 3 : 0;
    for (int news = CAUCUS_BALANCE_GROWN; news != CAUCUS_BALANCE_OVER;) {
        if (news == CAUCUS_BALANCE_GROWN) {
            caucus::balance::place place = balance.where();
            caucus::call(caucus_group_bcast, &left, 1, MPI_INT, place.source, place.group);
        }
        left -= left > 0;
        news = balance.poll(left > 0);
    }
    EXPECT(balance.statistics().polls > 0);
}

static void grids() {
    std::vector<int> dims = caucus::dims_create(MPI_COMM_WORLD, size, {0, 2});
    EXPECT((dims == std::vector<int>{2, 2}));
    caucus::communicator grid = caucus::cart_create(MPI_COMM_WORLD, dims, {1, 1}, {1.0, 10.0});
    int kind = 0;
    MPI_Topo_test(grid.get(), &kind);
    EXPECT(kind == MPI_CART && caucus::cart_report(grid.get()).nodes >= 1);
    try {
        caucus::cart_create(MPI_COMM_WORLD, {2, 2}, {1});
        EXPECT(!"no exception");
    } catch (const std::invalid_argument &problem) {
        EXPECT(std::strstr(problem.what(), "1 entries"));
    }
}

static void redistributions() {
    int have = rank, want = -1;
    caucus_index_range own = {rank, 1}, next = {(rank + 1) % size, 1};
    caucus::request request =
        caucus::make_request(caucus_redistribute_init, &have, 1, &own, MPI_INT, &want, 1, &next,
                             MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL);
    request.start();
    request.wait();
    EXPECT(want == (rank + 1) % size);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    EXPECT(size == 4);
    caucus::return_errors(MPI_COMM_WORLD);
    caucus::return_errors(MPI_COMM_SELF);
    caucus::attach(MPI_COMM_WORLD);
    errors();
    requests();
    destruction();
    several_requests();
    communicators();
    groups();
    channels();
    received_messages();
    questions();
    exceptions_of_callbacks();
    results_beside_exceptions();
    pools();
    pool_of_made_tasks();
    failing_pool();
    balances();
    grids();
    redistributions();
    if (rank == 0)
        std::printf("all right\n");
    return MPI_Finalize();
}
