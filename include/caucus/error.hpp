/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: errors as exceptions, with the text of Caucus.
 */
#ifndef CAUCUS_ERROR_HPP
#define CAUCUS_ERROR_HPP

#include <caucus/error.h>

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <utility>

/**
 * The C++17 wrappers: objects that free what they hold, and exceptions in place of codes.
 *
 * Each object wraps the handle of the C library and nothing more; get() gives the handle, to be
 * passed to functions of C. Objects can be moved, not copied.
 *
 * Errors: Caucus calls the error handler of the communicator before it returns a code, so an
 * exception can be thrown only if the handler returns: caucus::return_errors.
 *
 * Destructors do not throw. An error that a destructor meets is lost; to see it, call wait, close
 * and the like before.
 */
namespace caucus {

/** What went wrong in a function of Caucus, or of MPI. */
class error : public std::runtime_error {
  public:
    /**
     * Made by caucus::check.
     *
     * @param[in] code An MPI error code.
     * @param[in] text The explanation.
     */
    error(int code, const std::string &text) : std::runtime_error(text), code_(code) {}

    /**
     * The code that the function returned.
     *
     * @return An MPI error code.
     */
    int code() const noexcept {
        return code_;
    }

    /**
     * What kind of error it is.
     *
     * @return An MPI error class, such as MPI_ERR_ARG.
     */
    int error_class() const noexcept {
        int found = MPI_ERR_UNKNOWN;
        MPI_Error_class(code_, &found);
        return found;
    }

  private:
    int code_;
};

/**
 * Throws if a function of Caucus has failed.
 *
 * @param[in] code What the function has returned in this thread just before.
 */
inline void check(int code) {
    if (code != MPI_SUCCESS)
        throw error(code, caucus_error_text());
}

/**
 * Calls a function of Caucus, and throws if it fails.
 *
 * @code
 * caucus::call(caucus_allreduce, in, out, n, MPI_DOUBLE, MPI_SUM, comm);
 * caucus::call(caucus_group_bcast, buffer, n, MPI_INT, 0, group.get());
 * @endcode
 *
 * @param[in] function  A function that returns an MPI error code.
 * @param[in] arguments Its arguments.
 */
template <class... Parameters, class... Arguments>
void call(int (*function)(Parameters...), Arguments &&...arguments) {
    check(function(std::forward<Arguments>(arguments)...));
}

/**
 * Makes errors on a communicator, and on communicators that are derived from it later, exceptions:
 * sets MPI_ERRORS_RETURN. Errors of a call without a valid communicator, group or request go to the
 * error handler of MPI_COMM_SELF.
 *
 * @param[in] comm A communicator.
 */
inline void return_errors(MPI_Comm comm) {
    int code = MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS)
        throw error(code, "MPI_Comm_set_errhandler has failed");
}

/** @cond */
namespace detail {

/** Whether MPI was finalized, after which objects that are left hold nothing to be freed. */
inline bool is_over() noexcept {
    int finalized = 0;
    MPI_Finalized(&finalized);
    return finalized != 0;
}

} // namespace detail
/** @endcond */

} // namespace caucus

#endif
