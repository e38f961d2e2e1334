// Lowering of maps: Distribute, Serialize and Split.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lowering/contracts.h"
#include "codegen/lowering/instantiation.h"
#include "composer/analysis/sites.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

/// A `__tunable` that counts the parts of a map is the number of workers the map
/// is distributed to; it has to be known before anything that uses it.
void Instantiation::bindTunables(Instance &in) {
  for (const composer::Site &site : composer::sites(*in.codelet)) {
    if (site.kind != composer::Site::Kind::Map)
      continue;
    const PlanNode &map = *in.node->children[static_cast<std::size_t>(site.child)];
    for (const ExprPtr &arg : site.expr->args) {
      bool cutOnce = arg->kind == ExprKind::Partition && arg->args.size() == 5;
      if (!cutOnce || arg->args[1]->kind != ExprKind::Var)
        continue;
      const VarPtr &count = arg->args[1]->var;
      if (count->kind != VarKind::Tunable || in.environment.contains(count.get()))
        continue;
      std::vector<ExprPtr> counts = counts_.workerCounts(*in.codelet, map, *count);
      ExprPtr product = counts.front();
      for (std::size_t i = 1; i < counts.size(); ++i)
        product = mul(product, counts[i]);
      in.environment[count.get()] =
          counts.size() == 1 ? product : scope_.named(count->name, product);
      in.counts[site.child] = counts;
    }
  }
  forEach(in.codelet->body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.var->kind == VarKind::Tunable &&
        !in.environment.contains(s.var.get()))
      in.environment[s.var.get()] =
          counts_.freeTunable(*in.codelet, *s.var, "free parameter of " + in.codelet->name());
  });
}

View Instantiation::resultOfMap(const PlanNode &node, const ExprPtr &count, Scalar element) {
  int producer = node.policy == MapPolicy::Serialize ? node.level : counts_.workersOf(node);
  return temporary(node.level, familyOf(node.spectrum) + "_of_" + identifier(level(producer).title),
                   element, {count}, {});
}

View Instantiation::temporary(int index, const std::string &name, Scalar element,
                              const std::vector<ExprPtr> &extents, const SourceLocation &at) {
  std::vector<ExprPtr> bounds;
  std::vector<ExprPtr> fixed; // bounds that are known when the kernel is compiled
  for (const ExprPtr &extent : extents) {
    ExprPtr most = scope_.boundOf(extent);
    if (!most)
      refuse("the size of '" + name + "', a temporary of a " + level(index).title +
                 ", is not known before launch",
             at);
    bounds.push_back(elementsOf(most, name));
    if (ExprPtr known = scope_.compileTimeBound(most))
      fixed.push_back(simplified(known));
  }
  if (role(index) != Role::Host && fixed.size() == bounds.size())
    return newArray(name, element, index, extents, fixed);
  for (const Enclosing &each : enclosing_) {
    if (role(index) != Role::Host && !plan_.mostWorkers.contains(each.worker.get()))
      refuse("the number of " + plural(level(each.level).title) + " that need memory for '" + name +
                 "' is not known before launch",
             at);
  }
  return newArray(name, element, index, extents, bounds);
}

View Instantiation::newArray(const std::string &name, Scalar element, int owner,
                             const std::vector<ExprPtr> &extents,
                             const std::vector<ExprPtr> &bounds) {
  VarPtr array = newVariable(name, element, VarKind::Buffer);
  scope_.emit(ir::allocate(array, {owner, extents, bounds}));
  View view = wholeBuffer(array, extents);
  for (std::size_t d = 0; d < bounds.size(); ++d)
    view.dims[d].bound = bounds[d]; // which no worker occurs in
  return layOut(view);
}

View Instantiation::newCell(const std::string &name, Scalar element, int owner) {
  const std::vector<ExprPtr> one{intLiteral(1)};
  return elementView(newArray(name, element, owner, one, one), {intLiteral(0)});
}

/// Workers whose number may be needed to size the memory that each has for itself.
void Instantiation::enclose(int below, const VarPtr &worker, const ExprPtr &count) {
  enclosing_.push_back({below, worker});
  if (ExprPtr most = scope_.boundOf(count))
    plan_.mostWorkers[worker] = most;
}

/// Number `i` of a sequence; one that is read has a name.
ExprPtr Instantiation::numberOf(const Sequence &sequence, const ExprPtr &i, const Var &param) {
  ExprPtr number = cast(param.type.scalar, sequence.at(i));
  return sequence.dataDependent ? scope_.named(param.name, simplified(number)) : number;
}

std::vector<Value> Instantiation::elementArgs(const MapWork &work, const ExprPtr &i) {
  std::vector<Value> elements;
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    const Value &arg = work.args[k];
    const Parts *parts = std::get_if<Parts>(&arg);
    const View *view = std::get_if<View>(&arg);
    if (work.shared[k])
      elements.push_back(arg);
    else if (const Sequence *sequence = std::get_if<Sequence>(&arg))
      elements.emplace_back(numberOf(*sequence, i, *work.callee->params[k]));
    else if (parts)
      elements.emplace_back(partOf(*parts, i, work.callee->params[k]->name));
    else if (view && view->dims.size() == 1)
      elements.emplace_back(scope_.named(work.callee->params[k]->name, elementOf(*view, {i})));
    else if (view && !view->dims.empty())
      elements.emplace_back(fixOutermost(*view, i));
    else
      elements.push_back(arg);
  }
  return elements;
}

/// Composes the spectrum that the map applies for the arguments of element `at`; gives its result.
void Instantiation::withElement(MapWork &work, const ExprPtr &at, const TakeElement &take) {
  if (work.element)
    work.element(at, take);
  else
    take(elementArgs(work, at), work.destinationOf(at));
}

/// Part `i`, the numbers it depends on named after the parameter it is passed for.
View Instantiation::partOf(const Parts &parts, const ExprPtr &i, const std::string &name) {
  View part = parts.base;
  bool several = parts.cuts.size() > 1;
  for (std::size_t c = 0; c < parts.cuts.size(); ++c) {
    const Cut &cut = parts.cuts[c];
    if (cut.dim >= parts.base.dims.size())
      continue;
    const std::string of = name + (several || cut.dim > 0 ? std::to_string(cut.dim) : "");
    ExprPtr number = i;
    if (several)
      number = c == 0 ? scope_.named("tile_row", binary("/", i, parts.cuts[1].count))
                      : scope_.named("tile_column", binary("%", i, parts.cuts[1].count));
    PartBounds bounds = boundsOf(cut, parts.base.dims[cut.dim].extent, number);
    bounds.first = scope_.named(of + "_start", bounds.first);
    bounds.inc = simplified(bounds.inc);
    part = partView(part, cut, bounds, scope_.named(of + "_len", extentOf(bounds)));
  }
  return scope_.withBound(part);
}

/// An upper bound of the number of elements, for the host.
ExprPtr Instantiation::elementsOf(const MapWork &work) {
  ExprPtr most = scope_.boundOf(work.count);
  if (!most)
    refuse("how many elements the map over " + work.callee->name +
           " has is not known before launch");
  return most;
}

/// Whether `e` is made of positive constants and tunables by sums and products, and therefore positive.
static bool isChosen(const LoweredPlan &plan, const ExprPtr &e) {
  if (const auto value = literalValue(e))
    return *value > 0;
  if (e->kind == ExprKind::Var) {
    const Tunable *tunable = plan.tunableOf(e->var);
    return tunable && tunable->min > 0;
  }
  return (e->kind == ExprKind::Cast || e->op == "+" || e->op == "*") &&
         std::ranges::all_of(e->args, [&](const ExprPtr &part) { return isChosen(plan, part); });
}

/// The increment that says how many elements a map over sequences alone has: checked before a launch.
void Instantiation::requirePositive(const Instance &in, const ExprPtr &increment,
                                    const SourceLocation &at) {
  const std::string what = "how many elements a map over sequences alone has";
  const ExprPtr positive = simplify(binary("<", intLiteral(0), scope_.closed(increment)));
  if (isLiteral(positive, 1))
    return;
  if (isLiteral(positive, 0))
    refuse(what + " is not known: the increment of its first is not positive", at);
  if (scope_.upperBound(positive) != positive)
    refuse(what + " is not known before launch: the increment of its first is not", at);
  constrain(positive, in.codelet->name() + ": " + what + " is known for increments above 0 " +
                          inParentheses(at));
}

/// How many numbers a sequence has below its end, for maps over sequences alone.
ExprPtr Instantiation::numbersOf(Instance &in, const ExprPtr &sequence) {
  // Of one that is read from a container, the positions.
  const ExprPtr *args = sequence->args.data() + (sequence->args.size() - 3);
  // Parameters of the caller may be below zero: only then is the difference one of signed numbers.
  auto mayBeNegative = [](const ExprPtr &e) {
    const auto literal = literalValue(e);
    return literal ? *literal < 0 : isSigned(e->type.scalar);
  };
  const ExprPtr values[] = {evaluateScalar(in, args[0]), evaluateScalar(in, args[2])};
  const Scalar type =
      mayBeNegative(values[0]) || mayBeNegative(values[1]) ? Scalar::I64 : Scalar::Index;
  const ExprPtr start = simplified(cast(type, values[0]));
  const ExprPtr end = simplified(cast(type, values[1]));
  const ExprPtr written = evaluateScalar(in, args[1]);
  const ExprPtr inc = simplified(cast(Scalar::Index, written));
  if (!isChosen(plan_, scope_.meaningOf(inc)))
    requirePositive(in, written, sequence->location);
  return simplified(
      ceilDiv(cast(Scalar::Index, sub(call("max", scalarType(type), {end, start}), start)), inc));
}

/// Elements of a map go by the first container: another one has as many. Sizes of containers that differ are
/// refused before a launch, and plans with parts that always do.
void Instantiation::requireAsMany(Instance &in, const Expr &map, const ExprPtr &first,
                                  const ExprPtr &other) {
  std::vector<std::pair<ExprPtr, ExprPtr>> equal; // by contracts of the caller, and of this codelet
  for (const ShapeContract &contract : plan_.shape)
    equal.emplace_back(varRef(contract.extent), contract.equals);
  forEach(in.codelet->body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Require || !isShape(s.value))
      return;
    if (const ExprPtr says = evaluateScalar(in, s.value); says->kind == ExprKind::Binary)
      equal.emplace_back(scope_.closed(says->args[0]), scope_.closed(says->args[1]));
  });
  auto known = [&](const ExprPtr &count) {
    return simplified(rewrite(scope_.closed(count), [&](const ExprPtr &each) -> ExprPtr {
      const auto found =
          std::ranges::find_if(equal, [&](const auto &pair) { return sameExpr(pair.first, each); });
      return found == equal.end() ? each : found->second;
    }));
  };
  if (sameExpr(known(first), known(other)))
    return;
  const ExprPtr same = simplified(binary("==", scope_.closed(first), scope_.closed(other)));
  if (isLiteral(same, 1))
    return;
  const std::string what =
      in.codelet->name() + " maps " + map.callee + " over containers of different lengths";
  if (isLiteral(same, 0))
    refuse(what, map.location);
  if (scope_.upperBound(same) == same)
    constrain(same, in.codelet->name() + " maps " + map.callee +
                        ", whose containers have to be of one length " +
                        inParentheses(map.location));
}

/// The arguments of a map, and how many elements it has.
MapWork Instantiation::workOf(Instance &in, const Expr &map, const View *result) {
  MapWork work;
  work.callee = program_.spectrum(map.callee);
  ExprPtr sequence; // the first that has an end
  for (const ExprPtr &arg : map.args) {
    bool isShared = arg->kind == ExprKind::All;
    const ExprPtr &bare = arg->kind == ExprKind::Cast ? arg->args[0] : arg;
    if (bare->kind == ExprKind::Sequence && bare->args.size() > 1 && !sequence)
      sequence = bare;
    if (bare->kind == ExprKind::Sequence)
      work.args.emplace_back(evaluateSequence(in, bare));
    else
      work.args.push_back(evaluate(in, isShared ? arg->args[0] : arg));
    if (ExprPtr *number = std::get_if<ExprPtr>(&work.args.back()))
      *number = withoutPadding(*number, plan_.padded); // what memory it reads is asked for
    work.shared.push_back(isShared);
    ExprPtr count;
    if (const Parts *parts = std::get_if<Parts>(&work.args.back()))
      count = parts->count();
    else if (const View *view = std::get_if<View>(&work.args.back()); view && !view->dims.empty())
      count = view->dims[0].extent;
    if (isShared || !count)
      continue;
    if (work.count)
      requireAsMany(in, map, work.count, count);
    else
      work.count = count;
  }
  if (!work.count && sequence)
    work.count = result ? result->dims[0].extent : numbersOf(in, sequence);
  if (!work.count)
    refuse("map over no container", map.location);
  settleNumbers(in, *work.callee, work.args, result);
  return work;
}

Value Instantiation::lowerMap(Instance &in, const ExprPtr &map, const View *destination) {
  if (map->op == "chain")
    return lowerChain(in, map);
  int child = in.childOf.at(map.get());
  const PlanNode &node = *in.node->children[static_cast<std::size_t>(child)];
  MapWork work = workOf(in, *map, destination);
  effects_.requireDisjointOutputs(work, node, map->location);
  effects_.requireNoAliasing(*work.callee, work.args, node, map->location, &work);
  View result;
  if (destination) {
    effects_.requireNotRead(work, *destination, map->location);
    result = *destination;
  } else if (work.callee->result.scalar != Scalar::Void) {
    result = resultOfMap(node, work.count, work.callee->result.scalar);
  }
  work.destinationOf = [&](const ExprPtr &i) {
    return result.buffer ? Destination{elementView(result, {i}), nullptr} : Destination{};
  };
  if (in.flattened) {
    takeFlattened(in, work);
    return result.buffer ? Value(result) : Value(intLiteral(0));
  }
  bool bound = in.counts.contains(child);
  where(binary("<", intLiteral(0), work.count), [&] {
    lowerMapRange(work, node, bound ? in.counts[child] : std::vector<ExprPtr>{work.count},
                  work.count, [](ExprPtr i) { return i; });
  });
  bool accumulates = map->op == "fold" || SideEffects::sharesOutput(work);
  in.roundings =
      add(in.roundings, accumulates ? mul(work.roundings, elementsOf(work)) : work.roundings);
  return result.buffer ? Value(result) : Value(intLiteral(0));
}

/// chain(f, carry, c...): a loop that hands a variable on.
ExprPtr Instantiation::lowerChain(Instance &in, const ExprPtr &chain) {
  int child = in.childOf.at(chain.get());
  const PlanNode &node = *in.node->children[static_cast<std::size_t>(child)];
  if (node.policy != MapPolicy::Serialize)
    return lowerDistributedChain(in, chain);
  requireLoops(in.node->level, chain->location);
  VarPtr carry = newVariable("carry", chain->type.scalar);
  scope_.emit(
      declare(carry, simplified(cast(chain->type.scalar, evaluateScalar(in, chain->args[0])))));
  MapWork work = workOf(in, *chain);
  work.args[0] = varRef(carry);
  effects_.requireNoAliasing(*work.callee, work.args, node, chain->location, &work);
  work.destinationOf = [&](const ExprPtr &) { return Destination{{}, carry}; };
  bool bound = in.counts.contains(child);
  where(binary("<", intLiteral(0), work.count), [&] {
    lowerMapRange(work, node, bound ? in.counts[child] : std::vector<ExprPtr>{work.count},
                  work.count, [](ExprPtr i) { return i; });
  });
  // Each element may round on top of what the one before rounded.
  in.roundings = add(in.roundings, mul(work.roundings, elementsOf(work)));
  return varRef(carry);
}

/// `counts`: elements taken at this level, then below, where splits bind them;
/// `position` turns an index at this level into the map's element number.
void Instantiation::lowerMapRange(MapWork &work, const PlanNode &node, std::vector<ExprPtr> counts,
                                  const ExprPtr &count,
                                  const std::function<ExprPtr(ExprPtr)> &position) {
  auto element = [&](const ExprPtr &i) {
    ExprPtr at = scope_.named(familyOf(node.spectrum) + "_part", position(i));
    if (at->kind == ExprKind::Var && !scope_.largest(at->var.get()) && work.count)
      scope_.boundWorker(at->var, work.count); // of which splits say less
    withElement(work, at, [&](const std::vector<Value> &args, const Destination &destination) {
      work.roundings = lowerCall(node.children[0], args, destination);
    });
  };
  if (node.policy == MapPolicy::Serialize) {
    scope_.emitComment("serialize(" + level(node.level).name + ")");
    VarPtr i = newVariable("part", Scalar::Index);
    scope_.boundWorker(i, count);
    scope_.emit(countingLoop(i, count, scope_.collect([&] { element(varRef(i)); })));
    return;
  }
  int below = counts_.workersOf(node);
  if (node.policy == MapPolicy::Distribute && isFlat(below))
    return lowerFlattened(work, node, count, position);
  VarPtr worker = newVariable(identifier(level(below).title), Scalar::Index, VarKind::Worker);
  auto spread = [&](const ExprPtr &workers, const std::function<void()> &body) {
    if (role(below) == Role::Item || role(below) == Role::Warp)
      counts_.workersOf(below, "",
                        {}); // the level has its workers, however many elements there are
    scope_.boundWorker(worker, workers);
    enclose(below, worker, workers);
    const Span span = counts_.spanOf(below, workers);
    scope_.emit(parallel(below, span, worker, workers, scope_.collect(body)));
    enclosing_.pop_back();
  };
  if (node.policy == MapPolicy::Distribute) {
    scope_.emitComment("distribute(" + level(below).name + ")");
    return spread(count, [&] { element(varRef(worker)); });
  }
  // Split: `outer` workers of the subordinate level take `inner` elements each.
  scope_.emitComment("split(" + level(node.level).name + "), distribute(" + level(below).name +
                     ")");
  bool bound = counts.size() > 1;
  ExprPtr outer =
      bound ? counts[0] : counts_.workersOf(below, familyOf(node.spectrum) + "_workers", {});
  ExprPtr inner = bound ? counts[1] : ceilDiv(count, outer);
  for (std::size_t i = 2; i < counts.size(); ++i)
    inner = mul(inner, counts[i]);
  if (!bound)
    inner = scope_.named("each", inner);
  spread(outer, [&] {
    ExprPtr first = mul(varRef(worker), inner);
    ExprPtr here =
        bound ? inner
              : scope_.named("count", sub(minOf(add(first, inner), maxOf(count, first)), first));
    scope_.bound(here, inner);
    std::vector<ExprPtr> rest(bound ? counts.begin() + 1 : counts.begin(), counts.end());
    lowerMapRange(work, *node.children[0], rest, bound ? rest[0] : here,
                  [&](ExprPtr i) { return add(position(first), i); });
  });
}

} // namespace tangram::codegen
