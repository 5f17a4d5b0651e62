# SPDX-License-Identifier: BSD-3-Clause
# cmake --build b --target uninstall: takes away what cmake --install of this build has installed
# last, and folders that are empty then. With DESTDIR as it was.
#
# Included by the build it makes the target; run by it (cmake -P), BUILD being the folder, it does it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    if(NOT TARGET uninstall)
        add_custom_target(uninstall
            COMMAND "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_BINARY_DIR}" -P "${CMAKE_CURRENT_LIST_FILE}")
    endif()
    return()
endif()

cmake_minimum_required(VERSION 3.21)
set(manifest "${BUILD}/install_manifest.txt")
if(NOT EXISTS "${manifest}")
    message(FATAL_ERROR "Nothing to uninstall: there is no ${manifest}, which cmake --install writes.")
endif()
file(STRINGS "${manifest}" files)
file(STRINGS "${BUILD}/install_prefix.txt" prefix)
set(stage "$ENV{DESTDIR}")

set(folders "")
foreach(file IN LISTS files)
    file(REMOVE "${stage}${file}")
    cmake_path(GET file PARENT_PATH folder)
    while(NOT folder IN_LIST folders)
        list(APPEND folders "${folder}")
        cmake_path(IS_PREFIX prefix "${folder}" inside)
        cmake_path(COMPARE "${folder}" EQUAL "${prefix}" last)
        if(last OR NOT inside)
            break()
        endif()
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
endforeach()

# The deepest first, which a longer path is.
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
    file(GLOB left LIST_DIRECTORIES TRUE "${stage}${folder}/*" "${stage}${folder}/.*")
    list(FILTER left EXCLUDE REGEX "/\\.\\.?$")
    if(IS_DIRECTORY "${stage}${folder}" AND NOT left)
        file(REMOVE_RECURSE "${stage}${folder}")
    endif()
endforeach()
file(REMOVE "${manifest}")
list(LENGTH files count)
message(STATUS "Uninstalled ${count} files from ${stage}${prefix}")
