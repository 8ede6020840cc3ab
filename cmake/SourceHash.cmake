# A hash over names and contents of the simulation's sources, src/rumple. It says which simulation a result is from,
# also where there is no git. As a script (cmake -P) it writes the one source file that knows it.
#
# rumple_source_hash(<variable>): sets <variable> to that file, which is made anew when a source changes.

if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/src/rumple/*.cpp ${SOURCE_DIR}/src/rumple/*.hpp)
  list(SORT sources COMPARE STRING)
  set(lines "")
  foreach(source IN LISTS sources)
    file(SHA256 ${SOURCE_DIR}/${source} hash)
    string(APPEND lines "${hash}  ${source}\n")
  endforeach()
  string(SHA256 RUMPLE_SOURCE_HASH "${lines}")
  string(SUBSTRING ${RUMPLE_SOURCE_HASH} 0 16 RUMPLE_SOURCE_HASH)
  configure_file(${SOURCE_DIR}/cmake/version.cpp.in ${OUTPUT} @ONLY)
  file(TOUCH ${OUTPUT})
  return()
endif()

function(rumple_source_hash variable)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/rumple/*.cpp ${PROJECT_SOURCE_DIR}/src/rumple/*.hpp)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/version.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/SourceHash.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${output} -DRUMPLE_VERSION=${PROJECT_VERSION}
      -P ${script}
    DEPENDS ${sources} ${script} ${PROJECT_SOURCE_DIR}/cmake/version.cpp.in ${PROJECT_SOURCE_DIR}/CMakeLists.txt
    COMMENT "Hash of the simulation's sources" VERBATIM)
  set(${variable} ${output} PARENT_SCOPE)
endfunction()
