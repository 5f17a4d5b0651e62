/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between pairs of ranks: sent and received in every way, by name and from anybody. */
#ifndef TESTS_RANDOM_MESSAGES_H
#define TESTS_RANDOM_MESSAGES_H

#include "state.h"

enum { LONGEST = 3000, WAYS_TO_SEND = 3, WAYS_TO_RECEIVE = 4 };
enum { RECEIVE_NAMED, RECEIVE_ANY, RECEIVE_PROBED, RECEIVE_KEPT };

/* Message k of this rank in a round: the word 0 is its sender, the others are drawn. */
struct message {
    int with, length;
    uint64_t *words;
    MPI_Status told;
    MPI_Request kept; /* persistent */
    bool sent;
};

struct round {
    struct task task;
    const struct thing *on;
    uint64_t seed;
    int tag, count, way;
    bool wild;
    struct message message[2 * MOST];
};

static uint64_t message_word(const struct round *r, int from, int to, int i) {
    return i == 0 ? (uint64_t)from
                  : mixed_with(r->seed + (uint64_t)from * MOST + (uint64_t)to, (uint64_t)i);
}

/* 0 for no message. What is received from anybody is at least one word. */
static int message_length(const struct round *r, int from, int to) {
    uint64_t drawn = mixed_with(r->seed ^ 5, (uint64_t)(from * MOST + to));
    if (r->wild)
        return (to - from + MOST) % 2 ? 1 + (int)(drawn % 50) : 0;
    return drawn % 3 ? 0 : 1 + (int)((drawn >> 8) % (drawn & 64 ? LONGEST : 20));
}

/* Of what the status of a receive says, if one was asked for. */
static void check_status(const struct round *r, const MPI_Status *told, int from, int length) {
    int source = from - r->on->remote_offset, count = UNTOLD;
    if (told->MPI_SOURCE == UNASKED)
        return;
    if (told->MPI_SOURCE != UNTOLD)
        MUST(MPI_Get_count(told, MPI_UINT64_T, &count));
    if (told->MPI_SOURCE != source || told->MPI_TAG != r->tag || count != length)
        wrong(r->task.action,
              "the status has source %d, tag %d and %d words; expected %d, %d and %d",
              told->MPI_SOURCE, told->MPI_TAG, count, source, r->tag, length);
}

static void check_message(const struct round *r, const struct message *m, uint64_t *seen) {
    int from = (int)m->words[0], first = r->on->remote_offset;
    if (m->words[0] > MOST || from < first || from >= first + r->on->remote || *seen >> from & 1 ||
        (m->with >= 0 && from != m->with))
        wrong(r->task.action, "tag %d: a message says it is from id %llu; expected from %d", r->tag,
              (unsigned long long)m->words[0], m->with);
    *seen |= UINT64_C(1) << from;
    int length = message_length(r, from, r->on->id);
    check_status(r, &m->told, from, length);
    for (int i = 1; i <= LONGEST + 1 && i <= length; i++) {
        uint64_t expected =
            i < length ? message_word(r, from, r->on->id, i) : UINT64_C(0x5a5a5a5a5a5a5a5a);
        if (m->words[i] != expected)
            wrong(r->task.action,
                  "tag %d: word %d of the message from id %d: expected %016llx, "
                  "found %016llx",
                  r->tag, i, from, (unsigned long long)expected, (unsigned long long)m->words[i]);
    }
}

static void finish_round(struct task *task) {
    struct round *r = (struct round *)task;
    uint64_t seen = 0;
    for (int k = 0; k < r->count; k++) {
        if (!r->message[k].sent)
            check_message(r, &r->message[k], &seen);
        if (r->message[k].kept != MPI_REQUEST_NULL)
            MUST(MPI_Request_free(&r->message[k].kept));
        free(r->message[k].words);
    }
    task->active = false;
    free(r);
}

static struct message *new_message(struct round *r, int with, int length, bool sent) {
    struct message *m = &r->message[r->count++];
    *m = (struct message){with,
                          length,
                          malloc(((size_t)length + 1) * sizeof(uint64_t)),
                          {.MPI_SOURCE = UNASKED},
                          MPI_REQUEST_NULL,
                          sent};
    memset(m->words, 0x5a, ((size_t)length + 1) * sizeof(uint64_t));
    return m;
}

static void send_all(struct round *r) {
    for (int i = 0; i < r->on->remote; i++) {
        int to = r->on->remote_offset + i, length = message_length(r, r->on->id, to);
        MPI_Request request;
        if (length == 0)
            continue;
        struct message *m = new_message(r, to, length, true);
        for (int w = 0; w < length; w++)
            m->words[w] = message_word(r, r->on->id, to, w);
        int way = below(&my.own, WAYS_TO_SEND);
        if (way == 0)
            MUST(CALL(Isend)(m->words, length, MPI_UINT64_T, i, r->tag, r->on->comm, &request));
        else if (way == 1)
            MUST(CALL(Issend)(m->words, length, MPI_UINT64_T, i, r->tag, r->on->comm, &request));
        else {
            MUST(CALL(Send_init)(m->words, length, MPI_UINT64_T, i, r->tag, r->on->comm, &m->kept));
            MUST(CALL(Start)(&m->kept));
            request = m->kept;
        }
        native_add(request, &r->task, NULL);
    }
}

/* Waits until the message is there, and takes no other. */
static MPI_Message probe(const struct round *r, int source, int *length) {
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Status status;
    int flag = 0, tag = r->wild ? MPI_ANY_TAG : r->tag;
#ifdef TEST_MPI
    if (one_in(&my.own, 2))
        flag = 1, MUST(CALL(Mprobe)(source, tag, r->on->comm, &found, &status));
#endif
    while (!flag) {
        MUST(CALL(Improbe)(source, tag, r->on->comm, &flag, &found, &status));
        if (!flag)
            breathe();
    }
    MPI_Get_count(&status, MPI_UINT64_T, length);
    if (*length < 1 || *length > LONGEST || status.MPI_TAG != r->tag)
        wrong(my.action, "a probe found %d words with tag %d; expected tag %d", *length,
              status.MPI_TAG, r->tag);
    return found;
}

static void receive_all(struct round *r) {
    for (int i = 0; i < r->on->remote; i++) {
        int from = r->on->remote_offset + i, length = message_length(r, from, r->on->id);
        bool any = r->wild || r->way == RECEIVE_ANY;
        int source = any ? MPI_ANY_SOURCE : i, tag = r->wild ? MPI_ANY_TAG : r->tag;
        MPI_Request request;
        struct message *m;
        if (length == 0)
            continue;
        if (r->way == RECEIVE_PROBED || (any && my.matched)) {
            MPI_Message found = probe(r, source, &length);
            m = new_message(r, any ? -1 : from, length, false);
            MUST(CALL(Imrecv)(m->words, length, MPI_UINT64_T, &found, &request));
        } else {
            m = new_message(r, any ? -1 : from, any ? LONGEST : length, false);
            if (r->way == RECEIVE_KEPT) {
                MUST(CALL(Recv_init)(m->words, m->length, MPI_UINT64_T, source, tag, r->on->comm,
                                     &m->kept));
                MUST(CALL(Start)(&m->kept));
                request = m->kept;
            } else
                MUST(CALL(Irecv)(m->words, m->length, MPI_UINT64_T, source, tag, r->on->comm,
                                 &request));
        }
        native_add(request, &r->task, &m->told);
    }
}

/* Sends go first where a receive waits for what is to come. */
static void run_messages(const struct action *a, const struct thing *on, int tag, bool wild) {
    struct round *r = calloc(1, sizeof *r);
    uint64_t draws = a->seed;
    r->task = (struct task){.action = my.action, .finish = finish_round, .object = a->on};
    r->on = on;
    r->seed = mixed(a->seed);
    r->tag = tag;
    r->wild = wild;
    r->way = below(&draws, WAYS_TO_RECEIVE);
    bool waits = r->way == RECEIVE_PROBED || my.matched, first = waits || one_in(&my.own, 2);
    r->task.left++; /* so that it does not end before all are begun */
    if (first)
        send_all(r);
    receive_all(r);
    if (!first)
        send_all(r);
    if (--r->task.left == 0)
        finish_round(&r->task);
}

/* Blocking, round a ring; the other way round if odd. */
static void run_ring(const struct action *a, const struct thing *on, int tag) {
    int step = a->seed & 1 ? 1 : on->size - 1, size = on->size;
    int to = (on->id + step) % size, from = (on->id + size - step) % size;
    uint64_t out = mixed_with(a->seed, (uint64_t)on->id), in = 0;
#ifdef TEST_MPI
    MPI_Status status;
    MUST(CALL(Sendrecv)(&out, 1, MPI_UINT64_T, to, tag, &in, 1, MPI_UINT64_T, from, tag, on->comm,
                        &status));
    if (status.MPI_SOURCE != from || status.MPI_TAG != tag)
        wrong(my.action, "the status has source %d and tag %d; expected %d and %d",
              status.MPI_SOURCE, status.MPI_TAG, from, tag);
#else
    MPI_Request request[2];
    MUST(MPI_Irecv(&in, 1, MPI_UINT64_T, from, tag, on->comm, &request[0]));
    MUST(MPI_Isend(&out, 1, MPI_UINT64_T, to, tag, on->comm, &request[1]));
    wait_native(&request[0]);
    wait_native(&request[1]);
#endif
    if (in != mixed_with(a->seed, (uint64_t)from))
        wrong(my.action, "from %d came %016llx", from, (unsigned long long)in);
}

#ifdef TEST_MPI
/* A blocking send from one rank to another, and a blocking receive. */
static void run_pair(const struct action *a, const struct thing *on, int tag) {
    uint64_t draws = a->seed, word[2] = {0, 0};
    int from = below(&draws, on->size), to = below(&draws, on->size), way = below(&draws, 4);
    uint64_t expected = mixed(draws);
    int count;
    MPI_Status status;
    if (from == to)
        return;
    if (on->id == from && way < 2)
        MUST(CALL(Send)(&expected, 1, MPI_UINT64_T, to, tag, on->comm));
    else if (on->id == from)
        MUST(CALL(Ssend)(&expected, 1, MPI_UINT64_T, to, tag, on->comm));
    if (on->id != to)
        return;
    if (way % 2)
        MUST(CALL(Probe)(from, tag, on->comm, &status));
    MUST(CALL(Recv)(word, 2, MPI_UINT64_T, from, tag, on->comm, &status));
    MUST(MPI_Get_count(&status, MPI_UINT64_T, &count));
    if (word[0] != expected || word[1] || status.MPI_SOURCE != from || status.MPI_TAG != tag ||
        count != 1)
        wrong(my.action, "from %d came %016llx; source %d, tag %d, %d words", from,
              (unsigned long long)word[0], status.MPI_SOURCE, status.MPI_TAG, count);
}
#endif

#endif
