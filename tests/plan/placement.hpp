// SPDX-License-Identifier: BSD-3-Clause
#pragma once

extern "C" {
#include "plan/grid/place.h"
}
#include "problem.hpp"

#include <vector>

namespace test {

using Labels = std::vector<std::vector<int32_t>>; // [level][local rank]

// cuts: of all levels before, then of all after.
inline std::vector<int64_t> place(const caucus_grid_problem *problem,
                                  const std::vector<int64_t> &cells, const Labels &labels,
                                  std::vector<double> &cuts, bool keep_first = false) {
    std::vector<const int32_t *> levels;
    for (const auto &level : labels)
        levels.push_back(level.data());
    std::vector<int64_t> result(cells.size(), -1);
    cuts.resize(2 * levels.size());
    require(caucus_grid_place(&problem->grid, &problem->stencil, static_cast<int>(cells.size()),
                              cells.data(), static_cast<int>(levels.size()), levels.data(),
                              keep_first, result.data(), cuts.data(), cuts.data() + levels.size()));
    return result;
}

inline std::vector<int64_t> place(const caucus_grid_problem *problem,
                                  const std::vector<int64_t> &cells, const Labels &labels) {
    std::vector<double> cuts;
    return place(problem, cells, labels, cuts);
}

} // namespace test
