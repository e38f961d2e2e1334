// Vectorized access of copies: groups copy tiles with halos (stage_windows_with_halos.cpp) by whole vectors of
// global memory:
//
//   before:  copy tile[row][column] = padded[i...][j...], T x (U + 2)
//            items { ... tile[row][column] ... }                                  (padded: one more on each side)
//   after:   copy tile[row][column + 3] = padded[i...][j...], T x (U + 2),
//              or by 4 below U + 8 where n % 4 == 0 && 4 <= j && j + U + 8 <= n + 4 && ...:
//              tile[row][column] = in[i + row - 1][j + column - 4]
//            items { ... tile[row][column + 3] ... }
//
// A row of the copy begins where a vector does: its beginning is rounded down, by a number that is the same for all
// tiles, and its length up. All items of a group ask the same: whether rows of memory are whole vectors, and whether all
// that is read is there. Other tiles are copied element by element. Only where tiles begin at a multiple of a vector's
// elements whatever tunables are, and rows of the copy need no other pitch because of banks: neighbours read neighbours
// there and write neighbouring vectors, so that no two of them use one bank.
// Source: overlapped tiles, ../shared/notes/stencils-and-views.md 1.4.
#include "algebra/simplify.h"
#include "codegen/analysis/copies.h"
#include "codegen/analysis/multiples.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/form/index_function.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// What is a multiple of a vector's elements, and a number.
struct Aligned {
  ExprPtr multiple = intLiteral(0);
  std::int64_t number = 0;
};

std::int64_t roundedUp(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

/// A dimension of the array that is copied from: which of its elements a tile has.
struct Along {
  ExprPtr first;              ///< subscript of the padded array
  std::optional<size_t> of;   ///< the dimension of the tile, if it goes along this one
  const Edge *edge = nullptr; ///< null: subscripts are the array's own
  std::int64_t before = 0;    ///< elements of the padding
};

/// A copy of a tile and what is different where it is by vectors.
struct WideCopy {
  VarPtr from; ///< without padding
  std::vector<Along> dims;
  std::int64_t lanes = 1;
  std::int64_t shift = 0;  ///< elements between the beginning of a row of the copy and the tile's
  ExprPtr width = nullptr; ///< of a row of the copy
};

class VectorizeCopies {
public:
  explicit VectorizeCopies(LoweredPlan &plan) : plan_(plan), shared_(plan), multiples_(plan) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Allocate && plan_.role(s.array->owner) == Role::Group)
        tiles_.emplace(s.var.get(), s.array);
    });
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind != StmtKind::Copy)
        return;
      if (auto wide = wideCopyOf(s))
        copies_.emplace(arrayChangedBy(s), *std::move(wide));
    });
    if (leastBytes() > bytesOfLocalMemory(plan))
      copies_.clear();
  }

  void run() {
    if (copies_.empty())
      return;
    plan_.body = rewrite(shifted(plan_.body), [&](const StmtPtr &s) { return widened(s); });
  }

private:
  /// Of the tiles of a plan, by vectors, where tunables have their least values.
  std::uint64_t leastBytes() const {
    std::uint64_t all = 0;
    for (const auto &[tile, array] : tiles_) {
      std::uint64_t bytes = byteSize(tile->type.scalar);
      const auto copy = copies_.find(tile);
      for (const ExprPtr &bound : array->bounds) {
        const bool row = copy != copies_.end() && &bound == &array->bounds.back();
        bytes *= static_cast<std::uint64_t>(
            leastValue(plan_, row ? copy->second.width : bound).value_or(1));
      }
      all += bytes;
    }
    return all;
  }

  /// The sum of what is a multiple of `n` whatever sizes and tunables are, and numbers; nothing where there is more to it.
  std::optional<Aligned> alignedTo(std::int64_t n, const ExprPtr &e) const {
    Aligned found;
    for (const ExprPtr &term : summandsOf(e)) {
      const auto sizes = multiples_.sizesFor(*term, n);
      if (const auto number = literalValue(term))
        found.number += *number;
      else if (sizes && sizes->empty())
        found.multiple = add(found.multiple, term);
      else
        return std::nullopt;
    }
    return found;
  }

  /// How to copy a tile of a padded array by vectors, if that can be.
  std::optional<WideCopy> wideCopyOf(const Stmt &s) const {
    const Window &w = *s.window;
    const auto padded = plan_.padded.find(w.array);
    const auto lanes = lanesOf(w.array->type.scalar);
    if (padded == plan_.padded.end() || lanes < 2 || !shared_.contains(padded->second.array) ||
        itemsOfGroup(plan_, s.level).size() != 1 || !hasAllElements(plan_, w) || !isDense(s))
      return std::nullopt;
    WideCopy copy{padded->second.array, {}, lanes};
    for (std::size_t d = 0; d < w.origin.size(); ++d) {
      const auto along = alongOf(d, w, padded->second);
      if (!along)
        return std::nullopt;
      copy.dims.push_back(*along);
    }
    return isAligned(copy, w) ? std::optional(copy) : std::nullopt;
  }

  /// That an item reads and writes at a time.
  std::int64_t lanesOf(Scalar type) const {
    if (type == Scalar::Bool || type == Scalar::Index)
      return 1;
    return std::min<std::int64_t>(vectorBytes, plan_.machine->code.accessBytes) /
           static_cast<std::int64_t>(byteSize(type));
  }

  /// Whether rows of the tile have no padding of their own.
  bool isDense(const Stmt &s) const {
    return std::ranges::equal(
        s.window->dims, tiles_.at(arrayChangedBy(s))->extents,
        [](const WindowDimension &d, const ExprPtr &extent) { return sameExpr(d.bound, extent); });
  }

  /// Dimension `d` of the array, where one of the tile's goes along it at most.
  static std::optional<Along> alongOf(std::size_t d, const Window &w, const PaddedArray &padded) {
    Along along{w.origin[d], std::nullopt};
    for (std::size_t k = 0; k < w.dims.size(); ++k) {
      if (w.dims[k].of != d)
        continue;
      if (along.of || !isLiteral(w.dims[k].step, 1))
        return std::nullopt;
      along.of = k;
    }
    for (const Edge &edge : padded.edges) {
      if (edge.of != d)
        continue;
      const auto before = literalValue(edge.before);
      if (along.edge || !before || !isLiteral(edge.origin, 0) || !isLiteral(edge.step, 1))
        return std::nullopt;
      along.edge = &edge;
      along.before = *before;
    }
    return along;
  }

  /// Whether rows of the tile are rows of memory, and begin as far behind a multiple of a vector's elements in all of
  /// them; finds how far.
  bool isAligned(WideCopy &copy, const Window &w) const {
    const Along &row = copy.dims.back();
    if (!row.edge || row.of != w.dims.size() - 1 || !isContiguous(copy))
      return false;
    const auto first = alignedTo(copy.lanes, row.first);
    if (!first)
      return false;
    copy.shift = ((first->number - row.before) % copy.lanes + copy.lanes) % copy.lanes;
    const ExprPtr &extent = w.dims.back().bound;
    const ExprPtr unit = intLiteral(copy.lanes);
    if (const auto length = alignedTo(copy.lanes, extent))
      copy.width =
          add(length->multiple, intLiteral(roundedUp(length->number + copy.shift, copy.lanes)));
    else
      copy.width =
          mul(binary("/", add(extent, intLiteral(copy.shift + copy.lanes - 1)), unit), unit);
    return true;
  }

  bool isContiguous(const WideCopy &copy) const {
    const auto strides = plan_.strides.find(copy.from);
    return strides == plan_.strides.end() ||
           (strides->second.size() == copy.dims.size() && isLiteral(strides->second.back(), 1));
  }

  /// What has to hold so that a group copies vectors: these are whole ones of rows, and there.
  ExprPtr condition(const WideCopy &copy, const Window &w) const {
    ExprPtr all;
    const auto ask = [&](const ExprPtr &each) { all = all ? binary("&&", all, each) : each; };
    for (const ExprPtr &stride : stridesOf(copy))
      ask(binary("==", binary("%", stride, intLiteral(copy.lanes)), intLiteral(0)));
    for (const Along &each : copy.dims) {
      if (!each.edge)
        continue;
      const bool row = &each == &copy.dims.back();
      const ExprPtr before = intLiteral(each.before + (row ? copy.shift : 0));
      const ExprPtr count = row ? copy.width : each.of ? w.dims[*each.of].bound : intLiteral(1);
      ask(binary("<=", before, each.first));
      ask(binary("<=", simplify(add(each.first, count)), simplify(add(each.edge->extent, before))));
    }
    return all;
  }

  /// From an element to its neighbour along all dimensions but the last.
  std::vector<ExprPtr> stridesOf(const WideCopy &copy) const {
    const auto known = plan_.strides.find(copy.from);
    if (known != plan_.strides.end())
      return {known->second.begin(), known->second.end() - 1};
    std::vector<ExprPtr> strides;
    forEach(plan_.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Allocate && s.var == copy.from)
        strides = rowMajor(s.array->extents);
    });
    if (!strides.empty())
      strides.pop_back();
    return strides;
  }

  /// Elements of tiles, where they are in the wider ones.
  StmtPtr shifted(const StmtPtr &s) const {
    return mapExprs(s, [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        const auto copy = copies_.find(arrayOf(*e));
        if (copy == copies_.end() || copy->second.shift == 0)
          return e;
        std::vector<ExprPtr> subscripts(e->args.begin() + 1, e->args.end());
        subscripts.back() = add(subscripts.back(), intLiteral(copy->second.shift));
        return index(e->args[0], std::move(subscripts), e->location);
      });
    });
  }

  StmtPtr widened(const StmtPtr &s) const {
    const bool isTile = s->kind == StmtKind::Allocate;
    if (!isTile && s->kind != StmtKind::Copy)
      return s;
    const auto found = copies_.find(isTile ? s->var.get() : arrayChangedBy(*s));
    if (found == copies_.end())
      return s;
    const WideCopy &copy = found->second;
    if (!isTile)
      return vectorized(s, vectorsOf(*s, copy));
    plan_.ofVectors.insert(s->var);
    Array wide = *s->array;
    wide.extents.back() = wide.bounds.back() = copy.width;
    return allocate(s->var, wide, s->location);
  }

  Copy::Vectors vectorsOf(const Stmt &s, const WideCopy &copy) const {
    const std::vector<ExprPtr> position = positionIn(*s.copy);
    std::vector<ExprPtr> from;
    for (const Along &each : copy.dims) {
      const bool row = &each == &copy.dims.back();
      from.push_back(sub(each.of ? add(each.first, position[*each.of]) : each.first,
                         intLiteral(each.before + (row ? copy.shift : 0))));
    }
    return {copy.lanes, condition(copy, *s.window), copy.width, index(s.target->args[0], position),
            index(varRef(copy.from), from)};
  }

  LoweredPlan &plan_;
  SharedArrays shared_;
  Multiples multiples_;
  std::map<const Var *, std::shared_ptr<const Array>> tiles_;
  std::map<const Var *, WideCopy> copies_; ///< by tile
};

} // namespace

LoweredPlan vectorizeCopies(LoweredPlan plan) {
  if (!plan.padded.empty() && plan.machine->code.accessBytes > 0)
    VectorizeCopies(plan).run();
  return plan;
}

} // namespace tangram::codegen
