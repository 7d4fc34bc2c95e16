# cmake -DFOLDER=presets -DOUTPUT=x.cpp -P embed_presets.cmake
# Writes the presets as C++ string literals, in the order of FOLDER/order.txt (one name a line, # for comments).

cmake_minimum_required(VERSION 3.25)

set(piece_bytes 12000)  # compilers need only accept literals below 16 KB

set(names)
if(EXISTS ${FOLDER}/order.txt)
  file(STRINGS ${FOLDER}/order.txt lines)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#.*" "" line "${line}")
    string(STRIP "${line}" line)
    if(line)
      list(APPEND names ${line})
    endif()
  endforeach()
endif()

file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*.toml)
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.toml$" "" name ${file})
  if(NOT name IN_LIST names)
    message(FATAL_ERROR "presets/${file} is not named in presets/order.txt")
  endif()
endforeach()

# The literal(s) of one text, cut at line ends.
function(quote text result)
  set(out "")
  string(LENGTH "${text}" left)
  while(left GREATER 0)
    set(take ${left})
    if(left GREATER piece_bytes)
      string(SUBSTRING "${text}" 0 ${piece_bytes} piece)
      string(FIND "${piece}" "\n" last REVERSE)
      math(EXPR take "${last} + 1")
    endif()
    string(SUBSTRING "${text}" 0 ${take} piece)
    string(SUBSTRING "${text}" ${take} -1 text)
    string(APPEND out "\n     R\"toml(${piece})toml\"")
    string(LENGTH "${text}" left)
  endwhile()
  if(out STREQUAL "")
    set(out "\"\"")
  endif()
  set(${result} "${out}" PARENT_SCOPE)
endfunction()

set(rows "")
set(count 0)
foreach(name IN LISTS names)
  if(NOT EXISTS ${FOLDER}/${name}.toml)
    message(FATAL_ERROR "presets/order.txt names '${name}', but there is no presets/${name}.toml")
  endif()
  file(READ ${FOLDER}/${name}.toml text)
  quote("${text}" literal)
  string(APPEND rows "    {\"${name}\", ${literal}},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  set(rows "    {\"\", \"\"},\n")  # an array needs one element
endif()

file(WRITE ${OUTPUT} "// Made by tools/cmake/embed_presets.cmake from presets/*.toml.
#include \"core/spec/embedded_presets.h\"

namespace fzm {

const EmbeddedPreset kEmbeddedPresets[] = {
${rows}};
const std::size_t kEmbeddedPresetCount = ${count};

}  // namespace fzm
")
