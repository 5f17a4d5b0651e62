/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks of an MPI program in one process: what the files of this folder share. A *process* is a
 * rank of MPI_COMM_WORLD with its own copy of the program; a *fiber* is a thread of one. Exactly
 * one fiber runs at a time, and every choice comes from draw(), so that a seed repeats a run. */
#ifndef TESTS_WORLD_WORLD_H
#define TESTS_WORLD_WORLD_H

#include <mpi.h>

#include <mpi-ext.h> /* wants the other before it */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

enum { MOST_PROCESSES = 128, TEXT = 240 };

/* ---- choices (draw.c) ---- */
void draw_begin(uint64_t seed);
int draw(int count);          /* 0 to count - 1; 0 where shrinking took the choice away */
bool draw_chance(int one_in); /* true once in so many */
uint64_t draw_number(void);   /* how many were drawn */
uint64_t draw_digest(void);
bool draw_keep(const char *ranges);

/* ---- the run (scheduler.c) ---- */
struct fiber;
struct process {
    int rank, node;
    bool initialized, finalized, dead, ended, frozen;
    int sessions; /* that are open */
    struct comm *world, *self;
    struct request *posted;  /* receives, in their order */
    struct message *arrived; /* and not received */
    struct message *door;    /* come while the process was in no call that takes them in */
    struct message *leaving; /* whose receives have come, and whose data have not left */
    uint64_t calls, owed;    /* of MPI; up to which collectives need them (weak.c) */
    struct fiber *main_thread;
    struct variable *variables;
    int (*main)(int, char **);
    char *thread_data, *thread_initial; /* of its image, for the fiber that runs */
    size_t thread_bytes;
    struct fiber *thread_owner;
    int requests, comms, thread_level;
    struct call_data *constructors;
    int live_fibers;
    struct rlimit file_limit; /* all 0: that of the world */
};
struct fiber {
    int number;
    struct process *process;
    struct fiber *next;
    struct call { /* what it waits for, if it does */
        const char *name;
        int peer, tag, context;
    } call;
    bool (*ready)(void *);
    bool (*woken)(void *); /* ends a sleep */
    void *argument;
    double wake; /* a sleep's end */
    bool over, sleeps, refused;
    bool inside;  /* gives way or waits within a call of MPI */
    int looks;    /* in vain, since `seen` */
    int accesses; /* to atomics, since it last began to run */
    uint64_t seen;
    int64_t priority;
    void *(*start)(void *);
    void *start_argument, *result;
    char *thread_copy;
    void *machine; /* its stack pointer while it does not run */
};
struct settings {
    int ranks, nodes, faults, deaths, refusals;
    bool cyclic_nodes, trace;
    bool ends_anyhow; /* without MPI_Finalize: ranks die */
    bool calls_only;  /* nobody comes in at atomic accesses */
    int policy;
    long steps;
    double spurious;
};
extern struct settings settings;
extern struct process processes[MOST_PROCESSES];
extern struct fiber *fibers, *self;
extern double now;        /* in seconds */
extern uint64_t progress; /* grows whenever something happens */
extern long steps;

struct fiber *fiber_create(struct process *process, void *(*start)(void *), void *argument);
void stacks_begin(void);
void schedule(void); /* until all have ended */
void give_way(const char *call);
void choose(const char *call); /* others may go on here */
void look_in_vain(const char *call);
void wait_for(bool (*ready)(void *), void *argument, struct call call);
const struct fiber *lock_holder(const struct fiber *fiber);
void sleep_for(double seconds);
void happened(void);
void fiber_end(void);
void process_freeze(struct process *process, bool frozen);
void process_die(struct process *process);
bool process_is_dead(int rank);

/* ---- the rules of calls, and what goes on in them (lifetime.c, weak.c) ---- */
bool mpi_is_open(const struct process *process);
bool mpi_enter(const char *call); /* false if it is no call of MPI */
void weak_begin(void);
bool calls_move(const struct process *process); /* what it has under way */
void calls_go_on(struct process *process);

/* ---- atomic accesses (atomics.c) ---- */
void atomics_begin(void);
void world_atomic_access(void);

/* ---- the end of a run, and what it says (report.c) ---- */
enum outcome { RAN, HANG, LIVELOCK, ABORTED, CRASHED, BROKEN, STUCK, OUTCOMES };
_Noreturn void finish(enum outcome outcome, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void note_event(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void describe_waits(void);

/* ---- messages (messages.c) ---- */
enum mode { STANDARD, SYNCHRONOUS, BUFFERED, READY };
struct message {
    int from, to, source, tag, side;
    struct context *context;
    size_t bytes;
    char *data;
    struct request *send;    /* which waits for the receive */
    struct request *receive; /* which has matched it before its data came */
    struct message *next;
};
extern int tag_bound;
void message_send(struct request *request, enum mode mode);
bool network_is_full(void);
bool network_acts(bool must);      /* whether a message arrives now */
void message_deliver(bool newest); /* or one that the seed takes */
void messages_move(struct process *process);
bool messages_wait(int context); /* whether receives or sends are still under way */
int messages_left(void);
struct message *message_find(struct process *to, struct comm *comm, int source, int tag);
void message_take(struct message *message);
void message_receive(struct request *request, struct message *message);
void receive_post(struct request *request);
void receive_withdraw(struct request *request);
void network_begin(void);

/* ---- requests (requests.c) ---- */
enum request_kind { SENDS = 1, RECEIVES, COLLECTIVE, CONSTRUCTS, GENERALIZED };
struct request {
    unsigned magic;
    enum request_kind kind;
    bool persistent, active, done, freed, matched, swallowed;
    enum mode mode;
    bool pending_said;
    int error, refusals;
    struct process *process;
    struct comm *comm;
    const void *buffer;
    size_t count;
    MPI_Datatype type;
    int peer, tag;
    struct message *message;
    struct call_data *collective;
    bool (*poll)(struct request *);
    MPI_Status status;
    struct request *next;
    struct request **slot; /* of its process */
    MPI_Comm *made;
    struct generalized *generalized;
};
struct request *request_new(enum request_kind kind, struct comm *comm);
struct request *request_of(MPI_Request handle, const char *call);
bool request_ended(struct request *request);
int request_complete(MPI_Request *handle, MPI_Status *status);
int request_wait(MPI_Request *handle, MPI_Status *status, const char *call);
int world_Request_free(MPI_Request *handle);
int probe_error(const struct comm *comm, int source);
void collective_start(struct request *request);
bool request_is_pending(struct request *request);
int request_say_pending(struct request *request);
bool request_seems_ended(struct request *request);
bool request_interests(struct request *request);
struct call request_call(const char *name, const struct request *request);
int generalized_query(struct request *request); /* these do nothing for other requests */
int generalized_free(struct request *request);
int generalized_cancel(struct request *request);
void status_empty(MPI_Status *status);
void status_copy(MPI_Status *to, const MPI_Status *from);

/* ---- communicators and groups (objects.c) ---- */
struct group {
    unsigned magic;
    int size, members[];
};
struct context {
    int id, size[2], *members[2], freed; /* by so many of its members */
    bool inter, revoked;
    struct slot *slots;
};
struct topology {
    int kind, dimensions, *dims, *periods;
    int in, out, *sources, *targets, *in_weights, *out_weights;
    bool weighted;
    int edges, *index, *edge;
};
struct comm {
    unsigned magic;
    struct context *context;
    int rank, side, sequence, acknowledged;
    bool freed;
    struct process *process;
    struct attribute *attributes;
    MPI_Errhandler handler;
    struct topology *topology;
    char name[MPI_MAX_OBJECT_NAME];
};
void must_be_open(const char *call);
struct comm *comm_of(MPI_Comm handle, const char *call);
struct comm *comm_new(struct process *process, struct context *context, int side, int rank);
struct context *context_new(int size, const int *members);
struct context *context_new_inter(int size0, const int *members0, int size1, const int *members1);
#define COMM_OR_ERROR(name, handle)                                                                \
    struct comm *name = comm_of(handle, __func__);                                                 \
    if (!name)                                                                                     \
    return comm_error(NULL, MPI_ERR_COMM)
MPI_Comm comm_handle(struct comm *comm);
int world_Group_compare(MPI_Group a, MPI_Group b, int *result);
int world_Group_free(MPI_Group *handle);
int world_Comm_group(MPI_Comm handle, MPI_Group *group);
MPI_Group group_of_members(int size, const int *members);
struct group *group_of(MPI_Group handle);
struct group *group_new(int size);
int group_index(const struct group *group, int process);
int comm_process(const struct comm *comm, int peer); /* of a peer's rank */
int comm_peers(const struct comm *comm);
int comm_error(struct comm *comm, int code);
struct attribute;
int comm_copy_attributes(struct comm *from, struct attribute **copies);
int comm_delete_attributes(struct comm *comm);
bool comm_has_dead(const struct comm *comm);
bool comm_has_unacknowledged(const struct comm *comm);
bool death_is_known(int observer, int dead);
bool deaths_may_come(void);
bool deaths_spread(void); /* one more rank learns of one; false if all know all */

/* ---- collectives and constructors (collectives.h) ---- */
struct part {
    char *data;
    size_t bytes;
};
struct slot { /* one collective call of all ranks */
    int key, again, size, arrived, left, shape, root;
    struct call_data **calls; /* by rank; NULL who has not come */
    struct context **made;    /* by rank: what a constructor makes, once it is settled */
    bool settled;
    uint64_t *owed; /* by rank: up to which call it may have work left (weak.c) */
    const char *name, *word;
    const struct group *group; /* of members alone */
    struct slot *entered;      /* its copy among those that wait for another leader */
    struct slot *next;
};
struct buffer { /* what of a user's buffer goes to or comes from whom */
    const void *base;
    int count;
    const int *counts, *places;
    const MPI_Aint *bytes;
    MPI_Datatype type;
    const MPI_Datatype *types;
};
struct call_data {
    const char *name;
    int shape, index, key, again, root, error;
    struct comm *comm;
    struct process *process;
    struct buffer send, receive;
    MPI_Op op;
    struct part *parts;
    int part_count, colour, order_key, tag;
    struct slot *slot;
    bool left;
    const struct group *group;
    struct topology *topology;
    int64_t order; /* of Open MPI's context ids */
    struct comm *made;
    struct attribute *attributes; /* of what it makes */
    struct call_data *next;       /* among the constructors of a process that have not ended */
    int leader_other, leader_context;
    struct comm *peer;
};
void pack(const void *base, size_t count, MPI_Datatype type, struct part *part);
void unpack(const struct part *part, void *base, size_t count, MPI_Datatype type);
size_t type_bytes(MPI_Datatype type);
MPI_Aint type_extent(MPI_Datatype type);
int world_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int world_Allgatherv(const void *, int, MPI_Datatype, void *, const int[], const int[],
                     MPI_Datatype, MPI_Comm);
int world_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int world_Barrier(MPI_Comm);
void neighbors(const struct comm *comm, int *in, int **sources, int *out, int **targets);

/* ---- faults of real MPIs, off by default (faults.c) ---- */
enum fault {
    FAULT_ANY_SOURCE_BETWEEN_NODES = 1,
    FAULT_PENDING_FOR_EVER = 2,
    FAULT_CONTEXT_IDS = 4,
    FAULT_LEADERS_MESSAGE = 8,
};
int faults_read(const char *names);

/* ---- what a run leaves, and the next must not find (images.c, arena.c, library.c) ---- */
void images_load(const char *path);
void variables_keep(void);
void variables_restore(void);
void arena_begin(void);
void arena_reset(void);
void mappings_drop(void);

enum { RANKS_PER_PROCESS = 256 }; /* numbers of processes */
void *world_shared_hash_begin(void);
uint64_t shared_memory_hash(void);
void library_begin(void);
void *allocate(size_t count, size_t size);
#define NEW(count, type) ((type *)allocate((size_t)(count), sizeof(type)))

#endif
