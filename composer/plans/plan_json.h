// A plan in a file, to be replayed later:
//
//   { "format": "tangram-plan", "version": 1,
//     "spectrum": "sum", "model": "simple-cpu", "id": "1a2b3c4d",
//     "source": { "file": "codelets/sum.cpp", "hash": "..." },
//     "steps": [ "S_P", ... ],
//     "plan": { "rule": "devolve", "spectrum": "sum", "level": "P",
//               "of": [ { "rule": "compute", "spectrum": "sum", "level": "T",
//                         "codelet": "sum#1" } ] } }
//
// `rule` is devolve, compute, compound, distribute, serialize or split (the last
// three are maps); `of` has what the node is made of, as ir::PlanNode::children.
// Codelets and levels stand by name, so a plan survives changes of its source
// and model that keep what it uses; `steps` and `id` are checked on reading.
#pragma once

#include "composer/machine/machine.h"
#include "composer/plans/plan_interner.h"
#include "ir/diagnostic.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <map>
#include <string>
#include <variant>

namespace tangram::composer {

/// The file's text, ending in a newline.
std::string planToJson(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine);

/// Read a plan and check it against the program and the machine: every codelet and level must be
/// there, and every rule be one. `file` names the text in messages; each error names the JSON
/// pointer, what is expected and what is there. A plan made for another source text or model is
/// accepted when it still fits.
std::variant<ir::PlanPtr, ir::Diagnostics>
planFromJson(const std::string &text, const std::string &file, const ir::Program &program,
             const Machine &machine, const PlanInterner &interner);

/// A plan of `from` on `to`, whose levels take the places that `levels` says: for each name of a level of `from` the name
/// of one of `to`. Every node is checked as planFromJson() checks it. Error: the first node that `to` cannot have.
std::variant<ir::PlanPtr, ir::Diagnostics>
planWithLevels(const ir::PlanPtr &plan, const ir::Program &program, const Machine &from,
               const Machine &to, const std::map<std::string, std::string> &levels,
               const PlanInterner &interner);

} // namespace tangram::composer
