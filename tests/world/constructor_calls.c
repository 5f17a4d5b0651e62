/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructors of communicators under MPI's names. */
#include "collectives.h"

#include <stdlib.h>
#include <string.h>

static struct call_data *begin(const char *name, enum shape shape, MPI_Comm handle, int *code) {
    struct comm *comm = comm_of(handle, name);
    choose(name);
    *code = comm ? MPI_SUCCESS : comm_error(NULL, MPI_ERR_COMM);
    if (!comm)
        return NULL;
    struct call_data *call = call_new(name, shape, comm);
    call->key = comm->sequence++;
    return call;
}

static MPI_Comm made_by(struct call_data *call) {
    return call->made ? (MPI_Comm)(void *)call->made : MPI_COMM_NULL;
}

static int make(struct call_data *call, MPI_Comm *made) {
    int code = call_run(call);
    *made = made_by(call);
    return code;
}

/* ---- duplicates ---- */
static int dup(const char *name, MPI_Comm handle, MPI_Comm *made) {
    int code;
    struct call_data *call = begin(name, MAKE_DUP, handle, &code);
    if (!call)
        return code;
    call->topology = call->comm->topology;
    code = make(call, made);
    if (code)
        return code;
    code = comm_copy_attributes(call->comm, &call->made->attributes);
    if (code)
        *made = MPI_COMM_NULL;
    return comm_error(call->comm, code);
}

int world_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    return dup("MPI_Comm_dup", comm, made);
}

int world_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
    (void)info;
    return dup("MPI_Comm_dup_with_info", comm, made);
}

static bool poll_dup(struct request *request) {
    struct call_data *call = request->collective;
    if (call->made)
        return true;
    if (!call_ended(call))
        return false;
    call->left = true;
    if (!call->error)
        call->error = construct_finish(call);
    request->error = call->error;
    if (call->made)
        call->made->attributes = call->attributes;
    *request->made = made_by(call);
    return true;
}

int world_Comm_idup(MPI_Comm handle, MPI_Comm *made, MPI_Request *out) {
    int code;
    struct call_data *call = begin("MPI_Comm_idup", MAKE_DUP, handle, &code);
    if (!call)
        return code;
    struct request *request = request_new(CONSTRUCTS, call->comm);
    call->error = comm_copy_attributes(call->comm, &call->attributes);
    call->topology = call->comm->topology;
    request->collective = call;
    request->poll = poll_dup;
    request->active = true;
    request->made = made;
    call_enter(call);
    *out = (MPI_Request)(void *)request;
    return MPI_SUCCESS;
}

/* ---- parts ---- */
static int split(const char *name, MPI_Comm handle, int colour, int key, MPI_Comm *made) {
    int code;
    struct call_data *call = begin(name, MAKE_SPLIT, handle, &code);
    *made = MPI_COMM_NULL;
    if (!call)
        return code;
    call->colour = colour;
    call->order_key = key;
    return make(call, made);
}

int world_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *made) {
    if (colour < 0 && colour != MPI_UNDEFINED)
        return comm_error(comm_of(comm, "MPI_Comm_split"), MPI_ERR_ARG);
    return split("MPI_Comm_split", comm, colour, key, made);
}

int world_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made) {
    (void)info;
    int colour = type == MPI_COMM_TYPE_SHARED ? self->process->node : MPI_UNDEFINED;
    return split("MPI_Comm_split_type", comm, colour, key, made);
}

int world_Comm_create(MPI_Comm comm, MPI_Group handle, MPI_Comm *made) {
    struct group *group = group_of(handle);
    if (!group)
        return comm_error(comm_of(comm, "MPI_Comm_create"), MPI_ERR_GROUP);
    int index = group_index(group, self->process->rank);
    int colour = index == MPI_UNDEFINED ? MPI_UNDEFINED : group->members[0];
    if (comm_of(comm, "MPI_Comm_create")->context->inter && colour >= 0)
        colour = 0;
    return split("MPI_Comm_create", comm, colour, index, made);
}

static int subgroup(struct call_data *call, const struct group *group, const char *word,
                    MPI_Comm *made) {
    *made = MPI_COMM_NULL;
    if (group_index(group, call->process->rank) == MPI_UNDEFINED)
        return MPI_SUCCESS;
    note_event("rank %d enters %s, tag %d", call->process->rank, call->name, call->tag);
    subgroup_enter(call, group, word);
    int code = subgroup_run(call);
    *made = made_by(call);
    return comm_error(call->comm, code);
}

int world_Comm_create_group(MPI_Comm handle, MPI_Group members, int tag, MPI_Comm *made) {
    struct comm *comm = comm_of(handle, "MPI_Comm_create_group");
    struct group *group = group_of(members);
    choose("MPI_Comm_create_group");
    if (!comm || !group || tag < 0)
        return comm_error(comm, !comm ? MPI_ERR_COMM : !group ? MPI_ERR_GROUP : MPI_ERR_TAG);
    struct call_data *call = call_new("MPI_Comm_create_group", MAKE_GROUP, comm);
    call->tag = tag;
    return subgroup(call, group, NULL, made);
}

int world_Comm_create_from_group(MPI_Group members, const char *word, MPI_Info info,
                                 MPI_Errhandler handler, MPI_Comm *made) {
    struct group *group = group_of(members);
    (void)info;
    choose("MPI_Comm_create_from_group");
    if (!group)
        return comm_error(NULL, MPI_ERR_GROUP);
    struct call_data *call = call_new("MPI_Comm_create_from_group", MAKE_FROM_GROUP, NULL);
    int code = subgroup(call, group, word, made);
    if (call->made)
        call->made->handler = handler == MPI_ERRHANDLER_NULL ? MPI_ERRORS_ARE_FATAL : handler;
    return code;
}

/* ---- between groups ---- */
int world_Intercomm_create(MPI_Comm handle, int leader, MPI_Comm peer, int remote_leader, int tag,
                           MPI_Comm *made) {
    int code;
    struct call_data *call = begin("MPI_Intercomm_create", MAKE_BETWEEN, handle, &code);
    if (!call)
        return code;
    call->leader_other = -1;
    call->tag = tag;
    if (call->comm->rank == leader) {
        struct comm *peers = comm_of(peer, "MPI_Intercomm_create");
        if (!peers || remote_leader < 0 || remote_leader >= comm_peers(peers))
            return comm_error(call->comm, peers ? MPI_ERR_RANK : MPI_ERR_COMM);
        call->leader_other = comm_process(peers, remote_leader);
        call->leader_context = peers->context->id;
    }
    return make(call, made);
}

int world_Intercomm_merge(MPI_Comm handle, int high, MPI_Comm *made) {
    int code;
    struct call_data *call = begin("MPI_Intercomm_merge", MAKE_MERGE, handle, &code);
    if (!call)
        return code;
    call->colour = high;
    return make(call, made);
}

/* ---- with a topology ---- */
static int *copy(const int *from, int count) {
    int *list = NEW(count, int);
    if (count > 0 && from)
        memcpy(list, from, (size_t)count * sizeof *list);
    return list;
}

static int with_topology(const char *name, MPI_Comm handle, int size, struct topology *topology,
                         MPI_Comm *made) {
    int code;
    struct call_data *call = begin(name, MAKE_GRID, handle, &code);
    if (!call)
        return code;
    *made = MPI_COMM_NULL;
    call->topology = topology;
    call->colour = call->comm->rank < size ? 0 : MPI_UNDEFINED;
    if (size > call->comm->context->size[0])
        return comm_error(call->comm, MPI_ERR_DIMS);
    return make(call, made);
}

int world_Cart_create(MPI_Comm comm, int dimensions, const int dims[], const int periods[],
                      int reorder, MPI_Comm *made) {
    int size = 1;
    (void)reorder;
    if (dimensions > 0 && (!dims || !periods))
        return comm_error(comm_of(comm, "MPI_Cart_create"), MPI_ERR_ARG);
    struct topology *topology = NEW(1, struct topology);
    *topology = (struct topology){.kind = MPI_CART,
                                  .dimensions = dimensions,
                                  .dims = copy(dims, dimensions),
                                  .periods = copy(periods, dimensions)};
    for (int i = 0; i < dimensions; i++) {
        if (dims[i] <= 0)
            return comm_error(comm_of(comm, "MPI_Cart_create"), MPI_ERR_DIMS);
        size *= dims[i];
    }
    return with_topology("MPI_Cart_create", comm, size, topology, made);
}

int world_Cart_sub(MPI_Comm handle, const int remain[], MPI_Comm *made) {
    struct comm *comm = comm_of(handle, "MPI_Cart_sub");
    if (!comm || !comm->topology || comm->topology->kind != MPI_CART)
        return comm_error(comm, MPI_ERR_TOPOLOGY);
    struct topology *old = comm->topology, *topology = NEW(1, struct topology);
    *topology = (struct topology){
        .kind = MPI_CART, .dims = NEW(old->dimensions, int), .periods = NEW(old->dimensions, int)};
    int colour = 0, key = 0, rest = comm->rank, coordinates[32];
    for (int i = old->dimensions - 1; i >= 0; i--) {
        coordinates[i] = rest % old->dims[i];
        rest /= old->dims[i];
    }
    for (int i = 0; i < old->dimensions; i++) {
        int *digit = remain[i] ? &key : &colour;
        *digit = *digit * old->dims[i] + coordinates[i];
        if (!remain[i])
            continue;
        topology->dims[topology->dimensions] = old->dims[i];
        topology->periods[topology->dimensions++] = old->periods[i];
    }
    int code;
    struct call_data *call = begin("MPI_Cart_sub", MAKE_SPLIT, handle, &code);
    call->colour = colour;
    call->order_key = key;
    call->topology = topology;
    return make(call, made);
}

int world_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                       MPI_Comm *made) {
    struct topology *topology = NEW(1, struct topology);
    int count = nodes > 0 ? index[nodes - 1] : 0;
    (void)reorder;
    *topology = (struct topology){.kind = MPI_GRAPH,
                                  .dimensions = nodes,
                                  .edges = count,
                                  .index = copy(index, nodes),
                                  .edge = copy(edges, count)};
    return with_topology("MPI_Graph_create", comm, nodes, topology, made);
}

int world_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[],
                                     const int in_weights[], int out, const int targets[],
                                     const int out_weights[], MPI_Info info, int reorder,
                                     MPI_Comm *made) {
    struct topology *topology = NEW(1, struct topology);
    (void)info, (void)reorder;
    *topology = (struct topology){.kind = MPI_DIST_GRAPH,
                                  .in = in,
                                  .out = out,
                                  .sources = copy(sources, in),
                                  .targets = copy(targets, out)};
    topology->weighted = in_weights != MPI_UNWEIGHTED;
    if (topology->weighted) {
        topology->in_weights = copy(in_weights == MPI_WEIGHTS_EMPTY ? NULL : in_weights, in);
        topology->out_weights = copy(out_weights == MPI_WEIGHTS_EMPTY ? NULL : out_weights, out);
    }
    return with_topology("MPI_Dist_graph_create_adjacent", comm,
                         comm_of(comm, "MPI_Dist_graph_create_adjacent")->context->size[0],
                         topology, made);
}

/* What ranks say of edges is exchanged first. */
int world_Dist_graph_create(MPI_Comm handle, int count, const int sources[], const int degrees[],
                            const int targets[], const int weights[], MPI_Info info, int reorder,
                            MPI_Comm *made) {
    struct comm *comm = comm_of(handle, "MPI_Dist_graph_create");
    int size = comm->context->size[0], edges = 0, all[MOST_PROCESSES], places[MOST_PROCESSES];
    for (int i = 0; i < count; i++)
        edges += degrees[i];
    int *mine = NEW(3 * edges, int), at = 0, total = 0, in = 0, out = 0;
    bool weighted = weights != MPI_UNWEIGHTED;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < degrees[i]; d++, at++) {
            mine[3 * at] = sources[i];
            mine[3 * at + 1] = targets[at];
            mine[3 * at + 2] = weighted && weights != MPI_WEIGHTS_EMPTY ? weights[at] : 0;
        }
    edges *= 3;
    int code = world_Allgather(&edges, 1, MPI_INT, all, 1, MPI_INT, handle);
    for (int r = 0; r < size && !code; r++) {
        places[r] = total;
        total += all[r];
    }
    int *list = NEW(total, int), *lists[4];
    if (!code)
        code = world_Allgatherv(mine, edges, MPI_INT, list, all, places, MPI_INT, handle);
    for (int i = 0; i < 4; i++)
        lists[i] = NEW(total, int);
    for (int i = 0; i < total && !code; i += 3) {
        if (list[i + 1] == comm->rank) {
            lists[0][in] = list[i];
            lists[1][in++] = list[i + 2];
        }
        if (list[i] == comm->rank) {
            lists[2][out] = list[i + 1];
            lists[3][out++] = list[i + 2];
        }
    }
    return code ? code
                : world_Dist_graph_create_adjacent(
                      handle, in, lists[0], weighted ? lists[1] : MPI_UNWEIGHTED, out, lists[2],
                      weighted ? lists[3] : MPI_UNWEIGHTED, info, reorder, made);
}
