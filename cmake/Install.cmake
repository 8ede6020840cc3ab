# cmake --install: the program (component program), library, headers and rumpleConfig.cmake (component development).
# find_package(rumple) then gives rumple::rumple, find_package(rumple COMPONENTS render) also rumple::render.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rumple)

# install_library(<target> <headers under src/> <export set>)
function(install_library target headers export_set)
  install(TARGETS ${target} EXPORT ${export_set}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program NAMELINK_COMPONENT development)
  install(EXPORT ${export_set} NAMESPACE rumple:: DESTINATION ${config_dir} COMPONENT development)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
    FILES_MATCHING PATTERN "*.hpp")
endfunction()

install_library(rumple rumple rumpleTargets)
if(RUMPLE_RENDER)
  install_library(rumple_render rumple_render rumpleRenderTargets)
endif()
if(RUMPLE_APPS)
  install(TARGETS rumple_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/rumpleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/rumpleConfig.cmake INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break what used it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/rumpleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/rumpleConfig.cmake ${PROJECT_BINARY_DIR}/generated/rumpleConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/Findxxhash.cmake DESTINATION ${config_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program RENAME copyright)
if(PROJECT_IS_TOP_LEVEL)
  include(cmake/Packages.cmake)
endif()
