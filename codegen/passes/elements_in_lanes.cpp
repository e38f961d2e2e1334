// Elements of a map that take long, each one after the other: sums in a fixed order, arrays of the element's own that
// are filled by what they hold. None of their loops is one of vectors. Elements side by side are, each in a lane.
#include "algebra/simplify.h"
#include "codegen/kernel/plan_facts.h"
#include "codegen/kernel/round_footprints.h"
#include "codegen/passes/long_elements.h"
#include "codegen/passes/passes.h"
#include "codegen/passes/vector_lanes.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What differs between the rounds of a loop.
class Varying {
public:
  explicit Varying(const CountedLoop &loop) : changed_(arraysDeclaredIn(loop.body)) {
    variables_.insert(loop.i.get());
    forEach(loop.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        changed_.insert(s.target->args[0]->var.get());
    });
    for (std::size_t before = 0; before != variables_.size();) {
      before = variables_.size();
      walk(loop.body, false);
    }
  }

  bool contains(const Var *variable) const { return variables_.contains(variable); }

  bool isUniform(const ExprPtr &e) const {
    return !ir::contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Atomic || (each.var && (variables_.contains(each.var.get()) ||
                                                            changed_.contains(each.var.get())));
    });
  }

private:
  void walk(const StmtPtr &s, bool apart) {
    if (!s)
      return;
    const bool gives = s->value && (s->kind == StmtKind::Decl || s->kind == StmtKind::Assign);
    const Var *to = s->kind == StmtKind::Decl ? s->var.get()
                    : s->kind == StmtKind::Assign && s->target->kind == ExprKind::Var
                        ? s->target->var.get()
                        : nullptr;
    if (gives && to && (apart || !isUniform(s->value)))
      variables_.insert(to);
    apart |= (s->kind == StmtKind::If || isLoop(*s)) && s->value && !isUniform(s->value);
    for (const StmtPtr &child : s->children)
      walk(child, apart);
  }

  std::set<const Var *> variables_;
  std::set<const Var *> changed_; ///< arrays
};

/// A round cut where loops begin and end: the pieces in between are done by all lanes, one piece after the other.
class Cut {
public:
  Cut(const CountedLoop &loop, const Varying &varying, VarPtr block, unsigned lanes)
      : loop_(loop), varying_(varying), block_(std::move(block)), lanes_(lanes) {
    forEach(loop.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        declared_.insert(s.var.get());
    });
    number(loop.body);
    for (const auto &[variable, pieces] : pieces_) {
      if (!varying_.contains(variable) && !variable->extent && pieces.size() > 1)
        outside_.insert(variable);
    }
    pieces_.clear();
    piece_ = 0;
    number(loop.body);
    for (const auto &[variable, pieces] : pieces_) {
      if (!outside_.contains(variable) && (variable->extent || pieces.size() > 1))
        expanded_[variable] = expandedOf(*variable);
    }
  }

  /// Null: it cannot be cut.
  StmtPtr run() {
    std::vector<StmtPtr> pieces = of(loop_.body);
    return fits_ ? block(std::move(pieces)) : nullptr;
  }

  /// Of arrays that a lane each has a part of.
  std::optional<std::int64_t> bytes(const LoweredPlan &plan, std::int64_t most) const {
    std::int64_t sum = 0;
    for (const auto &[variable, expanded] : expanded_) {
      const auto count = valueAtMost(plan, expanded->extent, static_cast<std::uint64_t>(most));
      if (!count)
        return std::nullopt;
      sum += *count * static_cast<std::int64_t>(byteSize(variable->type.scalar));
    }
    return sum;
  }

private:
  VarPtr expandedOf(const Var &variable) const {
    auto own = std::make_shared<Var>(variable);
    const ExprPtr count = intLiteral(lanes_);
    own->extent = variable.extent ? algebra::simplify(algebra::mul(variable.extent, count)) : count;
    return own;
  }

  /// Whether it is done once for all lanes.
  bool isOutside(const Stmt &s) const {
    const Var *to = s.kind == StmtKind::Decl ? s.var.get()
                    : s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var
                        ? s.target->var.get()
                        : nullptr;
    return to && outside_.contains(to);
  }

  void mention(const ExprPtr &e, int piece) {
    forEach(e, [&](const Expr &each) {
      if (each.var && declared_.contains(each.var.get()))
        pieces_[each.var.get()].insert(piece);
    });
  }

  static constexpr int between = -1; ///< in the head of a loop or branch

  /// Which variables are mentioned in which pieces.
  void number(const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Block) {
      for (const StmtPtr &child : s->children)
        number(child);
    } else if (hasLoop(s)) {
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

  std::vector<StmtPtr> of(const StmtPtr &body) {
    std::vector<StmtPtr> result;
    std::vector<StmtPtr> together;
    const auto flush = [&] {
      if (!together.empty())
        result.push_back(inLanes(std::exchange(together, {}), result));
    };
    for (const StmtPtr &s : withoutBlocks({body})) {
      if (hasLoop(s)) {
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

  /// A loop or branch that all lanes go through together.
  StmtPtr around(const StmtPtr &s) {
    const auto loop = s->kind == StmtKind::For ? loopToTheEnd(*s) : std::nullopt;
    const bool together =
        loop ? varying_.isUniform(loop->start) && varying_.isUniform(loop->bound) &&
                   varying_.isUniform(loop->step) && !varying_.contains(loop->i.get())
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

  /// A loop over the lanes; arrays with an element for each are declared before it.
  StmtPtr inLanes(const std::vector<StmtPtr> &statements, std::vector<StmtPtr> &before) {
    const VarPtr lane = newVariable("lane");
    std::vector<StmtPtr> body;
    for (const StmtPtr &s : statements) {
      forEach(s, [&](const Stmt &each) {
        const auto own =
            each.kind == StmtKind::Decl ? expanded_.find(each.var.get()) : expanded_.end();
        if (own != expanded_.end())
          before.push_back(declare(own->second, nullptr));
      });
      if (const StmtPtr one = ofLane(s, lane))
        body.push_back(one);
    }
    if (body.empty())
      return block({});
    auto loop = std::make_shared<Stmt>(
        *countingLoop(lane, intLiteral(lanes_), withOwnVariables(block(std::move(body)))));
    loop->sideBySide = true;
    return loop;
  }

  StmtPtr ofLane(const StmtPtr &s, const VarPtr &lane) const {
    const StmtPtr assigned = rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
      if (each->kind != StmtKind::Decl || !expanded_.contains(each->var.get()))
        return each;
      return each->value ? assign(varRef(each->var), "=", each->value, each->location) : nullptr;
    });
    return assigned ? mapExprs(assigned, [&](const ExprPtr &e) { return ofLane(e, lane); })
                    : nullptr;
  }

  ExprPtr ofLane(const ExprPtr &e, const VarPtr &lane) const {
    if (e->kind == ExprKind::Index) {
      const auto own = expanded_.find(e->args[0]->var.get());
      const ExprPtr at = ofLane(e->args[1], lane);
      if (own == expanded_.end())
        return withArgs(e, {e->args[0], at});
      const ExprPtr row = algebra::mul(cast(Scalar::Index, at), intLiteral(lanes_));
      return withArgs(e, {varRef(own->second), algebra::simplify(algebra::add(row, varRef(lane)))});
    }
    if (e->kind == ExprKind::Var) {
      if (e->var == loop_.i)
        return algebra::add(algebra::mul(varRef(block_), intLiteral(lanes_)), varRef(lane));
      const auto own = expanded_.find(e->var.get());
      return own == expanded_.end() ? e : index(varRef(own->second), {varRef(lane)});
    }
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(ofLane(arg, lane));
    return withArgs(e, std::move(args));
  }

  const CountedLoop &loop_;
  const Varying &varying_;
  VarPtr block_;
  unsigned lanes_;
  bool fits_ = true;
  int piece_ = 0;
  std::set<const Var *> declared_;              ///< in a round
  std::map<const Var *, std::set<int>> pieces_; ///< that mention them
  std::set<const Var *> outside_;               ///< the same for all lanes
  std::map<const Var *, VarPtr> expanded_;      ///< arrays with an element for each lane
};

constexpr std::int64_t mostBytes = 16384; ///< of lanes' own arrays: half of a first cache

/// The loop over so many elements at a time, and what is left; null where that cannot be, or would not fit a cache.
StmtPtr inLanes(const LoweredPlan &plan, const CountedLoop &loop, unsigned lanes) {
  const VarPtr number = newVariable("block");
  const Varying varying(loop);
  Cut cut(loop, varying, number, lanes);
  const StmtPtr body = cut.run();
  const auto bytes = cut.bytes(plan, mostBytes);
  if (!body || !bytes || *bytes > mostBytes)
    return nullptr;
  const auto known = literalValue(loop.bound);
  if (known && *known < lanes)
    return nullptr;
  const ExprPtr count = intLiteral(lanes);
  ExprPtr whole = known ? intLiteral(*known / lanes) : nullptr;
  std::vector<StmtPtr> all;
  if (!whole) {
    const VarPtr blocks = newVariable("whole_blocks");
    all.push_back(declare(blocks, binary("/", loop.bound, count)));
    whole = varRef(blocks);
  }
  all.push_back(countingLoop(number, whole, body));
  if (known && *known % lanes == 0)
    return block(std::move(all));
  const VarPtr left = newVariable(loop.i->name);
  const StmtPtr rest = substitute(loop.body, {{loop.i.get(), varRef(left)}});
  all.push_back(withOwnVariables(countingLoop(left, loop.bound, rest, algebra::mul(whole, count))));
  return block(std::move(all));
}

} // namespace

LoweredPlan elementsInLanes(LoweredPlan plan) {
  RoundFootprints footprints(plan);
  const std::function<StmtPtr(const StmtPtr &)> walk = [&](const StmtPtr &s) -> StmtPtr {
    if (!s || s->children.empty())
      return s;
    if (const auto loop = loopOfLongElements(plan, *s)) {
      const unsigned lanes = vectorLanes(plan, widestIn(loop->body));
      if (lanes > 0 && footprints.areApart(*s)) {
        if (const StmtPtr done = inLanes(plan, *loop, lanes))
          return done;
      }
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(walk(child));
    return withChildren(s, std::move(children));
  };
  plan.body = walk(plan.body);
  return plan;
}

} // namespace tangram::codegen
