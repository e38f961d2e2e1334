#include "codegen/targets/opencl/pocl/barriers.h"

#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

bool contains(const Stmt &s, const std::function<bool(const Stmt &)> &test) {
  return test(s) || std::any_of(s.children.begin(), s.children.end(), [&](const StmtPtr &child) {
           return child && contains(*child, test);
         });
}

bool hasBarrier(const Stmt &s) {
  return contains(s, [](const Stmt &each) { return each.kind == StmtKind::Barrier; });
}

bool hasBarrierOutsideLoops(const Stmt &s) {
  return s.kind == StmtKind::Barrier ||
         (!isLoop(s) && std::ranges::any_of(s.children, [](const StmtPtr &child) {
           return child && hasBarrierOutsideLoops(*child);
         }));
}

std::set<const Var *> arraysReadIn(const Stmt &s) {
  std::set<const Var *> arrays;
  contains(s, [&](const Stmt &each) {
    if (each.value)
      forEach(each.value, [&](const Expr &e) {
        if (e.kind == ExprKind::Index)
          arrays.insert(e.args[0]->var.get());
      });
    return false;
  });
  return arrays;
}

} // namespace

PoclBarriers::PoclBarriers(const LoweredPlan &plan, const Stmt &body,
                           std::function<bool(const Stmt &)> hasBraces)
    : plan_(plan), hasBraces_(std::move(hasBraces)) {
  for (std::size_t known = 0; known == 0 || varying_.size() > known;) {
    known = varying_.size();
    findVarying(body);
    if (varying_.empty())
      break;
  }
  findOfSome(body);
  nests_ = asksTwice(body) || contains(body, [this](const Stmt &each) { return partsTwice(each); });
  find(body, false);
}

bool PoclBarriers::varies(const ExprPtr &e) const {
  bool found = false;
  if (e)
    forEach(e, [&](const Expr &each) {
      found |= each.kind == ExprKind::Var && varying_.contains(each.var.get());
    });
  return found;
}

/// The number of an item, and what follows from it.
void PoclBarriers::findVarying(const Stmt &s) {
  if (s.kind == StmtKind::Parallel && s.var && plan_.role(s.level) == Role::Item)
    varying_.insert(s.var.get());
  if (s.kind == StmtKind::Decl && varies(s.value))
    varying_.insert(s.var.get());
  if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && varies(s.value))
    varying_.insert(s.target->var.get());
  for (const StmtPtr &child : s.children) {
    if (child)
      findVarying(*child);
  }
}

bool PoclBarriers::hasVaryingBranchOfLoops(const Stmt &s) const {
  return contains(s, [&](const Stmt &each) {
    return each.kind == StmtKind::If && varies(each.value) &&
           contains(each, [](const Stmt &inner) { return isLoop(inner); });
  });
}

/// Whether items, where they meet, are asked for what those alone have, or have changed, that gave one answer to another
/// question.
bool PoclBarriers::asksTwice(const Stmt &s) const {
  if (isLoop(s) && !hasBarrier(s))
    return false;
  const auto isOfSome = [&](const Expr &e) {
    return e.kind == ExprKind::Var && ofSome_.contains(e.var.get());
  };
  const auto asks = [&](const Expr &e) {
    return (e.op == "&&" || e.op == "||") && varies(e.args[0]) && ir::contains(e.args[1], isOfSome);
  };
  const auto isChanged = [&](const Expr &e) {
    return e.kind == ExprKind::Var && changedBySome_.contains(e.var.get());
  };
  return (s.kind == StmtKind::If &&
          (ir::contains(s.value, asks) || ir::contains(s.value, isChanged))) ||
         std::ranges::any_of(s.children,
                             [&](const StmtPtr &child) { return child && asksTwice(*child); });
}

/// What has a value from branches that not all items take, and from there alone.
void PoclBarriers::findOfSome(const Stmt &body) {
  std::set<const Var *> ofAll;
  const std::function<void(const Stmt &, bool, bool)> walk = [&](const Stmt &s, bool some,
                                                                 bool apart) {
    const Var *given = s.kind == StmtKind::Decl && s.value ? s.var.get()
                       : s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var
                           ? s.target->var.get()
                           : nullptr;
    if (given)
      (some ? ofSome_ : ofAll).insert(given);
    if (given && some && apart && s.kind == StmtKind::Assign)
      changedBySome_.insert(given);
    some |= s.kind == StmtKind::If && varies(s.value);
    apart |= isLoop(s) && varies(s.value);
    for (const StmtPtr &child : s.children) {
      if (child)
        walk(*child, some, apart);
    }
  };
  walk(body, false, false);
  for (const Var *each : ofAll)
    ofSome_.erase(each);
}

bool PoclBarriers::partsTwice(const Stmt &s) const {
  const auto isJump = [](const Stmt &each) {
    return each.kind == StmtKind::Break || each.kind == StmtKind::Continue;
  };
  if (isLoop(s) && hasBarrier(s) && contains(s, isJump))
    return true;
  const auto parts = [&](const Stmt &each) {
    return each.kind == StmtKind::If && varies(each.value);
  };
  const auto partsInside = [&](const Stmt &each) {
    return std::ranges::any_of(
        each.children, [&](const StmtPtr &branch) { return branch && contains(*branch, parts); });
  };
  const auto meetsAndParts = [&](const Stmt &each) {
    return each.kind == StmtKind::If && hasBarrier(each) && partsInside(each);
  };
  return parts(s) ? partsInside(s)
                  : meetsAndParts(s) && std::ranges::any_of(s.children, [&](const StmtPtr &branch) {
                      return branch && contains(*branch, meetsAndParts);
                    });
}

/// Statements that are printed one behind the other.
void PoclBarriers::addPrinted(const Stmt &s, std::vector<const Stmt *> &all) const {
  if (s.kind != StmtKind::Block && (s.kind != StmtKind::Parallel || hasBraces_(s))) {
    if (s.kind != StmtKind::Comment)
      all.push_back(&s);
    return;
  }
  for (const StmtPtr &child : s.children)
    addPrinted(*child, all);
}

/// `loops`: behind the last statement comes the first.
void PoclBarriers::find(const Stmt &s, bool loops) {
  std::vector<const Stmt *> all;
  addPrinted(s, all);
  findReadAgain(all, loops);
  findBranchesOfLoops(all);
  findBranchesWithBarriers(all);
  findLoopsBehindBranches(all);
  for (const Stmt *each : all) {
    if (!hasBarrier(*each))
      continue;
    for (const StmtPtr &child : each->children) {
      if (child)
        find(*child, isLoop(*each));
    }
  }
}

/// What gives a variable its value between a branch without barriers and the next barrier, from memory that the branch
/// reads.
void PoclBarriers::findReadAgain(const std::vector<const Stmt *> &all, bool loops) {
  std::set<const Var *> read;
  std::vector<const Stmt *> again;
  for (const Stmt *each : all) {
    const bool isBranch =
        each->kind == StmtKind::If ||
        (each->kind == StmtKind::Parallel && isLiteral(each->value, 1) && hasBraces_(*each));
    if (hasBarrier(*each)) {
      before_.insert(again.begin(), again.end());
      again.clear();
      read.clear();
    } else if (isBranch) {
      read.merge(arraysReadIn(*each));
    } else if (each->kind == StmtKind::Decl ||
               (each->kind == StmtKind::Assign && each->target->kind == ExprKind::Var)) {
      const std::set<const Var *> arrays = arraysReadIn(*each);
      if (std::any_of(arrays.begin(), arrays.end(),
                      [&](const Var *array) { return read.contains(array); })) {
        again.push_back(each);
        read.clear();
      }
    }
  }
  if (loops)
    before_.insert(again.begin(), again.end());
}

/// Whether the condition of `branches` says the same behind the first of them.
bool PoclBarriers::keepsCondition(const Stmt &branches) {
  bool keeps = true;
  forEach(branches.value, [&](const Expr &e) {
    keeps &= e.kind != ExprKind::Index && e.kind != ExprKind::Atomic &&
             (e.kind != ExprKind::Var || !assigns(branches.children[0], e.var.get()));
  });
  return keeps;
}

/// Branches of which each has a barrier, outside of loops.
void PoclBarriers::findBranchesWithBarriers(const std::vector<const Stmt *> &all) {
  for (const Stmt *each : all) {
    if (each->kind == StmtKind::If && each->children.size() > 1 && each->children[1] &&
        std::ranges::all_of(each->children,
                            [](const StmtPtr &branch) { return hasBarrierOutsideLoops(*branch); }))
      (keepsCondition(*each) ? within_ : atEnd_).insert(each);
  }
}

/// Of what has barriers; the rest between the two is no help. Behind a round that has loops with barriers is a barrier
/// anyway.
void PoclBarriers::findLoopsBehindBranches(const std::vector<const Stmt *> &all) {
  const Stmt *last = nullptr;
  for (const Stmt *each : all) {
    if (!hasBarrier(*each))
      continue;
    if (isLoop(*each) && last && last->kind == StmtKind::If)
      before_.insert(each);
    last = each;
  }
}

void PoclBarriers::findBranchesOfLoops(const std::vector<const Stmt *> &all) {
  bool branched = false;
  for (const Stmt *each : all) {
    if (hasBarrier(*each)) {
      branched = false;
      continue;
    }
    if (!hasVaryingBranchOfLoops(*each))
      continue;
    if (branched)
      before_.insert(each);
    branched = true;
    const auto loops = [](const StmtPtr &branch) {
      return contains(*branch, [](const Stmt &inner) { return isLoop(inner); });
    };
    if (each->kind != StmtKind::If || each->children.size() < 2 || !varies(each->value) ||
        !std::ranges::all_of(each->children, loops))
      continue;
    if (keepsCondition(*each))
      within_.insert(each);
  }
}

} // namespace tangram::codegen
