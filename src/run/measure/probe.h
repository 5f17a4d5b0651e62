/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages between two ranks cost: each function is called by both at the same time, and takes
 * about as long as the probe allows, or a few messages if these take longer. */
#ifndef CAUCUS_RUN_MEASURE_PROBE_H
#define CAUCUS_RUN_MEASURE_PROBE_H

#include <mpi.h>
#include <stdbool.h>

enum { CAUCUS_PROBE_BYTES = 1 << 20 }; /* the longest message */

struct caucus_probe {
    MPI_Comm comm; /* it returns errors, and nobody sends on it meanwhile */
    int peer;
    bool first;     /* measures; the peer answers, and gets no figures */
    double seconds; /* that a measurement may take */
    char *data;     /* CAUCUS_PROBE_BYTES of them */
};

/* Half a round trip of a short message. */
int caucus_probe_trip(const struct caucus_probe *probe, double *seconds);

/* The processor's time for a short send whose receive is posted. */
int caucus_probe_send(const struct caucus_probe *probe, double *seconds);

/* A byte's time in long messages, and the length of the longest, which the peer gets too. */
int caucus_probe_stream(const struct caucus_probe *probe, double *seconds_per_byte, int *bytes);

/* A byte's time in messages of so many bytes that were written just before, where a short one takes
 * trip: the best of a few. */
int caucus_probe_rate(const struct caucus_probe *probe, int bytes, double trip,
                      double *seconds_per_byte);

/* The time of a message of so many bytes that follows another one: the better of two. */
int caucus_probe_next(const struct caucus_probe *probe, int bytes, double *seconds);

/* The first one's word whether both go on, to its peer. */
int caucus_probe_agree(const struct caucus_probe *probe, bool *goes_on);

/* A short message's time apart: the wire's, and a processor's at each end, of which sending was
 * measured. */
void caucus_probe_split(double trip, double send, double *latency, double *overhead);

#endif
