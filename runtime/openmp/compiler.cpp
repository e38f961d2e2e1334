#include "runtime/openmp/compiler.h"

#include "runtime/data/text_file.h"
#include "runtime/session/process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace tangram::runtime {

Result<SharedObject> ObjectFile::load() const {
  Result<SharedObject> opened = SharedObject::open(path);
  if (!opened)
    return failure(source + ": the compiled object cannot be opened: " + opened.error().message);
  return opened;
}

bool mentions(const std::string &text, const std::string &name) {
  auto isWord = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !isWord(at - 1)) && !isWord(at + name.size()))
      return true;
  }
  return false;
}

Compiler::Compiler(double secondsLimit, ObjectFolder kept)
    : secondsLimit(secondsLimit), kept(std::move(kept)) {
  const char *chosen = std::getenv("CC");
  std::istringstream words(chosen ? chosen : "");
  for (std::string word; words >> word;)
    command.push_back(word);
  if (command.empty())
    command.emplace_back("cc");
}

std::string Compiler::version() {
  if (itsVersion.empty()) {
    std::vector<std::string> call = command;
    call.emplace_back("--version");
    Result<ProcessResult> said = runProcess(call);
    if (said && said->status == 0)
      itsVersion = said->output.substr(0, said->output.find('\n'));
    if (itsVersion.empty())
      itsVersion = command.front();
  }
  return itsVersion;
}

Result<std::filesystem::path> Compiler::folder() {
  if (!temporary || temporary->path().empty()) {
    temporary.emplace();
    if (temporary->path().empty())
      return failure(temporary->wanted().string() + ": cannot be created: " + std::strerror(errno));
  }
  return temporary->path();
}

Result<ObjectFile> Compiler::compile(const Compilation &what) {
  std::string content;
  std::vector<std::string> arguments = command;
  arguments.insert(arguments.end(), what.flags.begin(), what.flags.end());
  for (const std::vector<std::filesystem::path> *group : {&what.sources, &what.included}) {
    for (const std::filesystem::path &file : *group) {
      Result<std::string> text = readTextFile(file);
      if (!text)
        return text.error();
      content += *text + '\0';
    }
  }
  for (const auto &[name, value] : what.definitions) {
    if (mentions(content, name))
      arguments.push_back("-D" + name + "=" + std::to_string(value));
  }
  std::string key = content;
  for (const std::string &argument : arguments)
    key += argument + '\0';
  if (auto found = done.find(key); found != done.end())
    return found->second;
  const std::string source = what.sources.front().string();
  if (const std::filesystem::path known = kept.find(key); !known.empty())
    return done.emplace(std::move(key), ObjectFile{known.string(), source}).first->second;
  for (const std::filesystem::path &file : what.sources)
    arguments.push_back(file.string());
  Result<ObjectFile> object = build(arguments, source);
  if (object)
    kept.keep(key, object->path);
  done.emplace(std::move(key), object);
  return object;
}

Result<ObjectFile> Compiler::build(const std::vector<std::string> &arguments,
                                   const std::string &name) {
  Result<std::filesystem::path> where = folder();
  if (!where)
    return where.error();
  std::string object = (*where / ("object" + std::to_string(compiled++) + ".so")).string();
  std::vector<std::string> call = arguments;
  // Its own functions come first: a spectrum may be called `step` or `index`, as functions of the C
  // library are.
  call.insert(call.end(), {"-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", object, "-lm"});
  Result<ProcessResult> result = runProcess(call, secondsLimit);
  if (!result && result.error().ending == Ending::TimedOut)
    return Error{Fault::Failed,
                 name + ": " + result.error().message + "; --time-limit gives it longer",
                 Ending::TimedOut};
  if (!result)
    return failure(name + ": " + result.error().message);
  if (result->status != 0) {
    std::string output = result->output;
    while (output.ends_with('\n'))
      output.pop_back();
    return failure(name + ": " + command.front() + " failed (exit status " +
                   std::to_string(result->status) + "):\n" + output);
  }
  return ObjectFile{object, name};
}

} // namespace tangram::runtime
