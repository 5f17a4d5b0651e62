# SPDX-License-Identifier: BSD-3-Clause
# Examples are plain MPI programs that know nothing of Caucus; benchmarks link with it.

# One program per source file of `pattern`, in `folder` of the build, linked with `libraries`.
# Arguments after these are patterns of base names to leave out.
function(caucus_programs kind pattern folder libraries)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        if(ARGN AND name MATCHES "${ARGN}")
            continue()
        endif()
        set(target ${kind}_${name})
        add_executable(${target} "${source}")
        target_link_libraries(${target} PRIVATE caucus_flags ${libraries} m)
        if(folder STREQUAL "tests")
            target_compile_options(${target} PRIVATE ${CAUCUS_TEST_OPTIONS})
            target_compile_definitions(${target} PRIVATE
                TEST_DEVICE_FOLDER="${CMAKE_BINARY_DIR}/tests/device")
        endif()
        if(CAUCUS_MPI STREQUAL "smpi" AND NOT name MATCHES "^plan_")
            target_compile_options(${target} PRIVATE -fPIC)
            # smpirun loads a copy of it for every rank: small, and in few mappings, of which
            # a process has 65,530.
            target_link_options(${target} PRIVATE
                -shared -Wl,--strip-debug,-z,noseparate-code,-z,norelro)
        endif()
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${folder}"
            BUILD_RPATH "$ORIGIN/../lib" INSTALL_RPATH "$ORIGIN/../lib")
        if(NOT kind MATCHES "^(example|dropin_test|fault)$")
            target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
        endif()
    endforeach()
endfunction()

# What caucus check, caucus tune and caucus bench start, so that they are installed.
set(CAUCUS_STARTED_PROGRAMS installation_check machine_model create_group_loop halo_exchange
                            intergroup_loop persistent_loop redistribute_loop rootless_loop)

if(CAUCUS_BENCH)
    if(TARGET caucus_plan)
        caucus_programs(bench "bench/plan_*.c" bin caucus_plan "plan_metis|plan_graphs")
        find_path(METIS_INCLUDE_DIR metis.h)
        find_library(METIS_LIBRARY metis)
        if(METIS_INCLUDE_DIR AND METIS_LIBRARY)
            add_library(caucus_metis INTERFACE)
            target_include_directories(caucus_metis SYSTEM INTERFACE "${METIS_INCLUDE_DIR}")
            target_link_libraries(caucus_metis INTERFACE "${METIS_LIBRARY}")
            caucus_programs(bench "bench/plan_metis.c" bin "caucus_plan;caucus_metis")
            caucus_programs(bench "bench/plan_graphs.c" bin "caucus_plan;caucus_metis")
        endif()
    endif()
    if(TARGET caucus)
        caucus_programs(bench "bench/*.c" bin "caucus;caucus_study" "^plan_")
        if(CAUCUS_MPI STREQUAL "smpi") # bench/common/own_memory.h
            foreach(function malloc calloc realloc aligned_alloc free smpi_shared_malloc_intercept
                             smpi_shared_calloc_intercept smpi_shared_realloc_intercept)
                target_link_options(bench_scale_loop PRIVATE "-Wl,--wrap=${function}")
            endforeach()
        endif()
    endif()
elseif(TARGET caucus AND NOT CAUCUS_SANITIZE)
    foreach(program IN LISTS CAUCUS_STARTED_PROGRAMS)
        if(NOT CAUCUS_TESTS OR program MATCHES "_(model|check)$") # tests start no others
            caucus_programs(bench "bench/${program}.c" bin "caucus;caucus_study")
        endif()
    endforeach()
endif()

if(CAUCUS_EXAMPLES)
    # The examples that call Caucus by its own names.
    set(own_examples after_death coupled_field first_program global_array mcmc persistent_allreduce
                     replicated_table shared_incumbent)
    set(left_out ${own_examples})
    if(NOT CAUCUS_MPI_HAS_PERSISTENT)
        list(APPEND left_out gradients)
    endif()
    list(JOIN left_out "|" left_out)
    if(TARGET caucus_mpi)
        caucus_programs(example "examples/*.c" bin caucus_mpi "^(${left_out})$")
    endif()
    if(TARGET caucus)
        if(NOT CAUCUS_BENCH) # the one that tests start, with every MPI
            caucus_programs(bench "bench/rootless_frozen.c" bin "caucus;caucus_study")
        endif()
        foreach(name IN LISTS own_examples)
            caucus_programs(example "examples/${name}.c" bin caucus)
        endforeach()
    endif()
endif()
