#include "codegen/wide/widened_plan.h"

#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

StmtPtr withoutVectors(const StmtPtr &body) {
  return rewrite(body, [](const StmtPtr &s) -> StmtPtr {
    if (s->lanes < 2)
      return s;
    auto copy = std::make_shared<Stmt>(*s);
    copy->lanes = 0;
    return copy;
  });
}

void widenMemory(LoweredPlan &plan, Widener &widener) {
  for (Buffer &buffer : plan.buffers) {
    buffer.var = widener.variable(buffer.var);
    buffer.count = widener.expression(buffer.count);
  }
  for (std::vector<VarPtr> *list : {&plan.scalars, &plan.parameters}) {
    for (VarPtr &each : *list)
      each = widener.variable(each);
  }
  plan.result = widener.variable(plan.result);
}

/// Rebuilds constraints, data contracts and worker counts, which are about integers, with the variables of `widener`.
void widenContracts(LoweredPlan &plan, Widener &widener) {
  for (Constraint &each : plan.constraints)
    each.require = widener.expression(each.require);
  for (DataContract &each : plan.data)
    each.container = widener.variable(each.container);
  for (auto &[level, count] : plan.workers)
    count = widener.expression(count);
}

} // namespace

bool readsBits(const LoweredPlan &plan) {
  bool found = false;
  forEachExpr(plan.body, [&](const Expr &e) {
    found |= e.kind == ExprKind::Call && e.args.size() == 1 && e.callee.starts_with("as_") &&
             (isFloating(e.type.scalar) || isFloating(e.args[0]->type.scalar));
  });
  return found;
}

LoweredPlan widened(LoweredPlan plan, const Program &program, const WiderTypes &types) {
  Widener widener(types);
  plan.body = withoutVectors(widener.statement(plan.body));
  widenMemory(plan, widener);
  widenContracts(plan, widener);
  return withFunctionsOf(program, std::move(plan));
}

LoweredPlan withFunctionsOf(const Program &program, LoweredPlan plan) {
  for (const Function *&function : plan.functions) {
    const std::string &name = function->name;
    function = &*std::ranges::find(program.functions, name, &Function::name);
  }
  return plan;
}

composer::Machine drivenBy(const std::string &target, composer::Machine machine,
                           const TargetTraits &before) {
  const TargetTraits &other = *traitsOf(target);
  for (composer::Level &level : machine.levels) {
    const auto spelling = level.spelling.find(before.name);
    const auto role =
        spelling == level.spelling.end() ? std::nullopt : before.roleOf(spelling->second);
    const auto word = role ? std::ranges::find(other.roles, *role) : other.roles.end();
    if (word != other.roles.end())
      level.spelling[other.name] =
          other.spellings[static_cast<std::size_t>(word - other.roles.begin())];
    // Facts of devices are not known there; whoever calls the plan says how many there are.
    if (!composer::plainNumber(level.workers.defaultCount))
      level.workers.defaultCount = "threads";
  }
  return machine;
}

} // namespace tangram::codegen
