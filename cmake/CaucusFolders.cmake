# SPDX-License-Identifier: BSD-3-Clause
# Runs when something is installed: makes a folder, and those above it, such that all users can read
# them whatever the umask of who installs. Folders that are there keep their permissions.

function(caucus_make_folder folder)
    if(NOT IS_ABSOLUTE "${folder}")
        string(PREPEND folder "${CMAKE_INSTALL_PREFIX}/")
    endif()
    set(missing "")
    set(path "$ENV{DESTDIR}${folder}")
    while(NOT path STREQUAL "" AND NOT EXISTS "${path}")
        list(PREPEND missing "${path}")
        get_filename_component(path "${path}" DIRECTORY)
    endwhile()
    foreach(path IN LISTS missing)
        file(MAKE_DIRECTORY "${path}")
        file(CHMOD "${path}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
             GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
endfunction()
