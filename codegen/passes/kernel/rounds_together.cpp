#include "codegen/passes/kernel/rounds_together.h"

#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/passes/kernel/shared_operands.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr unsigned completely = 64;
constexpr std::int64_t usualRounds = 8; ///< of a loop of which nothing is known

std::set<const Var *> countersOf(const std::vector<TogetherAxis> &axes) {
  std::set<const Var *> counters;
  for (const TogetherAxis &axis : axes)
    counters.insert(axis.counter.get());
  return counters;
}

/// The variable that a statement declares or assigns.
const Var *givenBy(const Stmt &s) {
  if (s.kind == StmtKind::Decl)
    return s.var.get();
  return s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var ? s.target->var.get()
                                                                       : nullptr;
}

} // namespace

Varying::Varying(const StmtPtr &body, std::set<const Var *> counters)
    : variables_(std::move(counters)), changed_(arraysDeclaredIn(body)) {
  forEach(body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
      changed_.insert(s.target->args[0]->var.get());
  });
  for (std::size_t before = 0; before != variables_.size();) {
    before = variables_.size();
    walk(body, false);
  }
}

bool Varying::isUniform(const ExprPtr &e) const {
  return !ir::contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Atomic ||
           (each.var && (variables_.contains(each.var.get()) || changed_.contains(each.var.get())));
  });
}

void Varying::walk(const StmtPtr &s, bool apart) {
  if (!s)
    return;
  const bool gives = s->value && (s->kind == StmtKind::Decl || s->kind == StmtKind::Assign);
  const Var *to = givenBy(*s);
  if (gives && to && (apart || !isUniform(s->value)))
    variables_.insert(to);
  apart |= (s->kind == StmtKind::If || isLoop(*s)) && s->value && !isUniform(s->value);
  for (const StmtPtr &child : s->children)
    walk(child, apart);
}

double loadsOfSums(const StmtPtr &body, const std::vector<RoundsOfLoop> &together,
                   const std::function<double(const ExprPtr &)> &weight) {
  const std::set<const Var *> own = arraysDeclaredIn(body);
  std::vector<Varying> varying;
  double all = 1;
  for (const RoundsOfLoop &each : together) {
    varying.emplace_back(body, std::set<const Var *>{each.counter});
    all *= each.count;
  }
  const auto loaded = [&](const ExprPtr &position) {
    double loads = weight ? weight(position) : 1;
    for (std::size_t k = 0; k < together.size(); ++k)
      loads *= varying[k].isUniform(position) ? 1 : together[k].count;
    return loads / all;
  };
  double loads = 0;
  const std::function<void(const StmtPtr &, double)> walk = [&](const StmtPtr &s, double times) {
    if (!s)
      return;
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (times > 1 && each.kind == ExprKind::Index && !own.contains(each.args[0]->var.get()))
          loads += times * loaded(each.args[1]);
      });
    });
    if (const auto inner = s->kind == StmtKind::For ? countedLoop(*s) : std::nullopt)
      times *= static_cast<double>(
          std::max<std::int64_t>(literalValue(inner->bound).value_or(usualRounds), 2));
    for (const StmtPtr &child : s->children)
      walk(child, times);
  };
  walk(body, 1);
  return loads;
}

RoundsTogether::RoundsTogether(StmtPtr body, std::vector<TogetherAxis> axes)
    : body_(std::move(body)), axes_(std::move(axes)), varying_(body_, countersOf(axes_)),
      all_(intLiteral(1)) {
  for (const TogetherAxis &axis : axes_)
    all_ = algebra::simplify(algebra::mul(all_, axis.count));
  forEach(body_, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl)
      declared_.insert(s.var.get());
  });
  number(body_);
  for (const auto &[variable, pieces] : pieces_) {
    if (!varying_.contains(variable) && !variable->extent && pieces.size() > 1)
      outside_.insert(variable);
  }
  pieces_.clear();
  piece_ = 0;
  number(body_);
  for (const auto &[variable, pieces] : pieces_) {
    if (!outside_.contains(variable) && (variable->extent || pieces.size() > 1))
      expanded_[variable] = expandedOf(*variable);
  }
}

StmtPtr RoundsTogether::run() {
  std::vector<StmtPtr> pieces = of(body_);
  return fits_ ? block(std::move(pieces)) : nullptr;
}

std::optional<std::int64_t> RoundsTogether::bytes(const LoweredPlan &plan,
                                                  std::int64_t most) const {
  std::int64_t sum = 0;
  for (const auto &[variable, expanded] : expanded_) {
    const auto count = valueAtMost(plan, expanded->extent, static_cast<std::uint64_t>(most));
    if (!count)
      return std::nullopt;
    sum += *count * static_cast<std::int64_t>(byteSize(variable->type.scalar));
  }
  return sum <= most ? std::optional(sum) : std::nullopt;
}

bool RoundsTogether::keepsArrays() const {
  return std::ranges::any_of(expanded_,
                             [](const auto &each) { return each.first->extent != nullptr; });
}

VarPtr RoundsTogether::expandedOf(const Var &variable) const {
  auto own = std::make_shared<Var>(variable);
  own->extent = variable.extent ? algebra::simplify(algebra::mul(variable.extent, all_)) : all_;
  return own;
}

/// Whether all rounds go through it together: loops, and branches that all of them take alike.
bool RoundsTogether::isAround(const Stmt &s) const {
  return hasLoop(std::make_shared<Stmt>(s)) ||
         (s.kind == StmtKind::If && varying_.isUniform(s.value));
}

/// Whether it is done once for all rounds.
bool RoundsTogether::isOutside(const Stmt &s) const {
  const Var *to = givenBy(s);
  return to && outside_.contains(to);
}

void RoundsTogether::mention(const ExprPtr &e, int piece) {
  forEach(e, [&](const Expr &each) {
    if (each.var && declared_.contains(each.var.get()))
      pieces_[each.var.get()].insert(piece);
  });
}

/// The variables that each piece mentions.
void RoundsTogether::number(const StmtPtr &s) {
  if (!s)
    return;
  if (s->kind == StmtKind::Block) {
    for (const StmtPtr &child : s->children)
      number(child);
  } else if (isAround(*s)) {
    ++piece_;
    forEachOwnExpr(*s, [&](const ExprPtr &e) { mention(e, between); });
    const bool isFor = s->kind == StmtKind::For;
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      if (isFor && i < 2) {
        forEachExpr(s->children[i], [&](const Expr &e) {
          if (e.var && declared_.contains(e.var.get()))
            pieces_[e.var.get()].insert(between);
        });
      } else {
        number(s->children[i]);
        ++piece_;
      }
    }
  } else {
    const bool outside = isOutside(*s);
    piece_ += outside ? 1 : 0;
    const int piece = outside ? between : piece_;
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        pieces_[each.var.get()].insert(piece);
      forEachOwnExpr(each, [&](const ExprPtr &e) { mention(e, piece); });
    });
    piece_ += outside ? 1 : 0;
  }
}

std::vector<StmtPtr> RoundsTogether::of(const StmtPtr &body) {
  std::vector<StmtPtr> result;
  std::vector<StmtPtr> together;
  const auto flush = [&] {
    if (!together.empty())
      result.push_back(ofAll(std::exchange(together, {}), result));
  };
  for (const StmtPtr &s : withoutBlocks({body})) {
    if (isAround(*s)) {
      flush();
      result.push_back(around(s));
    } else if (isOutside(*s)) {
      flush();
      result.push_back(s);
    } else if (s->kind == StmtKind::Comment && together.empty()) {
      result.push_back(s);
    } else {
      forEach(s, [&](const Stmt &each) { fits_ &= !isOutside(each); });
      together.push_back(s);
    }
  }
  flush();
  return result;
}

/// A loop or branch that all rounds go through together.
StmtPtr RoundsTogether::around(const StmtPtr &s) {
  const auto loop = s->kind == StmtKind::For ? loopToTheEnd(*s) : std::nullopt;
  const bool together = loop ? varying_.isUniform(loop->start) && varying_.isUniform(loop->bound) &&
                                   varying_.isUniform(loop->step) &&
                                   !varying_.contains(loop->i.get())
                             : s->kind == StmtKind::If && varying_.isUniform(s->value);
  if (!together) {
    fits_ = false;
    return s;
  }
  std::vector<StmtPtr> children = s->children;
  for (std::size_t i = loop ? 2 : 0; i < children.size(); ++i) {
    if (children[i])
      children[i] = block(of(children[i]));
  }
  return withChildren(s, std::move(children));
}

/// Loops over the rounds; arrays with an element for each are declared before them.
StmtPtr RoundsTogether::ofAll(const std::vector<StmtPtr> &statements,
                              std::vector<StmtPtr> &before) {
  std::vector<VarPtr> numbers;
  for (const TogetherAxis &axis : axes_)
    numbers.push_back(newVariable(axis.name));
  const SharedOperands shared = sharedIn(statements, numbers.back());
  std::vector<StmtPtr> body;
  for (const StmtPtr &s : shared.filled.empty() ? statements : shared.left) {
    forEach(s, [&](const Stmt &each) {
      const auto own =
          each.kind == StmtKind::Decl ? expanded_.find(each.var.get()) : expanded_.end();
      if (own != expanded_.end())
        before.push_back(declare(own->second, nullptr));
    });
    if (const StmtPtr one = ofOne(s, numbers))
      body.push_back(one);
  }
  if (body.empty())
    return block({});
  if (!shared.filled.empty())
    fill(shared, numbers, before);
  StmtPtr all = withOwnVariables(block(std::move(body)));
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const StmtPtr loop = countingLoop(numbers[k], axes_[k].count, all);
    if (axes_[k].isLane) {
      auto lanes = std::make_shared<Stmt>(*loop);
      lanes->sideBySide = true;
      all = lanes;
    } else {
      all = unrolledLoop(loop, completely);
    }
    if (k > 0)
      all = block({all});
  }
  return shared.taken ? ifThen(binary("!=", varRef(shared.count), intLiteral(0)), block({all}))
                      : all;
}

/// The operands that rows share, where rounds of two loops are taken together, as rows and as lanes.
SharedOperands RoundsTogether::sharedIn(const std::vector<StmtPtr> &statements,
                                        const VarPtr &lane) const {
  if (axes_.size() != 2 || !axes_.back().isLane)
    return {};
  std::set<const Var *> kept;
  for (const auto &[variable, own] : expanded_)
    kept.insert(variable);
  return sharedOperands(statements, body_, axes_.front(), axes_.back(), lane, kept);
}

/// Adds to `before` the loop over lanes that computes what rows share, and counts the lanes that take part. The loop is unrolled where
/// all do, so that compilers keep the values in registers.
void RoundsTogether::fill(const SharedOperands &shared, const std::vector<VarPtr> &numbers,
                          std::vector<StmtPtr> &before) const {
  std::vector<StmtPtr> filled;
  for (const StmtPtr &s : shared.filled)
    filled.push_back(ofOne(s, numbers));
  before.insert(before.end(), shared.declared.begin(), shared.declared.end());
  const auto ofLanes = [&](std::vector<StmtPtr> body) {
    return withOwnVariables(
        countingLoop(numbers.back(), axes_.back().count, block(std::move(body))));
  };
  const StmtPtr loop = ofLanes(std::move(filled));
  if (!shared.taken)
    return before.push_back(unrolledLoop(loop, completely));
  auto lanes = std::make_shared<Stmt>(*loop);
  lanes->sideBySide = true;
  before.push_back(lanes);
  before.push_back(declare(shared.count, intLiteral(0)));
  before.push_back(ofLanes(
      {assign(varRef(shared.count),
              "+=", cast(Scalar::Index, index(varRef(shared.taken), {varRef(numbers.back())})))}));
}

StmtPtr RoundsTogether::ofOne(const StmtPtr &s, const std::vector<VarPtr> &numbers) const {
  const StmtPtr assigned = rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
    if (each->kind != StmtKind::Decl || !expanded_.contains(each->var.get()))
      return each;
    return each->value ? assign(varRef(each->var), "=", each->value, each->location) : nullptr;
  });
  return assigned ? mapExprs(assigned, [&](const ExprPtr &e) { return ofOne(e, numbers); })
                  : nullptr;
}

ExprPtr RoundsTogether::ofOne(const ExprPtr &e, const std::vector<VarPtr> &numbers) const {
  const auto place = [&](const ExprPtr &at) {
    ExprPtr flat = at;
    for (std::size_t k = 0; k < axes_.size(); ++k)
      flat = flat ? algebra::add(algebra::mul(flat, axes_[k].count), varRef(numbers[k]))
                  : varRef(numbers[k]);
    return algebra::simplify(flat);
  };
  if (e->kind == ExprKind::Index) {
    const auto own = expanded_.find(e->args[0]->var.get());
    const ExprPtr at = ofOne(e->args[1], numbers);
    return own == expanded_.end()
               ? withArgs(e, {e->args[0], at})
               : withArgs(e, {varRef(own->second), place(cast(Scalar::Index, at))});
  }
  if (e->kind == ExprKind::Var) {
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      if (e->var == axes_[k].counter)
        return algebra::add(axes_[k].first, varRef(numbers[k]));
    }
    const auto own = expanded_.find(e->var.get());
    return own == expanded_.end() ? e : index(varRef(own->second), {place(nullptr)});
  }
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : e->args)
    args.push_back(ofOne(arg, numbers));
  return withArgs(e, std::move(args));
}

} // namespace tangram::codegen
