#include "codegen/analysis/rounding_count.h"

#include "ir/checked_arithmetic.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Above it no bound says anything.
constexpr std::int64_t most = std::int64_t{1} << 40;

std::int64_t limited(__int128 number) {
  return static_cast<std::int64_t>(std::min<__int128>(number, most));
}

/// Roundings on the longest path to a value: fixed + perElement * N.
struct Depth {
  std::int64_t fixed = 0;
  std::int64_t perElement = 0;
  bool operator==(const Depth &) const = default;
};

Depth larger(const Depth &a, const Depth &b) {
  return {std::max(a.fixed, b.fixed), std::max(a.perElement, b.perElement)};
}

Depth sum(const Depth &a, const Depth &b) {
  return {limited(static_cast<__int128>(a.fixed) + b.fixed),
          limited(static_cast<__int128>(a.perElement) + b.perElement)};
}

/// By variable; an array has one depth for all of its elements.
using Depths = std::map<const Var *, Depth>;

Depths larger(Depths a, const Depths &b) {
  for (const auto &[var, depth] : b)
    a[var] = larger(a[var], depth);
  return a;
}

const Var *variableIn(const ExprPtr &target) {
  const Expr *e = target.get();
  while (e->kind == ExprKind::Index)
    e = e->args[0].get();
  return e->kind == ExprKind::Var ? e->var.get() : nullptr;
}

std::set<const Var *> assignedIn(const StmtPtr &body) {
  std::set<const Var *> found;
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign)
      found.insert(variableIn(s.target));
  });
  found.erase(nullptr);
  return found;
}

/// Whether all rounds of a loop that counts `i` touch different elements of what they assign: where they do, it is under one
/// subscript, which is another one in each round.
bool hasElementsOfItsOwn(const StmtPtr &turn, const Var *i) {
  std::set<const Var *> changing = assignedIn(turn), declared;
  forEach(turn, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl)
      declared.insert(s.var.get());
  });
  const auto isOpen = [&](const Expr &e) {
    return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic ||
           (e.kind == ExprKind::Var && e.var.get() != i &&
            (changing.contains(e.var.get()) || declared.contains(e.var.get())));
  };
  const auto isCounter = [&](const ExprPtr &e) {
    return e->kind == ExprKind::Var && e->var.get() == i;
  };
  const auto stays = [&](const ExprPtr &e) {
    return !contains(e, [&](const Expr &each) { return each.var.get() == i || isOpen(each); });
  };
  const auto moves = [&](const ExprPtr &e) {
    const bool isSum = e->kind == ExprKind::Binary && e->op == "+";
    return isCounter(e) || (isSum && ((isCounter(e->args[0]) && stays(e->args[1])) ||
                                      (isCounter(e->args[1]) && stays(e->args[0]))));
  };
  std::map<const Var *, ExprPtr> accesses;
  bool apart = true;
  const std::function<void(const ExprPtr &)> visit = [&](const ExprPtr &e) {
    const bool isAccess = e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var;
    const Var *var = isAccess ? e->args[0]->var.get() : e->var.get();
    if (var && var != i && changing.contains(var) && !declared.contains(var)) {
      const auto known = accesses.emplace(var, e).first;
      apart &= isAccess && sameExpr(known->second, e) &&
               std::none_of(e->args.begin() + 1, e->args.end(),
                            [&](const ExprPtr &at) { return contains(at, isOpen); }) &&
               std::any_of(e->args.begin() + 1, e->args.end(), moves);
    }
    for (std::size_t a = isAccess ? 1 : 0; a < e->args.size() && e->kind != ExprKind::Size; ++a)
      visit(e->args[a]);
  };
  forEach(turn, [&](const Stmt &s) {
    // A view has a name of its own for elements of another container.
    apart &= s.kind != StmtKind::Decl || s.var->type.rank == 0;
    forEachOwnExpr(s, visit);
  });
  return apart && !changing.contains(i);
}

/// Parameters and arrays, which are there before the body.
Depths outerVariables(const StmtPtr &body) {
  Depths all;
  forEachExpr(body, [&](const Expr &e) {
    if (e.kind == ExprKind::Var)
      all[e.var.get()];
  });
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl)
      all.erase(s.var.get());
  });
  return all;
}

/// Follows the longest paths through a body.
class Walk {
public:
  explicit Walk(const Program &program) : program_(program) {}

  bool unknown = false;
  Depth returned;

  Depths statement(const StmtPtr &s, Depths depths) {
    if (!s)
      return depths;
    ++visited_;
    switch (s->kind) {
    case StmtKind::Decl:
      depths[s->var.get()] = s->value ? depthOf(s->value, depths) : Depth{};
      return depths;
    case StmtKind::Assign:
      return assigned(*s, std::move(depths));
    case StmtKind::Return:
      if (s->value)
        returned = larger(returned, depthOf(s->value, depths));
      return depths;
    case StmtKind::If: {
      depthOf(s->value, depths);
      Depths yes = statement(s->children[0], depths);
      Depths no = s->children.size() > 1 ? statement(s->children[1], depths) : depths;
      return larger(std::move(yes), no);
    }
    case StmtKind::For: {
      depths = statement(s->children[0], std::move(depths));
      return loop(*s, block({s->children[2], s->children[1]}), turnsOf(*s), std::move(depths));
    }
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(*s, s->children[0], std::nullopt, std::move(depths));
    default:
      if (s->value)
        depthOf(s->value, depths);
      for (const StmtPtr &child : s->children)
        depths = statement(child, std::move(depths));
      return depths;
    }
  }

private:
  Depths assigned(const Stmt &s, Depths depths) {
    Depth depth = depthOf(s.value, depths);
    const Var *var = variableIn(s.target);
    if (!var)
      return depths;
    if (s.op != "=" && isFloating(s.target->type.scalar))
      depth = sum(larger(depth, depths[var]), {1, 0});
    // Other elements keep theirs; and so does a variable where a loop or branch is not taken.
    depths[var] = s.target->kind == ExprKind::Index ? larger(depths[var], depth) : depth;
    return depths;
  }

  Depth depthOf(const ExprPtr &e, const Depths &depths) {
    Depth deepest;
    for (const ExprPtr &arg : e->args)
      deepest = larger(deepest, depthOf(arg, depths));
    const bool floating = isFloating(e->type.scalar);
    switch (e->kind) {
    case ExprKind::Var:
      if (auto known = depths.find(e->var.get()); known != depths.end())
        return known->second;
      return {};
    case ExprKind::Atomic:
      unknown |= isFloating(e->args[0]->type.scalar);
      return deepest;
    case ExprKind::Cast:
      unknown |= floating && isFloating(e->args[0]->type.scalar);
      return floating ? sum(deepest, {1, 0}) : Depth{};
    case ExprKind::Binary:
      return floating ? sum(deepest, {1, 0}) : Depth{};
    case ExprKind::Call:
      return floating ? sum(deepest, ofFunction(e->callee)) : Depth{};
    default:
      return deepest;
    }
  }

  /// One rounding, or those of a helper.
  Depth ofFunction(const std::string &name) {
    auto found = std::find_if(program_.functions.begin(), program_.functions.end(),
                              [&](const Function &each) { return each.name == name; });
    if (found == program_.functions.end())
      return {1, 0};
    Walk inside(program_);
    inside.statement(found->body, outerVariables(found->body));
    unknown |= inside.unknown || inside.returned.perElement != 0;
    return {inside.returned.fixed, 0};
  }

  /// What one more turn adds never grows from turn to turn (a turn takes maxima of sums), so the
  /// second turn says what all later ones may add.
  Depths loop(const Stmt &s, const StmtPtr &turn, std::optional<std::int64_t> turns,
              Depths before) {
    if (s.value)
      depthOf(s.value, before);
    if (turns == 0)
      return before;
    const Depths first = larger(before, statement(turn, before));
    // Loops in loops are walked twice for each of two turns: of a deep nest nothing is said.
    if (visited_ > mostVisited) {
      unknown = true;
      return first;
    }
    if (turns == 1 || (s.kind == StmtKind::For && variableOf(s) &&
                       hasElementsOfItsOwn(s.children[2], variableOf(s))))
      return first;
    const Depths second = larger(first, statement(turn, first));
    Depth added;
    for (const auto &[var, depth] : before) {
      const Depth &a = first.at(var), &b = second.at(var);
      added = larger(added, {b.fixed - a.fixed, b.perElement - a.perElement});
    }
    Depths after = first;
    const bool elements = s.kind == StmtKind::For && !turns && isOverElements(s);
    if (added == Depth{})
      return after;
    Depth all;
    if (turns) {
      all = {limited(static_cast<__int128>(added.fixed) * (*turns - 1)),
             limited(static_cast<__int128>(added.perElement) * (*turns - 1))};
    } else {
      unknown |= !elements || added.perElement != 0;
      all = {0, added.fixed};
    }
    for (const Var *var : assignedIn(turn))
      after[var] = sum(after[var], all);
    return after;
  }

  static const Var *variableOf(const Stmt &s) {
    const StmtPtr &init = s.children[0];
    return init && init->kind == StmtKind::Decl ? init->var.get() : nullptr;
  }

  /// Of `for (i = a; i < b; i += c)` with numbers for a, b and c, how many there are; where b is what a loop around it counts
  /// to such a number, or a is no number, how many there may be.
  std::optional<std::int64_t> turnsOf(const Stmt &s) {
    const Var *i = variableOf(s);
    const StmtPtr &step = s.children[1];
    auto bare = [](const ExprPtr &e) { return e->kind == ExprKind::Cast ? e->args[0] : e; };
    auto number = [&](const ExprPtr &e) -> std::optional<std::int64_t> {
      if (!e || bare(e)->kind != ExprKind::Literal || isFloating(bare(e)->type.scalar))
        return std::nullopt;
      return literalValue(bare(e));
    };
    auto is = [&](const ExprPtr &e) {
      return e && bare(e)->kind == ExprKind::Var && bare(e)->var.get() == i;
    };
    if (!i || !s.value || s.value->kind != ExprKind::Binary || !step ||
        step->kind != StmtKind::Assign || step->op != "+=" || !is(step->target) ||
        !is(s.value->args[0]))
      return std::nullopt;
    if (s.value->op != "<" && s.value->op != "<=")
      return std::nullopt;
    bool assigned = false;
    forEach(s.children[2], [&](const Stmt &each) {
      assigned |= each.kind == StmtKind::Assign && variableIn(each.target) == i;
    });
    const ExprPtr &first = s.children[0]->value, end = bare(s.value->args[1]);
    const auto counted =
        end->kind == ExprKind::Var ? counters_.find(end->var.get()) : counters_.end();
    const auto to = counted != counters_.end() ? std::optional(counted->second - 1) : number(end);
    const auto by = number(step->value);
    const bool isNatural =
        first && !isFloating(first->type.scalar) && !isSigned(first->type.scalar);
    const auto from = number(first) || !isNatural ? number(first) : std::optional<std::int64_t>(0);
    if (assigned || !from || !to || !by || *by <= 0 || *from < 0 || *to > most)
      return std::nullopt;
    const std::int64_t past = *to + (s.value->op == "<=" ? 1 : 0);
    counters_[i] = std::max(*from, past);
    return checkedRounds(*from, past, *by);
  }

  /// Whether each turn is about an element of its own: a subscript mentions the loop's variable.
  static bool isOverElements(const Stmt &s) {
    const Var *i = variableOf(s);
    bool found = false;
    forEachExpr(s.children[2], [&](const Expr &e) {
      if (e.kind != ExprKind::Index)
        return;
      for (std::size_t d = 1; d < e.args.size(); ++d)
        found |= i && contains(e.args[d], [&](const Expr &part) {
                   return part.kind == ExprKind::Var && part.var.get() == i;
                 });
    });
    return found;
  }

  static constexpr std::size_t mostVisited = 20000; ///< statements, a few milliseconds

  const Program &program_;
  std::size_t visited_ = 0;
  std::map<const Var *, std::int64_t>
      counters_; ///< numbers that counters of loops around stay below
};

} // namespace

RoundingCount countRoundings(const Program &program, const StmtPtr &body) {
  Walk walk(program);
  Depth longest;
  for (const auto &[var, depth] : walk.statement(body, outerVariables(body)))
    longest = larger(longest, depth);
  longest = larger(longest, walk.returned);
  return {longest.fixed, longest.perElement, walk.unknown};
}

} // namespace tangram::codegen
