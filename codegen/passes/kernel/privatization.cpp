// Privatization: the items of a group add to a copy of the array in local memory, which is added to the array at the end.
// Without it the items of all groups that add to elements which data name wait for each other at global memory.
//
//   before: parallel i < N { for (k = i; k < n; k += N) atomicAdd(bins[in[k]], 1); }
//   after:  few = bins_size <= 1024 ? bins_size : 0;
//           parallel b < few { own[b] = 0; }
//           parallel i < N {
//             for (k = i; k < n; k += N) { if (few > 0) atomicAdd(own[in[k]], 1) else atomicAdd(bins[in[k]], 1); }
//           }
//           parallel b < few { sum = own[b]; if (sum != 0) atomicAdd(bins[b], sum); }
//
// A tunable says how many copies a group has (one by default), which its items take in turns: where many add to the same
// element they wait for each other at a copy, too.
//
// The array stays where it is
//   where a group does anything else with it than adding, or somebody looks at what was there before
//   where no item adds more than once, or data do not name the elements
//   where a codelet's author says that it has many elements (`typical`), or the group's memory has no room
// Where items are loops (a processor) a thread's additions do not wait for those of its own: counts there take turns among
// copies instead (privatization_of_counts.cpp).
#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/form/identifier.h"
#include "codegen/form/launch.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t mostElements = 1024; ///< of a copy
constexpr std::int64_t mostCopies = 4;

/// Of one array, in the code of one group.
struct Use {
  std::size_t additions = 0; ///< of which nobody looks at what was there before
  std::size_t all = 0;       ///< accesses of any kind
  bool again = false;        ///< an item comes to one of them several times
  bool byData = false;       ///< elements of arrays decide which element one of them adds to
};

class Privatize {
public:
  Privatize(LoweredPlan &plan, int items) : plan_(plan), items_(items) {}

  /// What a group runs.
  StmtPtr run(StmtPtr body) {
    if (mayLeave(body))
      return body;
    findNamed(body);
    look(body, false);
    std::vector<StmtPtr> before, after;
    for (const Buffer &buffer : std::vector<Buffer>(plan_.buffers)) {
      if (!isCopied(buffer, body))
        continue;
      const Copies copies = copiesOf(buffer);
      before.push_back(declare(copies.few, fewOf(buffer)));
      before.push_back(clearing(copies));
      body = withOwn(body, copies, intLiteral(0));
      after.push_back(adding(copies));
    }
    if (before.empty())
      return body;
    before.push_back(body);
    before.insert(before.end(), after.begin(), after.end());
    return block(std::move(before));
  }

private:
  static std::optional<std::int64_t> elementsOf(const Buffer &buffer) {
    return literalValue(buffer.count);
  }

  static bool mayLeave(const StmtPtr &body) {
    bool found = handsOver(body);
    forEach(body, [&](const Stmt &s) { found |= s.kind == StmtKind::Return; });
    return found;
  }

  /// To an element of an array, and nobody looks at what was there before.
  static bool adds(const Stmt &s) {
    return s.kind == StmtKind::Eval && s.value->kind == ExprKind::Atomic && s.value->op == "add" &&
           arrayOf(*s.value->args[0]) != nullptr;
  }

  bool isNamedByData(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || (each.var && named_.contains(each.var.get()));
    });
  }

  /// Variables that elements of arrays decide.
  void findNamed(const StmtPtr &body) {
    std::size_t known = 0;
    do {
      known = named_.size();
      forEach(body, [&](const Stmt &s) {
        const bool isDeclared = s.kind == StmtKind::Decl;
        const bool isAssigned = s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var;
        if ((isDeclared || isAssigned) && s.value && isNamedByData(s.value))
          named_.insert((isDeclared ? s.var : s.target->var).get());
      });
    } while (named_.size() != known);
  }

  void look(const StmtPtr &s, bool inItems) {
    const bool areWorkers = s->kind == StmtKind::Parallel && plan_.role(s->level) >= Role::Item;
    const bool again = isLoop(*s) || (areWorkers && s->span == Span::Turns);
    loops_ += again ? 1 : 0;
    if (adds(*s) && (inItems || areWorkers)) {
      Use &use = uses_[arrayOf(*s->value->args[0])];
      use.additions += 1;
      use.again |= loops_ > 0;
      use.byData |= isNamedByData(s->value->args[0]->args[1]);
    }
    forEachOwnExpr(*s, [&](const ExprPtr &own) {
      forEach(own, [&](const Expr &e) {
        if (e.kind == ExprKind::Var && e.var->kind == VarKind::Buffer)
          uses_[e.var.get()].all += 1;
      });
    });
    for (const StmtPtr &child : s->children) {
      if (child)
        look(child, inItems || areWorkers);
    }
    loops_ -= again ? 1 : 0;
  }

  bool isCopied(const Buffer &buffer, const StmtPtr &body) const {
    const auto found = uses_.find(buffer.var.get());
    if (found == uses_.end() || buffer.space != Space::Global || buffer.access.empty())
      return false;
    const Use &use = found->second;
    const std::vector<std::string> &atomics =
        plan_.machine->levels[static_cast<std::size_t>(items_)].atomics;
    const bool isKnown =
        std::ranges::find(atomics, shortName(buffer.var->type.scalar)) != atomics.end();
    return isKnown && use.additions == use.all && use.again && use.byData && isSmall(buffer) &&
           hasRoom(buffer, body);
  }

  bool isSmall(const Buffer &buffer) const {
    const auto most = elementsOf(buffer);
    if (most)
      return *most <= mostElements;
    const auto typical = buffer.count->kind == ExprKind::Var
                             ? plan_.typical.find(buffer.count->var.get())
                             : plan_.typical.end();
    return typical == plan_.typical.end() || typical->second <= mostElements;
  }

  /// In the memory of a group, beside what it has there already.
  bool hasRoom(const Buffer &buffer, const StmtPtr &body) const {
    std::int64_t bytes = mostCopies * elementsOf(buffer).value_or(mostElements) *
                         static_cast<std::int64_t>(byteSize(buffer.var->type.scalar));
    for (const Buffer &each : plan_.buffers) {
      bool isUsed = false;
      forEachExpr(body, [&](const Expr &e) { isUsed |= e.var == each.var; });
      if (!isUsed || each.space == Space::Global)
        continue;
      const auto count = valueAtMost(plan_, each.count, 1U << 20U);
      if (!count)
        return false;
      bytes += *count * static_cast<std::int64_t>(byteSize(each.var->type.scalar));
    }
    return bytes <= static_cast<std::int64_t>(plan_.machine->code.localBytes);
  }

  /// Element e of copy c is at e * number + c.
  struct Copies {
    VarPtr array;
    VarPtr own;
    VarPtr few;    ///< elements of the array, none where these are many
    VarPtr number; ///< the tunable

    ExprPtr at(const ExprPtr &element, const ExprPtr &copy) const {
      return index(varRef(own), {add(mul(element, varRef(number)), copy)});
    }
  };

  Copies copiesOf(const Buffer &buffer) {
    const std::string &name = buffer.var->name;
    Copies copies{buffer.var, newVariable("own_" + name, buffer.var->type.scalar, VarKind::Buffer),
                  newVariable(name + "_few"), nullptr};
    Tunable tunable;
    tunable.var = newVariable(plan_.unusedTunableName(upperCase(name) + "_COPIES"), Scalar::Index,
                              VarKind::Param);
    tunable.defaultValue = "1";
    tunable.max = mostCopies;
    tunable.values = {1, 2, mostCopies};
    tunable.meaning = "copies of " + name + " that a group has, where there are few";
    copies.number = tunable.var;
    plan_.buffers.push_back(
        {copies.own, Space::Local,
         mul(intLiteral(elementsOf(buffer).value_or(mostElements)), varRef(copies.number)), ""});
    plan_.tunables.push_back(std::move(tunable));
    return copies;
  }

  static ExprPtr fewOf(const Buffer &buffer) {
    return simplify(
        select(binary("<=", buffer.count, intLiteral(mostElements)), buffer.count, intLiteral(0)));
  }

  StmtPtr clearing(const Copies &copies) const {
    const VarPtr element = newVariable("element", Scalar::Index, VarKind::Worker);
    return parallel(items_, Span::Turns, element, mul(varRef(copies.few), varRef(copies.number)),
                    block({assign(index(varRef(copies.own), {varRef(element)}), "=",
                                  zeroOf(copies.array->type.scalar))}));
  }

  StmtPtr adding(const Copies &copies) const {
    const Scalar type = copies.array->type.scalar;
    const VarPtr element = newVariable("element", Scalar::Index, VarKind::Worker);
    const VarPtr sum = newVariable("sum", type), copy = newVariable("copy");
    const ExprPtr place = index(varRef(copies.array), {varRef(element)});
    return parallel(
        items_, Span::Turns, element, varRef(copies.few),
        block({declare(sum, zeroOf(type)),
               countingLoop(
                   copy, varRef(copies.number),
                   block({assign(varRef(sum), "+=", copies.at(varRef(element), varRef(copy)))})),
               ifThen(binary("!=", varRef(sum), zeroOf(type)),
                      block({eval(atomicAt("add", place, {varRef(sum)}))}))}));
  }

  /// `item`: the number of the item that runs `s`.
  StmtPtr withOwn(const StmtPtr &s, const Copies &copies, const ExprPtr &item) const {
    if (adds(*s) && arrayOf(*s->value->args[0]) == copies.array.get()) {
      const VarPtr element = newVariable("element");
      const auto added = [&](const ExprPtr &place) {
        return block({eval(atomicAt("add", place, {s->value->args[1]}, s->value->location))});
      };
      const ExprPtr copy = binary("%", item, varRef(copies.number));
      return block({declare(element, s->value->args[0]->args[1]),
                    ifThen(binary(">", varRef(copies.few), intLiteral(0)),
                           added(copies.at(varRef(element), copy)),
                           added(index(varRef(copies.array), {varRef(element)})), s->location)});
    }
    const bool areItems = s->kind == StmtKind::Parallel && s->level == items_ && s->var;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(child ? withOwn(child, copies, areItems ? varRef(s->var) : item) : child);
    return children == s->children ? s : withChildren(s, std::move(children));
  }

  LoweredPlan &plan_;
  int items_; ///< the level of items of a group
  std::set<const Var *> named_;
  std::map<const Var *, Use> uses_;
  int loops_ = 0; ///< around
};

} // namespace

LoweredPlan privatize(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel || plan.role(s->level) != Role::Group ||
        isRowOfItems(plan, *s))
      return s;
    const int items = plan.machine->levels[static_cast<std::size_t>(s->level)].subordinate;
    if (items < 0 || plan.role(items) != Role::Item || !plan.workers.contains(items))
      return s;
    return withChildren(s, {Privatize(plan, items).run(s->children[0])});
  });
  return plan;
}

} // namespace tangram::codegen
