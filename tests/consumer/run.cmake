# Installs the build into a fresh folder, builds this project against it in another, and runs it.
#   cmake -DBUILD=<build tree> -DGENERATOR=... -DCOMPILER=... -DPLUGIN=<path below the prefix, or empty> -P run.cmake

cmake_minimum_required(VERSION 3.25)

set(work ${BUILD}/tests/consumer)
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
if(PLUGIN)
  cmake_path(ABSOLUTE_PATH PLUGIN BASE_DIRECTORY ${work}/prefix)
  if(NOT EXISTS ${PLUGIN})
    message(FATAL_ERROR "the plugin was not installed as ${PLUGIN}")
  endif()
endif()
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/prefix)
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer)
