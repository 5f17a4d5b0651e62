# SPDX-License-Identifier: BSD-3-Clause
"""What grows with the number of ranks, and why: filled in by page.py."""

COLUMNS = ["what", "bytes of a rank", "steps", "at a million", "why, and whether less is possible"]
# p ranks, N nodes, n ranks of a node, s links into a rank of a channel
ROWS = [
    [
        "attach, nodes are blocks of equally many ranks (the last may have fewer)",
        "{attach:,}",
        "reductions and splits: O(log p) messages of ours",
        "{attach_text}",
        (
            "a formula. It was 16 p bytes kept and 36 p at the peak (measured at 2^20: 16.8"
            " and 37.8 MB), and an allgather of 8 p"
        ),
    ],
    [
        "attach, any other nodes",
        "12 p + 4 N, at the peak 32 p",
        "one allgather of 4 p more",
        "{cyclic}",
        (
            "who shares a node with whom follows no rule; one copy for all ranks of a node "
            "would do, and is not made"
        ),
    ],
    [
        "attach, sizes of nodes",
        "0 where all are equal, else 4 N",
        "an allgather over leaders where they are not",
        "64 KiB",
        "a list where sizes follow no rule",
    ],
    [
        "memory that a node shares",
        "8 × 2 × (32 KiB n, at most 4 MiB) + lines of 64 bytes: 16 (1 + n) each",
        "",
        "{shared} a node",
        "grows with the node, not with p",
    ],
    [
        "MPI's own: a duplicate, nodes, leaders",
        "",
        "MPI_Comm_dup, two splits",
        "",
        (
            "MPI_Comm_split gathers all colours in most MPIs: O(p) in MPI. Leaders know no "
            "list of one another, which MPI_Comm_create_group wants"
        ),
    ],
    [
        "grid, up to `CAUCUS_CART_CENTRAL` ranks",
        "O(n); rank 0 O(p)",
        "a gather and a scatter",
        "–",
        "rank 0 runs all mappers on the whole grid",
    ],
    [
        "grid, above",
        "8 N on leaders",
        "a broadcast of N + the plan",
        "128 KiB",
        (
            "how many ranks of each node take part; a formula where all do, not made. The "
            "plan itself: [planner](planner.md)"
        ),
    ],
    [
        "init of barrier, bcast, reduce, allreduce, scan",
        "32 for each operation, O(log p) of them",
        "one reduction among leaders",
        "1 to 4 KiB, 66 KiB at the peak",
        "while it is planned, 4 N for the leaders' list",
    ],
    [
        "init of neighbourhoods",
        "32 for each neighbour, twice",
        "a reduction",
        "",
        (
            "p + all edges are exchanged where these are at most 2^20 in all, for "
            "algorithms that plan with them; beyond that nothing is"
        ),
    ],
    [
        "init of gather",
        "the same; 8 p while it is planned",
        "the same",
        "8.4 MiB at the peak",
        (
            "places of blocks, made alike for equal and unequal ones; a formula for equal "
            "ones is not made"
        ),
    ],
    [
        "init of allgather",
        "the same; 96 p while it is planned",
        "the same",
        "96 MiB at the peak",
        "a note for each block that passes a node; the result itself has p blocks",
    ],
    [
        "init of reduce_scatter",
        "32 O(log p)",
        "the same",
        "7 KiB",
        "the operand has p blocks",
    ],
    [
        "init of alltoall",
        "32 for each operation: up to 3 p of 8 bytes each",
        "the same",
        "96 MiB",
        (
            "a block for each rank has to be put somewhere: where it is as short as here, "
            "the plan is longer than the data. An all-to-all of a million ranks is O(p) "
            "messages or O(p) copies in any algorithm"
        ),
    ],
    [
        "v and w forms",
        "8 to 24 p besides",
        "exchange of counts: MPI_Alltoall of 8 bytes",
        "",
        "the caller's own arrays have as many entries",
    ],
    [
        "group, a range",
        "{range:,}",
        "none before it is used",
        "{range:,} B",
        "first, last and stride",
    ],
    [
        "group, a list",
        (
            "12 for each member, kept; 48 to 96 for each member in the first creation with "
            "a tag, kept"
        ),
        "2 (n - 1) messages, 2 log2 n hops",
        "{group}",
        (
            "the caller has the list; which creation of the two a message is about is "
            "counted for each member"
        ),
    ],
    [
        "group's collectives",
        "4 for each member, and a map of nodes",
        "",
        "",
        "ranks of the parent by position; 0 for ranges is possible, not made",
    ],
    [
        "tags of a group",
        "",
        "",
        "with MPI_TAG_UB 2^28 - 1 one group that a rank numbers at a time",
        "a share of half the tags for each rank",
    ],
    [
        "channel",
        "s × 16 × (16,384 + 48 + 28) + 3 p; total order and questions 8 p more each",
        "one broadcast and two reductions",
        "{channel}",
        (
            "2 of the 3 bytes: answers that are awaited for an origin, 1: how far it is. "
            "Any rank may ask at any time; a table of the open ones would do, and is not "
            "made"
        ),
    ],
    [
        "channel, which overlay",
        "rank 0: 48 p",
        "rank 0: 3.5 s of a processor",
        "{overlay} on rank 0",
        (
            "casts of eight origins or more are followed. It was done by every rank, for up"
            " to 2^24 ranks over all origins: 0.54 s on each of 4,096, 1.3 s on each of "
            "65,536; now 0.07 and 0.15 s on rank 0"
        ),
    ],
]
