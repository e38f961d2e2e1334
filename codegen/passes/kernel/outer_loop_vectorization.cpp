// Outer-loop vectorization: elements of a map become the lanes of a vector where none of an element's own loops is one of
// vectors, since it adds up in a fixed order or fills an array from what it holds.
//
// Where a loop around them reads the same in all of its rounds, several of these are taken together (unroll-and-jam): a
// product has a block of its results in registers, and each element of its second factor is loaded once for all rows.
//
//   before: for (i < m) for (j < n) { s = 0; for (k < l) s += a[i][k] * b[k][j]; c[i][j] = s; }
//   after:  for (i < m / 8) for (j < n / 16) {
//             s[8][16] = 0; for (k < l) for (row < 8) for (lane < 16) s[row][lane] += a[8 i + row][k] * b[k][16 j + lane]; ...
//           } ...
//
// Where rounds may be done twice, the last block overlaps the one before it and ends with the last element, so that elements are
// left over only if there are fewer elements than lanes.
#include "algebra/simplify.h"
#include "codegen/analysis/caches.h"
#include "codegen/analysis/register_bytes.h"
#include "codegen/analysis/round_footprints.h"
#include "codegen/analysis/vector_lanes.h"
#include "codegen/passes/kernel/guarded_rounds.h"
#include "codegen/passes/kernel/long_elements.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/passes/kernel/rounds_together.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr double worthRows = 0.7;   ///< of the loads of single rows that are left
constexpr double ofBroadcast = 0.5; ///< a load of one element for all lanes, in loads of vectors

/// Rounds of a loop around elements that are taken together.
struct Rows {
  std::size_t depth = 0; ///< which of the loops around
  ExprPtr count;
  bool all = false; ///< the loop has so many
};

/// A loop over long elements in loops that have nothing else in them.
struct Nest {
  std::vector<StmtPtr> around; ///< outermost first
  StmtPtr statement;
  CountedLoop elements;
};

StmtPtr bodyOf(const Stmt &loop) {
  return loop.kind == StmtKind::For ? loop.children[2] : loop.children[0];
}

VarPtr counterOf(const Stmt &loop) {
  return loop.kind == StmtKind::For ? loop.children[0]->var : loop.var;
}

/// The loads of a round of the elements' loops, in vectors, for `rows` rounds of a loop with this counter.
double loadsOf(const CountedLoop &elements, const Var *counter, double rows) {
  const Varying byElement(elements.body, {elements.i.get()});
  return loadsOfSums(elements.body, {{counter, rows}},
                     [&](const ExprPtr &position) {
                       return byElement.isUniform(position) ? ofBroadcast : 1;
                     }) *
         rows;
}

class VectorizeOuterLoops {
public:
  explicit VectorizeOuterLoops(const LoweredPlan &plan) : plan_(plan), footprints_(plan) {}

  StmtPtr walk(const StmtPtr &s) {
    if (!s || s->children.empty())
      return s;
    if (const auto nest = nestOf(s)) {
      repeatable_ = isRepeatable(nest->elements);
      if (const StmtPtr done = nest->around.empty() ? single(*nest) : inRows(*nest))
        return done;
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(walk(child));
    return withChildren(s, std::move(children));
  }

  /// `s` with the loops marked whose elements go side by side, and those around whose rounds are taken together.
  StmtPtr mark(const StmtPtr &s) {
    if (!s || s->children.empty())
      return s;
    repeatable_ = false; // only whether there can be lanes is asked here
    if (auto nest = nestOf(s); nest && inLanes(nest->elements, {})) {
      const std::optional<Rows> rows = rowsOf(*nest);
      if (rows && nest->around[rows->depth]->kind == StmtKind::For)
        nest->around[rows->depth] =
            marked(nest->around[rows->depth],
                   static_cast<unsigned>(literalValue(rows->count).value_or(1)));
      if (rows || nest->around.empty())
        return inLoops(*nest, 0, nest->around.size(), marked(mostRoundsOf(*nest)));
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(mark(child));
    return withChildren(s, std::move(children));
  }

private:
  /// The number of lanes that suits most rounds: those without a condition where conditions guard some.
  unsigned lanesOf(const CountedLoop &elements) const {
    const auto guarded = guardedRounds(elements);
    return vectorLanes(plan_, guarded ? widestElementIn(guarded->inside) : widestIn(elements.body));
  }

  /// Whether rounds of `s` may be taken together: a loop whose rounds are apart, or chains, which are.
  bool isAround(const Stmt &s) const {
    if (s.kind == StmtKind::Parallel)
      return s.var && s.span != Span::One && plan_.role(s.level) == Role::Unroll;
    const auto loop = s.kind == StmtKind::For && s.lanes == 0 ? loopToTheEnd(s) : std::nullopt;
    return loop && loop->isPlain();
  }

  /// The loop over long elements that `s` is.
  std::optional<CountedLoop> elementsOf(const StmtPtr &s) {
    const auto loop = loopOfLongElements(plan_, *s);
    return loop && lanesOf(*loop) > 0 && footprints_.areApart(*s) ? loop : std::nullopt;
  }

  std::optional<Nest> nestOf(const StmtPtr &s) {
    Nest nest{{}, s, {}};
    while (nest.statement) {
      if (const auto loop = elementsOf(nest.statement)) {
        nest.elements = *loop;
        return nest;
      }
      if (!isAround(*nest.statement))
        return std::nullopt;
      nest.around.push_back(nest.statement);
      nest.statement = onlyStatementIn(bodyOf(*nest.statement));
    }
    return std::nullopt;
  }

  StmtPtr single(const Nest &nest) const { return inLanes(nest.elements, {}); }

  /// The loop over elements without the conditions that hold in most of its blocks.
  static StmtPtr mostRoundsOf(const Nest &nest) {
    const auto guarded = guardedRounds(nest.elements);
    if (!guarded)
      return nest.statement;
    std::vector<StmtPtr> children = nest.statement->children;
    children[nest.statement->kind == StmtKind::For ? 2 : 0] = guarded->inside;
    return withChildren(nest.statement, std::move(children));
  }

  /// `together`: how many rounds of a loop around elements are taken together.
  static StmtPtr marked(const StmtPtr &loop, unsigned together = 0) {
    auto result = std::make_shared<Stmt>(*loop);
    result->sideBySide = true;
    if (together > 0)
      result->unroll = together;
    return result;
  }

  /// Rounds of the loop around with which most loads are shared, together; null where none is worth it.
  StmtPtr inRows(const Nest &nest) {
    const std::optional<Rows> rows = rowsOf(nest);
    return rows ? inRows(nest, *rows) : nullptr;
  }

  std::optional<Rows> rowsOf(const Nest &nest) {
    const std::int64_t most = nest.around.empty() ? 1 : mostRowsOf(nest.elements);
    std::optional<Rows> best;
    double least = worthRows;
    for (std::size_t depth = 0; most > 1 && depth < nest.around.size(); ++depth) {
      const Stmt &loop = *nest.around[depth];
      const auto rows = static_cast<double>(most);
      const double loads = loadsOf(nest.elements, counterOf(loop).get(), rows) / rows /
                           loadsOf(nest.elements, counterOf(loop).get(), 1);
      if (!(loads <= least) || !areEquallyLong(nest, depth) ||
          (loop.kind == StmtKind::For && !footprints_.areApart(loop)))
        continue;
      least = loads;
      best = loop.kind == StmtKind::For ? Rows{depth, rowsOf(loop, most), false}
                                        : Rows{depth, loop.value, true};
    }
    return best;
  }

  /// How many rounds a loop has together, at most so many.
  static ExprPtr rowsOf(const Stmt &loop, std::int64_t most) {
    return intLiteral(std::min(most, literalValue(loopToTheEnd(loop)->bound).value_or(most)));
  }

  /// Whether the loops inside of this one go equally far in all of its rounds.
  static bool areEquallyLong(const Nest &nest, std::size_t depth) {
    const Varying varying(bodyOf(*nest.around[depth]), {counterOf(*nest.around[depth]).get()});
    bool equal = varying.isUniform(nest.elements.bound);
    for (std::size_t k = depth + 1; k < nest.around.size(); ++k)
      equal &= varying.isUniform(nest.around[k]->value);
    return equal;
  }

  /// The largest number whose values fit three quarters of the registers.
  std::int64_t mostRowsOf(const CountedLoop &elements) const {
    const unsigned lanes = lanesOf(elements);
    const RoundsTogether one(elements.body, {laneAxis(elements, newVariable("block"), lanes)});
    const auto registers = static_cast<std::int64_t>(registerBytes(plan_)) * 3 / 4;
    const auto bytes = one.bytes(plan_, registers);
    if (!bytes || *bytes == 0 || one.keepsArrays())
      return 1;
    return std::min(mostRowsTogether, registers / *bytes);
  }

  static TogetherAxis laneAxis(const CountedLoop &elements, const VarPtr &block, unsigned lanes) {
    return {elements.i, algebra::mul(varRef(block), intLiteral(lanes)), intLiteral(lanes), "lane",
            true};
  }

  StmtPtr inRows(const Nest &nest, const Rows &rows) const {
    const Stmt &loop = *nest.around[rows.depth];
    const VarPtr number = newVariable("row_block");
    const ExprPtr first = rows.all ? intLiteral(0) : algebra::mul(varRef(number), rows.count);
    const StmtPtr elements =
        inLanes(nest.elements, {{counterOf(loop), first, rows.count, "row", false}});
    if (!elements)
      return nullptr;
    const StmtPtr together = inLoops(nest, rows.depth + 1, nest.around.size(), elements);
    StmtPtr done = rows.all ? together : inBlocks(nest, rows, number, together);
    return done ? inLoops(nest, 0, rows.depth, done) : nullptr;
  }

  /// The loop over blocks of rows, and over those that are left.
  StmtPtr inBlocks(const Nest &nest, const Rows &rows, const VarPtr &number,
                   const StmtPtr &together) const {
    const CountedLoop loop = *loopToTheEnd(*nest.around[rows.depth]);
    const StmtPtr one = inLanes(nest.elements, {});
    if (!one)
      return nullptr;
    const auto known = literalValue(loop.bound);
    const std::int64_t count = literalValue(rows.count).value_or(1);
    if (known && *known % count == 0)
      return countingLoop(number, intLiteral(*known / count), block({together}));
    const VarPtr blocks = newVariable("row_blocks");
    const VarPtr left = newVariable(loop.i->name);
    const StmtPtr rest =
        withOwnVariables(substitute(block({inLoops(nest, rows.depth + 1, nest.around.size(), one)}),
                                    {{loop.i.get(), varRef(left)}}));
    return block({declare(blocks, binary("/", loop.bound, rows.count)),
                  countingLoop(number, varRef(blocks), block({together})),
                  countingLoop(left, loop.bound, rest, algebra::mul(varRef(blocks), rows.count))});
  }

  /// `s` in loops from ... below `end` of those around.
  static StmtPtr inLoops(const Nest &nest, std::size_t from, std::size_t end, StmtPtr s) {
    for (std::size_t k = end; k-- > from;) {
      std::vector<StmtPtr> children = nest.around[k]->children;
      children[nest.around[k]->kind == StmtKind::For ? 2 : 0] = block({s});
      s = withChildren(nest.around[k], std::move(children));
    }
    return s;
  }

  /// The loop over so many elements at a time, and what is left; null where that cannot be, or would not fit a cache.
  StmtPtr inLanes(const CountedLoop &loop, const std::vector<TogetherAxis> &rows) const {
    const unsigned lanes = lanesOf(loop);
    Blocks blocks{newVariable("block"), lanes, literalValue(loop.bound)};
    const bool isWhole = blocks.known && *blocks.known % lanes == 0;
    blocks.overlaps = !isWhole && repeatable_;
    std::vector<TogetherAxis> axes = rows;
    axes.push_back(laneAxis(loop, blocks.number, lanes));
    if (blocks.overlaps) {
      blocks.first = newVariable("first");
      axes.back().first = varRef(blocks.first);
    }
    RoundsTogether together(loop.body, axes);
    blocks.body = blocks.from(together.run(), loop);
    if (!blocks.body || !together.bytes(plan_, cachesOf(plan_).first / 2) ||
        (blocks.known && *blocks.known < lanes))
      return nullptr;
    std::vector<StmtPtr> all;
    if (blocks.known) {
      blocks.count = intLiteral((*blocks.known + (blocks.overlaps ? lanes - 1 : 0)) / lanes);
    } else {
      const VarPtr name = newVariable(blocks.overlaps ? "blocks" : "whole_blocks");
      all.push_back(declare(name, blocks.countOf(loop.bound)));
      blocks.count = varRef(name);
    }
    const auto guarded = guardedRounds(loop);
    if (guarded)
      blocks.inside = blocks.from(RoundsTogether(guarded->inside, axes).run(), loop);
    if (blocks.inside)
      addInside(*guarded, loop, blocks, all);
    else
      all.push_back(countingLoop(blocks.number, blocks.count, blocks.body));
    if (isWhole || (blocks.overlaps && blocks.known))
      return block(std::move(all));
    const VarPtr left = newVariable(loop.i->name);
    const StmtPtr rest = rows.empty() ? loop.body : RoundsTogether(loop.body, rows).run();
    if (!rest)
      return nullptr;
    all.push_back(withOwnVariables(countingLoop(left, loop.bound,
                                                substitute(rest, {{loop.i.get(), varRef(left)}}),
                                                blocks.end(loop.bound))));
    return block(std::move(all));
  }

  /// Blocks of elements, with all conditions and without those that hold inside.
  struct Blocks {
    VarPtr number;
    unsigned lanes;
    std::optional<std::int64_t> known; ///< the number of elements
    bool overlaps =
        false; ///< the last block begins in the one before it and ends with the last element
    VarPtr first = nullptr; ///< its first element, where blocks overlap
    ExprPtr count = nullptr;
    StmtPtr body = nullptr, inside = nullptr;

    ExprPtr size() const { return intLiteral(lanes); }

    /// `s` after a declaration of the first element of its block, where blocks overlap.
    StmtPtr from(const StmtPtr &s, const CountedLoop &loop) const {
      return s && overlaps ? block({declare(first, firstOf(varRef(number), loop.bound)), s}) : s;
    }

    /// The number of blocks.
    ExprPtr countOf(const ExprPtr &elements) const {
      if (!overlaps)
        return binary("/", elements, size());
      return select(binary("<", elements, size()), intLiteral(0),
                    binary("/", algebra::add(elements, intLiteral(lanes - 1)), size()));
    }

    /// The first element of block `at`.
    ExprPtr firstOf(const ExprPtr &at, const ExprPtr &elements) const {
      const ExprPtr begin = algebra::mul(at, size());
      return overlaps ? algebra::minOf(begin, algebra::sub(elements, size())) : begin;
    }

    /// The element that follows the last one of block `at - 1`.
    ExprPtr behind(const ExprPtr &at, const ExprPtr &elements) const {
      const ExprPtr end = algebra::mul(at, size());
      return overlaps ? algebra::minOf(end, elements) : end;
    }

    /// The first element that is in no block.
    ExprPtr end(const ExprPtr &elements) const {
      return overlaps ? select(binary("<", elements, size()), intLiteral(0), elements)
                      : algebra::mul(count, size());
    }
  };

  /// Whether rounds of the loop may be done twice: they read no array that they write, and no two of their containers may be one in
  /// a call.
  static bool isRepeatable(const CountedLoop &loop) {
    const std::set<const Var *> own = arraysDeclaredIn(loop.body);
    std::set<VarPtr> read, written;
    bool repeatable = !hasAtomic(loop.body);
    const auto note = [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.kind == ExprKind::Index && !own.contains(each.args[0]->var.get()))
          read.insert(each.args[0]->var);
      });
    };
    forEach(loop.body, [&](const Stmt &s) {
      const bool stores = s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
                          !own.contains(s.target->args[0]->var.get());
      if (!stores)
        return forEachOwnExpr(s, note);
      repeatable &= s.op == "=";
      written.insert(s.target->args[0]->var);
      note(s.target->args[1]);
      note(s.value);
    });
    return repeatable && std::ranges::none_of(written, [&](const VarPtr &to) {
             return std::ranges::any_of(read, [&](const VarPtr &from) {
               return from == to || (from->kind == VarKind::Buffer && mayBeOne(loop, from, to));
             });
           });
  }

  /// Whether a caller may pass one array as both: every element that a round reads of `other` is at a position that the same round
  /// writes. Positions are compared in the first rounds of the loops inside.
  static bool mayBeOne(const CountedLoop &loop, const VarPtr &other, const VarPtr &written) {
    Substitution first;
    forEach(loop.body, [&](const Stmt &s) {
      if (const auto inner = s.kind == StmtKind::For ? steppedLoop(s) : std::nullopt)
        first[inner->i.get()] = intLiteral(0, inner->i->type.scalar);
    });
    std::vector<ExprPtr> read, stored;
    forEach(loop.body, [&](const Stmt &s) {
      const auto note = [&](const ExprPtr &e) {
        forEach(e, [&](const Expr &each) {
          if (each.kind == ExprKind::Index && each.args[0]->var == other)
            read.push_back(algebra::simplify(substitute(each.args[1], first)));
        });
      };
      forEachOwnExpr(s, note);
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
          s.target->args[0]->var == written)
        stored.push_back(algebra::simplify(substitute(s.target->args[1], first)));
    });
    return other->type.scalar == written->type.scalar &&
           std::ranges::all_of(read, [&](const ExprPtr &from) {
             return std::ranges::any_of(stored,
                                        [&](const ExprPtr &to) { return sameExpr(from, to); });
           });
  }

  /// The blocks in which all conditions hold apart from those before and behind them. Where they begin and end is tried
  /// out: few do not belong to them.
  static void addInside(const GuardedRounds &guarded, const CountedLoop &loop, const Blocks &blocks,
                        std::vector<StmtPtr> &all) {
    const auto holds = [&](const std::vector<ExprPtr> &conditions, const ExprPtr &element) {
      ExprPtr every;
      for (const ExprPtr &each : conditions) {
        const ExprPtr there = substitute(each, {{loop.i.get(), element}});
        every = every ? binary("&&", every, there) : there;
      }
      return every;
    };
    const ExprPtr one = intLiteral(1);
    const VarPtr from = newVariable("inside"), end = newVariable("outside");
    all.push_back(declare(from, select(guarded.fits, intLiteral(0, Scalar::Index), blocks.count)));
    if (!guarded.from.empty()) {
      const ExprPtr first = blocks.firstOf(varRef(from), loop.bound);
      all.push_back(whileLoop(binary("&&", binary("<", varRef(from), blocks.count),
                                     unary("!", holds(guarded.from, first))),
                              block({assign(varRef(from), "+=", one)})));
    }
    all.push_back(declare(end, blocks.count));
    if (!guarded.upTo.empty()) {
      const ExprPtr last = algebra::sub(blocks.behind(varRef(end), loop.bound), one);
      all.push_back(whileLoop(binary("&&", binary("<", varRef(from), varRef(end)),
                                     unary("!", holds(guarded.upTo, last))),
                              block({assign(varRef(end), "-=", one)})));
    }
    const auto rounds = [&](const ExprPtr &begin, const ExprPtr &behind, const StmtPtr &body) {
      const VarPtr number = newVariable(blocks.number->name);
      all.push_back(withOwnVariables(
          countingLoop(number, behind,
                       substitute(block({body}), {{blocks.number.get(), varRef(number)}}), begin)));
    };
    rounds(intLiteral(0), varRef(from), blocks.body);
    rounds(varRef(from), varRef(end), blocks.inside);
    rounds(varRef(end), blocks.count, blocks.body);
  }

  const LoweredPlan &plan_;
  RoundFootprints footprints_;
  bool repeatable_ = false; ///< whether rounds of the present loop over elements may be done twice
};

} // namespace

LoweredPlan markVectorizedOuterLoops(LoweredPlan plan) {
  plan.body = VectorizeOuterLoops(plan).mark(plan.body);
  return plan;
}

LoweredPlan vectorizeOuterLoops(LoweredPlan plan) {
  plan.body = VectorizeOuterLoops(plan).walk(plan.body);
  return plan;
}

} // namespace tangram::codegen
