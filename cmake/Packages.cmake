# CPack: rumple_<version>_<arch>.deb with the program, librumple-dev_<version>_<arch>.deb with library and headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rumple)
set(CPACK_PACKAGE_VENDOR "The Rumple authors")
set(CPACK_PACKAGE_CONTACT "The Rumple authors <rumple@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME rumple)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "cloth simulator with time-dependent persistent wrinkles
 Simulates cloth that remembers how it was folded, and for how long.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS fonts-dejavu-core)  # labels of pictures
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ffmpeg)          # films

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME librumple-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "cloth simulator with time-dependent persistent wrinkles (library)
 Static library, headers and CMake files: find_package(rumple).")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libeigen3-dev, nlohmann-json3-dev, libfmt-dev, libxxhash-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libembree-dev, libtbb-dev, libpng-dev, libfreetype-dev")
include(CPack)
