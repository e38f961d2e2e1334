// Whether what different elements of a map touch, or different arguments of a call, are
// different elements of memory: arguments as sets of LMADs, and what is known of the numbers in
// them, for the test of algebra/overlap.h.
#include "algebra/overlap.h"
#include "codegen/form/building.h"
#include "codegen/lowering/side_effects.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

/// Number of an element of a map: one, or one for each dimension that is cut.
struct SideEffects::ElementNumber {
  std::vector<ExprPtr> along;
  ExprPtr flat;
};

class SideEffects::Footprints {
public:
  explicit Footprints(const SideEffects &effects) : effects_(effects) {
    for (const Tunable &tunable : effects.plan_.tunables) {
      auto least = static_cast<std::int64_t>(std::min<std::uint64_t>(tunable.min, 1 << 30));
      facts_.assume(facts_.of(varRef(tunable.var)) - least);
    }
    for (const Constraint &each : effects.plan_.constraints)
      facts_.assumeCondition(each.require);
    for (const ShapeContract &each : effects.plan_.shape)
      facts_.assumeCondition(binary("==", varRef(each.extent), each.equals));
  }

  Inequalities &facts() { return facts_; }

  Polynomial number(const ExprPtr &e) {
    ExprPtr meaning = effects_.scope_.meaningOf(e);
    forEach(meaning, [&](const Expr &each) {
      if (each.kind == ExprKind::Var)
        boundWorker(each.var);
    });
    return facts_.of(meaning);
  }

  Lmad ofView(const View &given) {
    const View view = reachOf(given);
    const LinearView memory = linear(view);
    Lmad lmad{number(memory.offset), {}};
    for (std::size_t d = 0; d < view.dims.size(); ++d)
      lmad.dims.push_back({number(view.dims[d].extent), number(memory.strides[d])});
    return lmad;
  }

  /// What a window without edges has for subscripts along dimension `d` of its array.
  Lmad ofSubscripts(const View &view, std::size_t d) {
    Lmad lmad{number(view.origin[d]), {}};
    for (const Dimension &each : view.dims) {
      if (each.of == d)
        lmad.dims.push_back({number(each.extent), number(each.step)});
    }
    return lmad;
  }

  /// Part number `i` of each cut.
  Lmad ofPart(const Parts &parts, const std::vector<ExprPtr> &i) {
    Lmad lmad = ofView(parts.base);
    if (!parts.base.edges.empty())
      return lmad;
    for (std::size_t c = 0; c < parts.cuts.size(); ++c) {
      const Cut &cut = parts.cuts[c];
      if (cut.dim >= parts.base.dims.size())
        continue;
      const PartBounds bounds = boundsOf(cut, parts.base.dims[cut.dim].extent, i[c]);
      Lmad::Dimension &d = lmad.dims[cut.dim];
      const Polynomial first = number(bounds.first);
      const Polynomial inc = number(bounds.inc);
      const Polynomial length = number(bounds.end) - first;
      lmad.offset = lmad.offset + first * d.stride;
      d.extent = length;
      if (!(inc == Polynomial(1))) {
        // first + k * inc is below the end for each of its elements, if there is one.
        d.extent = Polynomial::of(facts_.unknown());
        facts_.assume(inc - 1);
        facts_.assume(length - 1 - (d.extent - 1) * inc);
      }
      d.stride = d.stride * inc;
    }
    return lmad;
  }

  /// What argument number `k` of the map's element `i` may touch.
  std::vector<Lmad> ofElement(const MapWork &work, std::size_t k, const ElementNumber &i) {
    const Value &arg = work.args[k];
    const Parts *parts = std::get_if<Parts>(&arg);
    const View *view = std::get_if<View>(&arg);
    if (work.shared[k])
      return ofValue(arg);
    if (parts && parts->cuts.size() == i.along.size())
      return {ofPart(*parts, i.along)};
    if (parts && parts->cuts.size() == 1)
      return {ofPart(*parts, {i.flat})};
    if (view && !view->dims.empty())
      return {ofView(fixOutermost(*view, i.flat))};
    return ofValue(arg);
  }

  /// All of an argument.
  std::vector<Lmad> ofValue(const Value &value) {
    if (const View *view = std::get_if<View>(&value))
      return {ofView(*view)};
    if (const Parts *parts = std::get_if<Parts>(&value))
      return {ofView(parts->base)};
    std::vector<Lmad> points;
    if (const ExprPtr *number = std::get_if<ExprPtr>(&value)) {
      forEach(*number, [&](const Expr &e) {
        if (e.kind == ExprKind::Index)
          points.push_back({this->number(effects_.plan_.positionIn(e)), {}});
      });
    }
    return points;
  }

private:
  void boundWorker(const VarPtr &worker) {
    const ExprPtr *largest = effects_.scope_.largest(worker.get());
    if (!largest || !bounded_.insert(worker.get()).second)
      return;
    const ExprPtr &most = *largest;
    bool isCount = most->kind == ExprKind::Binary && most->op == "-" && isLiteral(most->args[1], 1);
    // There is a worker, so that the count is no 0.
    Polynomial bound = isCount ? number(most->args[0]) - 1 : number(most);
    facts_.assume(bound - facts_.of(varRef(worker)));
  }

  const SideEffects &effects_;
  Inequalities facts_;
  std::set<const Var *> bounded_;
};

bool SideEffects::partsAreDisjoint(const Parts &parts, std::size_t cut) const {
  const Cut &each = parts.cuts[cut];
  if (each.dim >= parts.base.dims.size())
    return false;
  Parts line{wholeBuffer(parts.base.buffer, {parts.base.dims[each.dim].extent}), {each}};
  line.cuts[0].dim = 0;
  ExprPtr i = varRef(newVariable("i", Scalar::Index));
  ExprPtr j = varRef(newVariable("j", Scalar::Index));
  Footprints footprints(*this);
  Inequalities &facts = footprints.facts();
  facts.assume(facts.of(j) - facts.of(i) - 1);
  facts.assume(footprints.number(each.count) - facts.of(j) - 1);
  Lmad one = footprints.ofPart(line, {i});
  Lmad other = footprints.ofPart(line, {j});
  return disjoint(one, other, facts);
}

bool SideEffects::subscriptsAreDisjoint(const View &a, const View &b) const {
  for (std::size_t d = 0; d < std::min(a.origin.size(), b.origin.size()); ++d) {
    Footprints footprints(*this);
    const Lmad one = footprints.ofSubscripts(a, d);
    const Lmad other = footprints.ofSubscripts(b, d);
    if (disjoint(one, other, footprints.facts()))
      return true;
  }
  return false;
}

bool SideEffects::valuesAreDisjoint(const Value &a, const Value &b) const {
  Footprints footprints(*this);
  std::vector<Lmad> one = footprints.ofValue(a);
  std::vector<Lmad> other = footprints.ofValue(b);
  return disjoint(one, other, footprints.facts());
}

bool SideEffects::sameElementIsDisjoint(const MapWork &work, std::size_t a, std::size_t b) const {
  Footprints footprints(*this);
  ElementNumber i = elementNumber(work, a, "i");
  assumeElement(footprints, work, a, i);
  std::vector<Lmad> one = footprints.ofElement(work, a, i);
  std::vector<Lmad> other = footprints.ofElement(work, b, i);
  return disjoint(one, other, footprints.facts());
}

SideEffects::ElementNumber SideEffects::elementNumber(const MapWork &work, std::size_t k,
                                                      const std::string &name) const {
  ElementNumber number;
  const Parts *parts = std::get_if<Parts>(&work.args[k]);
  const std::size_t count = parts && !work.shared[k] ? parts->cuts.size() : 1;
  for (std::size_t c = 0; c < count; ++c)
    number.along.push_back(varRef(newVariable(name, Scalar::Index)));
  number.flat = number.along[0];
  for (std::size_t c = 1; c < count; ++c)
    number.flat = binary("+", binary("*", number.flat, parts->cuts[c].count), number.along[c]);
  return number;
}

void SideEffects::assumeElement(Footprints &footprints, const MapWork &work, std::size_t k,
                                const ElementNumber &i) const {
  Inequalities &facts = footprints.facts();
  const Parts *parts = std::get_if<Parts>(&work.args[k]);
  for (std::size_t c = 0; c < i.along.size(); ++c) {
    const ExprPtr &count = parts && !work.shared[k] ? parts->cuts[c].count : work.count;
    facts.assume(footprints.number(count) - facts.of(i.along[c]) - 1);
  }
}

bool SideEffects::otherElementsAreDisjoint(
    const MapWork &work, std::size_t a,
    const std::function<std::vector<Lmad>(Footprints &, const ElementNumber &)> &other) const {
  const std::size_t dims = elementNumber(work, a, "i").along.size();
  // Different numbers are the same in the first dimensions, then one is larger.
  for (std::size_t same = 0; same < dims; ++same) {
    for (bool larger : {true, false}) {
      Footprints footprints(*this);
      Inequalities &facts = footprints.facts();
      ElementNumber i = elementNumber(work, a, "i");
      ElementNumber j = elementNumber(work, a, "j");
      for (std::size_t c = 0; c <= same; ++c) {
        Polynomial difference = facts.of(j.along[c]) - facts.of(i.along[c]);
        if (c == same) {
          facts.assume((larger ? difference : -difference) - 1);
          continue;
        }
        facts.assume(difference);
        facts.assume(-difference);
      }
      assumeElement(footprints, work, a, i);
      assumeElement(footprints, work, a, j);
      std::vector<Lmad> mine = footprints.ofElement(work, a, i);
      std::vector<Lmad> others = other(footprints, j);
      if (!disjoint(mine, others, facts))
        return false;
    }
  }
  return true;
}

bool SideEffects::argumentsAreDisjoint(const MapWork &work, std::size_t a, std::size_t b) const {
  auto *parts = std::get_if<Parts>(&work.args[a]);
  auto *others = std::get_if<Parts>(&work.args[b]);
  // Numbers along two dimensions are those of both if both are cut into as many.
  if (parts && others && !work.shared[b] && parts->cuts.size() > 1 &&
      !(others->cuts.size() == 2 && sameExpr(parts->cuts[1].count, others->cuts[1].count)))
    return false;
  if (others && !work.shared[b] && others->cuts.size() > 1 && !(parts && parts->cuts.size() > 1))
    return false;
  return otherElementsAreDisjoint(work, a, [&](Footprints &footprints, const ElementNumber &j) {
    return footprints.ofElement(work, b, j);
  });
}

bool SideEffects::resultsAreDisjoint(const MapWork &work, const View &result, std::size_t a) const {
  return otherElementsAreDisjoint(work, a, [&](Footprints &footprints, const ElementNumber &j) {
    return std::vector{footprints.ofView(fixOutermost(result, j.flat))};
  });
}

} // namespace tangram::codegen
