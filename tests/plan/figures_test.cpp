// SPDX-License-Identifier: BSD-3-Clause
// What plans are like, in exact figures: operations, messages, bytes, memory and predicted time of
// every algorithm over a few cases, what every mapper and every overlay costs. A plan may be right
// and yet move twice the bytes; proofs don't see that. tests/plan/figures.txt has the figures, and
// a change that is meant is written there with TEST_WRITE=1, to be looked at as a diff.
#include "collective_case.hpp"
#include "intergroup_case.hpp"
extern "C" {
#include "plan/grid/bound.h"
#include "plan/grid/evaluate.h"
#include "plan/grid/mapper.h"
#include "plan/grid/portfolio.h"
#include "plan/intergroup/intergroup.h"
#include "plan/machine/model.h"
#include "plan/overlay/estimate.h"
}
#include "random_case.hpp"
extern "C" {
#include "study/simulate/simulate.h"
}

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

namespace {

const char *const path = CAUCUS_SOURCE_DIR "/tests/plan/figures.txt";

// Figures by what they are of, in the order of the table.
class Figures {
  public:
    void add(const std::string &of, const std::string &figure, double value) {
        if (!row.count(of))
            order.push_back(of);
        row[of][figure] += value;
    }
    // Each of several cases counts alike, however long it takes.
    void add_time(const std::string &of, const std::string &figure, double seconds) {
        add(of, figure, seconds > 0 ? std::log2(seconds) : 0);
    }
    std::string line(const std::string &of) const {
        std::ostringstream text;
        text << of << ":" << std::setprecision(13);
        for (const auto &[figure, value] : row.at(of))
            text << " " << figure << "=" << value;
        return text.str();
    }
    std::vector<std::string> order;

  private:
    std::map<std::string, std::map<std::string, double>> row;
};

void add_schedules(Figures &figures, const std::string &of, const test::Instance &instance,
                   const caucus_model &model) {
    figures.add(of, "operations", static_cast<double>(instance.verdict.operations));
    figures.add(of, "messages", static_cast<double>(instance.verdict.messages));
    figures.add(of, "bytes", static_cast<double>(instance.verdict.bytes));
    figures.add(of, "steps", static_cast<double>(instance.verdict.steps));
    int synchronising = 0;
    for (int32_t rank = 0; rank < instance.problem.shape.ranks; rank++) {
        const caucus_schedule &schedule = instance.schedules[rank];
        figures.add(of, "scratch", static_cast<double>(schedule.scratch_bytes));
        figures.add(of, "memory", static_cast<double>(schedule.node_bytes));
        figures.add(of, "lines", schedule.lines);
        synchronising += schedule.synchronising;
    }
    figures.add(of, "synchronising", synchronising);
    caucus_simulation simulation;
    ASSERT_EQ(caucus_schedule_simulate(instance.problem.shape.ranks, instance.schedules,
                                       instance.problem.shape.nodes, &model, nullptr, nullptr,
                                       &simulation),
              CAUCUS_OK);
    figures.add_time(of, "simulated", simulation.seconds);
}

void add_case(Figures &figures, const std::string &of, const caucus_algorithm *algorithm,
              const caucus_problem_shape &shape) {
    caucus_model model;
    caucus_model_default(&model);
    test::Instance instance(algorithm, shape);
    if (instance.status == CAUCUS_NOT_APPLICABLE)
        return;
    ASSERT_EQ(instance.verify(), CAUCUS_OK) << of << ": " << instance.text;
    figures.add(of, "cases", 1);
    add_schedules(figures, of, instance, model);
    caucus_task task;
    ASSERT_EQ(caucus_problem_task(&instance.problem, 0, &task), CAUCUS_OK);
    if (task.first_group)
        task = caucus_intergroup_common(&task);
    double seconds = algorithm->cost(&task, &model);
    if (std::isfinite(seconds))
        figures.add_time(of, "predicted", seconds);
}

// Predictions alone, where pieces and pipelines matter; nothing is built.
void add_larger(Figures &figures, const std::string &of, const caucus_algorithm *algorithm,
                int32_t ranks, int32_t first_group) {
    constexpr int64_t lengths[] = {4096, 1 << 20, 96 << 20};
    caucus_model model;
    caucus_model_default(&model);
    for (auto nodes : {test::Nodes::one, test::Nodes::uneven, test::Nodes::blocks})
        for (int64_t bytes : lengths) {
            test::NodeMap map(nodes, ranks, 6);
            caucus_problem_shape shape =
                first_group
                    ? test::draw_intergroup_shape(algorithm, ranks, first_group, map.get(), 1)
                    : test::draw_shape(algorithm, ranks, map.get(), 1);
            shape.bytes = shape.second_bytes = bytes * (shape.element > 0 ? shape.element : 1);
            shape.segment = 0;
            caucus_problem problem{};
            ASSERT_EQ(caucus_problem_init(&problem, &shape), CAUCUS_OK) << caucus_error_text();
            caucus_task task;
            ASSERT_EQ(caucus_problem_task(&problem, 0, &task), CAUCUS_OK);
            if (first_group)
                task = caucus_intergroup_common(&task);
            if (!caucus_algorithm_serves(algorithm, &task)) {
                double seconds = algorithm->cost(&task, &model);
                if (std::isfinite(seconds))
                    figures.add_time(of, "predicted_large", seconds);
            }
            caucus_problem_free(&problem);
        }
}

constexpr test::Nodes ways[] = {test::Nodes::none, test::Nodes::one, test::Nodes::uneven,
                                test::Nodes::interleaved};

void add_collectives(Figures &figures) {
    for (int i = 0; caucus_algorithm_entry(i); i++) {
        const caucus_algorithm *algorithm = caucus_algorithm_entry(i);
        std::string of =
            std::string(caucus_collective_name(algorithm->collective)) + " " + algorithm->name;
        uint64_t seed = 1;
        for (int32_t ranks : {5, 8, 13})
            for (auto nodes : ways)
                for (int round = 0; round < 3; round++, seed++) {
                    test::NodeMap map(nodes, ranks, 4);
                    add_case(figures, of, algorithm,
                             test::draw_shape(algorithm, ranks, map.get(), seed));
                }
        add_larger(figures, of, algorithm, 20, 0);
    }
}

void add_between_groups(Figures &figures) {
    for (int i = 0; caucus_intergroup_algorithm(i); i++) {
        const caucus_algorithm *algorithm = caucus_intergroup_algorithm(i);
        std::string of = std::string("between groups, ") +
                         caucus_collective_name(algorithm->collective) + " " + algorithm->name;
        uint64_t seed = 1;
        for (int32_t first : {3, 6, 8})
            for (auto nodes : ways)
                for (int round = 0; round < 3; round++, seed++) {
                    const int32_t ranks = first + 5;
                    test::NodeMap map(nodes, ranks, 4);
                    test::NodesApart apart(first, 5, 4, seed % 4 < 2);
                    bool is_apart = nodes == test::Nodes::uneven;
                    add_case(figures, of, algorithm,
                             test::draw_intergroup_shape(algorithm, ranks, first,
                                                         is_apart ? apart.get() : map.get(), seed));
                }
        add_larger(figures, of, algorithm, 20, 8);
    }
}

void add_mapping(Figures &figures, const std::string &of, const caucus_grid_problem *problem,
                 const int32_t *node_of_cell) {
    caucus_grid_score score;
    ASSERT_EQ(caucus_grid_evaluate(&problem->grid, &problem->stencil, node_of_cell,
                                   problem->nodes.count, &score),
              CAUCUS_OK);
    figures.add(of, "cases", 1);
    figures.add(of, "sum", score.jsum);
    figures.add(of, "most", score.jmax);
}

void add_mappers(Figures &figures) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        test::Random random(seed);
        auto held = test::random_problem(random, 250);
        const caucus_grid_problem *problem = *held;
        std::vector<int32_t> nodes(static_cast<size_t>(problem->grid.size));
        for (int i = 0; caucus_grid_mapper_entry(i); i++) {
            const caucus_grid_mapper *mapper = caucus_grid_mapper_entry(i);
            if (!mapper->map(problem, nodes.data()))
                add_mapping(figures, std::string("mapper ") + mapper->name, problem, nodes.data());
        }
        double bound = 0;
        ASSERT_EQ(caucus_grid_bound(problem, &bound), CAUCUS_OK);
        figures.add("the bound of mappings", "sum", bound);
        caucus_grid_choice choice;
        ASSERT_EQ(caucus_grid_choose(problem, "best", nullptr, false, &choice), CAUCUS_OK);
        add_mapping(figures, "the best mapping", problem, choice.best.node_of_cell);
        caucus_grid_choice_free(&choice);
    }
}

// Where there are more kinds of nodes than there is time to look at.
void add_larger_bounds(Figures &figures) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        test::Random random(seed);
        test::Case given;
        given.dims = seed % 2 ? std::vector<int>{48, 60} : std::vector<int>{12, 15, 16};
        given.periodic = std::vector<int>(given.dims.size(), seed % 3 == 0);
        given.sizes = test::random_nodes(random, test::product(given.dims));
        test::Problem problem(given);
        double bound = 0;
        ASSERT_EQ(caucus_grid_bound(problem, &bound), CAUCUS_OK);
        figures.add("the bound of larger mappings", "sum", bound);
    }
}

void add_overlays(Figures &figures) {
    caucus_model model;
    caucus_model_default(&model);
    for (int i = 0; caucus_overlay_listed(i); i++)
        for (int32_t ranks : {2, 7, 13, 32})
            for (bool shared : {false, true})
                for (int32_t origin : {0, ranks / 2}) {
                    test::NodeMap map(test::Nodes::uneven, ranks, 4);
                    caucus_overlay overlay{};
                    overlay.kind = caucus_overlay_listed(i);
                    overlay.ranks = ranks;
                    overlay.nodes = map.get();
                    overlay.shared = shared;
                    caucus_overlay_times times;
                    ASSERT_EQ(caucus_overlay_estimate(&overlay, map.get(), &model, 70000, 4096,
                                                      origin, &times),
                              CAUCUS_OK);
                    std::string of = std::string("overlay ") + overlay.kind->name;
                    figures.add_time(of, "one", times.one);
                    figures.add_time(of, "together", times.together);
                    figures.add(of, "hops", times.hops);
                    figures.add(of, "crossings", times.crossings);
                    figures.add(of, "imbalance", times.imbalance);
                }
}

std::map<std::string, double> numbers_of(const std::string &line) {
    std::istringstream words(line.substr(std::min(line.find(": "), line.size() - 1) + 1));
    std::map<std::string, double> numbers;
    for (std::string word; words >> word;) {
        size_t at = word.find('=');
        if (at != std::string::npos)
            numbers[word.substr(0, at)] = std::stod(word.substr(at + 1));
    }
    return numbers;
}

// Compilers may round the last digits in their own way.
void compare(const std::string &is, const std::string &was) {
    auto now = numbers_of(is), before = numbers_of(was);
    bool same = now.size() == before.size();
    for (const auto &[figure, value] : now)
        same = same && before.count(figure) &&
               std::fabs(value - before[figure]) <= 1e-9 * std::fabs(value) + 1e-9;
    EXPECT_TRUE(same) << "now  " << is << "\nwas  " << was
                      << "\nIf that is meant: TEST_WRITE=1 figures_test writes " << path;
}

TEST(Figures, AreTheSame) {
    Figures figures;
    add_collectives(figures);
    add_between_groups(figures);
    add_mappers(figures);
    add_larger_bounds(figures);
    add_overlays(figures);
    if (std::getenv("TEST_WRITE")) {
        std::ofstream file(path);
        file << "# SPDX-License-Identifier: BSD-3-Clause\n# What plans are like: figures_test.cpp. "
                "Times are sums of log2 of seconds.\n";
        for (const std::string &of : figures.order)
            file << figures.line(of) << "\n";
        return;
    }
    std::map<std::string, std::string> written;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line[0] != '#')
            written[line.substr(0, line.find(": "))] = line;
    for (const std::string &of : figures.order)
        compare(figures.line(of), written.count(of) ? written[of] : "nothing:");
    EXPECT_EQ(written.size(), figures.order.size());
}

} // namespace
