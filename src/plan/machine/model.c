/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a machine: defaults, table, file. */
#include "plan/machine/model.h"

#include "base/number.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of some 64 cores with a card of 200 Gbit/s. Between nodes a short message takes about
 * 1.6 µs from call to call, of which the wire and the switches are most; one process drives about
 * half of the card. Within a node MPI copies in and out of shared memory, piece by piece and with a
 * handshake for long messages: a quarter of the 20 GB/s of a copy in cache. A flag is a cache line
 * that moves from one core to another. One copy by the kernel, in which both sides share, is not
 * much slower than a copy in cache. An operation is what an executor does besides: looking it
 * up, testing a request. */
void caucus_model_default(struct caucus_model *model) {
    *model = (struct caucus_model){
        .latency = {0.5e-6, 1.0e-6},
        .byte = {1 / 5e9, 1 / 12.5e9},
        .overhead = {0.1e-6, 0.3e-6},
        .card_byte = 1 / 25e9,
        .signal = 0.1e-6,
        .copy_byte = 1 / 20e9,
        .reduce_byte = 1 / 12e9,
        .operation = 0.03e-6,
        .ports = 1,
        .one_copy_byte = 1 / 22e9,
    };
}

void caucus_model_one_copy(struct caucus_model *model) {
    double *byte = &model->byte[CAUCUS_WITHIN_NODE];
    *byte = fmin(*byte, model->one_copy_byte);
}

static const struct parameter {
    const char *name, *help;
    size_t place;
} table[] = {
    {"latency_within", "seconds of a message within a node, besides overheads and bytes",
     offsetof(struct caucus_model, latency[CAUCUS_WITHIN_NODE])},
    {"latency_between", "seconds of a message between nodes, besides overheads and bytes",
     offsetof(struct caucus_model, latency[CAUCUS_BETWEEN_NODES])},
    {"byte_within", "seconds per byte of a message within a node",
     offsetof(struct caucus_model, byte[CAUCUS_WITHIN_NODE])},
    {"byte_between", "seconds per byte of a message between nodes, at one process",
     offsetof(struct caucus_model, byte[CAUCUS_BETWEEN_NODES])},
    {"overhead_within", "seconds of a processor for a send or receive within a node",
     offsetof(struct caucus_model, overhead[CAUCUS_WITHIN_NODE])},
    {"overhead_between", "seconds of a processor for a send or receive between nodes",
     offsetof(struct caucus_model, overhead[CAUCUS_BETWEEN_NODES])},
    {"card_byte", "seconds per byte of a node's network card, in each direction",
     offsetof(struct caucus_model, card_byte)},
    {"signal", "seconds from raising a flag until another rank sees it",
     offsetof(struct caucus_model, signal)},
    {"copy_byte", "seconds per byte of a copy", offsetof(struct caucus_model, copy_byte)},
    {"reduce_byte", "seconds per byte of combining two operands",
     offsetof(struct caucus_model, reduce_byte)},
    {"operation", "seconds of a processor for any operation, and for each flag looked at",
     offsetof(struct caucus_model, operation)},
    {"byte_one_copy",
     "seconds per byte of a long message within a node, where the kernel lets ranks read and write "
     "each other's memory",
     offsetof(struct caucus_model, one_copy_byte)},
    {"ports", "messages that a rank sends at a time, and receives at a time; 0: any number",
     offsetof(struct caucus_model, ports)},
    {"eager",
     "bytes up to which a message leaves before its receive is posted; 0: any message does",
     offsetof(struct caucus_model, eager)},
    {"latency_lone", "latency_between while one rank of each node exchanges messages; 0: the same",
     offsetof(struct caucus_model, lone_latency)},
    {"overhead_lone",
     "overhead_between while one rank of each node exchanges messages; 0: the same",
     offsetof(struct caucus_model, lone_overhead)},
};

enum { PARAMETERS = sizeof table / sizeof *table };

const char *caucus_model_parameter(struct caucus_model *model, int index, const char **help,
                                   double **value) {
    if (index < 0 || index >= PARAMETERS)
        return NULL;
    *help = table[index].help;
    *value = (double *)(void *)((char *)model + table[index].place);
    return table[index].name;
}

static double *find(struct caucus_model *model, const char *name) {
    const char *help, *known;
    double *value;
    for (int i = 0; (known = caucus_model_parameter(model, i, &help, &value)); i++)
        if (strcmp(known, name) == 0)
            return value;
    return NULL;
}

static int read_number(const struct caucus_lines *lines, const char *name, const char *word,
                       double *number) {
    char *end;
    errno = 0;
    *number = caucus_number_read(word, &end);
    if (end == word || *end || !isfinite(*number) || *number < 0)
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: %s is '%s': it must be a number, at least 0",
                           lines->path, (long long)lines->number, name, word);
    return CAUCUS_OK;
}

/* So much that sums of times of any schedule are numbers. */
static int check_range(const struct caucus_model *model, const struct caucus_lines *lines,
                       const char *name, const double *value, double number) {
    bool ports = value == &model->ports;
    double most = ports ? CAUCUS_MODEL_MOST_PORTS : value == &model->eager ? 1e18 : 1e9;
    if (ports && number != floor(number))
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: ports is %g: it must be a whole number",
                           lines->path, (long long)lines->number, number);
    if (number > most)
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: %s is %g: it may be at most %g", lines->path,
                           (long long)lines->number, name, number, most);
    return CAUCUS_OK;
}

static int read_line(struct caucus_model *model, const struct caucus_lines *lines, int count,
                     char *const *words) {
    double number, *value = find(model, words[0]);
    if (!value)
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: there is no parameter '%s'", lines->path,
                           (long long)lines->number, words[0]);
    if (count != 2)
        return caucus_fail(CAUCUS_BAD_FILE, "%s:%lld: a line is a name and a number, not %d words",
                           lines->path, (long long)lines->number, count);
    int status = read_number(lines, words[0], words[1], &number);
    if (!status)
        status = check_range(model, lines, words[0], value, number);
    if (!status)
        *value = number;
    return status;
}

int caucus_model_parse(struct caucus_model *model, struct caucus_lines *lines) {
    struct caucus_model read = *model;
    char *words[2];
    int count, status = CAUCUS_OK;
    while (!status && (count = caucus_lines_next(lines, 2, words)) > 0)
        status = read_line(&read, lines, count, words);
    if (!status)
        *model = read;
    return status;
}

int caucus_model_read(struct caucus_model *model, const char *path) {
    struct caucus_lines lines;
    int status = caucus_lines_open(&lines, path);
    if (status)
        return status;
    status = caucus_model_parse(model, &lines);
    caucus_lines_close(&lines);
    return status;
}
