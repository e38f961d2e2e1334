// Lowering of compose nodes: devolve, compute, compound codelets.
#include "codegen/early_return.h"
#include "codegen/lowering.h"
#include "codegen/simplify.h"

#include "composer/sites.h"

#include <utility>

namespace tangram::codegen {

using namespace ir;

ExprPtr Lowering::lowerCall(const PlanPtr &node, const std::vector<Value> &args,
                            const Destination &destination) {
  switch (node->kind) {
  case PlanNode::Kind::Devolve:
    return lowerDevolve(*node, args, destination);
  case PlanNode::Kind::Compute:
    if (codeletOf(*node).cooperative)
      return lowerCooperative(*node, args, destination);
    emitComment("compute(" + codeletOf(*node).name() + ", SE_" + level(node->level).name + ")");
    return lowerUniform(*node, args, destination);
  case PlanNode::Kind::Codelet:
    return lowerUniform(*node, args, destination);
  case PlanNode::Kind::Map:
    break;
  }
  refuse("internal error: a map node where a call was expected; please report it");
}

ExprPtr Lowering::lowerDevolve(const PlanNode &node, const std::vector<Value> &args,
                               const Destination &destination) {
  int below = level(node.level).subordinate;
  const std::string &name = level(below).name;
  emitComment("S_" + level(node.level).name + ", devolve(" + name + ")");
  ExprPtr roundings;
  if (role(below) == Role::Unroll) {
    roundings = lowerCall(node.children[0], args, destination);
    return roundings;
  }
  Destination inner = destination;
  if (destination.var) {
    // One worker computes what all of this level's workers then read.
    VarPtr cell =
        variable(destination.var->name + "_cell", destination.var->type.scalar, VarKind::Buffer);
    Space space = role(node.level) == Role::Host ? Space::Global : Space::Local;
    plan_.buffers.push_back({cell, space, intLiteral(1), ""});
    inner = Destination{View{cell, intLiteral(0), {}}, nullptr};
  }
  emit(parallel(below, nullptr, intLiteral(1),
                collect([&] { roundings = lowerCall(node.children[0], args, inner); })));
  if (destination.var)
    emit(assign(varRef(destination.var), "=", elementOf(inner.place, {})));
  return roundings;
}

/// Variables that change are variables; all others are names of values.
void noteAssigned(Instance &in, const StmtPtr &body) {
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
      in.assigned.insert(s.target->var.get());
  });
}

Instance Lowering::instantiate(const PlanNode &node, const std::vector<Value> &args,
                               const Destination &destination) {
  Instance in;
  in.codelet = &codeletOf(node);
  in.node = &node;
  in.destination = destination;
  for (std::size_t i = 0; i < args.size(); ++i)
    in.environment[in.codelet->params[i].get()] = args[i];
  for (const composer::Site &site : composer::sites(*in.codelet))
    in.childOf[site.expr] = site.child;
  noteAssigned(in, in.codelet->body);
  return in;
}

/// Scalar parameters that the codelet assigns to become variables that start from the argument.
void Lowering::ownParameters(Instance &in,
                             const std::function<void(const VarPtr &, StmtPtr)> &declareVariable) {
  for (const VarPtr &param : in.codelet->params) {
    if (param->type.isContainer() || !in.assigned.contains(param.get()))
      continue;
    VarPtr own = variable(param->name, param->type.scalar);
    ExprPtr value = cast(param->type.scalar, std::get<ExprPtr>(in.environment[param.get()]));
    in.environment[param.get()] = varRef(own);
    declareVariable(param, declare(own, simplify(value), in.codelet->location));
  }
}

ExprPtr Lowering::lowerUniform(const PlanNode &node, const std::vector<Value> &args,
                               const Destination &destination) {
  if (role(node.level) == Role::Host && node.kind == PlanNode::Kind::Compute && target_ == "opencl")
    refuse("target opencl cannot compute at level " + level(node.level).name +
           ", which only launches kernels");
  HandOver *over = std::exchange(handOver_, nullptr);
  Instance in = instantiate(node, args, destination);
  ExprPtr roundings = roundingsOf(*in.codelet, args);
  in.roundings = node.kind == PlanNode::Kind::Compute ? roundings : intLiteral(0);
  bindTunables(in);
  StmtPtr body = tailReturns(in.codelet->body, program_.spectrum(node.spectrum)->result.scalar);
  noteAssigned(in, body); // returns in loops bring variables of their own
  if (over && in.assigned.contains(in.codelet->params[0].get()))
    await(*over);
  ownParameters(in, [&](const VarPtr &, StmtPtr declaration) {
    requireVariables(node.level, *declaration->var, in.codelet->location);
    emit(std::move(declaration));
  });
  if (over)
    lowerHandedOver(in, body, *over);
  else
    lowerStatement(in, body);
  return in.roundings;
}

ExprPtr Lowering::roundingsOf(const Codelet &codelet, const std::vector<Value> &args) const {
  // Every element of every container may pass through each floating-point
  // operation of the body once, one after the other.
  std::int64_t operations = 0;
  forEachExpr(codelet.body, [&](const Expr &e) {
    operations +=
        (e.kind == ExprKind::Binary || e.kind == ExprKind::Call || e.kind == ExprKind::Cast) &&
        isFloating(e.type.scalar);
  });
  forEach(codelet.body, [&](const Stmt &s) {
    operations += s.kind == StmtKind::Assign && s.op != "=" && isFloating(s.target->type.scalar);
  });
  ExprPtr elements = intLiteral(1);
  for (const Value &arg : args) {
    if (const View *view = std::get_if<View>(&arg)) {
      for (const Dimension &d : view->dims)
        elements = add(elements, d.bound);
    }
  }
  return mul(intLiteral(operations), elements);
}

} // namespace tangram::codegen
