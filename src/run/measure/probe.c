/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/measure/probe.h"

#include "base/status.h"
#include "run/measure/median.h"
#include "run/progress/progress.h"
#include "run/support/mpi_status.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_TRIPS = 4, MOST_TRIPS = 64, BURST = 16, MOST_BURSTS = 16, SHORTEST = 1 << 15 };
/* Cards may let 64 KiB through at once. */
enum { LEAST_STREAM = 1 << 18, LENGTHS = 6 };
_Static_assert(SHORTEST << (LENGTHS - 1) == CAUCUS_PROBE_BYTES, "the longest one");
enum { LOOKS_PER_YIELD = 4, LOOKS_PER_PROGRESS = 64 };

/* As an execution waits: MPI is looked at again and again, and the processor given away now and
 * then, as the peer may share it. */
static int await(int count, MPI_Request *requests) {
    int done = 0, status = CAUCUS_OK;
    for (int look = 1; !status && !done; look++) {
        status = caucus_mpi_status(PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE),
                                   "MPI_Testall");
        if (look % LOOKS_PER_PROGRESS == 0)
            caucus_progress();
        if (!done && look % LOOKS_PER_YIELD == 0)
            sched_yield();
    }
    return status;
}

static int post(const struct caucus_probe *probe, bool sends, void *data, int bytes,
                MPI_Request *request) {
    return sends ? caucus_mpi_status(
                       PMPI_Isend(data, bytes, MPI_BYTE, probe->peer, 0, probe->comm, request),
                       "MPI_Isend")
                 : caucus_mpi_status(
                       PMPI_Irecv(data, bytes, MPI_BYTE, probe->peer, 0, probe->comm, request),
                       "MPI_Irecv");
}

static int pass(const struct caucus_probe *probe, bool sends, void *data, int bytes) {
    MPI_Request request;
    int status = post(probe, sends, data, bytes, &request);
    return status ? status : await(1, &request);
}

/* Data from the first one to its peer, and a byte back. */
static int there_and_back(const struct caucus_probe *probe, void *data, int bytes) {
    char answer = 0;
    int status = pass(probe, probe->first, data, bytes);
    return status ? status : pass(probe, !probe->first, &answer, 1);
}

int caucus_probe_trip(const struct caucus_probe *probe, double *seconds) {
    double took[MOST_TRIPS];
    int trips = 0, status = there_and_back(probe, probe->data, 1); /* connections are made */
    const double begin = PMPI_Wtime();
    char goes_on = 1;
    while (!status && goes_on) {
        double now = PMPI_Wtime();
        if (probe->first)
            goes_on =
                trips + 1 < LEAST_TRIPS || (trips + 1 < MOST_TRIPS && now - begin < probe->seconds);
        status = there_and_back(probe, &goes_on, 1);
        took[trips++ % MOST_TRIPS] = 0.5 * (PMPI_Wtime() - now);
    }
    *seconds = status ? 0 : caucus_median(took, trips);
    return status;
}

/* The receives are posted before the peer answers. */
static int one_burst(const struct caucus_probe *probe, char *goes_on, double *seconds) {
    MPI_Request requests[BURST];
    int status = pass(probe, probe->first, goes_on, 1);
    for (int i = 0; !probe->first && !status && i < BURST; i++)
        status = post(probe, false, probe->data + i, 1, &requests[i]);
    char answer = 0;
    if (!status)
        status = pass(probe, !probe->first, &answer, 1);
    const double begin = PMPI_Wtime();
    for (int i = 0; probe->first && !status && i < BURST; i++)
        status = post(probe, true, probe->data, 1, &requests[i]);
    *seconds = (PMPI_Wtime() - begin) / BURST;
    return status ? status : await(BURST, requests);
}

int caucus_probe_send(const struct caucus_probe *probe, double *seconds) {
    double took[MOST_BURSTS];
    int bursts = 0, status = CAUCUS_OK;
    const double begin = PMPI_Wtime();
    char goes_on = 1;
    while (!status && goes_on) {
        if (probe->first)
            goes_on = bursts + 1 < MOST_BURSTS && PMPI_Wtime() - begin < probe->seconds;
        status = one_burst(probe, &goes_on, &took[bursts % MOST_BURSTS]);
        bursts++;
    }
    *seconds = status ? 0 : caucus_median(took, bursts);
    return status;
}

/* What messages take beyond shorter ones is free of what a message takes besides its bytes, and of
 * what a card lets through before it limits the rate; the median of all pairs of lengths is free of
 * one message that was held up, too (Theil and Sen). */
static double rate_of(const double took[LENGTHS], int count) {
    double slopes[LENGTHS * (LENGTHS - 1) / 2];
    int pairs = 0;
    if (count == 0)
        return 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            slopes[pairs++] = (took[j] - took[i]) / (SHORTEST * ((1 << j) - (1 << i)));
    double slope = pairs > 0 ? caucus_median(slopes, pairs) : 0;
    return slope > 0 ? slope : took[count - 1] / (SHORTEST * (1 << (count - 1)));
}

/* Twice as long each time. */
int caucus_probe_stream(const struct caucus_probe *probe, double *seconds_per_byte, int *bytes) {
    double took[LENGTHS];
    int status, length = SHORTEST, count = 0;
    const double begin = PMPI_Wtime();
    *bytes = 0;
    while (!(status = pass(probe, probe->first, &length, sizeof length)) && length > 0) {
        const double now = PMPI_Wtime();
        status = there_and_back(probe, probe->data, length);
        if (status)
            break;
        took[count] = PMPI_Wtime() - now;
        *bytes = length;
        const double left = probe->seconds - (PMPI_Wtime() - begin);
        bool again =
            2 * length <= CAUCUS_PROBE_BYTES && (length < LEAST_STREAM || 2 * took[count] < left);
        count++;
        if (probe->first)
            length = again ? 2 * length : 0;
    }
    *seconds_per_byte = rate_of(took, count);
    return status;
}

int caucus_probe_rate(const struct caucus_probe *probe, int bytes, double trip,
                      double *seconds_per_byte) {
    double best = 0;
    int status = CAUCUS_OK;
    for (int i = 0; i < LEAST_TRIPS && !status; i++) {
        if (probe->first)
            memset(probe->data, i, (size_t)bytes); /* nobody else has it in a cache */
        const double begin = PMPI_Wtime();
        status = there_and_back(probe, probe->data, bytes);
        const double took = PMPI_Wtime() - begin;
        best = i == 0 || took < best ? took : best;
    }
    *seconds_per_byte = (best > 4 * trip ? best - 2 * trip : best / 2) / bytes;
    return status;
}

int caucus_probe_next(const struct caucus_probe *probe, int bytes, double *seconds) {
    int status = there_and_back(probe, probe->data, bytes);
    *seconds = INFINITY;
    for (int look = 0; look < 2 && !status; look++) {
        const double begin = PMPI_Wtime();
        status = there_and_back(probe, probe->data, bytes);
        const double took = PMPI_Wtime() - begin;
        *seconds = took < *seconds ? took : *seconds;
    }
    return status;
}

int caucus_probe_agree(const struct caucus_probe *probe, bool *goes_on) {
    char word = *goes_on;
    int status = pass(probe, probe->first, &word, 1);
    *goes_on = word != 0;
    return status;
}

void caucus_probe_split(double trip, double send, double *latency, double *overhead) {
    *overhead = send < 0.4 * trip ? send : 0.4 * trip;
    *latency = trip - 2 * *overhead;
}
