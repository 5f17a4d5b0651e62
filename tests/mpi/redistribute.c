/* SPDX-License-Identifier: BSD-3-Clause */
/* Redistributions of random decompositions, of one group and between two: every byte of every
 * buffer, gaps included, after several starts with new data, of several requests at a time.
 * Arguments: how many, and the seed.
 * run: ranks=1,2,3,5 mpi=mpich,openmpi,intel,abi
 * run: ranks=4 env=CAUCUS_NODES=cyclic:2
 * run: ranks=6 env=CAUCUS_NODES=3,1,2 mpi=mpich,openmpi
 * run: ranks=3 env=CAUCUS_NODES=3x1 mpi=mpich,openmpi
 * run: ranks=4 env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=3 env=CAUCUS_SHARED_MEMORY=0 env=CAUCUS_REQUESTS=kept
 * run: ranks=3 env=TEST_DEVICE=cuda
 * run: ranks=4 env=TEST_DEVICE=hip env=CAUCUS_NODES=cyclic:2 mpi=mpich,openmpi full
 * run: ranks=6 args="80 {day}" full */
#include "redistribute_case.h"

enum { REQUESTS = 4, STARTS = 3 };

/* What a case is like, drawn alike on all ranks. */
static void draw_lists(struct field *field, int begin, int end, int target_begin, int target_end) {
    int64_t most = draw(0, 7) ? 4000 : 30000; /* so much that messages go in pieces */
    int64_t low = draw(-100, 100), length = draw(0, 3) ? draw(1, most) : draw(0, 40);
    int64_t longest = draw(0, 2) ? draw(1, 20) : draw(1, 2000);
    switch (draw(0, 3)) {
    case 0: /* each index has one owner, and goes to one rank */
        deal(field->has, low, length, longest, begin, end);
        deal(field->wants, low, length, draw(1, 500), target_begin, target_end);
        break;
    case 1: /* block-cyclic to whatever is wanted, some of it by several or twice */
        deal_cyclic(field->has, low, length, draw(1, 8), begin, end);
        pick(field->wants, low, length, target_begin, target_end);
        break;
    case 2: /* all on one rank, to blocks of a cycle */
        deal(field->has, low, length, length + 1, (int)draw(begin, end - 1), 0);
        deal_cyclic(field->wants, low, length, draw(1, 64), target_begin, target_end);
        break;
    default: /* everybody has all, and wants some */
        for (int rank = begin; rank < end; rank++)
            deal(field->has, low, length, longest, rank, 0);
        pick(field->wants, low, length, target_begin, target_end);
    }
}

static void draw_fields(const struct groups *groups, struct field *fields) {
    for (int direction = 0; direction < (groups->first > 0 ? 2 : 1); direction++) {
        struct field *field = &fields[direction];
        int cut = groups->first;
        if (direction == 1 && draw(0, 1)) /* one direction only */
            break;
        if (cut == 0)
            draw_lists(field, 0, groups->size, 0, groups->size);
        else if (direction == 0)
            draw_lists(field, 0, cut, cut, groups->size);
        else
            draw_lists(field, cut, groups->size, 0, cut);
    }
}

static void fill_and_start(struct moved *moved, int64_t salt) {
    fill(moved, salt);
    CHECK_MPI(caucus_start(&moved->request));
}

static void one_case(const struct groups *groups, int requests) {
    struct moved moved[REQUESTS];
    caucus_request handles[REQUESTS];
    for (int i = 0; i < requests; i++) {
        struct field fields[2] = {{.element = elements[draw(0, ELEMENTS - 1)]},
                                  {.element = elements[draw(0, ELEMENTS - 1)]}};
        draw_fields(groups, fields);
        prepare(&moved[i], groups, fields);
        free_fields(fields);
    }
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < requests; i++) { /* in another order on every rank */
            int which = (i + groups->rank) % requests;
            fill_and_start(&moved[which], 1000 * start + which);
        }
        for (int i = 0; i < requests; i++)
            handles[i] = moved[i].request;
        CHECK_MPI(caucus_waitall(requests, handles, MPI_STATUSES_IGNORE));
        for (int i = 0; i < requests; i++)
            verify(&moved[i]);
    }
    for (int i = 0; i < requests; i++)
        finish(&moved[i]);
}

/* Streams of many chunks, messages of many packets. */
static void long_case(const struct groups *groups) {
    struct field fields[2] = {{.element = 8}, {.element = 8}};
    struct moved moved;
    int cut = groups->first;
    int64_t length = INT64_C(60000) * groups->size;
    deal_cyclic(fields[0].has, 0, length, 997, 0, cut > 0 ? cut : groups->size);
    deal(fields[0].wants, 0, length, 5000, cut, groups->size);
    prepare(&moved, groups, fields);
    free_fields(fields);
    for (int start = 0; start < STARTS; start++) {
        fill_and_start(&moved, start);
        CHECK_MPI(caucus_wait(&moved.request, MPI_STATUS_IGNORE));
        verify(&moved);
    }
    finish(&moved);
}

static void all_cases(MPI_Comm comm, int count) {
    struct groups groups = groups_of(comm);
    for (int i = 0; i < count; i++)
        one_case(&groups, i % 4 == 3 ? REQUESTS : 1);
    long_case(&groups);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 16;
    draw_state += argc > 2 ? (uint64_t)atol(argv[2]) : 0;
    all_cases(MPI_COMM_WORLD, count);
    for (int cut = 1; cut < world_size(); cut += 1 + world_size() / 4) {
        MPI_Comm inter = between(cut);
        all_cases(inter, count / 2);
        MPI_Comm_free(&inter);
    }
    MPI_Finalize();
    return 0;
}
