#include "composer/derive/forwarded_elements.h"

#include "algebra/nests.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <map>
#include <optional>
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

/// An element of a container by the counters that are its subscripts.
struct Element {
  const Stmt *statement = nullptr;
  std::vector<const ir::Var *> counters; ///< one a dimension
  ExprPtr value;                         ///< over them, sizes, parameters and elements
};

class Forwarder {
public:
  Forwarder(const ir::Codelet &codelet, const std::set<const ir::Var *> &temporaries)
      : codelet_(codelet), temporaries_(temporaries) {
    ir::forEach(codelet.body, [&](const Stmt &s) {
      if (const ExprPtr target = targetOf(s))
        ++assigned_[rootOf(*target)];
      if (s.kind == StmtKind::Decl)
        declared_[s.var.get()] = s.value;
    });
  }

  StmtPtr forward() {
    for (const ir::VarPtr &param : codelet_.params) {
      if (!temporaries_.contains(param.get()))
        continue;
      const auto read = algebra::nestOf(codelet_);
      const auto *nest = std::get_if<Nest>(&read);
      const auto element = nest == nullptr ? std::nullopt : elementOf(*nest, param);
      if (element)
        codelet_.body = with(*element, param);
    }
    return codelet_.body;
  }

private:
  static const ir::Var *rootOf(const Expr &target) {
    return target.kind == ExprKind::Index ? rootOf(*target.args[0]) : target.var.get();
  }

  static bool isElementOf(const Expr &e, const ir::Var *array) {
    return e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
           e.args[0]->var.get() == array;
  }

  /// What one statement gives to every element that is read; nothing where it is of another form.
  std::optional<Element> elementOf(const Nest &nest, const ir::VarPtr &array) {
    Element element;
    ir::forEach(codelet_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && isElementOf(*s.target, array.get()))
        element.statement = &s;
    });
    const auto count = assigned_.find(array.get());
    if (element.statement == nullptr || element.statement->op != "=" || count->second != 1)
      return std::nullopt;
    const auto written =
        std::ranges::find(nest.accesses, element.statement->target.get(), &NestAccess::expr);
    if (written == nest.accesses.end() || !written->conditions.empty())
      return std::nullopt;
    const std::vector<int> loops = nest.loopsFrom(written->loop);
    for (const auto &place : written->place) {
      const auto loop = std::ranges::find_if(loops, [&](int each) {
        return place && *place == algebra::Polynomial::of(at(nest, each).atom);
      });
      if (loop == loops.end())
        return std::nullopt;
      element.counters.push_back(at(nest, *loop).counter.get());
    }
    if (loops.size() != element.counters.size() || !areOnePerRound(nest, array, loops.size()))
      return std::nullopt;
    element.value = valueOf(element.statement->value, element.counters);
    return element.value ? std::optional(element) : std::nullopt;
  }

  static const algebra::NestLoop &at(const Nest &nest, int loop) {
    return nest.loops[static_cast<std::size_t>(loop)];
  }

  /// Whether no element is read more often than the loops around it say: there are as many as dimensions.
  static bool areOnePerRound(const Nest &nest, const ir::VarPtr &array, std::size_t dimensions) {
    return std::ranges::all_of(nest.accesses, [&](const NestAccess &access) {
      return access.array != array || nest.loopsFrom(access.loop).size() == dimensions;
    });
  }

  /// The value over counters alone, at most one element in it, of a container that is not written; null where it is
  /// another one.
  ExprPtr valueOf(const ExprPtr &e, const std::vector<const ir::Var *> &counters) const {
    bool isKnown = true;
    const ExprPtr value = ir::rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind != ExprKind::Var || each->type.isContainer())
        return each;
      const ir::Var *var = each->var.get();
      if (std::ranges::find(counters, var) != counters.end())
        return each;
      isKnown = isKnown && !assigned_.contains(var);
      const auto local = declared_.find(var);
      if (local == declared_.end())
        return each;
      const ExprPtr of = local->second ? valueOf(local->second, counters) : nullptr;
      isKnown = isKnown && of;
      return of ? ir::cast(var->type.scalar, of) : each;
    });
    std::size_t elements = 0;
    ir::forEach(value, [&](const Expr &each) {
      if (each.kind != ExprKind::Index)
        return;
      ++elements;
      isKnown = isKnown && !assigned_.contains(rootOf(each));
    });
    return isKnown && elements <= 1 ? value : nullptr;
  }

  StmtPtr with(const Element &element, const ir::VarPtr &array) {
    const StmtPtr rest = ir::rewrite(codelet_.body, [&](const StmtPtr &s) -> StmtPtr {
      const bool isIt = s->kind == StmtKind::Assign && isElementOf(*s->target, array.get());
      return isIt ? ir::block({}) : s;
    });
    return withoutEmptyLoops(withoutUnusedLocals(ir::mapExprs(rest, [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        return isElementOf(*each, array.get()) ? valueAt(element, *each) : each;
      });
    })));
  }

  static ExprPtr valueAt(const Element &element, const Expr &place) {
    const ExprPtr value = ir::rewrite(element.value, [&](const ExprPtr &e) -> ExprPtr {
      const auto counter = e->kind == ExprKind::Var
                               ? std::ranges::find(element.counters, e->var.get())
                               : element.counters.end();
      if (counter == element.counters.end())
        return e;
      const auto d = static_cast<std::size_t>(counter - element.counters.begin());
      return ir::cast(e->type.scalar, place.args[d + 1]);
    });
    return ir::cast(place.type.scalar, value);
  }

  static StmtPtr withoutEmptyLoops(const StmtPtr &s) {
    return ir::rewrite(s, [](const StmtPtr &each) -> StmtPtr {
      Statements body;
      if (each->kind == StmtKind::For && each->children[2])
        flatten(each->children[2], body);
      return each->kind == StmtKind::For && body.empty() ? nullptr : each;
    });
  }

  using Statements = std::vector<StmtPtr>;

  ir::Codelet codelet_;
  const std::set<const ir::Var *> &temporaries_;
  std::map<const ir::Var *, std::size_t>
      assigned_; ///< how many statements assign it, or its elements
  std::map<const ir::Var *, ExprPtr> declared_;
};

} // namespace

StmtPtr withForwardedElements(const ir::Codelet &codelet,
                              const std::set<const ir::Var *> &temporaries) {
  return Forwarder(codelet, temporaries).forward();
}

} // namespace tangram::composer
