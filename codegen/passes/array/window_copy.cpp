#include "codegen/passes/array/window_copy.h"

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

/// The element of the window at `position`, or 0 past an end.
ExprPtr valueAt(const LoweredPlan &plan, const Window &w, const std::vector<ExprPtr> &position) {
  ExprPtr inside;
  std::vector<ExprPtr> subscripts = w.origin;
  for (std::size_t d = 0; d < position.size(); ++d) {
    const WindowDimension &dim = w.dims[d];
    subscripts[dim.of] = add(subscripts[dim.of], mul(dim.step, position[d]));
    if (sameExpr(dim.extent, dim.bound) || isContinued(plan, w.array, dim.of))
      continue;
    const ExprPtr here = binary("<", position[d], dim.extent);
    inside = inside ? binary("&&", inside, here) : here;
  }
  // Where two dimensions of the window run along one of the array, a full part of one and another may reach past the array's end.
  for (unsigned of = 0; of < w.origin.size(); ++of) {
    if (std::ranges::count(w.dims, of, &WindowDimension::of) < 2)
      continue;
    const ExprPtr there = binary("<", subscripts[of], extentAlong(plan, w.array, of));
    inside = inside ? binary("&&", inside, there) : there;
  }
  const Scalar type = w.array->type.scalar;
  const ExprPtr value = index(varRef(w.array), subscripts);
  return inside
             ? select(inside, value, isFloating(type) ? realLiteral(0, type) : intLiteral(0, type))
             : value;
}

/// Items take the elements in turns, those of one warp or row behind those of the one before.
StmtPtr forEachElement(const LoweredPlan &plan, const std::vector<int> &levels,
                       const VarPtr &element, const ExprPtr &count, StmtPtr body) {
  if (levels.size() == 1)
    return parallel(levels[0], Span::Turns, element, count, std::move(body));
  std::vector<VarPtr> workers;
  ExprPtr first;
  ExprPtr all = intLiteral(1);
  for (const int level : levels) {
    const ExprPtr &many = plan.workers.at(level);
    workers.push_back(newVariable("worker", Scalar::Index, VarKind::Worker));
    first = first ? add(mul(first, many), varRef(workers.back())) : varRef(workers.back());
    all = mul(all, many);
  }
  body = forLoop(declare(element, first), binary("<", varRef(element), count),
                 assign(varRef(element), "+=", all), std::move(body));
  for (std::size_t k = levels.size(); k-- > 0;)
    body = parallel(levels[k], Span::All, workers[k], plan.workers.at(levels[k]), block({body}));
  return body;
}

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

StmtPtr copiedByItems(const LoweredPlan &plan, const WindowCopy &copy) {
  const Window &w = copy.window;
  const VarPtr element = newVariable("element", Scalar::Index,
                                     copy.items.size() > 1 ? VarKind::Local : VarKind::Worker);
  std::vector<ExprPtr> position(w.dims.size()), bounds;
  std::vector<VarPtr> numbers;
  for (const std::size_t d : copy.order) {
    numbers.push_back(newVariable(nameOfDimension(numbers.size(), copy.order.size())));
    bounds.push_back(w.dims[d].bound);
    position[d] = varRef(numbers.back());
  }
  std::vector<StmtPtr> body = placesOf(varRef(element), bounds, numbers);
  body.push_back(assign(copy.at(position), "=", valueAt(plan, w, position)));
  return forEachElement(plan, copy.items, element, mostElements(w), block(std::move(body)));
}

} // namespace tangram::codegen
