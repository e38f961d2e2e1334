// Names of a bundle's interface: those of its library and parameters, beside which its files have names of their
// own and call functions of others.
#pragma once

#include "codegen/bundle/bundle.h"

#include <optional>
#include <set>
#include <string>

namespace tangram::codegen {

/// Why the library cannot have its name (`plan.spectrum`), or a parameter its own, and what to do about it.
std::optional<Refusal> clashOfNames(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                                    bool python);

/// The words of C files outside of comments and strings.
std::set<std::string> wordsOf(const BundleFiles &files);

/// Compile tunables whose names may stand for something else in a file: those that are not in capitals.
bool hasWordsAsMacros(const LoweredPlan &plan);
/// The plan with names for these that no file has, by which `wordsOf` tells what else is called like them.
LoweredPlan withoutWordsAsMacros(LoweredPlan plan);
/// Puts the names of those in capitals that are among `words`, since a macro replaces a word wherever it stands.
void capitalizeMacros(LoweredPlan &plan, const std::set<std::string> &words);

} // namespace tangram::codegen
