#include "codegen/lowering/atomic_support.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

class Search {
public:
  explicit Search(const LoweredPlan &plan) : plan_(plan) {}

  void statement(const StmtPtr &s) {
    if (!s || found)
      return;
    for (const ExprPtr &e : {s->value, s->target})
      look(e, *s);
    const bool parallel = s->kind == StmtKind::Parallel;
    const bool several = parallel && s->span != Span::One;
    several_ += several ? 1 : 0;
    if (parallel)
      levels_.push_back(s->level);
    for (const StmtPtr &child : s->children)
      statement(child);
    if (parallel)
      levels_.pop_back();
    several_ -= several ? 1 : 0;
  }

  std::optional<Refusal> found;

private:
  void look(const ExprPtr &e, const Stmt &s) {
    if (!e || several_ == 0)
      return;
    forEach(e, [&](const Expr &part) {
      const bool updates = part.kind == ExprKind::Atomic && (part.op == "add" || part.op == "min" ||
                                                             part.op == "max" || part.op == "cas");
      if (!updates || found)
        return;
      const std::string type = shortName(part.args[0]->type.scalar);
      const bool known = std::any_of(levels_.begin(), levels_.end(), [&](int level) {
        const auto &atomics = levelAt(level).atomics;
        return std::find(atomics.begin(), atomics.end(), type) != atomics.end();
      });
      if (!known)
        found = Refusal{text(type), part.location.valid() ? part.location : s.location};
    });
  }

  const composer::Level &levelAt(int level) const {
    return plan_.machine->levels[static_cast<std::size_t>(level)];
  }

  std::string text(const std::string &type) const {
    const composer::Level &level = levelAt(levels_.back());
    std::string listed;
    for (const std::string &each : level.atomics)
      listed += (listed.empty() ? "" : ", ") + each;
    return "the atomic operations of level " + level.name + " (" + level.title + ") of " +
           plan_.machine->name + " are " + (listed.empty() ? "none" : "on " + listed) +
           "; this one is on " + type;
  }

  const LoweredPlan &plan_;
  std::vector<int> levels_; ///< whose workers run what is being looked at, outermost first
  int several_ = 0;         ///< of those levels, how many have several of them
};

} // namespace

std::optional<Refusal> unsupportedAtomic(const LoweredPlan &plan) {
  Search search(plan);
  search.statement(plan.body);
  return search.found;
}

} // namespace tangram::codegen
