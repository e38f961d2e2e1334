#include "codegen/interpreter/code_builder.h"

#include "codegen/form/statement_text.h"

#include <algorithm>
#include <cstring>

namespace tangram::codegen::interpreting {

using namespace ir;

CodeBuilder::CodeBuilder(const LoweredPlan &plan, Machine::Code &code) : plan_(plan), code_(code) {
  code_.sites.emplace_back();
  for (const Buffer &b : plan.buffers) {
    arrays_[b.var.get()] = static_cast<std::uint32_t>(code_.arrays.size());
    auto owner = b.space == Space::Global ? ArraySlot::Owner::Everybody : ArraySlot::Owner::Group;
    code_.arrays.push_back({b.var->name, b.var->type.scalar, owner, &b, 0});
  }
  std::set<const Var *> initialized;
  follow(plan.body, initialized);
  for (const Function *f : plan.functions)
    follow(f->body, initialized);
}

/// A variable that some declaration gives no value is followed.
void CodeBuilder::follow(const StmtPtr &body, std::set<const Var *> &initialized) {
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && !s.var->extent && !s.value)
      followed_.insert(s.var.get());
    if (s.kind == StmtKind::Decl)
      initialized.insert(s.var.get());
  });
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind == ExprKind::Var && e.var->kind == VarKind::Local && !e.var->extent &&
        !initialized.contains(e.var.get()))
      followed_.insert(e.var.get());
  });
}

std::uint32_t CodeBuilder::newRegister() {
  code_.registers.push_back({0});
  return static_cast<std::uint32_t>(code_.registers.size() - 1);
}

std::uint32_t CodeBuilder::registerOf(const Var *var) {
  auto [known, isNew] = registers_.try_emplace(var, 0);
  if (isNew) {
    known->second = newRegister();
    code_.variables[known->second] = var->name;
  }
  return known->second;
}

std::optional<std::uint32_t> CodeBuilder::knownRegister(const Var *var) const {
  auto known = registers_.find(var);
  return known == registers_.end() ? std::nullopt : std::optional(known->second);
}

Operand CodeBuilder::constant(std::uint64_t value, Scalar type) {
  auto [known, isNew] = constants_.try_emplace({value, type}, 0);
  if (isNew) {
    known->second = newRegister();
    code_.registers[known->second].u = value;
  }
  return {known->second, type};
}

std::uint32_t CodeBuilder::temporary() {
  if (temporariesInUse_ == temporaries_.size())
    temporaries_.push_back(newRegister());
  return temporaries_[temporariesInUse_++];
}

std::size_t CodeBuilder::emit(Handler run, std::uint32_t to, std::uint32_t a, std::uint32_t b,
                              std::uint32_t extra) {
  if (!run)
    throw Unknown{"an operation on this type", code_.sites[site_].location};
  code_.instructions.push_back({run, to, a, b, site_, extra});
  return code_.instructions.size() - 1;
}

void CodeBuilder::land(std::size_t jump) {
  code_.instructions[jump].extra = static_cast<std::uint32_t>(here());
  landed_ = here();
}

void CodeBuilder::enter(const Stmt &s) {
  code_.sites.push_back({locationOf(s), statementText(s)});
  site_ = static_cast<std::uint32_t>(code_.sites.size() - 1);
}

Operand CodeBuilder::literal(const Expr &e) {
  Value v{0};
  if (e.type.scalar == Scalar::F32)
    v.f = static_cast<float>(e.real);
  else if (e.type.scalar == Scalar::F64)
    v.d = e.real;
  else
    withType(e.type.scalar, [&]<class T>(T) { v = valueOf<T>(static_cast<T>(e.integer)); });
  return constant(v.u, e.type.scalar);
}

Operand CodeBuilder::variable(const Expr &e) {
  const std::uint32_t at = registerOf(e.var.get());
  if (isFollowed(e.var.get()))
    emit(checkSet, 0, at);
  return {at, e.var->type.scalar};
}

Operand CodeBuilder::converted(const Operand &from, Scalar to) {
  if (from.type == to)
    return from;
  // Integers are kept extended: one that fits needs nothing done.
  const bool integers = isInteger(from.type) && isInteger(to) && to != Scalar::Bool;
  const bool fits = byteSize(to) == 8 ||
                    (byteSize(to) > byteSize(from.type) && (isSigned(to) || !isSigned(from.type)));
  if (integers && fits)
    return {from.at, to};
  const std::uint32_t at = temporary();
  emit(conversion(from.type, to), at, from.at);
  return {at, to};
}

Operand CodeBuilder::condition(const ExprPtr &e) { return converted(value(e), Scalar::Bool); }

void CodeBuilder::moveInto(std::uint32_t to, const Operand &from) {
  if (from.at == to)
    return;
  const bool fresh =
      temporariesInUse_ != 0 && !code_.instructions.empty() && landed_ != here() &&
      code_.instructions.back().to == from.at && code_.instructions.back().to != 0 &&
      std::find(temporaries_.begin(), temporaries_.end(), from.at) != temporaries_.end();
  if (fresh && code_.instructions.back().run != move)
    code_.instructions.back().to = to;
  else
    emit(move, to, from.at);
}

void CodeBuilder::into(std::uint32_t to, Scalar type, const ExprPtr &e) {
  moveInto(to, converted(value(e), type));
}

std::uint32_t CodeBuilder::arrayOf(const Var *var) {
  auto [known, isNew] = arrays_.try_emplace(var, static_cast<std::uint32_t>(code_.arrays.size()));
  if (isNew) {
    if (!var->extent)
      throw Unknown{"memory called " + var->name + ", which the plan does not declare",
                    var->location};
    code_.arrays.push_back({var->name, var->type.scalar, ArraySlot::Owner::Worker, nullptr, 0});
  }
  return known->second;
}

CodeBuilder::Element CodeBuilder::element(const Expr &access) {
  if (access.kind != ExprKind::Index || access.args[0]->kind != ExprKind::Var ||
      access.args.size() != 2)
    throw Unknown{"the access " + toString(std::make_shared<Expr>(access)), access.location};
  const Var *base = access.args[0]->var.get();
  const Operand index = value(access.args[1]);
  return {arrayOf(base), index.at, base->type.scalar};
}

Operand CodeBuilder::combined(Operator op, Operand a, Operand b) {
  Scalar type = commonScalar(a.type, b.type);
  if (op.isShift()) {
    type = commonScalar(a.type, a.type);
    b = converted(b, Scalar::I64);
  } else {
    b = converted(b, type);
  }
  a = converted(a, type);
  const std::uint32_t at = temporary();
  emit(binaryOperation(op, type), at, a.at, b.at);
  return {at, op.isComparison() ? Scalar::Bool : type};
}

/// && and ||: the second is looked at only when it matters.
Operand CodeBuilder::logic(const Expr &e) {
  const std::uint32_t at = temporary();
  emit(move, at, condition(e.args[0]).at);
  const std::size_t decided = emitJump(e.op == "&&" ? jumpIfFalse : jumpIfTrue, at);
  emit(move, at, condition(e.args[1]).at);
  land(decided);
  return {at, Scalar::Bool};
}

Operand CodeBuilder::select(const Expr &e) {
  const Scalar type = e.args[1]->type.scalar == e.args[2]->type.scalar
                          ? e.args[1]->type.scalar
                          : commonScalar(e.args[1]->type.scalar, e.args[2]->type.scalar);
  const std::uint32_t at = temporary();
  const std::size_t otherwise = emitJump(jumpIfFalse, condition(e.args[0]).at);
  emit(move, at, converted(value(e.args[1]), type).at);
  const std::size_t done = emitJump(jump);
  land(otherwise);
  emit(move, at, converted(value(e.args[2]), type).at);
  land(done);
  return {at, type};
}

Operand CodeBuilder::inlined(const Function &f, const Expr &e) {
  std::vector<std::uint32_t> arguments;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    arguments.push_back(temporary());
    emit(move, arguments.back(), converted(value(e.args[i]), f.params[i]->type.scalar).at);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    emit(move, registerOf(f.params[i].get()), arguments[i]);
  const std::uint32_t at = temporary();
  returns_.push_back({at, f.result.scalar, {}});
  const std::uint32_t site = site_;
  const std::size_t inUse = temporariesInUse_;
  // The function's statements must not reuse what this expression still needs.
  std::vector<std::uint32_t> mine(temporaries_.begin(),
                                  temporaries_.begin() + static_cast<std::ptrdiff_t>(inUse));
  temporaries_.erase(temporaries_.begin(),
                     temporaries_.begin() + static_cast<std::ptrdiff_t>(inUse));
  temporariesInUse_ = 0;
  function(f);
  temporaries_.insert(temporaries_.begin(), mine.begin(), mine.end());
  temporariesInUse_ = inUse;
  site_ = site;
  for (std::size_t jump : returns_.back().jumps)
    land(jump);
  returns_.pop_back();
  return {at, f.result.scalar};
}

Operand CodeBuilder::call(const Expr &e) {
  for (const Function *f : plan_.functions) {
    if (f->name == e.callee)
      return inlined(*f, e);
  }
  const Scalar type = e.type.scalar;
  // The bits of a number as one of another type.
  if (e.callee.starts_with("as_") && e.args.size() == 1) {
    const Operand bits = value(e.args[0]);
    const std::uint32_t same = temporary();
    emit(move, same, bits.at);
    return {same, type};
  }
  Handler run = interpreting::function(e.callee, type);
  if (!run || e.args.empty() || e.args.size() > 3)
    throw Unknown{"a call of " + e.callee, e.location};
  std::array<std::uint32_t, 3> args{};
  for (std::size_t i = 0; i < e.args.size(); ++i)
    args[i] = converted(value(e.args[i]), type).at;
  const std::uint32_t at = temporary();
  emit(run, at, args[0], args[1], args[2]);
  return {at, type};
}

Operand CodeBuilder::atomicOperation(const Expr &e) {
  const Element place = element(*e.args[0]);
  const std::uint32_t first = newRegister();
  const std::uint32_t second = newRegister();
  for (std::size_t i = 1; i < e.args.size() && i < 3; ++i)
    emit(move, i == 1 ? first : second, converted(value(e.args[i]), place.type).at);
  const std::uint32_t at = temporary();
  const Buffer *buffer = code_.arrays[place.array].buffer;
  const bool counts = buffer && buffer->countsGroups && e.op == "add";
  emit(counts ? countingOfGroups() : interpreting::atomic(e.op, place.type), at, place.index, first,
       place.array);
  return {at, place.type};
}

Operand CodeBuilder::value(const ExprPtr &e) {
  switch (e->kind) {
  case ExprKind::Literal:
    return literal(*e);
  case ExprKind::Var:
    return variable(*e);
  case ExprKind::Unary: {
    Operand a = value(e->args[0]);
    const Scalar type = e->op == "!" ? Scalar::Bool : commonScalar(a.type, a.type);
    a = converted(a, type);
    const std::uint32_t at = temporary();
    emit(unaryOperation(e->op, type), at, a.at);
    return {at, type};
  }
  case ExprKind::Binary: {
    if (e->op.isLogic())
      return logic(*e);
    const Operand a = value(e->args[0]);
    return combined(e->op, a, value(e->args[1]));
  }
  case ExprKind::Select:
    return select(*e);
  case ExprKind::Cast:
    return converted(value(e->args[0]), e->type.scalar);
  case ExprKind::Call:
    return call(*e);
  case ExprKind::Index: {
    const Element place = element(*e);
    const std::uint32_t at = temporary();
    emit(load(place.type), at, place.index, 0, place.array);
    return {at, place.type};
  }
  case ExprKind::Atomic:
    return atomicOperation(*e);
  default:
    throw Unknown{"the expression " + toString(e), e->location};
  }
}

} // namespace tangram::codegen::interpreting
