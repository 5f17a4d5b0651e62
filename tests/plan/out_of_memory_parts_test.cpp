// SPDX-License-Identifier: BSD-3-Clause
// Whatever allocation fails: machines, mappers, overlays, groups and redistributions say that they
// are out of memory, and give back all that they had; and nothing is kept where none fails.
extern "C" {
#include "base/status.h"
}
#include "collective_case.hpp"
#include "failing_memory.hpp"
extern "C" {
#include "plan/graph/place.h"
#include "plan/grid/bound.h"
#include "plan/grid/dims.h"
#include "plan/grid/mapper.h"
#include "plan/grid/portfolio.h"
#include "plan/grid/slabs.h"
#include "plan/group/members.h"
#include "plan/group/merge.h"
#include "plan/group/task_queue.h"
#include "plan/machine/machine.h"
#include "plan/overlay/overlay.h"
#include "plan/redistribute/directory.h"
#include "plan/redistribute/side.h"
}
#include "random_case.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using test::refuse_each;

TEST(OutOfMemory, Mappers) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        test::Random random(seed);
        auto problem = test::random_problem(random, 100);
        const caucus_grid_problem *given = *problem;
        std::vector<int32_t> nodes(static_cast<size_t>(given->grid.size));
        for (int i = 0; caucus_grid_mapper_entry(i); i++) {
            const caucus_grid_mapper *mapper = caucus_grid_mapper_entry(i);
            refuse_each(mapper->name, [&] { return mapper->map(given, nodes.data()); });
        }
        refuse_each("slabs, packed", [&] {
            caucus_slabs *slabs = nullptr;
            int64_t *packed = nullptr, count = 0;
            int status = caucus_slabs_plan(given, &slabs);
            if (status)
                return status;
            status = caucus_slabs_pack(slabs, &packed, &count);
            if (!status)
                free(packed);
            caucus_slabs_free(slabs);
            return status;
        });
        refuse_each("the bound", [&] {
            double bound;
            return caucus_grid_bound(given, &bound);
        });
        refuse_each("the choice", [&] {
            caucus_grid_choice choice{};
            int status = caucus_grid_choose(given, "best", nullptr, true, &choice);
            if (!status)
                caucus_grid_choice_free(&choice);
            return status;
        });
    }
}

TEST(OutOfMemory, Dims) {
    for (int32_t size : {8, 512}) { /* mapped, and estimated */
        const caucus_nodes nodes = caucus_nodes_alike(64, size);
        auto choose = [&](int *dims) {
            dims[0] = dims[1] = 0;
            return caucus_grid_dims(&nodes, 2, nullptr, nullptr, dims);
        };
        int wanted[2];
        ASSERT_EQ(choose(wanted), CAUCUS_OK);
        refuse_each(
            "dims",
            [&] {
                int dims[2];
                int status = choose(dims);
                EXPECT_TRUE(status || (dims[0] == wanted[0] && dims[1] == wanted[1]));
                return status;
            },
            true); /* sorting can do without */
    }
}

TEST(OutOfMemory, Graphs) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test::Random random(static_cast<unsigned>(seed));
        const int32_t vertices = 14;
        std::vector<int64_t> start = {0};
        std::vector<int32_t> to, node, part;
        for (int32_t vertex = 0; vertex < vertices; vertex++) {
            for (int k = random.below(5); k > 0; k--)
                to.push_back(random.below(vertices));
            start.push_back(static_cast<int64_t>(to.size()));
        }
        for (int32_t rank = 0; rank < vertices + 2; rank++) {
            node.push_back(rank % 3);
            part.push_back(rank % 2);
        }
        const caucus_graph graph = {vertices, start.data(), to.data(), nullptr};
        const caucus_places places = {vertices + 2, 3, node.data(), 1, {part.data(), nullptr}};
        refuse_each("a graph", [&] {
            caucus_graph_placement placement{};
            int status = caucus_graph_place(&graph, &places, nullptr, 0, &placement);
            if (!status)
                caucus_graph_placement_free(&placement);
            return status;
        });
    }
}

TEST(OutOfMemory, Machines) {
    for (const char *text : {"4x8", "cyclic:4", "5,6,7", "ppn:3", "12"})
        refuse_each(text, [&] {
            caucus_machine machine{};
            int status = caucus_machine_parse(&machine, text, 0);
            if (status == CAUCUS_BAD_ARGUMENT)
                return static_cast<int>(CAUCUS_NOT_APPLICABLE);
            if (!status)
                caucus_machine_free(&machine);
            return status;
        });
    refuse_each("nodes", [] {
        const int32_t label[] = {3, 3, 1, 1, 0, 3, 7};
        caucus_node_map map{};
        int status = caucus_node_map_init(&map, 7, label);
        if (!status)
            caucus_node_map_free(&map);
        return status;
    });
}

TEST(OutOfMemory, Overlays) {
    test::NodeMap map(test::Nodes::uneven, 13, 4);
    for (int i = 0; caucus_overlay_listed(i); i++)
        for (bool shared : {false, true})
            for (int32_t rank = 0; rank < 13; rank++) {
                caucus_overlay overlay{};
                overlay.kind = caucus_overlay_listed(i);
                overlay.ranks = 13;
                overlay.nodes = map.get();
                overlay.shared = shared;
                for (auto links : {caucus_overlay_sources, caucus_overlay_targets})
                    refuse_each(overlay.kind->name, [&] {
                        int32_t count, *list = nullptr;
                        int status = links(&overlay, rank, &count, &list);
                        free(list);
                        return status;
                    });
            }
}

TEST(OutOfMemory, Members) {
    const int32_t list[] = {4, 1, 7, 2}, inside[] = {3, 0, 2};
    refuse_each("members", [&] {
        caucus_members outer{}, inner{}, within{}, copy{};
        int status = caucus_members_from_list(&outer, 10, 4, list);
        if (status)
            return status;
        status = caucus_members_from_list(&inner, 4, 3, inside);
        if (!status) {
            status = caucus_members_within(&within, &outer, &inner);
            caucus_members_free(&inner);
        }
        if (!status) {
            status = caucus_members_copy(&copy, &within);
            caucus_members_free(&within);
        }
        caucus_members_free(&outer);
        if (status)
            return status;
        int32_t *array = caucus_members_array(&copy);
        caucus_members_free(&copy);
        free(array);
        return static_cast<int>(array ? CAUCUS_OK : CAUCUS_NO_MEMORY);
    });
}

TEST(OutOfMemory, Merges) {
    const int32_t own[] = {4, 1, 7, 2};
    for (int32_t theirs : {5, 7}) // an outcome, and an overlap
        refuse_each("a merge", [&] {
            const int32_t word[] = {2, 9, theirs};
            caucus_members members{};
            caucus_merge merge{};
            merge.parent_size = 10;
            int status = caucus_members_from_list(&members, 10, 4, own);
            if (status)
                return status;
            status = caucus_merge_add(&merge, &members);
            caucus_members_free(&members);
            if (!status)
                status = caucus_merge_note(&merge, 1, word, 3);
            if (!status)
                status = caucus_merge_settle(&merge);
            if (!status)
                status = caucus_merge_check(&merge);
            caucus_merge_free(&merge);
            return theirs == 7 && status == CAUCUS_BAD_ARGUMENT ? static_cast<int>(CAUCUS_OK)
                                                                : status;
        });
}

TEST(OutOfMemory, TaskQueues) {
    refuse_each("a queue of tasks", [] {
        caucus_task_queue queue{};
        int status = caucus_task_queue_create(&queue, 3, 1);
        for (int64_t task = 0; !status && task < 100; task++)
            status = caucus_task_queue_submit(&queue, task, 2);
        caucus_task_queue_free(&queue);
        return status;
    });
}

// One rank, which has what it wants, some of it twice.
int redistribute() {
    const caucus_index_range has_ranges[] = {{20, 5}, {3, 9}};
    const caucus_index_range wants_ranges[] = {{5, 4}, {20, 2}, {6, 1}, {21, 3}};
    caucus_index_list has{}, wants{};
    caucus_index_repeats repeats{};
    caucus_index_mail told{}, heard{};
    caucus_index_missing missing{};
    caucus_index_side side{};
    int status = caucus_index_list_create(&has, "have", 2, has_ranges, nullptr);
    if (status)
        return status;
    status = caucus_index_list_create(&wants, "want", 4, wants_ranges, &repeats);
    if (!status) {
        caucus_directory directory = caucus_directory_cut(3, 25, 9, 1);
        status = caucus_directory_tell(&directory, 0, &has, &wants, &told);
        if (!status) {
            status = caucus_directory_match(told.record, told.begin[told.receivers], 0, &heard,
                                            &missing);
            caucus_index_mail_free(&told);
        }
        if (!status) {
            status = caucus_index_side_create(&side, CAUCUS_INDEX_RECEIVE, heard.record,
                                              heard.begin[heard.receivers], 0, 1, &wants, &repeats);
            caucus_index_mail_free(&heard);
        }
        if (!status)
            caucus_index_side_free(&side);
        caucus_index_list_free(&wants);
        free(repeats.repeat);
    }
    caucus_index_list_free(&has);
    return status;
}

TEST(OutOfMemory, Redistributions) {
    refuse_each("a redistribution", redistribute);
}

} // namespace
