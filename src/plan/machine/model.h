/* SPDX-License-Identifier: BSD-3-Clause */
/* What communication costs on a machine, in seconds: the parameters of the simulation and of the
 * cost formulas. A message of n bytes takes overhead + latency + n * byte + overhead, as in LogGP
 * (Alexandrov et al., SPAA 1995); all messages of a node share its card. */
#ifndef CAUCUS_PLAN_MACHINE_MODEL_H
#define CAUCUS_PLAN_MACHINE_MODEL_H

#include "base/lines.h"

enum caucus_distance { CAUCUS_WITHIN_NODE, CAUCUS_BETWEEN_NODES, CAUCUS_DISTANCES };

struct caucus_model {
    double latency[CAUCUS_DISTANCES];  /* of a message */
    double byte[CAUCUS_DISTANCES];     /* of a message, at one process */
    double overhead[CAUCUS_DISTANCES]; /* of a processor, for each send and each receive */
    double card_byte;                  /* of a node's card, each direction by itself */
    double signal;                     /* from raising a flag until another rank sees it */
    double copy_byte;                  /* copy within a rank's own or node memory */
    double reduce_byte;                /* combine two operands */
    double operation;                  /* a processor's time for an operation of any kind */
    double ports; /* messages that a rank sends at a time, and receives at a time, a whole number;
                     0: any number */
    /* Between nodes, where one rank of each exchanges messages; 0: as latency and overhead, which
     * are those while all ranks do. Less where ranks share processors. */
    double lone_latency, lone_overhead;
    double one_copy_byte; /* of a long message within a node, where the kernel copies from one
                             process to the other, and both see to that */
    double eager; /* bytes up to which a message leaves though its receive is not yet posted; 0: any
                     message does */
};

enum { CAUCUS_MODEL_MOST_PORTS = 1024 };

/* Sane figures for a cluster of today: what is used where nothing was measured. */
void caucus_model_default(struct caucus_model *model);

/* Where long messages within a node are one copy: what moves data is chosen by that. */
void caucus_model_one_copy(struct caucus_model *model);

/* Reads what caucus tune has written: lines "name value", # starts a comment. What a file does not
 * name keeps its value. A malformed one fails with a text that names file and line. */
int caucus_model_read(struct caucus_model *model, const char *path);

/* The same of lines that are open, and stay so. */
int caucus_model_parse(struct caucus_model *model, struct caucus_lines *lines);

/* Name, unit and help of the parameter at an index, NULL beyond the last; *value is its place. */
const char *caucus_model_parameter(struct caucus_model *model, int index, const char **help,
                                   double **value);

#endif
