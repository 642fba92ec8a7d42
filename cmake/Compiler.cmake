# Build type, warnings, sanitizers, and how sources are grouped for the compiler.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# ccache, where it is installed, unless another launcher was chosen.
find_program(SHORTFALL_CCACHE ccache)
if(SHORTFALL_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SHORTFALL_CCACHE})
endif()

# The same bytes in every folder: messages and symbols name sources by their place in the project.
# Debuggers and reports of coverage want full paths.
add_compile_options($<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>
                    $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)

add_library(shortfall_compiler INTERFACE)
# The same bits on every machine: a product and a sum are not fused on those that could.
target_compile_options(shortfall_compiler INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
  # Compiled with its neighbours, a local name may hide a file's constant. GCC can tell that apart.
  $<IF:$<BOOL:${CMAKE_UNITY_BUILD}>,$<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>,-Wshadow>
  $<$<BOOL:${SHORTFALL_WARNINGS_AS_ERRORS}>:-Werror>)
# Kernels are written for vectors with a fixed number of lanes. All sources that let Highway choose have
# the same targets: where nothing is inlined, they share its function that chooses among those of a
# source.
target_compile_definitions(shortfall_compiler INTERFACE
  "SHORTFALL_SCALABLE_TARGETS=(HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)"
  HWY_DISABLED_TARGETS=SHORTFALL_SCALABLE_TARGETS)

# Every object of a tree is instrumented or none is: the linker keeps one copy of an inline function,
# whichever comes first, so a mixture would leave some templates unchecked.
if(SHORTFALL_SANITIZE)
  # These checks are a third of the compile time. The address sanitizer or the compiler's warnings
  # find the same faults. x86-64 tolerates misaligned reads except in aligned vector loads, which
  # trap.
  set(omitted null alignment object-size vptr return pointer-overflow nonnull-attribute
              returns-nonnull-attribute)
  list(JOIN omitted "," omitted)
  # Under sanitizers GCC 12 takes correct inlined library code for reads of uninitialised memory.
  add_compile_options(-fsanitize=${SHORTFALL_SANITIZE} -fno-sanitize=${omitted}
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${SHORTFALL_SANITIZE})
  # Kernels for one instruction set, the baseline, instead of five: half of their compile time. The
  # optimised tests compare the others with it, bit for bit or within a bound.
  add_compile_definitions(HWY_COMPILE_ONLY_STATIC)
endif()

# Glue, which runs once around the library, or calls it: with little optimisation it is as fast, and
# compiles in two thirds of the time.
function(shortfall_compile_as_glue target)
  if(SHORTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# Where CMAKE_UNITY_BUILD is on (presets release and sanitized), the sources of a folder are compiled
# as one: most of a file's compile time is its headers.
function(shortfall_compile_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_source_file_property(group ${source} UNITY_GROUP)
    if(NOT group AND NOT source MATCHES "TARGET_OBJECTS")
      get_filename_component(folder "${source}" DIRECTORY)
      get_filename_component(group "${folder}" NAME)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
