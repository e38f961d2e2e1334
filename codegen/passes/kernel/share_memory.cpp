// Memory block merging: temporaries of one type and space that are never alive together share one allocation (Munksgaard
// 2023, notes/index-functions-and-dispatch.md 1.5; live ranges in the order of statements take the place of an interference
// graph).
//
// In local memory an array is alive from the first statement of its kernel that mentions it to the last one, in a loop for
// all of the loop, and shares with arrays of the same size. In global memory it is alive from its first kernel to its last
// one, and what several arrays share is as large as the largest.
#include "algebra/simplify.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// From the first to the last statement that touches a buffer, both included.
struct Range {
  unsigned first = 0;
  unsigned last = 0;
};
using Ranges = std::map<const Var *, Range>;

/// Numbers the statements of some code in order. What is touched in a loop is live in all of it:
/// a round may read what an earlier one left. So is what is touched by workers side by side: one
/// may be at the start while another one is at the end.
class Liveness {
public:
  Ranges of(const StmtPtr &code) {
    walk(code);
    return std::move(ranges_);
  }

private:
  void touch(const Var *buffer, unsigned first, unsigned last) {
    auto [known, added] = ranges_.try_emplace(buffer, Range{first, last});
    if (!added)
      known->second = {std::min(known->second.first, first), std::max(known->second.last, last)};
  }

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    const unsigned here = ++now_;
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.kind == ExprKind::Var && each.var->kind == VarKind::Buffer)
          touch(each.var.get(), here, here);
      });
    });
    for (const StmtPtr &child : s->children)
      walk(child);
    bool sideBySide = s->kind == StmtKind::Parallel && s->span != Span::One;
    if (!isLoop(*s) && !sideBySide)
      return;
    for (auto &[buffer, range] : ranges_) {
      if (range.last >= here)
        touch(buffer, here, now_);
    }
  }

  unsigned now_ = 0;
  Ranges ranges_;
};

/// What buffers are stored in one allocation.
struct Class {
  Buffer *memory;
  unsigned last;
};

class Sharing {
public:
  explicit Sharing(LoweredPlan &plan) : plan_(plan) {}

  void run() {
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group)
        assign(Space::Local, Liveness().of(s.children[0]));
    });
    assign(Space::Global, betweenKernels());
    if (instead_.empty())
      return;
    plan_.body = mapExprs(plan_.body, [&](const ExprPtr &e) {
      return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
        auto found = each->kind == ExprKind::Var ? instead_.find(each->var.get()) : instead_.end();
        return found == instead_.end() ? each : varRef(found->second);
      });
    });
    std::erase_if(plan_.buffers, [&](const Buffer &b) { return instead_.contains(b.var.get()); });
  }

private:
  /// Groups advance at speeds of their own, so that device memory is free only when the parallel
  /// code that uses it has ended. What the host reads is left alone.
  Ranges betweenKernels() const {
    Ranges ranges;
    std::set<const Var *> kept;
    for (unsigned i = 0; i < plan_.body->children.size(); ++i) {
      const StmtPtr &s = plan_.body->children[i];
      forEachExpr(s, [&](const Expr &e) {
        if (e.kind != ExprKind::Var || e.var->kind != VarKind::Buffer)
          return;
        if (s->kind != StmtKind::Parallel)
          kept.insert(e.var.get());
        ranges.try_emplace(e.var.get(), Range{i, i}).first->second.last = i;
      });
    }
    std::erase_if(ranges, [&](const auto &each) { return kept.contains(each.first); });
    return ranges;
  }

  /// Gives buffers of which one is done before the other begins the same memory.
  void assign(Space space, const Ranges &ranges) {
    std::vector<Buffer *> order;
    for (Buffer &b : plan_.buffers) {
      bool temporary = b.space == space && b.access.empty() && !isLiteral(b.count, 1);
      if (temporary && ranges.contains(b.var.get()) && !seen_.contains(b.var.get()))
        order.push_back(&b);
    }
    std::stable_sort(order.begin(), order.end(), [&](const Buffer *a, const Buffer *b) {
      return ranges.at(a->var.get()).first < ranges.at(b->var.get()).first;
    });
    std::vector<Class> classes;
    for (Buffer *b : order) {
      seen_.insert(b->var.get());
      const Range &range = ranges.at(b->var.get());
      auto free = std::find_if(classes.begin(), classes.end(), [&](const Class &c) {
        // The size of local memory is a constant expression, which a maximum is not in OpenCL C.
        bool fits = space == Space::Global || sameExpr(c.memory->count, b->count);
        return fits && c.last < range.first && c.memory->var->type == b->var->type;
      });
      if (free == classes.end()) {
        classes.push_back({b, range.last});
        continue;
      }
      if (!sameExpr(free->memory->count, b->count))
        free->memory->count = maxOf(free->memory->count, b->count);
      free->last = range.last;
      instead_[b->var.get()] = free->memory->var;
    }
  }

  LoweredPlan &plan_;
  std::set<const Var *> seen_;
  std::map<const Var *, VarPtr> instead_;
};

} // namespace

LoweredPlan shareMemory(LoweredPlan plan) {
  Sharing(plan).run();
  return plan;
}

} // namespace tangram::codegen
