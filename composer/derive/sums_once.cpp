#include "composer/derive/sums_once.h"

#include "composer/derive/loop_form.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "composer/derive/windows.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestLoop;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// A sum that starts from a number and depends on some of the loops around it.
struct Invariant {
  StmtPtr start; ///< Decl of the variable
  StmtPtr loop;
  int around = -1;        ///< the loop that both stand in
  std::vector<int> loops; ///< those that it depends on, outer first
};

class Mover {
public:
  Mover(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
        const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), isTaken_(isTaken),
        fresh_(codelet.params, codelet.body) {}

  std::optional<NestsInOrder> move() {
    find(codelet_.body, -1);
    if (!found_)
      return std::nullopt;
    container_ = std::make_shared<ir::Var>();
    const VarPtr &var = found_->start->var;
    container_->name = fresh_(var->name + "_all");
    container_->type = {var->type.scalar, static_cast<unsigned>(found_->loops.size()), 0, false, 1};
    container_->kind = ir::VarKind::Param;
    NestsInOrder made;
    made.spectrums = {once(), rest()};
    std::string extents;
    for (const int loop : found_->loops)
      extents += (extents.empty() ? "" : ", ") + naturalText(nest_, at(loop).end);
    made.body =
        "  " + ir::spelling(container_->type) + " " + container_->name + "(" + extents + ");\n";
    for (const MadeSpectrum &each : made.spectrums)
      made.body += "  " + each.spectrum.name + "(" + argumentsOf(each.codelet.params) + ");\n";
    return made;
  }

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  void find(const StmtPtr &s, int around) {
    if (!s || found_)
      return;
    if (s->kind == StmtKind::For && nest_.loopOf(*s) >= 0) {
      std::vector<StmtPtr> body;
      flatten(s->children[2], body);
      const int loop = nest_.loopOf(*s);
      for (std::size_t i = 0; i + 1 < body.size() && !found_; ++i)
        found_ = invariantAt(body, i, loop);
      find(s->children[2], loop);
      return;
    }
    if (s->kind == StmtKind::Block) {
      for (const StmtPtr &child : s->children)
        find(child, around);
    }
  }

  /// The sum that statement i declares, and a loop behind it makes.
  std::optional<Invariant> invariantAt(const std::vector<StmtPtr> &body, std::size_t i,
                                       int around) const {
    const StmtPtr &start = body[i];
    if (start->kind != StmtKind::Decl || !start->value || start->var->extent ||
        namesElements(start))
      return std::nullopt;
    for (std::size_t j = i + 1; j < body.size(); ++j) {
      const int loop = body[j]->kind == StmtKind::For ? nest_.loopOf(*body[j]) : -1;
      if (loop >= 0 && changes(body[j], start->var))
        return checked({start, body[j], around, {}}, loop);
      if (variablesIn(body[j]).contains(start->var.get()))
        return std::nullopt;
    }
    return std::nullopt;
  }

  static bool changes(const StmtPtr &s, const VarPtr &var) {
    const std::vector<VarPtr> changed = changedOutside(s);
    return std::ranges::find(changed, var) != changed.end();
  }

  std::optional<Invariant> checked(Invariant sum, int loop) const {
    const LoopSums sums = loopSums(nest_, loop);
    const std::size_t all = static_cast<std::size_t>(
        std::ranges::count_if(nest_.changes, [&](const algebra::NestChange &change) {
          return change.variable == sum.start->var && !nest_.isIn(change.loop, loop);
        }));
    if (sums.why || sums.single() == nullptr || all != 1 || readsWritten(loop))
      return std::nullopt;
    const std::vector<int> inner = nest_.loopsFrom(sum.around);
    for (auto each = inner.rbegin(); each != inner.rend(); ++each) {
      const bool isNamed = dependsOn(sum, *each);
      if (isNamed && (!at(*each).isCounted || !at(*each).first.isZero() || at(*each).countsDown ||
                      at(*each).leavesEarly || at(*each).endDependsOnCounters))
        return std::nullopt;
      if (isNamed)
        sum.loops.push_back(*each);
    }
    order(sum.loops, loop);
    const bool isLess =
        !sum.loops.empty() && sum.loops.size() <= 4 && sum.loops.size() < inner.size();
    return isLess ? std::optional(sum) : std::nullopt;
  }

  /// Orders loops as the dimensions of a container that the sum reads, if there is one that names all of them.
  void order(std::vector<int> &loops, int sum) const {
    for (const algebra::NestAccess &access : nest_.accesses) {
      const auto dimension = [&](int loop) {
        return std::ranges::find_if(access.expr->args.begin() + 1, access.expr->args.end(),
                                    [&](const ExprPtr &e) { return nest_.mayDependOn(e, loop); }) -
               access.expr->args.begin();
      };
      const bool namesAll =
          nest_.isIn(access.loop, sum) && std::ranges::all_of(loops, [&](int loop) {
            return dimension(loop) < static_cast<std::ptrdiff_t>(access.expr->args.size());
          });
      if (!namesAll)
        continue;
      std::ranges::stable_sort(loops, {}, dimension);
      return;
    }
  }

  /// Whether elements that the loop reads are written somewhere.
  bool readsWritten(int loop) const {
    return std::ranges::any_of(nest_.accesses, [&](const algebra::NestAccess &access) {
      return nest_.isIn(access.loop, loop) &&
             std::ranges::any_of(nest_.accesses, [&](const algebra::NestAccess &other) {
               return other.writes && other.array == access.array;
             });
    });
  }

  /// Whether the sum may be another one in another round of a loop around it.
  bool dependsOn(const Invariant &sum, int loop) const {
    bool found = false;
    const auto ask = [&](const StmtPtr &s) {
      ir::forEach(s, [&](const Stmt &each) {
        ir::forEachOwnExpr(each, [&](const ExprPtr &e) {
          found |= ir::contains(e, [&](const ir::Expr &part) {
            return part.kind == ExprKind::Var && !part.type.isContainer() &&
                   !isOwn(sum, part.var) && nest_.mayDependOn(ir::varRef(part.var), loop);
          });
        });
      });
    };
    ask(sum.start);
    ask(sum.loop);
    return found;
  }

  /// Whether the sum's statements declare the variable, other than as a name of a value.
  bool isOwn(const Invariant &sum, const VarPtr &var) const {
    if (std::ranges::any_of(nest_.names, [&](const Stmt *name) { return name->var == var; }))
      return false;
    bool declares = sum.start->var == var;
    ir::forEach(sum.loop, [&](const Stmt &s) { declares |= s.var == var; });
    return declares;
  }

  ExprPtr element(const VarPtr &container) const {
    std::vector<ExprPtr> place;
    for (const int loop : found_->loops)
      place.push_back(ir::varRef(at(loop).counter));
    return ir::index(ir::varRef(container), place);
  }

  /// The declarations of names, outside of the sum, that statements use.
  std::vector<StmtPtr> namesFor(const StmtPtr &s) const {
    std::set<const ir::Var *> wanted = variablesIn(s);
    std::vector<StmtPtr> all, needed;
    std::set<const Stmt *> inside;
    ir::forEach(s, [&](const Stmt &each) { inside.insert(&each); });
    const std::function<void(const StmtPtr &)> collect = [&](const StmtPtr &each) {
      if (each->kind == StmtKind::Decl && !inside.contains(each.get()))
        all.push_back(each);
      for (const StmtPtr &child : each->children) {
        if (child)
          collect(child);
      }
    };
    collect(codelet_.body);
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      if (!wanted.contains((*each)->var.get()) || (*each)->var == found_->start->var)
        continue;
      const bool isCounter = std::ranges::any_of(
          nest_.loops, [&](const NestLoop &loop) { return loop.counter == (*each)->var; });
      if (isCounter)
        continue;
      needed.insert(needed.begin(), *each);
      wanted.merge(variablesIn(*each));
    }
    return needed;
  }

  /// `body`, and what the codelet requires. The container has an element for each round of the loops, and says how many there
  /// are where the nest has none else that does.
  std::vector<StmtPtr> withExtents(const VarPtr &container, const StmtPtr &body) const {
    const std::set<const ir::Var *> accessed = accessedIn(body);
    std::vector<StmtPtr> all;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind == StmtKind::Require)
        all.push_back(withExtents(s, container, accessed));
    }
    for (std::size_t d = 0; d < found_->loops.size(); ++d)
      all.push_back(ir::require(ir::binary("==", sizeOf(container, static_cast<unsigned>(d)),
                                           nest_.facts.expression(at(found_->loops[d]).end))));
    all.push_back(body);
    return all;
  }

  /// The containers of which elements are named.
  static std::set<const ir::Var *> accessedIn(const StmtPtr &s) {
    std::set<const ir::Var *> found;
    ir::forEachExpr(s, [&](const ir::Expr &e) {
      if (e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var)
        found.insert(e.args[0]->var.get());
    });
    return found;
  }

  /// With sizes of the container in the place of those of others, of which the nest accesses nothing.
  StmtPtr withExtents(const StmtPtr &s, const VarPtr &container,
                      const std::set<const ir::Var *> &accessed) const {
    return ir::mapExprs(s, [&](const ExprPtr &e) {
      return ir::rewrite(e,
                         [&](const ExprPtr &each) { return asExtent(each, container, accessed); });
    });
  }

  ExprPtr asExtent(const ExprPtr &e, const VarPtr &container,
                   const std::set<const ir::Var *> &accessed) const {
    if (e->kind != ExprKind::Size || e->args[0]->kind != ExprKind::Var ||
        accessed.contains(e->args[0]->var.get()))
      return e;
    for (std::size_t d = 0; d < found_->loops.size(); ++d) {
      if (nest_.valueOf(e) == at(found_->loops[d]).end)
        return sizeOf(container, static_cast<unsigned>(d));
    }
    return e;
  }

  std::string named(const char *suffix) const {
    return ir::uniqueName(ir::identifierOf(spectrum_.name) + suffix, isTaken_);
  }

  MadeSpectrum once() const {
    const StmtPtr store = ir::assign(element(container_), "=", ir::varRef(found_->start->var));
    std::vector<StmtPtr> inner = namesFor(ir::block({found_->start, found_->loop}));
    inner.insert(inner.end(), {found_->start, found_->loop, store});
    StmtPtr body = ir::block(inner);
    for (std::size_t d = found_->loops.size(); d-- > 0;) {
      const NestLoop &loop = at(found_->loops[d]);
      body = ir::block({ir::forLoop(
          loop.statement->children[0],
          ir::binary("<", ir::varRef(loop.counter), sizeOf(container_, static_cast<unsigned>(d))),
          loop.statement->children[1], body, loop.statement->location)});
    }
    body = withExtents(body, container_, accessedIn(body));
    ir::Codelet from = codelet_;
    from.params.push_back(container_);
    from.body = ir::block(withExtents(container_, body));
    return spectrumOf(named("_once"), from, body);
  }

  MadeSpectrum rest() const {
    auto input = std::make_shared<ir::Var>(*container_);
    input->type.isConst = true;
    StmtPtr body = ir::rewrite(codelet_.body, [&](const StmtPtr &s) -> StmtPtr {
      const bool isSum = s->kind == StmtKind::For && s->children[0] &&
                         s->children[0]->var == found_->loop->children[0]->var;
      const bool goes = isSum || s->kind == StmtKind::Require || s->var == found_->start->var;
      return goes ? nullptr : s;
    });
    body = ir::mapExprs(body, [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        return each->kind == ExprKind::Var && each->var == found_->start->var ? element(input)
                                                                              : each;
      });
    });
    body = withExtents(withoutUnusedLocals(body), input, accessedIn(body));
    ir::Codelet from = codelet_;
    from.params.insert(from.params.begin(), input);
    from.body = ir::block(withExtents(input, body));
    return spectrumOf(named("_rest"), from, body);
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const std::function<bool(const std::string &)> &isTaken_;
  FreshNames fresh_;
  std::optional<Invariant> found_;
  std::shared_ptr<ir::Var> container_;
};

} // namespace

std::optional<NestsInOrder> sumsOnce(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const Nest &nest,
                                     const std::function<bool(const std::string &)> &isTaken) {
  if (spectrum.result.scalar != ir::Scalar::Void)
    return std::nullopt;
  return Mover(spectrum, codelet, nest, isTaken).move();
}

} // namespace tangram::composer
