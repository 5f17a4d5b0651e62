/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of the cost model, as caucus tune writes them, and what stands around their figures. */
#include "fuzz.h"

#include "base/status.h"
#include "base/tuned.h"
#include "plan/machine/model.h"

#include <math.h>

static void look(const char *path) {
    char mpi[CAUCUS_TUNED_ROOM];
    memset(mpi, '\n', sizeof mpi);
    int status = caucus_tuned_look(path, mpi);
    fuzz_expect(!status || status == CAUCUS_BAD_FILE || status == CAUCUS_NOT_APPLICABLE,
                "a file, or none");
    fuzz_expect(memchr(mpi, '\0', sizeof mpi) && !strchr(mpi, '\n'), "a line with an end");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_model model, before;
    const char *help, *path = fuzz_file(&input);
    double *value;
    look(path);
    caucus_model_default(&model);
    before = model;
    int status = caucus_model_read(&model, path);
    fuzz_expect(!status || memcmp(&model, &before, sizeof model) == 0, "all or nothing");
    for (int i = 0; caucus_model_parameter(&model, i, &help, &value); i++)
        fuzz_expect(isfinite(*value) && *value >= 0, "a number, at least 0");
    return 0;
}
