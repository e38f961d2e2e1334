#include "frontend/source_under_test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tangram::frontend {

namespace {

/// Folder that is the current one while this lives, so that messages say `test.cpp`.
class CurrentFolder {
public:
  CurrentFolder()
      : before(fs::current_path()),
        folder(fs::temp_directory_path() / ("tangram-frontend-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
    fs::current_path(folder);
  }
  CurrentFolder(const CurrentFolder &) = delete;
  CurrentFolder &operator=(const CurrentFolder &) = delete;
  ~CurrentFolder() {
    fs::current_path(before);
    fs::remove_all(folder);
  }

private:
  fs::path before;
  fs::path folder;
};

ParseResult parseHere(const std::string &text, const std::vector<std::string> &instantiate = {}) {
  std::ofstream("test.cpp") << "#include <tangram.h>" << text;
  ParseOptions options;
  options.instantiate = instantiate;
  return parseFile("test.cpp", options);
}

std::string rendered(ir::Diagnostics diagnostics) {
  for (ir::Diagnostic &d : diagnostics) {
    auto inLanguage = [](const ir::Diagnostic &note) {
      return fs::path(note.location.file).filename() == "tangram.h";
    };
    d.notes.erase(std::remove_if(d.notes.begin(), d.notes.end(), inLanguage), d.notes.end());
  }
  return "\n" + ir::render(diagnostics);
}

} // namespace

ParseResult parseSource(const std::string &text, const std::vector<std::string> &instantiate) {
  CurrentFolder folder;
  return parseHere(text, instantiate);
}

std::string diagnose(const std::string &text, const std::vector<std::string> &instantiate) {
  CurrentFolder folder;
  return rendered(parseHere(text, instantiate).diagnostics);
}

std::string lowered(const std::string &text) {
  CurrentFolder folder;
  ParseResult result = parseHere(text);
  if (!result.program)
    return rendered(result.diagnostics);
  return "\n" + ir::toString(result.program->spectrums.at(0).codelets.at(0).body);
}

} // namespace tangram::frontend
