#include "codegen/bundle/bundle.h"

#include "codegen/analysis/contraction.h"
#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/interface_names.h"
#include "codegen/bundle/manifest.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/prepared_plan.h"
#include "codegen/bundle/python_module.h"
#include "codegen/bundle/wide_bundle.h"
#include "codegen/pipeline/backends.h"
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

std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request) {
  // The same for every plan: a refusal comes before the work of making one.
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto meaning = printReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&meaning))
    return *refusal;
  auto made = preparedPlan(request, false);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(made));
  distinguishNames(plan, !plan.target->groupsRunInKernels);
  if (!request.function.empty())
    plan.spectrum = request.function; // what printers call it by
  if (auto clash = clashOfNames(plan, spectrum, request.python))
    return *clash;
  setDefaults(plan, request.defaults.empty() && request.chooseDefaults
                        ? request.chooseDefaults(plan)
                        : request.defaults);
  const Backend &backend = backendOf(*plan.target);
  auto sources =
      backend.library({plan, spectrum, request.steps,
                       contractionOf(*request.program, request.spectrum), request.checked});
  if (auto *refusal = std::get_if<Refusal>(&sources))
    return *refusal;
  auto &[files, names, kernels] = std::get<PrintedLibrary>(sources);
  const ReferenceSource &reference = std::get<ReferenceSource>(meaning);
  names["reference"] = reference.file;
  names["example"] = backend.exampleFile();
  files[reference.file] = reference.text;
  const std::string library = backend.hostFile(plan.spectrum);
  files[names["example"]] = backend.example(plan, spectrum, {library});
  files.merge(packageFiles(plan, {library}, request.version));
  if (request.python)
    files[plan.spectrum + ".py"] = printPythonModule(plan, spectrum, request.collection);
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
  files["manifest.json"] =
      printManifest(request, plan, kernels, names, backend.flags(plan), noWide);
  return files;
}

} // namespace tangram::codegen
