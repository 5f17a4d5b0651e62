# SPDX-License-Identifier: BSD-3-Clause
# Tests of plans need GoogleTest and a C++ compiler, and run in one process. Programs with MPI are
# built here; CaucusCTest.cmake says how CTest runs them, and "make test" shares their starts.

if(NOT CAUCUS_TESTS)
    return()
endif()
enable_testing()
# Tests are compiled more often than run: half the time of -O2 -g.
set(CAUCUS_TEST_OPTIONS -Og -g1)

if(CAUCUS_PLAN_TESTS AND TARGET caucus_plan)
    file(GLOB plan_tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/plan/*_test.cpp")
    file(GLOB plan_support CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/plan/*.cpp")
    list(REMOVE_ITEM plan_support "" ${plan_tests})
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        find_package(GTest)
    endif()
    if(NOT GTest_FOUND)
        message(STATUS "Without the tests of plans: they need GoogleTest and a C++ compiler")
        set(plan_tests "")
    endif()
endif()

if(plan_tests)
    include(GoogleTest)
    add_library(plan_test_base INTERFACE)
    target_include_directories(plan_test_base INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/src"
                                                        "${CMAKE_CURRENT_SOURCE_DIR}/tests")
    target_compile_definitions(plan_test_base INTERFACE
        CAUCUS_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(plan_test_base INTERFACE
        caucus_flags caucus_plan GTest::gtest ${CMAKE_DL_LIBS})
    target_compile_options(plan_test_base INTERFACE ${CAUCUS_TEST_OPTIONS})
    # C++ that no sanitizer looks into is the same in another build.
    set(plan_support_library $<TARGET_NAME_IF_EXISTS:plan_test_support>)
    if(CAUCUS_PLAN_TEST_OBJECTS)
        set(plan_support "")
        set(plan_support_library "${CAUCUS_PLAN_TEST_OBJECTS}/lib/libplan_test_support.a")
    endif()
    if(plan_support)
        add_library(plan_test_support STATIC ${plan_support})
        target_link_libraries(plan_test_support PUBLIC plan_test_base)
        target_precompile_headers(plan_test_support PRIVATE <gtest/gtest.h> <algorithm> <random>)
        # The compiler's default for both, else a header compiled for one is refused by the other.
        set_target_properties(plan_test_support PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
endif()

foreach(source IN LISTS plan_tests)
    cmake_path(GET source STEM name)
    if(CAUCUS_SANITIZE STREQUAL "thread")
        file(STRINGS "${source}" has_threads REGEX "<thread>")
        if(NOT has_threads)
            continue()
        endif()
    endif()
    set(target plan_${name})
    set(made "${source}")
    if(CAUCUS_PLAN_TEST_OBJECTS)
        set(made "${CAUCUS_PLAN_TEST_OBJECTS}/CMakeFiles/${target}.dir/tests/plan/${name}.cpp.o")
    endif()
    add_executable(${target} "${made}")
    target_link_libraries(${target} PRIVATE
        ${plan_support_library} plan_test_base GTest::gtest_main)
    if(TARGET plan_test_support)
        target_precompile_headers(${target} REUSE_FROM plan_test_support)
    endif()
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF LINKER_LANGUAGE CXX
        OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    gtest_discover_tests(${target} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                         PROPERTIES LABELS plan TIMEOUT 300)
endforeach()

# Programs that can share a start of MPI with others are also made as shared objects, which
# tests/together/call_in_turn.c calls in turn.
function(caucus_together kind pattern libraries)
    execute_process(COMMAND "${Python3_EXECUTABLE}" -m testing.together "${pattern}"
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/tools"
        OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
    foreach(name IN LISTS names)
        target_compile_options(${kind}_${name} PRIVATE -fPIC)
        add_library(together_${name} MODULE $<TARGET_OBJECTS:${kind}_${name}>)
        target_link_libraries(together_${name} PRIVATE caucus_flags ${libraries} m)
        target_link_options(together_${name} PRIVATE
            -Wl,--wrap=MPI_Init,--wrap=MPI_Init_thread,--wrap=MPI_Finalize,--wrap=MPI_Abort,--wrap=exit)
        set_target_properties(together_${name} PROPERTIES LINKER_LANGUAGE C PREFIX ""
            OUTPUT_NAME "${name}" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/together"
            BUILD_RPATH "$ORIGIN/../../lib")
    endforeach()
endfunction()

# The thread sanitizer has nothing to see in programs without threads.
set(without_threads "")
if(CAUCUS_SANITIZE STREQUAL "thread")
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/mpi/*.c"
                                        "${CMAKE_CURRENT_SOURCE_DIR}/tests/dropin/*.c")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        file(STRINGS "${source}" multiple REGEX "run:.*args=.*multiple")
        if(NOT multiple AND NOT name MATCHES "threads")
            list(APPEND without_threads ${name})
        endif()
    endforeach()
    list(JOIN without_threads "|" without_threads)
    set(without_threads "^(${without_threads})$")
endif()

# Runtimes of GPUs that are none (tests/device), which tests find by the names of real ones.
if(TARGET caucus_mpi)
    foreach(runtime IN ITEMS "cuda=libcuda.so.1" "hip=libamdhip64.so.6"
                          "level_zero=libze_loader.so.1")
        string(REGEX MATCH "^([a-z_]+)=(lib[a-z0-9_]+)(.*)$" whole "${runtime}")
        set(target standin_${CMAKE_MATCH_1})
        add_library(${target} MODULE "tests/device/${CMAKE_MATCH_1}.c")
        target_link_libraries(${target} PRIVATE caucus_flags)
        set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default PREFIX ""
            OUTPUT_NAME "${CMAKE_MATCH_2}" SUFFIX "${CMAKE_MATCH_3}"
            LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/device")
    endforeach()
endif()

if(TARGET caucus)
    caucus_programs(mpi_test "tests/mpi/*.c" tests "caucus;caucus_study;${CMAKE_DL_LIBS}"
                    "${without_threads}")
    if(TARGET mpi_test_layouts)
        target_compile_definitions(mpi_test_layouts PRIVATE
            $<$<BOOL:${CAUCUS_MPI_HAS_LARGE_TYPES}>:CAUCUS_TEST_LARGE_TYPES>)
    endif()
endif()
if(TARGET caucus_mpi)
    caucus_programs(dropin_test "tests/dropin/*.c" tests "caucus_mpi;${CMAKE_DL_LIBS}"
                    "${without_threads}")
    if(TARGET dropin_test_dropin_metis) # libraries are to see its functions
        set_target_properties(dropin_test_dropin_metis PROPERTIES ENABLE_EXPORTS ON)
    endif()
endif()
# Plain MPI, no Caucus: where the standard's promise breaks. A sanitizer would see other things.
if(TARGET caucus_mpi AND NOT CAUCUS_SANITIZE AND NOT CAUCUS_MPI_KIND MATCHES "^(abi|smpi)$")
    find_package(Threads REQUIRED)
    caucus_programs(fault "tests/faults/*.c" tests/faults "caucus_mpi;Threads::Threads")
endif()
if(TARGET caucus AND CAUCUS_MPI_KIND MATCHES "^(mpich|openmpi)$" AND NOT CAUCUS_SANITIZE)
    caucus_together(mpi_test "tests/mpi/*.c" "caucus;caucus_study")
    caucus_together(dropin_test "tests/dropin/*.c" caucus_mpi)
    caucus_programs(together "tests/together/*.c" tests "caucus_mpi;${CMAKE_DL_LIBS}")
    set_target_properties(together_call_in_turn PROPERTIES ENABLE_EXPORTS ON)
endif()
