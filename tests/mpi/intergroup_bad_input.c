/* SPDX-License-Identifier: BSD-3-Clause */
/* What only an agreement between two groups can find out, and what is wrong between two groups but
 * not within one: the right error class on every rank, words that name a rank as its reader sees
 * it, nothing written. intergroup_random.c has the arguments that are wrong anywhere.
 * args: "checked" where the other forms agree too
 * run: ranks=2,3,5
 * run: ranks=2,5 env=CAUCUS_CHECK=1 args=checked
 * run: ranks=6 env=CAUCUS_CHECK=1 env=CAUCUS_NODES=3x2 args=checked mpi=mpich,openmpi full */
#include "intergroup_case.h"
#include "join_groups.h"

static int first;

static int class_of(int code) {
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* What a rank says is less than what it should. */
static void shorten(struct operation *o) {
    struct part *parts[] = {&o->call.send, &o->call.receive};
    o->call.count += o->draw.which == REDUCE_SCATTER_BLOCK ? o->draw.size[!o->side] : -1;
    for (int i = 0; i < 2; i++)
        for (int block = 0; block < MOST; block++)
            if (parts[i]->counts[block] > 0) {
                parts[i]->counts[block]--;
                parts[i]->large_counts[block]--;
            }
}
static void take_root(struct operation *o) {
    o->call.root = MPI_ROOT;
    o->call.count = 0;
}
static void take_no_part(struct operation *o) {
    o->call.root = MPI_PROC_NULL;
}
static void name_another(struct operation *o) {
    o->call.root = (o->draw.root + 1) % o->draw.size[o->draw.root_side];
}
static void name_first(struct operation *o) {
    o->call.root = 0;
    o->call.count = 0;
}
static void change_operation(struct operation *o) {
    o->call.op = MPI_MAX;
}
static void call_barrier(struct operation *o) {
    o->call.which = BARRIER;
}

/* Who errs: any rank that takes part, the root, one of its group, one of the other group. */
enum who { TAKES_PART, IS_ROOT, BESIDE_ROOT, AWAY };
enum needs { ALL, LENGTHS, ROOTED, COMBINES };

static const struct {
    const char *name;
    void (*spoil)(struct operation *o);
    enum who who;
    enum needs needs;
    int class;
    const char *words;
} cases[] = {
    {"lengths", shorten, TAKES_PART, LENGTHS, MPI_ERR_TRUNCATE, " bytes"},
    {"two roots", take_root, BESIDE_ROOT, ROOTED, MPI_ERR_ROOT, "both have MPI_ROOT"},
    {"no root", take_no_part, IS_ROOT, ROOTED, MPI_ERR_ROOT, "no rank has MPI_ROOT"},
    {"another root", name_another, AWAY, ROOTED, MPI_ERR_ROOT, "but MPI_ROOT is given"},
    {"no part", take_no_part, AWAY, ROOTED, MPI_ERR_ROOT, "not of its group"},
    {"inside", name_first, BESIDE_ROOT, ROOTED, MPI_ERR_ROOT, "but MPI_ROOT is given"},
    {"operation", change_operation, TAKES_PART, COMBINES, MPI_ERR_ARG, "op"},
    {"collective", call_barrier, TAKES_PART, ALL, MPI_ERR_ARG, "the collective differs"},
};
enum { CASES = sizeof cases / sizeof *cases };

static bool applies(int index, const struct draw *d) {
    enum needs needs = cases[index].needs;
    if (d->which == BARRIER || (needs == ROOTED && !is_rooted(d->which)) ||
        (needs == COMBINES && !is_reduction(d->which)))
        return false;
    if (cases[index].who == BESIDE_ROOT || cases[index].spoil == name_another)
        return d->size[d->root_side] > 1;
    return true;
}

static bool is_one(int index, const struct draw *d, int side, int rank) {
    int away = (d->root + 1) % d->size[!d->root_side];
    switch (cases[index].who) {
    case IS_ROOT:
        return side == d->root_side && rank == d->root;
    case BESIDE_ROOT:
        return side == d->root_side && rank == (d->root + 1) % d->size[side];
    default:
        return side != d->root_side && rank == away;
    }
}

/* All ranks get the same, and each reads of its own groups. */
static void check_words(int index, const char *what) {
    const char *text = caucus_error_text();
    CHECK(strstr(text, cases[index].words), "%s: %s", what, text);
    CHECK(strstr(text, " of the local group") || strstr(text, " of the remote group") ||
              cases[index].who == IS_ROOT,
          "%s: %s", what, text);
    CHECK(!strchr(text, '\x01'), "%s: %s", what, text);
}

static struct draw draw_right(uint64_t *state, int which, enum form form) {
    struct draw d = draw_case(state, first, world_size() - first);
    d.which = (enum which)which;
    d.form = form;
    d.positive = true;
    d.silent = -1;
    d.longest = 5;
    d.elements = common_multiple(d.size[0], d.size[1]) * (1 + d.elements % 7);
    d.reduction = &reductions[0];
    return d;
}

static void disagreements(MPI_Comm comm, int side, int rank, int forms) {
    uint64_t state = 3;
    int done = 0;
    for (int index = 0; index < CASES; index++)
        for (int which = 0; which < WHICH; which++)
            for (int form = forms; form < FORMS; form++) {
                struct operation o;
                char text[512];
                struct draw d = draw_right(&state, which, (enum form)form);
                if (!applies(index, &d))
                    continue;
                build_operation(&o, &d, comm, side, rank);
                fill_operation(&o);
                describe(&o, text, sizeof text);
                if (is_one(index, &d, side, rank))
                    cases[index].spoil(&o);
                int code = make_call(&o.call);
                CHECK(class_of(code) == cases[index].class, "%s: %s: class %d: %s",
                      cases[index].name, text, class_of(code), caucus_error_text());
                check_words(index, text);
                CHECK(o.call.request == NO_REQUEST, "a failed call has a request");
                if (o.call.receive.matters) /* nothing came */
                    make_noise(&o.call.receive, salt_of(&o) + 1);
                check_operation(&o);
                drop_operation(&o);
                done++;
            }
    if (world_rank() == 0)
        printf("%d disagreements\n", done);
}

static void check_class(int code, int class, const char *words) {
    CHECK(class_of(code) == class, "class %d: %s", class_of(code), caucus_error_text());
    CHECK(strstr(caucus_error_text(), words), "%s", caucus_error_text());
}

/* What there is within one group only, and vectors that can't be cut in equal parts. */
static void unknown_calls(MPI_Comm comm, int side) {
    caucus_request request = CAUCUS_REQUEST_NULL;
    int in[64] = {0}, out[64], counts[64] = {0}, sizes[] = {first, world_size() - first};
    const char *words = "intercommunicator";
    MPI_Info info = MPI_INFO_NULL;
    check_class(caucus_scan(in, out, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COMM, words);
    check_class(caucus_iscan(in, out, 1, MPI_INT, MPI_SUM, comm, &request), MPI_ERR_COMM, words);
    check_class(caucus_exscan_init(in, out, 1, MPI_INT, MPI_SUM, comm, info, &request),
                MPI_ERR_COMM, words);
    check_class(caucus_neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm), MPI_ERR_COMM,
                words);
    check_class(caucus_ineighbor_alltoallv(in, counts, counts, MPI_INT, out, counts, counts,
                                           MPI_INT, comm, &request),
                MPI_ERR_COMM, words);
    check_class(
        caucus_neighbor_alltoall_init(in, 1, MPI_INT, out, 1, MPI_INT, comm, info, &request),
        MPI_ERR_COMM, words);
    check_class(caucus_allgather_c(in, (MPI_Count)1 << 62, MPI_DOUBLE, out, 1, MPI_INT, comm),
                MPI_ERR_COUNT, "2^63");
    CHECK(request == CAUCUS_REQUEST_NULL, "a failed call has a request");
    if (sizes[side] % sizes[!side] != 0 && sizes[!side] % sizes[side] != 0)
        check_class(caucus_reduce_scatter_block(in, out, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_COUNT,
                    "equal parts");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return_errors(MPI_COMM_WORLD);
    make_types();
    for (first = 1; first < world_size(); first++) {
        MPI_Comm comm = join_groups(MPI_COMM_WORLD, first, world_size() - first);
        int side = world_rank() >= first, rank = world_rank() - side * first;
        return_errors(comm);
        disagreements(comm, side, rank, argc > 1 ? BLOCKING : PERSISTENT);
        unknown_calls(comm, side);
        disagreements(comm, side, rank, PERSISTENT);
        MPI_Comm_free(&comm);
    }
    free_types(free_operation);
    MPI_Finalize();
    return 0;
}
