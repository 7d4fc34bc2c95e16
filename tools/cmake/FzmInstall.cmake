# Install rules and the CMake package: find_package(fzm) gives fzm::fzm.
include(CMakePackageConfigHelpers)

if(NOT TARGET fzm_core)
  return()
endif()
set(fzm_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fzm)

install(TARGETS fzm_core fzm EXPORT fzmTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT fzmTargets NAMESPACE fzm:: DESTINATION ${fzm_package_dir})
install(DIRECTORY core kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fzm
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN "stages.def")
configure_package_config_file(tools/cmake/fzmConfig.cmake.in ${PROJECT_BINARY_DIR}/fzmConfig.cmake
  INSTALL_DESTINATION ${fzm_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fzmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fzmConfig.cmake ${PROJECT_BINARY_DIR}/fzmConfigVersion.cmake
  DESTINATION ${fzm_package_dir})

if(TARGET h5zfzm)
  install(TARGETS h5zfzm LIBRARY DESTINATION ${FZM_PLUGIN_DIR})
  file(GLOB fzm_c_headers CONFIGURE_DEPENDS filter/h5z_fzm*.h filter/H5Z_FZM*.h filter/fzm_hdf5.h)
  install(FILES ${fzm_c_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
if(TARGET fzm_cli)
  install(TARGETS fzm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
