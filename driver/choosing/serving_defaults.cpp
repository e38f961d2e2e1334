#include "driver/choosing/serving_defaults.h"

#include "driver/choosing/plan_manifest.h"
#include "driver/choosing/typical_sizes.h"
#include "runtime/bundle/requirements.h"
#include "runtime/bundle/tunables.h"

namespace tangram::driver {

std::map<std::string, std::uint64_t> servingDefaults(const runtime::Manifest &manifest,
                                                     const ir::Spectrum &spectrum,
                                                     const composer::Machine &machine,
                                                     const std::string &target) {
  const runtime::DeviceFacts facts = allFactsOf(machine, target);
  const auto requirements = runtime::requirementsOf(manifest, facts);
  std::map<std::string, std::uint64_t> serving;
  for (const runtime::SizeChoice &choice :
       typicalSizes(manifest.signature, saidOfSizes(spectrum, manifest.signature))) {
    const auto call = sizedCall(manifest.signature, choice, facts);
    if (!call)
      continue;
    const auto chosen = runtime::chooseTunables(manifest, call->bindings, requirements, {});
    if (!chosen)
      continue;
    bool isDefault = true;
    std::map<std::string, std::uint64_t> compiled;
    for (const runtime::Tunable &tunable : manifest.tunables) {
      if (!tunable.compileTime)
        continue;
      compiled[tunable.name] = chosen->at(tunable.name);
      const auto usual = runtime::defaultOf(tunable, call->bindings);
      isDefault &= usual && *usual == compiled[tunable.name];
    }
    if (isDefault)
      return {};
    if (serving.empty())
      serving = compiled;
  }
  return serving;
}

} // namespace tangram::driver
