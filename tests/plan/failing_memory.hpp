// SPDX-License-Identifier: BSD-3-Clause
// The C library's memory, watched: what is taken and not given back, and a refusal whenever a test
// wants one, of each allocation of a work in turn. It replaces malloc in the program that includes
// it, so only one file of it may.
#pragma once

extern "C" {
#include "base/status.h"
}

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAUCUS_MEMORY_WATCHED 1
#endif

namespace test {

struct WatchedMemory {
    bool on = false;
    int64_t taken = 0;    // allocations since begin()
    int64_t refused = -1; // the number of the one that fails
    int64_t left = 0;     // of them, not given back
    static constexpr size_t room = 1 << 18;
    void *held[room] = {};

    static size_t place_of(const void *memory) {
        return (reinterpret_cast<uintptr_t>(memory) >> 4) * 0x9E3779B97F4A7C15ULL >> 46;
    }
    void begin(int64_t refuse) {
        taken = left = 0;
        refused = refuse;
        on = true;
    }
    bool refuses() {
        return on && taken++ == refused;
    }
    void *took(void *memory) {
        if (on && memory) {
            size_t at = place_of(memory);
            while (held[at] && held[at] != gone)
                at = (at + 1) % room;
            held[at] = memory;
            left++;
        }
        return memory;
    }
    // What was taken before begin() is not its business.
    void gave_back(void *memory) {
        if (!on || !memory)
            return;
        for (size_t at = place_of(memory); held[at]; at = (at + 1) % room)
            if (held[at] == memory) {
                held[at] = gone;
                left--;
                return;
            }
    }
    static inline char gone_byte;
    static constexpr void *gone = &gone_byte;
};

inline WatchedMemory watched;

// Refusals of one work: all, or so many spread over all.
inline constexpr int64_t most_refusals = 60;

struct Outcome {
    int status;
    int64_t taken, left;
};

template <typename Work> Outcome run(const Work &work, int64_t refused) {
    caucus_fail(CAUCUS_INTERNAL, "as before");
    watched.begin(refused);
    int status = work();
    watched.on = false;
    return {status, watched.taken, watched.left};
}

// A work that says how it went, having freed what it made. Without a refusal it must not fail;
// what it does not serve is left out. With one it must, but for what can do without: the C
// library's qsort can, and an array may as well stay as large; whether the outcome is the same is
// for the work to say.
template <typename Work>
void refuse_each(const std::string &name, const Work &work, bool does_without = false) {
    Outcome whole = run(work, -1);
    if (whole.status == CAUCUS_NOT_APPLICABLE)
        return;
    ASSERT_EQ(whole.status, CAUCUS_OK) << name << ": " << caucus_error_text();
    EXPECT_EQ(whole.left, 0) << name << " keeps memory";
#ifdef CAUCUS_MEMORY_WATCHED
    int64_t step = whole.taken / most_refusals + 1;
    for (int64_t refused = 0; refused < whole.taken; refused += step) {
        Outcome outcome = run(work, refused);
        std::string where =
            name + ", allocation " + std::to_string(refused) + " of " + std::to_string(whole.taken);
        EXPECT_TRUE(outcome.status == CAUCUS_NO_MEMORY || (does_without && !outcome.status))
            << where << ": status " << outcome.status << ", " << caucus_error_text();
        EXPECT_EQ(outcome.left, 0) << where << ": memory is kept";
        if (outcome.status == CAUCUS_NO_MEMORY) {
            EXPECT_STRNE(caucus_error_text(), "as before") << where;
        }
    }
#endif
}

} // namespace test

#ifdef CAUCUS_MEMORY_WATCHED
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size) {
    return test::watched.refuses() ? nullptr : test::watched.took(__libc_malloc(size));
}
void *calloc(size_t count, size_t size) {
    return test::watched.refuses() ? nullptr : test::watched.took(__libc_calloc(count, size));
}
void *realloc(void *memory, size_t size) {
    if (test::watched.refuses())
        return nullptr;
    void *moved = __libc_realloc(memory, size);
    if (moved || size == 0)
        test::watched.gave_back(memory);
    return test::watched.took(moved);
}
void free(void *memory) {
    test::watched.gave_back(memory);
    __libc_free(memory);
}
}
#endif
