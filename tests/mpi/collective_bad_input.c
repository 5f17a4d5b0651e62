/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of bad argument of every collective that has it, in every form: the right error class
 * and words, and nobody waits. Then what only agreement can show, on all ranks.
 * run: ranks=1,2,3 mpi=mpich,openmpi,intel,abi
 * run: ranks=2 env=CAUCUS_CHECK=1 args=checked mpi=mpich,openmpi,intel,abi
 * run: ranks=4 env=CAUCUS_CHECK=1 env=CAUCUS_NODES=2x2 args=checked mpi=mpich,openmpi */
#include "collective_case.h"

static int class_of(int code) {
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static int send[4096], receive[4096], handled;
static MPI_Datatype uncommitted;

static void count_call(MPI_Comm *comm, int *code, ...) {
    (void)comm, (void)code;
    handled++;
}

static struct arguments good(MPI_Comm comm) {
    struct arguments a = {.send = send,
                          .receive = receive,
                          .type = MPI_INT,
                          .op = MPI_SUM,
                          .comm = comm,
                          .info = MPI_INFO_NULL,
                          .count = 2};
    for (int i = 0; i < 8; i++) {
        a.i_send_counts[i] = a.i_receive_counts[i] = 2;
        a.l_send_counts[i] = a.l_receive_counts[i] = 2;
        a.i_send_places[i] = a.i_receive_places[i] = 2 * i;
        a.l_send_places[i] = a.l_receive_places[i] = 2 * i;
        a.types[i] = MPI_INT;
    }
    return a;
}

static void count_negative(struct arguments *a) {
    a->count = -1;
    for (int i = 0; i < 8; i++) {
        a->i_send_counts[i] = a->i_receive_counts[i] = -1;
        a->l_send_counts[i] = a->l_receive_counts[i] = -1;
    }
}
static void set_type(struct arguments *a, MPI_Datatype type) {
    a->type = type;
    for (int i = 0; i < 8; i++)
        a->types[i] = type;
}
static void type_null(struct arguments *a) {
    set_type(a, MPI_DATATYPE_NULL);
}
static void type_uncommitted(struct arguments *a) {
    set_type(a, uncommitted);
}
static void root_high(struct arguments *a) {
    a->root = world_size();
}
static void root_negative(struct arguments *a) {
    a->root = -1;
}
static void op_null(struct arguments *a) {
    a->op = MPI_OP_NULL;
}
static void op_wrong(struct arguments *a) {
    a->op = MPI_MAXLOC;
}
static void op_one_sided(struct arguments *a) {
    a->op = MPI_REPLACE;
}
static void buffers_null(struct arguments *a) {
    a->send = NULL;
    a->receive = NULL;
}
static void buffers_same(struct arguments *a) {
    a->send = receive;
}
static void in_place_twice(struct arguments *a) {
    a->send = a->receive = MPI_IN_PLACE;
}

enum needs { ANY = 0, ROOTED = 1, REDUCES = 2, TWO_BUFFERS = 4, NO_REDUCTION = 8 };

static const struct {
    const char *name;
    void (*spoil)(struct arguments *a);
    int class;
    const char *words;
    int needs;
} cases[] = {
    {"negative count", count_negative, MPI_ERR_COUNT, "must not be negative", ANY},
    {"null type", type_null, MPI_ERR_TYPE, "MPI_DATATYPE_NULL", ANY},
    {"type not committed", type_uncommitted, MPI_ERR_TYPE, "MPI_Type_commit", NO_REDUCTION},
    {"root too high", root_high, MPI_ERR_ROOT, "root is", ROOTED},
    {"root negative", root_negative, MPI_ERR_ROOT, "root is -1", ROOTED},
    {"null op", op_null, MPI_ERR_OP, "MPI_OP_NULL", REDUCES},
    {"wrong op", op_wrong, MPI_ERR_OP, "MPI_MAXLOC, which does not take MPI_INT", REDUCES},
    {"one-sided op", op_one_sided, MPI_ERR_OP, "one-sided", REDUCES},
    {"null buffers", buffers_null, MPI_ERR_BUFFER, "null pointer", ANY},
    {"one buffer twice", buffers_same, MPI_ERR_BUFFER, "MPI_IN_PLACE", TWO_BUFFERS},
    {"both in place", in_place_twice, MPI_ERR_BUFFER, "must not be MPI_IN_PLACE", ANY},
};

static bool is_rooted(int collective) {
    return collective == CAUCUS_BCAST || collective == CAUCUS_REDUCE ||
           (collective >= CAUCUS_GATHER && collective <= CAUCUS_SCATTERV);
}

static bool fits(int collective, int needs) {
    bool reduces = caucus_task_reduces((enum caucus_collective)collective);
    return !((needs & ROOTED && !is_rooted(collective)) || (needs & REDUCES && !reduces) ||
             (needs & NO_REDUCTION && reduces) ||
             (needs & TWO_BUFFERS && is_rooted(collective) && world_size() > 1) ||
             (needs & TWO_BUFFERS && collective == CAUCUS_BCAST));
}

static void every_argument(MPI_Comm comm) {
    int done = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int collective = CAUCUS_BCAST; collective < CAUCUS_NEIGHBOR_ALLGATHER; collective++)
            for (int form = 0; form < FORMS && fits(collective, cases[i].needs); form++) {
                struct arguments a = good(comm);
                caucus_request request = CAUCUS_REQUEST_NULL;
                int before = handled;
                cases[i].spoil(&a);
                int code = call_collective((enum caucus_collective)collective, (enum form)form,
                                           form % 2, &a, &request);
                CHECK(class_of(code) == cases[i].class, "%s of %s, form %d: class %d: %s",
                      cases[i].name, caucus_collective_name(collective), form, class_of(code),
                      caucus_error_text());
                CHECK(strstr(caucus_error_text(), cases[i].words), "%s: %s", cases[i].name,
                      caucus_error_text());
                CHECK(handled == before + 1, "the error handler came %d times", handled - before);
                CHECK(request == CAUCUS_REQUEST_NULL, "a request was made all the same");
                done++;
            }
    if (world_rank() == 0)
        printf("%d bad calls\n", done);
}

static void bad_communicators(void) {
    struct arguments a = good(MPI_COMM_NULL);
    caucus_request request = CAUCUS_REQUEST_NULL;
    CHECK(class_of(caucus_barrier(MPI_COMM_NULL)) == MPI_ERR_COMM, "null");
    CHECK(class_of(caucus_ibarrier(MPI_COMM_NULL, &request)) == MPI_ERR_COMM, "null");
    CHECK(class_of(caucus_barrier_init(MPI_COMM_NULL, a.info, &request)) == MPI_ERR_COMM, "null");
    CHECK(class_of(caucus_neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT,
                                             MPI_COMM_WORLD)) == MPI_ERR_TOPOLOGY,
          "%s", caucus_error_text());
    CHECK(class_of(caucus_ibarrier(MPI_COMM_WORLD, NULL)) == MPI_ERR_REQUEST, "%s",
          caucus_error_text());
    for (int i = 0; i < 20; i++) { /* of what is known from one call to the next */
        CHECK_MPI(caucus_ibcast(receive, 1, MPI_INT, 0, MPI_COMM_WORLD, &request));
        CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    }
    CHECK(class_of(caucus_ibcast(receive, 1, MPI_INT, 0, MPI_COMM_WORLD, NULL)) == MPI_ERR_REQUEST,
          "%s", caucus_error_text());
    CHECK(class_of(caucus_alltoallv(send, NULL, NULL, MPI_INT, receive, NULL, NULL, MPI_INT,
                                    MPI_COMM_WORLD)) == MPI_ERR_ARG,
          "%s", caucus_error_text());
}

/* What one rank gives otherwise than the others. */
static void other_count(struct arguments *a) {
    a->count = 3;
    for (int i = 0; i < 8; i++)
        a->i_receive_counts[i] = 3, a->l_receive_counts[i] = 3;
}
static void other_root(struct arguments *a) {
    a->root = 1;
}
static void other_op(struct arguments *a) {
    a->op = MPI_MAX;
}

static void differ(MPI_Comm comm, enum form form) {
    static const struct {
        void (*change)(struct arguments *a);
        const char *words;
        int needs;
    } changes[] = {{other_count, "", ANY},
                   {other_root, "root differs between ranks: rank 0 has 0, rank", ROOTED},
                   {other_op, "op differs between ranks: rank 0 has 'MPI_SUM'", REDUCES},
                   {count_negative, "must not be negative", ANY}};
    int last = world_rank() == world_size() - 1;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int collective = CAUCUS_BCAST; collective < CAUCUS_NEIGHBOR_ALLGATHER; collective++) {
            struct arguments a = good(comm);
            caucus_request request = CAUCUS_REQUEST_NULL;
            if (!fits(collective, changes[i].needs))
                continue;
            if (last)
                changes[i].change(&a);
            int code = call_collective((enum caucus_collective)collective, form, 0, &a, &request);
            /* scatterv's length is told by the root alone: nothing differs */
            bool same = changes[i].change == other_count && collective == CAUCUS_SCATTERV;
            CHECK((code == MPI_SUCCESS) == same, "%s, change %zu: code %d",
                  caucus_collective_name(collective), i, code);
            CHECK(same || strstr(caucus_error_text(), changes[i].words), "%s", caucus_error_text());
            if (same && form == PERSISTENT)
                CHECK_MPI(caucus_request_free(&request));
            else if (same)
                CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
        }
    caucus_request request = CAUCUS_REQUEST_NULL;
    struct arguments a = good(comm);
    int code = call_collective(last ? CAUCUS_SCAN : CAUCUS_ALLREDUCE, form, 0, &a, &request);
    CHECK(class_of(code) == MPI_ERR_ARG && strstr(caucus_error_text(), "the collective differs"),
          "%s", caucus_error_text());
}

static void bad_algorithms(MPI_Comm comm) {
    static const char *const values[] = {"no_such", "barrier:no_such"};
    for (int i = 0; i < 2; i++) {
        caucus_request request = CAUCUS_REQUEST_NULL;
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "caucus_algorithm", values[i]);
        int code = caucus_barrier_init(comm, info, &request);
        CHECK(class_of(code) == MPI_ERR_ARG && strstr(caucus_error_text(), "no algorithm"), "%s",
              caucus_error_text());
        MPI_Info_free(&info);
    }
}

int main(int argc, char **argv) {
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(count_call, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
    every_argument(comm);
    bad_communicators();
    bad_algorithms(comm);
    for (int form = 0; form < FORMS && world_size() > 1; form++)
        if (form == PERSISTENT || argc > 1)
            differ(comm, (enum form)form);
    MPI_Type_free(&uncommitted);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
