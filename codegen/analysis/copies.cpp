#include "codegen/analysis/copies.h"

#include "algebra/simplify.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// The name of the number of a dimension, the `k`th of `count`.
std::string nameOfDimension(std::size_t k, std::size_t count) {
  if (count == 1)
    return "place";
  if (k + 1 == count)
    return "column";
  return k > 0 || count == 2 ? "row" : "plane";
}

bool isContinued(const LoweredPlan &plan, const VarPtr &array, unsigned dimension) {
  const auto padded = plan.padded.find(array);
  return padded != plan.padded.end() &&
         std::ranges::any_of(padded->second.edges,
                             [&](const Edge &edge) { return edge.of == dimension; });
}

/// Whether the window has an element at each number below the bound of the dimension.
bool isWhole(const LoweredPlan &plan, const Window &w, const WindowDimension &dim) {
  return sameExpr(dim.extent, dim.bound) || isContinued(plan, w.array, dim.of);
}

/// Where along a dimension of its array a position in the window is.
ExprPtr subscriptAt(const Window &window, const std::vector<ExprPtr> &position, unsigned of) {
  ExprPtr subscript = window.origin[of];
  for (std::size_t d = 0; d < position.size(); ++d) {
    if (window.dims[d].of == of)
      subscript = add(subscript, mul(window.dims[d].step, position[d]));
  }
  return subscript;
}

std::vector<ExprPtr> refsOf(const std::vector<VarPtr> &variables) {
  std::vector<ExprPtr> refs;
  for (const VarPtr &each : variables)
    refs.push_back(varRef(each));
  return refs;
}

/// The code of one Copy.
class Expansion {
public:
  Expansion(const LoweredPlan &plan, const Stmt &copy)
      : plan_(plan), copy_(copy), window_(*copy.window) {}

  StmtPtr run() const {
    if (plan_.target->itemsAreLoops)
      return inLoops();
    const StmtPtr single = byItems();
    if (!copy_.copy->vectors)
      return single;
    const VarPtr wide = newVariable("wide", Scalar::Bool);
    return block({declare(wide, copy_.copy->vectors->condition),
                  ifThen(varRef(wide), block({byVectors()}), block({single}))});
  }

private:
  std::vector<VarPtr> newCounters() const {
    std::vector<VarPtr> counters;
    for (const VarPtr &each : copy_.copy->counters)
      counters.push_back(renewed(*each));
    return counters;
  }

  /// `e` at a position.
  ExprPtr at(const std::vector<ExprPtr> &position, const ExprPtr &e) const {
    Substitution with;
    for (std::size_t d = 0; d < position.size(); ++d)
      with[copy_.copy->counters[d].get()] = position[d];
    return substitute(e, with);
  }

  StmtPtr stored(const std::vector<ExprPtr> &position, const ExprPtr &value) const {
    return assign(at(position, copy_.target), "=", value);
  }

  /// Whether there is an element at `position`; null: there is one at each.
  ExprPtr isInside(const std::vector<ExprPtr> &position) const {
    ExprPtr inside;
    const auto ask = [&](const ExprPtr &e) { inside = inside ? binary("&&", inside, e) : e; };
    for (std::size_t d = 0; d < position.size(); ++d) {
      if (!isWhole(plan_, window_, window_.dims[d]))
        ask(binary("<", position[d], window_.dims[d].extent));
    }
    // Where two dimensions of the window run along one of the array, a full part of one and another
    // may reach past the array's end.
    for (unsigned of = 0; of < window_.origin.size(); ++of) {
      if (std::ranges::count(window_.dims, of, &WindowDimension::of) > 1)
        ask(binary("<", subscriptAt(window_, position, of), extentAlong(plan_, window_.array, of)));
    }
    return inside;
  }

  /// The element at `position`, or 0 past an end.
  ExprPtr elementOrZero(const std::vector<ExprPtr> &position) const {
    const ExprPtr inside = isInside(position);
    const ExprPtr element = at(position, copy_.value);
    return inside ? select(inside, element, zeroOf(element->type.scalar)) : element;
  }

  StmtPtr byItems() const {
    const std::vector<int> levels = itemsOfGroup(plan_, copy_.level);
    const VarPtr element =
        newVariable("element", Scalar::Index, levels.size() > 1 ? VarKind::Local : VarKind::Worker);
    std::vector<ExprPtr> bounds;
    for (const WindowDimension &dim : window_.dims)
      bounds.push_back(dim.bound);
    const std::vector<VarPtr> numbers = newCounters();
    std::vector<StmtPtr> body = placesOf(varRef(element), bounds, numbers);
    const std::vector<ExprPtr> position = refsOf(numbers);
    body.push_back(stored(position, elementOrZero(position)));
    return forEachElement(levels, element, mostElements(window_), block(std::move(body)));
  }

  /// Items take elements in turns; a warp, or a row of items, continues where the one before ends.
  StmtPtr forEachElement(const std::vector<int> &levels, const VarPtr &element,
                         const ExprPtr &count, StmtPtr body) const {
    if (levels.size() == 1)
      return copying(parallel(levels[0], Span::Turns, element, count, std::move(body)));
    std::vector<VarPtr> workers;
    ExprPtr first;
    ExprPtr all = intLiteral(1);
    for (const int level : levels) {
      const ExprPtr &many = plan_.workers.at(level);
      workers.push_back(newVariable("worker", Scalar::Index, VarKind::Worker));
      first = first ? add(mul(first, many), varRef(workers.back())) : varRef(workers.back());
      all = mul(all, many);
    }
    body = forLoop(declare(element, first), binary("<", varRef(element), count),
                   assign(varRef(element), "+=", all), std::move(body));
    for (std::size_t k = levels.size(); k-- > 0;)
      body = parallel(levels[k], Span::All, workers[k], plan_.workers.at(levels[k]), block({body}));
    return body;
  }

  /// Item after item takes one vector of a row.
  StmtPtr byVectors() const {
    const Copy::Vectors &vectors = *copy_.copy->vectors;
    const ExprPtr lanes = intLiteral(vectors.lanes);
    std::vector<ExprPtr> extents;
    for (const WindowDimension &dim : window_.dims)
      extents.push_back(dim.bound);
    extents.back() = simplify(binary("/", vectors.width, lanes));
    ExprPtr all = intLiteral(1);
    for (std::size_t d = extents.size(); d-- > 0;)
      all = mul(extents[d], all);
    const VarPtr piece = newVariable("piece", Scalar::Index, VarKind::Worker);
    const VarPtr lane = newVariable("lane");
    const std::vector<VarPtr> numbers = newCounters();
    std::vector<StmtPtr> body = placesOf(varRef(piece), extents, numbers);
    std::vector<ExprPtr> position = refsOf(numbers);
    position.back() = add(mul(position.back(), lanes), varRef(lane));
    const StmtPtr store = assign(at(position, vectors.target), "=", at(position, vectors.value));
    body.push_back(
        unrolledLoop(countingLoop(lane, lanes, store), 1, static_cast<unsigned>(vectors.lanes)));
    return copying(parallel(itemsOfGroup(plan_, copy_.level).front(), Span::Turns, piece, all,
                            block(std::move(body))));
  }

  StmtPtr inLoops() const {
    const std::vector<VarPtr> numbers = newCounters();
    const std::vector<ExprPtr> position = refsOf(numbers);
    StmtPtr loops = stored(position, at(position, copy_.value));
    if (copy_.copy->rowsAtOnce > 0)
      return someRowsAtOnce(numbers, loops);
    for (std::size_t d = window_.dims.size(); d-- > 0;)
      loops = countingLoop(numbers[d], window_.dims[d].extent, block({loops}));
    return loops;
  }

  StmtPtr someRowsAtOnce(const std::vector<VarPtr> &numbers, const StmtPtr &copied) const {
    const ExprPtr atOnce = intLiteral(copy_.copy->rowsAtOnce);
    const VarPtr first = newVariable("first_row");
    const ExprPtr rows = window_.dims[0].extent;
    const ExprPtr end = call("min", scalarType(Scalar::Index), {add(varRef(first), atOnce), rows});
    const StmtPtr inside = countingLoop(numbers[0], end, block({copied}), varRef(first));
    const StmtPtr columns = countingLoop(numbers[1], window_.dims[1].extent, block({inside}));
    return forLoop(declare(first, intLiteral(0)), binary("<", varRef(first), rows),
                   assign(varRef(first), "+=", atOnce), block({columns}));
  }

  const LoweredPlan &plan_;
  const Stmt &copy_;
  const Window &window_;
};

} // namespace

std::vector<int> itemsOfGroup(const LoweredPlan &plan, int group) {
  std::vector<int> levels;
  const auto below = [&](int level) {
    return plan.machine->levels[static_cast<std::size_t>(level)].subordinate;
  };
  for (int level = below(group); level >= 0 && plan.role(level) <= Role::Item;
       level = below(level)) {
    if (!plan.workers.contains(level))
      return {};
    levels.push_back(level);
  }
  return levels;
}

StmtPtr copiedBy(int group, const Window &window, const ElementOfCopy &at,
                 std::int64_t rowsAtOnce) {
  Copy copy;
  copy.rowsAtOnce = rowsAtOnce;
  for (std::size_t d = 0; d < window.dims.size(); ++d)
    copy.counters.push_back(newVariable(nameOfDimension(d, window.dims.size())));
  const std::vector<ExprPtr> position = positionIn(copy);
  const ExprPtr target = at(position);
  std::vector<ExprPtr> subscripts;
  for (unsigned of = 0; of < window.origin.size(); ++of)
    subscripts.push_back(subscriptAt(window, position, of));
  ExprPtr value = index(varRef(window.array), subscripts);
  if (const Scalar type = target->type.scalar; type != value->type.scalar)
    value = ir::cast(type, value);
  return copyWindow(group, window, target, value, std::move(copy));
}

std::vector<ExprPtr> positionIn(const Copy &copy) { return refsOf(copy.counters); }

bool hasAllElements(const LoweredPlan &plan, const Window &window) {
  return std::ranges::all_of(
      window.dims, [&](const WindowDimension &dim) { return isWhole(plan, window, dim); });
}

StmtPtr expandedCopy(const LoweredPlan &plan, const Stmt &copy) {
  return Expansion(plan, copy).run();
}

StmtPtr withoutCopies(const LoweredPlan &plan, const StmtPtr &s,
                      const std::function<bool(const Window &)> &meant) {
  return rewrite(s, [&](const StmtPtr &each) {
    const bool expands = each->kind == StmtKind::Copy && (!meant || meant(*each->window));
    return expands ? expandedCopy(plan, *each) : each;
  });
}

} // namespace tangram::codegen
