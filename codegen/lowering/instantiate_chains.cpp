// Lowering of a chain whose elements are distributed (the "sliding" scan of dissertation 8.2.1; the
// chained scan of Yan, Long, Zhang, StreamScan, PPoPP 2013).
//
// Element i finds what it starts with in carries[i] once flags[i] is set, and leaves what it returns
// in carries[i + 1]; carries[0] is the carry given, the last one the value of the chain:
//
//   carries[0] = carry; flags = {1, 0, 0, ...}; ticket = 0
//   parallel groups: part = ticket++; A; await flags[part]; B; carries[part + 1] = next;
//                    set flags[part + 1]; C
//
// A (what needs no carry) runs before the wait, C (what the next carry does not need) after the
// publication, where the outputs of the elements are disjoint: nobody can see the difference. Where
// they are not, A and C are empty. OpenCL starts groups in any order, so that a group learns its
// number from a counter: whom it waits for has started, and all that is needed is that groups that
// have started run on. The threads of an OpenMP team all run, and each takes its elements in
// ascending order, so that the first unfinished element is always at work.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/lowering/appends.h"
#include "codegen/lowering/instantiation.h"

#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Elements that one atomic operation of 32 bits, or two, hand over whole.
Scalar carried(Scalar type) {
  return byteSize(type) < 4 ? Scalar::I32 : type == Scalar::Index ? Scalar::U64 : type;
}

bool isReturn(const StmtPtr &s) { return s->kind == StmtKind::Return && s->value; }

/// The statement after which the value that the last one returns is known; -1: before all of
/// them, null: not before the end.
std::optional<std::ptrdiff_t> knownAfter(const std::vector<StmtPtr> &body,
                                         const std::set<const Var *> &assigned) {
  int returns = 0;
  for (const StmtPtr &s : body)
    forEach(s, [&](const Stmt &each) { returns += each.kind == StmtKind::Return; });
  if (returns != 1 || !isReturn(body.back()))
    return std::nullopt;
  bool constant = true;
  std::set<const Var *> needed;
  forEach(body.back()->value, [&](const Expr &e) {
    constant &= e.kind != ExprKind::Index && e.kind != ExprKind::Atomic && !callsSpectrum(e);
    if (e.kind == ExprKind::Var && assigned.contains(e.var.get()))
      constant = false;
    if (e.kind == ExprKind::Var && e.var->kind == VarKind::Local)
      needed.insert(e.var.get());
  });
  if (!constant)
    return std::nullopt;
  std::ptrdiff_t known = -1;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i]->kind == StmtKind::Decl && needed.erase(body[i]->var.get()) > 0)
      known = static_cast<std::ptrdiff_t>(i);
  }
  return needed.empty() ? std::optional(known) : std::nullopt;
}

} // namespace

/// Statements that one of the items of a group does for all.
void Instantiation::emitForOneOf(int group, const std::vector<StmtPtr> &statements) {
  if (isGroupOfItems(group))
    return scope_.emit(byFirstItem(group, statements));
  for (const StmtPtr &s : statements)
    scope_.emit(s);
}

/// The number of the element that the group at hand takes next.
ExprPtr Instantiation::takeTicket(int group, const View &ticket) {
  ExprPtr next = atomicAt("add", elementOf(ticket, {intLiteral(0)}), {intLiteral(1, Scalar::U32)});
  const bool many = isGroupOfItems(group);
  ExprPtr place;
  if (many) {
    place = elementOf(newCell("taken", Scalar::U32, group), {});
  } else {
    VarPtr taken = newVariable("taken", Scalar::U32);
    place = varRef(taken);
    scope_.emit(declare(taken, nullptr));
  }
  emitForOneOf(group, {assign(place, "=", next)});
  VarPtr part = newVariable("part", Scalar::Index);
  scope_.emit(declare(part, cast(Scalar::Index, place)));
  return varRef(part);
}

/// carries[0] = first, flags[0] = 1, all other flags and the ticket 0.
void Instantiation::prepareHandOver(const HandOver &over, const View &ticket, const ExprPtr &count,
                                    const ExprPtr &first) {
  const bool kernel = target_.hostOnlyLaunches;
  VarPtr i = newVariable("part", Scalar::Index, kernel ? VarKind::Worker : VarKind::Local);
  auto isFirst = binary("==", varRef(i), intLiteral(0));
  auto carry = [&](const ExprPtr &at) { return assign(elementOf(over.carries, {at}), "=", first); };
  StmtPtr flag = assign(elementOf(over.flags, {varRef(i)}), "=", cast(Scalar::U32, isFirst));
  ExprPtr last = add(count, intLiteral(1));
  if (!kernel) {
    scope_.emit(carry(intLiteral(0)));
    scope_.emit(countingLoop(i, last, block({flag})));
    return;
  }
  // All carries have a value: Oclgrind takes an atomic store for a use of the value before.
  StmtPtr none = assign(elementOf(ticket, {intLiteral(0)}), "=", intLiteral(0, Scalar::U32));
  scope_.emit(parallel(over.level, Span::Turns, i, last, scope_.collect([&] {
    emitForOneOf(over.level, {carry(varRef(i)), flag, ifThen(isFirst, block({none}))});
  })));
}

/// Waits for the carry.
void Instantiation::await(HandOver &over) {
  over.awaited = true;
  const bool many = isGroupOfItems(over.level);
  const Scalar type = over.carries.buffer->type.scalar;
  ExprPtr value = atomicAt("load", elementOf(over.carries, {over.element}));
  StmtPtr wait = eval(atomicAt("await", elementOf(over.flags, {over.element})));
  VarPtr received = over.carry;
  ExprPtr place = varRef(received);
  scope_.emit(declare(over.carry, nullptr));
  const bool direct = !many && type == over.carry->type.scalar;
  if (many) {
    place = elementOf(newCell("received", type, over.level), {});
  } else if (!direct) {
    received = newVariable("received", type);
    place = varRef(received);
    scope_.emit(declare(received, nullptr));
  }
  emitForOneOf(over.level, {wait, assign(place, "=", value)});
  if (over.strict)
    scope_.emit(barrier(over.level)); // all items see what the predecessor wrote
  if (!direct)
    scope_.emit(assign(varRef(over.carry), "=", simplified(cast(over.carry->type.scalar, place))));
}

/// Hands the next carry to the successor.
void Instantiation::publish(HandOver &over, const ExprPtr &value) {
  over.published = true;
  const Scalar type = over.carries.buffer->type.scalar;
  ExprPtr next = simplified(add(over.element, intLiteral(1)));
  if (over.strict)
    scope_.emit(barrier(over.level)); // the successor sees what all items wrote
  emitForOneOf(over.level, {eval(atomicAt("store", elementOf(over.carries, {next}),
                                          {simplified(cast(type, value))})),
                            eval(atomicAt("publish", elementOf(over.flags, {next})))});
}

/// The body of what a chain applies, waiting as late and publishing as early as it can.
void Instantiation::lowerHandedOver(Instance &in, const StmtPtr &body, HandOver &over) {
  const Var *carry = in.codelet->params[0].get();
  const std::vector<StmtPtr> &statements = body->children;
  const Scalar type = program_.spectrum(in.codelet->spectrum)->result.scalar;
  std::optional<std::ptrdiff_t> known;
  if (!statements.empty())
    known = knownAfter(statements, in.assigned);
  auto publishNow = [&] {
    const ExprPtr &value = statements.back()->value;
    if (!over.awaited && contains(value, [&](const Expr &e) { return e.var.get() == carry; }))
      await(over);
    publish(over, simplified(cast(type, evaluateScalar(in, value))));
  };
  if (known == -1)
    publishNow();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (over.published && i + 1 == statements.size())
      return;
    if (!over.awaited && mentions(statements[i], carry))
      await(over);
    lowerStatement(in, statements[i]);
    if (known == static_cast<std::ptrdiff_t>(i))
      publishNow();
  }
}

/// The containers that all elements write one part of each behind the other.
std::set<std::size_t> Instantiation::appendedBy(const MapWork &work,
                                                const PlanNode &element) const {
  std::set<std::size_t> appended;
  if (element.kind != PlanNode::Kind::Codelet)
    return appended;
  const Codelet &codelet = codeletOf(element);
  for (std::size_t k = 0; k < work.args.size(); ++k) {
    if (work.shared[k] && appendsFromCarry(codelet, codelet.params[k].get()))
      appended.insert(k);
  }
  return appended;
}

ExprPtr Instantiation::lowerDistributedChain(Instance &in, const ExprPtr &chain) {
  int child = in.childOf.at(chain.get());
  const PlanNode &node = *in.node->children[static_cast<std::size_t>(child)];
  const int below = counts_.workersOf(node);
  if (role(in.node->level) != Role::Host || role(below) != Role::Group)
    refuse("workers of level " + level(below).name + " (" + level(below).title +
               ") meet at barriers, so that target " + target_.name +
               " cannot let one wait for another, as a chain that is distributed to them would",
           chain->location);
  const Scalar type = chain->type.scalar;
  ExprPtr first = simplified(cast(carried(type), cast(type, evaluateScalar(in, chain->args[0]))));
  MapWork work = workOf(in, *chain);
  HandOver over;
  over.carry = newVariable("carry", type);
  work.args[0] = varRef(over.carry);
  effects_.requireNoAliasing(*work.callee, work.args, node, chain->location, &work);
  over.level = below;
  const std::set<std::size_t> appended = appendedBy(work, *node.children[0]);
  over.strict = SideEffects::sharesOutput(work, appended) ||
                !effects_.whyOverlap(work, node, appended).empty();
  ExprPtr count = in.counts.contains(child) ? in.counts[child].front() : work.count;
  ExprPtr places = simplified(add(elementsOf(work), intLiteral(1)));
  auto buffer = [&](const std::string &name, Scalar element, const ExprPtr &elements) {
    return newArray(name, element, in.node->level, {elements}, {elements});
  };
  over.carries = buffer("carries", carried(type), places);
  over.flags = buffer("flags", Scalar::U32, places);
  View ticket;
  const bool tickets = target_.groupsStartInAnyOrder;
  if (tickets) {
    ticket = buffer("ticket", Scalar::U32, intLiteral(1));
    ExprPtr most = scope_.upperBound(scope_.closed(count));
    if (!isTunable(plan_, most))
      constrain(simplified(binary("<", most, intLiteral(4294967296))),
                "a chain counts its elements in 32 bits");
  }
  prepareHandOver(over, ticket, count, first);

  scope_.emitComment("distribute(" + level(below).name + "), each waiting for the one before it");
  VarPtr worker = newVariable(identifier(level(below).title), Scalar::Index, VarKind::Worker);
  scope_.boundWorker(worker, count);
  scope_.emit(parallel(below, counts_.spanOf(below, count), worker, count, scope_.collect([&] {
    over.element = tickets ? takeTicket(below, ticket) : varRef(worker);
    scope_.boundWorker(over.element->var, count);
    enclose(below, worker, count);
    const PlanNode &element = *node.children[0];
    const bool uniform =
        element.kind == PlanNode::Kind::Codelet ||
        (element.kind == PlanNode::Kind::Compute && !codeletOf(element).cooperative);
    if (over.strict || !uniform)
      await(over);
    VarPtr next = newVariable("next", type);
    scope_.emit(declare(next, nullptr));
    handOver_ = over.strict || !uniform ? nullptr : &over;
    work.roundings =
        lowerCall(node.children[0], elementArgs(work, over.element), Destination{{}, next});
    if (!over.published)
      publish(over, varRef(next));
    enclosing_.pop_back();
  })));
  // Each element may round on top of what the one before rounded.
  in.roundings = add(in.roundings, mul(work.roundings, elementsOf(work)));
  return simplified(cast(type, elementOf(over.carries, {count})));
}

} // namespace tangram::codegen
