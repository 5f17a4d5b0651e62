/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * @brief C++: node-aware grids as communicators that free themselves.
 */
#ifndef CAUCUS_GRID_HPP
#define CAUCUS_GRID_HPP

#include <caucus/comm.hpp>
#include <caucus/error.hpp>
#include <caucus/grid.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace caucus {

/** @cond */
namespace detail {

/** A list with an entry for each dimension, or an empty one, which C takes as a null pointer. */
template <class Value>
const Value *per_dimension(const std::vector<Value> &values, const std::vector<int> &dims) {
    if (!values.empty() && values.size() != dims.size())
        throw std::invalid_argument("caucus: a list has " + std::to_string(values.size()) +
                                    " entries, but there are " + std::to_string(dims.size()) +
                                    " dimensions");
    return values.empty() ? nullptr : values.data();
}

} // namespace detail
/** @endcond */

/**
 * Chooses dimensions for a grid: caucus_dims_create. Collective over @p comm.
 *
 * @param[in] comm    An intracommunicator.
 * @param[in] nranks  Number of ranks in the grid.
 * @param[in] dims    An entry for each dimension: zeros are chosen, other numbers kept.
 * @param[in] periods A flag for each dimension, or empty: none is periodic.
 * @param[in] extents The size of the global mesh along each dimension, or empty: all the same.
 * @return The dimensions.
 */
inline std::vector<int> dims_create(MPI_Comm comm, int nranks, std::vector<int> dims,
                                    const std::vector<int> &periods = {},
                                    const std::vector<double> &extents = {}) {
    check(caucus_dims_create(comm, nranks, static_cast<int>(dims.size()),
                             detail::per_dimension(extents, dims),
                             detail::per_dimension(periods, dims), dims.data()));
    return dims;
}

/**
 * Makes a Cartesian communicator whose ranks may be reordered: caucus_cart_create_weighted.
 * Collective over @p comm.
 *
 * @param[in] comm    An intracommunicator.
 * @param[in] dims    Number of ranks along each dimension.
 * @param[in] periods A flag for each dimension, or empty: none is periodic.
 * @param[in] weights How much a rank sends to each neighbour along each dimension, or empty: the
 *                    same along all.
 * @param[in] reorder Whether ranks may be reordered.
 * @return The communicator; none on a rank that has no cell.
 */
inline communicator cart_create(MPI_Comm comm, const std::vector<int> &dims,
                                const std::vector<int> &periods = {},
                                const std::vector<double> &weights = {}, bool reorder = true) {
    std::vector<int> flags = periods.empty() ? std::vector<int>(dims.size(), 0) : periods;
    communicator made;
    check(caucus_cart_create_weighted(
        comm, static_cast<int>(dims.size()), dims.data(), detail::per_dimension(flags, dims),
        detail::per_dimension(weights, dims), reorder ? 1 : 0, made.place()));
    return made;
}

/**
 * Measures what reordering did: caucus_cart_report. Collective over @p comm.
 *
 * @param[in] comm A communicator with a Cartesian topology.
 * @return The report, the same on every rank.
 */
inline caucus_cart_report_data cart_report(MPI_Comm comm) {
    caucus_cart_report_data found;
    check(caucus_cart_report(comm, &found));
    return found;
}

} // namespace caucus

#endif
