// Padding against false sharing: each row that a thread updates over and over begins a cache line. Without it the end of
// one row and the beginning of the next share a line, which each addition takes from the thread that has it.
//
//   before: own: p * k * d elements        own[thread][c][j] += ...   at thread * (k * d) + c * d + j
//   after:  own_row = (k * d + 15) / 16 * 16;
//           own: p * own_row elements                                  at thread * own_row + c * d + j
//
// Which arrays: temporaries with a row for each group, as many as a tunable says, of which groups read and change elements of
// their own row in a loop. Arrays that are written once keep their layout, as do those that are exchanged, and so do those with as many rows as the caller has:
// these are dealt to threads many at a time. Groups of a GPU keep theirs as well: what they change is in no cache of their own.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "ir/swap.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Arrays of which a group reads and changes elements of its own row in a loop.
class ChangedRows {
public:
  explicit ChangedRows(const Var *group) : group_(group) {}

  /// What a group runs.
  void look(const StmtPtr &s) {
    if (isLoop(*s))
      return lookAtRounds(s);
    for (const StmtPtr &child : s->children) {
      if (child)
        look(child);
    }
  }

  const std::set<const Var *> &arrays() const { return arrays_; }

private:
  void lookAtRounds(const StmtPtr &loop) {
    std::set<const Var *> read, changed;
    forEach(loop, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && isOfOwnRow(*s.target)) {
        changed.insert(arrayOf(*s.target));
        if (s.op != "=")
          read.insert(arrayOf(*s.target));
      }
      forEachOwnExpr(s, [&](const ExprPtr &own) {
        forEach(own, [&](const Expr &e) {
          if (isOfOwnRow(e) && own != s.target)
            read.insert(arrayOf(e));
          if (e.kind == ExprKind::Atomic && !isLook(e) && isOfOwnRow(*e.args[0]))
            changed.insert(arrayOf(*e.args[0]));
        });
      });
    });
    std::ranges::set_intersection(read, changed, std::inserter(arrays_, arrays_.end()));
  }

  bool isOfOwnRow(const Expr &e) const {
    return e.kind == ExprKind::Index && e.args.size() > 2 && arrayOf(e) &&
           e.args[1]->kind == ExprKind::Var && e.args[1]->var.get() == group_;
  }

  const Var *group_;
  std::set<const Var *> arrays_;
};

/// Arrays that lie where others lay, later: all of these lie alike.
std::set<const Var *> exchangedIn(const StmtPtr &body) {
  std::set<const Var *> found;
  forEach(body, [&](const Stmt &s) {
    if (isSwap(s))
      forEachOwnExpr(s, [&](const ExprPtr &own) {
        forEach(own, [&](const Expr &e) {
          if (e.kind == ExprKind::Var)
            found.insert(e.var.get());
        });
      });
  });
  return found;
}

/// Each row of the array begins a line: declares how far apart they are; null: the array is none of these.
StmtPtr separate(LoweredPlan &plan, Buffer &buffer, const ExprPtr &groups) {
  const auto strides = plan.strides.find(buffer.var.get());
  if (strides == plan.strides.end() || !buffer.access.empty() || buffer.space != Space::Global)
    return nullptr;
  ExprPtr &row = strides->second[0];
  if (!isLiteral(simplify(sub(buffer.count, mul(groups, row)), {.proofs = plan.proofs}), 0))
    return nullptr;
  const auto bytes = static_cast<std::int64_t>(byteSize(buffer.var->type.scalar));
  const std::int64_t elements =
      static_cast<std::int64_t>(plan.machine->costs.transactionBytes) / bytes;
  if (elements < 2)
    return nullptr;
  const ExprPtr line = intLiteral(elements);
  const ExprPtr apart = mul(binary("/", sub(add(row, line), intLiteral(1)), line), line);
  const VarPtr pitch = newVariable(buffer.var->name + "_row");
  buffer.count = mul(groups, apart);
  buffer.ofVectors = true;
  row = varRef(pitch);
  return declare(pitch, apart);
}

} // namespace

LoweredPlan padRows(LoweredPlan plan) {
  std::vector<StmtPtr> pitches;
  const std::set<const Var *> exchanged = exchangedIn(plan.body);
  forEach(plan.body, [&](const Stmt &s) {
    const bool areGroups = s.kind == StmtKind::Parallel && s.span != Span::One && s.var &&
                           plan.role(s.level) == Role::Group;
    if (!areGroups || !isTunable(plan, s.value))
      return;
    ChangedRows rows(s.var.get());
    rows.look(s.children[0]);
    for (Buffer &buffer : plan.buffers) {
      if (!rows.arrays().contains(buffer.var.get()) || exchanged.contains(buffer.var.get()))
        continue;
      if (const StmtPtr pitch = separate(plan, buffer, s.value))
        pitches.push_back(pitch);
    }
  });
  if (pitches.empty())
    return plan;
  pitches.push_back(plan.body);
  plan.body = block(std::move(pitches));
  return plan;
}

} // namespace tangram::codegen
