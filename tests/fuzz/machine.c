/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptions of machines: CAUCUS_NODES, --nodes and machine files. First how many ranks there
 * are, then the text, or after "file:" the file. */
#include "fuzz.h"

#include "plan/machine/machine.h"

enum { MOST = 1 << 16 };

/* What is right and large takes gigabytes, not more. */
static bool is_large(const char *text) {
    for (const char *at = text; *at;) {
        char *end;
        unsigned long long number = strtoull(at, &end, 10);
        if (end > at && number > 300 && number <= INT32_MAX)
            return true;
        at = end > at ? end : at + 1;
    }
    return strlen(text) > 60;
}

static void look(const struct caucus_machine *machine) {
    struct caucus_nodes nodes = {0};
    fuzz_expect(machine->ranks > 0 && machine->levels > 0, "some ranks");
    for (int level = 0; level < machine->levels; level++)
        for (int64_t rank = 0; rank < machine->ranks; rank++) {
            int32_t part = machine->part_of_rank[level][rank];
            fuzz_expect(part >= 0 && part < machine->parts[level], "a part that there is");
        }
    if (!caucus_machine_nodes(machine, &nodes)) {
        fuzz_expect(nodes.ranks == machine->ranks, "all ranks on nodes");
        caucus_nodes_free(&nodes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_machine machine;
    uint8_t how = fuzz_byte(&input);
    int64_t ranks = how % 4 == 0 ? 0 : how % 4 == 1 ? fuzz_number(&input) : how / 4;
    if (ranks > MOST)
        ranks = MOST;
    const char *path = NULL;
    char text[80], *line = NULL;
    if (how & 128) {
        path = fuzz_file(&input);
        snprintf(text, sizeof text, "file:%s", path);
    } else {
        line = fuzz_line(&input);
        if (strncmp(line, "file:", 5) == 0 || is_large(line)) { /* no files of this machine */
            free(line);
            return 0;
        }
    }
    if (!caucus_machine_parse(&machine, line ? line : text, ranks)) {
        if (machine.ranks <= MOST)
            look(&machine);
        caucus_machine_free(&machine);
    }
    free(line);
    return 0;
}
