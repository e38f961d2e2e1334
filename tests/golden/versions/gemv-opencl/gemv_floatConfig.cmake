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
find_dependency(OpenCL)
find_dependency(Threads)
add_library(tangram_gemv_float
  "${CMAKE_CURRENT_LIST_DIR}/gemv_float_host.c"
  "${CMAKE_CURRENT_LIST_DIR}/89c6309c/gemv_float_89c6309c_host.c"
  "${CMAKE_CURRENT_LIST_DIR}/aecc2ce3/gemv_float_aecc2ce3_host.c"
  "${CMAKE_CURRENT_LIST_DIR}/2e1f49e6/gemv_float_2e1f49e6_host.c")
add_library(gemv_float::gemv_float ALIAS tangram_gemv_float)
set_target_properties(tangram_gemv_float PROPERTIES
  OUTPUT_NAME gemv_float EXPORT_NAME gemv_float POSITION_INDEPENDENT_CODE ON
  VERSION 1.0.0 SOVERSION 1)
target_include_directories(tangram_gemv_float PUBLIC
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}>" $<INSTALL_INTERFACE:include>)
target_link_libraries(tangram_gemv_float PUBLIC OpenCL::OpenCL PRIVATE Threads::Threads)
