# What find_package(gemv_float) reads when it is given this folder, by CMAKE_PREFIX_PATH or gemv_float_DIR: the target
# gemv_float::gemv_float, which is built with the project that asks for it.
if(TARGET gemv_float::gemv_float)
  return()
endif()
get_property(gemv_float_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST gemv_float_languages)
  enable_language(C)
endif()
include(CMakeFindDependencyMacro)
find_dependency(OpenMP COMPONENTS C)
add_library(tangram_gemv_float
  "${CMAKE_CURRENT_LIST_DIR}/gemv_float.c"
  "${CMAKE_CURRENT_LIST_DIR}/4aa68bff/gemv_float_4aa68bff.c"
  "${CMAKE_CURRENT_LIST_DIR}/71326ed6/gemv_float_71326ed6.c"
  "${CMAKE_CURRENT_LIST_DIR}/31a7701f/gemv_float_31a7701f.c")
add_library(gemv_float::gemv_float ALIAS tangram_gemv_float)
set_target_properties(tangram_gemv_float PROPERTIES
  OUTPUT_NAME gemv_float EXPORT_NAME gemv_float POSITION_INDEPENDENT_CODE ON
  VERSION 1.0.0 SOVERSION 1)
target_include_directories(tangram_gemv_float PUBLIC
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}>" $<INSTALL_INTERFACE:include>)
set(gemv_float_OPTIONS "-O3;-march=native;-fno-math-errno;-fno-trapping-math" CACHE STRING "options of the compiler for gemv_float")
target_compile_options(tangram_gemv_float PRIVATE ${gemv_float_OPTIONS})
target_link_libraries(tangram_gemv_float PRIVATE OpenMP::OpenMP_C m)
