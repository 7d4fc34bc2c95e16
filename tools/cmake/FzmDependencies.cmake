# Libraries. toml++, xxHash and CLI11 are used as headers only; HDF5 is never linked into the plugin.

find_package(Threads REQUIRED)
find_package(HDF5 COMPONENTS C)

# fzm_require_header(<variable> <file> <Debian package>)
function(fzm_require_header variable file package)
  find_path(${variable} ${file})
  mark_as_advanced(${variable})
  if(NOT ${variable})
    message(FATAL_ERROR "${file} not found. Run tools/setup, or install ${package} by hand.")
  endif()
endfunction()

fzm_require_header(FZM_TOML_INCLUDE_DIR toml++/toml.h libtomlplusplus-dev)
fzm_require_header(FZM_XXHASH_INCLUDE_DIR xxhash.h libxxhash-dev)

add_library(fzm_hdf5_headers INTERFACE)
add_library(fzm_hdf5 INTERFACE)
if(HDF5_FOUND)
  target_include_directories(fzm_hdf5_headers SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  set(fzm_hdf5_libraries ${HDF5_C_LIBRARIES})
  list(FILTER fzm_hdf5_libraries INCLUDE REGEX "hdf5")  # not what a static libhdf5 would need: curl, crypto, ...
  target_link_libraries(fzm_hdf5 INTERFACE fzm_hdf5_headers ${fzm_hdf5_libraries})
  target_compile_definitions(fzm_hdf5 INTERFACE FZM_HAS_HDF5=1)
else()
  message(STATUS "HDF5 not found: no filter plugin, and a command line without HDF5 files")
endif()
