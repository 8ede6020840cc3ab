# CPack: rumple_<version>_<arch>.deb with the program, librumple-dev_<version>_<arch>.deb with library and headers,
# python3-rumple_<version>_<arch>.deb with the Python module (RUMPLE_PYTHON).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rumple)
set(CPACK_PACKAGE_VENDOR "The Rumple authors")
set(CPACK_PACKAGE_CONTACT "The Rumple authors <rumple@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
if(RUMPLE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
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

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rumple)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "cloth simulator with time-dependent persistent wrinkles (Python module)
 Scenes, runs and single steps from Python, with numpy arrays.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS  # Debian 12: the module is compiled for one version of Python
  "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, fonts-dejavu-core")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS ffmpeg)
include(CPack)
