// SPDX-License-Identifier: BSD-3-Clause
// Problems for tests in one line, freed by themselves.
#pragma once

#include "full_run.hpp"
extern "C" {
#include "plan/grid/problem.h"
}

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace test {

// How a grid is talked about in tests: {12, 16}, periodic axes {1, 0}, node sizes, a weight per
// axis.
struct Case {
    std::vector<int> dims;
    std::vector<int> periodic = {}; // empty: open
    std::vector<int> sizes = {};    // node sizes
    std::vector<double> weights = {};
};

class Problem {
  public:
    explicit Problem(const Case &given) {
        require(caucus_grid_init(&problem.grid, ndims(given), given.dims.data(),
                                 given.periodic.empty() ? nullptr : given.periodic.data()));
        require(caucus_stencil_init_star(&problem.stencil, ndims(given),
                                         given.weights.empty() ? nullptr : given.weights.data()));
        init_nodes(given.sizes);
    }
    Problem(const Case &given, const std::vector<int> &offsets,
            const std::vector<double> &weights) {
        require(caucus_grid_init(&problem.grid, ndims(given), given.dims.data(),
                                 given.periodic.empty() ? nullptr : given.periodic.data()));
        require(caucus_stencil_init(&problem.stencil, ndims(given),
                                    static_cast<int>(weights.size()), offsets.data(),
                                    weights.data()));
        init_nodes(given.sizes);
    }
    ~Problem() {
        caucus_grid_problem_free(&problem);
    }
    Problem(const Problem &) = delete;
    Problem &operator=(const Problem &) = delete;

    operator const caucus_grid_problem *() const {
        return &problem;
    }
    const caucus_grid_problem *operator->() const {
        return &problem;
    }

  private:
    static int ndims(const Case &given) {
        return static_cast<int>(given.dims.size());
    }
    void init_nodes(const std::vector<int> &sizes) {
        require(
            caucus_nodes_init(&problem.nodes, static_cast<int32_t>(sizes.size()), sizes.data()));
        require(caucus_grid_problem_check(&problem));
    }
    caucus_grid_problem problem{};
};

// Nodes of one size, the last one with what is left.
inline std::vector<int> blocks(long ranks, int per_node) {
    std::vector<int> sizes(static_cast<size_t>(ranks / per_node), per_node);
    if (ranks % per_node)
        sizes.push_back(static_cast<int>(ranks % per_node));
    return sizes;
}

inline std::vector<int> repeated(std::vector<std::pair<int, int>> groups) {
    std::vector<int> sizes;
    for (auto [count, size] : groups)
        sizes.insert(sizes.end(), static_cast<size_t>(count), size);
    return sizes;
}

// Random numbers that are the same with every standard library.
class Random {
  public:
    explicit Random(unsigned seed) : engine(seed) {}
    int below(int limit) {
        return static_cast<int>(engine() % static_cast<unsigned>(limit));
    }
    int from(int low, int high) {
        return low + below(high - low + 1);
    }
    bool chance(double share) {
        return static_cast<double>(engine()) < share * 4294967296.0;
    }

  private:
    std::mt19937 engine;
};

inline long product(const std::vector<int> &dims) {
    return std::accumulate(dims.begin(), dims.end(), 1L, [](long a, int b) { return a * b; });
}

// Random node sizes from 1 to largest that add up to ranks.
inline std::vector<int> random_sizes(Random &random, long ranks, int largest) {
    std::vector<int> sizes;
    for (long left = ranks; left > 0; left -= sizes.back())
        sizes.push_back(static_cast<int>(std::min<long>(random.from(1, largest), left)));
    return sizes;
}

} // namespace test
