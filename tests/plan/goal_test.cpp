// SPDX-License-Identifier: BSD-3-Clause
// GOAL text, read again: sends and receives match, and everything can be carried out.
extern "C" {
#include "base/status.h"
#include "study/collective/problem.h"
#include "study/draw/scene.h"
}

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Line {
    std::string what; // send, recv or calc
    long long amount = 0;
    int peer = -1;
    long long tag = -1;
    std::vector<int> required; // lines of the same rank, from 0
};

using Rank = std::vector<Line>;
// From, to, tag.
using Way = std::tuple<int, int, long long>;

int label(const std::string &word) {
    EXPECT_EQ(word.substr(0, 1), "l") << word;
    return std::stoi(word.substr(1)) - 1;
}

Line read_line(std::istringstream &words) {
    Line line;
    std::string word, amount;
    words >> line.what >> amount;
    line.amount = std::stoll(amount);
    if (line.what == "calc")
        return line;
    EXPECT_EQ(amount.back(), 'b');
    words >> word >> line.peer;
    EXPECT_EQ(word, line.what == "send" ? "to" : "from");
    words >> word >> line.tag;
    EXPECT_EQ(word, "tag");
    return line;
}

std::vector<Rank> read(const std::string &text) {
    std::istringstream file(text);
    std::string row, word;
    std::vector<Rank> ranks;
    size_t expected = 0;
    while (std::getline(file, row)) {
        std::istringstream words(row);
        if (!(words >> word) || word == "}")
            continue;
        if (word == "num_ranks") {
            words >> expected;
        } else if (word == "rank") {
            size_t number = 0;
            words >> number;
            EXPECT_EQ(number, ranks.size());
            ranks.emplace_back();
        } else if (word.back() == ':') {
            EXPECT_EQ(label(word), static_cast<int>(ranks.back().size()));
            ranks.back().push_back(read_line(words));
        } else {
            std::string verb, other;
            words >> verb >> other;
            EXPECT_EQ(verb, "requires");
            ranks.back().at(static_cast<size_t>(label(word))).required.push_back(label(other));
        }
    }
    EXPECT_EQ(ranks.size(), expected);
    return ranks;
}

void expect_matching(const std::vector<Rank> &ranks) {
    std::map<Way, long long> sent, received;
    for (size_t rank = 0; rank < ranks.size(); rank++)
        for (const Line &line : ranks[rank]) {
            auto here = static_cast<int>(rank);
            bool sends = line.what == "send";
            Way way = sends ? Way{here, line.peer, line.tag} : Way{line.peer, here, line.tag};
            if (line.what != "calc") {
                EXPECT_TRUE((sends ? sent : received).emplace(way, line.amount).second);
            }
        }
    EXPECT_EQ(sent, received);
}

// Carries out whatever can be; a receive after its send. All must be done in the end.
void expect_acyclic(const std::vector<Rank> &ranks) {
    std::vector<std::vector<bool>> done;
    std::map<Way, bool> sent;
    for (const Rank &rank : ranks)
        done.emplace_back(rank.size(), false);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t rank = 0; rank < ranks.size(); rank++)
            for (size_t i = 0; i < ranks[rank].size(); i++) {
                const Line &line = ranks[rank][i];
                bool ready = !done[rank][i];
                for (int other : line.required)
                    ready = ready && done[rank][static_cast<size_t>(other)];
                if (line.what == "recv")
                    ready = ready && sent[Way{line.peer, static_cast<int>(rank), line.tag}];
                if (!ready)
                    continue;
                if (line.what == "send")
                    sent[Way{static_cast<int>(rank), line.peer, line.tag}] = true;
                done[rank][i] = moved = true;
            }
    }
    for (size_t rank = 0; rank < ranks.size(); rank++)
        for (size_t i = 0; i < ranks[rank].size(); i++)
            EXPECT_TRUE(done[rank][i]) << "rank " << rank << " line " << i + 1;
}

using Writer = int (*)(const caucus_scene *, FILE *);

std::string written(Writer writer, const caucus_scene &scene) {
    char *text = nullptr;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    EXPECT_EQ(writer(&scene, file), CAUCUS_OK) << caucus_error_text();
    fclose(file);
    std::string copy(text, length);
    free(text);
    return copy;
}

// All ranks of an algorithm, as a scene; empty where it can't serve.
class Staged {
  public:
    Staged(const caucus_algorithm *algorithm, int32_t ranks, int32_t ppn, int64_t bytes) {
        caucus_node_map_blocks(&nodes_, ranks, ppn);
        caucus_model_default(&model_);
        caucus_problem_shape shape{};
        shape.collective = algorithm->collective;
        shape.ranks = ranks;
        shape.commutative = true;
        shape.element = 8;
        shape.bytes = algorithm->collective == CAUCUS_BARRIER ? 0 : bytes;
        shape.nodes = &nodes_;
        shape.exchanged = CAUCUS_NEEDS_COUNTS | CAUCUS_NEEDS_TRAFFIC;
        shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_NONE;
        if (algorithm->collective >= CAUCUS_NEIGHBOR_ALLGATHER) {
            shape.neighbourhood = CAUCUS_NEIGHBOURHOOD_RANDOM;
            shape.degree = 3;
        }
        EXPECT_EQ(caucus_problem_init(&problem_, &shape), CAUCUS_OK) << caucus_error_text();
        if (caucus_problem_build(&problem_, algorithm, &schedules_))
            schedules_ = nullptr;
        ranks_ = ranks;
    }
    Staged(const Staged &) = delete;
    Staged &operator=(const Staged &) = delete;
    ~Staged() {
        if (schedules_)
            caucus_problem_schedules_free(schedules_, ranks_);
        caucus_problem_free(&problem_);
        caucus_node_map_free(&nodes_);
    }
    bool serves() const {
        return schedules_;
    }
    caucus_scene scene() const {
        return {ranks_, 0, schedules_, &nodes_, &model_, "title"};
    }

  private:
    caucus_node_map nodes_{};
    caucus_model model_{};
    caucus_problem problem_{};
    caucus_schedule *schedules_ = nullptr;
    int32_t ranks_ = 0;
};

TEST(Goal, EveryAlgorithmMatchesAndEnds) {
    const caucus_algorithm *algorithm;
    int written_out = 0;
    for (int index = 0; (algorithm = caucus_algorithm_entry(index)); index++)
        for (int32_t ranks : {1, 2, 7, 12})
            for (int32_t ppn : {1, 3, 12}) {
                Staged staged(algorithm, ranks, ppn, 24);
                if (!staged.serves())
                    continue;
                SCOPED_TRACE(std::string(caucus_collective_name(algorithm->collective)) + " by " +
                             algorithm->name + ", " + std::to_string(ranks) + " ranks");
                auto read_again = read(written(caucus_scene_goal, staged.scene()));
                ASSERT_EQ(static_cast<int32_t>(read_again.size()), ranks);
                expect_matching(read_again);
                expect_acyclic(read_again);
                written_out++;
            }
    EXPECT_GT(written_out, 200);
}

TEST(Goal, LooksLikeThis) {
    const caucus_algorithm *algorithm = caucus_algorithm_find(CAUCUS_BARRIER, "dissemination");
    Staged staged(algorithm, 2, 1, 0);
    EXPECT_EQ(written(caucus_scene_goal, staged.scene()), "num_ranks 2\n"
                                                          "\n"
                                                          "rank 0 {\n"
                                                          "l1: recv 1b from 1 tag 0\n"
                                                          "l2: send 1b to 1 tag 0\n"
                                                          "l3: calc 0\n"
                                                          "l3 requires l1\n"
                                                          "l3 requires l2\n"
                                                          "}\n"
                                                          "\n"
                                                          "rank 1 {\n"
                                                          "l1: recv 1b from 0 tag 0\n"
                                                          "l2: send 1b to 0 tag 0\n"
                                                          "l3: calc 0\n"
                                                          "l3 requires l1\n"
                                                          "l3 requires l2\n"
                                                          "}\n");
}

long occurrences(const std::string &text, const std::string &words) {
    long count = 0;
    for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        count++;
    return count;
}

// The lines of a kind of messages come first, and then all of their heads as one path.
void expect_a_head_for_each(const std::string &svg, const std::string &kind, long messages) {
    size_t begin = svg.find("<g class=\"" + kind + "\"");
    ASSERT_NE(begin, std::string::npos) << kind;
    size_t heads = svg.find("</g>\n", begin), end = svg.find("/>", heads);
    EXPECT_EQ(occurrences(svg.substr(begin, heads - begin), "<path "), messages) << kind;
    EXPECT_EQ(occurrences(svg.substr(heads, end - heads), "M"), messages) << kind;
}

// 6 ranks on 3 nodes, 5 steps of a ring: half of the neighbours share a node.
TEST(Draw, EveryMessageHasAHead) {
    Staged staged(caucus_algorithm_find(CAUCUS_ALLGATHER, "ring"), 6, 2, 24);
    ASSERT_TRUE(staged.serves());
    std::string svg = written(caucus_scene_svg, staged.scene());
    expect_a_head_for_each(svg, "within", 15);
    expect_a_head_for_each(svg, "between", 15);
}

TEST(Draw, EveryAlgorithmAsTextAndPicture) {
    const caucus_algorithm *algorithm;
    for (int index = 0; (algorithm = caucus_algorithm_entry(index)); index++)
        for (int32_t ranks : {1, 9, 100}) {
            Staged staged(algorithm, ranks, 7, 24);
            if (!staged.serves())
                continue;
            SCOPED_TRACE(algorithm->name);
            std::string svg = written(caucus_scene_svg, staged.scene());
            EXPECT_EQ(svg.rfind("</svg>\n"), svg.size() - 7);
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            EXPECT_EQ(svg.find("inf"), std::string::npos);
            std::istringstream text(written(caucus_scene_text, staged.scene()));
            for (std::string row; std::getline(text, row);) {
                long columns = 0;
                for (char byte : row)
                    columns += (byte & 0xc0) != 0x80;
                EXPECT_LE(columns, 100) << row;
                EXPECT_NE(row.empty() ? 'x' : row.back(), ' ') << row;
            }
        }
}

} // namespace
