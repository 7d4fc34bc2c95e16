# fzm_options: the flags every file of ours is compiled with. fzm_isa_flags(): those of one instruction set.

add_library(fzm_options INTERFACE)
# Contraction of a*b+c would make bytes depend on the machine. The other two change no result and let loops vectorise.
target_compile_options(fzm_options INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-fno-math-errno;-fno-trapping-math>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>)
target_compile_options(fzm_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion>
  $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)
# False alarms of GCC 12: about std::string (bug 105651), about copies between vectors of known length. All are guesses of the
# optimizer about sizes; the address sanitizer says what is so.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(fzm_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
endif()
# Not where sanitizers rewrite the code: GCC then warns about what it made itself.
if(FZM_WERROR AND NOT FZM_SANITIZE)
  target_compile_options(fzm_options INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()

if(FZM_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${FZM_SANITIZE}>
    $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>
    $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=${FZM_SANITIZE})
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(FZM_X86_64 ON)
  set(FZM_TARGETS generic avx2)
  if(FZM_AVX512)
    list(APPEND FZM_TARGETS avx512)
  endif()
else()
  set(FZM_X86_64 OFF)
  set(FZM_TARGETS generic)
endif()

# Flags of one target. -mno-fma: no codec may be contracted, not even by a compiler that ignores -ffp-contract
# in some pass; the test isa_leaks looks for such instructions in the plugin.
function(fzm_isa_flags target result)
  set(flags -O3)
  if(FZM_SANITIZE)  # half the time to compile; what runs is slow anyway
    set(flags -O1)
  endif()
  if(target MATCHES "^(avx2|avx512)$")
    list(APPEND flags -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt -mno-fma)
  endif()
  if(target STREQUAL avx512)
    list(APPEND flags -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi)
  endif()
  set(${result} ${flags} PARENT_SCOPE)
endfunction()
