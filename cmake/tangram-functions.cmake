# tangram_add_library(NAME SOURCE FILE SPECTRUM SPECTRUM... HW MODEL TARGET openmp|opencl
#                     [PLAN PLAN] [INSTANTIATE INSTANCE...] [INCLUDE FOLDER...] [OPTIONS OPTION...])
#
# Adds the library NAME, whose header has its name: `#include <NAME.h>`. So has its function; of several spectrums each has one,
# called as the spectrum (`gemm_float` of `gemm<float>`), or as FUNCTION where FUNCTION=SPECTRUM is given. `tangram synth` makes its sources when
# the project is built, and again when the codelet source, a file that it includes, the model or tangram itself has changed.
# MODEL is a name that `tangram hw list` knows, or a file; PLAN as `tangram synth --plan` has it (default: best). OPTIONS are
# handed to `tangram synth`. OpenMP's code is compiled with the options that the bundle's manifest names, with which it was
# verified; TANGRAM_OPENMP_OPTIONS takes their place where it is not empty.
set(TANGRAM_OPENMP_OPTIONS "" CACHE STRING "options of the C compiler for generated OpenMP code; empty: the manifest's")
set(TANGRAM_OPTIONS_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/tangram-options.cmake")

function(tangram_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SOURCE;HW;TARGET;PLAN" "SPECTRUM;INSTANTIATE;INCLUDE;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tangram_add_library(${name}): unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  foreach(needed SOURCE SPECTRUM HW TARGET)
    if(NOT ARG_${needed})
      message(FATAL_ERROR "tangram_add_library(${name}): ${needed} is missing")
    endif()
  endforeach()
  if(NOT ARG_TARGET MATCHES "^(openmp|opencl)$")
    message(FATAL_ERROR "tangram_add_library(${name}): TARGET ${ARG_TARGET}: expected openmp or opencl")
  endif()
  if(NOT ARG_PLAN)
    set(ARG_PLAN best)
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "tangram_add_library(${name}): generated code is C: project(... LANGUAGES C ...)")
  endif()

  get_filename_component(source "${ARG_SOURCE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(model "${ARG_HW}")
  get_filename_component(model_file "${ARG_HW}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  if(EXISTS "${model_file}" AND NOT IS_DIRECTORY "${model_file}")
    set(model "${model_file}")
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.tangram")
  set(more ${ARG_OPTIONS})
  foreach(instance IN LISTS ARG_INSTANTIATE)
    list(APPEND more --instantiate "${instance}")
  endforeach()
  foreach(include IN LISTS ARG_INCLUDE)
    get_filename_component(include "${include}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND more -I "${include}")
  endforeach()

  set(options_file "${folder}.options")
  set(end "_host.c")
  if(ARG_TARGET STREQUAL "openmp")
    set(end ".c")
  endif()
  list(LENGTH ARG_SPECTRUM count)
  if(count EQUAL 1)
    set(spectrum "${ARG_SPECTRUM}")
    set(sources "${folder}/${name}${end}")
  else()
    set(spectrum "")
    set(sources "")
    if(ARG_TARGET STREQUAL "opencl")
      set(sources "${folder}/${name}${end}") # the handle of all
    endif()
    foreach(each IN LISTS ARG_SPECTRUM)
      if(NOT each MATCHES "=")
        string(REGEX REPLACE "[^A-Za-z0-9]+" "_" function "${each}")
        string(REGEX REPLACE "_$" "" function "${function}")
        set(each "${function}=${each}")
      endif()
      list(APPEND spectrum "${each}")
      string(REGEX REPLACE "=.*" "" function "${each}")
      list(APPEND sources "${folder}/${function}/${function}${end}")
    endforeach()
    list(JOIN spectrum "," spectrum)
  endif()
  # --force: Make removes the manifest before it makes it again, and what is left is no bundle any more.
  add_custom_command(
    OUTPUT "${folder}/manifest.json" ${sources} "${folder}/${name}.h" "${options_file}"
    COMMAND "${TANGRAM_EXECUTABLE}" synth "${source}" --spectrum "${spectrum}" --hw "${model}"
            --target ${ARG_TARGET} --plan "${ARG_PLAN}" --name ${name} -o "${folder}" --force
            --depfile "${folder}.d" ${more}
    COMMAND "${CMAKE_COMMAND}" "-DMANIFEST=${folder}/manifest.json" "-DOPTIONS=${options_file}"
            -P "${TANGRAM_OPTIONS_SCRIPT}"
    DEPENDS "${source}" "${TANGRAM_EXECUTABLE}"
    DEPFILE "${folder}.d"
    COMMENT "Synthesizing ${name} from ${ARG_SOURCE} for ${ARG_HW}"
    VERBATIM)

  add_library(${name} ${sources} "${folder}/${name}.h")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${folder}>")
  if(ARG_TARGET STREQUAL "openmp")
    find_package(OpenMP REQUIRED COMPONENTS C)
    set(options "@${options_file}")
    if(TANGRAM_OPENMP_OPTIONS)
      set(options ${TANGRAM_OPENMP_OPTIONS})
    endif()
    target_compile_options(${name} PRIVATE ${options})
    set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS "${options_file}")
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_C m)
  else()
    find_package(OpenCL REQUIRED)
    find_package(Threads REQUIRED)
    target_link_libraries(${name} PUBLIC OpenCL::OpenCL PRIVATE Threads::Threads)
  endif()
endfunction()
