// SPDX-License-Identifier: BSD-3-Clause
// Collectives for tests: who shares a node, what is asked for, and the proof of an algorithm, freed
// by themselves.
#pragma once

extern "C" {
#include "base/status.h"
#include "study/collective/problem.h"
}

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

// How nodes lie.
enum class Nodes { none, one, blocks, uneven, interleaved, singletons };
inline const char *name_of(Nodes nodes) {
    static const char *const names[] = {"no nodes", "one node",    "blocks",
                                        "uneven",   "interleaved", "singletons"};
    return names[static_cast<int>(nodes)];
}

class NodeMap {
  public:
    // Of many: a node has at most this many ranks.
    NodeMap(Nodes nodes, int32_t ranks, int32_t most) : kind(nodes) {
        std::vector<int32_t> label(static_cast<size_t>(ranks));
        std::mt19937_64 random(static_cast<uint64_t>(ranks));
        int32_t node = 0, left = 0, cycle = std::max(1, (ranks + most - 1) / most);
        for (int32_t rank = 0; rank < ranks; rank++) {
            if (left-- == 0) {
                node++;
                left = static_cast<int32_t>(random() % static_cast<uint64_t>(most));
            }
            switch (nodes) {
            case Nodes::none:
            case Nodes::one:
                label[rank] = 0;
                break;
            case Nodes::blocks:
                label[rank] = rank / most;
                break;
            case Nodes::uneven:
                label[rank] = node;
                break;
            case Nodes::interleaved:
                label[rank] = cycle - 1 - rank % cycle;
                break;
            case Nodes::singletons:
                label[rank] = rank;
                break;
            }
        }
        if (caucus_node_map_init(&map, ranks, label.data()))
            throw std::runtime_error(caucus_error_text());
    }
    ~NodeMap() {
        caucus_node_map_free(&map);
    }
    NodeMap(const NodeMap &) = delete;
    NodeMap &operator=(const NodeMap &) = delete;

    const caucus_node_map *get() const {
        return kind == Nodes::none ? nullptr : &map;
    }

  private:
    Nodes kind;
    caucus_node_map map{};
};

// All ranks' schedules of an algorithm for a problem.
class Instance {
  public:
    Instance(const caucus_algorithm *algorithm, const caucus_problem_shape &shape) {
        if (caucus_problem_init(&problem, &shape))
            throw std::runtime_error(caucus_error_text());
        status = caucus_problem_build(&problem, algorithm, &schedules);
        if (status)
            text = caucus_error_text();
        caucus_problem_specification(&problem, &specification);
    }
    ~Instance() {
        caucus_problem_schedules_free(schedules, problem.shape.ranks);
        caucus_problem_free(&problem);
    }
    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;

    int verify() {
        if (!status)
            status = caucus_schedule_verify(&specification, schedules, &verdict);
        if (status)
            text = caucus_error_text();
        return status;
    }

    caucus_problem problem{};
    caucus_specification specification{};
    caucus_schedule *schedules = nullptr;
    caucus_verdict verdict{};
    int status = CAUCUS_OK;
    std::string text;
};

inline bool is_rooted(caucus_collective collective) {
    return collective == CAUCUS_BCAST || collective == CAUCUS_REDUCE ||
           collective == CAUCUS_GATHER || collective == CAUCUS_GATHERV ||
           collective == CAUCUS_SCATTER || collective == CAUCUS_SCATTERV;
}

// The parameters of a case, drawn so that every value of every one comes up often.
class Draw {
  public:
    explicit Draw(uint64_t seed) : random(seed) {}
    template <typename T> T of(std::initializer_list<T> values) {
        return *(values.begin() + random() % values.size());
    }
    uint64_t number() {
        return random();
    }

  private:
    std::mt19937_64 random;
};

inline void draw_neighbourhood(Draw &draw, caucus_problem_shape &shape) {
    shape.neighbourhood = draw.of({CAUCUS_NEIGHBOURHOOD_STAR, CAUCUS_NEIGHBOURHOOD_RANDOM});
    shape.degree = draw.of({0, 1, 3, 8, 20});
    shape.axes = 0;
    int32_t left = shape.ranks;
    while (left > 1 && shape.axes < CAUCUS_PROBLEM_AXES - 1) { // factors, some of them merged
        int32_t factor = 2;
        while (left % factor)
            factor++;
        if (draw.of({0, 1}))
            factor = left;
        shape.side[shape.axes++] = factor;
        left /= factor;
    }
    if (left > 1 || shape.axes == 0 || draw.of({0, 1}))
        shape.side[shape.axes++] = left;
    for (int axis = 0; axis < shape.axes; axis++)
        shape.periodic[axis] = draw.of({false, true});
}

// With this much no algorithm may say that it has not enough: a few lines for each pair of ranks.
inline int64_t enough_node_memory(const caucus_problem_shape &shape) {
    return shape.nodes ? int64_t{256} * shape.nodes->largest * shape.ranks : 0;
}

// Pieces: none, tiny ones, some; never so many that a case is nothing but pieces.
inline void draw_pieces(Draw &draw, caucus_problem_shape &shape) {
    const int64_t most = shape.ranks > 64 ? 3 : 32;
    if (shape.ranks > 40)
        shape.bytes = std::min(shape.bytes, 4099 * shape.element);
    shape.segment = draw.of<int64_t>({0, 0, 16, 100, 1000, 1 << 16});
    if (shape.segment && shape.bytes / shape.segment > most)
        shape.segment = shape.bytes / draw.of({2, 3, 7});
    shape.node_limit = draw.of<int64_t>({0, 0, 1 << 12, 1 << 16});
    int64_t all = shape.bytes * shape.ranks;
    if (shape.collective >= CAUCUS_ALLTOALL &&
        shape.collective <= CAUCUS_REDUCE_SCATTER_BLOCK) // every rank has a block for every rank
        all *= shape.ranks;
    shape.node_limit = shape.node_limit ? std::max(shape.node_limit, all / most)
                                        : std::max<int64_t>(1 << 20, enough_node_memory(shape));
}

inline caucus_problem_shape draw_shape(const caucus_algorithm *algorithm, int32_t ranks,
                                       const caucus_node_map *nodes, uint64_t seed) {
    Draw draw(seed);
    caucus_problem_shape shape{};
    bool reduces = caucus_task_reduces(algorithm->collective);
    shape.collective = algorithm->collective;
    shape.ranks = ranks;
    if (is_rooted(algorithm->collective))
        shape.root =
            draw.of({0, ranks - 1, ranks / 2, static_cast<int32_t>(draw.number() % ranks)});
    shape.in_place = draw.of({false, true});
    shape.commutative = algorithm->needs & CAUCUS_NEEDS_COMMUTATIVE || draw.of({false, true});
    shape.element = reduces ? draw.of({1, 4, 8, 12, 16}) : 1;
    int64_t count = draw.of<int64_t>({0, 1, 1, 2, 3, 7, 8, 31, 64, 100, 513, 1024, 4099, 70000});
    shape.bytes = algorithm->collective == CAUCUS_BARRIER ? 0 : count * shape.element;
    shape.irregular = draw.of({false, true, true});
    shape.seed = draw.number();
    if (algorithm->collective >= CAUCUS_NEIGHBOR_ALLGATHER)
        draw_neighbourhood(draw, shape);
    shape.nodes = nodes;
    draw_pieces(draw, shape);
    shape.exchanged = algorithm->needs & (CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC);
    if (draw.of({0, 1}))
        shape.exchanged |= CAUCUS_NEEDS_COUNTS;
    return shape;
}

// Blocks of which one is very long and the others are empty or have one element, where blocks may
// differ and the seed says so; else none.
inline std::vector<int64_t> draw_lengths(const caucus_problem_shape &shape, uint64_t seed) {
    constexpr int64_t giant = 8;
    std::vector<int64_t> lengths;
    if (!caucus_problem_has_lengths(shape.collective) || seed % 4 != 3)
        return lengths;
    Draw draw(seed + 2);
    lengths.resize(static_cast<size_t>(shape.ranks), draw.of({0, 1}) * shape.element);
    lengths[draw.number() % lengths.size()] = giant * shape.bytes;
    return lengths;
}

// The same between groups of which the first has so many ranks.
inline caucus_problem_shape draw_intergroup_shape(const caucus_algorithm *algorithm, int32_t ranks,
                                                  int32_t first_group, const caucus_node_map *nodes,
                                                  uint64_t seed) {
    caucus_problem_shape shape = draw_shape(algorithm, ranks, nodes, seed);
    Draw draw(seed + 1);
    shape.first_group = first_group;
    shape.second_bytes = shape.bytes * draw.of({0, 1, 1, 3});
    shape.in_place = false;
    return shape;
}

inline std::string describe(const caucus_algorithm *algorithm, const caucus_problem_shape &shape,
                            Nodes nodes, int32_t most) {
    std::ostringstream text;
    text << caucus_collective_name(algorithm->collective) << " by " << algorithm->name << ", "
         << shape.ranks << " ranks"
         << (shape.first_group ? ", first group " + std::to_string(shape.first_group) : "")
         << ", root " << shape.root << ", " << name_of(nodes) << " of " << most << ", "
         << shape.bytes << " bytes of " << shape.element << (shape.in_place ? ", in place" : "")
         << (shape.commutative ? ", commutative" : "") << (shape.irregular ? ", irregular" : "")
         << (shape.lengths ? ", one block 8 times as long" : "") << ", seed " << shape.seed
         << ", segment " << shape.segment << ", node limit " << shape.node_limit << ", exchanged "
         << shape.exchanged;
    if (shape.neighbourhood == CAUCUS_NEIGHBOURHOOD_RANDOM)
        text << ", random neighbours of degree " << shape.degree;
    for (int axis = 0; shape.neighbourhood == CAUCUS_NEIGHBOURHOOD_STAR && axis < shape.axes;
         axis++)
        text << (axis ? "x" : ", grid ") << shape.side[axis] << (shape.periodic[axis] ? "p" : "");
    return text.str();
}

// Whether an algorithm may say that it can't serve this, by what it declares.
inline bool must_serve(const caucus_algorithm *algorithm, const caucus_problem_shape &shape) {
    if (algorithm->needs & (CAUCUS_NEEDS_NODES | CAUCUS_NEEDS_ONE_NODE) && !shape.nodes)
        return false;
    if (algorithm->needs & CAUCUS_NEEDS_ONE_NODE && shape.nodes->nodes > 1)
        return false;
    return !(algorithm->needs & CAUCUS_NEEDS_ORDERED && !shape.nodes->ordered);
}

} // namespace test
