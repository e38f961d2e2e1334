#include "frontend/vectors/split_body.h"

#include "frontend/lowering/constants.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

using ir::ExprKind;
using ir::ExprPtr;

ir::Type withoutVectors(ir::Type type) {
  if (type.isContainer() && type.lanes > 1)
    ++type.rank;
  type.lanes = 1;
  return type;
}

std::vector<ir::VarPtr> BodySplitter::parameters(const std::vector<ir::VarPtr> &params) {
  std::vector<ir::VarPtr> all;
  for (const ir::VarPtr &param : params) {
    if (param->type.lanes == 1) {
      all.push_back(param);
      continue;
    }
    ir::Var part = *param;
    part.type = withoutVectors(param->type);
    if (param->type.isContainer()) {
      all.push_back(memory_[param.get()] = std::make_shared<const ir::Var>(std::move(part)));
      continue;
    }
    for (unsigned k = 0; k < param->type.lanes; ++k) {
      part.name = param->name + "_" + componentName(k);
      while (
          std::ranges::any_of(params, [&](const auto &other) { return other->name == part.name; }))
        part.name += "_";
      components_[param.get()].push_back(std::make_shared<const ir::Var>(part));
    }
    const std::vector<ir::VarPtr> &parts = components_[param.get()];
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

/// A number or a container of which no part is a vector any more.
ExprPtr BodySplitter::number(const ExprPtr &e) const {
  if (!e)
    return e;
  if (isComponent(*e))
    return component(e->args[0], static_cast<unsigned>(e->args[1]->integer));
  if (e->kind == ExprKind::Var) {
    const auto memory = memory_.find(e->var.get());
    return memory == memory_.end() ? e : ir::varRef(memory->second, e->location);
  }
  std::vector<ExprPtr> args;
  if (e->kind == ExprKind::SpectrumCall || e->kind == ExprKind::Map)
    args = spectrumArguments(*e);
  else
    args = arguments(*e);
  if (e->kind == ExprKind::Allocate && e->type.lanes > 1)
    args.push_back(integerAt(e->type.lanes, ir::Scalar::Index, e->location));
  const ir::Type type = withoutVectors(e->type);
  if (type == e->type)
    return ir::withArgs(e, std::move(args));
  ir::Expr changed = *e;
  changed.type = type;
  changed.args = std::move(args);
  return std::make_shared<const ir::Expr>(std::move(changed));
}

std::vector<ExprPtr> BodySplitter::arguments(const ir::Expr &call) const {
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : call.args) {
    for (unsigned k = 0; k < (isVector(arg->type) ? arg->type.lanes : 1); ++k)
      args.push_back(component(arg, k));
  }
  return args;
}

/// What a map hands to a parameter: of a container whose elements it takes as numbers, the columns.
void BodySplitter::mapArgument(const ExprPtr &argument, const ir::Type &parameter,
                               std::vector<ExprPtr> &into) const {
  if (!isVector(parameter)) {
    into.push_back(number(argument));
    return;
  }
  for (unsigned k = 0; k < parameter.lanes; ++k) {
    if (isVector(argument->type)) {
      into.push_back(component(argument, k));
      continue;
    }
    const ExprPtr container = number(argument);
    const ExprPtr columns =
        ir::node(ExprKind::Transpose, container->type, {container}, argument->location);
    into.push_back(ir::index(columns, {integerAt(k, ir::Scalar::Index, argument->location)},
                             argument->location));
  }
}

std::vector<ExprPtr> BodySplitter::spectrumArguments(const ir::Expr &e) const {
  const ir::Spectrum *callee = program_.original.spectrum(e.callee);
  if (e.kind == ExprKind::SpectrumCall || callee == nullptr)
    return arguments(e);
  std::vector<ExprPtr> args;
  for (std::size_t i = 0; i < e.args.size(); ++i)
    mapArgument(e.args[i], callee->params[i]->type, args);
  return args;
}

/// Component number `k` of an element, or of a vector in memory.
ExprPtr BodySplitter::element(const ir::Expr &vector, unsigned k) const {
  const ir::SourceLocation &place = vector.location;
  const ExprPtr last = integerAt(k, ir::Scalar::Index, place);
  if (vector.kind == ExprKind::Var)
    return ir::index(ir::varRef(memory_.at(vector.var.get()), place), {last}, place);
  std::vector<ExprPtr> subscripts;
  for (std::size_t i = 1; i < vector.args.size(); ++i)
    subscripts.push_back(number(vector.args[i]));
  if (vector.args[0]->type.isContainer()) {
    subscripts.push_back(last);
  } else { // of an array, whose elements lie side by side
    const auto lanes = static_cast<std::int64_t>(vector.type.lanes);
    const ExprPtr first = product(subscripts[0], integerAt(lanes, ir::Scalar::Index, place), place);
    subscripts = {ir::literalValue(first)
                      ? integerAt(*ir::literalValue(first) + k, ir::Scalar::Index, place)
                  : k == 0 ? first
                           : ir::binary("+", first, last, place)};
  }
  return ir::index(number(vector.args[0]), std::move(subscripts), place);
}

/// Component number `k`; of a number, which stands for a vector of it, the number.
ExprPtr BodySplitter::component(const ExprPtr &vector, unsigned k) const {
  if (!isVector(vector->type))
    return number(vector);
  const ir::SourceLocation &place = vector->location;
  switch (vector->kind) {
  case ExprKind::Var: {
    const auto parts = components_.find(vector->var.get());
    return parts == components_.end() ? element(*vector, k) : ir::varRef(parts->second[k], place);
  }
  case ExprKind::Index:
    return element(*vector, k);
  case ExprKind::Unary:
    return ir::unary(vector->op, component(vector->args[0], k), place);
  case ExprKind::Binary:
    return ir::binary(vector->op, component(vector->args[0], k), component(vector->args[1], k),
                      place);
  case ExprKind::Select:
    return ir::select(number(vector->args[0]), component(vector->args[1], k),
                      component(vector->args[2], k), place);
  case ExprKind::Call:
    if (isVectorOf(*vector))
      return number(vector->args[vector->args.size() == 1 ? 0 : k]);
    return ir::call(program_.componentFunctions.at(vector->callee)[k],
                    ir::scalarType(vector->type.scalar), arguments(*vector), place);
  default: // calls of spectrums where none can be
    if (!ir::hasErrors(diagnostics_))
      diagnostics_.push_back(
          ir::errorAt(place, "unsupported construct: vector made in this place"));
    return convert(integerAt(0, ir::Scalar::I32, place), vector->type.scalar);
  }
}

} // namespace tangram::frontend
