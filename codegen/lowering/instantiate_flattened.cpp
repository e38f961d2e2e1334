// Lowering of nested maps that are flattened into one: the elements of both are counted through.
//
//   map(row, in, out), row: map(f, in, out)        Parallel of rows * elements, which are e:
//                                                    row e / elements, and of it element e % elements
//
// Statements of the inner map's codelet besides the map itself (partitions, sizes, requirements) run nothing
// and are instantiated for each element, where they are needed. How many elements the inner map has is found out
// before, by instantiating the codelet for an element of which nothing is known. Where it has not as many of
// each, as of blocks of which the last is smaller, the largest number counts, and the rest is left out.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lowering/instantiation.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// The innermost of the maps that are flattened with this one.
const PlanNode &innermost(const PlanNode &map, const composer::Machine &machine) {
  const PlanNode *node = &map;
  while (machine.levels[static_cast<std::size_t>(node->children[0]->level)].flat)
    node = node->children[0]->children[0].get();
  return *node;
}

/// The level at which elements of a map are composed.
int levelOfElements(const PlanNode &map) {
  const PlanNode *node = map.children[0].get();
  while (node->kind == PlanNode::Kind::Map)
    node = node->children[0].get();
  return node->level;
}

} // namespace

/// Lowers `inner`, the codelet that the map of `work` applies to element `at`, down to the map in it.
void Instantiation::inFlattened(MapWork &work, const PlanPtr &inner, const ExprPtr &at,
                                FlattenedMap &map) {
  withElement(work, at, [&](const std::vector<Value> &args, const Destination &destination) {
    flattened_ = &map;
    work.roundings = lowerCall(inner, args, destination);
  });
}

/// The map of an instance that is flattened with the one around it: one of its elements.
void Instantiation::takeFlattened(Instance &in, MapWork &work) {
  FlattenedMap &map = *in.flattened;
  map.count = work.count;
  for (const auto &[variable, value] : in.environment) {
    if (variable->kind == VarKind::Tunable)
      map.tunables.insert_or_assign(variable, value);
  }
  if (!map.take)
    return;
  const auto element = [&] { withElement(work, map.at, *map.take); };
  if (map.isRagged)
    scope_.emit(ifThen(simplified(binary("<", map.at, work.count)), scope_.collect(element)));
  else
    element();
}

/// The map of `node` and the one in the codelet that it applies, as one map over the elements of both.
void Instantiation::lowerFlattened(MapWork &work, const PlanNode &node, const ExprPtr &count,
                                   const std::function<ExprPtr(ExprPtr)> &position) {
  scope_.emitComment("distribute(" + level(counts_.workersOf(node)).name + ")");
  const PlanNode &map = *node.children[0]->children[0];
  // The code around the inner map is that of whoever has an element.
  auto moved = std::make_shared<PlanNode>(*node.children[0]);
  const PlanNode &last = innermost(map, machine_);
  moved->level = levelOfElements(last);
  const PlanPtr inner = moved;

  FlattenedMap any;
  const VarPtr unknown = newVariable("element", Scalar::Index, VarKind::Worker);
  scope_.boundWorker(unknown, count);
  ExprPtr most;
  scope_.collect([&] {
    inFlattened(work, inner, position(varRef(unknown)), any);
    most = scope_.boundOf(any.count);
  });
  if (!most)
    refuse("how many elements the map over " + map.spectrum +
               " has, which is flattened with the one around it, is not known before launch",
           codeletOf(*inner).location);
  const bool isRagged = !sameExpr(scope_.closed(any.count), most);

  MapWork both;
  both.callee = work.callee;
  both.count = scope_.named("elements", mul(count, most));
  // Numbers of single elements are not named: what lies in a row is found at (e / n) * n + e % n, which is e.
  const bool areParts =
      std::ranges::any_of(program_.spectrum(last.spectrum)->params,
                          [](const VarPtr &param) { return param->type.isContainer(); });
  const auto numbered = [&](const PlanNode &of, const ExprPtr &number, const ExprPtr &bound) {
    const ExprPtr part = areParts ? scope_.named(familyOf(of.spectrum) + "_part", number) : number;
    if (part->kind == ExprKind::Var && !scope_.largest(part->var.get()))
      scope_.boundWorker(part->var, bound);
    return part;
  };
  both.element = [&](const ExprPtr &at, const TakeElement &take) {
    const ExprPtr outer = numbered(node, binary("/", at, most), count);
    FlattenedMap one{numbered(map, binary("%", at, most), most), isRagged, &take, nullptr,
                     any.tunables};
    inFlattened(work, inner, position(outer), one);
  };
  where(binary("<", intLiteral(0), most),
        [&] { lowerMapRange(both, map, {both.count}, both.count, [](ExprPtr i) { return i; }); });
  work.roundings = both.roundings;
}

} // namespace tangram::codegen
