// Staging: a window that several workers of a group read, or that is read over and over, is copied
// into an array of the group, by all its workers, neighbours to neighbouring addresses.
//
// The copy is as large as the window can be and has zeros where the window ends earlier. It lies as
// it is read: the dimension that the innermost loop around the reads runs along is the contiguous
// one. Where items of a group step together and the copy is transposed, its rows are padded, so
// that items that write a column meet as many banks as they may, and vectors begin where they may
// (codegen/analysis/bank_conflicts.h). And where each of neighbouring items reads several elements
// side by side, its rows are interleaved by vectors: the first vector of each item, then the second
// of each, so that items that read vectors together meet all banks, and those that write neighbours
// as well. On a processor whose lanes are loops this is what libraries call packing; there it is
// worth it for what fills the lanes. Factors of 8 bits are packed as 16, contiguous along their sum
// (codegen/analysis/narrow_products.h).
#include "algebra/simplify.h"
#include "codegen/analysis/bank_conflicts.h"
#include "codegen/analysis/copies.h"
#include "codegen/analysis/definitions.h"
#include "codegen/analysis/narrow_products.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t lineBytes = 64;
constexpr std::int64_t rowsAtOnce = 16; ///< of a copy whose rows are columns of a window

class Staging {
public:
  explicit Staging(LoweredPlan &plan) : plan_(plan), shared_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    StmtPtr now = s;
    if (s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group)
      copied_ = 0;
    if (s->kind == StmtKind::Window && isWorthIt(*s)) {
      now = staged(*s);
      copied_ += leastBytes(plan_, *s->window);
    }
    const std::vector<const Window *> around = call_;
    if (now->kind == StmtKind::Window)
      call_.push_back(now->window.get());
    else
      call_.clear();
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : now->children)
      children.push_back(run(child));
    call_ = around;
    return withChildren(now, std::move(children));
  }

private:
  bool isWorthIt(const Stmt &s) const {
    const Window &w = *s.window;
    if (!shared_.contains(w.array) || plan_.role(s.level) != Role::Group || w.dims.size() < 2 ||
        !std::ranges::all_of(othersOf(s), [&](const Window *other) { return areTold(w, *other); }))
      return false;
    const bool items = !plan_.target->itemsAreLoops;
    if (items &&
        (!hasWorkers(plan_, s.children[0], Role::Item) || itemsOfGroup(plan_, s.level).empty()))
      return false;
    const ArrayUse use = useOf(s.children[0], w.array.get());
    if (!use.reads || use.writes || use.atomic)
      return false;
    bool again = false;
    bool sideBySide = false;
    for (const WindowAccess &access : accessesTo(s.children[0], w.array.get())) {
      const auto position = positionOf(w, *access.element);
      const bool elsewhere = isInOther(s, subscriptsOf(*access.element));
      if (!position && elsewhere)
        continue;
      if (!position || elsewhere || (items && !inItems(access)))
        return false;
      again |= isReadAgain(s.children[0], access, *position);
      sideBySide |= isForLanes(access, *position) || isSummedAlong(s);
    }
    return again && (items || (sideBySide && !liesAsItsCopy(s))) &&
           copied_ + leastBytes(plan_, w) <= bytesOfLocalMemory(plan_);
  }

  bool isSummedAlong(const Stmt &s) const {
    return summedAlong(plan_, s.children[0], s.window->array.get()) != nullptr;
  }

  /// Whether the window's rows follow each other, as they would in a copy: caches have it as it is.
  bool liesAsItsCopy(const Stmt &s) const {
    const Window &w = *s.window;
    if (isSummedAlong(s) && typeOfCopy(s) != w.array->type.scalar)
      return false;
    const auto strides = plan_.strides.find(w.array);
    if (strides == plan_.strides.end() || !std::ranges::is_sorted(orderOf(s)))
      return false;
    ExprPtr behind = intLiteral(1);
    for (std::size_t d = w.dims.size(); d-- > 0;) {
      if (w.dims[d].of >= strides->second.size() ||
          !sameExpr(simplify(strides->second[w.dims[d].of]), behind))
        return false;
      behind = simplify(mul(w.dims[d].bound, behind));
    }
    return true;
  }

  /// Whether the innermost loop reads one element after the other: where lanes are filled by
  /// vectors, others are read where they are, one for all lanes.
  static bool isForLanes(const WindowAccess &access, const std::vector<ExprPtr> &position) {
    const VarPtr number = access.around.empty() ? nullptr : counterOf(*access.around.back());
    return number && std::ranges::any_of(position, [&](const ExprPtr &e) {
             return contains(e, [&](const Expr &each) { return each.var == number; });
           });
  }

  /// The other windows onto the same array that the codelet has got.
  std::vector<const Window *> othersOf(const Stmt &s) const {
    std::vector<const Window *> others;
    std::ranges::copy_if(call_, std::back_inserter(others),
                         [&](const Window *each) { return each->array == s.window->array; });
    for (const Stmt *inner = s.children[0].get(); inner->kind == StmtKind::Window;
         inner = inner->children[0].get()) {
      if (inner->window->array == s.window->array)
        others.push_back(inner->window.get());
    }
    return others;
  }

  /// Whether subscripts say through which of two windows they go: each begins at something of its
  /// own. The codelet cannot name it, so that no subscript of the other one has it.
  static bool areTold(const Window &a, const Window &b) {
    const auto hasOwn = [](const Window &one, const Window &other) {
      for (std::size_t d = 0; d < one.origin.size(); ++d) {
        const std::vector<ExprPtr> theirs = summandsOf(other.origin[d]);
        for (const ExprPtr &own : summandsOf(one.origin[d])) {
          if (own->kind != ExprKind::Literal &&
              std::ranges::none_of(theirs, [&](const ExprPtr &e) { return sameExpr(e, own); }))
            return true;
        }
      }
      return false;
    };
    return a.origin.size() == b.origin.size() && hasOwn(a, b) && hasOwn(b, a);
  }

  bool isInOther(const Stmt &s, const std::vector<ExprPtr> &subscripts) const {
    return std::ranges::any_of(othersOf(s), [&](const Window *other) {
      return positionIn(*other, subscripts).has_value();
    });
  }

  static std::vector<ExprPtr> subscriptsOf(const Expr &element) {
    return {element.args.begin() + 1, element.args.end()};
  }

  bool inItems(const WindowAccess &access) const {
    return std::ranges::any_of(access.around, [&](const Stmt *each) {
      return each->kind == StmtKind::Parallel && plan_.role(each->level) >= Role::Item;
    });
  }

  static std::optional<std::vector<ExprPtr>> positionOf(const Window &w, const Expr &element) {
    return positionInSteps(w, subscriptsOf(element));
  }

  /// Whether a loop, or a worker's number, has nothing to do with which element it is.
  static bool isReadAgain(const StmtPtr &body, const WindowAccess &access,
                          const std::vector<ExprPtr> &position) {
    std::set<const Var *> decides;
    Definitions(body).forEachPart(position, [&](const Expr &e) {
      if (e.kind == ExprKind::Var)
        decides.insert(e.var.get());
    });
    return std::ranges::any_of(access.around, [&](const Stmt *each) {
      const VarPtr number = each->kind == StmtKind::Parallel ? each->var : counterOf(*each);
      return number && !decides.contains(number.get());
    });
  }

  /// The window's dimensions in the order in which the copy has them, the contiguous one last: what
  /// the innermost loop around a read runs along, or the sum of narrow factors.
  std::vector<std::size_t> orderOf(const Stmt &s) const {
    const Window &w = *s.window;
    std::vector<std::size_t> order(w.dims.size());
    for (std::size_t d = 0; d < order.size(); ++d)
      order[d] = d;
    const VarPtr summed = summedAlong(plan_, s.children[0], w.array.get());
    for (const WindowAccess &access : accessesTo(s.children[0], w.array.get())) {
      const auto found = positionOf(w, *access.element);
      if (!found)
        continue;
      const std::vector<ExprPtr> &position = *found;
      for (auto loop = access.around.rbegin(); loop != access.around.rend(); ++loop) {
        const VarPtr number =
            (*loop)->kind == StmtKind::Parallel ? (*loop)->var : counterOf(**loop);
        if (!number || (summed && number != summed))
          continue;
        for (std::size_t d = 0; d < position.size(); ++d) {
          if (!contains(position[d], [&](const Expr &e) { return e.var == number; }))
            continue;
          order.erase(std::ranges::find(order, d));
          order.push_back(d);
          return order;
        }
      }
    }
    return order;
  }

  /// A copy's rows by vectors: element i is element i % part of item number i / part.
  struct Interleaving {
    ExprPtr part;
    std::int64_t vector;
    VarPtr pitch;    ///< from an item's vector to its next one
    VarPtr row;      ///< from a row to the next one
    ExprPtr ofItems; ///< elements of a vector of each item
    ExprPtr pitchValue;

    ExprPtr vectorsOfPart() const { return ceilDiv(part, intLiteral(vector)); }
    ExprPtr rowValue(const ExprPtr &of) const {
      return add(mul(sub(vectorsOfPart(), intLiteral(1)), of), ofItems);
    }
    ExprPtr at(const ExprPtr &r, const ExprPtr &i) const {
      const ExprPtr own = binary("%", i, part);
      const ExprPtr first = mul(binary("/", own, intLiteral(vector)), varRef(pitch));
      const ExprPtr item = mul(binary("/", i, part), intLiteral(vector));
      return add(mul(r, varRef(row)), add(add(first, item), binary("%", own, intLiteral(vector))));
    }
  };

  /// How the copy is laid out along its contiguous dimension `d`, where neighbouring items have
  /// neighbouring parts of it.
  std::optional<Interleaving> interleavingOf(const Stmt &s, std::size_t d) const {
    const Window &w = *s.window;
    const Banks banks = banksOf(plan_, s.level);
    if (!banks || w.dims.size() != 2)
      return std::nullopt;
    ExprPtr part;
    forEach(s.children[0], [&](const Stmt &inner) {
      if (inner.kind != StmtKind::Window || !isPartOf(*inner.window, w))
        return;
      for (const WindowDimension &own : inner.window->dims) {
        if (own.of == w.dims[d].of && !sameExpr(own.bound, w.dims[d].bound) &&
            isDealtInTurn(s.children[0], inner.window->origin[own.of]))
          part = own.bound;
      }
    });
    if (!part)
      return std::nullopt;
    const std::string name = copyName(s);
    Interleaving rows{part,
                      vectorBytes / bytesOf(w),
                      newVariable(name + "_pitch"),
                      newVariable(name + "_row"),
                      nullptr,
                      nullptr};
    rows.ofItems = mul(ceilDiv(w.dims[d].bound, part), intLiteral(rows.vector));
    // The vectors of a part that follow each other are of as many items as makes all banks.
    const ExprPtr lastItem = binary("/", sub(w.dims[d].bound, intLiteral(1)), part);
    const ExprPtr apart = oddMultipleAbove(
        lastItem, ceilDiv(intLiteral(banks.atOnce(vectorBytes) * rows.vector), part));
    rows.pitchValue = mul(simplify(apart), intLiteral(rows.vector));
    return rows;
  }

  /// From a row to the next one of a copy along a sum: rows of a power of two would share a few
  /// places of the first cache.
  static ExprPtr pitchOfSum(const Window &w, const std::vector<std::size_t> &order) {
    return add(w.dims[order.back()].bound, intLiteral(lineBytes / 2));
  }

  /// From a row to the next one of a transposed copy, of rows of `extent` elements: items write the
  /// window's rows below each other. Null: as they are.
  ExprPtr pitchOf(const Stmt &s, const std::vector<std::size_t> &order) const {
    const Window &w = *s.window;
    const Banks banks = banksOf(plan_, s.level);
    if (std::ranges::is_sorted(order) || !banks)
      return nullptr;
    return pitchOfColumns(banks, w.dims[order.back()].bound, w.dims.back().bound, bytesOf(w),
                          vectorBytes / bytesOf(w));
  }

  /// Factors of narrow products are as wide as processors multiply by pairs.
  Scalar typeOfCopy(const Stmt &s) const {
    return isSummedAlong(s) ? Scalar::I16 : s.window->array->type.scalar;
  }

  static std::string copyName(const Stmt &window) { return window.var->name + "_tile"; }

  /// Whether a part's beginning follows from what is left of an item's number.
  bool isDealtInTurn(const StmtPtr &body, const ExprPtr &begin) const {
    std::set<const Var *> items;
    forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel && each.var && plan_.role(each.level) == Role::Item)
        items.insert(each.var.get());
    });
    return Definitions(body).anyPart({begin}, [&](const Expr &e) {
      return e.kind == ExprKind::Binary && e.op == "%" && e.args[0]->kind == ExprKind::Var &&
             items.contains(e.args[0]->var.get());
    });
  }

  StmtPtr staged(const Stmt &s) {
    const Window &w = *s.window;
    const std::vector<std::size_t> order = orderOf(s);
    const std::optional<Interleaving> rows = interleavingOf(s, order.back());
    Array array{s.level, {}, {}};
    for (std::size_t d : order)
      array.bounds.push_back(w.dims[d].bound);
    if (rows)
      array.bounds = {mul(array.bounds.front(), rows->rowValue(rows->pitchValue))};
    array.extents = array.bounds;
    std::vector<StmtPtr> names;
    const ExprPtr pitch = rows               ? nullptr
                          : isSummedAlong(s) ? pitchOfSum(w, order)
                                             : pitchOf(s, order);
    if (pitch) {
      const VarPtr name = newVariable(copyName(s) + "_pitch");
      names.push_back(declare(name, pitch));
      array.bounds.back() = pitch;
      array.extents.back() = varRef(name);
    }
    auto copy = std::make_shared<Var>();
    copy->name = copyName(s);
    copy->type = w.array->type;
    copy->type.scalar = typeOfCopy(s);
    copy->kind = VarKind::Buffer;
    plan_.ofVectors.insert(copy);
    const auto subscripts = [&](const std::vector<ExprPtr> &position) {
      std::vector<ExprPtr> there = permuted(position, order);
      return rows ? std::vector{rows->at(there[0], there[1])} : there;
    };
    const StmtPtr copied = allocate(copy, array);
    if (rows) // what is known of it is no window
      return block({declare(rows->pitch, rows->pitchValue),
                    declare(rows->row, rows->rowValue(varRef(rows->pitch))), copied,
                    copying(s, copy, subscripts),
                    accessed(withoutWindowsOf(s.children[0], w), w, copy, subscripts)});
    const StmtPtr inside = rebased(accessed(s.children[0], w, copy, subscripts), w, copy, order);
    names.insert(names.end(),
                 {copied, copying(s, copy, subscripts),
                  bindWindow(s.var, onto(copy, w, order), s.level, inside, s.location)});
    return block(std::move(names));
  }

  /// The window as it is in its copy.
  static Window onto(const VarPtr &copy, const Window &w, const std::vector<std::size_t> &order) {
    Window there{copy, std::vector<ExprPtr>(order.size(), intLiteral(0)), w.dims};
    for (std::size_t d = 0; d < there.dims.size(); ++d) {
      there.dims[d].of = static_cast<unsigned>(std::ranges::find(order, d) - order.begin());
      there.dims[d].step = intLiteral(1);
    }
    return there;
  }

  static std::int64_t bytesOf(const Window &w) {
    return static_cast<std::int64_t>(byteSize(w.array->type.scalar));
  }

  static std::vector<ExprPtr> permuted(const std::vector<ExprPtr> &position,
                                       const std::vector<std::size_t> &order) {
    std::vector<ExprPtr> there;
    for (std::size_t d : order)
      there.push_back(position[d]);
    return there;
  }

  /// Subscripts in the copy of a position in the window.
  using Subscripts = std::function<std::vector<ExprPtr>(const std::vector<ExprPtr> &)>;

  /// Rows of a copy that are columns of the window are copied some at a time.
  StmtPtr copying(const Stmt &s, const VarPtr &copy, const Subscripts &subscripts) const {
    const Window &w = *s.window;
    const bool turned = isSummedAlong(s) && orderOf(s).back() == 0 && w.dims.size() == 2;
    const auto at = [&](const std::vector<ExprPtr> &position) {
      return index(varRef(copy), subscripts(position));
    };
    return copiedBy(s.level, w, at, turned ? rowsAtOnce : 0);
  }

  /// `s` with what it reads of the window read from the copy.
  static StmtPtr accessed(const StmtPtr &s, const Window &w, const VarPtr &copy,
                          const Subscripts &subscripts) {
    return mapExprs(s, [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        if (e->kind != ExprKind::Index || e->args[0]->var != w.array)
          return e;
        const auto position = positionOf(w, *e);
        return position ? index(varRef(copy), subscripts(*position), e->location) : e;
      });
    });
  }

  static bool isPartOf(const Window &part, const Window &w) {
    return part.array == w.array && positionIn(w, part.origin);
  }

  static StmtPtr withoutWindowsOf(const StmtPtr &s, const Window &w) {
    return withoutWindows(s, [&](const Window &each) { return isPartOf(each, w); });
  }

  /// `s` with windows onto the copy where they were onto the window.
  static StmtPtr rebased(const StmtPtr &s, const Window &w, const VarPtr &copy,
                         const std::vector<std::size_t> &order) {
    return rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
      if (each->kind != StmtKind::Window || each->window->array != w.array)
        return each;
      const auto origin = positionIn(w, each->window->origin);
      if (!origin)
        return each;
      Window inner = *each->window;
      inner.array = copy;
      inner.origin = permuted(*origin, order);
      for (WindowDimension &d : inner.dims) {
        const auto along = std::ranges::find_if(
            w.dims, [&](const WindowDimension &outer) { return outer.of == d.of; });
        if (along == w.dims.end())
          return each->children[0];
        const auto dim = static_cast<std::size_t>(along - w.dims.begin());
        d.of = static_cast<unsigned>(std::ranges::find(order, dim) - order.begin());
      }
      return bindWindow(each->var, inner, each->level, each->children[0], each->location);
    });
  }

  LoweredPlan &plan_;
  SharedArrays shared_;
  std::vector<const Window *> call_; ///< what the codelet at hand has got so far
  std::uint64_t copied_ = 0; ///< bytes of the group at hand, with the least values of tunables
};

} // namespace

LoweredPlan stageWindows(LoweredPlan plan) {
  plan.body = Staging(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
