#include "driver/commands/init_command.h"

#include "files/write_file.h"
#include "frontend/language_paths.h"
#include "json/reader.h"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tangram::driver {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view source = R"(#include <tangram.h>

// y = a x + y. One loop is enough: `tangram derive @NAME@.cpp` shows the codelets that follow from it.
__codelet void @NAME@(float a, const Array<1, float> x, Array<1, float> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] = a * x[i] + y[i];
}
)";

constexpr std::string_view program = R"(#include <@NAME@.h>

#include <stdio.h>

int main(void) {
  const float x[] = {1, 2, 3, 4};
  float y[] = {10, 20, 30, 40};
  const int status = @NAME@(0.5f, x, 4, y, 4);
  if (status != 0) {
    fprintf(stderr, "@NAME@: %s\n", @NAME@_message(status));
    return 1;
  }
  for (int i = 0; i < 4; ++i)
    printf("%g\n", y[i]);
  return 0;
}
)";

constexpr std::string_view lists =
    R"(# cmake -B build && cmake --build build && ctest --test-dir build
# An installation that CMake does not find by itself: -DCMAKE_PREFIX_PATH=FOLDER
cmake_minimum_required(VERSION 3.20)
project(@NAME@ LANGUAGES C)
find_package(tangram REQUIRED)

# Made again whenever the source, the model or tangram has changed.
tangram_add_library(@NAME@ SOURCE @NAME@.cpp SPECTRUM @NAME@ HW @HW@ TARGET openmp)
add_executable(example example.c)
target_link_libraries(example PRIVATE @NAME@)

enable_testing()
# Every codelet, derived ones too, computes what the first one does.
add_test(NAME codelets COMMAND "${TANGRAM_EXECUTABLE}" check "${CMAKE_CURRENT_SOURCE_DIR}/@NAME@.cpp" --equiv --budget 5)
add_test(NAME example COMMAND example)
)";

// clangd reads codelets as the C++ they are; that several have one signature is what a spectrum is.
constexpr std::string_view clangd = R"(If:
  PathMatch: .*\.cpp
CompileFlags:
  Add: [-xc++, -std=c++17, "-isystem@LANGUAGE@", "-I@CODELETS@"]
Diagnostics:
  Suppress: [redefinition, explicit_instantiation_not_known, pragma_once_in_main_file, vla_cxx_extension, vla_extension]
)";

// What editors read: the codelet as C++ and the program with the header that the build makes.
constexpr std::string_view commands = R"([
  { "directory": "@FOLDER@", "file": "@NAME@.cpp",
    "arguments": ["c++", "-std=c++17", "-isystem@LANGUAGE@", "-I@CODELETS@", "-fsyntax-only", "@NAME@.cpp"] },
  { "directory": "@FOLDER@", "file": "example.c",
    "arguments": ["cc", "-Ibuild/@NAME@.tangram", "-c", "example.c"] }
]
)";

std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string, std::string>> &values) {
  std::string result(text);
  for (const auto &[name, value] : values) {
    const std::string mark = "@" + name + "@";
    for (auto at = result.find(mark); at != std::string::npos;
         at = result.find(mark, at + value.size()))
      result.replace(at, mark.size(), value);
  }
  return result;
}

/// The text inside the quotes of a string of JSON.
std::string inJson(const std::string &text) {
  const std::string quoted = json::inQuotes(text);
  return quoted.substr(1, quoted.size() - 2);
}

bool isNameInC(const std::string &name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// Why nothing can be written there; empty: it can.
std::string inTheWay(const fs::path &folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored))
    return "";
  if (!fs::is_directory(folder, ignored))
    return "it is a file";
  return fs::is_empty(folder, ignored) ? "" : "the folder is not empty";
}

} // namespace

int initCommand(const InitOptions &options, std::ostream &out, std::ostream &err) {
  const std::string name = fs::absolute(options.folder).lexically_normal().filename().string();
  if (!isNameInC(name)) {
    err << "error: init: expected a name of letters, digits and _ that does not begin with a "
           "digit, found '"
        << name << "'\n";
    return 2;
  }
  if (const std::string why = inTheWay(options.folder); !why.empty()) {
    err << "error: cannot make " << options.folder.string() << ": " << why << "\n";
    return 1;
  }
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  if (failed) {
    err << "error: cannot make " << options.folder.string() << ": " << failed.message() << "\n";
    return 1;
  }
  const std::vector<std::pair<std::string, std::string>> values{
      {"NAME", name},
      {"FOLDER", inJson(fs::absolute(options.folder).lexically_normal().string())},
      {"HW", options.hw},
      {"LANGUAGE", frontend::languageDir()},
      {"CODELETS", frontend::codeletsDir()}};
  const std::vector<std::pair<std::string, std::string_view>> texts{
      {name + ".cpp", source},
      {"example.c", program},
      {"CMakeLists.txt", lists},
      {".clangd", clangd},
      {"compile_commands.json", commands}};
  for (const auto &[file, text] : texts) {
    const fs::path path = options.folder / file;
    if (const std::string problem = files::writeFile(path, filled(text, values));
        !problem.empty()) {
      err << "error: cannot write " << path.string() << ": " << problem << "\n";
      return 1;
    }
    out << path.string() << "\n";
  }
  const std::string at = (options.folder / (name + ".cpp")).string();
  out << "\nNext:\n"
      << "  tangram run " << at << " --hw " << options.hw << " --target openmp\n"
      << "  cmake -S " << options.folder.string() << " -B " << (options.folder / "build").string()
      << " && cmake --build " << (options.folder / "build").string() << "\n";
  return 0;
}

} // namespace tangram::driver
