# SPDX-License-Identifier: BSD-3-Clause
# What is made of the public headers: which names the libraries export, under which versions
# (tools/generate_exports.py says why), and the manual pages of the C interface.

set(tools "${CMAKE_CURRENT_SOURCE_DIR}/tools")
set(exports "${CMAKE_BINARY_DIR}/exports")
file(MAKE_DIRECTORY "${exports}")
file(GLOB public_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/caucus/*.h")
list(APPEND public_headers ${CAUCUS_GENERATED_HEADERS})

set(maps caucus.map caucus_plan.map caucus_dropin.map)
list(TRANSFORM maps PREPEND "${exports}/")
add_custom_command(
    OUTPUT ${maps}
    COMMAND Python3::Interpreter "${tools}/generate_exports.py" ${PROJECT_VERSION} "${exports}"
            "${caucus_headers}"
    DEPENDS ${public_headers} "${tools}/generate_exports.py" "${tools}/public_headers.py" VERBATIM)
add_custom_target(caucus_exports DEPENDS ${maps})

# Sanitizers export names of their own, and a static library exports nothing.
foreach(target caucus_plan caucus caucus_dropin)
    if(NOT TARGET ${target})
        continue()
    endif()
    add_dependencies(${target} caucus_exports)
    if(NOT CAUCUS_SANITIZE AND NOT CAUCUS_FUZZ AND NOT CAUCUS_MPI STREQUAL "smpi")
        target_link_options(${target} PRIVATE "-Wl,--version-script=${exports}/${target}.map")
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}/${target}.map")
    endif()
endforeach()

if(TARGET caucus AND NOT CAUCUS_SANITIZE)
    set(manual "${CMAKE_BINARY_DIR}/man")
    add_custom_command(
        OUTPUT "${manual}/made"
        COMMAND Python3::Interpreter "${tools}/manual_pages.py" ${PROJECT_VERSION} "${manual}"
                "${caucus_headers}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${manual}/made"
        DEPENDS ${public_headers} "${tools}/manual_pages.py" "${tools}/public_headers.py"
                "${tools}/roff.py" VERBATIM)
    add_custom_target(caucus_manual ALL DEPENDS "${manual}/made")
    add_dependencies(caucus_manual caucus_exports)
endif()
