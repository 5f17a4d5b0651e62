/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run waits for, in words. */
#include "run/execution/links.h"
#include "run/execution/state.h"
#include "run/support/rank_text.h"
#include "run/support/waits.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_ITEMS = 6, WORDS_OF_LINE = CAUCUS_LINE_BYTES / 8 };

struct report {
    char *text;
    size_t size, length;
    int items;
};

__attribute__((format(printf, 2, 3))) static void add(struct report *report, const char *format,
                                                      ...) {
    va_list arguments;
    if (report->length + 1 >= report->size)
        return;
    va_start(arguments, format);
    int written =
        vsnprintf(report->text + report->length, report->size - report->length, format, arguments);
    va_end(arguments);
    report->length += written > 0 ? (size_t)written : 0;
}

/* Separates what is in a list, and cuts it short. */
static bool begin_item(struct report *report) {
    if (report->items < MOST_ITEMS && report->items > 0)
        add(report, ", ");
    else if (report->items == MOST_ITEMS)
        add(report, ", ...");
    return report->items++ < MOST_ITEMS;
}

static int64_t step_of(const struct caucus_execution *execution) {
    int64_t step = 1;
    for (const struct caucus_operation *o = execution->schedule->operations;
         o < execution->operation; o++)
        step += o->ends_step;
    return step;
}

/* The ranks of this node whose count, of runs done or begun, is below what is needed. */
static void add_late(struct report *report, const struct caucus_execution *execution, int word,
                     int64_t needed, const char *what) {
    const struct caucus_engine *engine = execution->engine;
    const struct caucus_node_map *nodes = &engine->nodes;
    int32_t node = caucus_engine_node(engine);
    if (!execution->arena->done)
        return;
    for (int32_t local = 0; local < caucus_node_size(nodes, node); local++)
        if (atomic_load(&execution->arena->done[local * WORDS_OF_LINE + word]) < needed &&
            begin_item(report))
            add(report, CAUCUS_RANK " has not %s run %lld", caucus_rank_in_node(nodes, node, local),
                what, (long long)needed);
}

/* Whether a piece of it is; *request goes along with the pieces, in their order. */
static bool is_under_way(const struct caucus_operation *o, const MPI_Request **request,
                         const MPI_Request *end) {
    bool under_way = false;
    for (int64_t left = caucus_pieces_of(o); left > 0 && *request < end; left--, ++*request) {
        int complete = 1;
        if (**request != MPI_REQUEST_NULL)
            PMPI_Request_get_status(**request, &complete, MPI_STATUS_IGNORE);
        under_way |= !complete;
    }
    return under_way;
}

/* One item for each message that is under way. */
static void add_messages(struct report *report, const struct caucus_execution *execution) {
    const MPI_Request *request = execution->messages.first;
    const MPI_Request *end = request + execution->messages.open;
    const struct caucus_linked_message *linked = execution->links.message;
    const struct caucus_linked_message *linked_end = linked + execution->links.count;
    for (const struct caucus_operation *o = execution->operation; o <= execution->step_last; o++) {
        bool sends = o->kind == CAUCUS_OPERATION_SEND, under_way;
        if (!sends && o->kind != CAUCUS_OPERATION_RECEIVE)
            continue;
        if (!caucus_is_linked(execution, o)) {
            under_way = is_under_way(o, &request, end);
        } else {
            under_way = linked < linked_end && !linked->is_complete;
            linked += linked < linked_end;
        }
        if (under_way && begin_item(report))
            add(report, "%lld bytes %s " CAUCUS_RANK " have not %s", (long long)o->length,
                sends ? "to" : "from", o->peer, sends ? "gone" : "come");
    }
}

/* Who is waited for, and for what. */
static void add_missing(struct report *report, const struct caucus_execution *execution) {
    if (caucus_execution_state(execution) == CAUCUS_EXECUTION_GATED) {
        add_late(report, execution, 0, execution->run - execution->arena->slots, "completed");
        return;
    }
    if (execution->awaiting)
        add_late(report, execution, 1, execution->run, "come to");
    if (execution->has_messages)
        add_messages(report, execution);
}

static void add_flags(struct report *report, const struct caucus_execution *execution) {
    for (const struct caucus_operation *o = execution->awaiting; o && o <= execution->step_last;
         o++)
        if (o->kind == CAUCUS_OPERATION_AWAIT && begin_item(report))
            add(report, "the value %lld of the flags of lines %lld to %lld of its node",
                (long long)o->length, (long long)o->target_offset,
                (long long)o->target_offset + o->peer - 1);
}

/* Where that stops this rank. */
static void add_place(struct report *report, const struct caucus_execution *execution,
                      const struct caucus_execution *first) {
    add(report, CAUCUS_RANK " waits in %s, run %lld", execution->engine->attachment->rank,
        execution->name, (long long)execution->run);
    if (first != execution)
        add(report, ", behind run %lld of %s", (long long)first->run, first->name);
    if (caucus_execution_state(first) == CAUCUS_EXECUTION_GATED)
        return;
    add(report, ", step %lld", (long long)step_of(first));
    report->items = 0;
    if (first->awaiting) {
        add(report, ", for ");
        add_flags(report, first);
    }
}

void caucus_execution_describe(const struct caucus_execution *execution, char *text, size_t size) {
    struct report report = {.text = text, .size = size};
    const bool queued = caucus_execution_state(execution) == CAUCUS_EXECUTION_QUEUED;
    const struct caucus_execution *first = queued ? execution->arena->current : execution;
    text[0] = '\0';
    add_missing(&report, first);
    if (report.items > 0)
        add(&report, ": ");
    add_place(&report, execution, first);
    caucus_rank_text_settle_in(caucus_attachment_reader(execution->engine->attachment), text, size);
}

static void tell_engine(struct caucus_engine *engine, void *waits) {
    char text[1000];
    for (const struct caucus_execution *at = engine->active; at; at = at->next) {
        caucus_execution_describe(at, text, sizeof text);
        caucus_waits_line(waits, engine->attachment->comm, "%s", text);
    }
}

static void tell(void *context, struct caucus_waits *waits, bool apart) {
    (void)context;
    if (!apart) /* else a lock might be waited for */
        caucus_engine_each(tell_engine, waits);
}

void caucus_execution_begin_telling(void) {
    static struct caucus_waits_source source = {.tell = tell};
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&begun))
        caucus_waits_add(&source);
}
