# How the parts of the project are declared: one library a folder, unit tests beside the code.

find_package(GTest REQUIRED)
find_package(nlohmann_json REQUIRED)

option(TANGRAM_WERROR "Treat warnings as errors" ON)

add_library(tangram_options INTERFACE)
target_include_directories(tangram_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(tangram_options INTERFACE -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in std::string's operator+ that are not there (GCC PR 105651).
  target_compile_options(tangram_options INTERFACE -Wno-restrict -Wno-stringop-overflow
    -Wno-array-bounds)
  # With a sanitizer it sees uninitialized members in <regex> too (GCC PR 105562).
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    target_compile_options(tangram_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The std::stable_sort of GCC 12's library calls a function that it deprecates itself.
  target_compile_options(tangram_options INTERFACE -Wno-deprecated-declarations)
endif()
if(TANGRAM_WERROR)
  target_compile_options(tangram_options INTERFACE -Werror)
endif()

# The target `first` makes the precompiled header, all others take it from there.
function(tangram_precompiled name first header)
  if(name STREQUAL first)
    target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/${header})
  elseif(NOT name STREQUAL tangram_frontend) # which has Clang's headers in its own
    target_precompile_headers(${name} REUSE_FROM ${first})
  endif()
endfunction()

# tangram_library(NAME SOURCES ... LINK ...)
function(tangram_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC tangram_options ${ARG_LINK})
  tangram_precompiled(${name} tangram_ir cmake/standard.h)
endfunction()

# Tests that took long when they were measured begin first, so that no core is idle at the end.
function(tangram_test_cost name)
  file(STRINGS ${CMAKE_SOURCE_DIR}/tests/times.tsv measured REGEX "^${name}\t")
  if(measured MATCHES "\t([0-9.]+)\t[0-9.]+$")
    set_tests_properties(${name} PROPERTIES COST ${CMAKE_MATCH_1})
  endif()
endfunction()

# tangram_unit_test(NAME SOURCES ... LINK ...): a GoogleTest program, one CTest entry.
function(tangram_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE tangram_options ${ARG_LINK} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE TANGRAM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # What they test is compiled as it ships; they themselves need not be fast.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  tangram_precompiled(${name} ir_test cmake/standard_and_gtest.h)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  tangram_test_cost(${name})
endfunction()
