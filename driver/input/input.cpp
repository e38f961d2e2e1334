#include "driver/input/input.h"

#include "codegen/lowering/cooperative_region.h"
#include "composer/analysis/analysis.h"
#include "composer/analysis/index_variables.h"
#include "composer/analysis/sites.h"
#include "composer/machine/targets.h"
#include "composer/rules/nests.h"
#include "composer/rules/spectrum_choice.h"
#include "driver/input/derived_program.h"
#include "driver/input/plan_limit.h"
#include "driver/text/comma_list.h"

#include <system_error>

#include <algorithm>
#include <set>

namespace tangram::driver {

namespace fs = std::filesystem;

fs::path executableFolder() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : self.parent_path();
}

std::vector<fs::path> modelFolders() {
  std::vector<fs::path> folders;
  fs::path here = executableFolder();
  for (const fs::path &candidate : {here / "../share/tangram/hwmodels", here / "../hwmodels",
                                    fs::path(TANGRAM_SOURCE_DIR) / "hwmodels"}) {
    std::error_code error;
    if (fs::is_directory(candidate, error) && folders.empty())
      folders.push_back(candidate.lexically_normal());
  }
  return folders;
}

void markImpossible(ir::Program &program) {
  for (ir::Spectrum &spectrum : program.spectrums) {
    for (ir::Codelet &codelet : spectrum.codelets) {
      if (!codelet.cooperative)
        continue;
      if (auto why = codegen::whyNotInLockstep(codelet, spectrum.result.scalar))
        codelet.impossible = ir::errorAt(why->location, why->reason);
    }
  }
}

ir::Diagnostics lockstepWarnings(const ir::Program &program) {
  ir::Diagnostics warnings;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets) {
      if (!codelet.impossible)
        continue;
      warnings.push_back(*codelet.impossible);
      warnings.back().severity = ir::Severity::Warning;
      warnings.back().message = "no plan can have cooperative codelet '" + codelet.name() +
                                "': " + codelet.impossible->message;
    }
  }
  return warnings;
}

std::string noneOfThePlans(const std::string &target, std::size_t tried, std::size_t limit,
                           composer::PlanStrategy strategy) {
  if (tried < PlanLimit::mostRefused(limit))
    return target + " can express none of the plans";
  const bool looksFor = strategy == composer::PlanStrategy::Predict;
  return target + " can express none of the plans that were tried: the first " +
         std::to_string(tried) + " (" +
         (looksFor ? "" : "--strategy predict looks for those that it can; ") +
         "more with a --limit above " + std::to_string(PlanLimit::mostRefused(limit)) + ")";
}

ir::Diagnostics meaningWarnings(const ir::Program &program) {
  ir::Diagnostics warnings;
  for (const std::string &name : composer::rootSpectrums(program)) {
    const ir::Spectrum &spectrum = *program.spectrum(name);
    if (!composer::meaningOf(spectrum))
      warnings.push_back({ir::Severity::Warning,
                          spectrum.location,
                          "no bundle can be made of spectrum '" + spectrum.name +
                              "': it has no autonomous codelet, which says what the others are to "
                              "compute",
                          "",
                          {}});
  }
  return warnings;
}

ir::Diagnostics aboutTheSource(ir::Diagnostics warnings, const std::string &source) {
  std::erase_if(warnings, [&](const ir::Diagnostic &each) {
    return each.location.file == fileOfDerived(source);
  });
  return warnings;
}

std::optional<ir::Program> readProgram(const std::string &file,
                                       const frontend::ParseOptions &options,
                                       const composer::DeriveOptions &derive, std::ostream &err) {
  frontend::ParseResult parsed = frontend::parseFile(file, options);
  err << ir::render(parsed.diagnostics);
  if (!parsed.program)
    return std::nullopt;
  DerivedProgram derived = withDerived(file, parsed, options, derive);
  if (derived.program)
    parsed.program = std::move(derived.program);
  const composer::Analysis analysis = composer::analyse(*parsed.program);
  ir::Program program = composer::widenIndexVariables(*parsed.program);
  markImpossible(program);
  for (const ir::Diagnostics &warnings :
       {analysis.warnings, lockstepWarnings(program), meaningWarnings(*parsed.program)})
    err << ir::render(aboutTheSource(warnings, program.file));
  return program;
}

bool chooseSpectrum(const ir::Program &program, std::string &name, std::ostream &err) {
  if (name.empty()) {
    const std::vector<std::string> roots = composer::rootSpectrums(program);
    if (roots.size() != 1) {
      err << ir::render({ir::errorAt(
          {program.file, 0, 0, 1},
          program.spectrums.empty()
              ? "the source has no spectrum: __codelet before a function makes one of it"
          : roots.empty()
              ? "there is no spectrum that no other one calls: name one with --spectrum"
              : "there are several spectrums, name one with --spectrum: " + joined(roots))});
      return false;
    }
    name = roots.front();
  }
  if (const ir::Spectrum *found = program.spectrum(name))
    name = found->name;
  return true;
}

namespace {

std::optional<composer::Machine> accept(composer::MachineOrErrors result, std::ostream &err) {
  if (auto *errors = std::get_if<composer::ModelErrors>(&result)) {
    for (const composer::ModelError &error : *errors)
      err << error.text() << "\n";
    return std::nullopt;
  }
  return std::get<composer::Machine>(std::move(result));
}

} // namespace

std::optional<composer::Machine> readMachine(const std::string &nameOrFile, std::ostream &err) {
  return accept(composer::findMachine(nameOrFile, modelFolders()), err);
}

std::optional<composer::Machine> readMachineFor(const std::string &nameOrFile,
                                                const std::string &target, std::ostream &err,
                                                unsigned dims) {
  std::optional<composer::Machine> machine = readMachine(nameOrFile, err);
  if (!machine || target.empty())
    return machine ? std::optional(composer::withDimensions(*machine, dims)) : machine;
  std::vector<std::string> notes;
  std::optional<composer::Machine> projected =
      accept(composer::projectOnto(*machine, target, notes), err);
  for (const std::string &note : notes)
    err << "note: " << note << "\n";
  return projected ? std::optional(composer::withDimensions(*projected, dims)) : projected;
}

std::optional<composer::Machine> readMachineFor(const std::string &nameOrFile,
                                                const std::string &target, std::ostream &err,
                                                unsigned dims, const ir::Program *program) {
  auto machine = readMachineFor(nameOrFile, target, err, std::max(dims, 1U));
  return machine && program && dims == 0 ? composer::withNests(*machine, *program) : machine;
}

std::vector<std::string> generatedTargetsOf(const composer::Machine &machine) {
  std::vector<std::string> targets = composer::generatedTargets();
  std::erase_if(targets, [&](const auto &target) {
    return std::ranges::count(machine.targets, target) == 0;
  });
  std::ranges::sort(targets, {}, [&](const std::string &target) {
    return std::ranges::find(machine.targets, target) - machine.targets.begin();
  });
  return targets;
}

} // namespace tangram::driver
