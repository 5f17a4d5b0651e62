/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a symbolic run, and the parts that a proof consists of. One run stands for all: what
 * scratch and node memory hold at its start counts as unknown, and no such byte may be used, so
 * what a run does cannot depend on the runs before it. */
#ifndef CAUCUS_STUDY_VERIFY_STATE_H
#define CAUCUS_STUDY_VERIFY_STATE_H

#include "study/verify/map.h"
#include "study/verify/verify.h"

/* What a rank knows of the others of its node: seen[l] is the time of l's last signal or message
 * that it heard of, directly or not; what l did before that time is visible. 0: nothing. A rank's
 * time is the number of its step, from 1. Of a barrier started, behind seen, has a bit for each
 * rank of all nodes that is known to have started. Shared by whoever knows the same; NULL knows
 * nothing. */
struct caucus_clock {
    int32_t references;
    uint32_t *started;
    uint32_t seen[];
};

struct caucus_verify_rank {
    const struct caucus_operation *operations;
    int64_t count, scratch_bytes;
    struct caucus_rank_buffers buffers;
    int64_t in_start; /* position of its in */
    struct caucus_map out, scratch;
    uint32_t *partner;  /* of sends and receives: the operation of the peer that meets it */
    int64_t posted;     /* operations up to here have begun */
    int64_t step_begin; /* the first operation of the present step */
    int64_t unfinished; /* operations of the present step */
    uint32_t time;
    int32_t node, local;
    bool synchronising, done;
    struct caucus_clock *clock;  /* at the beginning of the step */
    struct caucus_clock *coming; /* with what the step has heard; NULL where that is nothing */
};

/* A signal as it was given. */
struct caucus_verify_signal {
    int64_t value;
    uint32_t time;
    struct caucus_clock *clock;
};

struct caucus_verify_waiter {
    int32_t rank;
    int64_t operation;
    struct caucus_verify_waiter *next;
};

struct caucus_verify_line {
    int32_t owner; /* local rank, -1: not yet raised */
    int32_t signals, room;
    struct caucus_verify_signal *signal; /* values ascend */
    struct caucus_verify_waiter *waiters;
};

/* A rank at a time. */
struct caucus_verify_moment {
    int32_t local;
    uint32_t time;
};

/* Of a range of node memory: its write, and the reads since then (a list, 0 ends it). Where its
 * entry in the map has become smaller than the range, others may refer to it too. */
struct caucus_verify_access {
    int64_t begin, end;
    struct caucus_verify_moment write;
    uint32_t reads;
};

struct caucus_verify_read {
    struct caucus_verify_moment moment;
    uint32_t next;
};

/* What waiting for these lines tells: many ranks wait for the same. */
enum { CAUCUS_VERIFY_KEPT_JOINS = 8 };
struct caucus_verify_join {
    int64_t first, value;
    int32_t lines;
    struct caucus_clock *clock;
};

struct caucus_verify_node {
    int32_t ranks, lines;
    int64_t bytes;
    bool shared; /* some memory is used, so that it matters who knows what */
    struct caucus_map line_payload, memory;
    struct caucus_verify_line *line;
    struct caucus_verify_join kept[CAUCUS_VERIFY_KEPT_JOINS];
};

/* Bytes of one origin, somewhere. */
struct caucus_piece {
    int64_t length, position;
    uint32_t symbol;
};

struct caucus_pieces {
    struct caucus_piece *piece;
    int64_t count, room;
};

/* A combination: of ranks low to high where ordered, else of count operands whose keys sum to
 * sum. Equal numbers stand for equal trees. */
struct caucus_combination {
    uint32_t left, right; /* what it is made of: a rank, or ranks + number */
    union {
        struct {
            uint32_t low, high;
        } range;
        uint64_t sum;
    };
    uint32_t count, next; /* of its place in the table */
};

struct caucus_combinations {
    struct caucus_combination *combination;
    uint32_t *table; /* of 2^bits places: a number + 1 */
    int64_t count, room;
    int bits;
};

struct caucus_verify {
    const struct caucus_specification *specification;
    int32_t ranks;
    struct caucus_verify_rank *rank;
    struct caucus_verify_node *node;
    int32_t nodes;
    int32_t started_words; /* of a clock; 0: this is no barrier */
    int64_t in_total;
    int64_t uniform; /* bytes of in where all ranks have as much, else 0 */
    struct caucus_pool pool;
    struct caucus_combinations combinations;
    uint64_t *key_sum; /* ranks + 1: sums of the keys of ranks before */
    struct caucus_pieces pieces, operands, results;
    struct caucus_verify_access *access; /* from 1 */
    struct caucus_verify_read *read;     /* from 1 */
    uint32_t accesses, access_room, reads, read_room;
    int32_t *ready; /* a ring of ranks whose next step may begin */
    int32_t ready_begin, ready_count;
    struct caucus_verdict verdict;
};

/* text.c: fails with a text that begins with rank, step and operation. */
int caucus_verify_fail(const struct caucus_verify *verify, int32_t rank, int64_t operation,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
const char *caucus_verify_buffer_name(int buffer);

/* match.c: finds the partner of every send and receive. */
int caucus_verify_match(struct caucus_verify *verify);

/* step.c: operands within bounds, and no two of a step in conflict. The step of a rank from
 * operation begin on; sets *end. */
int caucus_verify_step(struct caucus_verify *verify, int32_t rank, int64_t begin, int64_t *end);

/* memory.c: what bytes hold. */
int caucus_verify_add_piece(struct caucus_pieces *pieces, struct caucus_piece piece);
int caucus_verify_read(struct caucus_verify *verify, int32_t rank, int64_t operation, int buffer,
                       int64_t offset, int64_t length, struct caucus_pieces *pieces);
int caucus_verify_write(struct caucus_verify *verify, int32_t rank, int64_t operation, int buffer,
                        int64_t offset, const struct caucus_pieces *pieces);

/* combine.c: a reduction, and what a symbol stands for. */
int caucus_verify_combine(struct caucus_verify *verify, int32_t rank, int64_t operation);
bool caucus_verify_is_combination(const struct caucus_verify *verify, uint32_t symbol,
                                  int32_t first, int32_t last);
int32_t caucus_verify_rank_of(const struct caucus_verify *verify, int64_t position);

/* order.c: what happens before what on a node, and what before the end of a barrier. */
struct caucus_clock *caucus_clock_share(struct caucus_clock *clock);
void caucus_clock_release(struct caucus_clock *clock);
/* Of a barrier: a rank tells with all that it says that it has started. */
int caucus_verify_start(struct caucus_verify *verify);
bool caucus_clock_knows_start(const struct caucus_clock *clock, int32_t rank);
int caucus_verify_hear(struct caucus_verify *verify, int32_t rank, int32_t from);
int caucus_verify_signal(struct caucus_verify *verify, int32_t rank, int64_t operation);
int caucus_verify_await(struct caucus_verify *verify, int32_t rank, int64_t operation,
                        int64_t first_line);

/* race.c: accesses to node memory, each of which must know of those before it. */
int caucus_verify_note_read(struct caucus_verify *verify, int32_t rank, int64_t operation,
                            struct caucus_map *map, int64_t begin, int64_t end);
int caucus_verify_note_write(struct caucus_verify *verify, int32_t rank, int64_t operation,
                             struct caucus_map *map, int64_t begin, int64_t end, uint32_t *access);

/* run.c: carries all schedules out. */
int caucus_verify_run(struct caucus_verify *verify);
int caucus_verify_finished_one(struct caucus_verify *verify, int32_t rank);

/* stuck.c: fails, with who waits for whom, unless all ranks are done. */
int caucus_verify_stuck(const struct caucus_verify *verify);

/* result.c: compares with what was asked for. */
int caucus_verify_result(struct caucus_verify *verify);

#endif
