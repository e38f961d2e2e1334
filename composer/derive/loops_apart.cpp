#include "composer/derive/loops_apart.h"

#include "composer/derive/result_sum.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

using Variables = std::set<const ir::Var *>;

/// A loop of the body and the statements behind it, up to the next loop.
struct Piece {
  std::vector<StmtPtr> before; ///< of the first one: statements that are no constants
  StmtPtr loop;
  std::vector<StmtPtr> after;
};

/// The variables that statements assign or declare.
Variables changedIn(const StmtPtr &s) {
  Variables changed;
  ir::forEach(s, [&](const ir::Stmt &each) {
    if (each.kind == StmtKind::Decl)
      changed.insert(each.var.get());
    else if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
      changed.insert(each.target->var.get());
  });
  return changed;
}

/// Scalars that statements outside of loops, and loops, change and do not declare inside of these: in order.
std::vector<VarPtr> changedInOrder(const StmtPtr &s) {
  std::vector<VarPtr> order;
  Variables inside;
  for (const StmtPtr &child : s->children) {
    ir::forEach(child, [&](const ir::Stmt &each) {
      if (each.kind == StmtKind::Decl && child->kind == StmtKind::For)
        inside.insert(each.var.get());
      const bool assigns = each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var;
      const VarPtr var = assigns                       ? each.target->var
                         : each.kind == StmtKind::Decl ? each.var
                                                       : nullptr;
      if (var && !inside.contains(var.get()) && std::ranges::find(order, var) == order.end())
        order.push_back(var);
    });
  }
  return order;
}

bool meets(const Variables &a, const Variables &b) {
  return std::ranges::any_of(a, [&](const ir::Var *var) { return b.contains(var); });
}

class Distributor {
public:
  Distributor(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
              const std::vector<BlockedLoop> &blocked,
              const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), blocked_(blocked), isTaken_(isTaken),
        fresh_(codelet.params, codelet.body) {
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        changing_.insert(s.target->var.get());
    });
  }

  std::optional<NestsInOrder> distribute() {
    if (!readLoops() || !readPieces() || pieces_.size() < 2)
      return std::nullopt;
    expand();
    std::string calls;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      result_.spectrums.push_back(spectrumOfPiece(i));
      const MadeSpectrum &made = result_.spectrums.back();
      calls += "  " + made.spectrum.name + "(" + argumentsOf(made.codelet.params) + ");\n";
    }
    std::string extents;
    for (std::size_t d = 0; d < around_.size(); ++d)
      extents += (d == 0 ? "" : ", ") + sourceOf(roundsOf(around_[d].written));
    for (const auto &[var, container] : expanded_)
      result_.body +=
          "  " + ir::spelling(container->type) + " " + container->name + "(" + extents + ");\n";
    result_.body += calls;
    return std::move(result_);
  }

private:
  /// The loops around, which go over whole dimensions of what they write, and the statements in them.
  bool readLoops() {
    std::vector<StmtPtr> at;
    for (const StmtPtr &s : codelet_.body->children) {
      if (std::ranges::find(nest_.names, s.get()) != nest_.names.end())
        outside_.push_back(s);
      else if (s->kind != StmtKind::Require)
        (isConstant(s) ? constants_ : at).push_back(s);
    }
    while (at.size() == 1 && at[0]->kind == StmtKind::For) {
      const BlockedLoop *blocked = blockedAt(*at[0], nest_, blocked_);
      if (blocked == nullptr)
        return false;
      const algebra::NestLoop &loop = nest_.loops[static_cast<std::size_t>(blocked->loop)];
      if (!loop.first.isZero() || !isWhole(nest_, blocked->loop, blocked->written))
        return false;
      around_.push_back(*blocked);
      loops_.push_back(at[0]);
      const StmtPtr body = at[0]->children[2];
      at.clear();
      flatten(body, at);
    }
    body_ = at;
    return !around_.empty() && around_.size() <= 4;
  }

  /// A number that any nest may compute anew.
  bool isConstant(const StmtPtr &s) const {
    return s->kind == StmtKind::Decl && s->value && !s->var->extent && !namesElements(s) &&
           !meets(variablesIn(s), changing_);
  }

  bool readPieces() {
    std::vector<StmtPtr> before;
    for (const StmtPtr &s : body_) {
      const bool isPlain = s->kind == StmtKind::Assign ||
                           (s->kind == StmtKind::Decl && s->value && !s->var->extent) ||
                           (s->kind == StmtKind::For && nest_.loopOf(*s) >= 0);
      if (!isPlain)
        return false;
      if (s->kind == StmtKind::For) {
        if (!pieces_.empty())
          before = takeStarts(pieces_.back().after, s);
        pieces_.push_back({std::exchange(before, {}), s, {}});
      } else if (isConstant(s)) {
        constants_.push_back(s);
      } else {
        (pieces_.empty() ? before : pieces_.back().after).push_back(s);
        if (s->kind == StmtKind::Decl)
          changing_.insert(s->var.get());
      }
    }
    return true;
  }

  /// Takes declarations from `after` whose variables the next loop changes, and no statement behind them names: `top = x[r][0]`
  /// belongs to the loop that makes the maximum.
  static std::vector<StmtPtr> takeStarts(std::vector<StmtPtr> &after, const StmtPtr &loop) {
    const Variables changed = changedIn(loop);
    std::vector<StmtPtr> starts, others;
    Variables named; // by the statements behind that stay
    for (auto s = after.rbegin(); s != after.rend(); ++s) {
      const bool isStart = (*s)->kind == StmtKind::Decl && changed.contains((*s)->var.get()) &&
                           !named.contains((*s)->var.get()) &&
                           !writesContainer(ir::block(others)) &&
                           !meets(variablesIn(*s), changedIn(ir::block(others)));
      (isStart ? starts : others).insert((isStart ? starts : others).begin(), *s);
      if (!isStart)
        named.merge(variablesIn(*s));
    }
    after = others;
    return starts;
  }

  StmtPtr all(const Piece &piece) const {
    std::vector<StmtPtr> statements = piece.before;
    statements.push_back(piece.loop);
    statements.insert(statements.end(), piece.after.begin(), piece.after.end());
    return ir::block(statements);
  }

  /// Containers for the variables that a piece changes and a later one reads.
  void expand() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Variables read;
      for (std::size_t later = i + 1; later < pieces_.size(); ++later)
        read.merge(variablesIn(all(pieces_[later])));
      for (const VarPtr &var : changedInOrder(all(pieces_[i]))) {
        const bool isKnown =
            std::ranges::any_of(expanded_, [&](const auto &each) { return each.first == var; });
        if (!read.contains(var.get()) || isKnown)
          continue;
        auto made = std::make_shared<ir::Var>();
        made->name = fresh_(var->name + "_all");
        made->type = {var->type.scalar == ir::Scalar::Index ? ir::Scalar::U64 : var->type.scalar,
                      static_cast<unsigned>(around_.size()), 0, false, 1};
        made->kind = ir::VarKind::Param;
        expanded_.emplace_back(var, made);
      }
    }
  }

  ExprPtr elementOf(const VarPtr &container) const {
    std::vector<ExprPtr> place;
    for (const BlockedLoop &loop : around_)
      place.push_back(ir::varRef(nest_.loops[static_cast<std::size_t>(loop.loop)].counter));
    return ir::index(ir::varRef(container), place);
  }

  /// The constants that statements name, with those that these name.
  std::vector<StmtPtr> constantsFor(const StmtPtr &s) const {
    Variables wanted = variablesIn(s);
    std::vector<StmtPtr> needed;
    for (auto each = constants_.rbegin(); each != constants_.rend(); ++each) {
      if (!wanted.contains((*each)->var.get()))
        continue;
      needed.insert(needed.begin(), *each);
      wanted.merge(variablesIn(*each));
    }
    return needed;
  }

  /// Whether a piece before this one gives the variable its value.
  bool comesFromBefore(const ir::Var *var, std::size_t piece) const {
    for (std::size_t i = 0; i < piece; ++i) {
      if (changedIn(all(pieces_[i])).contains(var))
        return true;
    }
    return false;
  }

  MadeSpectrum spectrumOfPiece(std::size_t number) {
    StmtPtr body = all(pieces_[number]);
    const Variables changed = changedIn(body);
    std::vector<StmtPtr> before = constantsFor(body);
    std::vector<StmtPtr> stores;
    std::vector<VarPtr> stored, loaded;
    std::map<const ir::Var *, ExprPtr> elements;
    const Variables named = variablesIn(body);
    for (const auto &[var, container] : expanded_) {
      const bool comes = named.contains(var.get()) && comesFromBefore(var.get(), number);
      if (changed.contains(var.get())) {
        stored.push_back(container);
        stores.push_back(ir::assign(elementOf(container), "=", ir::varRef(var)));
        if (comes)
          std::erase_if(before, [&](const StmtPtr &s) { return s->var == var; });
        if (comes)
          before.push_back(ir::declare(var, elementOf(container)));
      } else if (comes) {
        loaded.push_back(input(container));
        elements[var.get()] = elementOf(loaded.back());
        std::erase_if(before, [&](const StmtPtr &s) { return s->var == var; });
      }
    }
    std::vector<StmtPtr> statements = before;
    flatten(body, statements);
    statements.insert(statements.end(), stores.begin(), stores.end());
    body = ir::mapExprs(ir::block(statements), [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        const auto found =
            each->kind == ExprKind::Var ? elements.find(each->var.get()) : elements.end();
        return found == elements.end() ? each : found->second;
      });
    });
    return inLoops(body, stored, loaded);
  }

  static VarPtr input(const VarPtr &container) {
    auto made = std::make_shared<ir::Var>(*container);
    made->type.isConst = true;
    return made;
  }

  /// A spectrum of these statements in the loops around, which end where what is stored in them does.
  MadeSpectrum inLoops(StmtPtr body, const std::vector<VarPtr> &stored,
                       const std::vector<VarPtr> &loaded) {
    const Variables named = variablesIn(body);
    std::vector<ExprPtr> ends;
    for (std::size_t d = 0; d < around_.size(); ++d) {
      const LoopWindow &written = around_[d].written;
      if (!stored.empty())
        ends.push_back(sizeOf(stored[0], static_cast<unsigned>(d)));
      else if (named.contains(written.array.get()))
        ends.push_back(roundsOf(written));
      else
        ends.push_back(loops_[d]->value->args[1]);
    }
    for (std::size_t d = around_.size(); d-- > 0;) {
      auto copy = std::make_shared<ir::Stmt>(*loops_[d]);
      const VarPtr &counter = nest_.loops[static_cast<std::size_t>(around_[d].loop)].counter;
      copy->value = ir::binary("<", ir::varRef(counter), ends[d]);
      copy->children[2] = body;
      body = ir::block({copy});
    }
    std::vector<StmtPtr> nest = outside_;
    nest.push_back(body);
    ir::Codelet from = codelet_;
    from.params.insert(from.params.end(), loaded.begin(), loaded.end());
    from.params.insert(from.params.end(), stored.begin(), stored.end());
    from.body = ir::block(requirements(stored, loaded, ends, named));
    const std::string name =
        ir::uniqueName(ir::identifierOf(spectrum_.name) + "_nest", [&](const std::string &each) {
          return isTaken_(each) ||
                 std::ranges::any_of(result_.spectrums, [&](const MadeSpectrum &s) {
                   return s.spectrum.name == each;
                 });
        });
    return spectrumOf(name, from, ir::block(nest));
  }

  /// What the codelet requires, of what is stored where that stands for results that this nest does not have.
  std::vector<StmtPtr> requirements(const std::vector<VarPtr> &stored,
                                    const std::vector<VarPtr> &loaded,
                                    const std::vector<ExprPtr> &ends,
                                    const Variables &named) const {
    std::vector<StmtPtr> all;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind != StmtKind::Require)
        continue;
      all.push_back(ir::require(ir::rewrite(s->value,
                                            [&](const ExprPtr &e) -> ExprPtr {
                                              return stored.empty() ? e
                                                                    : asStored(e, stored[0], named);
                                            }),
                                s->location));
    }
    for (const auto &containers : {stored, loaded}) {
      for (const VarPtr &container : containers) {
        for (std::size_t d = 0; d < ends.size(); ++d) {
          if (stored.empty() || container != stored[0])
            all.push_back(ir::require(
                ir::binary("==", sizeOf(container, static_cast<unsigned>(d)), ends[d])));
        }
      }
    }
    return all;
  }

  ExprPtr asStored(const ExprPtr &e, const VarPtr &stored, const Variables &named) const {
    if (e->kind != ExprKind::Size || e->args[0]->kind != ExprKind::Var ||
        named.contains(e->args[0]->var.get()))
      return e;
    for (std::size_t d = 0; d < around_.size(); ++d) {
      const LoopWindow &written = around_[d].written;
      if (written.array == e->args[0]->var && written.dimension == e->integer)
        return sizeOf(stored, static_cast<unsigned>(d));
    }
    return e;
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const std::vector<BlockedLoop> &blocked_;
  const std::function<bool(const std::string &)> &isTaken_;
  FreshNames fresh_;
  std::vector<StmtPtr> outside_, constants_, loops_, body_;
  std::vector<BlockedLoop> around_;
  std::vector<Piece> pieces_;
  Variables changing_; ///< variables that are assigned, or made of such or of elements
  std::vector<std::pair<VarPtr, VarPtr>> expanded_; ///< variables, and the containers of all rounds
  NestsInOrder result_;
};

} // namespace

std::optional<NestsInOrder> loopsApart(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                       const Nest &nest, const std::vector<BlockedLoop> &blocked,
                                       const std::function<bool(const std::string &)> &isTaken) {
  return Distributor(spectrum, codelet, nest, blocked, isTaken).distribute();
}

} // namespace tangram::composer
