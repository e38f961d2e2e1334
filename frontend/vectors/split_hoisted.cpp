// What is said before a statement: calls of spectrums that give vectors, and what several components are made of.
#include "frontend/lowering/constants.h"
#include "frontend/vectors/split_body.h"

#include <utility>

namespace tangram::frontend {

using ir::ExprKind;
using ir::ExprPtr;

namespace {

/// Whether `e` is as short as its name would be.
bool isShort(const ir::Expr &e) {
  return e.kind == ExprKind::Literal || e.kind == ExprKind::Var || e.kind == ExprKind::CoopIdx ||
         e.kind == ExprKind::CoopDim || (e.kind == ExprKind::Cast && isShort(*e.args[0])) ||
         (isVector(e.type) && e.kind == ExprKind::Index) || (isComponent(e) && isShort(*e.args[0]));
}

bool givesVectors(const ir::Expr &e) {
  return e.type.lanes > 1 && (e.kind == ExprKind::SpectrumCall || e.kind == ExprKind::Map);
}

ExprPtr countOf(const ir::Expr &sequence, const ir::SourceLocation &place) {
  const ExprPtr *args = sequence.args.data() + (sequence.args.size() - 3);
  const ExprPtr most =
      ir::call("max", ir::scalarType(ir::Scalar::I64),
               {ir::cast(ir::Scalar::I64, args[0]), ir::cast(ir::Scalar::I64, args[2])}, place);
  const ExprPtr increment = ir::cast(ir::Scalar::I64, args[1]);
  const ExprPtr length = ir::binary("-", most, ir::cast(ir::Scalar::I64, args[0]), place);
  const ExprPtr one = integerAt(1, ir::Scalar::I64, place);
  return ir::cast(ir::Scalar::Index,
                  ir::binary("/",
                             ir::binary("-", ir::binary("+", length, increment, place), one, place),
                             increment, place));
}

} // namespace

/// How many elements a map has: parts of its first container that has some, or its elements.
ExprPtr BodySplitter::elementsOf(const ir::Expr &map) {
  const ir::Expr *sequence = nullptr;
  for (const ExprPtr &argument : map.args) {
    const ir::Expr &bare = argument->kind == ExprKind::Cast ? *argument->args[0] : *argument;
    if (bare.kind == ExprKind::Sequence && bare.args.size() > 1 && !sequence)
      sequence = &bare;
    if (bare.kind == ExprKind::Sequence || argument->kind == ExprKind::All ||
        !argument->type.isContainer())
      continue;
    if (argument->kind == ExprKind::Partition) {
      ExprPtr count = number(argument->args[1]);
      for (std::size_t cut = 5; cut < argument->args.size(); cut += 4)
        count = product(count, number(argument->args[cut]), map.location);
      return count;
    }
    return ir::node(ExprKind::Size, ir::scalarType(ir::Scalar::Index), {number(argument)},
                    map.location);
  }
  return number(countOf(*sequence, map.location));
}

/// `call`, of a spectrum that gives a vector or vectors, which go to memory of their own.
ExprPtr BodySplitter::resultOf(const ExprPtr &call, Stmts &into) {
  const ir::SourceLocation &place = call->location;
  const std::string family = call->callee.substr(0, call->callee.find('<'));
  ir::Var var;
  var.name = family + (call->kind == ExprKind::Map ? "_results" : "_result");
  var.location = place;
  var.type = call->type;
  const auto original = std::make_shared<const ir::Var>(var);
  var.type = ir::scalarType(call->type.scalar);
  var.type.rank = call->type.rank + 1;
  const auto memory = std::make_shared<const ir::Var>(std::move(var));
  std::vector<ExprPtr> extents;
  if (call->kind == ExprKind::Map)
    extents.push_back(elementsOf(*call));
  extents.push_back(integerAt(call->type.lanes, ir::Scalar::Index, place));
  into.push_back(ir::declare(
      memory, ir::node(ExprKind::Allocate, memory->type, std::move(extents), place), place));
  callInto(*call, ir::varRef(memory, place), into);
  memory_[original.get()] = memory;
  return ir::varRef(original, place);
}

/// A variable that has the value of `e`.
ExprPtr BodySplitter::named(const ExprPtr &e, const std::string &name, Stmts &into) {
  const auto known = names_.find(e);
  if (known != names_.end())
    return known->second;
  ir::Var var;
  var.name = name;
  var.type = e->type;
  var.location = e->location;
  const auto made = std::make_shared<const ir::Var>(std::move(var));
  declaration(*ir::declare(made, e, e->location), into);
  return names_[e] = ir::varRef(made, e->location);
}

ExprPtr BodySplitter::hoistedParts(const ExprPtr &e, Before allowed, Stmts &into) {
  const bool decides =
      e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic());
  std::vector<ExprPtr> args;
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    const bool sometimes = decides && i > 0 && allowed == Before::Anything;
    args.push_back(hoisted(e->args[i], sometimes ? Before::Calls : allowed, into));
  }
  return ir::withArgs(e, std::move(args));
}

/// `e` by the names of what is said before: what its components would be made of again and again.
ExprPtr BodySplitter::hoisted(const ExprPtr &e, Before allowed, Stmts &into) {
  if (!e)
    return e;
  const auto known = said_.find(e);
  if (known != said_.end())
    return known->second;
  if (givesVectors(*e) && allowed == Before::Nothing) {
    diagnostics_.push_back(
        ir::errorAt(e->location, "unsupported construct: spectrum '" + e->callee +
                                     "', which returns a vector, called in the head of a loop"));
    return e;
  }
  ExprPtr parts = hoistedParts(e, allowed, into);
  if (givesVectors(*e))
    return said_[e] = resultOf(parts, into);
  if (allowed != Before::Anything)
    return parts;
  std::vector<ExprPtr> args = parts->args;
  if (isComponent(*parts) && !isShort(*args[0]) && !isVectorOf(*args[0]))
    args[0] = named(args[0], "vector", into);
  const bool repeats =
      isVector(parts->type) &&
      (parts->kind == ExprKind::Binary ||
       (parts->kind == ExprKind::Call && (!isVectorOf(*parts) || args.size() == 1)));
  for (ExprPtr &arg : args) {
    const bool isPart = isVector(arg->type) && parts->kind == ExprKind::Binary;
    if (repeats && !isPart && !isShort(*arg))
      arg = named(arg, isVector(arg->type) ? "vector" : "factor", into);
  }
  return said_[e] = ir::withArgs(parts, std::move(args));
}

} // namespace tangram::frontend
