/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that are to be kept from run to run, of messages from every kind of buffer into every
 * kind: node memory and lines are elsewhere in each run, so what is kept of them would bring what
 * an earlier run has sent, or to where it has received.
 *
 * run: ranks=1,2,3
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0 */
#include "schedules.h"

enum { BYTES = CAUCUS_LINE_PAYLOAD, RUNS = 5, KINDS = 4 };

static unsigned char value_of(int rank, int run, int i) {
    return (unsigned char)(rank * 31 + run * 7 + i + 1);
}

/* This rank's own room; kind 0 is the user's. */
static struct caucus_place room_of(struct caucus_builder *builder, int kind,
                                   struct caucus_place users) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    if (kind == 1)
        return caucus_reserve_scratch(builder, BYTES);
    if (kind == 2)
        return caucus_line_payload(caucus_reserve_lines(builder, size) + rank);
    if (kind == 3)
        return caucus_at(caucus_reserve_node(builder, (int64_t)size * BYTES),
                         (int64_t)rank * BYTES);
    return users;
}

/* To the next rank, from the one before. */
static void emit_shift(struct caucus_builder *builder, int source, int target) {
    int32_t size = builder->group.size, rank = builder->group.rank;
    struct caucus_place from = room_of(builder, source, in_at(0));
    struct caucus_place into = room_of(builder, target, out_at(0));
    if (source > 0)
        caucus_emit_copy(builder, in_at(0), from, BYTES);
    caucus_end_step(builder);
    caucus_emit_receive(builder, (rank - 1 + size) % size, into, BYTES);
    caucus_emit_send(builder, (rank + 1) % size, from, BYTES);
    caucus_end_step(builder);
    if (target > 0)
        caucus_emit_copy(builder, into, out_at(0), BYTES);
    caucus_end_step(builder);
}

static void check_shift(struct caucus_engine *engine, int source, int target) {
    static unsigned char in[BYTES], out[BYTES];
    int rank = world_rank(), size = world_size(), before = (rank - 1 + size) % size;
    struct buffers buffers = {in, out, BYTES, BYTES, MPI_BYTE, MPI_OP_NULL, CAUCUS_SENDING_KEPT};
    struct caucus_builder builder;
    struct operation shift;
    caucus_builder_init(&builder, size, rank);
    emit_shift(&builder, source, target);
    make(&shift, engine, &builder, false, &buffers);
    for (int round = 0; round < RUNS; round++) {
        for (int i = 0; i < BYTES; i++)
            in[i] = value_of(rank, round, i), out[i] = 0;
        run(&shift);
        for (int i = 0; i < BYTES; i++)
            CHECK(out[i] == value_of(before, round, i), "from kind %d into %d, run %d: byte %d",
                  source, target, round, i);
    }
    destroy(&shift);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct caucus_engine *engine = engine_of(MPI_COMM_WORLD);
    for (int source = 0; source < KINDS; source++)
        for (int target = 0; target < KINDS; target++)
            check_shift(engine, source, target);
    MPI_Finalize();
    return 0;
}
