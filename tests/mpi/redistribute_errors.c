/* SPDX-License-Identifier: BSD-3-Clause */
/* What bad arguments of a redistribution get: one class and the right words on every rank of all
 * groups, a call of the error handler, no request, nothing written; and that all goes on after it.
 * run: ranks=1,2,3 mpi=mpich,openmpi,intel,abi
 * run: ranks=4 env=CAUCUS_NODES=2x2 mpi=mpich,openmpi,intel,abi */
#include "redistribute_groups.h"

enum { LENGTH = 8 };

struct arguments {
    double in[LENGTH], out[LENGTH];
    const void *sendbuf;
    void *recvbuf;
    MPI_Count have_count, want_count;
    caucus_index_range have[2], want[2];
    const caucus_index_range *have_list, *want_list;
    MPI_Datatype sendtype, recvtype;
    int rank, size;
};

static MPI_Datatype uncommitted;

static void negative_count(struct arguments *a) {
    a->have_count = -1;
}
static void negative_range(struct arguments *a) {
    a->want[1].count = -3;
}
static void null_list(struct arguments *a) {
    a->have_list = NULL;
}
static void beyond_the_end(struct arguments *a) {
    a->want[0].first = INT64_MAX - 1;
}
static void too_many(struct arguments *a) {
    a->have[0] = (caucus_index_range){INT64_MIN, INT64_MAX};
    a->have[1] = (caucus_index_range){0, INT64_MAX};
}
static void too_many_bytes(struct arguments *a) {
    a->have[1] = (caucus_index_range){1 << 20, INT64_MAX / 16};
}
static void had_twice(struct arguments *a) {
    a->have[1].first = a->have[0].first + 3;
}
static void had_by_nobody(struct arguments *a) {
    a->want[1].first = 100000;
}
static void null_type(struct arguments *a) {
    a->sendtype = MPI_DATATYPE_NULL;
}
static void type_not_committed(struct arguments *a) {
    a->recvtype = uncommitted;
}
static void other_size(struct arguments *a) {
    a->sendtype = MPI_FLOAT;
}
static void null_buffer(struct arguments *a) {
    a->recvbuf = NULL;
}
static void in_place(struct arguments *a) {
    a->sendbuf = MPI_IN_PLACE;
}
static void one_buffer(struct arguments *a) {
    a->recvbuf = a->in;
}

static const struct {
    const char *name;
    void (*spoil)(struct arguments *a);
    int class;
    const char *words;
} cases[] = {
    {"negative count", negative_count, MPI_ERR_COUNT, "have_count is -1"},
    {"negative range", negative_range, MPI_ERR_COUNT, "want[1].count is -3"},
    {"null list", null_list, MPI_ERR_ARG, "have is a null pointer"},
    {"beyond the end", beyond_the_end, MPI_ERR_ARG, "beyond 2^63 - 2"},
    {"too many", too_many, MPI_ERR_COUNT, "more than 2^63 - 1 indices"},
    {"too many bytes", too_many_bytes, MPI_ERR_COUNT, "more than 2^62 bytes"},
    {"had twice", had_twice, MPI_ERR_ARG, "twice"},
    {"had by nobody", had_by_nobody, MPI_ERR_ARG, "wants index 100000, which no rank"},
    {"null type", null_type, MPI_ERR_TYPE, "sendtype is MPI_DATATYPE_NULL"},
    {"not committed", type_not_committed, MPI_ERR_TYPE, "MPI_Type_commit"},
    {"other size", other_size, MPI_ERR_TYPE, "elements differ in size"},
    {"null buffer", null_buffer, MPI_ERR_BUFFER, "recvbuf is a null pointer"},
    {"in place", in_place, MPI_ERR_BUFFER, "MPI_IN_PLACE"},
    {"one buffer", one_buffer, MPI_ERR_BUFFER, "the same buffer"},
};

/* Every rank has eight indices of its own, and wants those of the next rank of the other group. */
static void set(struct arguments *a, const struct groups *groups) {
    int first = groups->first, size = groups->size, from;
    if (first == 0)
        from = (groups->rank + 1) % size;
    else
        from = groups->rank < first ? first + groups->rank % (size - first)
                                    : (groups->rank - first) % first;
    *a = (struct arguments){.have_count = 2,
                            .want_count = 2,
                            .sendtype = MPI_DOUBLE,
                            .recvtype = MPI_DOUBLE,
                            .rank = groups->rank,
                            .size = size};
    a->sendbuf = a->in;
    a->recvbuf = a->out;
    a->have_list = a->have;
    a->want_list = a->want;
    for (int i = 0; i < 2; i++) {
        a->have[i] = (caucus_index_range){LENGTH * groups->rank + 4 * !i, 4};
        a->want[i] = (caucus_index_range){LENGTH * from + 4 * i, 4};
    }
    for (int i = 0; i < LENGTH; i++) {
        a->in[i] = LENGTH * groups->rank + (i + 4) % LENGTH;
        a->out[i] = -1;
    }
}

static int init(const struct arguments *a, MPI_Comm comm, caucus_request *request) {
    return caucus_redistribute_init(a->sendbuf, a->have_count, a->have_list, a->sendtype,
                                    a->recvbuf, a->want_count, a->want_list, a->recvtype, comm,
                                    MPI_INFO_NULL, request);
}

static void expect(int code, int class, const char *words, const char *name, int handled) {
    int got;
    MPI_Error_class(code, &got);
    CHECK(got == class, "%s: class %d: %s", name, got, caucus_error_text());
    CHECK(strstr(caucus_error_text(), words), "%s: %s", name, caucus_error_text());
    CHECK(atomic_load(&errors_ignored) == handled + 1, "%s: the handler came %d times", name,
          atomic_load(&errors_ignored) - handled);
}

/* One rank errs, and the last one at that. */
static void every_argument(const struct groups *groups) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arguments a;
        caucus_request request = CAUCUS_REQUEST_NULL;
        int handled = atomic_load(&errors_ignored);
        set(&a, groups);
        if (groups->rank == groups->size - 1)
            cases[i].spoil(&a);
        int code = init(&a, groups->comm, &request);
        /* A type of another size is one for the rank itself where it is alone. */
        expect(code, cases[i].class, cases[i].words, cases[i].name, handled);
        CHECK(request == CAUCUS_REQUEST_NULL, "%s: a request was made all the same", cases[i].name);
        for (int k = 0; k < LENGTH; k++)
            CHECK(a.out[k] == -1, "%s: something was written", cases[i].name);
    }
}

static void names_ranks(const struct groups *groups) {
    char expected[64];
    struct arguments a;
    caucus_request request = CAUCUS_REQUEST_NULL;
    int last = groups->size - 1, remote = groups->first > 0;
    set(&a, groups);
    if (groups->rank == last)
        had_by_nobody(&a);
    init(&a, groups->comm, &request);
    if (remote)
        snprintf(expected, sizeof expected, "rank %d of the %s group wants", last - groups->first,
                 groups->rank < groups->first ? "remote" : "local");
    else
        snprintf(expected, sizeof expected, "rank %d wants", last);
    CHECK(strstr(caucus_error_text(), expected), "'%s' is not in: %s", expected,
          caucus_error_text());
}

/* Ranks without elements have no size that could differ. */
static void sizes_differ_and_some_are_idle(const struct groups *groups) {
    struct arguments a;
    caucus_request request = CAUCUS_REQUEST_NULL;
    int handled = atomic_load(&errors_ignored), last = groups->size - 1;
    set(&a, groups);
    if (groups->rank == last)
        other_size(&a);
    else if (groups->rank > 0)
        a.have_count = a.want_count = 0;
    expect(init(&a, groups->comm, &request), MPI_ERR_TYPE, "elements differ in size", "some idle",
           handled);
}

static void goes_on(const struct groups *groups) {
    struct arguments a;
    caucus_request request;
    set(&a, groups);
    CHECK_MPI(init(&a, groups->comm, &request));
    CHECK_MPI(caucus_start(&request));
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < LENGTH; i++)
        CHECK(a.out[i] == (double)(a.want[0].first + i), "%d: %g", i, a.out[i]);
    int handled = atomic_load(&errors_ignored);
    CHECK_MPI(caucus_start(&request));
    expect(caucus_start(&request), MPI_ERR_REQUEST, "redistribution", "started twice", handled);
    CHECK_MPI(caucus_wait(&request, MPI_STATUS_IGNORE));
    CHECK_MPI(caucus_request_free(&request));
    handled = atomic_load(&errors_ignored);
    expect(init(&a, groups->comm, NULL), MPI_ERR_REQUEST, "null pointer", "no request", handled);
}

static void all(MPI_Comm comm) {
    struct groups groups = groups_of(comm);
    return_errors(comm);
    goes_on(&groups);
    every_argument(&groups);
    names_ranks(&groups);
    sizes_differ_and_some_are_idle(&groups);
    goes_on(&groups);
}

int main(int argc, char **argv) {
    struct arguments a;
    caucus_request request = CAUCUS_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    return_errors(MPI_COMM_SELF);
    MPI_Type_contiguous(2, MPI_FLOAT, &uncommitted);
    all(MPI_COMM_WORLD);
    if (world_size() > 1) {
        MPI_Comm inter = between((world_size() + 1) / 2);
        all(inter);
        MPI_Comm_free(&inter);
    }
    struct groups world = groups_of(MPI_COMM_WORLD);
    set(&a, &world);
    int code = init(&a, MPI_COMM_NULL, &request), class;
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_COMM, "class %d", class);
    MPI_Type_free(&uncommitted);
    MPI_Finalize();
    return 0;
}
