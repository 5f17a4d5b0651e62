// SPDX-License-Identifier: BSD-3-Clause
// Graphs for tests.
#pragma once

#include "problem.hpp"
extern "C" {
#include "plan/graph/graph.h"
}

#include <algorithm>
#include <numeric>
#include <vector>

namespace test {

struct Edge {
    int32_t from, to, weight;
};

// Those of each vertex in the order given.
class Graph {
  public:
    Graph(int32_t vertices, std::vector<Edge> edges, bool weighted) {
        std::stable_sort(edges.begin(), edges.end(),
                         [](const Edge &a, const Edge &b) { return a.from < b.from; });
        start.assign(static_cast<size_t>(vertices) + 1, 0);
        for (const Edge &edge : edges) {
            to.push_back(edge.to);
            weight.push_back(edge.weight);
            start[static_cast<size_t>(edge.from) + 1]++;
        }
        std::partial_sum(start.begin(), start.end(), start.begin());
        graph = {vertices, start.data(), to.data(), weighted ? weight.data() : nullptr};
        test::require(caucus_graph_check(&graph));
    }
    const caucus_graph *operator*() const {
        return &graph;
    }

  private:
    std::vector<int64_t> start;
    std::vector<int32_t> to, weight;
    caucus_graph graph{};
};

// Every vertex of a grid tied to its neighbours both ways, numbered anew at random.
inline std::vector<Edge> grid_edges(Random &random, int width, int height, bool shuffled) {
    std::vector<int32_t> name(static_cast<size_t>(width * height));
    std::iota(name.begin(), name.end(), 0);
    for (size_t i = name.size(); shuffled && i > 1; i--)
        std::swap(name[i - 1], name[static_cast<size_t>(random.below(static_cast<int>(i)))]);
    std::vector<Edge> edges;
    auto both = [&](int a, int b) {
        edges.push_back({name[static_cast<size_t>(a)], name[static_cast<size_t>(b)], 1});
        edges.push_back({name[static_cast<size_t>(b)], name[static_cast<size_t>(a)], 1});
    };
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (x + 1 < width)
                both(y * width + x, y * width + x + 1);
            if (y + 1 < height)
                both(y * width + x, (y + 1) * width + x);
        }
    return edges;
}

// One-way and two-way edges, some several times, some to themselves, some without weight.
inline std::vector<Edge> random_edges(Random &random, int vertices) {
    std::vector<Edge> edges;
    for (int count = random.below(4 * vertices + 1); count > 0; count--)
        edges.push_back(
            {random.below(vertices), random.below(vertices),
             random.chance(0.1) ? 0 : random.from(1, random.chance(0.1) ? 2000000000 : 9)});
    return edges;
}

} // namespace test
