/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencils: words, files of offsets and weights, and numbers of axes that make no sense. */
#include "fuzz.h"

#include "study/grid/stencil_text.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct fuzz_input input = {bytes, size};
    struct caucus_stencil stencil;
    double weights[16];
    int ndims = fuzz_below(&input, 14) - 1, how = fuzz_below(&input, 4);
    int status;
    if (how == 0) {
        char *line = fuzz_line(&input);
        bool word = strchr(line, '/') == NULL;
        status = caucus_stencil_parse(&stencil, ndims > 8 ? 8 : ndims, word ? line : "");
        free(line);
    } else if (how == 1) {
        for (int i = 0; i < 16; i++)
            weights[i] = (double)fuzz_number(&input) / 8;
        status = caucus_stencil_init_star(&stencil, ndims, weights);
    } else {
        status = caucus_stencil_parse(&stencil, ndims, fuzz_file(&input));
    }
    if (status)
        return 0;
    for (int k = 0; k < stencil.count; k++)
        fuzz_expect(isfinite(stencil.weight[k]) && stencil.weight[k] >= 0, "weights");
    caucus_stencil_is_star(&stencil, weights);
    caucus_stencil_free(&stencil);
    return 0;
}
