/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: attaching communicators, and communicators that free themselves.
 */
#ifndef CAUCUS_COMM_HPP
#define CAUCUS_COMM_HPP

#include <caucus/comm.h>
#include <caucus/error.hpp>

#include <utility>

namespace caucus {

/**
 * Attaches a communicator (caucus_comm_attach), which making groups takes.
 *
 * @param[in] comm A communicator.
 */
inline void attach(MPI_Comm comm) {
    check(caucus_comm_attach(comm));
}

/**
 * A communicator of MPI. The destructor frees it, which is collective over it, as MPI_Comm_free is.
 */
class communicator {
  public:
    /** No communicator. */
    communicator() noexcept = default;

    /**
     * Takes a communicator over.
     *
     * @param[in] taken A communicator, which now belongs to this object.
     */
    explicit communicator(MPI_Comm taken) noexcept : comm_(taken) {}

    /**
     * Takes a communicator over.
     *
     * @param[in] other Is no communicator afterwards.
     */
    communicator(communicator &&other) noexcept : comm_(other.release()) {}

    /**
     * Takes a communicator over, after the own one is freed.
     *
     * @param[in] other Is no communicator afterwards.
     * @return This object.
     */
    communicator &operator=(communicator &&other) noexcept {
        if (this != &other) {
            finish();
            comm_ = other.release();
        }
        return *this;
    }

    communicator(const communicator &) = delete;
    communicator &operator=(const communicator &) = delete;

    ~communicator() {
        finish();
    }

    /**
     * Whether there is a communicator.
     *
     * @return False for MPI_COMM_NULL.
     */
    explicit operator bool() const noexcept {
        return comm_ != MPI_COMM_NULL;
    }

    /**
     * The handle, which stays with this object.
     *
     * @return A communicator, or MPI_COMM_NULL.
     */
    MPI_Comm get() const noexcept {
        return comm_;
    }

    /**
     * Gives the communicator away.
     *
     * @return A communicator that belongs to the caller, or MPI_COMM_NULL.
     */
    MPI_Comm release() noexcept {
        return std::exchange(comm_, MPI_COMM_NULL);
    }

    /**
     * Where the handle lies, for functions of C that make communicators. What was there must have
     * been released.
     *
     * @return Its place in this object.
     */
    MPI_Comm *place() noexcept {
        return &comm_;
    }

  private:
    void finish() noexcept {
        if (comm_ != MPI_COMM_NULL && !detail::is_over())
            MPI_Comm_free(&comm_);
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
};

} // namespace caucus

#endif
