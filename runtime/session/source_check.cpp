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
  if (manifest.target == Target::OpenMP)
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
  const bool needsApi = target == Target::OpenCL;
  if (header == files.end() || (needsApi && !canInclude("c", "CL/cl.h")))
    return ok();
  Result<std::string> declarations = readTextFile(folder / header->second);
  if (!declarations)
    return declarations.error();
  if (canInclude("c++", needsApi ? "CL/cl.h" : "stddef.h")) {
    if (Status status = compile(folder / header->second, "c++", "c++17", *declarations); !status)
      return status;
  }
  // Host and example include the header.
  for (const auto &[role, standard] : {std::pair{"host", "c11"}, {"example", "c99"}}) {
    const auto file = files.find(role);
    if (file == files.end())
      continue;
    Result<std::string> text = readTextFile(folder / file->second);
    if (!text)
      return text.error();
    if (Status status =
            compile(folder / file->second, "c", standard, *declarations + included + *text);
        !status)
      return status;
  }
  return ok();
}

/// `text`: all that the result depends on.
Status SourceCheck::compile(const fs::path &file, const std::string &language,
                            const std::string &standard, const std::string &text) {
  const std::string key = standard + '\0' + text;
  if (const auto found = done_.find(key); found != done_.end())
    return found->second;
  ++runs_;
  const Result<ProcessResult> result =
      runProcess(onlyChecked(compiler_, language, standard, file.string()));
  Status status = ok();
  if (!result)
    status = failure(file.string() + ": " + result.error().message);
  else if (result->status != 0)
    status = failure(file.string() + " does not compile as " + nameOf(standard) + ":\n" +
                     result->output.substr(0, result->output.find_last_not_of('\n') + 1));
  done_.emplace(key, status);
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
