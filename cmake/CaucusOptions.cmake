# SPDX-License-Identifier: BSD-3-Clause
# What the user can choose, and what every target gets.

option(CAUCUS_TESTS "Build the tests" ON)
option(CAUCUS_PLAN_TESTS "With the tests, also those of plans: C++, and the same for every MPI" ON)
option(CAUCUS_BENCH "Build the benchmarks" ON)
option(CAUCUS_EXAMPLES "Build the examples" ON)
option(CAUCUS_COMMAND_LINE "Install the command line caucus, which is Python, and its man page" ON)
set(CAUCUS_PLAN_OBJECTS "" CACHE PATH "A build of the same tree whose objects make caucus_plan")
set(CAUCUS_PLAN_TEST_OBJECTS "" CACHE PATH
    "A build of the same tree that has compiled the tests of plans: for sanitizers, but of threads")
option(CAUCUS_WERROR "Treat compiler warnings as errors" OFF)
set(CAUCUS_SANITIZE "" CACHE STRING "Sanitizers: address,undefined or thread; empty for none")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A build lies in one folder with the layout of an installation, so that its libraries and
# programs find each other wherever the folder is moved.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# The compiler and linker flags that all targets of this project share.
add_library(caucus_flags INTERFACE)
target_compile_definitions(caucus_flags INTERFACE
    $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE=> CAUCUS_VERSION="${PROJECT_VERSION}")
target_compile_options(caucus_flags INTERFACE
    -Wall -Wextra $<$<NOT:$<COMPILE_LANGUAGE:Fortran>>:-Wshadow> $<$<COMPILE_LANGUAGE:C>:-Wconversion> $<$<BOOL:${CAUCUS_WERROR}>:-Werror>)
# LD_LIBRARY_PATH must win over the path that is built in: it selects another MPI of the same ABI.
target_link_options(caucus_flags INTERFACE -Wl,--enable-new-dtags)
if(CAUCUS_SANITIZE)
    # As much is seen as without optimisation, in half the time. What sanitizers put in between
    # makes compilers see variables without a value where there are none.
    target_compile_options(caucus_flags INTERFACE -O1 -Wno-maybe-uninitialized
        -fsanitize=${CAUCUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    # The tests of plans are what takes longest to compile, and what they call is C; threads that
    # race are seen only where both sides of the race are.
    if(NOT CAUCUS_SANITIZE STREQUAL "thread")
        target_compile_options(caucus_flags INTERFACE
            $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=all>)
    endif()
    target_link_options(caucus_flags INTERFACE -fsanitize=${CAUCUS_SANITIZE})
endif()
