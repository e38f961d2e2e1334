#include "runtime/session/source_check.h"

#include "runtime/data/text_file.h"
#include "runtime/session/process.h"

#include <utility>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

/// "c++17" as people write it.
std::string nameOf(const std::string &standard) {
  return standard == "c++17" ? "C++17" : standard == "c11" ? "C11" : "C99";
}

std::vector<std::string> onlyChecked(std::vector<std::string> compiler, const std::string &language,
                                     const std::string &standard, const std::string &file) {
  compiler.insert(compiler.end(),
                  {"-fsyntax-only", "-w", "-std=" + standard, "-x", language, file});
  return compiler;
}

} // namespace

Status SourceCheck::check(const Manifest &manifest) {
  Files files = manifest.files;
  if (!formatOf(manifest.target).hasKernels)
    files.erase("host"); // which is the source: it is compiled when it runs
  return check(manifest.folder, files, manifest.target, "");
}

Status SourceCheck::check(const Library &library) {
  if (!library.isSeveral())
    return ok();
  std::string included;
  for (const Manifest &version : library.versions) {
    if (version.files.count("header") != 0) {
      Result<std::string> text = readTextFile(version.path("header"));
      included += text ? *text : "";
    }
  }
  return check(library.folder, library.files, library.versions.front().target, included);
}

/// `included`: what files include beside the header.
Status SourceCheck::check(const fs::path &folder, const Files &files, Target target,
                          const std::string &included) {
  const auto header = files.find("header");
  const TargetFormat &format = formatOf(target);
  if (header == files.end() || format.language.empty())
    return ok();
  const std::string needed = format.apiHeader.empty() ? "stddef.h" : format.apiHeader;
  Result<std::string> declarations = readTextFile(folder / header->second);
  if (!declarations)
    return declarations.error();
  const Source interface{folder / header->second, "c++", "c++17", *declarations, needed};
  if (Status status = compile(interface); !status)
    return status;
  // Host and example include the header.
  for (const auto &[role, standard] : {std::pair{"host", "c11"}, {"example", "c99"}}) {
    const auto file = files.find(role);
    if (file == files.end())
      continue;
    Result<std::string> text = readTextFile(folder / file->second);
    if (!text)
      return text.error();
    const Source source{folder / file->second, "c", standard, *declarations + included + *text,
                        needed};
    if (Status status = compile(source); !status)
      return status;
  }
  return ok();
}

Status SourceCheck::compile(const Source &source) {
  std::string key = source.standard + '\0' + source.text + '\0';
  for (const std::string &word : compiler_)
    key += word + '\0';
  if (const auto found = done_.find(key); found != done_.end())
    return found->second;
  if (!kept_.find(key).empty())
    return done_.emplace(std::move(key), ok()).first->second;
  ++runs_;
  const std::string name = source.file.string();
  const Result<ProcessResult> result =
      runProcess(onlyChecked(compiler_, source.language, source.standard, name));
  Status status = ok();
  if (result && result->status == 0)
    kept_.keep(key, {});
  else if (!canInclude(source.language, source.needed))
    status = ok(); // nothing is known of it on this machine
  else if (!result)
    status = failure(name + ": " + result.error().message);
  else
    status = failure(name + " does not compile as " + nameOf(source.standard) + ":\n" +
                     result->output.substr(0, result->output.find_last_not_of('\n') + 1));
  done_.emplace(std::move(key), status);
  return status;
}

bool SourceCheck::canInclude(const std::string &language, const std::string &header) {
  const auto [known, isNew] = able_.emplace(language + ' ' + header, false);
  if (isNew) {
    std::vector<std::string> call = compiler_;
    call.insert(call.end(),
                {"-fsyntax-only", "-w", "-include", header, "-x", language, "/dev/null"});
    const Result<ProcessResult> result = runProcess(call);
    known->second = result && result->status == 0;
  }
  return known->second;
}

} // namespace tangram::runtime
