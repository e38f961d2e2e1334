// What every command starts from: a codelet source, and a machine.
#pragma once

#include "composer/analysis/analysis.h"
#include "composer/derive/derive.h"
#include "composer/machine/machine.h"
#include "composer/plans/planner.h"
#include "frontend/parse.h"
#include "ir/diagnostic.h"
#include "ir/program.h"

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

/// Folders with hardware models: `hwmodels` beside the working tree's build folder,
/// or `../share/tangram/hwmodels` beside an installed binary.
std::vector<std::filesystem::path> modelFolders();

/// Finds the cooperative codelets whose lanes no machine can run together (ir::Codelet::impossible).
/// `program` has its index variables widened.
void markImpossible(ir::Program &program);

/// Of the codelets that were found so.
ir::Diagnostics lockstepWarnings(const ir::Program &program);

/// Without warnings about codelets that were derived from `source`, which nobody has written: what cannot be used is in
/// no plan.
ir::Diagnostics aboutTheSource(ir::Diagnostics warnings, const std::string &source);

/// That a target can express none of the plans which were tried: with `limit` of them there may be others.
std::string noneOfThePlans(const std::string &target, std::size_t tried, std::size_t limit,
                           composer::PlanStrategy strategy);

/// Of spectrums that no other one calls and that nothing says the meaning of.
ir::Diagnostics meaningWarnings(const ir::Program &program);

/// The program in `file` with what follows from its loops, index variables widened. Diagnostics go to `err`; empty
/// when there are errors.
std::optional<ir::Program> readProgram(const std::string &file,
                                       const frontend::ParseOptions &options,
                                       const composer::DeriveOptions &derive, std::ostream &err);

/// Makes `name` that of a spectrum of the program, as ir::Program::spectrum says: `sum` may be its `sum<float>`, and
/// none is the only one that no other spectrum calls. Unknown names stay as they are. False, after a message on `err`:
/// it is none, and there are several.
bool chooseSpectrum(const ir::Program &program, std::string &name, std::ostream &err);

/// The machine called (or in the file) `nameOrFile`; errors go to `err`.
std::optional<composer::Machine> readMachine(const std::string &nameOrFile, std::ostream &err);

/// The machine as `target` can express it; notes and errors go to `err`. An empty
/// target leaves it as it is. The workers of its levels are taken along up to `dims` dimensions.
std::optional<composer::Machine> readMachineFor(const std::string &nameOrFile,
                                                const std::string &target, std::ostream &err,
                                                unsigned dims = 1);

/// The same with all levels that nested maps of the program may share, where `dims` is 0. Null: none.
std::optional<composer::Machine> readMachineFor(const std::string &nameOrFile,
                                                const std::string &target, std::ostream &err,
                                                unsigned dims, const ir::Program *program);

/// The targets of the model that code can be generated for, in the model's order.
std::vector<std::string> generatedTargetsOf(const composer::Machine &machine);

/// Folder of the running executable.
std::filesystem::path executableFolder();

} // namespace tangram::driver
