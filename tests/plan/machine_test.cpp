// SPDX-License-Identifier: BSD-3-Clause
extern "C" {
#include "base/status.h"
#include "plan/machine/machine.h"
}
#include "problem.hpp"
#include "temporary_file.hpp"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace {

using Labels = std::vector<int>;

class Machine {
  public:
    Machine(const std::string &text, int64_t ranks)
        : status(caucus_machine_parse(&machine, text.c_str(), ranks)) {}
    ~Machine() {
        caucus_machine_free(&machine);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    Labels labels(int level = CAUCUS_LEVEL_NODE) const {
        const int32_t *part = machine.part_of_rank[level];
        return part ? Labels(part, part + machine.ranks) : Labels{};
    }
    caucus_machine machine{};
    int status;
};

std::string refusal(const std::string &text, int64_t ranks, int status = CAUCUS_BAD_ARGUMENT) {
    Machine parsed(text, ranks);
    EXPECT_EQ(parsed.status, status) << text;
    EXPECT_EQ(parsed.machine.part_of_rank[0], nullptr) << text;
    return parsed.status ? caucus_error_text() : "accepted";
}

// What a file of this content is refused for, without its path.
std::string file_refusal(const std::string &content, int64_t ranks) {
    test::TemporaryFile file(content);
    std::string text = refusal("file:" + file.path, ranks, CAUCUS_BAD_FILE);
    return text.rfind(file.path, 0) == 0 ? text.substr(file.path.size()) : text;
}

TEST(Machine, IsNumberedByFirstAppearance) {
    int32_t nodes[] = {7, 3, 7, 100, 3};
    caucus_machine machine;
    ASSERT_EQ(caucus_machine_init(&machine, 5, nodes), CAUCUS_OK);
    EXPECT_EQ(Labels(machine.part_of_rank[0], machine.part_of_rank[0] + 5),
              (Labels{0, 1, 0, 2, 1}));
    EXPECT_EQ(machine.parts[0], 3);
    EXPECT_EQ(machine.levels, 1);
    EXPECT_EQ(machine.node_name, nullptr);
    caucus_nodes sizes;
    ASSERT_EQ(caucus_machine_nodes(&machine, &sizes), CAUCUS_OK);
    EXPECT_EQ(Labels(sizes.size, sizes.size + 3), (Labels{2, 2, 1}));
    caucus_nodes_free(&sizes);
    caucus_machine_free(&machine);
}

TEST(Machine, BadArraysAreRefused) {
    int32_t negative[] = {0, -1};
    caucus_machine machine;
    EXPECT_EQ(caucus_machine_init(&machine, 2, negative), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "rank 1 has node -1: node numbers start at 0");
    EXPECT_EQ(caucus_machine_init(&machine, 0, negative), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "0 ranks: at least one is needed");
    caucus_machine_free(&machine);
}

TEST(MachineParse, BlocksAndLists) {
    EXPECT_EQ(Machine("2x3", 6).labels(), (Labels{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(Machine("2x3", 0).labels(), (Labels{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(Machine("2*2,1*3", 7).labels(), (Labels{0, 0, 1, 1, 2, 2, 2}));
    EXPECT_EQ(Machine("2,1,3", 0).labels(), (Labels{0, 0, 1, 2, 2, 2}));
    EXPECT_EQ(Machine("3", 0).labels(), (Labels{0, 0, 0}));
    EXPECT_EQ(Machine("2*1,2", 0).labels(), (Labels{0, 1, 2, 2}));
    EXPECT_EQ(Machine("0002x003", 6).labels(), (Labels{0, 0, 0, 1, 1, 1}));
    Machine large("40*48,15*32", 2400);
    ASSERT_EQ(large.status, CAUCUS_OK);
    EXPECT_EQ(large.machine.parts[0], 55);
    EXPECT_EQ(large.machine.levels, 1);
    EXPECT_EQ(large.machine.node_name, nullptr);
}

TEST(MachineParse, Rules) {
    EXPECT_EQ(Machine("cyclic:3", 7).labels(), (Labels{0, 1, 2, 0, 1, 2, 0}));
    EXPECT_EQ(Machine("cyclic:1", 2).labels(), (Labels{0, 0}));
    EXPECT_EQ(Machine("ppn:3", 7).labels(), (Labels{0, 0, 0, 1, 1, 1, 2}));
    EXPECT_EQ(Machine("ppn:2147483647", 2).labels(), (Labels{0, 0}));
}

TEST(MachineParse, MalformedTextsAreRefusedWithTheWord) {
    const std::string list =
        " is not SIZE or COUNT*SIZE, numbers from 1 to 2147483647 (known forms: 4x8, "
        "cyclic:4, 40*48,15*32, ppn:16 and file:PATH)";
    EXPECT_EQ(refusal("40*48,15*x", 0), "'40*48,15*x' describes no nodes: '15*x'" + list);
    for (auto [text, word] : std::vector<std::pair<std::string, std::string>>{
             {"", ""},
             {"x", "x"},
             {"4x", "4x"},
             {"x8", "x8"},
             {"4x8x2", "4x8x2"},
             {"4X8", "4X8"},
             {"0x8", "0x8"},
             {"4x0", "4x0"},
             {"-4x8", "-4x8"},
             {"+4", "+4"},
             {" 4", " 4"},
             {"4 ", "4 "},
             {"4, 5", " 5"},
             {"4,", ""},
             {",4", ""},
             {"4,,5", ""},
             {"4*5*6,2", "4*5*6"},
             {"1e3", "1e3"},
             {"2147483648", "2147483648"},
             {"1,2x99999999999999999999", "2x99999999999999999999"},
             {"18446744073709551617", "18446744073709551617"},
             {"cyclic", "cyclic"},
             {"ppn", "ppn"},
             {"node01", "node01"},
             {"4x8\n", "4x8\n"},
             {"File:x", "File:x"}})
        EXPECT_EQ(refusal(text, 0), "'" + text + "' describes no nodes: '" + word + "'" + list);
    const std::string rule =
        " is not a number from 1 to 2147483647 (known forms: 4x8, cyclic:4, 40*48,15*32, "
        "ppn:16 and file:PATH)";
    for (std::string number : {"", "0", "x", "-1", "2147483648", "4x", " 4", "4 ", "1.5"}) {
        EXPECT_EQ(refusal("cyclic:" + number, 8),
                  "'cyclic:" + number + "' describes no nodes: '" + number + "'" + rule);
        EXPECT_EQ(refusal("ppn:" + number, 8),
                  "'ppn:" + number + "' describes no nodes: '" + number + "'" + rule);
    }
    caucus_machine machine;
    EXPECT_EQ(caucus_machine_parse(&machine, nullptr, 4), CAUCUS_BAD_ARGUMENT);
    EXPECT_STREQ(caucus_error_text(), "the description of the nodes is a null pointer");
}

TEST(MachineParse, WrongNumbersOfRanksAreRefused) {
    EXPECT_EQ(refusal("4x8", 31), "'4x8' describes 32 ranks, but there are 31");
    EXPECT_EQ(refusal("4x8", 33), "'4x8' describes 32 ranks, but there are 33");
    EXPECT_EQ(refusal("46341x46341", 0), "'46341x46341' describes more than 2147483647 ranks");
    EXPECT_EQ(
        refusal("2147483647x2147483647,2147483647x2147483647,2147483647x2147483647", 4),
        "'2147483647x2147483647,2147483647x2147483647,2147483647x2147483647' describes more than "
        "2147483647 ranks");
    EXPECT_EQ(refusal("2147483647,1", 0), "'2147483647,1' describes more than 2147483647 ranks");
    EXPECT_EQ(refusal("2147483647", 4), "'2147483647' describes 2147483647 ranks, but there are 4");
    EXPECT_EQ(refusal("cyclic:4", 0), "'cyclic:4' does not say how many ranks there are");
    EXPECT_EQ(refusal("ppn:4", 0), "'ppn:4' does not say how many ranks there are");
    EXPECT_EQ(refusal("cyclic:9", 8), "'cyclic:9' describes 9 nodes, but there are only 8 ranks");
    EXPECT_EQ(refusal("1", -1), "-1 ranks: there must be 0 (not known) to 2147483647");
    EXPECT_EQ(refusal("1", INT64_C(2147483648)),
              "2147483648 ranks: there must be 0 (not known) to 2147483647");
}

TEST(MachineFile, NamesNodesPackagesAndCaches) {
    test::TemporaryFile file("# node package cache\n"
                             "n1 p0 c0\n"
                             "n0 p0 c0\r\n"
                             "\n"
                             "n1 p0 c1 # a comment\n"
                             "\tn1   p1 c0\n"
                             "n0 p0 c0\n"
                             "n1 p0 c0");
    Machine parsed("file:" + file.path, 6);
    ASSERT_EQ(parsed.status, CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(parsed.machine.levels, 3);
    EXPECT_EQ(parsed.labels(CAUCUS_LEVEL_NODE), (Labels{0, 1, 0, 0, 1, 0}));
    EXPECT_EQ(parsed.labels(CAUCUS_LEVEL_PACKAGE), (Labels{0, 1, 0, 2, 1, 0}));
    EXPECT_EQ(parsed.labels(CAUCUS_LEVEL_CACHE), (Labels{0, 1, 2, 3, 1, 0}));
    EXPECT_EQ(Labels(parsed.machine.parts, parsed.machine.parts + 3), (Labels{2, 3, 4}));
    EXPECT_STREQ(parsed.machine.node_name[0], "n1");
    EXPECT_STREQ(parsed.machine.node_name[1], "n0");
}

TEST(MachineFile, MalformedLinesAreRefusedWithTheirPlace) {
    EXPECT_EQ(
        file_refusal("a b c\na b\n", 0),
        ":2: the line of 'a' has 2 of the words node, package, cache, the lines before it have 3");
    EXPECT_EQ(
        file_refusal("a\n\nb x\n", 0),
        ":3: the line of 'b' has 2 of the words node, package, cache, the lines before it have 1");
    EXPECT_EQ(file_refusal("n1 p c d\n", 0),
              ":1: the line of 'n1' has 4 words: node, package and cache are all there can be");
    EXPECT_EQ(file_refusal("", 0), ": the file names no rank: one line per rank is needed");
    EXPECT_EQ(file_refusal("# nothing\n\n", 3),
              ": the file names no rank: one line per rank is needed");
    EXPECT_EQ(file_refusal("a\nb\n", 3), ":2: the file ends after 2 ranks, but there are 3");
    EXPECT_EQ(file_refusal("a\nb\n#\nc\n", 2), ":4: 'c' is one rank too many: there are 2");
    EXPECT_EQ(file_refusal(std::string("a\n\0\n", 4), 2),
              ": the file is no text: it has a zero byte");
    EXPECT_EQ(file_refusal("a\nb\x1b[1m\n", 2), ":2: the line has the control character 0x1b");
    EXPECT_EQ(refusal("file:/nowhere/x", 2, CAUCUS_BAD_FILE),
              "/nowhere/x: it can't be opened: No such file or directory");
    EXPECT_EQ(refusal("file:", 2, CAUCUS_BAD_FILE),
              ": it can't be opened: No such file or directory");
}

TEST(MachineFile, ManyNamesAreToldApart) {
    std::string content;
    test::Random random(11);
    std::map<std::string, int> number;
    Labels expected;
    for (int rank = 0; rank < 20000; rank++) {
        std::string name = "node" + std::to_string(random.below(9000));
        content += name + "\n";
        expected.push_back(number.emplace(name, static_cast<int>(number.size())).first->second);
    }
    test::TemporaryFile file(content);
    Machine parsed("file:" + file.path, 20000);
    ASSERT_EQ(parsed.status, CAUCUS_OK) << caucus_error_text();
    EXPECT_EQ(parsed.labels(), expected);
    EXPECT_EQ(parsed.machine.parts[0], static_cast<int>(number.size()));
    for (const auto &[name, node] : number)
        EXPECT_EQ(parsed.machine.node_name[node], name);
}

// Whatever is read, it is either a machine that keeps its promises or a refusal with a text.
void expect_sound(const Machine &parsed, int64_t ranks) {
    if (parsed.status != CAUCUS_OK) {
        EXPECT_STRNE(caucus_error_text(), "");
        EXPECT_EQ(parsed.machine.part_of_rank[0], nullptr);
        return;
    }
    const caucus_machine &machine = parsed.machine;
    EXPECT_TRUE(ranks == 0 || machine.ranks == ranks);
    ASSERT_GE(machine.levels, 1);
    for (int level = 0; level < machine.levels; level++) {
        std::map<int, int> above;
        int highest = -1;
        for (int64_t rank = 0; rank < machine.ranks; rank++) {
            int part = machine.part_of_rank[level][rank];
            ASSERT_LE(part, highest + 1);
            highest = std::max(highest, part);
            if (level > 0) {
                int outer = machine.part_of_rank[level - 1][rank];
                ASSERT_EQ(above.emplace(part, outer).first->second, outer);
            }
        }
        ASSERT_EQ(machine.parts[level], highest + 1);
    }
}

TEST(MachineFuzz, RandomTextsAreParsedOrRefused) {
    const std::string letters = "0123456789xx**,,:ppncyclic\n -#";
    test::Random random(1);
    for (int trial = 0; trial < 20000; trial++) {
        std::string text = random.chance(.3) ? (random.chance(.5) ? "cyclic:" : "ppn:") : "";
        for (int length = random.below(9); length > 0; length--)
            text += letters[static_cast<size_t>(random.below(static_cast<int>(letters.size())))];
        if (random.chance(.2))
            text += static_cast<char>(random.from(1, 255));
        int64_t ranks = random.from(1, 60);
        expect_sound(Machine(text, ranks), ranks);
    }
}

TEST(MachineFuzz, RandomFilesAreReadOrRefused) {
    const std::string letters = "aab01 \t\r\n\n\n#";
    test::Random random(2);
    for (int trial = 0; trial < 4000; trial++) {
        std::string content;
        double noise = random.chance(.5) ? 0 : .05;
        for (int length = random.below(60); length > 0; length--)
            content +=
                random.chance(noise)
                    ? static_cast<char>(random.below(256))
                    : letters[static_cast<size_t>(random.below(static_cast<int>(letters.size())))];
        test::TemporaryFile file(content);
        int64_t ranks = random.below(4) ? 0 : random.from(1, 12);
        expect_sound(Machine("file:" + file.path, ranks), ranks);
    }
}

} // namespace
