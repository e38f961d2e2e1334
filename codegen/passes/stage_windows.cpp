// Staging: a window that several workers of a group read, or that is read over and over, is copied
// into an array of the group, by all its workers, neighbours to neighbouring addresses.
//
// The copy is as large as the window can be and has zeros where the window ends earlier. It lies as
// it is read: the dimension that the innermost loop around the reads runs along is the contiguous
// one. Where items of a group step together and the copy is transposed, its rows are padded, so that
// items that write a column meet different banks. On a processor whose lanes are loops this is what
// libraries call packing; there it is worth it for what fills the lanes.
#include "algebra/simplify.h"
#include "codegen/kernel/building.h"
#include "codegen/passes/passes.h"
#include "codegen/passes/windows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

class Staging {
public:
  explicit Staging(LoweredPlan &plan) : plan_(plan) {}

  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    StmtPtr now = s;
    if (s->kind == StmtKind::Window && isWorthIt(*s))
      now = staged(*s);
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
    const Buffer *buffer = plan_.bufferOf(w.array);
    if (!buffer || buffer->space != Space::Global || plan_.role(s.level) != Role::Group ||
        w.dims.size() < 2 || isBoundTwice(s))
      return false;
    const bool items = !plan_.target->itemsAreLoops;
    if (items && !hasWorkers(plan_, s.children[0], Role::Item))
      return false;
    const ArrayUse use = useOf(s.children[0], w.array.get());
    if (!use.reads || use.writes || use.atomic)
      return false;
    bool again = false;
    bool sideBySide = false;
    for (const WindowAccess &access : accessesTo(s.children[0], w.array.get())) {
      const auto position = positionOf(w, *access.element);
      if (!position || (items && !inItems(access)))
        return false;
      again |= isReadAgain(s.children[0], access, *position);
      sideBySide |= isForLanes(access, *position);
    }
    return again && (items || sideBySide);
  }

  /// Whether the innermost loop reads one element after the other: where lanes are filled by
  /// vectors, others are read where they are, one for all lanes.
  static bool isForLanes(const WindowAccess &access, const std::vector<ExprPtr> &position) {
    const VarPtr number = access.around.empty() ? nullptr : counterOf(*access.around.back());
    return number && std::ranges::any_of(position, [&](const ExprPtr &e) {
             return contains(e, [&](const Expr &each) { return each.var == number; });
           });
  }

  /// Whether a codelet got parts of one array twice: accesses could be through either.
  bool isBoundTwice(const Stmt &s) const {
    bool twice = std::ranges::any_of(
        call_, [&](const Window *each) { return each->array == s.window->array; });
    for (const Stmt *inner = s.children[0].get(); inner->kind == StmtKind::Window;
         inner = inner->children[0].get())
      twice |= inner->window->array == s.window->array;
    return twice;
  }

  bool inItems(const WindowAccess &access) const {
    return std::ranges::any_of(access.around, [&](const Stmt *each) {
      return each->kind == StmtKind::Parallel && plan_.role(each->level) >= Role::Item;
    });
  }

  static std::optional<std::vector<ExprPtr>> positionOf(const Window &w, const Expr &element) {
    return positionIn(w, {element.args.begin() + 1, element.args.end()});
  }

  /// Whether a loop, or a worker's number, has nothing to do with which element it is.
  static bool isReadAgain(const StmtPtr &body, const WindowAccess &access,
                          const std::vector<ExprPtr> &position) {
    std::map<const Var *, ExprPtr> meanings;
    forEach(body, [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl && each.value)
        meanings[each.var.get()] = each.value;
    });
    std::set<const Var *> decides;
    std::function<void(const ExprPtr &)> gather = [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.kind != ExprKind::Var || !decides.insert(each.var.get()).second)
          return;
        if (auto meaning = meanings.find(each.var.get()); meaning != meanings.end())
          gather(meaning->second);
      });
    };
    for (const ExprPtr &e : position)
      gather(e);
    return std::ranges::any_of(access.around, [&](const Stmt *each) {
      const VarPtr number = each->kind == StmtKind::Parallel ? each->var : counterOf(*each);
      return number && !decides.contains(number.get());
    });
  }

  /// The window's dimensions in the order in which the copy has them, the contiguous one last: what
  /// the innermost loop around a read runs along.
  static std::vector<std::size_t> orderOf(const Stmt &s) {
    const Window &w = *s.window;
    std::vector<std::size_t> order(w.dims.size());
    for (std::size_t d = 0; d < order.size(); ++d)
      order[d] = d;
    for (const WindowAccess &access : accessesTo(s.children[0], w.array.get())) {
      const auto position = *positionOf(w, *access.element);
      for (auto loop = access.around.rbegin(); loop != access.around.rend(); ++loop) {
        const VarPtr number =
            (*loop)->kind == StmtKind::Parallel ? (*loop)->var : counterOf(**loop);
        if (!number)
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

  StmtPtr staged(const Stmt &s) {
    const Window &w = *s.window;
    const std::vector<std::size_t> order = orderOf(s);
    const bool transposes = !std::ranges::is_sorted(order);
    std::vector<ExprPtr> extents;
    for (std::size_t d : order)
      extents.push_back(w.dims[d].bound);
    if (transposes && !plan_.target->itemsAreLoops)
      extents.back() = add(extents.back(), intLiteral(padding(s.level, w.array->type.scalar)));
    auto copy = std::make_shared<Var>();
    copy->name = s.var->name + "_tile";
    copy->type = w.array->type;
    copy->kind = VarKind::Buffer;
    plan_.ofVectors.insert(copy.get());
    StmtPtr inside = rebased(s.children[0], w, copy, order);
    return block({allocate(copy, {s.level, extents, extents}), copying(s, copy, order),
                  bindWindow(s.var, onto(copy, w, order), s.level, inside, s.location)});
  }

  /// The window as it is in its copy.
  static Window onto(const VarPtr &copy, const Window &w, const std::vector<std::size_t> &order) {
    Window there{copy, std::vector<ExprPtr>(order.size(), intLiteral(0)), w.dims};
    for (std::size_t d = 0; d < there.dims.size(); ++d)
      there.dims[d].of = static_cast<unsigned>(std::ranges::find(order, d) - order.begin());
    return there;
  }

  /// So many elements as a vector of 16 bytes holds: rows stay aligned.
  std::int64_t padding(int level, Scalar element) const {
    for (const composer::Memory &memory :
         plan_.machine->levels[static_cast<std::size_t>(level)].memory) {
      if (memory.banks > 1)
        return 16 / static_cast<std::int64_t>(byteSize(element));
    }
    return 0;
  }

  static std::vector<ExprPtr> permuted(const std::vector<ExprPtr> &position,
                                       const std::vector<std::size_t> &order) {
    std::vector<ExprPtr> there;
    for (std::size_t d : order)
      there.push_back(position[d]);
    return there;
  }

  static ExprPtr elementAt(const Window &w, const std::vector<ExprPtr> &position) {
    std::vector<ExprPtr> subscripts = w.origin;
    for (std::size_t d = 0; d < position.size(); ++d)
      subscripts[w.dims[d].of] = add(subscripts[w.dims[d].of], position[d]);
    return index(varRef(w.array), subscripts);
  }

  StmtPtr copying(const Stmt &s, const VarPtr &copy, const std::vector<std::size_t> &order) const {
    return plan_.target->itemsAreLoops ? copyingInLoops(s, copy, order)
                                       : copyingByItems(s, copy, order);
  }

  static StmtPtr copyingInLoops(const Stmt &s, const VarPtr &copy,
                                const std::vector<std::size_t> &order) {
    const Window &w = *s.window;
    std::vector<ExprPtr> position;
    std::vector<VarPtr> numbers;
    for (std::size_t d = 0; d < w.dims.size(); ++d) {
      numbers.push_back(newVariable(d == 0 ? "row" : "column"));
      position.push_back(varRef(numbers.back()));
    }
    StmtPtr loops =
        assign(index(varRef(copy), permuted(position, order)), "=", elementAt(w, position));
    for (std::size_t d = w.dims.size(); d-- > 0;)
      loops = countingLoop(numbers[d], w.dims[d].extent, block({loops}));
    return loops;
  }

  StmtPtr copyingByItems(const Stmt &s, const VarPtr &copy,
                         const std::vector<std::size_t> &order) const {
    const Window &w = *s.window;
    const int items = plan_.machine->levels[static_cast<std::size_t>(s.level)].subordinate;
    const VarPtr element = newVariable("element", Scalar::Index, VarKind::Worker);
    std::vector<StmtPtr> body;
    std::vector<ExprPtr> position(w.dims.size());
    ExprPtr rest = varRef(element);
    for (std::size_t d = w.dims.size(); d-- > 0;) {
      const VarPtr number = newVariable(d == 0 ? "row" : "column");
      const ExprPtr &bound = w.dims[d].bound;
      body.push_back(declare(number, d == 0 ? rest : binary("%", rest, bound)));
      position[d] = varRef(number);
      rest = binary("/", rest, bound);
    }
    ExprPtr inside;
    for (std::size_t d = 0; d < w.dims.size(); ++d) {
      if (sameExpr(w.dims[d].extent, w.dims[d].bound))
        continue;
      const ExprPtr here = binary("<", position[d], w.dims[d].extent);
      inside = inside ? binary("&&", inside, here) : here;
    }
    ExprPtr value = elementAt(w, position);
    const Scalar type = w.array->type.scalar;
    if (inside)
      value = select(inside, value, isFloating(type) ? realLiteral(0, type) : intLiteral(0, type));
    body.push_back(assign(index(varRef(copy), permuted(position, order)), "=", value));
    return parallel(items, Span::Turns, element, mostElements(w), block(std::move(body)));
  }

  /// `s` with what it reads of the window read from the copy.
  static StmtPtr rebased(const StmtPtr &s, const Window &w, const VarPtr &copy,
                         const std::vector<std::size_t> &order) {
    StmtPtr changed = mapExprs(s, [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        if (e->kind != ExprKind::Index || e->args[0]->var != w.array)
          return e;
        return index(varRef(copy), permuted(*positionOf(w, *e), order), e->location);
      });
    });
    return rewrite(changed, [&](const StmtPtr &each) -> StmtPtr {
      if (each->kind != StmtKind::Window || each->window->array != w.array)
        return each;
      const auto origin = positionIn(w, each->window->origin);
      if (!origin)
        return each->children[0];
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
  std::vector<const Window *> call_; ///< what the codelet at hand has got so far
};

} // namespace

LoweredPlan stageWindows(LoweredPlan plan) {
  plan.body = Staging(plan).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
