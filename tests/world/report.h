/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run leaves in memory that it shares with the process that started it. */
#ifndef TESTS_WORLD_REPORT_H
#define TESTS_WORLD_REPORT_H

#include "world.h"

struct result {
    enum outcome outcome;
    int status, requests, comms, messages;
    long steps;
    uint64_t draws;
    double seconds;
    char text[TEXT];
};
extern struct result *result;

#endif
