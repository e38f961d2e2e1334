#include "frontend/lowering/constants.h"
#include "frontend/vectors/split_body.h"

#include <algorithm>
#include <utility>

namespace tangram::frontend {

using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

/// The variable whose elements or components `target` names; of a view, what it is a view of.
const ir::Var *BodySplitter::rootOf(const ir::Expr &target) const {
  const ir::Expr *base = &target;
  while (base->kind != ExprKind::Var && !base->args.empty())
    base = base->args[0].get();
  const auto viewed = viewed_.find(base->var.get());
  return viewed == viewed_.end() ? base->var.get() : viewed->second;
}

bool BodySplitter::mentions(const ExprPtr &e, const ir::Var *root) const {
  return ir::contains(e, [&](const ir::Expr &each) { return each.var && rootOf(each) == root; });
}

/// Whether component k of `e` reads of `root` nothing but components k.
bool BodySplitter::isComponentwise(const ExprPtr &e, const ir::Var *root) const {
  if (!isVector(e->type))
    return !mentions(e, root);
  switch (e->kind) {
  case ExprKind::Var:
    return true;
  case ExprKind::Index:
    return std::none_of(e->args.begin() + 1, e->args.end(),
                        [&](const ExprPtr &each) { return mentions(each, root); });
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Select:
    return std::ranges::all_of(e->args,
                               [&](const ExprPtr &each) { return isComponentwise(each, root); });
  default:
    return !mentions(e, root);
  }
}

StmtPtr BodySplitter::codelet(const StmtPtr &body, bool cooperative, const ir::VarPtr &result) {
  cooperative_ = cooperative;
  result_ = result;
  Stmts statements;
  for (const auto &[original, memory] : memory_) {
    const auto last = static_cast<std::int64_t>(original->type.rank);
    const ExprPtr size =
        ir::node(ExprKind::Size, ir::scalarType(ir::Scalar::Index),
                 {ir::varRef(memory, memory->location)}, memory->location, {}, last);
    statements.push_back(ir::require(
        ir::binary("==", size, integerAt(original->type.lanes, ir::Scalar::Index, memory->location),
                   memory->location),
        memory->location));
  }
  std::ranges::sort(statements, {}, [](const StmtPtr &s) { return s->location; });
  for (const StmtPtr &child : body->children)
    statement(child, statements);
  // What is returned last ends the body anyway.
  if (result && !statements.empty() && statements.back()->kind == StmtKind::Return)
    statements.pop_back();
  return ir::block(std::move(statements), body->location);
}

StmtPtr BodySplitter::function(const StmtPtr &body, unsigned k) {
  returnedComponent_ = k;
  Stmts statements;
  for (const StmtPtr &child : body->children)
    statement(child, statements);
  return ir::block(std::move(statements), body->location);
}

StmtPtr BodySplitter::substatement(const StmtPtr &s) {
  if (!s)
    return s;
  Stmts statements;
  statement(s, statements);
  return statements.size() == 1 ? statements.front()
                                : ir::block(std::move(statements), s->location);
}

void BodySplitter::statement(const StmtPtr &s, Stmts &into) {
  forgetNames();
  switch (s->kind) {
  case StmtKind::Block: {
    Stmts children;
    for (const StmtPtr &child : s->children)
      statement(child, children);
    into.push_back(ir::withChildren(s, std::move(children)));
    return;
  }
  case StmtKind::Decl:
    return declaration(*s, into);
  case StmtKind::Assign:
    return assignment(*s, into);
  case StmtKind::If: {
    const ExprPtr condition = number(hoisted(s->value, Before::Anything, into));
    into.push_back(ir::ifThen(condition, substatement(s->children[0]),
                              s->children.size() > 1 ? substatement(s->children[1]) : nullptr,
                              s->location));
    return;
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    return loop(*s, into);
  case StmtKind::Return:
    return returned(*s, into);
  case StmtKind::Eval: {
    const ExprPtr value = hoisted(s->value, Before::Anything, into);
    if (value->kind != ExprKind::Var) // a call that is said already
      into.push_back(ir::eval(number(value), s->location));
    return;
  }
  case StmtKind::Require:
    into.push_back(ir::require(number(s->value), s->location));
    return;
  case StmtKind::Break:
  case StmtKind::Continue:
    into.push_back(s);
    return;
  default: // statements of kernels, which no codelet has
    diagnostics_.push_back(
        ir::errorAt(s->location, "unsupported construct: statement among vectors"));
  }
}

void BodySplitter::declaration(const ir::Stmt &s, Stmts &into) {
  const ir::Var &var = *s.var;
  const ExprPtr value = hoisted(s.value, Before::Anything, into);
  if (var.type.lanes == 1) {
    into.push_back(ir::declare(s.var, number(value), s.location));
    return;
  }
  if (value && value->kind == ExprKind::Var && var.type.isContainer() && value != s.value) {
    memory_[&var] = memory_.at(value->var.get()); // a map's results by another name
    return;
  }
  if (value && var.type.isContainer() && value->kind != ExprKind::Allocate &&
      value->kind != ExprKind::Map)
    viewed_[&var] = rootOf(*value);
  ir::Var part = var;
  part.type = withoutVectors(var.type);
  if (var.type.isContainer() || var.extent || var.kind == ir::VarKind::Shared) {
    const ExprPtr lanes = integerAt(var.type.lanes, ir::Scalar::Index, var.location);
    if (!var.type.isContainer())
      part.extent = var.extent ? product(number(var.extent), lanes, var.location) : lanes;
    memory_[&var] = std::make_shared<const ir::Var>(std::move(part));
    into.push_back(ir::declare(memory_[&var], number(value), s.location));
    return;
  }
  std::vector<ir::VarPtr> parts;
  for (unsigned k = 0; k < var.type.lanes; ++k) {
    part.name = var.name + "_" + componentName(k);
    parts.push_back(std::make_shared<const ir::Var>(part));
    into.push_back(ir::declare(parts.back(), value ? component(value, k) : nullptr, s.location));
  }
  components_[&var] = std::move(parts);
}

/// A spectrum that gives vectors writes them to `place`.
void BodySplitter::callInto(const ir::Expr &call, const ExprPtr &place, Stmts &into) {
  std::vector<ExprPtr> args = spectrumArguments(call);
  args.push_back(place);
  ir::Expr made = call;
  made.type = ir::scalarType(ir::Scalar::Void);
  made.args = std::move(args);
  into.push_back(ir::eval(std::make_shared<const ir::Expr>(std::move(made)), call.location));
}

void BodySplitter::assignment(const ir::Stmt &s, Stmts &into) {
  if (isVector(s.target->type))
    return vectorAssignment(s, into);
  const ExprPtr target = hoistedParts(s.target, Before::Calls, into);
  if (s.target->type.isContainer() && s.value->type.lanes > 1) // y = map(f, c...)
    return callInto(*hoistedParts(s.value, Before::Anything, into), number(target), into);
  into.push_back(ir::assign(number(target), s.op, number(hoisted(s.value, Before::Anything, into)),
                            s.location));
}

void BodySplitter::vectorAssignment(const ir::Stmt &s, Stmts &into) {
  const ir::Var *root = rootOf(*s.target);
  const bool isElement = s.target->kind == ExprKind::Index;
  // The element is the same one for all components.
  ExprPtr target = s.target;
  if (isElement) {
    std::vector<ExprPtr> args{s.target->args[0]};
    for (std::size_t i = 1; i < s.target->args.size(); ++i) {
      const ExprPtr subscript = hoisted(s.target->args[i], Before::Anything, into);
      args.push_back(mentions(subscript, root) ? named(subscript, "at", into) : subscript);
    }
    target = ir::withArgs(s.target, std::move(args));
  }
  if (isElement && s.op == "=" && s.value->kind == ExprKind::SpectrumCall &&
      s.target->args[0]->type.isContainer()) {
    const ExprPtr call = hoistedParts(s.value, Before::Anything, into);
    if (!mentions(call, root)) {
      std::vector<ExprPtr> subscripts;
      for (std::size_t i = 1; i < target->args.size(); ++i)
        subscripts.push_back(number(target->args[i]));
      return callInto(*call, ir::index(number(target->args[0]), std::move(subscripts), s.location),
                      into);
    }
  }
  const ExprPtr value = hoisted(s.value, Before::Anything, into);
  const bool isShared = cooperative_ && root->kind != ir::VarKind::Local;
  const bool reads = mentions(value, root) || (isShared && s.op != "=");
  std::vector<ExprPtr> values;
  for (unsigned k = 0; k < target->type.lanes; ++k)
    values.push_back(component(value, k));
  ir::Operator op = s.op;
  if (reads && (isShared || !isComponentwise(value, root))) {
    // All is read before anything is written.
    for (unsigned k = 0; k < values.size(); ++k) {
      if (s.op != "=")
        values[k] =
            ir::binary(s.op.withoutAssignment(), component(target, k), values[k], s.location);
      ir::Var var;
      var.name = "value_" + componentName(k);
      var.type = ir::scalarType(target->type.scalar);
      var.location = s.location;
      const auto made = std::make_shared<const ir::Var>(std::move(var));
      into.push_back(ir::declare(made, values[k], s.location));
      values[k] = ir::varRef(made, s.location);
    }
    op = "=";
  }
  for (unsigned k = 0; k < values.size(); ++k)
    into.push_back(ir::assign(component(target, k), op, values[k], s.location));
}

void BodySplitter::returned(const ir::Stmt &s, Stmts &into) {
  if (!s.value || !result_) {
    const ExprPtr value = s.value ? hoisted(s.value, Before::Anything, into) : nullptr;
    into.push_back(ir::returns(value ? component(value, returnedComponent_) : nullptr, s.location));
    return;
  }
  const ExprPtr place = ir::varRef(result_, s.location);
  if (s.value->kind == ExprKind::SpectrumCall) {
    callInto(*hoistedParts(s.value, Before::Anything, into), place, into);
  } else {
    const ExprPtr value = hoisted(s.value, Before::Anything, into);
    for (unsigned k = 0; k < value->type.lanes; ++k)
      into.push_back(
          ir::assign(ir::index(place, {integerAt(k, ir::Scalar::Index, s.location)}, s.location),
                     "=", component(value, k), s.location));
  }
  into.push_back(ir::returns(nullptr, s.location));
}

void BodySplitter::loop(const ir::Stmt &s, Stmts &into) {
  Stmts none;
  if (s.kind != StmtKind::For) {
    const ExprPtr condition = number(hoisted(s.value, Before::Nothing, none));
    const StmtPtr body = substatement(s.children[0]);
    into.push_back(s.kind == StmtKind::While ? ir::whileLoop(condition, body, s.location)
                                             : ir::doWhile(body, condition, s.location));
    return;
  }
  Stmts init;
  if (s.children[0])
    statement(s.children[0], init);
  forgetNames();
  const ExprPtr condition = number(hoisted(s.value, Before::Nothing, none));
  StmtPtr increment = substatement(s.children[1]);
  StmtPtr body = substatement(s.children[2]);
  if (increment && increment->kind == StmtKind::Block) {
    diagnostics_.push_back(ir::errorAt(
        s.children[1]->location, "unsupported construct: vector changed in the head of a loop; "
                                 "change it at the end of the body"));
    increment = nullptr;
  }
  if (init.size() <= 1) {
    into.push_back(
        ir::forLoop(init.empty() ? nullptr : init.front(), condition, increment, body, s.location));
    return;
  }
  init.push_back(ir::forLoop(nullptr, condition, increment, body, s.location));
  into.push_back(ir::block(std::move(init), s.location));
}

} // namespace tangram::frontend
