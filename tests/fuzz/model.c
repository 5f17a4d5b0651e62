/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of the cost model, as caucus tune writes them. */
#include "fuzz.h"

#include "plan/machine/model.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_model model, before;
    const char *help;
    double *value;
    caucus_model_default(&model);
    before = model;
    int status = caucus_model_read(&model, fuzz_file(&input));
    fuzz_expect(!status || memcmp(&model, &before, sizeof model) == 0, "all or nothing");
    for (int i = 0; caucus_model_parameter(&model, i, &help, &value); i++)
        fuzz_expect(isfinite(*value) && *value >= 0, "a number, at least 0");
    return 0;
}
