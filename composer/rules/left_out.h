// The codelets that a user leaves out, by the names of the command line.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <string>
#include <variant>
#include <vector>

namespace tangram::composer {

/// `names` as RuleContext::without has them. "tree" is that codelet of every spectrum, "sum:tree" of those that are
/// called so (all instances of a template), "reduce<int, plus<int>>:tree" of one instance. Error: a name of which
/// there is no codelet, with the nearest one, or all.
std::variant<std::vector<std::string>, ir::Diagnostics>
leftOut(const ir::Program &program, const std::vector<std::string> &names);

} // namespace tangram::composer
