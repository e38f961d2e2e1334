#include "composer/derive/updates.h"

#include "composer/derive/statements.h"
#include <algorithm>
#include <limits>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestChange;
using algebra::NestReason;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;

bool isVariable(const ExprPtr &e, const ir::VarPtr &var) {
  return e->kind == ExprKind::Var && e->var == var;
}

bool reads(const ExprPtr &e, const ir::VarPtr &var) {
  return e && ir::contains(e, [&](const ir::Expr &each) {
           return each.kind == ExprKind::Var && each.var == var;
         });
}

std::optional<Update::Kind> kindOf(ir::Operator op) {
  if (op == "+")
    return Update::Kind::Add;
  if (op == "*")
    return Update::Kind::Multiply;
  if (op == "&")
    return Update::Kind::And;
  if (op == "|")
    return Update::Kind::Or;
  if (op == "^")
    return Update::Kind::Xor;
  return std::nullopt;
}

/// The kind of `s = value`.
std::optional<Update::Kind> kindOfValue(const ExprPtr &value, const ir::VarPtr &s) {
  if (value->kind == ExprKind::Binary) {
    const bool onLeft = isVariable(value->args[0], s) && !reads(value->args[1], s);
    const bool onRight = isVariable(value->args[1], s) && !reads(value->args[0], s);
    if (value->op == "-")
      return onLeft ? std::optional(Update::Kind::Add) : std::nullopt;
    return onLeft || onRight ? kindOf(value->op) : std::nullopt;
  }
  const bool isMax = value->callee == "max" || value->callee == "fmax";
  const bool isMin = value->callee == "min" || value->callee == "fmin";
  if (value->kind == ExprKind::Call && value->args.size() == 2 && (isMax || isMin)) {
    const bool once = (isVariable(value->args[0], s) && !reads(value->args[1], s)) ||
                      (isVariable(value->args[1], s) && !reads(value->args[0], s));
    if (once)
      return isMax ? Update::Kind::Max : Update::Kind::Min;
  }
  return std::nullopt;
}

/// The kind of `a < b ? ... ` or `if (a < b)` that makes s the other one of the two compared.
std::optional<Update::Kind> kindOfChoice(const ExprPtr &condition, const ExprPtr &chosen,
                                         const ir::VarPtr &s) {
  if (condition->kind != ExprKind::Binary || !condition->op.isComparison() ||
      condition->op == "==" || condition->op == "!=" || reads(chosen, s))
    return std::nullopt;
  const bool less = condition->op == "<" || condition->op == "<=";
  if (isVariable(condition->args[0], s) && ir::sameExpr(condition->args[1], chosen))
    return less ? Update::Kind::Max : Update::Kind::Min;
  if (isVariable(condition->args[1], s) && ir::sameExpr(condition->args[0], chosen))
    return less ? Update::Kind::Min : Update::Kind::Max;
  return std::nullopt;
}

/// The update that an assignment is; `around`: the condition of an `if` that has nothing else in it, or null.
std::optional<Update> updateOf(const ir::Stmt &s, const ExprPtr &around) {
  if (s.kind != StmtKind::Assign || s.target->kind != ExprKind::Var)
    return std::nullopt;
  const ir::VarPtr &var = s.target->var;
  std::optional<Update::Kind> kind;
  if (s.op != "=") {
    kind = s.op == "-=" ? std::optional(Update::Kind::Add) : kindOf(s.op.withoutAssignment());
    if (reads(s.value, var))
      kind = std::nullopt;
  } else if (around && reads(around, var)) {
    kind = kindOfChoice(around, s.value, var);
  } else if (s.value->kind == ExprKind::Select) {
    if (isVariable(s.value->args[2], var))
      kind = kindOfChoice(s.value->args[0], s.value->args[1], var);
  } else {
    kind = kindOfValue(s.value, var);
  }
  if (!kind)
    return std::nullopt;
  return Update{*kind, var, s.location};
}

/// Collects the updates of a body, and where its variables are read besides.
class Updates {
public:
  explicit Updates(std::vector<ir::VarPtr> carried) : carried_(std::move(carried)) {}

  void statement(const ir::StmtPtr &s) {
    if (!s || why)
      return;
    if (s->kind == StmtKind::If && s->children.size() == 1) {
      const ir::Stmt *inner = onlyStatement(s->children[0]);
      const auto update = updateOf(*inner, s->value);
      if (update && isCarried(update->variable) && reads(s->value, update->variable)) {
        readsNoOther(s->value, *update);
        readsNoOther(inner->value, *update);
        add(*update);
        return;
      }
    }
    if (s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var &&
        isCarried(s->target->var)) {
      if (const auto update = updateOf(*s, nullptr)) {
        readsNoOther(s->value, *update);
        add(*update);
      } else {
        why = {"'" + s->target->var->name + "' of one round is made of that of the one before",
               s->location};
      }
      return;
    }
    ir::forEachOwnExpr(*s, [&](const ExprPtr &e) {
      for (const ir::VarPtr &var : carried_) {
        if (!why && reads(e, var))
          why = {"'" + var->name + "' is read before the loop ends", s->location};
      }
    });
    for (const ir::StmtPtr &child : s->children)
      statement(child);
  }

  std::vector<Update> updates;
  std::optional<NestReason> why;

private:
  bool isCarried(const ir::VarPtr &var) const {
    return std::ranges::find(carried_, var) != carried_.end();
  }

  /// `fall = max(fall, top - x)` with a `top` of the rounds so far is none: in another order there would be another `top`.
  void readsNoOther(const ExprPtr &e, const Update &update) {
    for (const ir::VarPtr &var : carried_) {
      if (!why && var != update.variable && reads(e, var))
        why = {"'" + var->name + "' is read before the loop ends", update.location};
    }
  }

  void add(const Update &update) {
    for (const Update &other : updates) {
      if (other.variable != update.variable)
        continue;
      if (other.kind != update.kind)
        why = {"'" + update.variable->name + "' is updated in two ways", update.location};
      return;
    }
    updates.push_back(update);
  }

  std::vector<ir::VarPtr> carried_;
};

std::string literalOf(double value, ir::Scalar type) {
  const std::string text = std::to_string(static_cast<int>(value));
  return ir::isFloating(type) ? text + (type == ir::Scalar::F32 ? ".0f" : ".0") : text;
}

/// The smallest or largest integer of a type.
std::string endOfType(ir::Scalar type, bool smallest) {
  const unsigned bits = 8 * static_cast<unsigned>(ir::byteSize(type));
  if (!ir::isSigned(type))
    return smallest ? "0" : "~(" + ir::spelling(ir::scalarType(type)) + ")0";
  const std::int64_t most =
      bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
  const std::string suffix = bits == 64 ? "l" : "";
  return smallest ? "-" + std::to_string(most) + suffix + " - 1" : std::to_string(most) + suffix;
}

} // namespace

LoopSums loopSums(const Nest &nest, int loop) {
  const algebra::NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  if (of.leavesEarly)
    return {{}, algebra::whyNotApart(nest, loop, true)};
  std::vector<ir::VarPtr> carried;
  for (const NestChange &change : nest.changes) {
    if (!nest.isIn(change.loop, loop) || nest.isIn(change.declaredIn, loop))
      continue;
    if (change.variable->extent)
      return {{},
              NestReason{"array '" + change.variable->name + "' is changed",
                         change.statement->location}};
    if (std::ranges::find(carried, change.variable) == carried.end())
      carried.push_back(change.variable);
  }
  for (const algebra::NestAccess &access : nest.accesses) {
    if (access.writes && nest.isIn(access.loop, loop))
      return {{}, NestReason{"'" + access.array->name + "' is written", access.location()}};
  }
  if (carried.empty())
    return {{},
            NestReason{"loop " + of.counter->name + " changes nothing", of.statement->location}};
  Updates found(carried);
  found.statement(of.statement->children[2]);
  if (found.why)
    return {{}, found.why};
  return {found.updates, std::nullopt};
}

std::string identityOf(const Update &update) {
  const ir::Scalar type = update.variable->type.scalar;
  switch (update.kind) {
  case Update::Kind::Add:
  case Update::Kind::Or:
  case Update::Kind::Xor:
    return literalOf(0, type);
  case Update::Kind::Multiply:
    return literalOf(1, type);
  case Update::Kind::And:
    return "~(" + ir::spelling(ir::scalarType(type)) + ")0";
  case Update::Kind::Max:
    return ir::isFloating(type) ? "-INFINITY" : endOfType(type, true);
  case Update::Kind::Min:
    return ir::isFloating(type) ? "INFINITY" : endOfType(type, false);
  }
  return "";
}

std::string combined(const Update &update, const std::string &a, const std::string &b) {
  switch (update.kind) {
  case Update::Kind::Add:
    return a + " + " + b;
  case Update::Kind::Multiply:
    return a + " * " + b;
  case Update::Kind::And:
    return a + " & " + b;
  case Update::Kind::Or:
    return a + " | " + b;
  case Update::Kind::Xor:
    return a + " ^ " + b;
  case Update::Kind::Max:
    return "max(" + a + ", " + b + ")";
  case Update::Kind::Min:
    return "min(" + a + ", " + b + ")";
  }
  return "";
}

std::string nameOf(Update::Kind kind) {
  switch (kind) {
  case Update::Kind::Add:
    return "a sum";
  case Update::Kind::Multiply:
    return "a product";
  case Update::Kind::Min:
    return "a minimum";
  case Update::Kind::Max:
    return "a maximum";
  default:
    return "bits joined";
  }
}

} // namespace tangram::composer
