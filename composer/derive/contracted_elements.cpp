#include "composer/derive/contracted_elements.h"

#include "algebra/nests.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using ir::Expr;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

using Statements = std::vector<StmtPtr>;

bool isElementOf(const Expr &e, const ir::Var *array) {
  return e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
         e.args[0]->var.get() == array;
}

bool assigns(const StmtPtr &s, const ir::Var *variable) {
  bool found = false;
  ir::forEach(s, [&](const Stmt &each) {
    found |= each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
             each.target->var.get() == variable;
  });
  return found;
}

StmtPtr replaced(const StmtPtr &s, const std::function<bool(const Expr &)> &isIt,
                 const ExprPtr &by) {
  return ir::mapExprs(s, [&](const ExprPtr &e) {
    return ir::rewrite(e, [&](const ExprPtr &each) { return isIt(*each) ? by : each; });
  });
}

/// A number converted to another type: as one of that type where it is the same number.
ExprPtr literalAs(const ExprPtr &literal, ir::Scalar type) {
  if (literal->type.scalar == type)
    return literal;
  const double value =
      ir::isFloating(literal->type.scalar) ? literal->real : static_cast<double>(literal->integer);
  const bool isSame =
      ir::isFloating(type) && static_cast<double>(static_cast<float>(value)) == value;
  return isSame ? ir::realLiteral(value, type) : ir::cast(type, literal);
}

class Contractor {
public:
  Contractor(const ir::Codelet &codelet, const std::set<const ir::Var *> &temporaries)
      : codelet_(codelet), temporaries_(temporaries), fresh_(codelet.params, codelet.body) {}

  StmtPtr contract() {
    while (contractOne()) {
    }
    return codelet_.body;
  }

private:
  bool contractOne() {
    changes_ = false;
    const ir::Codelet before = codelet_;
    const auto read = algebra::nestOf(before);
    nest_ = std::get_if<Nest>(&read);
    if (nest_ != nullptr)
      codelet_.body = inside(codelet_.body, -1);
    return changes_;
  }

  /// `s`, which stands in a loop, with the first element contracted that may be.
  StmtPtr inside(const StmtPtr &s, int loop) {
    if (changes_)
      return s;
    if (s->kind == StmtKind::For) {
      const int own = nest_->loopOf(*s);
      const StmtPtr body = own < 0 ? nullptr : inside(s->children[2], own);
      return changes_ ? ir::withChildren(s, {s->children[0], s->children[1], body}) : s;
    }
    if (s->kind != StmtKind::Block)
      return s;
    Statements list;
    flatten(s, list);
    for (const ir::VarPtr &param : codelet_.params) {
      const ExprPtr element = loop >= 0 && param->type.isContainer() && param->type.lanes == 1
                                  ? elementOf(param, list, loop)
                                  : nullptr;
      if (element == nullptr)
        continue;
      changes_ = true;
      return ir::block(contracted(list, element, loop));
    }
    for (StmtPtr &each : list)
      each = inside(each, loop);
    return changes_ ? ir::block(list) : s;
  }

  /// The element of a container that the list, which is the body of a loop, writes first and then reads; null where there
  /// are several, or its value may be another round's.
  ExprPtr elementOf(const ir::VarPtr &array, const Statements &list, int loop) const {
    const auto first =
        std::ranges::find_if(list, [&](const StmtPtr &s) { return names(s, array); });
    if (first == list.end() || (*first)->kind != StmtKind::Assign || (*first)->op != "=" ||
        !isElementOf(*(*first)->target, array.get()) || namesIn((*first)->value, array))
      return nullptr;
    const NestAccess *written = nullptr;
    std::size_t accesses = 0;
    for (const NestAccess &access : nest_->accesses) {
      if (access.array != array || !nest_->isIn(access.loop, loop))
        continue;
      if (written == nullptr)
        written = &access;
      ++accesses;
      for (std::size_t d = 0; d < access.place.size(); ++d) {
        if (!access.place[d] || !written->place[d] || *access.place[d] != *written->place[d] ||
            mentionsInner(*access.place[d], loop))
          return nullptr;
      }
    }
    const bool isStraight = std::ranges::none_of(list, jumps);
    return accesses > 1 && isStraight ? (*first)->target : nullptr;
  }

  static bool jumps(const StmtPtr &s) {
    bool found = false;
    ir::forEach(s, [&](const Stmt &each) {
      found |= each.kind == StmtKind::Continue || each.kind == StmtKind::Break ||
               each.kind == StmtKind::Return;
    });
    return found;
  }

  static bool namesIn(const ExprPtr &e, const ir::VarPtr &array) {
    return ir::contains(e, [&](const Expr &each) { return isElementOf(each, array.get()); });
  }

  static bool names(const StmtPtr &s, const ir::VarPtr &array) {
    bool found = false;
    ir::forEachExpr(s, [&](const Expr &e) { found |= isElementOf(e, array.get()); });
    return found;
  }

  /// Whether the value has the counter of a loop in this one.
  bool mentionsInner(const algebra::Polynomial &p, int loop) const {
    for (std::size_t inner = 0; inner < nest_->loops.size(); ++inner) {
      const bool isInner =
          static_cast<int>(inner) != loop && nest_->isIn(static_cast<int>(inner), loop);
      if (isInner && p.mentions(nest_->loops[inner].atom))
        return true;
    }
    return false;
  }

  /// Whether nothing but this loop accesses the container, whose elements nobody sees then.
  bool isOnlyHere(const ir::Var *array, int loop) const {
    return temporaries_.contains(array) &&
           std::ranges::all_of(nest_->accesses, [&](const NestAccess &access) {
             return access.array.get() != array || nest_->isIn(access.loop, loop);
           });
  }

  Statements contracted(const Statements &list, const ExprPtr &element, int loop) {
    const ir::VarPtr &array = element->args[0]->var;
    const auto isIt = [&](const Expr &e) { return isElementOf(e, array.get()); };
    Statements made;
    std::vector<ir::VarPtr> variables;
    for (const StmtPtr &s : list) {
      const ExprPtr now = variables.empty() ? nullptr : ir::varRef(variables.back());
      if (s->kind != StmtKind::Assign || !isIt(*s->target)) {
        made.push_back(now ? replaced(s, isIt, now) : s);
        continue;
      }
      ExprPtr value =
          now ? ir::rewrite(s->value, [&](const ExprPtr &e) { return isIt(*e) ? now : e; })
              : s->value;
      if (s->op != "=")
        value = ir::binary(s->op.withoutAssignment(), now, value, s->location);
      auto variable = std::make_shared<ir::Var>();
      variable->name = fresh_(array->name + "_now");
      variable->type = ir::scalarType(array->type.scalar);
      variable->location = s->location;
      variables.push_back(variable);
      made.push_back(ir::declare(variable, value, s->location));
    }
    if (!isOnlyHere(array.get(), loop))
      made.push_back(ir::assign(element, "=", ir::varRef(variables.back()), element->location));
    for (const ir::VarPtr &variable : variables)
      forward(made, variable);
    return made;
  }

  /// Uses the value of a variable that is a number, or another variable which keeps its value, in its place.
  static void forward(Statements &list, const ir::VarPtr &variable) {
    const auto declared = std::ranges::find_if(
        list, [&](const StmtPtr &s) { return s->kind == StmtKind::Decl && s->var == variable; });
    const ExprPtr value = (*declared)->value;
    const bool isVariable = value->kind == ExprKind::Var && !value->type.isContainer() &&
                            value->type.scalar == variable->type.scalar;
    const bool keeps = std::none_of(declared, list.end(), [&](const StmtPtr &s) {
      return assigns(s, variable.get()) || (isVariable && assigns(s, value->var.get()));
    });
    if (!keeps || (!isVariable && value->kind != ExprKind::Literal))
      return;
    const ExprPtr by = isVariable ? value : literalAs(value, variable->type.scalar);
    list.erase(declared);
    for (StmtPtr &s : list)
      s = replaced(
          s, [&](const Expr &e) { return e.kind == ExprKind::Var && e.var == variable; }, by);
  }

  ir::Codelet codelet_;
  const std::set<const ir::Var *> &temporaries_;
  FreshNames fresh_;
  const Nest *nest_ = nullptr; ///< of codelet_
  bool changes_ = false;
};

} // namespace

StmtPtr withoutCopies(StmtPtr body) {
  std::set<const ir::Var *> assigned;
  ir::forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
      assigned.insert(s.target->var.get());
  });
  ir::VarPtr copy, of;
  const auto isCopy = [&](const Stmt &s) {
    return s.kind == StmtKind::Decl && !s.var->extent && s.value &&
           s.value->kind == ExprKind::Var && !s.value->type.isContainer() &&
           !s.value->var->extent && s.value->type.scalar == s.var->type.scalar &&
           !assigned.contains(s.var.get()) && !assigned.contains(s.value->var.get());
  };
  ir::forEach(body, [&](const Stmt &s) {
    if (!copy && isCopy(s))
      std::tie(copy, of) = std::pair(s.var, s.value->var);
  });
  if (!copy)
    return body;
  body = ir::rewrite(body, [&](const StmtPtr &s) {
    return s->kind == StmtKind::Decl && s->var == copy ? nullptr : s;
  });
  return withoutCopies(replaced(
      body, [&](const Expr &e) { return e.kind == ExprKind::Var && e.var == copy; },
      ir::varRef(of)));
}

StmtPtr withContractedElements(const ir::Codelet &codelet,
                               const std::set<const ir::Var *> &temporaries) {
  return Contractor(codelet, temporaries).contract();
}

} // namespace tangram::composer
