/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of what CAUCUS_SELECT=measure has found out. */
#include "fuzz.h"

#include "plan/choice/choice.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    enum { MOST = 8 };
    struct fuzz_input input = {bytes, size};
    struct caucus_choice choices[MOST];
    int64_t count;
    int status = caucus_choices_read(fuzz_file(&input), choices, MOST, &count);
    fuzz_expect(count >= 0 && count <= MOST, "no more than there is room for");
    for (int64_t i = 0; i < count && !status; i++) {
        const struct caucus_choice *choice = &choices[i];
        fuzz_expect(choice->algorithm && caucus_collective_name((int)choice->key.collective),
                    "an algorithm of a collective");
        fuzz_expect(choice->key.size_class >= 0 && choice->key.size_class < 64, "a size class");
        fuzz_expect(choice->key.element >= 0, "the size of an element");
    }
    return 0;
}
