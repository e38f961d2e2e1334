#include "codegen/bundle/package.h"

#include "codegen/pipeline/backends.h"
#include "escape/escape.h"

namespace tangram::codegen {

namespace {

constexpr const char *needsText =
    R"(get_property(@NAME@_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "@LANGUAGE@" IN_LIST @NAME@_languages)
  enable_language(@LANGUAGE@)
endif()
include(CMakeFindDependencyMacro)
@DEPENDENCIES@
)";

constexpr const char *configText =
    R"(# What find_package(@NAME@) reads when it is given this folder, by CMAKE_PREFIX_PATH or @NAME@_DIR: the target
# @NAME@::@NAME@, which is built with the project that asks for it.
if(TARGET @NAME@::@NAME@)
  return()
endif()
@NEEDS@add_library(tangram_@NAME@@SOURCES@)
add_library(@NAME@::@NAME@ ALIAS tangram_@NAME@)
set_target_properties(tangram_@NAME@ PROPERTIES
  OUTPUT_NAME @NAME@ EXPORT_NAME @NAME@ POSITION_INDEPENDENT_CODE ON
  VERSION @VERSION@ SOVERSION @INTERFACE@)
target_include_directories(tangram_@NAME@ PUBLIC
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}>" $<INSTALL_INTERFACE:include>)
@OPTIONS@target_link_libraries(tangram_@NAME@ @LIBRARIES@)
)";

constexpr const char *listsText =
    R"(# The library @NAME@ by itself; -DBUILD_SHARED_LIBS=ON for a shared one:
#   cmake -B build && cmake --build build && cmake --install build --prefix /usr/local
cmake_minimum_required(VERSION 3.16)
project(@NAME@ LANGUAGES @LANGUAGE@)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(@NAME@ REQUIRED CONFIG PATHS "${CMAKE_CURRENT_SOURCE_DIR}" NO_DEFAULT_PATH)

include(GNUInstallDirs)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/@NAME@")
install(TARGETS tangram_@NAME@ EXPORT @NAME@Targets)
install(FILES @NAME@.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT @NAME@Targets NAMESPACE @NAME@:: DESTINATION "${package}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/installed/@NAME@Config.cmake" [[
@NEEDS@include("${CMAKE_CURRENT_LIST_DIR}/@NAME@Targets.cmake")
]])
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/installed/@NAME@Config.cmake" @NAME@ConfigVersion.cmake
  DESTINATION "${package}")

file(READ @NAME@.pc text)
file(RELATIVE_PATH prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REPLACE "prefix=\${pcfiledir}" "prefix=\${pcfiledir}/${prefix}" text "${text}")
string(REPLACE "/build" "/${CMAKE_INSTALL_LIBDIR}" text "${text}")
string(REPLACE "includedir=\${prefix}" "includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}" text "${text}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/installed/@NAME@.pc" "${text}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/installed/@NAME@.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
)";

constexpr const char *pkgConfigText = R"(prefix=${pcfiledir}
libdir=${prefix}/build
includedir=${prefix}

Name: @NAME@
Description: @NAME@ with @TARGET@, composed for @MODEL@
Version: @VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -l@NAME@ @LINKED@
)";

constexpr const char *versionText =
    R"(# Whether the version that find_package(@NAME@ VERSION) asks for is this one, or an earlier one of the same interface.
set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR
   (PACKAGE_FIND_VERSION_MAJOR AND NOT PACKAGE_FIND_VERSION_MAJOR EQUAL @INTERFACE@))
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
)";

} // namespace

BundleFiles packageFiles(const LoweredPlan &plan, const std::vector<std::string> &sources,
                         const std::string &version) {
  return packageFiles(
      {plan.spectrum, backendOf(*plan.target).package(plan), plan.machine->name, sources, version});
}

BundleFiles packageFiles(const PackageRequest &request) {
  const PackageParts &parts = request.parts;
  std::string files;
  for (const std::string &source : request.sources)
    files += "\n  \"${CMAKE_CURRENT_LIST_DIR}/" + source + "\"";
  const std::string options =
      parts.options.empty()
          ? ""
          : "set(@NAME@_OPTIONS \"" + parts.options +
                "\" CACHE STRING \"options of the compiler for @NAME@\")\n"
                "target_compile_options(tangram_@NAME@ PRIVATE ${@NAME@_OPTIONS})\n";
  auto filled = [&](std::string text) {
    for (const auto &[what, by] : {
             std::pair<std::string, std::string>{"@OPTIONS@", options},
             {"@NEEDS@", needsText},
             {"@DEPENDENCIES@", parts.dependencies},
             {"@LANGUAGE@", parts.language},
             {"@LIBRARIES@", parts.libraries},
             {"@LINKED@", parts.linked},
             {"@TARGET@", parts.title},
             {"@MODEL@", escape::pkgConfig(request.model)},
             {"@SOURCES@", files},
             {"@VERSION@", request.version},
             {"@INTERFACE@", request.version.substr(0, request.version.find('.'))},
             {"@NAME@", request.name},
         })
      text = replaced(text, what, by);
    return text;
  };
  return {{request.name + "Config.cmake", filled(configText)},
          {request.name + "ConfigVersion.cmake", filled(versionText)},
          {"CMakeLists.txt", filled(listsText)},
          {request.name + ".pc", filled(pkgConfigText)}};
}

} // namespace tangram::codegen
