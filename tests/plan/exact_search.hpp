// SPDX-License-Identifier: BSD-3-Clause
// The proven optimum of small problems.
//
// Dynamic programming over a frontier: cells are given to nodes one after the other, and of all
// that is done only two things matter for what follows: how many cells each node still takes, and
// which node owns each cell that has a neighbour still to come. Nodes are not told apart otherwise,
// so a state is those two in a normal form, with the least cost of reaching it. Serves any stencil
// and periodicity; the number of states grows fast with the frontier, so grids are of about 30
// cells.
#pragma once

extern "C" {
#include "plan/grid/problem.h"
}

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace test {

class ExactSearch {
  public:
    explicit ExactSearch(const caucus_grid_problem *given) : problem(given) {
        order_cells();
        find_edges();
    }

    // The least jsum of all mappings; nothing where that takes more than so many states at once.
    std::optional<double> least_jsum(size_t most_states) {
        std::string start;
        for (int32_t node = 0; node < problem->nodes.count; node++)
            start.push_back(static_cast<char>(caucus_nodes_size(&problem->nodes, node)));
        std::sort(start.begin(), start.end());
        States states{{start, 0}};
        for (size_t step = 0; step < order.size(); step++) {
            States next;
            for (const auto &[key, cost] : states)
                place(step, key, cost, next);
            states = std::move(next);
            if (states.size() > most_states)
                return std::nullopt;
        }
        return states.begin()->second;
    }

  private:
    // owners of the frontier's cells, numbered by first appearance; how many cells each of these
    // nodes still takes, in that order; the same for the nodes that are not there, ascending, 0
    // left out
    using States = std::unordered_map<std::string, double>;

    void order_cells() { // the longest axis slowest, open before periodic: a short frontier
        const caucus_grid &grid = problem->grid;
        std::vector<int> axes(static_cast<size_t>(grid.ndims));
        std::iota(axes.begin(), axes.end(), 0);
        auto length = [&](int axis) { return grid.dims[axis] * (grid.periodic[axis] ? 1 : 2); };
        std::stable_sort(axes.begin(), axes.end(),
                         [&](int a, int b) { return length(a) > length(b); });
        order.resize(static_cast<size_t>(grid.size));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            int at_a[CAUCUS_GRID_MAX_DIMS], at_b[CAUCUS_GRID_MAX_DIMS];
            caucus_grid_coordinates(&grid, a, at_a);
            caucus_grid_coordinates(&grid, b, at_b);
            for (int axis : axes)
                if (at_a[axis] != at_b[axis])
                    return at_a[axis] < at_b[axis];
            return false;
        });
    }

    void find_edges() {
        const caucus_grid &grid = problem->grid;
        std::vector<size_t> place_of(order.size());
        for (size_t step = 0; step < order.size(); step++)
            place_of[static_cast<size_t>(order[step])] = step;
        std::vector<std::map<size_t, double>> edge(order.size()); // from the later to the earlier
        std::vector<size_t> last(order.size());
        for (size_t step = 0; step < order.size(); step++) {
            int at[CAUCUS_GRID_MAX_DIMS];
            caucus_grid_coordinates(&grid, order[step], at);
            last[step] = std::max(last[step], step);
            for (int k = 0; k < problem->stencil.count; k++) {
                int64_t neighbor =
                    caucus_grid_neighbor(&grid, at, problem->stencil.offset + k * grid.ndims);
                if (neighbor < 0 || neighbor == order[step])
                    continue;
                size_t other = place_of[static_cast<size_t>(neighbor)];
                edge[std::max(step, other)][std::min(step, other)] += problem->stencil.weight[k];
                size_t earlier = std::min(step, other);
                last[earlier] = std::max(last[earlier], std::max(step, other));
            }
        }
        // Where on the frontier a cell's earlier neighbours are, and which cells stay on it.
        std::vector<size_t> frontier;
        for (size_t step = 0; step < order.size(); step++) {
            before.emplace_back();
            for (size_t i = 0; i < frontier.size(); i++)
                if (edge[step].count(frontier[i]))
                    before.back().push_back({i, edge[step][frontier[i]]});
            width.push_back(frontier.size());
            frontier.push_back(step);
            std::vector<size_t> stay;
            for (size_t i = 0; i < frontier.size(); i++)
                if (last[frontier[i]] > step)
                    stay.push_back(i);
            stays.push_back(stay);
            std::vector<size_t> kept;
            for (size_t i : stay)
                kept.push_back(frontier[i]);
            frontier = kept;
        }
    }

    void place(size_t step, const std::string &key, double cost, States &next) const {
        std::string owners = key.substr(0, width[step]), room = key.substr(width[step]);
        for (size_t node = 0; node < room.size(); node++) {
            bool on_frontier = owners.find(static_cast<char>(node)) != std::string::npos;
            if (room[node] == 0 || (!on_frontier && node > 0 && room[node] == room[node - 1] &&
                                    owners.find(static_cast<char>(node - 1)) == std::string::npos))
                continue; // full, or no different from the one before
            double sum = cost;
            for (auto [i, weight] : before[step])
                sum += static_cast<size_t>(owners[i]) == node ? 0 : weight;
            std::string now = normal_form(step, owners + static_cast<char>(node), room, node);
            auto [found, is_new] = next.emplace(now, sum);
            if (!is_new && sum < found->second)
                found->second = sum;
        }
    }

    std::string normal_form(size_t step, const std::string &owners, std::string room,
                            size_t taker) const {
        room[taker]--;
        std::string shown, rooms;
        std::vector<int> number(room.size(), -1);
        for (size_t i : stays[step]) {
            auto node = static_cast<size_t>(owners[i]);
            if (number[node] < 0) {
                number[node] = static_cast<int>(rooms.size());
                rooms.push_back(room[node]);
            }
            shown.push_back(static_cast<char>(number[node]));
        }
        std::string others;
        for (size_t node = 0; node < room.size(); node++)
            if (number[node] < 0 && room[node] > 0)
                others.push_back(room[node]);
        std::sort(others.begin(), others.end());
        return shown + rooms + others;
    }

    struct Edge {
        size_t place;
        double weight;
    };
    const caucus_grid_problem *problem;
    std::vector<int> order;
    std::vector<size_t> width;              // of the frontier before a step
    std::vector<std::vector<Edge>> before;  // [step]: its edges to the frontier
    std::vector<std::vector<size_t>> stays; // [step]: places of the frontier that stay on it
};

} // namespace test
