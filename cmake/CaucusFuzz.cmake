# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets: one program for each file of tests/fuzz with LLVMFuzzerTestOneInput. They replay
# files, and link with libFuzzer instead where CAUCUS_FUZZ is on, which takes clang.

option(CAUCUS_FUZZ "Link the fuzz targets with libFuzzer, and instrument everything" OFF)

if(NOT CAUCUS_TESTS OR NOT CAUCUS_PLAN_TESTS OR NOT TARGET caucus_plan)
    return()
endif()

if(CAUCUS_FUZZ) # of the library too, which has these flags
    target_compile_options(caucus_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(fuzz_support fuzz_file letters replay)
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/*.c")
foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM name)
    if(name IN_LIST fuzz_support)
        continue()
    endif()
    set(support tests/fuzz/fuzz_file.c)
    if(name MATCHES "^letters_")
        list(APPEND support tests/fuzz/letters.c)
    endif()
    if(NOT CAUCUS_FUZZ)
        list(APPEND support tests/fuzz/replay.c)
    endif()
    add_executable(fuzz_${name} "${source}" ${support})
    target_include_directories(fuzz_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
    target_link_libraries(fuzz_${name} PRIVATE caucus_flags caucus_plan m)
    if(CAUCUS_FUZZ)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    endif()
    set_target_properties(fuzz_${name} PROPERTIES
        OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/fuzz"
        BUILD_RPATH "$ORIGIN/../../lib")
    if(NOT CAUCUS_FUZZ AND NOT CAUCUS_SANITIZE)
        add_test(NAME "fuzz ${name}" COMMAND fuzz_${name}
                 "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
        set_tests_properties("fuzz ${name}" PROPERTIES LABELS plan TIMEOUT 600)
    endif()
endforeach()
