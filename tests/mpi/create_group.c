/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators made by their members alone, by every algorithm: all, one, none, some in any order,
 * as MPI_Comm_create makes them; with receives posted that take anything; and while those outside
 * call nothing at all.
 *
 * run: ranks=1,2,3,6
 * run: ranks=2,6 env=CAUCUS_CREATE_GROUP=recursive_merge
 * run: ranks=2,5 env=CAUCUS_CREATE_GROUP=parentless
 * run: ranks=6 env=CAUCUS_NODES=cyclic:2 env=CAUCUS_SHARED_MEMORY=0 */
#include "founders.h"

#include <caucus/caucus.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 25 };

static int rank, size, bound;
static MPI_Comm parent;

/* The same as by all ranks together. */
static void check_against_mpi(MPI_Comm made, MPI_Group group) {
    MPI_Comm reference;
    int relation;
    CHECK_MPI(MPI_Comm_create(parent, group, &reference));
    CHECK((made == MPI_COMM_NULL) == (reference == MPI_COMM_NULL), "one of them is null");
    if (made == MPI_COMM_NULL)
        return;
    MPI_Comm_compare(made, reference, &relation);
    CHECK(relation == MPI_CONGRUENT, "relation %d", relation);
    MPI_Comm_free(&reference);
}

static void try_group(const struct founders *founders, int tag, bool traps) {
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Group group = group_of(parent, founders);
    struct trap trap;
    bool inside = place_of(founders, rank) >= 0;
    if (inside && traps)
        set_trap(&trap, parent);
    CHECK_MPI(caucus_comm_create_group(parent, group, tag, &made));
    check_made(made, group, founders, rank);
    if (inside && traps)
        spring_trap(&trap, parent, founders, rank);
    check_against_mpi(made, group);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

static void try_extremes(void) {
    MPI_Comm made = MPI_COMM_SELF;
    struct founders all = {.count = size}, one = {1, {size - 1}};
    for (int i = 0; i < size; i++)
        all.ranks[i] = size - 1 - i;
    try_group(&all, bound, true);
    try_group(&one, 0, false);
    CHECK_MPI(caucus_comm_create_group(parent, MPI_GROUP_EMPTY, 3, &made));
    CHECK(made == MPI_COMM_NULL, "something was made of no process");
}

/* Members come late, one after the other; several on one tag, one after the other. */
static void try_random(void) {
    unsigned seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        struct founders drawn = draw_founders(&seed, size, 1);
        if (draw(&seed) % 4 == 0)
            usleep(draw(&seed) % 1000 * (unsigned)rank);
        try_group(&drawn, round % 3, round % 2);
    }
}

static int refuse_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag) {
    (void)comm, (void)keyval, (void)extra, (void)value, (void)copy;
    CHECK(0, "an attribute was copied");
    *flag = 0;
    return MPI_SUCCESS;
}

/* The error handler goes with it, attributes do not; not even those of MPI_COMM_SELF. */
static void try_inheritance(void) {
    MPI_Comm made;
    MPI_Errhandler handler, expected;
    int keyval;
    struct founders some = {.count = (size + 1) / 2};
    for (int i = 0; i < some.count; i++)
        some.ranks[i] = 2 * i;
    MPI_Group group = group_of(parent, &some);
    MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(parent, keyval, &made);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &made);
    CHECK_MPI(caucus_comm_create_group(parent, group, 5, &made));
    if (made != MPI_COMM_NULL) {
        MPI_Comm_get_errhandler(parent, &expected);
        MPI_Comm_get_errhandler(made, &handler);
        CHECK(handler == expected, "another error handler");
        MPI_Errhandler_free(&handler);
        MPI_Errhandler_free(&expected);
        MPI_Comm_free(&made);
    }
    MPI_Comm_delete_attr(parent, keyval);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyval);
    MPI_Comm_free_keyval(&keyval);
    MPI_Group_free(&group);
}

static void use_window(MPI_Comm made) {
    int new_rank, members, *base;
    MPI_Win window;
    MPI_Comm_rank(made, &new_rank);
    MPI_Comm_size(made, &members);
    CHECK_MPI(MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, made, &base, &window));
    *base = -1;
    MPI_Win_fence(0, window);
    MPI_Put(&new_rank, 1, MPI_INT, (new_rank + 1) % members, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(*base == (new_rank + members - 1) % members, "%d", *base);
    MPI_Win_free(&window);
}

static void use_file(MPI_Comm made, const char *path) {
    int new_rank, members, got = -1;
    MPI_File file;
    MPI_Comm_rank(made, &new_rank);
    MPI_Comm_size(made, &members);
    CHECK_MPI(MPI_File_open(made, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &file));
    MPI_File_write_at_all(file, new_rank * (MPI_Offset)sizeof got, &new_rank, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(made);
    MPI_File_sync(file);
    int other = (new_rank + 1) % members;
    MPI_File_read_at_all(file, other * (MPI_Offset)sizeof got, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(got == other, "%d", got);
    MPI_File_close(&file);
}

/* The members do everything while the others sleep, and know of it by memory alone. */
static void try_without_the_rest(void) {
    char path[64] = "create_group.XXXXXX", data[80];
    struct founders some = {.count = size > 1 ? size - 1 : 1};
    for (int i = 0; i < some.count; i++)
        some.ranks[i] = size - 1 - i;
    int file = rank == 0 ? mkstemp(path) : -1;
    CHECK(rank != 0 || (file >= 0 && ftruncate(file, sizeof(atomic_int)) == 0), "no file");
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, parent);
    if (rank != 0)
        CHECK((file = open(path, O_RDWR)) >= 0, "no file");
    atomic_int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(done != MAP_FAILED, "no shared memory");
    MPI_Barrier(parent);
    if (place_of(&some, rank) >= 0) {
        MPI_Comm made;
        MPI_Group group = group_of(parent, &some);
        CHECK_MPI(caucus_comm_create_group(parent, group, 1, &made));
        check_made(made, group, &some, rank);
        use_window(made);
        snprintf(data, sizeof data, "%s.data", path);
        use_file(made, data);
        MPI_Comm_free(&made);
        MPI_Group_free(&group);
        atomic_fetch_add(done, 1);
    }
    while (atomic_load(done) < some.count)
        usleep(1000);
    munmap(done, sizeof *done);
    close(file);
    MPI_Barrier(parent);
    if (rank == 0)
        unlink(path);
}

int main(int argc, char **argv) {
    void *value;
    int found;
    MPI_Init(&argc, &argv);
    rank = world_rank();
    size = world_size();
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    return_errors(parent);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    bound = *(int *)value;
    CHECK_MPI(caucus_comm_attach(parent));
    try_extremes();
    try_random();
    try_inheritance();
    try_without_the_rest();
    MPI_Comm_free(&parent);
    MPI_Finalize();
    return 0;
}
