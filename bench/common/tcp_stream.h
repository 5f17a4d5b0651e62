/* SPDX-License-Identifier: BSD-3-Clause */
/* Bare TCP streams between the virtual nodes, from the lowest rank of each to that of the next one:
 * what the cards at hand can do without MPI. The other ranks sleep meanwhile. */
#ifndef CAUCUS_BENCH_TCP_STREAM_H
#define CAUCUS_BENCH_TCP_STREAM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <mpi.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tcp_stream {
    MPI_Comm leaders; /* null where nothing is streamed from here */
    int node, nodes, there;
    int next, before; /* sockets to and from neighbours */
    char *room;
};

enum { STREAM_PIECE = 1 << 18 };

static inline struct in_addr stream_address(const char *card) {
    struct in_addr found = {0};
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) == 0)
        for (struct ifaddrs *at = all; at; at = at->ifa_next)
            if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET &&
                strcmp(at->ifa_name, card) == 0)
                found = ((struct sockaddr_in *)(void *)at->ifa_addr)->sin_addr;
    freeifaddrs(all);
    return found;
}

static inline void stream_check(int fine) {
    if (!fine) {
        perror("tcp_stream");
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

static inline void stream_connect(struct tcp_stream *stream, struct in_addr mine) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = mine}, *all;
    socklen_t length = sizeof address;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    all = calloc((size_t)stream->nodes, sizeof *all);
    stream->room = calloc(1, STREAM_PIECE);
    stream_check(all && stream->room && listener >= 0 &&
                 bind(listener, (struct sockaddr *)&address, length) == 0 &&
                 listen(listener, 1) == 0 &&
                 getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    MPI_Allgather(&address, (int)sizeof address, MPI_BYTE, all, (int)sizeof address, MPI_BYTE,
                  stream->leaders);
    stream->next = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in *to = &all[(stream->node + 1) % stream->nodes];
    stream_check(stream->next >= 0 && connect(stream->next, (struct sockaddr *)to, length) == 0);
    stream->before = accept(listener, NULL, NULL);
    stream_check(stream->before >= 0 &&
                 setsockopt(stream->next, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0 &&
                 setsockopt(stream->before, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0 &&
                 fcntl(stream->next, F_SETFL, O_NONBLOCK) == 0 &&
                 fcntl(stream->before, F_SETFL, O_NONBLOCK) == 0);
    close(listener);
    free(all);
}

/* Collective; there is 0 where a node has no card of the lab. */
static inline struct tcp_stream stream_open(int leads_node, int node, int nodes) {
    struct tcp_stream stream = {.next = -1, .before = -1, .node = node, .nodes = nodes};
    const char *card = getenv("LAB_CARD");
    int fine = card != NULL && nodes > 1;
    MPI_Allreduce(&fine, &stream.there, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, leads_node ? 0 : MPI_UNDEFINED, node, &stream.leaders);
    if (stream.there && leads_node)
        stream_connect(&stream, stream_address(card));
    return stream;
}

static inline void stream_close(struct tcp_stream *stream) {
    if (stream->next >= 0)
        close(stream->next);
    if (stream->before >= 0)
        close(stream->before);
    if (stream->leaders != MPI_COMM_NULL)
        MPI_Comm_free(&stream->leaders);
    free(stream->room);
}

static inline int stream_went(ssize_t moved) {
    stream_check(moved >= 0 || errno == EAGAIN || errno == EWOULDBLOCK);
    return moved > 0 ? (int)moved : 0;
}

/* Sends give bytes to the next node and takes so many of the one before; each end of a stream says
 * one byte when all has come. */
static inline void stream_move(struct tcp_stream *stream, long give, long take) {
    int awaits = give > 0, answers = take > 0;
    while (give > 0 || awaits || take > 0) {
        struct pollfd ends[2] = {{stream->next, give > 0 ? POLLOUT : POLLIN, 0},
                                 {stream->before, POLLIN, 0}};
        stream_check(poll(ends, take > 0 ? 2 : 1, 60000) > 0);
        if (give > 0 && ends[0].revents)
            give -= stream_went(write(stream->next, stream->room,
                                      (size_t)(give < STREAM_PIECE ? give : STREAM_PIECE)));
        else if (awaits && ends[0].revents)
            awaits = stream_went(read(stream->next, stream->room, 1)) == 0;
        if (take > 0 && ends[1].revents)
            take -= stream_went(read(stream->before, stream->room,
                                     (size_t)(take < STREAM_PIECE ? take : STREAM_PIECE)));
        if (take == 0 && answers)
            answers = stream_went(write(stream->before, stream->room, 1)) == 0;
    }
}

static inline void stream_sleep_until_all(void) {
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;) {
        usleep(5000);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Collective; seconds at the slowest node in which every node takes so many bytes of the one before
 * it and gives the next one what that takes. */
static inline double stream_seconds(struct tcp_stream *stream, long take, long give) {
    double seconds = 0, slowest;
    MPI_Barrier(MPI_COMM_WORLD);
    if (stream->leaders != MPI_COMM_NULL && stream->there) {
        usleep(2000);
        MPI_Barrier(stream->leaders);
        double begin = MPI_Wtime();
        stream_move(stream, give, take);
        seconds = MPI_Wtime() - begin;
    }
    stream_sleep_until_all();
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

#endif
