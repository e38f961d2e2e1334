#include "codegen/passes/array/step_inputs.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "ir/assigned_variables.h"

#include <algorithm>
#include <functional>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool sameOrNone(const ExprPtr &a, const ExprPtr &b) { return a && b ? sameExpr(a, b) : a == b; }

/// Whether `e` is made of integer variables and numbers by sums, differences, products and conversions to an index.
bool isPolynomial(const ExprPtr &e) {
  if (e->kind == ExprKind::Literal || e->kind == ExprKind::Var)
    return isInteger(e->type.scalar);
  const bool isLinked =
      e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-" || e->op == "*");
  const bool converts = e->kind == ExprKind::Cast && e->type.scalar == Scalar::Index;
  return (isLinked || converts) && std::ranges::all_of(e->args, isPolynomial);
}

/// The terms with positive coefficients, and the negative of the other terms.
std::pair<Polynomial, Polynomial> bySign(const Polynomial &p) {
  std::pair<Polynomial, Polynomial> parts;
  for (const auto &[monomial, coefficient] : p.terms()) {
    if (coefficient > 0)
      parts.first.addTerm(monomial, coefficient);
    else
      parts.second.addTerm(monomial, -coefficient);
  }
  return parts;
}

/// Whether no variable in `e` may be below 0.
bool isNatural(const ExprPtr &e) {
  return !contains(e, [](const Expr &each) {
    return each.kind == ExprKind::Var && each.type.scalar != Scalar::Index &&
           isSigned(each.type.scalar);
  });
}

} // namespace

bool StepInput::Dimension::operator==(const Dimension &other) const {
  return along == other.along && sameOrNone(step, other.step) &&
         sameOrNone(sumStep, other.sumStep) && others == other.others;
}

bool StepInput::isSame(const StepInput &other) const {
  return array == other.array && dimensions == other.dimensions;
}

bool StepInput::isElement(const Expr &e) const {
  return std::ranges::any_of(elements, [&](const ExprPtr &each) {
    return e.kind == ExprKind::Index && sameExpr(each, std::make_shared<Expr>(e));
  });
}

bool StepInput::isDense() const {
  return !hasShared() && std::ranges::all_of(dimensions, [](const Dimension &d) {
    return (!d.step || isLiteral(d.step, 1)) && (!d.sumStep || isLiteral(d.sumStep, 1));
  });
}

bool StepInput::hasShared() const {
  return std::ranges::any_of(dimensions, [](const Dimension &d) { return d.along && d.sumStep; });
}

StepInputs::StepInputs(const LoweredPlan &plan) : plan_(plan), shared_(plan) {
  const std::set<const Var *> assigned = assignedIn(plan.body);
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.value && !assigned.contains(s.var.get()) &&
        isPolynomial(s.value))
      facts_.define(s.var, facts_.unwrapped(s.value));
  });
}

std::vector<StepInput> StepInputs::of(const TileSum &sum, std::size_t summed) {
  std::vector<StepInput> inputs;
  bool fits = true;
  const std::function<void(const StmtPtr &, bool)> walk = [&](const StmtPtr &s, bool isAsked) {
    if (!s)
      return;
    fits &= s->kind != StmtKind::Assign || s->target->kind == ExprKind::Var ||
            sum.outputs.contains(s->target->args[0]->var.get());
    forEachOwnExpr(*s, [&](const ExprPtr &own) {
      const bool chooses = contains(own, [](const Expr &e) {
        return e.kind == ExprKind::Select ||
               (e.kind == ExprKind::Binary && (e.op == "&&" || e.op == "||"));
      });
      forEach(own, [&](const Expr &e) {
        if (e.kind != ExprKind::Index || sum.outputs.contains(e.args[0]->var.get()))
          return;
        auto input = inputOf(e, sum, summed, isAsked || chooses);
        if (!input)
          return;
        const auto same = std::ranges::find_if(
            inputs, [&](const StepInput &each) { return each.isSame(*input); });
        if (same == inputs.end()) {
          inputs.push_back(*std::move(input));
          return;
        }
        same->isAsked |= input->isAsked;
        if (!same->isElement(e))
          same->elements.push_back(input->elements[0]);
      });
    });
    for (const StmtPtr &child : s->children)
      walk(child, isAsked || s->kind == StmtKind::If);
  };
  walk(sum.loops.front()->children[2], false);
  return fits ? inputs : std::vector<StepInput>{};
}

/// The dimensions of the tile; none unless each subscript is the counter of a loop of its own plus something else.
std::vector<StepInputs::Place> StepInputs::placesOf(const TileSum &sum) {
  std::vector<Place> places;
  for (const WindowDimension &d : sum.tile->window->dims) {
    const ExprPtr &subscript = sum.element[d.of];
    VarPtr counter;
    forEach(sum.loops.back()->children[2], [&](const Stmt &s) {
      const VarPtr number = s.kind == StmtKind::For ? counterOf(s) : nullptr;
      if (number && mentions(subscript, number.get()))
        counter = number;
    });
    if (!counter)
      return {};
    places.push_back({placeOf(subscript), facts_.of(varRef(counter))});
    if (splitBy(places.back().element, places.back().counter.atom()).coefficient.literal() != 1)
      return {};
  }
  return places;
}

Polynomial StepInputs::placeOf(const ExprPtr &e) {
  const auto isWide = [](const ExprPtr &each) {
    return each->type.scalar == Scalar::Index || each->type.scalar == Scalar::U64;
  };
  if (e->kind == ExprKind::Cast && isWide(e) && isWide(e->args[0]))
    return placeOf(e->args[0]);
  if (e->kind != ExprKind::Binary || !isWide(e))
    return facts_.unwrapped(e);
  if (e->op == "+")
    return placeOf(e->args[0]) + placeOf(e->args[1]);
  if (e->op == "-")
    return placeOf(e->args[0]) - placeOf(e->args[1]);
  if (e->op == "*")
    return placeOf(e->args[0]) * placeOf(e->args[1]);
  return facts_.unwrapped(e);
}

ExprPtr StepInputs::sameForAll(const Polynomial &value, const TileSum &sum) const {
  const ExprPtr e = value.overflowed() ? nullptr : facts_.expression(value);
  std::set<const Var *> own;
  forEach(sum.group->children[0], [&](const Stmt &s) {
    if (s.kind == StmtKind::Parallel && s.var)
      own.insert(s.var.get());
    if (s.kind == StmtKind::Parallel)
      own.merge(changedIn(s.children[0]));
  });
  for (const Stmt *loop : sum.loops)
    own.erase(counterOf(*loop).get());
  const bool differs = !e || contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
           (each.kind == ExprKind::Var && own.contains(each.var.get()));
  });
  return differs || !isNatural(e) ? nullptr : e;
}

std::optional<StepInput::Dimension> StepInputs::dimensionOf(const ExprPtr &subscript,
                                                            const std::vector<Place> &places,
                                                            const TileSum &sum,
                                                            std::size_t summed) {
  StepInput::Dimension found;
  Polynomial rest = placeOf(subscript);
  for (std::size_t d = 0; d < places.size(); ++d) {
    const Split split = splitBy(rest, places[d].counter.atom());
    if (split.linear && split.coefficient.isZero())
      continue;
    found.step = split.linear && !found.along ? sameForAll(split.coefficient, sum) : nullptr;
    if (!found.step || !split.coefficient.hasNoNegativeTerm())
      return std::nullopt;
    found.along = d;
    rest = rest - places[d].element * split.coefficient;
  }
  const Split split = splitBy(rest, facts_.of(varRef(counterOf(*sum.loops[summed]))).atom());
  if (!split.linear)
    return std::nullopt;
  if (!split.coefficient.isZero()) {
    found.sumStep = sameForAll(split.coefficient, sum);
    if (!found.sumStep || !split.coefficient.hasNoNegativeTerm() ||
        (found.along && sameExpr(found.step, found.sumStep)))
      return std::nullopt;
    rest = split.rest;
  }
  const auto [added, taken] = bySign(rest);
  if (rest.overflowed() || !sameForAll(added, sum) || !sameForAll(taken, sum))
    return std::nullopt;
  found.others = rest;
  return found;
}

StepInputs::Start StepInputs::startOf(const StepInput::Dimension &of, const Window &tile) {
  const ExprPtr begin = of.along ? tile.origin[tile.dims[*of.along].of] : intLiteral(0);
  if (of.others.isZero())
    return {of.along ? mul(of.step, begin) : begin, nullptr};
  const Polynomial start = of.along ? placeOf(begin) * placeOf(of.step) + of.others : of.others;
  const auto [added, taken] = bySign(start);
  return {facts_.expression(added), taken.isZero() ? nullptr : facts_.expression(taken)};
}

std::optional<StepInput> StepInputs::inputOf(const Expr &element, const TileSum &sum,
                                             std::size_t summed, bool isAsked) {
  StepInput input{element.args[0]->var, {std::make_shared<Expr>(element)}, {}, isAsked};
  const std::vector<Place> places = placesOf(sum);
  if (places.empty() || !shared_.contains(input.array))
    return std::nullopt;
  bool isSummed = false, isAlong = false;
  for (std::size_t d = 0; d + 1 < element.args.size(); ++d) {
    auto dimension = dimensionOf(element.args[d + 1], places, sum, summed);
    if (!dimension)
      return std::nullopt;
    isSummed |= dimension->sumStep != nullptr;
    isAlong |= dimension->along.has_value();
    dimension->extent = extentAlong(plan_, input.array, d);
    const bool isShared = dimension->along && dimension->sumStep;
    if ((isAsked || isShared) && !dimension->extent)
      return std::nullopt;
    if (isShared && startOf(*dimension, *sum.group->window).taken)
      return std::nullopt;
    input.dimensions.push_back(*std::move(dimension));
  }
  return isSummed && isAlong ? std::optional(input) : std::nullopt;
}

namespace {

ExprPtr atMost(const ExprPtr &a, const ExprPtr &b) {
  return call("min", scalarType(Scalar::Index), {a, b});
}

/// max(a - b, 0).
ExprPtr beyond(const ExprPtr &a, const ExprPtr &b) {
  return binary("-", call("max", scalarType(Scalar::Index), {a, b}), b);
}

/// Clips the elements that a tile names along a dimension to the array: `skipped` of them lie before it, and `extent` in it, from
/// `first` on.
class Clip {
public:
  Clip(const StepInput &input, const StepInput::Dimension &of, StepWindow &to)
      : name_(input.array->name), of_(of), to_(to) {}

  ExprPtr first, skipped, extent;

  /// `count` elements from `start - taken` on; `taken` may be null for 0.
  void clip(const ExprPtr &start, const ExprPtr &taken, const ExprPtr &count) {
    first = start;
    extent = count;
    const ExprPtr &step = of_.along ? of_.step : of_.sumStep;
    const ExprPtr divisor = literalValue(step) ? step : maxOf(step, intLiteral(1));
    if (taken) {
      const ExprPtr from = named("_from", start);
      const ExprPtr before = named("_before", taken);
      skipped = named("_skipped", ceilDiv(beyond(before, from), divisor));
      first = named("_start", binary("-", add(from, mul(step, skipped)), before));
      extent = beyond(count, skipped);
    } else {
      first = named("_start", start);
    }
    extent = named("_len", atMost(extent, ceilDiv(beyond(of_.extent, first), divisor)));
  }

private:
  ExprPtr named(const std::string &suffix, const ExprPtr &value) {
    const VarPtr name = newVariable(name_ + suffix);
    to_.names.push_back(declare(name, value));
    return varRef(name);
  }

  std::string name_;
  const StepInput::Dimension &of_;
  StepWindow &to_;
};

/// Whether a subscript is the counter of a loop over the whole dimension, so that it is in the array under any condition.
bool isNumber(const ExprPtr &subscript, const StepInput::Dimension &of, const TileSum &sum) {
  return std::ranges::any_of(sum.loops, [&](const Stmt *loop) {
    return subscript->kind == ExprKind::Var && subscript->var == counterOf(*loop) &&
           sameExpr(of.extent, loop->value->args[1]);
  });
}

/// The condition that the subscript `added - taken`, which is the same for all elements, is in the array.
ExprPtr isThere(const StepInput::Dimension &of, const ExprPtr &added, const ExprPtr &taken) {
  const ExprPtr ends = binary("<", taken ? binary("-", added, taken) : added, of.extent);
  return taken ? binary("&&", binary(">=", added, taken), ends) : ends;
}

} // namespace

StepWindow StepInputs::windowOf(const StepInput &input, const TileSum &sum, const Window &tile,
                                const StepRange &step) {
  StepWindow made{{input.array, {}, {}}, {}, {}};
  ExprPtr exists;
  for (unsigned d = 0; d < input.dimensions.size(); ++d) {
    const StepInput::Dimension &of = input.dimensions[d];
    made.skipped.push_back(nullptr);
    auto [start, taken] = startOf(of, tile);
    std::vector<WindowDimension> dims;
    if (of.along)
      dims.push_back({d, of.step, tile.dims[*of.along].extent, tile.dims[*of.along].bound});
    if (of.sumStep)
      dims.push_back({d, of.sumStep, varRef(step.length), step.size});
    // Whether the bounds of the sum's loops alone say that the elements are in the array.
    const bool isSummed = of.sumStep && isLiteral(of.sumStep, 1) && of.others.isZero();
    const bool isKnown = dims.empty() ? !taken && isNumber(start, of, sum)
                         : of.sumStep ? isSummed && !of.along && sameExpr(of.extent, step.end)
                                      : false;
    if (of.sumStep)
      start = add(start, mul(of.sumStep, varRef(step.start)));
    if (!input.isAsked || isKnown || dims.size() == 2) {
      start = taken ? binary("-", start, taken) : start;
    } else if (dims.empty()) {
      const ExprPtr here = isThere(of, start, taken);
      exists = exists ? binary("&&", exists, here) : here;
      start = taken ? binary("-", start, taken) : start;
    } else {
      Clip clip(input, of, made);
      clip.clip(start, taken, dims[0].extent);
      start = clip.first;
      dims[0].extent = clip.extent;
      made.skipped.back() = clip.skipped;
    }
    // Neighbours in the array come last, so that they are copied side by side.
    if (dims.size() == 2 && isLiteral(dims[0].step, 1))
      std::swap(dims[0], dims[1]);
    made.window.origin.push_back(start);
    made.window.dims.insert(made.window.dims.end(), dims.begin(), dims.end());
  }
  if (exists) {
    WindowDimension &first = made.window.dims.front();
    first.extent = select(exists, first.extent, intLiteral(0));
  }
  return made;
}

namespace {

ExprPtr plus(const ExprPtr &a, const ExprPtr &b) { return a ? add(a, b) : b; }

/// The product of `step` and `steps`, multiplied out over the summands of `steps`.
ExprPtr inSummands(const ExprPtr &step, const ExprPtr &steps) {
  if (isLiteral(step, 1))
    return steps;
  ExprPtr sum;
  for (const ExprPtr &each : summandsOf(steps))
    sum = plus(sum, mul(step, each));
  return sum;
}

} // namespace

std::vector<ExprPtr> subscriptsIn(const StepInput &input, const StepWindow &window,
                                  const std::vector<ExprPtr> &offsets, const ExprPtr &number) {
  std::vector<ExprPtr> subscripts = window.window.origin;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const StepInput::Dimension &of = input.dimensions[d];
    const auto counted = [&](const ExprPtr &steps) {
      return window.skipped[d] ? binary("-", steps, window.skipped[d]) : steps;
    };
    if (of.along)
      subscripts[d] = plus(subscripts[d], inSummands(of.step, counted(offsets[*of.along])));
    if (of.sumStep)
      subscripts[d] =
          plus(subscripts[d], inSummands(of.sumStep, of.along ? number : counted(number)));
  }
  return subscripts;
}

} // namespace tangram::codegen
