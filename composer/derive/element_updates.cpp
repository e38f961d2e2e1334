#include "composer/derive/element_updates.h"

#include "composer/derive/statements.h"
#include "composer/derive/windows.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

bool isElementOf(const ir::Expr &e, const ir::Var *array) {
  return e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var &&
         e.args[0]->var.get() == array;
}

bool namesElementOf(const ExprPtr &e, const ir::Var *array) {
  return e && ir::contains(e, [&](const ir::Expr &each) { return isElementOf(each, array); });
}

/// Whether all elements of the container that the statement names are the same one.
bool namesOneElement(const StmtPtr &s, const ir::Var *array) {
  ExprPtr first;
  bool isOne = true;
  ir::forEachExpr(s, [&](const ir::Expr &e) {
    if (!isElementOf(e, array))
      return;
    const ExprPtr each = std::make_shared<ir::Expr>(e);
    isOne = isOne && (!first || ir::sameExpr(first, each));
    first = each;
  });
  return isOne;
}

/// The atomic operation that an update is; nothing where the language has none for its kind or type.
std::optional<ir::Operator> atomicOf(const Update &update) {
  const ir::Scalar type = update.variable->type.scalar;
  if (type == ir::Scalar::F32 || type == ir::Scalar::F64)
    return update.kind == Update::Kind::Add ? std::optional(ir::Operator("add")) : std::nullopt;
  if (!ir::isInteger(type) || ir::byteSize(type) < 4)
    return std::nullopt;
  switch (update.kind) {
  case Update::Kind::Add:
    return ir::Operator("add");
  case Update::Kind::Min:
    return ir::Operator("min");
  case Update::Kind::Max:
    return ir::Operator("max");
  case Update::Kind::Any:
  case Update::Kind::All:
    return ir::Operator("exchange");
  default:
    return std::nullopt;
  }
}

/// The operand that the update `s` combines `element` with: `e` of `c[k] += e` and of `c[k] = max(c[k], e)`.
ExprPtr operandOf(const ir::Stmt &s, const ExprPtr &element) {
  const ir::Scalar type = element->type.scalar;
  if (s.op == "-=")
    return ir::unary("-", ir::cast(type, s.value));
  if (s.op != "=" || !namesElementOf(s.value, element->args[0]->var.get()))
    return s.value;
  if (s.value->kind == ExprKind::Select)
    return s.value->args[1];
  const bool isFirst = ir::sameExpr(s.value->args[0], element);
  const ExprPtr other = s.value->args[isFirst ? 1 : 0];
  return ir::isBinary(*s.value, "-") ? ir::unary("-", ir::cast(type, other)) : other;
}

/// Writes the updates of one container as atomic operations.
class Writer {
public:
  Writer(const ir::Var *array, ir::Operator op) : array_(array), op_(op) {}

  StmtPtr statement(const StmtPtr &s) const {
    if (!s || s->kind == StmtKind::Require)
      return s;
    if (s->kind == StmtKind::Assign && isElementOf(*s->target, array_))
      return operation(*s);
    // `if (e < c[k]) c[k] = e;`
    if (s->kind == StmtKind::If && namesElementOf(s->value, array_))
      return operation(*onlyStatement(s->children[0]));
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(statement(child));
    return ir::withChildren(s, std::move(children));
  }

private:
  StmtPtr operation(const ir::Stmt &s) const {
    auto made = std::make_shared<ir::Expr>(
        *ir::node(ExprKind::Atomic, ir::scalarType(s.target->type.scalar),
                  {s.target, operandOf(s, s.target)}, s.target->location));
    made->op = op_;
    return ir::eval(made, s.location);
  }

  const ir::Var *array_;
  ir::Operator op_;
};

/// The update that is all that the codelet does to elements of `array`; nothing where it does something else.
std::optional<Update> updateOf(const ir::Codelet &codelet, const VarPtr &array) {
  // No subscript is an element of the container, and an update reads the element that it changes.
  bool isPlain = true;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    for (std::size_t i = 1; e.kind == ExprKind::Index && i < e.args.size(); ++i)
      isPlain = isPlain && !namesElementOf(e.args[i], array.get());
  });
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    const bool updates = (s.kind == StmtKind::Assign && isElementOf(*s.target, array.get())) ||
                         (s.kind == StmtKind::If && namesElementOf(s.value, array.get()));
    isPlain = isPlain && (!updates || namesOneElement(std::make_shared<ir::Stmt>(s), array.get()));
  });
  if (!isPlain)
    return std::nullopt;
  auto element = std::make_shared<ir::Var>();
  element->name = array->name;
  element->type = ir::scalarType(array->type.scalar);
  const StmtPtr body = ir::mapExprs(codelet.body, [&](const ExprPtr &e) {
    return ir::rewrite(e, [&](const ExprPtr &each) {
      return isElementOf(*each, array.get()) ? ir::varRef(element, each->location) : each;
    });
  });
  LoopSums found = updatesOf(body, {element});
  const Update *update = found.why ? nullptr : found.single();
  return update == nullptr ? std::nullopt : std::optional(*update);
}

/// The containers that statements of the nest assign elements of.
std::vector<VarPtr> assignedIn(const Nest &nest) {
  std::vector<VarPtr> found;
  for (const NestAccess &access : nest.accesses) {
    if (access.writes && !access.atomic && std::ranges::find(found, access.array) == found.end())
      found.push_back(access.array);
  }
  return found;
}

bool dependsOnData(const Nest &nest, const VarPtr &array) {
  return std::ranges::any_of(nest.accesses, [&](const NestAccess &access) {
    return access.array == array &&
           std::ranges::any_of(access.place, [](const auto &place) { return !place.has_value(); });
  });
}

bool isBlocked(const Nest &nest, int loop) {
  return std::holds_alternative<BlockedLoop>(blockedLoop(nest, loop));
}

} // namespace

std::optional<ElementUpdates> elementUpdates(const ir::Codelet &codelet, const Nest &nest,
                                             bool keepsOrder) {
  ElementUpdates all;
  all.body = codelet.body;
  const int count = static_cast<int>(nest.loops.size());
  bool isAnyBlocked = false;
  for (int loop = 0; loop < count; ++loop)
    isAnyBlocked = isAnyBlocked || isBlocked(nest, loop);
  for (const VarPtr &array : assignedIn(nest)) {
    if (isAnyBlocked && !dependsOnData(nest, array))
      continue;
    const auto update = updateOf(codelet, array);
    if (!update || (keepsOrder && dependsOnOrder({{*update}, std::nullopt})))
      continue;
    const auto op = atomicOf(*update);
    all.isAtomic = all.isAtomic && op.has_value();
    all.body = Writer(array.get(), op.value_or(ir::Operator("add"))).statement(all.body);
    all.containers.push_back({array, *update});
  }
  if (all.containers.empty())
    return std::nullopt;
  ir::Codelet atomic = codelet;
  atomic.body = all.body;
  const auto read = algebra::nestOf(atomic);
  const auto *shared = std::get_if<Nest>(&read);
  for (int loop = 0; shared != nullptr && loop < count; ++loop) {
    if (isBlocked(*shared, loop) && !isBlocked(nest, loop))
      all.loops.insert(loop);
  }
  if (all.loops.empty())
    return std::nullopt;
  const algebra::NestLoop &first = nest.loops[static_cast<std::size_t>(*all.loops.begin())];
  const Update &update = all.containers[0].update;
  all.why = {"the rounds of loop " + first.counter->name + " only update elements of '" +
                 all.containers[0].array->name + "', each of which is " + nameOf(update.kind),
             update.location};
  return all;
}

} // namespace tangram::composer
