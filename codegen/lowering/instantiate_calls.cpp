// Lowering of compose nodes: devolve, compute, compound codelets.
#include "algebra/simplify.h"
#include "codegen/analysis/rounding_count.h"
#include "codegen/form/building.h"
#include "codegen/lowering/instantiation.h"
#include "ir/assigned_variables.h"

#include "composer/analysis/sites.h"
#include "ir/early_return.h"

#include <set>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

ExprPtr Instantiation::lowerCall(const PlanPtr &node, const std::vector<Value> &args,
                                 const Destination &destination) {
  switch (node->kind) {
  case PlanNode::Kind::Devolve:
    return lowerDevolve(*node, args, destination);
  case PlanNode::Kind::Compute:
    if (codeletOf(*node).cooperative)
      return lowerCooperative(*node, args, destination);
    scope_.emitComment("compute(" + codeletOf(*node).name() + ", SE_" + level(node->level).name +
                       ")");
    return lowerUniform(*node, args, destination);
  case PlanNode::Kind::Codelet:
    return lowerUniform(*node, args, destination);
  case PlanNode::Kind::Map:
    break;
  }
  refuse("internal error: a map node where a call was expected; please report it");
}

ExprPtr Instantiation::lowerDevolve(const PlanNode &node, const std::vector<Value> &args,
                                    const Destination &destination) {
  int below = level(node.level).subordinate;
  const std::string &name = level(below).name;
  scope_.emitComment("S_" + level(node.level).name + ", devolve(" + name + ")");
  ExprPtr roundings;
  if (role(below) == Role::Unroll) {
    roundings = lowerCall(node.children[0], args, destination);
    return roundings;
  }
  Destination inner = destination;
  if (destination.var) {
    // One worker computes what all of this level's workers then read.
    const View cell =
        newCell(destination.var->name + "_cell", destination.var->type.scalar, node.level);
    inner = Destination{cell, nullptr};
  }
  scope_.emit(
      oneOf(below, scope_.collect([&] { roundings = lowerCall(node.children[0], args, inner); })));
  if (destination.var)
    scope_.emit(assign(varRef(destination.var), "=", elementOf(inner.place, {})));
  return roundings;
}

/// Variables that change are variables; all others are names of values.
void noteAssigned(Instance &in, const StmtPtr &body) { in.assigned.merge(assignedIn(body)); }

Instance Instantiation::instantiate(const PlanNode &node, const std::vector<Value> &args,
                                    const Destination &destination) {
  Instance in;
  noteTypical(node, args);
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
void Instantiation::ownParameters(Instance &in) {
  for (const VarPtr &param : in.codelet->params) {
    if (param->type.isContainer() || !in.assigned.contains(param.get()))
      continue;
    if (onlyLaunches(in.node->level)) {
      const ExprPtr start = std::get<ExprPtr>(in.environment[param.get()]);
      const View cell = newCell(param->name, param->type.scalar, in.node->level);
      storeElement(in.node->level, elementOf(cell, {}), "=",
                   simplified(cast(param->type.scalar, start)));
      in.cells[param.get()] = cell;
      in.environment[param.get()] = elementOf(cell, {});
      continue;
    }
    VarPtr own = newVariable(param->name, param->type.scalar);
    ExprPtr value = cast(param->type.scalar, std::get<ExprPtr>(in.environment[param.get()]));
    in.environment[param.get()] = varRef(own);
    scope_.emit(declare(own, simplified(value), in.codelet->location));
  }
}

ExprPtr Instantiation::lowerUniform(const PlanNode &node, const std::vector<Value> &given,
                                    const Destination &destination) {
  if (onlyLaunches(node.level) && node.kind == PlanNode::Kind::Compute)
    refuse("target " + target_.name + " cannot compute at level " + level(node.level).name +
           ", which only launches kernels");
  HandOver *over = std::exchange(handOver_, nullptr);
  const std::vector<Value> args = withPaddedArrays(node, given);
  Instance in = instantiate(node, args, destination);
  in.flattened = std::exchange(flattened_, nullptr);
  ExprPtr roundings = roundingsOf(*in.codelet, args);
  in.roundings = node.kind == PlanNode::Kind::Compute ? roundings : intLiteral(0);
  if (in.flattened)
    in.environment.insert(in.flattened->tunables.begin(), in.flattened->tunables.end());
  bindTunables(in);
  StmtPtr body = tailReturns(in.codelet->body, program_.spectrum(node.spectrum)->result.scalar);
  noteAssigned(in, body); // returns in loops bring variables of their own
  if (over && in.assigned.contains(in.codelet->params[0].get()))
    await(*over);
  ownParameters(in);
  inWindows(node, windowsOf(node, args), [&] {
    if (over)
      lowerHandedOver(in, body, *over);
    else
      lowerStatement(in, body);
  });
  return in.roundings;
}

/// What `body` lowers, as what a codelet does that knows of its containers as these windows.
void Instantiation::inWindows(const PlanNode &node,
                              const std::vector<std::pair<VarPtr, Window>> &windows,
                              const std::function<void()> &body) {
  if (windows.empty())
    return body();
  StmtPtr inside = scope_.collect(body);
  for (auto window = windows.rbegin(); window != windows.rend(); ++window)
    inside = bindWindow(window->first, window->second, node.level, inside);
  scope_.emit(inside);
}

/// The arguments with padded arrays for what items of a group read of padded containers of which most
/// extents are known when the kernel is compiled: one for each argument, so that all that is read of
/// it within the codelet is read through that argument.
std::vector<Value> Instantiation::withPaddedArrays(const PlanNode &node, std::vector<Value> args) {
  const bool ofItems = !target_.itemsAreLoops && role(node.level) == Role::Group;
  std::set<VarPtr> taken;
  for (Value &arg : args) {
    View *view = std::get_if<View>(&arg);
    if (Parts *parts = std::get_if<Parts>(&arg))
      view = &parts->base;
    if (!view || view->edges.empty() || (view->padded && taken.insert(view->padded).second))
      continue;
    view->padded = nullptr;
    if (!ofItems || view->dims.empty() || !boundedDims(*view))
      continue;
    view->padded =
        newVariable(view->buffer->name + "_padded", view->buffer->type.scalar, VarKind::Buffer);
    plan_.padded[view->padded] = {view->buffer, view->edges};
    taken.insert(view->padded);
  }
  return args;
}

/// The dimensions of a container, bounded by numbers known when the kernel is compiled; nothing where
/// one is not.
std::optional<std::vector<Dimension>> Instantiation::boundedDims(const View &view) const {
  std::vector<Dimension> dims = view.dims;
  for (Dimension &d : dims) {
    const ExprPtr most = d.bound ? scope_.compileTimeBound(d.bound) : nullptr;
    if (!most)
      return std::nullopt;
    d.bound = simplified(most);
  }
  return dims;
}

/// What is known of the containers a codelet gets, for passes that move data: those whose extents
/// have bounds that are known when the kernel is compiled.
std::vector<std::pair<VarPtr, Window>>
Instantiation::windowsOf(const PlanNode &node, const std::vector<Value> &args) const {
  std::vector<std::pair<VarPtr, Window>> found;
  if (role(node.level) == Role::Host)
    return found;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const View *view = std::get_if<View>(&args[i]);
    const bool staged = view && view->padded && role(node.level) == Role::Group;
    if (!view || view->dims.empty() || (!view->edges.empty() && !staged))
      continue; // what lies where is decided by the edges
    const auto dims = boundedDims(*view);
    const VarPtr &param = codeletOf(node).params[i];
    if (dims)
      found.emplace_back(newVariable(param->name, param->type.scalar, VarKind::Window),
                         Window{staged ? view->padded : view->buffer, view->origin, *dims});
  }
  return found;
}

ExprPtr Instantiation::roundingsOf(const Codelet &codelet, const std::vector<Value> &args) const {
  // A loop over elements turns at most as often as the containers have elements together.
  const auto [counted, isNew] = findings_->roundings.try_emplace(&codelet);
  if (isNew)
    counted->second = countRoundings(program_, codelet.body);
  const RoundingCount &count = counted->second;
  ExprPtr elements = intLiteral(1);
  for (const Value &arg : args) {
    if (const View *view = std::get_if<View>(&arg)) {
      for (const Dimension &d : view->dims)
        elements = add(elements, d.bound);
    }
  }
  ExprPtr known = add(intLiteral(count.fixed), mul(intLiteral(count.perElement), elements));
  if (!count.unknown)
    return known;
  return add(known, unknownRoundings());
}

} // namespace tangram::codegen
