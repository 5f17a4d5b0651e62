/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: exceptions of callbacks, which must not pass through a library in C.
 */
#ifndef CAUCUS_CALLBACK_HPP
#define CAUCUS_CALLBACK_HPP

#include <exception>
#include <mutex>
#include <utility>

/** @cond */
namespace caucus {
namespace detail {

/** Keeps the first exception of callbacks, in whatever thread they run, until somebody asks. */
class caught {
  public:
    /** Tells whether the callback has returned. */
    template <class Callback> bool call(Callback &&callback) noexcept {
        try {
            callback();
            return true;
        } catch (...) {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!first_)
                first_ = std::current_exception();
            return false;
        }
    }

    void rethrow() {
        std::exception_ptr found;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            found = std::exchange(first_, nullptr);
        }
        if (found)
            std::rethrow_exception(found);
    }

  private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

} // namespace detail
} // namespace caucus
/** @endcond */

#endif
