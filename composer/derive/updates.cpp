#include "composer/derive/updates.h"

#include "composer/derive/source_text.h"
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

std::optional<Update::Kind> kindOf(ir::Operator op, ir::Scalar type) {
  if (op.isLogic())
    return type != ir::Scalar::Bool ? std::nullopt
           : op == "&&"             ? std::optional(Update::Kind::All)
                                    : std::optional(Update::Kind::Any);
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
    return onLeft || onRight ? kindOf(value->op, s->type.scalar) : std::nullopt;
  }
  const bool isFused = value->kind == ExprKind::Call && value->callee == "fma";
  if (isFused && isVariable(value->args[2], s) && !reads(value->args[0], s) &&
      !reads(value->args[1], s))
    return Update::Kind::Add;
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

/// Whether type `to` has every number of type `from`. Otherwise the number that is stored may not be the one that was compared.
bool holds(ir::Scalar to, ir::Scalar from) {
  if (to == from)
    return true;
  if (ir::isFloating(to) || ir::isFloating(from))
    return to == ir::Scalar::F64 && from == ir::Scalar::F32;
  const bool isLarger = ir::byteSize(to) > ir::byteSize(from);
  return isLarger && (ir::isSigned(to) || !ir::isSigned(from));
}

/// The kind of `a < b ? ... ` or `if (a < b)` that makes s the other one of the two compared.
std::optional<Update::Kind> kindOfChoice(const ExprPtr &condition, const ExprPtr &chosen,
                                         const ir::VarPtr &s) {
  if (condition->kind != ExprKind::Binary || !condition->op.isComparison() ||
      condition->op == "==" || condition->op == "!=" || reads(chosen, s) ||
      !holds(s->type.scalar, chosen->type.scalar))
    return std::nullopt;
  const bool less = condition->op == "<" || condition->op == "<=";
  if (isVariable(condition->args[0], s) && ir::sameExpr(condition->args[1], chosen))
    return less ? Update::Kind::Max : Update::Kind::Min;
  if (isVariable(condition->args[1], s) && ir::sameExpr(condition->args[0], chosen))
    return less ? Update::Kind::Min : Update::Kind::Max;
  return std::nullopt;
}

/// `found = true`, and `all = false`: the same in each round.
std::optional<Update::Kind> kindOfConstant(const ExprPtr &value) {
  const ir::Expr &bare = value->kind == ExprKind::Cast ? *value->args[0] : *value;
  if (bare.kind != ExprKind::Literal || !ir::isInteger(bare.type.scalar))
    return std::nullopt;
  return bare.integer == 1   ? std::optional(Update::Kind::Any)
         : bare.integer == 0 ? std::optional(Update::Kind::All)
                             : std::nullopt;
}

/// The update that an assignment is; `around`: the condition of an `if` that has nothing else in it, or null.
std::optional<Update> updateOf(const ir::Stmt &s, const ExprPtr &around) {
  if (s.kind != StmtKind::Assign || s.target->kind != ExprKind::Var)
    return std::nullopt;
  const ir::VarPtr &var = s.target->var;
  std::optional<Update::Kind> kind;
  const bool isGuarded = around && reads(around, var); // `if (n > 0) --n;`: order matters
  if (s.op != "=" && isGuarded) {
    return std::nullopt;
  } else if (s.op != "=") {
    kind = s.op == "-=" ? std::optional(Update::Kind::Add)
                        : kindOf(s.op.withoutAssignment(), var->type.scalar);
    const bool truncates = ir::isInteger(var->type.scalar) && ir::isFloating(s.value->type.scalar);
    if (reads(s.value, var) || truncates)
      kind = std::nullopt;
  } else if (isGuarded) {
    kind = kindOfChoice(around, s.value, var);
  } else if (s.value->kind == ExprKind::Select) {
    if (isVariable(s.value->args[2], var))
      kind = kindOfChoice(s.value->args[0], s.value->args[1], var);
  } else if (ir::isInteger(var->type.scalar) && kindOfConstant(s.value)) {
    kind = kindOfConstant(s.value);
  } else {
    kind = kindOfValue(s.value, var);
  }
  if (!kind)
    return std::nullopt;
  return Update{*kind, var, s.location};
}

/// The minimum or maximum with its places that an `if` without an `else` is.
std::optional<Update> updateWithPlaces(const ir::Stmt &s) {
  if (s.kind != StmtKind::If || s.children.size() != 1)
    return std::nullopt;
  std::vector<ir::StmtPtr> parts;
  flatten(s.children[0], parts);
  std::optional<Update> found;
  std::vector<ir::VarPtr> set;
  for (const ir::StmtPtr &part : parts) {
    if (part->kind != StmtKind::Assign || part->op != "=" || part->target->kind != ExprKind::Var ||
        std::ranges::find(set, part->target->var) != set.end())
      return std::nullopt;
    set.push_back(part->target->var);
    if (!reads(s.value, part->target->var))
      continue;
    const auto kind = kindOfChoice(s.value, part->value, part->target->var);
    if (!kind || found)
      return std::nullopt;
    found = Update{*kind, part->target->var, part->location};
  }
  if (!found || set.size() < 2)
    return std::nullopt;
  for (const ir::StmtPtr &part : parts) {
    for (const ir::VarPtr &var : set) {
      if (reads(part->value, var))
        return std::nullopt;
    }
    if (part->target->var != found->variable)
      found->places.push_back(part->target->var);
  }
  found->isLast = s.value->op == "<=" || s.value->op == ">=";
  return found;
}

/// Collects the updates of a body, and where its variables are read besides.
class Updates {
public:
  explicit Updates(std::vector<ir::VarPtr> carried) : carried_(std::move(carried)) {}

  void statement(const ir::StmtPtr &s) {
    if (!s || why)
      return;
    if (const auto update = updateWithPlaces(*s); update && areCarried(update->variables())) {
      ir::forEach(s, [&](const ir::Stmt &each) {
        ir::forEachOwnExpr(each, [&](const ExprPtr &e) {
          if (&each == s.get() || e != each.target)
            readsNoOther(e, *update);
        });
      });
      add(*update);
      return;
    }
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

  bool areCarried(const std::vector<ir::VarPtr> &vars) const {
    return std::ranges::all_of(vars, [&](const ir::VarPtr &var) { return isCarried(var); });
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
      const std::vector<ir::VarPtr> others = other.variables();
      if (std::ranges::find_first_of(others, update.variables()) == others.end())
        continue;
      const bool isSame = other.variable == update.variable && other.kind == update.kind &&
                          other.places == update.places && other.isLast == update.isLast;
      if (!isSame)
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

std::vector<ir::VarPtr> Update::variables() const {
  std::vector<ir::VarPtr> all{variable};
  all.insert(all.end(), places.begin(), places.end());
  return all;
}

const Update *LoopSums::single() const {
  return updates.size() == 1 && updates[0].places.empty() ? updates.data() : nullptr;
}

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
  return updatesOf(of.statement->children[2], carried);
}

LoopSums sumsInside(const Nest &nest, int outer, int loop) {
  const LoopSums sums = loopSums(nest, outer);
  if (sums.why || loop == outer)
    return sums;
  LoopSums inside = loopSums(nest, loop);
  if (inside.why)
    return inside;
  const auto isSummed = [](const LoopSums &of, const ir::VarPtr &variable) {
    return std::ranges::any_of(of.updates, [&](const Update &update) {
      return std::ranges::count(update.variables(), variable) != 0;
    });
  };
  const std::string &name = nest.loops[static_cast<std::size_t>(loop)].counter->name;
  for (const Update &update : inside.updates) {
    if (!isSummed(sums, update.variable))
      return {{},
              NestReason{"loop " + name + " adds up '" + update.variable->name +
                             "', of which something else is made",
                         update.location}};
  }
  for (const NestChange &change : nest.changes) {
    if (nest.isIn(change.loop, outer) && !nest.isIn(change.loop, loop) &&
        isSummed(sums, change.variable))
      return {{},
              NestReason{"'" + change.variable->name + "' is also changed outside of loop " + name,
                         change.statement->location}};
  }
  return inside;
}

LoopSums updatesOf(const ir::StmtPtr &body, std::vector<ir::VarPtr> variables) {
  Updates found(std::move(variables));
  found.statement(body);
  if (found.why)
    return {{}, found.why};
  return {found.updates, std::nullopt};
}

std::string identityOf(const Update &update) {
  const ir::Scalar type = update.variable->type.scalar;
  switch (update.kind) {
  case Update::Kind::Any:
    return type == ir::Scalar::Bool ? "false" : "0";
  case Update::Kind::All:
    return type == ir::Scalar::Bool ? "true" : "1";
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

ExprPtr named(const std::string &text, const ir::Type &type) {
  auto name = std::make_shared<ir::Var>();
  name->name = text;
  name->type = type;
  return ir::varRef(name);
}

namespace {

ExprPtr combinedExpr(const Update &update, const ExprPtr &a, const ExprPtr &b) {
  const bool isBool = update.variable->type.scalar == ir::Scalar::Bool;
  const auto zero = [&] { return ir::intLiteral(0, update.variable->type.scalar); };
  switch (update.kind) {
  case Update::Kind::Add:
    return ir::binary("+", a, b);
  case Update::Kind::Multiply:
    return ir::binary("*", a, b);
  case Update::Kind::And:
    return ir::binary("&", a, b);
  case Update::Kind::Or:
    return ir::binary("|", a, b);
  case Update::Kind::Xor:
    return ir::binary("^", a, b);
  case Update::Kind::Max:
    return ir::call("max", update.variable->type, {a, b});
  case Update::Kind::Min:
    return ir::call("min", update.variable->type, {a, b});
  case Update::Kind::Any:
    return isBool ? ir::binary("||", a, b) : ir::select(ir::binary("!=", b, zero()), b, a);
  case Update::Kind::All:
    return isBool ? ir::binary("&&", a, b) : ir::select(ir::binary("==", b, zero()), b, a);
  }
  return nullptr;
}

} // namespace

std::string combined(const Update &update, const std::string &a, const std::string &b) {
  const ir::Type type = ir::scalarType(update.variable->type.scalar);
  return sourceOf(combinedExpr(update, named(a, type), named(b, type)));
}

ExprPtr isBetter(const Update &update, const ExprPtr &a, const ExprPtr &b) {
  const bool isMin = update.kind == Update::Kind::Min;
  if (update.isLast)
    return isMin ? ir::binary("<=", a, b) : ir::binary(">=", a, b);
  return isMin ? ir::binary("<", a, b) : ir::binary(">", a, b);
}

ir::StmtPtr combining(const Update &update, const std::vector<ExprPtr> &all,
                      const std::vector<ExprPtr> &part, const ExprPtr &condition) {
  if (update.places.empty())
    return ir::assign(all[0], "=", combinedExpr(update, all[0], part[0]));
  const ExprPtr better = isBetter(update, part[0], all[0]);
  std::vector<ir::StmtPtr> sets;
  for (std::size_t i = 0; i < all.size(); ++i)
    sets.push_back(ir::assign(all[i], "=", part[i]));
  return ir::ifThen(condition ? ir::binary("&&", condition, better) : better, ir::block(sets));
}

ir::StmtPtr withMark(const ir::StmtPtr &body, const Update &update, const ir::VarPtr &variable,
                     const ExprPtr &value) {
  return ir::rewrite(body, [&](const ir::StmtPtr &s) -> ir::StmtPtr {
    if (s->kind != StmtKind::If)
      return s;
    const auto own = updateWithPlaces(*s);
    if (!own || own->variable != update.variable)
      return s;
    return ir::ifThen(s->value,
                      ir::block({s->children[0], ir::assign(ir::varRef(variable), "=", value)}),
                      nullptr, s->location);
  });
}

ir::StmtPtr withoutBranches(const ir::StmtPtr &body,
                            const std::function<std::string(const std::string &)> &fresh) {
  return ir::rewrite(body, [&](const ir::StmtPtr &s) -> ir::StmtPtr {
    const auto update = updateWithPlaces(*s);
    if (!update)
      return s;
    const auto local = [&](const std::string &wanted, const ir::Type &type) {
      auto made = std::make_shared<ir::Var>();
      made->name = fresh(wanted);
      made->type = type;
      return made;
    };
    const ir::VarPtr next = local(update->variable->name + "_next", update->variable->type);
    const ir::VarPtr takes =
        local(update->variable->name + "_takes", ir::scalarType(ir::Scalar::Bool));
    std::vector<ir::StmtPtr> sets;
    flatten(s->children[0], sets);
    ExprPtr value;
    for (ir::StmtPtr &set : sets) {
      const bool isOwn = set->target->var == update->variable;
      if (isOwn)
        value = set->value;
      set = ir::assign(
          set->target, "=",
          ir::select(ir::varRef(takes), isOwn ? ir::varRef(next) : set->value, set->target),
          set->location);
    }
    const ExprPtr condition = ir::rewrite(s->value, [&](const ExprPtr &each) {
      return ir::sameExpr(each, value) ? ir::varRef(next) : each;
    });
    sets.insert(sets.begin(), {ir::declare(next, value), ir::declare(takes, condition)});
    return ir::block(sets);
  });
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
  case Update::Kind::All:
    return "whether all rounds say so";
  case Update::Kind::Any:
    return "whether any round says so";
  default:
    return "bits joined";
  }
}

bool dependsOnOrder(const LoopSums &sums) {
  return std::ranges::any_of(sums.updates, [](const Update &update) {
    return (update.kind == Update::Kind::Add || update.kind == Update::Kind::Multiply) &&
           ir::isFloating(update.variable->type.scalar);
  });
}

} // namespace tangram::composer
