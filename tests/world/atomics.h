/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced in before every file of an image: before each atomic access the world may let others go
 * on. <stdatomic.h> of gcc comes down to these. */
#ifndef TESTS_WORLD_ATOMICS_H
#define TESTS_WORLD_ATOMICS_H

__attribute__((weak)) void world_atomic_access(void); /* the build links programs without it */

#define __atomic_load(...) (world_atomic_access(), __atomic_load(__VA_ARGS__))
#define __atomic_store(...) (world_atomic_access(), __atomic_store(__VA_ARGS__))
#define __atomic_exchange(...) (world_atomic_access(), __atomic_exchange(__VA_ARGS__))
#define __atomic_compare_exchange(...)                                                             \
    (world_atomic_access(), __atomic_compare_exchange(__VA_ARGS__))
#define __atomic_fetch_add(...) (world_atomic_access(), __atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) (world_atomic_access(), __atomic_fetch_sub(__VA_ARGS__))
#define __atomic_fetch_and(...) (world_atomic_access(), __atomic_fetch_and(__VA_ARGS__))
#define __atomic_fetch_or(...) (world_atomic_access(), __atomic_fetch_or(__VA_ARGS__))
#define __atomic_test_and_set(...) (world_atomic_access(), __atomic_test_and_set(__VA_ARGS__))
#define __atomic_clear(...) (world_atomic_access(), __atomic_clear(__VA_ARGS__))

#endif
