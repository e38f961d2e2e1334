#include "codegen/lowering/lower.h"

#include "algebra/simplify.h"
#include "codegen/analysis/called_functions.h"
#include "codegen/analysis/default_groups.h"
#include "codegen/analysis/rounding_count.h"
#include "codegen/analysis/short_bound.h"
#include "codegen/form/building.h"
#include "codegen/form/roles.h"
#include "codegen/lowering/instantiation.h"
#include "composer/analysis/sites.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

std::variant<LoweredPlan, Refusal> lower(const Program &program, const std::string &spectrum,
                                         const PlanPtr &plan, const composer::Machine &machine,
                                         const std::string &target,
                                         std::shared_ptr<Findings> findings,
                                         const std::set<std::string> &without) {
  auto roles = rolesOf(machine, target);
  if (auto *refusal = std::get_if<Refusal>(&roles))
    return *refusal;
  const Spectrum *found = program.spectrum(spectrum);
  if (!found)
    return Refusal{"no spectrum " + spectrum + " in " + program.file, {}};
  if (plan->level != 0)
    return Refusal{"a plan must start at the top level to become a library; this one starts at "
                   "level " +
                       machine.levels[static_cast<std::size_t>(plan->level)].name,
                   {}};
  if (!findings)
    findings = std::make_shared<Findings>();
  bool inPlace = !without.contains(resultsInPlaceStep);
  for (;;) {
    Instantiation instantiation(program, machine, std::get<std::vector<Role>>(roles),
                                *traitsOf(target), findings);
    if (!inPlace)
      instantiation.copyAllResults();
    try {
      return instantiation.run(*found, plan);
    } catch (const RefusedPlan &refused) {
      // What cannot be proved of parts may be known of arrays.
      if (!instantiation.hasPlacedResults())
        return refused.refusal;
      inPlace = false;
    }
  }
}

Instantiation::Instantiation(const Program &program, const composer::Machine &machine,
                             std::vector<Role> roles, const TargetTraits &target,
                             std::shared_ptr<Findings> findings)
    : program_(program), machine_(machine), roles_(std::move(roles)), target_(target),
      findings_(std::move(findings)) {
  plan_.proofs = findings_->proofs;
}

namespace {

/// Characters of the number of roundings as a manifest has it.
constexpr std::size_t mostOfDepth = 2000;

/// Whether one worker does what the spectrum means.
bool computesReference(const Spectrum &spectrum, const PlanNode &plan) {
  const PlanNode *node = &plan;
  while (node->kind == PlanNode::Kind::Devolve)
    node = node->children[0].get();
  return node->kind == PlanNode::Kind::Compute && node->codelet == composer::meaningOf(spectrum);
}

} // namespace

LoweredPlan Instantiation::run(const Spectrum &spectrum, const PlanPtr &plan) {
  plan_.spectrum = identifierOf(spectrum.name);
  plan_.machine = &machine_;
  plan_.target = &target_;
  plan_.roles = roles_;
  for (const VarPtr &param : spectrum.params) {
    for (unsigned d = 0; d < param->type.rank; ++d) {
      std::string suffix = param->type.rank == 1 ? "_size" : "_size" + std::to_string(d);
      plan_.extents.push_back(newVariable(param->name + suffix, Scalar::Index, VarKind::Param));
    }
    plan_.parameters.push_back(param->type.rank == 0
                                   ? param
                                   : newVariable(param->name, param->type.scalar, VarKind::Buffer));
  }
  recordContracts(plan_, spectrum, scope_);
  std::map<const Var *, ExprPtr> known;
  for (const ShapeContract &c : plan_.shape) {
    if (c.equals->kind == ExprKind::Literal ||
        (c.equals->kind == ExprKind::Var && c.equals->var != c.extent))
      known.try_emplace(c.extent.get(), c.equals);
  }
  std::size_t nextExtent = 0;
  std::vector<Value> args;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &param = spectrum.params[i];
    if (param->type.rank == 0) {
      plan_.scalars.push_back(param);
      args.emplace_back(varRef(param));
      continue;
    }
    std::vector<ExprPtr> extents;
    ExprPtr count = intLiteral(1);
    for (unsigned d = 0; d < param->type.rank; ++d) {
      const VarPtr &extent = plan_.extents[nextExtent++];
      count = mul(count, varRef(extent));
      // A size that has to equal another one goes by that one's name, or is the number it has to be.
      extents.push_back(known.contains(extent.get()) ? known.at(extent.get()) : varRef(extent));
    }
    const VarPtr &memory = plan_.parameters[i];
    plan_.buffers.push_back({memory, Space::Global, count, param->type.isConst ? "in" : "inout"});
    args.emplace_back(layOut(wholeBuffer(memory, extents)));
  }
  Destination destination;
  if (spectrum.result.scalar != Scalar::Void) {
    plan_.result = newVariable("result", spectrum.result.scalar, VarKind::Buffer);
    plan_.buffers.push_back({plan_.result, Space::Global, intLiteral(1), "out"});
    destination.place = cellView(plan_.result);
  }
  ExprPtr roundings;
  plan_.body = scope_.collect([&] { roundings = lowerCall(plan, args, destination); });
  bool rounds = isFloating(spectrum.result.scalar);
  for (const VarPtr &param : spectrum.params)
    rounds |= isFloating(param->type.scalar);
  sizeDefaultGroups(plan_);
  plan_.functions = calledFunctions(program_, plan_.body);
  // A sum with an unknown number is unknown: its other terms say nothing.
  if (rounds && computesReference(spectrum, *plan) && contains(roundings, [](const Expr &each) {
        return each.kind == ExprKind::Var && each.var->name == referenceRoundings;
      }))
    roundings = unknownRoundings();
  plan_.roundings = rounds ? shortBound(scope_.closed(roundings), mostOfDepth) : nullptr;
  return std::move(plan_);
}

/// `view` of a new array, whose place of elements in memory is noted.
View Instantiation::layOut(View view) {
  plan_.strides[view.buffer] = view.strides;
  return view;
}

const Codelet &codeletOf(const Program &program, const PlanNode &node) {
  return program.spectrum(node.spectrum)->codelets[static_cast<std::size_t>(node.codelet)];
}

void refuse(std::string reason, SourceLocation at) {
  throw RefusedPlan{Refusal{std::move(reason), std::move(at)}};
}

} // namespace tangram::codegen
