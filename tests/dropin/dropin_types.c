/* SPDX-License-Identifier: BSD-3-Clause */
/* What a persistent or nonblocking collective keeps of its arguments: datatypes with gaps and
 * operations of the user's that are freed at once, arrays that change, MPI_IN_PLACE, MPI_BOTTOM,
 * and the order of ranks.
 *
 * run: ranks=1,2,3,5 preload
 * run: ranks=4 preload env=CAUCUS_ENABLE=nonblocking,blocking
 * run: ranks=4 preload env=CAUCUS_SHARED_MEMORY=0
 * run: ranks=4 args=native mpi=mpich
 */
#include "persistent.h"

#if HAS_PERSISTENT
enum { MOST = 8, ROUNDS = 3 };

static int rank, size, is_native;

/* x → ax + b: compositions depend on the order. */
struct map {
    long a, b;
};

static void compose(void *in, void *inout, int *count, MPI_Datatype *type) {
    struct map *first = in, *then = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        then[i] = (struct map){first[i].a * then[i].a, then[i].a * first[i].b + then[i].b};
}

static struct map map_of(int r, int turn) {
    return (struct map){r % 3 + 1, r + 10 * turn};
}

static struct map composed(int turn, int last) {
    struct map all = map_of(0, turn);
    for (int r = 1; r <= last; r++) {
        struct map next = map_of(r, turn);
        compose(&all, &next, &(int){1}, NULL);
        all = next;
    }
    return all;
}

static void check_map(const char *what, struct map found, struct map right) {
    CHECK(found.a == right.a && found.b == right.b, "%s: %ld, %ld, not %ld, %ld", what, found.a,
          found.b, right.a, right.b);
}

/* The program frees its operation and datatype before the first start; MPI itself asks it not to
 * free the operation so early. */
static void own_operation(void) {
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request requests[3];
    struct map in, all, upto, at_last;
    MPI_Type_contiguous(2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(compose, 0, &op);
    MPI_Allreduce_init(&in, &all, 1, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Scan_init(&in, &upto, 1, type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Reduce_init(&in, &at_last, 1, type, op, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &requests[2]);
    MPI_Type_free(&type);
    if (!is_native)
        MPI_Op_free(&op);
    for (int turn = 0; turn < ROUNDS; turn++) {
        in = map_of(rank, turn);
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        check_map("allreduce", all, composed(turn, size - 1));
        check_map("scan", upto, composed(turn, rank));
        if (rank == size - 1)
            check_map("reduce", at_last, composed(turn, size - 1));
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    if (is_native)
        MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL, "the operation is not null");
}

/* Columns of a matrix to the rows of another, with displacements that change after the call. */
static void gaps(void) {
    int matrix[4][MOST], rows[MOST][4], counts[MOST], places[MOST];
    MPI_Datatype column;
    MPI_Request request;
    MPI_Type_vector(4, 1, MOST, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int r = 0; r < size; r++) {
        counts[r] = 4;
        places[r] = 4 * (size - 1 - r);
    }
    MPI_Allgatherv_init(&matrix[0][1], 1, column, rows, counts, places, MPI_INT, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &request);
    MPI_Type_free(&column);
    for (int turn = 0; turn < ROUNDS; turn++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < MOST; j++)
                matrix[i][j] = j == 1 ? 100 * turn + 10 * rank + i : -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int r = 0; r < size; r++)
            for (int i = 0; i < 4; i++)
                CHECK(rows[size - 1 - r][i] == 100 * turn + 10 * r + i, "%d",
                      rows[size - 1 - r][i]);
    }
    MPI_Request_free(&request);
}

static void in_place(void) {
    int numbers[MOST], total;
    MPI_Request requests[2];
    MPI_Allgather_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, 1, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[1]);
    for (int turn = 0; turn < ROUNDS; turn++) {
        for (int r = 0; r < size; r++)
            numbers[r] = r == rank ? 100 * turn + r : -1;
        total = turn + rank;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int r = 0; r < size; r++)
            CHECK(numbers[r] == 100 * turn + r, "%d", numbers[r]);
        CHECK(total == size * turn + size * (size - 1) / 2, "%d", total);
    }
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
}

static void from_the_bottom(void) {
    long value = 0;
    int one = 1;
    MPI_Aint address;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Get_address(&value, &address);
    MPI_Type_create_hindexed(1, &one, &address, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Bcast_init(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Type_free(&type);
    for (int turn = 0; turn < ROUNDS; turn++) {
        value = rank == 0 ? turn + 5 : -1;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(value == turn + 5, "%ld", value);
    }
    MPI_Request_free(&request);
}

/* Nonblocking ones with an operation that is freed while they are active. */
static void nonblocking(void) {
    struct map in[ROUNDS], all[ROUNDS];
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request requests[ROUNDS];
    MPI_Type_contiguous(2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(compose, 0, &op);
    for (int turn = 0; turn < ROUNDS; turn++) {
        in[turn] = map_of(rank, turn);
        MPI_Iallreduce(&in[turn], &all[turn], 1, type, op, MPI_COMM_WORLD, &requests[turn]);
    }
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Waitall(ROUNDS, requests, MPI_STATUSES_IGNORE);
    for (int turn = 0; turn < ROUNDS; turn++) {
        CHECK(requests[turn] == MPI_REQUEST_NULL, "request %d", turn);
        check_map("iallreduce", all[turn], composed(turn, size - 1));
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    is_native = argc > 1;
    own_operation();
    gaps();
    in_place();
    from_the_bottom();
    nonblocking();
    MPI_Finalize();
    return 0;
}
#else
int main(void) {
    return without_persistent();
}
#endif
