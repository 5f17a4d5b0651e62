# SPDX-License-Identifier: BSD-3-Clause
# What repeats of the collectives is written by a script from one table, into the build.

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

# The public headers of a build: those of the tree, and the one that is made.
set(caucus_headers "${CMAKE_BINARY_DIR}/include/caucus")
if(IS_SYMLINK "${caucus_headers}")
    file(REMOVE "${caucus_headers}")
endif()
file(MAKE_DIRECTORY "${caucus_headers}")
file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/caucus/*.h")
foreach(header IN LISTS headers)
    cmake_path(GET header FILENAME name)
    file(CREATE_LINK "${header}" "${caucus_headers}/${name}" SYMBOLIC)
endforeach()

set(CAUCUS_GENERATED_HEADERS "${caucus_headers}/collective_functions.h"
                             "${caucus_headers}/group_functions.h")
set(CAUCUS_GENERATED_SOURCES "${CMAKE_BINARY_DIR}/collective_functions.c"
                             "${CMAKE_BINARY_DIR}/group_functions.c"
                             "${CMAKE_BINARY_DIR}/collective_shapes.c"
                             "${CMAKE_BINARY_DIR}/collective_natives.c")
set(generator "${CMAKE_CURRENT_SOURCE_DIR}/tools/generate_collectives.py")
add_custom_command(
    OUTPUT ${CAUCUS_GENERATED_HEADERS} ${CAUCUS_GENERATED_SOURCES}
    COMMAND Python3::Interpreter "${generator}" "${CMAKE_BINARY_DIR}"
    DEPENDS "${generator}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/collective_comments.py" VERBATIM)
