// SPDX-License-Identifier: BSD-3-Clause
// Random grid problems of every kind: up to 10 dimensions, sides of 1 and 2, mixed periodicity,
// stars, boxes and asymmetric stencils, with and without weights, equal and uneven nodes.
#pragma once

#include "problem.hpp"

#include <algorithm>
#include <memory>

namespace test {

inline std::vector<int> random_dims(Random &random, long limit) {
    int ndims = random.chance(0.1) ? random.from(6, 10) : random.from(0, 5);
    std::vector<int> dims;
    for (int axis = 0; axis < ndims; axis++) {
        int most = static_cast<int>(limit / product(dims));
        int usual = ndims > 5 ? 3 : random.chance(0.3) ? 3 : 40;
        dims.push_back(random.from(1, std::max(1, std::min(most, usual))));
    }
    return dims;
}

inline std::vector<int> random_offsets(Random &random, const std::vector<int> &dims) {
    std::vector<int> offsets;
    int ndims = static_cast<int>(dims.size()), wanted = ndims ? random.from(1, 8) : 0;
    int reach = random.chance(0.2) ? 7 : 2;
    for (int k = 0; k < wanted; k++) {
        std::vector<int> offset;
        for (int axis = 0; axis < ndims; axis++)
            offset.push_back(random.from(-reach, reach));
        if (std::count(offset.begin(), offset.end(), 0) == ndims)
            offset[0] = 1;
        offsets.insert(offsets.end(), offset.begin(), offset.end());
    }
    return offsets;
}

inline std::vector<int> star_offsets(int ndims) {
    std::vector<int> offsets;
    for (int axis = 0; axis < ndims; axis++)
        for (int sign : {-1, 1})
            for (int other = 0; other < ndims; other++)
                offsets.push_back(other == axis ? sign : 0);
    return offsets;
}

// All divisors are equally likely as node sizes, so that most mappers apply often.
inline std::vector<int> random_nodes(Random &random, long ranks) {
    std::vector<int> divisors;
    for (int size = 1; size <= ranks; size++)
        if (ranks % size == 0)
            divisors.push_back(size);
    if (random.chance(0.5))
        return blocks(
            ranks, divisors[static_cast<size_t>(random.below(static_cast<int>(divisors.size())))]);
    if (random.chance(0.3))
        return blocks(ranks, random.from(1, static_cast<int>(std::min(ranks, 64L))));
    return random_sizes(random, ranks, random.from(1, 64));
}

inline std::unique_ptr<Problem> random_problem(Random &random, long limit = 2000) {
    Case given;
    given.dims = random_dims(random, limit);
    for (size_t axis = 0; axis < given.dims.size(); axis++)
        given.periodic.push_back(random.below(2));
    given.sizes = random_nodes(random, product(given.dims));
    std::vector<int> offsets = random.chance(0.6)
                                   ? star_offsets(static_cast<int>(given.dims.size()))
                                   : random_offsets(random, given.dims);
    std::vector<double> weights(given.dims.empty() ? 0 : offsets.size() / given.dims.size(), 1.0);
    if (random.chance(0.5))
        for (double &weight : weights)
            weight = random.chance(0.1) ? 0 : random.from(1, 40) / 4.0;
    return std::make_unique<Problem>(given, offsets, weights);
}

} // namespace test
