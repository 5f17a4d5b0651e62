/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of the cost model, as caucus tune writes them, and what stands around their figures. */
#include "fuzz.h"

#include "base/status.h"
#include "base/tuned.h"
#include "plan/machine/model.h"

#include <math.h>

/* As whoever looks at the marks reads it. */
static void look(const char *path, struct caucus_model *model) {
    char mpi[CAUCUS_TUNED_ROOM];
    struct caucus_lines lines;
    memset(mpi, '\n', sizeof mpi);
    int status = caucus_tuned_open(&lines, path, mpi);
    fuzz_expect(!status || status == CAUCUS_BAD_FILE || status == CAUCUS_NOT_APPLICABLE,
                "a file, or none");
    fuzz_expect(memchr(mpi, '\0', sizeof mpi) && !strchr(mpi, '\n'), "a line with an end");
    if (status)
        return;
    caucus_model_parse(model, &lines);
    caucus_lines_close(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_model model, before, looked;
    const char *help, *path = fuzz_file(&input);
    double *value;
    caucus_model_default(&model);
    before = looked = model;
    look(path, &looked);
    int status = caucus_model_read(&model, path);
    fuzz_expect(!status || memcmp(&model, &before, sizeof model) == 0, "all or nothing");
    fuzz_expect(memcmp(&looked, &before, sizeof model) == 0 ||
                    memcmp(&looked, &model, sizeof model) == 0,
                "the same, or nothing");
    for (int i = 0; caucus_model_parameter(&model, i, &help, &value); i++)
        fuzz_expect(isfinite(*value) && *value >= 0, "a number, at least 0");
    return 0;
}
