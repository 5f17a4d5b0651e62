/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run leaves in memory that it shares with the process that started it. */
#ifndef TESTS_WORLD_REPORT_H
#define TESTS_WORLD_REPORT_H

#include "world.h"

struct result {
    enum outcome outcome;
    int status, requests, comms, messages, errors; /* what programs were told of */
    long steps;
    uint64_t draws;
    double seconds;
    char text[TEXT];
    /* of the runs of this process before: */
    uint64_t done, all_choices;
    long all_steps;
};
extern struct result *result;
void result_forget(void); /* all runs */
void result_begin(void);  /* of a run */
void result_keep(void);   /* it was good, and another follows */
void conclude(enum outcome outcome, int status, const char *text);

#endif
