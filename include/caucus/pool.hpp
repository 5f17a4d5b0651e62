/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: pools of tasks, with any callable as the body.
 */
#ifndef CAUCUS_POOL_HPP
#define CAUCUS_POOL_HPP

#include <caucus/callback.hpp>
#include <caucus/error.hpp>
#include <caucus/pool.h>

#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace caucus {

/**
 * A pool of ranks that runs tasks (caucus_pool). Opening and closing are collective. The destructor
 * closes it, unless an exception is under way, which the other ranks may not have.
 *
 * A task is copied as bytes, so it must be trivially copyable, and mean the same in each process.
 * If a body throws, no more tasks are started, and run throws: on that rank what the body has
 * thrown, on all others caucus::error.
 */
template <class Task> class pool {
    static_assert(std::is_trivially_copyable<Task>::value, "tasks are copied as bytes");

  public:
    /** Runs a task on the ranks of a group, which is freed when the body returns. */
    using body = std::function<void(caucus_group, const Task &)>;

    /**
     * Opens a pool: caucus_pool_open.
     *
     * @param[in] comm   An intracommunicator.
     * @param[in] run    Runs the tasks.
     * @param[in] passes How many later tasks may start before one that waits for ranks.
     */
    pool(MPI_Comm comm, body run, int passes = 0) : state_(std::make_unique<state>()) {
        state_->run = std::move(run);
        caucus_pool_options options = {};
        options.body = call;
        options.context = state_.get();
        options.task_bytes = static_cast<int>(sizeof(Task));
        options.passes = passes;
        check(caucus_pool_open(comm, &options, &state_->pool));
    }

    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;

    ~pool() {
        if (state_->pool == CAUCUS_POOL_NULL)
            return;
        if (std::uncaught_exceptions() > state_->exceptions || detail::is_over() ||
            caucus_pool_close(&state_->pool) != MPI_SUCCESS)
            static_cast<void>(state_.release());
    }

    /**
     * Submits a task: caucus_pool_submit. Bodies may call it.
     *
     * @param[in] ranks How many ranks the task needs.
     * @param[in] task  The task, which is copied.
     */
    void submit(int ranks, const Task &task) {
        check(caucus_pool_submit(state_->pool, ranks, &task));
    }

    /** Runs all tasks: caucus_pool_run. Collective. */
    void run() {
        int code = caucus_pool_run(state_->pool);
        state_->caught.rethrow();
        check(code);
    }

    /**
     * What this rank has done since the pool was opened: caucus_pool_statistics.
     *
     * @return The counters of this rank.
     */
    caucus_pool_counters statistics() const {
        caucus_pool_counters found;
        check(caucus_pool_statistics(state_->pool, &found));
        return found;
    }

    /** Closes the pool: caucus_pool_close. Collective. */
    void close() {
        check(caucus_pool_close(&state_->pool));
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A pool, or CAUCUS_POOL_NULL after close.
     */
    caucus_pool get() const noexcept {
        return state_->pool;
    }

  private:
    /** What the library is told the address of. */
    struct state {
        body run;
        detail::caught caught;
        caucus_pool pool = CAUCUS_POOL_NULL;
        int exceptions = std::uncaught_exceptions();
    };

    static int call(void *context, caucus_pool, caucus_group group, const void *bytes) {
        state *own = static_cast<state *>(context);
        bool good = own->caught.call([&] {
            alignas(Task) unsigned char task[sizeof(Task)]; // the bytes may lie anywhere
            std::memcpy(task, bytes, sizeof task);
            own->run(group, *std::launder(reinterpret_cast<const Task *>(task)));
        });
        return good ? 0 : 1;
    }

    std::unique_ptr<state> state_;
};

} // namespace caucus

#endif
