/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: requests that free themselves.
 */
#ifndef CAUCUS_REQUEST_HPP
#define CAUCUS_REQUEST_HPP

#include <caucus/error.hpp>
#include <caucus/request.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace caucus {

/**
 * A nonblocking or persistent operation (caucus_request). The destructor waits until the operation
 * is complete, because its buffers are in use before, and frees it.
 *
 * @code
 * caucus::request sum = caucus::make_request(caucus_allreduce_init, in, out, n, MPI_DOUBLE,
 *                                            MPI_SUM, comm, MPI_INFO_NULL);
 * for (int step = 0; step < steps; step++) {
 *     sum.start();
 *     sum.wait();
 * }
 * @endcode
 */
class request {
  public:
    /** No request. */
    request() noexcept = default;

    /**
     * Takes a request over.
     *
     * @param[in] taken A request, which now belongs to this object.
     */
    explicit request(caucus_request taken) noexcept : request_(taken) {}

    /**
     * Takes a request over.
     *
     * @param[in] other Is no request afterwards.
     */
    request(request &&other) noexcept : request_(other.release()) {}

    /**
     * Takes a request over, after the own one is complete and freed.
     *
     * @param[in] other Is no request afterwards.
     * @return This object.
     */
    request &operator=(request &&other) noexcept {
        if (this != &other) {
            finish();
            request_ = other.release();
        }
        return *this;
    }

    request(const request &) = delete;
    request &operator=(const request &) = delete;

    ~request() {
        finish();
    }

    /** Starts a persistent operation: caucus_start. */
    void start() {
        check(caucus_start(&request_));
    }

    /** Waits until the operation is complete: caucus_wait. */
    void wait() {
        check(caucus_wait(&request_, MPI_STATUS_IGNORE));
    }

    /**
     * Tells whether the operation is complete, without waiting: caucus_test.
     *
     * @return Whether it is, or none is active.
     */
    bool test() {
        int flag = 0;
        check(caucus_test(&request_, &flag, MPI_STATUS_IGNORE));
        return flag != 0;
    }

    /**
     * Whether there is a request.
     *
     * @return False for no request, and when a nonblocking operation is complete.
     */
    explicit operator bool() const noexcept {
        return request_ != CAUCUS_REQUEST_NULL;
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A request, or CAUCUS_REQUEST_NULL.
     */
    caucus_request get() const noexcept {
        return request_;
    }

    /**
     * Gives the request away.
     *
     * @return A request that belongs to the caller, or CAUCUS_REQUEST_NULL.
     */
    caucus_request release() noexcept {
        return std::exchange(request_, CAUCUS_REQUEST_NULL);
    }

    /**
     * Where the handle lies, for functions of C that make or complete requests. What was there must
     * have been released.
     *
     * @return Its place in this object.
     */
    caucus_request *place() noexcept {
        return &request_;
    }

  private:
    void finish() noexcept {
        if (request_ == CAUCUS_REQUEST_NULL || detail::is_over())
            return;
        caucus_wait(&request_, MPI_STATUS_IGNORE);
        if (request_ != CAUCUS_REQUEST_NULL)
            caucus_request_free(&request_);
    }

    caucus_request request_ = CAUCUS_REQUEST_NULL;
};

/**
 * Makes a request by any function of Caucus whose last parameter is the request: nonblocking and
 * persistent collectives, on groups too, caucus_redistribute_init.
 *
 * @param[in] function  The function.
 * @param[in] arguments Its arguments, without the request.
 * @return The request.
 */
template <class... Parameters, class... Arguments>
request make_request(int (*function)(Parameters...), Arguments &&...arguments) {
    request made;
    check(function(std::forward<Arguments>(arguments)..., made.place()));
    return made;
}

/** @cond */
namespace detail {

/** The handles of requests as an array of C, and back. */
class handles {
  public:
    explicit handles(std::vector<request> &requests) : requests_(requests) {
        array_.reserve(requests.size()); // or it throws, before any request is taken out
        for (request &one : requests)
            array_.push_back(one.release());
    }
    ~handles() {
        for (std::size_t i = 0; i < array_.size(); i++)
            *requests_[i].place() = array_[i];
    }
    handles(const handles &) = delete;
    handles &operator=(const handles &) = delete;
    caucus_request *data() {
        return array_.data();
    }
    int size() const {
        return static_cast<int>(array_.size());
    }

  private:
    std::vector<request> &requests_;
    std::vector<caucus_request> array_;
};

} // namespace detail
/** @endcond */

/**
 * Starts several persistent operations: caucus_startall.
 *
 * @param[in] requests Inactive persistent requests.
 */
inline void start_all(std::vector<request> &requests) {
    detail::handles all(requests);
    check(caucus_startall(all.size(), all.data()));
}

/**
 * Waits until all operations are complete: caucus_waitall.
 *
 * @param[in] requests The requests.
 */
inline void wait_all(std::vector<request> &requests) {
    detail::handles all(requests);
    check(caucus_waitall(all.size(), all.data(), MPI_STATUSES_IGNORE));
}

/**
 * Waits until one of several operations is complete: caucus_waitany.
 *
 * @param[in] requests The requests.
 * @return The index of the one that completed; nothing if none is active.
 */
inline std::optional<std::size_t> wait_any(std::vector<request> &requests) {
    detail::handles all(requests);
    int index = MPI_UNDEFINED;
    check(caucus_waitany(all.size(), all.data(), &index, MPI_STATUS_IGNORE));
    if (index == MPI_UNDEFINED)
        return std::nullopt;
    return static_cast<std::size_t>(index);
}

/**
 * Tells whether all operations are complete, without waiting: caucus_testall.
 *
 * @param[in] requests The requests.
 * @return Whether all are; if not, none is changed.
 */
inline bool test_all(std::vector<request> &requests) {
    detail::handles all(requests);
    int flag = 0;
    check(caucus_testall(all.size(), all.data(), &flag, MPI_STATUSES_IGNORE));
    return flag != 0;
}

} // namespace caucus

#endif
