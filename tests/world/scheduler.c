/* SPDX-License-Identifier: BSD-3-Clause */
/* Who goes on. A fiber gives way in choose(), waits in wait_for(), or looks in vain: one that has
 * looked in vain often rests until something happens. When all rest and nothing is in flight, time
 * goes on: to the next sleeper's end, or by a step that grows, in the end beyond all limits of
 * time. When that changes nothing either, the program hangs. */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STACK = 1 << 20,
    MOST_STACKS = 1 << 14,
    LOOKS = 12,
    PATIENT = 150,
    BARREN = 1000,
    ROUNDS_PER_HASH = 16,
    MOST_CHANGES = 8,
    FAIR_AFTER = 100000
};

static const double FIRST_JUMP = 1e-5, PATIENT_GROWTH = 1.03, GROWTH = 1.1, LONGEST_JUMP = 1000;

struct fiber *fibers, *self;
struct process processes[MOST_PROCESSES];
struct settings settings;
double now = 1000;
uint64_t progress = 1;
long steps;

static void *home;   /* a stack pointer */
static char *stacks; /* at the same places in every run */
static int fiber_count, barren;
static bool anybody_died;
static double jump;
static uint64_t memory_seen;

enum policy { UNIFORM, RUNS, STARVE, NEWEST, PRIORITIES, ROUND_ROBIN, POLICIES };
static enum policy policy;
static int switch_one_in, victim, death_one_in;
static long changes[MOST_CHANGES];

void happened(void) {
    progress++;
    barren = 0;
    jump = FIRST_JUMP;
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

static void run_fiber(void) {
    self->result = self->start(self->start_argument);
    fiber_end();
}

/* ---- the machine: x86-64 ---- */
void fiber_switch(void **leave_at, void *go_on_at);
__asm__(".text\n.globl fiber_switch\n.type fiber_switch, @function\nfiber_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
        ".size fiber_switch, .-fiber_switch\n");

/* At once for all that a run may begin, so that each run has them at the same addresses. */
void stacks_begin(void) {
    stacks = mmap(NULL, (size_t)MOST_STACKS * STACK, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        abort();
}

/* As if fiber_switch had been called from the beginning of run_fiber. */
static void *stack_begin(int number) {
    if (number >= MOST_STACKS)
        abort();
    char *stack = stacks + (size_t)number * STACK;
    mprotect(stack, 4096, PROT_NONE);                  /* what overflows is seen */
    void **top = (void **)(void *)(stack + STACK) - 3; /* aligned as after a call */
    top[0] = NULL;
    *--top = (void *)run_fiber;
    return top - 6;
}

struct fiber *fiber_create(struct process *process, void *(*start)(void *), void *argument) {
    struct fiber *fiber = NEW(1, struct fiber), **end = &fibers;
    *fiber = (struct fiber){.number = fiber_count,
                            .process = process,
                            .start = start,
                            .start_argument = argument,
                            .machine = stack_begin(fiber_count++),
                            .call.name = "start",
                            .priority = 1000 + draw(1000000)};
    if (process->thread_bytes) {
        fiber->thread_copy = allocate(process->thread_bytes, 1);
        memcpy(fiber->thread_copy, process->thread_initial, process->thread_bytes);
    }
    while (*end)
        end = &(*end)->next;
    *end = fiber;
    process->live_fibers++;
    return fiber;
}

static void leave(void) {
    fiber_switch(&self->machine, home);
}

void fiber_end(void) {
    self->over = true;
    self->process->live_fibers--;
    happened();
    leave();
    abort();
}

void process_die(struct process *process) {
    process->dead = true;
    anybody_died = true;
    happened();
    note_event("rank %d dies", process->rank);
    messages_move(process);
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        if (fiber->process == process)
            fiber->over = true;
    if (self && self->process == process)
        leave();
}

void process_freeze(struct process *process, bool frozen) {
    process->frozen = frozen;
    note_event("rank %d is %s", process->rank, frozen ? "frozen" : "no longer frozen");
    happened();
    if (frozen && self->process == process)
        leave();
}

bool process_is_dead(int rank) {
    return rank >= 0 && processes[rank].dead;
}

void give_way(const char *call) {
    self->call.name = call;
    leave();
}

static bool goes_on(void) {
    return policy != PRIORITIES && switch_one_in > 1 && draw(switch_one_in) != switch_one_in - 1 &&
           !network_is_full();
}

void choose(const char *call) {
    bool of_mpi = mpi_enter(call);
    self->call.name = call;
    if (goes_on()) {
        if (++steps > settings.steps)
            finish(LIVELOCK, 1, "more than %ld steps", settings.steps);
        self->accesses = 0;
        return;
    }
    self->inside = of_mpi;
    leave();
    self->inside = false;
    if (of_mpi)
        messages_move(self->process);
}

void look_in_vain(const char *call) {
    if (self->seen != progress) {
        self->seen = progress;
        self->looks = 0;
    }
    self->looks++;
    give_way(call);
}

void wait_for(bool (*ready)(void *), void *argument, struct call call) {
    self->ready = ready;
    self->argument = argument;
    self->call = call;
    self->inside = mpi_enter(call.name);
    leave();
    self->inside = false;
    self->ready = NULL;
}

void sleep_for(double seconds) {
    self->wake = now + seconds;
    self->sleeps = true;
    self->call.name = "sleep";
    leave();
    self->sleeps = false;
}

static bool can_run(struct fiber *fiber) {
    if (fiber->over || fiber->process->frozen)
        return false;
    if (fiber->sleeps)
        return fiber->wake <= now || (fiber->woken && fiber->woken(fiber->argument));
    if (fiber->ready) {
        self = fiber;
        bool is_ready = fiber->ready(fiber->argument);
        self = NULL;
        return is_ready;
    }
    return fiber->seen != progress || fiber->looks < LOOKS;
}

static struct fiber *of_priority(struct fiber **able, int count) {
    struct fiber *best = able[0];
    for (int i = 1; i < count; i++)
        if (able[i]->priority > best->priority)
            best = able[i];
    return best;
}

static struct fiber *pick(struct fiber **able, int count) {
    static int turn;
    if (count == 1)
        return able[0];
    switch (policy) {
    case PRIORITIES: /* but no third one is kept from going on by two that never rest */
        if (steps > FAIR_AFTER)
            return able[draw(count)];
        for (int i = 0; i < MOST_CHANGES; i++)
            if (changes[i] >= 0 && changes[i] <= steps) {
                of_priority(able, count)->priority = i;
                changes[i] = -1;
            }
        return of_priority(able, count);
    case STARVE: {
        int others = 0;
        if (draw_chance(500))
            victim = draw(settings.ranks);
        for (int i = 0; i < count; i++)
            if (able[i]->process->rank != victim)
                able[others++] = able[i];
        return able[draw(others ? others : count)];
    }
    case ROUND_ROBIN:
        turn++;
        for (int i = 0; i < count; i++)
            if (able[i]->number >= turn % fiber_count)
                return able[i];
        return able[0];
    default:
        return able[draw(count)];
    }
}

static void policy_begin(void) {
    static const int odds[] = {1, 2, 4, 16};
    policy = settings.policy >= 0 ? (enum policy)settings.policy : (enum policy)draw(POLICIES);
    switch_one_in = odds[draw(4)];
    victim = draw(settings.ranks);
    long length = 200L << draw(10);
    for (int i = 0; i < MOST_CHANGES; i++)
        changes[i] = i < 3 + draw(5) ? draw((int)length) : -1;
    if (settings.deaths > 0)
        death_one_in = 100 << draw(6);
    network_begin();
    weak_begin();
    atomics_begin();
}

static void switch_thread_data(struct fiber *fiber) {
    struct process *process = fiber->process;
    if (process->thread_owner == fiber || !process->thread_bytes)
        return;
    if (process->thread_owner)
        memcpy(process->thread_owner->thread_copy, process->thread_data, process->thread_bytes);
    memcpy(process->thread_data, fiber->thread_copy, process->thread_bytes);
    process->thread_owner = fiber;
}

static void run(struct fiber *fiber) {
    self = fiber;
    fiber->accesses = 0;
    switch_thread_data(fiber);
    fiber_switch(&home, fiber->machine);
    self = NULL;
}

/* All rest. Whether time went on; node memory that changed counts as something that happened. */
static void let_time_go_on(void) {
    bool polls = false, sleeps = false;
    if (barren % ROUNDS_PER_HASH == ROUNDS_PER_HASH - 1) {
        uint64_t memory = shared_memory_hash();
        if (memory != memory_seen) {
            memory_seen = memory;
            happened();
            return;
        }
    }
    double first = 1e300;
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next) {
        if (fiber->over || fiber->process->frozen)
            continue;
        if (fiber->sleeps) {
            sleeps = true;
            first = fiber->wake < first ? fiber->wake : first;
        } else
            polls |= !fiber->ready;
    }
    if (!polls && !sleeps)
        finish(HANG, 1, "all wait, and nothing is in flight");
    if (barren++ > BARREN)
        finish(HANG, 1, "nothing changed any more, however long all looked");
    double next = now + jump;
    if (sleeps && (!polls || barren < PATIENT) && (first < next || !polls))
        next = first > now ? first : next;
    if (barren > PATIENT && next < now + jump)
        next = now + jump;
    jump *= barren < PATIENT ? PATIENT_GROWTH : GROWTH;
    jump = jump < LONGEST_JUMP ? jump : LONGEST_JUMP;
    now = next;
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        fiber->looks = 0;
}

static void maybe_kill(void) {
    if (settings.deaths > 0 && deaths_may_come() && draw_chance(death_one_in)) {
        int rank = draw(settings.ranks);
        if (!processes[rank].dead && mpi_is_open(&processes[rank])) {
            settings.deaths--;
            process_die(&processes[rank]);
        }
    }
}

void schedule(void) {
    struct fiber *able[4 * MOST_PROCESSES];
    policy_begin();
    for (;;) {
        int count = 0, living = 0;
        if (++steps > settings.steps)
            finish(LIVELOCK, 1, "more than %ld steps", settings.steps);
        for (struct fiber *fiber = fibers; fiber; fiber = fiber->next) {
            living += !fiber->over;
            if (count < 4 * MOST_PROCESSES && can_run(fiber))
                able[count++] = fiber;
        }
        if (!living)
            return;
        now += 1e-7;
        maybe_kill();
        if ((count == 0 || (anybody_died && draw_chance(20))) && deaths_spread())
            continue;
        if (network_acts(count == 0))
            message_deliver(policy == NEWEST);
        else if (count == 0)
            let_time_go_on();
        else
            run(pick(able, count));
    }
}
