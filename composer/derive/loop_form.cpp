#include "composer/derive/loop_form.h"

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
using algebra::NestLoop;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

VarPtr parameter(const std::string &name) {
  auto made = std::make_shared<ir::Var>();
  made->name = name;
  made->type = ir::scalarType(ir::Scalar::Index);
  made->kind = ir::VarKind::Param;
  return made;
}

/// Writes a codelet anew for windows.
class Windowed {
public:
  Windowed(const Nest &nest, const std::vector<BlockedLoop> &blocked, const ir::Codelet &codelet,
           const SingleRounds *single)
      : nest_(nest), blocked_(blocked), single_(single) {
    for (const VarPtr &param : codelet.params)
      taken_.insert(param->name);
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.var)
        taken_.insert(s.var->name);
    });
  }

  StmtPtr statement(const StmtPtr &s) {
    if (!s || s->kind == StmtKind::Require)
      return nullptr;
    if (s->kind == StmtKind::For) {
      if (single_ != nullptr && nest_.loopOf(*s) == single_->loop)
        return statement(s->children[2]);
      if (const BlockedLoop *blocked = blockedAt(*s))
        return head(s, *blocked);
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      const StmtPtr made = statement(child);
      if (made || s->kind != StmtKind::Block)
        children.push_back(made);
    }
    auto copy = std::make_shared<ir::Stmt>(*s);
    copy->children = std::move(children);
    copy->value = expression(s->value);
    copy->target = expression(s->target);
    return copy;
  }

  std::map<int, VarPtr> origins;                 ///< of blocked loops, those that are asked for
  std::vector<std::pair<VarPtr, ExprPtr>> sizes; ///< parameters, and the sizes that they are

private:
  const BlockedLoop *blockedAt(const ir::Stmt &s) const {
    const int loop = nest_.loopOf(s);
    const auto found = std::ranges::find(blocked_, loop, &BlockedLoop::loop);
    return found == blocked_.end() ? nullptr : &*found;
  }

  StmtPtr head(const StmtPtr &s, const BlockedLoop &blocked) {
    const VarPtr &counter = nest_.loops[static_cast<std::size_t>(blocked.loop)].counter;
    return ir::forLoop(ir::declare(counter, ir::intLiteral(0)),
                       ir::binary("<", ir::varRef(counter), roundsOf(blocked.written)),
                       s->children[1], statement(s->children[2]), s->location);
  }

  ExprPtr expression(const ExprPtr &e) {
    if (!e)
      return e;
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var)
      return element(e);
    if (e->kind == ExprKind::Size)
      return size(e);
    if (e->kind == ExprKind::Var && !e->type.isContainer())
      return variable(e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(expression(arg));
    return ir::withArgs(e, std::move(args));
  }

  ExprPtr element(const ExprPtr &e) {
    std::vector<ExprPtr> args{e->args[0]};
    for (std::size_t d = 0; d + 1 < e->args.size(); ++d) {
      Polynomial begin;
      const RoundWindow *round =
          single_ == nullptr ? nullptr : single_->windowOf(e->args[0]->var.get());
      bool isCut = round != nullptr && round->dimension == d;
      for (const BlockedLoop &blocked : blocked_) {
        const LoopWindow *window = blocked.windowOf(e->args[0]->var.get());
        if (window != nullptr && window->dimension == d) {
          begin = window->lowest;
          isCut = true;
        }
      }
      if (!isCut) {
        args.push_back(position(e, d));
        continue;
      }
      Polynomial place = nest_.valueOf(e->args[d + 1]) - begin;
      if (round != nullptr && round->dimension == d)
        place = place.with(nest_.loops[static_cast<std::size_t>(single_->loop)].atom, 0);
      args.push_back(expressionOf(place));
    }
    return ir::withArgs(e, std::move(args));
  }

  /// A subscript of a container that is handed over whole. Where counters of blocked loops are in it, which count from
  /// the block's first round on, it is computed in 64 bits, as the places of blocks are.
  ExprPtr position(const ExprPtr &e, std::size_t d) {
    const auto access = std::ranges::find_if(
        nest_.accesses, [&](const algebra::NestAccess &each) { return each.expr == e.get(); });
    const bool isKnown = access != nest_.accesses.end() && access->place[d] &&
                         std::ranges::any_of(blocked_, [&](const BlockedLoop &blocked) {
                           return access->place[d]->mentions(
                               nest_.loops[static_cast<std::size_t>(blocked.loop)].atom);
                         });
    if (!isKnown)
      return expression(e->args[d + 1]);
    return ir::rewrite(nest_.facts.expression(*access->place[d]), [&](const ExprPtr &each) {
      if (each->kind == ExprKind::Size)
        return size(each);
      if (each->kind != ExprKind::Var || each->type.isContainer())
        return each;
      const auto blocked = std::ranges::find_if(blocked_, [&](const BlockedLoop &loop) {
        return nest_.loops[static_cast<std::size_t>(loop.loop)].counter == each->var;
      });
      const ExprPtr wide = ir::cast(ir::Scalar::U64, each);
      if (blocked != blocked_.end())
        return ir::binary("+", ir::varRef(originOf(blocked->loop)), wide);
      const bool isSingle =
          single_ != nullptr &&
          nest_.loops[static_cast<std::size_t>(single_->loop)].counter == each->var;
      return isSingle ? ir::varRef(originOf(single_->loop)) : wide;
    });
  }

  ExprPtr size(const ExprPtr &e) {
    const auto isCut = [&](const BlockedLoop &blocked) {
      const LoopWindow *window = blocked.windowOf(e->args[0]->var.get());
      return window != nullptr && window->dimension == e->integer;
    };
    const RoundWindow *round =
        single_ == nullptr ? nullptr : single_->windowOf(e->args[0]->var.get());
    const bool isOfRound = round != nullptr && round->dimension == e->integer;
    if (!isOfRound && std::ranges::none_of(blocked_, isCut))
      return e;
    for (const auto &[param, known] : sizes) {
      if (ir::sameExpr(known, e))
        return ir::varRef(param);
    }
    sizes.push_back(
        {parameter(fresh(e->args[0]->var->name + "_size" + std::to_string(e->integer))), e});
    return ir::varRef(sizes.back().first);
  }

  ExprPtr variable(const ExprPtr &e) {
    for (const BlockedLoop &blocked : blocked_) {
      if (nest_.loops[static_cast<std::size_t>(blocked.loop)].counter == e->var)
        return ir::cast(e->type.scalar, ir::binary("+", ir::varRef(originOf(blocked.loop)), e));
    }
    if (single_ != nullptr &&
        nest_.loops[static_cast<std::size_t>(single_->loop)].counter == e->var)
      return ir::cast(e->type.scalar, ir::varRef(originOf(single_->loop)));
    return e;
  }

  VarPtr originOf(int loop) {
    VarPtr &origin = origins[loop];
    if (!origin)
      origin =
          parameter(fresh(nest_.loops[static_cast<std::size_t>(loop)].counter->name + "_from"));
    return origin;
  }

  std::string fresh(const std::string &wanted) {
    const std::string name =
        ir::uniqueName(wanted, [&](const std::string &each) { return taken_.contains(each); });
    taken_.insert(name);
    return name;
  }

  const Nest &nest_;
  /// What a place in a window is computed from: sizes of what is cut are parameters.
  ExprPtr expressionOf(const Polynomial &place) {
    return ir::rewrite(nest_.facts.expression(place),
                       [&](const ExprPtr &e) { return e->kind == ExprKind::Size ? size(e) : e; });
  }

  const std::vector<BlockedLoop> &blocked_;
  const SingleRounds *single_;
  std::set<std::string> taken_;
};

/// Without names of values that nothing uses.
StmtPtr withoutUnusedNames(StmtPtr body, const Nest &nest) {
  for (std::size_t before = 0; before != nest.names.size(); ++before) {
    const std::set<const ir::Var *> used = variablesIn(body);
    body = ir::rewrite(body, [&](const StmtPtr &s) {
      const bool isName =
          s->kind == StmtKind::Decl && std::ranges::any_of(nest.names, [&](const ir::Stmt *name) {
            return name->var == s->var;
          });
      return isName && !used.contains(s->var.get()) ? nullptr : s;
    });
  }
  return body;
}

/// in.size(1) == out.size(1) + 2 of each window: how many rounds it is for.
std::vector<ExprPtr> windowRequirements(const std::vector<BlockedLoop> &blocked) {
  std::vector<ExprPtr> all;
  for (const BlockedLoop &loop : blocked) {
    const ExprPtr rounds = roundsOf(loop.written);
    for (const LoopWindow &window : loop.windows) {
      const ExprPtr size = sizeOf(window.array, window.dimension);
      if (window.array == loop.written.array && window.dimension == loop.written.dimension)
        continue;
      // size + less == step * rounds + more
      const std::int64_t more = window.halo + 1 - window.step;
      const auto plus = [](const ExprPtr &e, std::int64_t number) {
        return number > 0 ? ir::binary("+", e, ir::intLiteral(number)) : e;
      };
      const ExprPtr steps =
          window.step == 1 ? rounds : ir::binary("*", ir::intLiteral(window.step), rounds);
      all.push_back(ir::binary("==", plus(size, -more), plus(steps, more)));
    }
  }
  return all;
}

bool namesWindow(const ExprPtr &e, const std::vector<BlockedLoop> &blocked) {
  return std::ranges::any_of(
      blocked, [&](const BlockedLoop &loop) { return composer::namesWindow(e, loop); });
}

/// Whether a size along the dimension that single rounds cut is named.
bool namesRound(const ExprPtr &e, const std::optional<SingleRounds> &single) {
  return single && namesSize(e, [&](const ir::Var *array, unsigned dimension) {
           const RoundWindow *window = single->windowOf(array);
           return window != nullptr && window->dimension == dimension;
         });
}

/// "chunks(in, 1, 2, 0, 3)": the windows of single rounds of a container, which is handed over as `text`; or all of it.
std::string inRounds(const Nest &nest, const SingleRounds &single, const VarPtr &array,
                     std::string text) {
  const RoundWindow *window = single.windowOf(array.get());
  if (window == nullptr)
    return "all(" + text + ")";
  const NestLoop &loop = nest.loops[static_cast<std::size_t>(single.loop)];
  const Polynomial end = (loop.end - 1) * window->step + window->halo + 1;
  const std::string dimension = std::to_string(window->dimension);
  const Polynomial size = nest.facts.of(sizeOf(array, window->dimension));
  if (!nest.facts.isNonNegative(size - end) || !nest.facts.isNonNegative(end - size))
    text = "slice(" + text + ", 0, " + naturalText(nest, end) + ", " + dimension + ")";
  return "chunks(" + text + ", 1, " + naturalText(nest, window->halo) + ", " + dimension + ", " +
         sourceOf(nest.facts.expression(window->step)) + ")";
}

/// in.size(0) == 3 of windows of single rounds that no other loop cuts.
std::vector<ExprPtr> roundRequirements(const Nest &nest, const SingleRounds &single,
                                       const std::vector<BlockedLoop> &blocked) {
  std::vector<ExprPtr> all;
  for (const RoundWindow &window : single.windows) {
    const ExprPtr elements = nest.facts.expression(window.halo + 1);
    const bool isCut = std::ranges::any_of(blocked, [&](const BlockedLoop &loop) {
      const LoopWindow *own = loop.windowOf(window.array.get());
      return own != nullptr && own->dimension == window.dimension;
    });
    if (!isCut && !namesWindow(elements, blocked) && !namesRound(elements, single))
      all.push_back(ir::binary("==", sizeOf(window.array, window.dimension), elements));
  }
  return all;
}

/// A container as the windows of all rounds: itself, or slices of it.
std::string sliced(const Nest &nest, const std::vector<BlockedLoop> &blocked, const VarPtr &array,
                   const std::optional<SingleRounds> &single) {
  std::string text = array->name;
  const RoundWindow *round = single ? single->windowOf(array.get()) : nullptr;
  for (const BlockedLoop &each : blocked) {
    const LoopWindow *window = each.windowOf(array.get());
    if (window == nullptr || (round != nullptr && round->dimension == window->dimension) ||
        isWhole(nest, each.loop, *window))
      continue;
    const NestLoop &loop = nest.loops[static_cast<std::size_t>(each.loop)];
    text = "slice(" + text + ", " + naturalText(nest, beginOf(loop, *window)) + ", " +
           naturalText(nest, endOf(loop, *window)) +
           (array->type.rank > 1 ? ", " + std::to_string(window->dimension) : "") + ")";
  }
  return text;
}

LoopForm ownForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                 const std::vector<BlockedLoop> &blocked) {
  LoopForm form{spectrum.name, spectrum.result, codelet.params, codelet.body, {}, {}, {}};
  for (const BlockedLoop &each : blocked) {
    const VarPtr &counter = nest.loops[static_cast<std::size_t>(each.loop)].counter;
    form.loops.push_back({each, counter->name, counter, nullptr});
  }
  return form;
}

} // namespace

std::string naturalText(const Nest &nest, const Polynomial &p) {
  Polynomial added, taken;
  for (const auto &[monomial, coefficient] : p.terms())
    (coefficient > 0 ? added : taken)
        .addTerm(monomial, coefficient > 0 ? coefficient : -coefficient);
  const std::string above = sourceOf(nest.facts.expression(added));
  if (taken.isZero())
    return above;
  const std::string below = sourceOf(nest.facts.expression(taken));
  return "max<unsigned long>(" + above + ", " + below + ") - " +
         (taken.terms().size() > 1 ? "(" + below + ")" : below);
}

LoopForm loopForm(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
                  const std::vector<BlockedLoop> &blocked,
                  const std::function<bool(const std::string &)> &isTaken,
                  const std::optional<SingleRounds> &single) {
  if (!single && std::ranges::all_of(blocked, [&](const BlockedLoop &each) {
        return isItsOwnBlock(nest, each, codelet);
      }))
    return ownForm(spectrum, codelet, nest, blocked);
  Windowed windowed(nest, blocked, codelet, single ? &*single : nullptr);
  LoopForm form;
  form.single = single;
  form.spectrum = ir::uniqueName(ir::identifierOf(spectrum.name) + "_rounds", isTaken);
  form.result = spectrum.result;
  form.body = withoutUnusedNames(windowed.statement(codelet.body), nest);
  std::set<const ir::Var *> used = variablesIn(form.body);
  form.requirements = windowRequirements(blocked);
  if (single) {
    for (const ExprPtr &each : roundRequirements(nest, *single, blocked))
      form.requirements.push_back(each);
  }
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind != StmtKind::Require || namesWindow(s->value, blocked) ||
        namesRound(s->value, single))
      continue;
    form.requirements.push_back(s->value);
    ir::forEach(s->value, [&](const ir::Expr &e) {
      if (e.kind == ExprKind::Var)
        used.insert(e.var.get());
    });
  }
  for (const VarPtr &param : codelet.params) {
    if (param->type.isContainer() || !used.contains(param.get()))
      continue;
    form.params.push_back(param);
    form.arguments.push_back(param->name);
  }
  for (const BlockedLoop &each : blocked) {
    const NestLoop &loop = nest.loops[static_cast<std::size_t>(each.loop)];
    const VarPtr origin = windowed.origins[each.loop];
    form.loops.push_back(
        {each, loop.counter->name, loop.counter, used.contains(origin.get()) ? origin : nullptr});
    for (LoopWindow &window : form.loops.back().blocked.windows)
      window.lowest = {};
    if (form.loops.back().origin) {
      form.params.push_back(origin);
      form.arguments.push_back(naturalText(nest, loop.first));
    }
  }
  if (single) {
    const NestLoop &loop = nest.loops[static_cast<std::size_t>(single->loop)];
    const VarPtr origin = windowed.origins[single->loop];
    if (origin && used.contains(origin.get())) {
      form.params.push_back(origin);
      form.arguments.push_back("sequence(0, 1, " + naturalText(nest, loop.end) + " + 1)");
    }
  }
  for (const auto &[param, size] : windowed.sizes) {
    if (!used.contains(param.get()))
      continue;
    form.params.push_back(param);
    form.arguments.push_back(sourceOf(size));
  }
  for (const VarPtr &param : codelet.params) {
    if (!param->type.isContainer())
      continue;
    form.params.push_back(param);
    const std::string all = sliced(nest, blocked, param, single);
    form.arguments.push_back(single ? inRounds(nest, *single, param, all) : all);
  }
  return form;
}

} // namespace tangram::composer
