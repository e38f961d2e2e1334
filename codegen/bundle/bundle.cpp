#include "codegen/bundle/bundle.h"

#include "codegen/analysis/contraction.h"
#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/interface_names.h"
#include "codegen/bundle/manifest.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/prepared_plan.h"
#include "codegen/bundle/python_module.h"
#include "codegen/bundle/wide_bundle.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/long_lines.h"
#include "codegen/printing/source.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

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
        printOpencl(plan, request.steps, contractionOf(*request.program, request.spectrum));
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
  const CSource source =
      printOpenmp(plan, spectrum, request.steps, contractionOf(*request.program, request.spectrum),
                  request.checked);
  add("source", name + ".c", source.text);
  printed.names["host"] = name + ".c";
  add("header", name + ".h", source.header);
  add("entry", "entry.c", printOpenmpEntry(plan, spectrum));
  return printed;
}

} // namespace

std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request) {
  // Of every plan alike, so that no plan is made in vain.
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto meaning = printReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&meaning))
    return *refusal;
  auto made = preparedPlan(request, false);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(made));
  distinguishNames(plan, !plan.target->hostOnlyLaunches);
  if (!request.function.empty())
    plan.spectrum = request.function; // what printers call it by
  if (auto clash = clashOfNames(plan, spectrum, request.python))
    return *clash;
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
  const std::string library = plan.spectrum + (plan.target->hostOnlyLaunches ? "_host.c" : ".c");
  files["example.c"] = printExample(plan, spectrum, {library});
  files.merge(packageFiles(plan, {library}, request.version));
  if (request.python)
    files[plan.spectrum + ".py"] = printPythonModule(plan, spectrum);
  auto wide = makeWideBundle(request, plan);
  const Refusal *noWide = std::get_if<Refusal>(&wide);
  if (!noWide && !std::get<BundleFiles>(wide).empty()) {
    names["wide"] = "wide/manifest.json";
    for (auto &[name, text] : std::get<BundleFiles>(wide))
      files["wide/" + name] = std::move(text);
  }
  for (auto &[name, text] : files) {
    if (name.ends_with(".c") || name.ends_with(".h"))
      text = withBrokenLines(text);
  }
  files["manifest.json"] = printManifest(request, plan, kernels, names, openmpFlags(plan), noWide);
  return files;
}

} // namespace tangram::codegen
