/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced in before every file of an image: before each atomic access, and after one that writes,
 * the world may let others go on. <stdatomic.h> of gcc comes down to these. */
#ifndef TESTS_WORLD_ATOMICS_H
#define TESTS_WORLD_ATOMICS_H

__attribute__((weak)) void world_atomic_access(void); /* the build links programs without it */

#define WORLD_WRITES(access) (world_atomic_access(), access, world_atomic_access())
#define WORLD_CHANGES(access)                                                                      \
    __extension__({                                                                                \
        world_atomic_access();                                                                     \
        __auto_type world_value = access;                                                          \
        world_atomic_access();                                                                     \
        world_value;                                                                               \
    })

#define __atomic_load(...) (world_atomic_access(), __atomic_load(__VA_ARGS__))
#define __atomic_store(...) WORLD_WRITES(__atomic_store(__VA_ARGS__))
#define __atomic_exchange(...) WORLD_WRITES(__atomic_exchange(__VA_ARGS__))
#define __atomic_clear(...) WORLD_WRITES(__atomic_clear(__VA_ARGS__))
#define __atomic_compare_exchange(...) WORLD_CHANGES(__atomic_compare_exchange(__VA_ARGS__))
#define __atomic_fetch_add(...) WORLD_CHANGES(__atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) WORLD_CHANGES(__atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_and(...) WORLD_CHANGES(__atomic_fetch_and(__VA_ARGS__))
#define __atomic_fetch_or(...) WORLD_CHANGES(__atomic_fetch_or(__VA_ARGS__))
#define __atomic_test_and_set(...) WORLD_CHANGES(__atomic_test_and_set(__VA_ARGS__))

#endif
