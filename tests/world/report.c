/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run ended, for the process that started it; events and waits where they are asked for. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct result *result;
enum { EVENTS = 4096 };
static char (*events)[TEXT];
static long event_count;

void note_event(const char *format, ...) {
    va_list arguments;
    if (!settings.trace)
        return;
    if (!events)
        events = allocate(EVENTS, TEXT);
    char *line = events[event_count++ % EVENTS];
    int length = snprintf(line, TEXT, "%8ld %.6f ", steps, now - 1000);
    va_start(arguments, format);
    vsnprintf(line + length, (size_t)(TEXT - length), format, arguments);
    va_end(arguments);
}

static void describe_fiber(const struct fiber *fiber) {
    const struct fiber *holder = lock_holder(fiber);
    fprintf(stderr, "  rank %d, thread %d: %s %s", fiber->process->rank, fiber->number,
            fiber->ready    ? "waits in"
            : fiber->sleeps ? "sleeps in"
                            : "looks in vain, last by",
            fiber->call.name ? fiber->call.name : "?");
    if (fiber->ready && fiber->call.context >= 0)
        fprintf(stderr, " on comm %d", fiber->call.context);
    if (fiber->ready && fiber->call.peer != -1)
        fprintf(stderr, ", for rank %d", fiber->call.peer);
    if (fiber->ready && fiber->call.tag != -1)
        fprintf(stderr, ", tag %d", fiber->call.tag);
    if (holder)
        fprintf(stderr, " %p, which thread %d has", fiber->argument, holder->number);
    fputc('\n', stderr);
}

static void describe_messages(int rank, const char *what, const struct message *message) {
    for (; message; message = message->next)
        fprintf(stderr, "  rank %d %s: from %d, tag %d, comm %d, %zu bytes\n", rank, what,
                message->from, message->tag, message->context->id, message->bytes);
}

void describe_waits(void) {
    fprintf(stderr, "Who waits for what:\n");
    for (struct fiber *fiber = fibers; fiber; fiber = fiber->next)
        if (!fiber->over)
            describe_fiber(fiber);
    for (int r = 0; r < settings.ranks; r++) {
        for (struct request *request = processes[r].posted; request; request = request->next)
            fprintf(stderr, "  rank %d has a receive from %d, tag %d, comm %d\n", r, request->peer,
                    request->tag, request->comm->context->id);
        describe_messages(r, "has not received", processes[r].arrived);
        describe_messages(r, "has not taken in", processes[r].door);
    }
}

static void count_leaks(void) {
    for (int r = 0; r < settings.ranks; r++) {
        result->requests += processes[r].dead ? 0 : processes[r].requests;
        result->comms += processes[r].dead ? 0 : processes[r].comms;
    }
    result->messages = messages_left();
}

void result_begin(void) {
    uint64_t done = result->done, choices = result->all_choices;
    long all_steps = result->all_steps;
    *result = (struct result){.outcome = CRASHED,
                              .text = "it ended without a word",
                              .done = done,
                              .all_choices = choices,
                              .all_steps = all_steps};
}

void result_forget(void) {
    result->done = result->all_choices = 0;
    result->all_steps = 0;
    result_begin();
}

void result_keep(void) {
    result->done++;
    result->all_steps += result->steps;
}

static void print_events(void) {
    long first = event_count > EVENTS ? event_count - EVENTS : 0;
    fprintf(stderr, "The last events (step, time, what):\n");
    for (long i = first; i < event_count; i++)
        fprintf(stderr, "%s\n", events[i % EVENTS]);
    if (result->outcome != RAN)
        describe_waits();
}

void conclude(enum outcome outcome, int status, const char *text) {
    snprintf(result->text, sizeof result->text, "%s", text);
    result->outcome = outcome;
    result->status = status;
    result->steps = steps;
    result->draws = draw_number();
    result->all_choices += draw_digest();
    result->seconds = now - 1000;
    if (outcome == RAN)
        count_leaks();
    fflush(stdout);
    if (settings.trace)
        print_events();
    fflush(stderr);
}

_Noreturn void finish(enum outcome outcome, int status, const char *format, ...) {
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    conclude(outcome, status, text);
    _exit(0);
}
