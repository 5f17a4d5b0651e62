/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments in a drawn case: the error class that must come of them, and where. Without an
 * agreement between ranks a rank that errs returns alone; so all err then for whom it matters, and
 * the others have nothing to do. */
#ifndef TESTS_MPI_INTERGROUP_WRONG_H
#define TESTS_MPI_INTERGROUP_WRONG_H

#include "intergroup_case.h"

enum wrong {
    NEGATIVE_COUNT,
    NULL_TYPE,
    UNCOMMITTED_TYPE,
    IN_PLACE,
    ONE_BUFFER,
    NO_SUCH_ROOT,
    TWO_ROOTS,
    LONGER_BLOCK,
    NO_COMMUNICATOR,
    WRONG
};

static const char *const wrong_names[WRONG] = {
    "a negative count", "a null type",         "an uncommitted type", "MPI_IN_PLACE",
    "one buffer",       "a root out of range", "two roots",           "a block that is too long",
    "no communicator"};

static const int wrong_classes[WRONG] = {
    [NEGATIVE_COUNT] = MPI_ERR_COUNT,  [NULL_TYPE] = MPI_ERR_TYPE,
    [UNCOMMITTED_TYPE] = MPI_ERR_TYPE, [IN_PLACE] = MPI_ERR_BUFFER,
    [ONE_BUFFER] = MPI_ERR_BUFFER,     [NO_SUCH_ROOT] = MPI_ERR_ROOT,
    [TWO_ROOTS] = MPI_ERR_ROOT,        [LONGER_BLOCK] = MPI_ERR_TRUNCATE,
    [NO_COMMUNICATOR] = MPI_ERR_COMM,
};

/* Whether the case has what goes wrong; some can be found out by an agreement only. */
static inline bool may_be_wrong(const struct draw *d, enum wrong wrong, bool agrees) {
    bool both = d->which == ALLREDUCE || d->which >= ALLGATHER;
    switch (wrong) {
    case NO_COMMUNICATOR:
#ifdef TEST_MPI /* then MPI gets the call, and MPICH 5.0.2 gives no code after a user's handler */
        return false;
#endif
        return true;
    case ONE_BUFFER:
        return both;
    case UNCOMMITTED_TYPE: /* which operations of MPI's own do not take either */
        return d->which != BARRIER && !is_reduction(d->which);
    case NO_SUCH_ROOT:
        return is_rooted(d->which);
    case TWO_ROOTS:
        return is_rooted(d->which) && d->size[d->root_side] > 1 && agrees;
    case LONGER_BLOCK:
        return (d->which == GATHERV || d->which == ALLGATHERV || d->which == ALLTOALLV) && agrees;
    default:
        return d->which != BARRIER;
    }
}

static inline bool matters(const struct operation *o) {
    return o->call.send.matters || o->call.receive.matters;
}

/* Whether a rank of a side has arguments that matter. */
static inline bool takes_part(const struct draw *d, int side, int rank) {
    return !is_rooted(d->which) || d->root_side != side || d->root == rank;
}

static inline void set_types(struct call *call, MPI_Datatype type) {
    call->type = type;
    say_types(&call->send, type);
    say_types(&call->receive, type);
}

static inline void spoil(struct operation *o, enum wrong wrong) {
    struct call *call = &o->call;
    switch (wrong) {
    case NEGATIVE_COUNT:
        call->count = -1;
        say_counts(&call->send, MOST, -1);
        say_counts(&call->receive, MOST, -1);
        break;
    case NULL_TYPE:
        set_types(call, MPI_DATATYPE_NULL);
        break;
    case UNCOMMITTED_TYPE:
        set_types(call, uncommitted);
        break;
    case IN_PLACE:
        *(call->send.matters ? &call->send.buffer : &call->receive.buffer) = MPI_IN_PLACE;
        break;
    case ONE_BUFFER:
        call->receive.buffer = call->send.buffer;
        break;
    case NO_SUCH_ROOT:
        call->root = 1000;
        break;
    case TWO_ROOTS:
        call->root = MPI_ROOT;
        call->count = 0; /* as its buffers have it */
        break;
    case LONGER_BLOCK:
        for (int i = 0; i < o->draw.size[!o->side]; i++) {
            call->send.counts[i]++;
            call->send.large_counts[i]++;
        }
        break;
    default:
        call->comm = MPI_COMM_NULL;
        break;
    }
}

/* One rank or all of those that matter: which, the same on all ranks. */
static inline bool errs(const struct operation *o, enum wrong wrong, bool alone) {
    const struct draw *d = &o->draw;
    int side = (int)(mix(d->salt + 3) % 2), all = d->size[side];
    if (wrong == NO_COMMUNICATOR)
        return true;
    if (wrong == NO_SUCH_ROOT && !alone)
        return true;
    if (wrong == TWO_ROOTS)
        return o->side == d->root_side && o->rank == (d->root + 1) % d->size[d->root_side];
    if (!alone)
        return matters(o);
    int rank = (int)(mix(d->salt + 4) % (uint64_t)all);
    if (wrong == LONGER_BLOCK && d->which == GATHERV)
        side = !d->root_side, rank = rank % d->size[side];
    else if (!takes_part(d, side, rank))
        rank = d->root;
    return o->side == side && o->rank == rank;
}

static inline void expect(const struct operation *o, enum wrong wrong, int code, bool all) {
    char text[512];
    int class = MPI_SUCCESS, wanted = all ? wrong_classes[wrong] : MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    describe(o, text, sizeof text);
    CHECK(class == wanted, "%s: %s: class %d, not %d", text, wrong_names[wrong], class, wanted);
}

#endif
