#include "codegen/targets/opencl/pocl/printer.h"

#include "codegen/form/building.h"
#include "codegen/targets/opencl/pocl/barriers.h"
#include "codegen/targets/opencl/pocl/macros.h"

#include <algorithm>
#include <optional>

namespace tangram::codegen {

using namespace ir;

namespace {

class PoclPrinter : public OpenclPrinter {
public:
  using OpenclPrinter::OpenclPrinter;

protected:
  void begin() override {
    if (hasBarriers_)
      apart_.emplace(plan_, *launch_.groups->children[0],
                     [this](const Stmt &each) { return hasBraces(each); });
    if (launch_.itemLevel >= 0) {
      reserve("again_"); // of POCL_ASK and POCL_WHILE
      reserve("go_");
    }
  }

  std::string unrollHint(unsigned times) const override {
    return hasBarriers_ ? unrollMacro + ("(" + std::to_string(times) + ")")
                        : OpenclPrinter::unrollHint(times);
  }

  /// Where two statements are to stay apart.
  void keep() override {
    if (apart_ && apart_->nests())
      line(std::string(poclKeepMacro) + "();");
  }

  void poclBarrier() {
    line(std::string(poclBarrierMacro) + "();");
    keep();
  }

  std::string question(const Stmt &loop) const override {
    const std::string asked = CPrinter::question(loop);
    return asksApart(loop) ? poclAskMacro + ("(" + asked + ")") : asked;
  }

  std::string whileHead(const Stmt &loop) const override {
    return asksApart(loop) ? poclWhileMacro + ("(" + CPrinter::question(loop) + ")")
                           : CPrinter::whileHead(loop);
  }

  void endOfLoop(const StmtPtr &body) override {
    if (hasLoopWithBarrier(body) ||
        (hasBarrier(body) && (endsInLoop(body) || endsInBranchOfLoops(body))))
      poclBarrier();
  }

  void beforeBranch() override { keep(); }

  void behindBraces() override { keep(); }

  /// Where the last loop of a branch with barriers is unrolled, PoCL 3.1 makes of it what writes anywhere.
  void endOfBranch(const StmtPtr &body) override {
    if (hasBarrier(body) && endsInLoop(body))
      poclBarrier();
  }

  void otherwise(const Stmt &s) override {
    if (!apart_ || !apart_->isWithin(s)) {
      if (apart_ && apart_->isAtEndOfBranch(s))
        poclBarrier();
      CPrinter::otherwise(s);
      return;
    }
    close();
    poclBarrier();
    open("if (" + expression(negated(s.value)) + ")");
  }

  /// Between a branch that ends in another one and a branch behind it PoCL 3.1 makes of barriers in the
  /// first what never ends.
  void between(const StmtPtr &done, const StmtPtr &next) override {
    const Stmt *before = printed(*done, false);
    const Stmt *behind = printed(*next, true);
    const bool branches = before && behind && before->kind == StmtKind::If && isBranch(*behind) &&
                          hasBarrier(before->children[0]) && endsInBranch(before->children[0]);
    const bool loops = before && behind &&
                       (before->kind == StmtKind::If || branchesToLoops(*before)) &&
                       isLoop(*behind) && hasBarrier(behind->children.back());
    if (branches || loops || (behind && apart_ && apart_->isBefore(*behind)))
      poclBarrier();
  }

private:
  static bool asksApart(const Stmt &loop) {
    const bool isOfMemory =
        contains(loop.value, [](const Expr &e) { return e.kind == ExprKind::Index; });
    return isOfMemory && hasBarrier(loop.children.back());
  }

  /// Whether items go round, and different ways to loops then.
  bool branchesToLoops(const Stmt &s) const {
    return (isLoop(s) || (s.kind == StmtKind::Parallel && s.span == Span::Turns)) &&
           hasBranchOfLoops(s);
  }

  static bool hasBranchOfLoops(const Stmt &s) {
    return std::ranges::any_of(s.children, [](const StmtPtr &child) {
      return child && (child->kind == StmtKind::If ? hasLoop(child) : hasBranchOfLoops(*child));
    });
  }

  /// Whether the last statement that is printed is a loop.
  bool endsInLoop(const StmtPtr &s) const {
    if (isLoop(*s))
      return true;
    if (s->kind == StmtKind::Parallel)
      return !isLiteral(s->value, 1) && (hasBraces(*s) || endsInLoop(s->children[0]));
    return s->kind == StmtKind::Block && !s->children.empty() && endsInLoop(s->children.back());
  }

  /// Whether the last statement that is printed is a branch that ends in a loop.
  bool endsInBranchOfLoops(const StmtPtr &s) const {
    const Stmt *last = printed(*s, false);
    return last && last->kind == StmtKind::If &&
           std::ranges::any_of(last->children,
                               [&](const StmtPtr &each) { return each && endsInLoop(each); });
  }

  /// The statement that is printed of `s` first, or last; null: none.
  const Stmt *printed(const Stmt &s, bool first) const {
    const bool around =
        s.kind == StmtKind::Block || (s.kind == StmtKind::Parallel && !hasBraces(s));
    if (!around)
      return &s;
    const Stmt *found = nullptr;
    for (const StmtPtr &child : s.children) {
      if (child->kind != StmtKind::Comment && !(first && found))
        found = printed(*child, first);
    }
    return found;
  }

  bool isBranch(const Stmt &s) const {
    return s.kind == StmtKind::If ||
           (s.kind == StmtKind::Parallel && isLiteral(s.value, 1) && hasBraces(s));
  }

  /// Whether the last statement that is printed is a branch.
  bool endsInBranch(const StmtPtr &s) const {
    const Stmt *last = printed(*s, false);
    return last && isBranch(*last);
  }

  std::optional<PoclBarriers> apart_; ///< of kernels with barriers
};

bool has(const std::string &text, const char *macro) {
  return text.find(macro) != std::string::npos;
}

} // namespace

std::unique_ptr<OpenclPrinter> makePoclPrinter(const LoweredPlan &plan, const Launch &launch,
                                               const std::string &name) {
  return std::make_unique<PoclPrinter>(plan, launch, name);
}

std::string poclDefinitions(const std::string &kernels) {
  return std::string(has(kernels, poclBarrierMacro) ? poclBarrierDefinition : "") +
         (has(kernels, poclKeepMacro) ? poclKeepDefinition : "") +
         (has(kernels, poclAskMacro) || has(kernels, poclWhileMacro) ? poclAskDefinition : "") +
         (has(kernels, unrollMacro) ? unrollDefinition : "");
}

} // namespace tangram::codegen
