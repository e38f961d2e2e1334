#include "codegen/bundle/bundle.h"

#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/interface_names.h"
#include "codegen/bundle/manifest.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/prepared_plan.h"
#include "codegen/bundle/python_module.h"
#include "codegen/bundle/wide_bundle.h"
#include "codegen/c/c_types.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"
#include "codegen/kernel/contraction.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace tangram::codegen {

using namespace ir;
namespace fs = std::filesystem;

namespace {

std::string writeFile(const fs::path &file, const std::string &content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  return out ? "" : "cannot write " + file.string();
}

} // namespace

std::variant<LoweredPlan, Refusal> planForPrediction(const BundleRequest &request) {
  return preparedPlan(request, true);
}

namespace {

/// The library's sources, and what the manifest says of them.
struct PrintedSources {
  BundleFiles files;
  std::map<std::string, std::string> names; ///< by role
  std::vector<Kernel> kernels;
};

std::variant<PrintedSources, Refusal>
printSources(const BundleRequest &request, const LoweredPlan &plan, const Spectrum &spectrum) {
  PrintedSources printed;
  auto add = [&](const std::string &role, const std::string &file, const std::string &text) {
    printed.names[role] = file;
    printed.files[file] = text;
  };
  const std::string &name = plan.spectrum;
  if (plan.target->hostOnlyLaunches) {
    auto kernels =
        printOpencl(plan, request.steps, mayContract(*request.program, request.spectrum));
    if (auto *refusal = std::get_if<Refusal>(&kernels))
      return *refusal;
    OpenclSource &source = std::get<OpenclSource>(kernels);
    const OpenclHost host = printOpenclHost(plan, spectrum, source, request.steps, request.checked);
    add("source", name + ".cl", source.text);
    add("host", name + "_host.c", host.text);
    add("header", name + ".h", host.header);
    printed.kernels = std::move(source.kernels);
    return printed;
  }
  const CSource source = printOpenmp(plan, spectrum, request.steps, request.checked);
  add("source", name + ".c", source.text);
  printed.names["host"] = name + ".c";
  add("header", name + ".h", source.header);
  add("entry", "entry.c", printOpenmpEntry(plan, spectrum));
  return printed;
}

/// Names that no other variable has, and no file something else for. Why there are none; null: there are.
std::optional<Refusal> settleNames(const BundleRequest &request, LoweredPlan &plan,
                                   const Spectrum &spectrum) {
  distinguishNames(plan, !plan.target->hostOnlyLaunches);
  if (!request.function.empty())
    plan.spectrum = request.function; // what printers call it by
  if (auto clash = clashOfNames(plan, spectrum, request.python))
    return clash;
  if (!hasWordsAsMacros(plan))
    return std::nullopt;
  auto others = printSources(request, withoutWordsAsMacros(plan), spectrum);
  if (auto *refusal = std::get_if<Refusal>(&others))
    return *refusal;
  capitalizeMacros(plan, wordsOf(std::get<PrintedSources>(others).files));
  return std::nullopt;
}

} // namespace

std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request) {
  // Of every plan alike, so that no plan is made in vain.
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto meaning = printTrackedReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&meaning))
    return *refusal;
  auto made = preparedPlan(request, false);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(made));
  if (auto refusal = settleNames(request, plan, spectrum))
    return *refusal;
  setDefaults(plan, request.defaults.empty() && request.chooseDefaults
                        ? request.chooseDefaults(plan)
                        : request.defaults);
  auto sources = printSources(request, plan, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&sources))
    return *refusal;
  auto &[files, names, kernels] = std::get<PrintedSources>(sources);
  const ReferenceSource &reference = std::get<ReferenceSource>(meaning);
  names["reference"] = reference.file;
  names["example"] = "example.c";
  files[reference.file] = reference.text;
  const ReferenceSource plain =
      std::get<ReferenceSource>(printReference(*request.program, spectrum));
  files[plain.file] = plain.text;
  const std::string library = plan.spectrum + (plan.target->hostOnlyLaunches ? "_host.c" : ".c");
  files["example.c"] = printExample(plan, spectrum, {library});
  files.merge(packageFiles(request, plan, {library}));
  if (request.python)
    files[plan.spectrum + ".py"] = printPythonModule(plan, spectrum);
  auto wide = makeWideBundle(request, plan);
  const Refusal *noWide = std::get_if<Refusal>(&wide);
  if (!noWide && !std::get<BundleFiles>(wide).empty()) {
    names["wide"] = "wide/manifest.json";
    for (auto &[name, text] : std::get<BundleFiles>(wide))
      files["wide/" + name] = std::move(text);
  }
  files["manifest.json"] = printManifest(request, plan, kernels, names, noWide);
  return files;
}

std::string writeBundle(const BundleFiles &files, const fs::path &folder) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename())
    target = target.parent_path();
  if (fs::exists(target, error)) {
    bool empty = fs::is_directory(target, error) && fs::is_empty(target, error);
    if (!empty && !fs::exists(target / "manifest.json", error))
      return target.string() + " exists and is no bundle; choose another folder";
  }
  fs::path fresh = target;
  fresh += ".new-" + std::to_string(getpid());
  fs::remove_all(fresh, error);
  if (!fs::create_directories(fresh, error))
    return "cannot make the folder " + fresh.string() + ": " + error.message();
  for (const auto &[name, content] : files) {
    fs::create_directories((fresh / name).parent_path(), error);
    std::string problem = writeFile(fresh / name, content);
    if (!problem.empty()) {
      fs::remove_all(fresh, error);
      return problem;
    }
  }
  fs::path old = target;
  old += ".old-" + std::to_string(getpid());
  bool replaces = fs::exists(target, error);
  if (replaces)
    fs::rename(target, old, error);
  if (!error)
    fs::rename(fresh, target, error);
  if (error) {
    std::string message = "cannot put the bundle at " + target.string() + ": " + error.message();
    std::error_code ignored;
    if (replaces && !fs::exists(target, ignored))
      fs::rename(old, target, ignored);
    fs::remove_all(fresh, ignored);
    return message;
  }
  fs::remove_all(old, error);
  return "";
}

} // namespace tangram::codegen
