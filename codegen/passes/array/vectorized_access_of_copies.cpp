// Vectorized access of copies: groups copy tiles with halos (stage_windows_with_halos.cpp) by whole vectors of
// global memory:
//
//   before:  items, in turns: element < T * (U + 2) { tile[row][column] = padded[i + row][j + column]; }
//            items { ... tile[row][column] ... }                                  (padded: one more on each side)
//   after:   if (n % 4 == 0 && 4 <= j && j + U + 8 <= n + 4 && ...)
//              items, in turns: element < T * (U + 8) / 4 {
//                tile[row][4 * column ...] = in[i + row - 1][j + 4 * column - 4 ...];        // one load, one store
//              }
//            else
//              items, in turns: element < T * (U + 2) { tile[row][column + 3] = padded[i + row][j + column]; }
//            items { ... tile[row][column + 3] ... }
//
// A row of the copy begins where a vector does: its beginning is rounded down, by a number that is the same for all
// tiles, and its length up. All items of a group ask the same: whether rows of memory are whole vectors, and whether all
// that is read is there. Others are copied as before. Only where tiles begin at a multiple of a vector's elements whatever
// tunables are, and rows of the copy need no other pitch because of banks: neighbours read neighbours there and write
// neighbouring vectors, so that nobody waits.
// Source: overlapped tiles, ../shared/notes/stencils-and-views.md 1.4.
#include "algebra/simplify.h"
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
  VarPtr tile;
  VarPtr from; ///< without padding
  std::vector<Along> dims;
  std::vector<ExprPtr> extents; ///< of the tile
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
    std::map<const Var *, unsigned> written;
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && arrayOf(*s.target))
        ++written[arrayOf(*s.target)];
      if (auto copy = copyOf(s))
        copies_.emplace(copy->tile.get(), *std::move(copy));
    });
    std::erase_if(copies_, [&](const auto &copy) { return written.at(copy.first) > 1; });
    if (leastBytes() > bytesOfLocalMemory(plan))
      copies_.clear();
  }

  void run() {
    if (copies_.empty())
      return;
    for (const auto &[_, copy] : copies_)
      plan_.ofVectors.insert(copy.tile);
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

  /// What items of a group copy by turns, if it is a tile of a padded array that may be read by vectors.
  std::optional<WideCopy> copyOf(const Stmt &s) const {
    const auto tile = tiles_.find(copiedTo(s));
    if (tile == tiles_.end())
      return std::nullopt;
    const std::vector<StmtPtr> body = withoutBlocks(s.children);
    const Stmt &store = *body.back();
    const auto padded = plan_.padded.find(store.value->args[0]->var);
    const auto lanes = lanesOf(store.value->type.scalar);
    if (padded == plan_.padded.end() || lanes < 2 || !shared_.contains(padded->second.array) ||
        !isFilled(s, body, *store.target, *tile->second))
      return std::nullopt;
    WideCopy copy{
        store.target->args[0]->var, padded->second.array, {}, tile->second->extents, lanes};
    for (std::size_t d = 1; d < store.value->args.size(); ++d) {
      const auto along = alongOf(d - 1, store.value->args[d], *store.target, padded->second);
      if (!along)
        return std::nullopt;
      copy.dims.push_back(*along);
    }
    return isAligned(copy) ? std::optional(copy) : std::nullopt;
  }

  /// The tile that items of a group copy something to by turns, each turn an element; null: `s` is no such statement.
  const Var *copiedTo(const Stmt &s) const {
    if (s.kind != StmtKind::Parallel || s.span != Span::Turns || plan_.role(s.level) != Role::Item)
      return nullptr;
    const std::vector<StmtPtr> body = withoutBlocks(s.children);
    if (body.empty() || body.back()->kind != StmtKind::Assign)
      return nullptr;
    const Stmt &store = *body.back();
    return store.op == "=" && arrayOf(*store.value) ? arrayOf(*store.target) : nullptr;
  }

  /// That an item reads and writes at a time.
  std::int64_t lanesOf(Scalar type) const {
    if (type == Scalar::Bool || type == Scalar::Index)
      return 1;
    return std::min<std::int64_t>(vectorBytes, plan_.machine->code.accessBytes) /
           static_cast<std::int64_t>(byteSize(type));
  }

  /// Whether a copy goes over all elements of the tile, one after the other: its rows have no padding of their own.
  bool isFilled(const Stmt &s, const std::vector<StmtPtr> &body, const Expr &target,
                const Array &tile) const {
    ExprPtr rest = varRef(s.var), all = intLiteral(1);
    if (body.size() != tile.extents.size() + 1 || target.args.size() != body.size())
      return false;
    for (std::size_t d = tile.extents.size(); d-- > 0;) {
      const Stmt &number = *body[tile.extents.size() - 1 - d];
      const ExprPtr is = d == 0 ? rest : binary("%", rest, tile.extents[d]);
      if (number.kind != StmtKind::Decl || !number.value || !sameExpr(number.value, is) ||
          target.args[d + 1]->kind != ExprKind::Var || target.args[d + 1]->var != number.var)
        return false;
      rest = binary("/", rest, tile.extents[d]);
      all = mul(tile.extents[d], all);
    }
    return sameExpr(simplify(all), simplify(s.value));
  }

  /// Dimension `d` of the array, with this subscript.
  std::optional<Along> alongOf(std::size_t d, const ExprPtr &subscript, const Expr &target,
                               const PaddedArray &padded) const {
    Along along{intLiteral(0), std::nullopt};
    for (const ExprPtr &term : summandsOf(subscript)) {
      const auto number = std::find_if(target.args.begin() + 1, target.args.end(),
                                       [&](const ExprPtr &each) { return sameExpr(each, term); });
      if (number == target.args.end())
        along.first = add(along.first, term);
      else if (!along.of)
        along.of = static_cast<std::size_t>(number - target.args.begin() - 1);
      else
        return std::nullopt;
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
  bool isAligned(WideCopy &copy) const {
    const Along &row = copy.dims.back();
    if (!row.edge || row.of != copy.extents.size() - 1 || !isContiguous(copy))
      return false;
    const auto first = alignedTo(copy.lanes, row.first);
    if (!first)
      return false;
    copy.shift = ((first->number - row.before) % copy.lanes + copy.lanes) % copy.lanes;
    const ExprPtr &extent = copy.extents.back();
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
  ExprPtr condition(const WideCopy &copy) const {
    ExprPtr all;
    const auto ask = [&](const ExprPtr &each) { all = all ? binary("&&", all, each) : each; };
    for (const ExprPtr &stride : stridesOf(copy))
      ask(binary("==", binary("%", stride, intLiteral(copy.lanes)), intLiteral(0)));
    for (const Along &each : copy.dims) {
      if (!each.edge)
        continue;
      const bool row = &each == &copy.dims.back();
      const ExprPtr before = intLiteral(each.before + (row ? copy.shift : 0));
      const ExprPtr count = row ? copy.width : each.of ? copy.extents[*each.of] : intLiteral(1);
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
    const Var *tile = s->kind == StmtKind::Allocate ? s->var.get() : copiedTo(*s);
    const auto found = copies_.find(tile);
    if (found == copies_.end())
      return s;
    const WideCopy &copy = found->second;
    if (s->kind == StmtKind::Allocate) {
      Array wide = *s->array;
      wide.extents.back() = wide.bounds.back() = copy.width;
      return allocate(s->var, wide, s->location);
    }
    const VarPtr wide = newVariable("wide", Scalar::Bool);
    return block(
        {declare(wide, condition(copy)), ifThen(varRef(wide), byVectors(*s, copy), block({s}))});
  }

  /// What the copy declares: the numbers of an element along the tile's dimensions.
  static std::vector<VarPtr> numbersOf(const Stmt &s) {
    std::vector<VarPtr> numbers;
    for (const StmtPtr &each : withoutBlocks(s.children)) {
      if (each->kind == StmtKind::Decl)
        numbers.insert(numbers.begin(), each->var);
    }
    return numbers;
  }

  /// The copy by vectors: item after item takes one of a row.
  StmtPtr byVectors(const Stmt &s, const WideCopy &copy) const {
    const ExprPtr lanes = intLiteral(copy.lanes);
    std::vector<ExprPtr> extents = copy.extents;
    extents.back() = simplify(binary("/", copy.width, lanes));
    std::vector<VarPtr> numbers = numbersOf(s);
    const VarPtr element = newVariable("piece", Scalar::Index, VarKind::Worker);
    const VarPtr lane = newVariable("lane");
    std::vector<ExprPtr> there;
    for (VarPtr &number : numbers) {
      number = newVariable(number->name);
      there.push_back(varRef(number));
    }
    std::vector<StmtPtr> body = placesOf(varRef(element), extents, numbers);
    ExprPtr all = intLiteral(1);
    for (std::size_t d = extents.size(); d-- > 0;)
      all = mul(extents[d], all);
    there.back() = add(mul(there.back(), lanes), varRef(lane));
    std::vector<ExprPtr> from;
    for (const Along &each : copy.dims) {
      const bool row = &each == &copy.dims.back();
      from.push_back(sub(each.of ? add(each.first, there[*each.of]) : each.first,
                         intLiteral(each.before + (row ? copy.shift : 0))));
    }
    const StmtPtr store =
        assign(index(varRef(copy.tile), there), "=", index(varRef(copy.from), from));
    body.push_back(
        unrolledLoop(countingLoop(lane, lanes, store), 1, static_cast<unsigned>(copy.lanes)));
    return block({parallel(s.level, Span::Turns, element, all, block(std::move(body)))});
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
