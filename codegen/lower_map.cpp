// Lowering of maps: Distribute, Serialize and Split.
#include "codegen/lowering.h"
#include "codegen/simplify.h"

#include "composer/sites.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

using namespace ir;

namespace {

/// "items", "rows of items".
std::string plural(const std::string &title) {
  const std::size_t end = std::min(title.find(" of "), title.size());
  return title.substr(0, end) + "s" + title.substr(end);
}

std::string withArticle(const std::string &title) {
  return (std::string("aeiou").find(title[0]) == std::string::npos ? "a " : "an ") + title;
}

std::string upperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_';
  });
  return text;
}

const char *tunableDefault = "4";

void limit(Tunable &tunable, const TunableDomain &domain) {
  auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(domain.values[i]); };
  switch (domain.kind) {
  case TunableDomain::Kind::Any:
    return;
  case TunableDomain::Kind::Pow2:
    for (std::uint64_t v = at(0); v <= at(1); v *= 2)
      tunable.values.push_back(static_cast<std::int64_t>(v));
    break;
  case TunableDomain::Kind::Range:
    for (std::uint64_t v = at(0); v <= at(1) && tunable.values.size() < 4096; v += at(2))
      tunable.values.push_back(static_cast<std::int64_t>(v));
    break;
  case TunableDomain::Kind::Choice:
    tunable.values = domain.values;
    break;
  }
  std::erase_if(tunable.values, [&](std::int64_t v) {
    return static_cast<std::uint64_t>(v) < tunable.min ||
           static_cast<std::uint64_t>(v) > tunable.max;
  });
}

} // namespace

ExprPtr Lowering::workersOf(int index, const std::string &name, const TunableDomain &domain) {
  const composer::Level &workers = level(index);
  Tunable tunable;
  tunable.defaultValue = workers.workers.defaultCount;
  tunable.min = workers.workers.min;
  tunable.max = workers.workers.max;
  if (role(index) == Role::Group) {
    tunable.kind = Tunable::Kind::Launch;
    tunable.var = variable(name, Scalar::Index, VarKind::Param);
    tunable.meaning = "number of " + plural(workers.title) + " that share the work";
    limit(tunable, domain);
    plan_.tunables.push_back(tunable);
    return varRef(tunable.var);
  }
  auto known = plan_.workers.find(index);
  if (known != plan_.workers.end())
    return known->second;
  tunable.kind = Tunable::Kind::Compile;
  const bool rows = workers.dimension > 0;
  tunable.var = variable("NUM_" + (rows ? upperCase(level(machine_.baseOf(index)).title) + "_ROWS"
                                        : upperCase(workers.title) + "S"),
                         Scalar::Index, VarKind::Param);
  tunable.meaning =
      plural(workers.title) + " in " + withArticle(index > 0 ? level(index - 1).title : "process");
  limit(tunable, domain);
  plan_.tunables.push_back(tunable);
  return plan_.workers[index] = varRef(tunable.var);
}

ExprPtr Lowering::freeTunable(const Instance &in, const Var &source, const std::string &what) {
  Tunable tunable;
  tunable.kind = Tunable::Kind::Compile;
  std::string base = upperCase(in.codelet->name() + "_" + source.name);
  std::string name = base;
  for (int i = 2; std::any_of(plan_.tunables.begin(), plan_.tunables.end(),
                              [&](const Tunable &t) { return t.var->name == name; });
       ++i)
    name = base + "_" + std::to_string(i);
  tunable.var = variable(name, Scalar::Index, VarKind::Param);
  tunable.defaultValue = tunableDefault;
  tunable.max = 1024;
  tunable.meaning = what;
  limit(tunable, source.domain);
  if (!tunable.values.empty())
    tunable.defaultValue = std::to_string(tunable.values.front());
  plan_.tunables.push_back(tunable);
  return varRef(tunable.var);
}

/// The level a map is distributed to: the subordinate one, or rows of its workers.
int Lowering::workersOf(const PlanNode &map) { return map.children[0]->level; }

/// Workers along a map's splits, outermost first: what `tunable` parts are spread over.
std::vector<ExprPtr> Lowering::workerCounts(const Instance &in, const PlanNode &map,
                                            const Var &tunable) {
  if (map.policy == MapPolicy::Serialize)
    return {
        freeTunable(in, tunable, "parts of " + in.codelet->name() + " done one after the other")};
  int below = workersOf(map);
  std::vector<ExprPtr> counts{workersOf(below, tunable.name, tunable.domain)};
  if (map.policy == MapPolicy::Split) {
    for (ExprPtr &inner : workerCounts(in, *map.children[0], tunable))
      counts.push_back(inner);
  }
  return counts;
}

/// A `__tunable` that counts the parts of a map is the number of workers the map
/// is distributed to; it has to be known before anything that uses it.
void Lowering::bindTunables(Instance &in) {
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
      std::vector<ExprPtr> counts = workerCounts(in, map, *count);
      ExprPtr product = counts.front();
      for (std::size_t i = 1; i < counts.size(); ++i)
        product = mul(product, counts[i]);
      in.environment[count.get()] = counts.size() == 1 ? product : named(count->name, product);
      in.counts[site.child] = counts;
    }
  }
  forEach(in.codelet->body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && s.var->kind == VarKind::Tunable &&
        !in.environment.contains(s.var.get()))
      in.environment[s.var.get()] =
          freeTunable(in, *s.var, "free parameter of " + in.codelet->name());
  });
}

bool Lowering::isCompileTime(const ExprPtr &count) const {
  return !contains(count, [&](const Expr &e) {
    const Tunable *t = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
    return (e.kind == ExprKind::Var && (!t || t->kind != Tunable::Kind::Compile)) ||
           e.kind == ExprKind::Index;
  });
}

View Lowering::resultOfMap(const PlanNode &node, const ExprPtr &count, Scalar element) {
  int producer = node.policy == MapPolicy::Serialize ? node.level : workersOf(node);
  return temporary(node.level,
                   identifierOf(node.spectrum) + "_of_" + identifier(level(producer).title),
                   element, {count}, {});
}

View Lowering::temporary(int index, const std::string &name, Scalar element,
                         const std::vector<ExprPtr> &extents, const SourceLocation &at) {
  ExprPtr count = intLiteral(1);
  ExprPtr bound = intLiteral(1);
  for (const ExprPtr &extent : extents) {
    count = mul(count, extent);
    ExprPtr most = upperBound(closed(extent));
    if (!most)
      refuse("the size of '" + name + "', a temporary of a " + level(index).title +
                 ", is not known before launch",
             at);
    bound = mul(bound, most);
  }
  bound = simplify(bound);
  Role here = role(index);
  bool sized = isCompileTime(bound);
  if (sized && here != Role::Host && here != Role::Group) {
    auto own = std::make_shared<Var>();
    own->name = name;
    own->type = scalarType(element);
    own->extent = bound;
    emit(declare(own, nullptr));
    return wholeBuffer(own, extents);
  }
  VarPtr memory = variable(name, element, VarKind::Buffer);
  if (sized && here == Role::Group) {
    plan_.buffers.push_back({memory, Space::Local, bound, ""});
    return wholeBuffer(memory, extents);
  }
  // A slice for each worker: of their own for those with caches of their own, interleaved for
  // those that step together.
  View view = wholeBuffer(memory, extents);
  ExprPtr worker;
  ExprPtr workers = intLiteral(1);
  bool interleaved = false;
  for (const Enclosing &each : enclosing_) {
    ExprPtr most = upperBound(closed(each.count));
    if (!most)
      refuse("the number of " + plural(level(each.level).title) + " that need memory for '" + name +
                 "' is not known before launch",
             at);
    worker = worker ? add(mul(worker, each.count), varRef(each.worker)) : varRef(each.worker);
    workers = mul(workers, most);
    interleaved = role(each.level) == Role::Item && target_ == "opencl";
  }
  plan_.buffers.push_back({memory, Space::Global, simplify(mul(workers, bound)), ""});
  if (!worker)
    return view;
  if (!interleaved) {
    view.offset = mul(worker, bound);
    return view;
  }
  view.offset = worker;
  for (Dimension &d : view.dims)
    d.stride = mul(d.stride, workers);
  return view;
}

std::vector<Value> Lowering::elementArgs(const MapWork &work, const ExprPtr &i) {
  std::vector<Value> elements;
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    const Value &arg = work.args[k];
    const Parts *parts = std::get_if<Parts>(&arg);
    const View *view = std::get_if<View>(&arg);
    if (work.shared[k])
      elements.push_back(arg);
    else if (const Sequence *sequence = std::get_if<Sequence>(&arg))
      elements.emplace_back(cast(work.callee->params[k]->type.scalar, sequence->at(i)));
    else if (parts)
      elements.emplace_back(partOf(*parts, i, work.callee->params[k]->name));
    else if (view && view->dims.size() == 1)
      elements.emplace_back(named(work.callee->params[k]->name, elementOf(*view, {i})));
    else if (view && !view->dims.empty())
      elements.emplace_back(fixOutermost(*view, i));
    else
      elements.push_back(arg);
  }
  return elements;
}

/// Part `i`, the numbers it depends on named after the parameter it is passed for.
View Lowering::partOf(const Parts &parts, const ExprPtr &i, const std::string &name) {
  View part = parts.base;
  bool several = parts.cuts.size() > 1;
  for (std::size_t c = 0; c < parts.cuts.size(); ++c) {
    const Cut &cut = parts.cuts[c];
    const std::string of = name + (several || cut.dim > 0 ? std::to_string(cut.dim) : "");
    ExprPtr number = i;
    if (several)
      number = named(of + "_part", c == 0 ? binary("/", i, parts.cuts[1].count)
                                          : binary("%", i, parts.cuts[1].count));
    PartBounds bounds = boundsOf(cut, parts.base.dims[cut.dim].extent, number);
    bounds.first = named(of + "_start", bounds.first);
    bounds.inc = simplify(bounds.inc);
    part = partView(part, cut, bounds, named(of + "_len", extentOf(bounds)));
  }
  return withBound(part);
}

/// An upper bound of the number of elements, for the host.
ExprPtr Lowering::elementsOf(const MapWork &work) {
  ExprPtr most = upperBound(closed(work.count));
  if (!most)
    refuse("how many elements the map over " + work.callee->name +
           " has is not known before launch");
  return most;
}

/// The arguments of a map, and how many elements it has.
MapWork Lowering::workOf(Instance &in, const Expr &map) {
  MapWork work;
  work.callee = program_.spectrum(map.callee);
  for (const ExprPtr &arg : map.args) {
    bool isShared = arg->kind == ExprKind::All;
    const ExprPtr &bare = arg->kind == ExprKind::Cast ? arg->args[0] : arg;
    if (bare->kind == ExprKind::Sequence)
      work.args.emplace_back(evaluateSequence(in, bare));
    else
      work.args.push_back(evaluate(in, isShared ? arg->args[0] : arg));
    work.shared.push_back(isShared);
    if (isShared || work.count)
      continue;
    if (const Parts *parts = std::get_if<Parts>(&work.args.back()))
      work.count = parts->count();
    else if (const View *view = std::get_if<View>(&work.args.back()); view && !view->dims.empty())
      work.count = view->dims[0].extent;
  }
  if (!work.count)
    refuse("map over no container", map.location);
  return work;
}

Value Lowering::lowerMap(Instance &in, const ExprPtr &map, const View *destination) {
  if (map->op == "chain")
    return lowerChain(in, map);
  int child = in.childOf.at(map.get());
  const PlanNode &node = *in.node->children[static_cast<std::size_t>(child)];
  MapWork work = workOf(in, *map);
  requireDisjointOutputs(work, node, map->location);
  requireNoAliasing(*work.callee, work.args, node, map->location, &work);
  View result;
  if (destination) {
    requireNotRead(work, *destination, map->location);
    result = *destination;
  } else if (work.callee->result.scalar != Scalar::Void) {
    result = resultOfMap(node, work.count, work.callee->result.scalar);
  }
  work.destinationOf = [&](const ExprPtr &i) {
    return result.buffer ? Destination{View{result.buffer, positionOf(result, {i}), {}}, nullptr}
                         : Destination{};
  };
  bool bound = in.counts.contains(child);
  lowerMapRange(work, node, bound ? in.counts[child] : std::vector<ExprPtr>{work.count}, work.count,
                [](ExprPtr i) { return i; });
  bool accumulates = map->op == "fold" || sharesOutput(work);
  in.roundings =
      add(in.roundings, accumulates ? mul(work.roundings, elementsOf(work)) : work.roundings);
  return result.buffer ? Value(result) : Value(intLiteral(0));
}

/// chain(f, carry, c...): a loop that hands a variable on.
ExprPtr Lowering::lowerChain(Instance &in, const ExprPtr &chain) {
  int child = in.childOf.at(chain.get());
  const PlanNode &node = *in.node->children[static_cast<std::size_t>(child)];
  if (node.policy != MapPolicy::Serialize)
    return lowerDistributedChain(in, chain);
  requireLoops(in.node->level, chain->location);
  VarPtr carry = variable("carry", chain->type.scalar);
  emit(declare(carry, simplify(cast(chain->type.scalar, evaluateScalar(in, chain->args[0])))));
  MapWork work = workOf(in, *chain);
  work.args[0] = varRef(carry);
  requireNoAliasing(*work.callee, work.args, node, chain->location, &work);
  work.destinationOf = [&](const ExprPtr &) { return Destination{{}, carry}; };
  bool bound = in.counts.contains(child);
  lowerMapRange(work, node, bound ? in.counts[child] : std::vector<ExprPtr>{work.count}, work.count,
                [](ExprPtr i) { return i; });
  // Each element may round on top of what the one before rounded.
  in.roundings = add(in.roundings, mul(work.roundings, elementsOf(work)));
  return varRef(carry);
}

/// `counts`: elements taken at this level, then below, where splits bind them;
/// `position` turns an index at this level into the map's element number.
void Lowering::lowerMapRange(MapWork &work, const PlanNode &node, std::vector<ExprPtr> counts,
                             const ExprPtr &count,
                             const std::function<ExprPtr(ExprPtr)> &position) {
  auto element = [&](const ExprPtr &i) {
    ExprPtr at = named(identifierOf(node.spectrum) + "_part", position(i));
    work.roundings = lowerCall(node.children[0], elementArgs(work, at), work.destinationOf(at));
  };
  if (node.policy == MapPolicy::Serialize) {
    emitComment("serialize(" + level(node.level).name + ")");
    VarPtr i = variable("part", Scalar::Index);
    boundWorker(i, count);
    emit(forLoop(declare(i, intLiteral(0)), binary("<", varRef(i), count),
                 assign(varRef(i), "+=", intLiteral(1)), collect([&] { element(varRef(i)); })));
    return;
  }
  int below = workersOf(node);
  VarPtr worker = variable(identifier(level(below).title), Scalar::Index, VarKind::Worker);
  auto spread = [&](const ExprPtr &workers, const std::function<void()> &body) {
    if (role(below) == Role::Item)
      workersOf(below, "", {}); // the level has its workers, however many elements there are
    boundWorker(worker, workers);
    enclosing_.push_back({below, worker, workers});
    emit(parallel(below, worker, workers, collect(body)));
    enclosing_.pop_back();
  };
  if (node.policy == MapPolicy::Distribute) {
    emitComment("distribute(" + level(below).name + ")");
    return spread(count, [&] { element(varRef(worker)); });
  }
  // Split: `outer` workers of the subordinate level take `inner` elements each.
  emitComment("split(" + level(node.level).name + "), distribute(" + level(below).name + ")");
  bool bound = counts.size() > 1;
  ExprPtr outer =
      bound ? counts[0] : workersOf(below, identifierOf(node.spectrum) + "_workers", {});
  ExprPtr inner = bound ? counts[1] : ceilDiv(count, outer);
  for (std::size_t i = 2; i < counts.size(); ++i)
    inner = mul(inner, counts[i]);
  if (!bound)
    inner = named("each", inner);
  spread(outer, [&] {
    ExprPtr first = mul(varRef(worker), inner);
    ExprPtr here =
        bound ? inner : named("count", sub(minOf(add(first, inner), maxOf(count, first)), first));
    std::vector<ExprPtr> rest(bound ? counts.begin() + 1 : counts.begin(), counts.end());
    lowerMapRange(work, *node.children[0], rest, bound ? rest[0] : here,
                  [&](ExprPtr i) { return add(position(first), i); });
  });
}

} // namespace tangram::codegen
