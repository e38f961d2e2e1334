// Loop coalescing: parts of rows whose elements the lanes of a group take in turns become parts of elements.
//
//   before: parallel block < p { first = block * ceil(n / p); rows = min(ceil(n / p), n - first);
//             parallel lane { for (e = lane; e < rows * m; e += lanes) { i = e / m; j = e % m; y[first + i][j] = f(x[first + i][j]); } } }
//   after:  parallel block < p { first_element = block * size; elements = min(size, n * m - first_element);
//             parallel lane { for (e = lane; e < elements; e += lanes) {
//               row = (first_element + e) / m; j = (first_element + e) % m; y[row][j] = f(x[row][j]); } } }
//
// where size is ceil(n * m / p), rounded up so that parts begin at whole transactions of memory. Each group has the same number of
// elements, also where there are fewer rows than groups, and groups with neighbouring numbers read neighbouring memory. Where
// lanes are loops, deal_parts.cpp does this.
#include "algebra/simplify.h"
#include "algebra/simplify_ranges.h"
#include "codegen/analysis/definitions.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// A launch whose groups have parts of rows, and whose lanes take the elements of a part in turns.
class PartsOfRows {
public:
  /// `constants`: of the whole plan.
  PartsOfRows(const LoweredPlan &plan, const Definitions &constants, const Stmt &groups)
      : plan_(plan), constants_(constants), groups_(groups) {}

  /// The groups with parts of elements; null: they have no parts of rows, or need the number of a row or an element in its part.
  StmtPtr coalesced() {
    if (!readGroup() || !readLoop() || !readRows() || !readBody())
      return nullptr;
    const ExprPtr all = mul(allRows_, elementsOfRow());
    const VarPtr size = newVariable("size"), first = newVariable("first_element"),
                 count = newVariable("elements");
    // Parts are multiples of as many elements as a transaction has bytes, so that each begins at a transaction whatever the type.
    const ExprPtr step =
        intLiteral(static_cast<std::int64_t>(plan_.machine->costs.transactionBytes));
    const ExprPtr steps = ceilDiv(ceilDiv(all, groups_.value), step);
    std::vector<StmtPtr> inside{
        declare(size, mul(steps, step)), declare(first, mul(varRef(groups_.var), varRef(size))),
        declare(count, minOf(varRef(size), sub(all, minOf(varRef(first), all))))};
    const ExprPtr element = add(varRef(first), varRef(loop_.i));
    ExprPtr row = element;
    for (std::size_t k = inRow_.size(); k-- > 0;)
      row = binary("/", row, inRow_[k]);
    const VarPtr rowNumber = newVariable("row");
    std::vector<StmtPtr> body{declare(rowNumber, row)};
    for (const StmtPtr &s : withoutBlocks({loopStatement_->children[2]})) {
      if (s->kind != StmtKind::Decl || s->var != rowInPart_)
        body.push_back(substitute(withRows(s, rowNumber), {{loop_.i.get(), element}}));
    }
    const StmtPtr loop =
        forLoop(loopStatement_->children[0], binary("<", varRef(loop_.i), varRef(count)),
                loopStatement_->children[1], block(std::move(body)));
    inside.insert(inside.end(), comments_.begin(), comments_.end());
    inside.push_back(withChildren(lanes_, {block({loop})}));
    auto made = std::make_shared<Stmt>(groups_);
    made->children = {block(std::move(inside))};
    return made;
  }

private:
  /// Declarations, and the lanes as the last statement.
  bool readGroup() {
    for (const StmtPtr &s : withoutBlocks(groups_.children)) {
      if (s->kind == StmtKind::Comment) {
        comments_.push_back(s);
        continue;
      }
      if (lanes_ || (s->kind != StmtKind::Decl && s->kind != StmtKind::Parallel))
        return false;
      if (s->kind == StmtKind::Parallel)
        lanes_ = s;
      else if (!s->value || s->var->extent)
        return false;
      else
        declared_.push_back(s->var);
    }
    if (!lanes_ || !lanes_->var || plan_.role(lanes_->level) != Role::Item)
      return false;
    ofGroup_ = {groups_.var.get(), lanes_->var.get()};
    for (const VarPtr &each : declared_)
      ofGroup_.insert(each.get());
    return true;
  }

  /// for (e = lane; e < rows * m; e += lanes)
  bool readLoop() {
    loopStatement_ = onlyStatementIn(lanes_->children[0]);
    const auto loop = loopStatement_ ? loopToTheEnd(*loopStatement_) : std::nullopt;
    if (!loop || !isVar(loop->start, lanes_->var) || !sameExpr(loop->step, lanes_->value) ||
        !isBinary(*loop->bound, "*"))
      return false;
    loop_ = *loop;
    inRow_ = factorsOf(loop_.bound);
    rows_ = inRow_.front();
    inRow_.erase(inRow_.begin());
    return std::ranges::none_of(inRow_, [&](const ExprPtr &e) {
      return contains(e, [&](const Expr &each) { return ofGroup_.contains(each.var.get()); });
    });
  }

  /// Rows from first = block * size on, of size = ceil(n / groups).
  bool readRows() {
    const ExprPtr rows = constants_.of(*rows_);
    if (!rows || !ofGroup_.contains(rows_->var.get()))
      return false;
    for (const VarPtr &var : declared_) {
      const ExprPtr first = varRef(var), value = constants_.of(*first);
      if (!isBinary(*value, "*") || !isVar(value->args[0], groups_.var))
        continue;
      const ExprPtr size = value->args[1];
      const ExprPtr named = constants_.of(*size);
      const ExprPtr count = named ? named : size;
      if (!isBinary(*count, "/") || !sameExpr(count->args[1], groups_.value))
        continue;
      const ExprPtr n = dividedBy(count);
      const ExprPtr end = n ? minOf(add(size, value), n) : nullptr;
      if (!n || !sameExpr(simplify(rows), simplify(sub(maxOf(end, first), first))))
        continue;
      first_ = var.get();
      allRows_ = n;
      return true;
    }
    return false;
  }

  /// n of (n + groups - 1) / groups.
  ExprPtr dividedBy(const ExprPtr &count) const {
    std::vector<ExprPtr> found;
    forEach(count->args[0], [&](const Expr &e) {
      if (e.kind == ExprKind::Var && !sameExpr(std::make_shared<Expr>(e), groups_.value))
        found.push_back(std::make_shared<Expr>(e));
    });
    const bool isIt =
        found.size() == 1 && sameExpr(simplify(count), simplify(ceilDiv(found[0], groups_.value)));
    return isIt ? found[0] : nullptr;
  }

  /// The body declares i = e / m, and uses i only in first + i, and e only there and in places in a row.
  bool readBody() {
    const StmtPtr &body = loopStatement_->children[2];
    for (const StmtPtr &s : withoutBlocks({body})) {
      if (s->kind == StmtKind::Decl && s->value && isRowInPart(s->value))
        rowInPart_ = s->var;
    }
    if (!rowInPart_ || hasBarrier(body) || assigns(body, rowInPart_.get()))
      return false;
    bool hasWorkers = false;
    forEach(body, [&](const Stmt &s) { hasWorkers |= s.kind == StmtKind::Parallel; });
    std::set<const Var *> others = ofGroup_;
    others.erase(first_);
    std::size_t rows = 0, firsts = 0, inSums = 0;
    std::size_t elements = 0, inPlaces = 1; // of which one is the row's
    bool namesOthers = false;
    forEachExpr(body, [&](const Expr &e) {
      inSums += isRow(e);
      inPlaces += isPlaceInRow(e);
      if (e.kind != ExprKind::Var)
        return;
      rows += e.var == rowInPart_;
      firsts += e.var.get() == first_;
      elements += e.var == loop_.i;
      namesOthers |= others.contains(e.var.get());
    });
    return !hasWorkers && !namesOthers && elements == inPlaces && rows == inSums &&
           firsts == inSums && inSums > 0;
  }

  /// e / m, e / m2 / m1 of rows of m1 * m2 elements.
  bool isRowInPart(ExprPtr e) const {
    for (std::size_t k = 0; k < inRow_.size(); ++k) {
      if (!isBinary(*e, "/") || !sameExpr(e->args[1], inRow_[k]))
        return false;
      e = e->args[0];
    }
    return isVar(e, loop_.i);
  }

  /// e % m of rows of m elements; of rows of m1 * m2 elements e % m2, and e / m2 % m1.
  bool isPlaceInRow(const Expr &e) const {
    if (e.kind != ExprKind::Binary || e.op != "%")
      return false;
    ExprPtr of = e.args[0];
    std::size_t k = inRow_.size();
    for (; k > 0 && isBinary(*of, "/"); --k)
      of = of->args[0];
    if (k == 0 || !isVar(of, loop_.i) || !sameExpr(e.args[1], inRow_[k - 1]))
      return false;
    // The divisors are the extents behind, the last one first.
    of = e.args[0];
    for (std::size_t behind = k; behind < inRow_.size(); ++behind) {
      if (!sameExpr(of->args[1], inRow_[behind]))
        return false;
      of = of->args[0];
    }
    return true;
  }

  bool isRow(const Expr &e) const {
    return e.kind == ExprKind::Binary && e.op == "+" && isVar(e.args[0], first_) &&
           isVar(e.args[1], rowInPart_.get());
  }

  StmtPtr withRows(const StmtPtr &s, const VarPtr &number) const {
    return mapExprs(s, [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) { return isRow(*e) ? varRef(number) : e; });
    });
  }

  ExprPtr elementsOfRow() const {
    ExprPtr all = inRow_.front();
    for (std::size_t k = 1; k < inRow_.size(); ++k)
      all = mul(all, inRow_[k]);
    return all;
  }

  static bool isVar(const ExprPtr &e, const VarPtr &var) { return isVar(e, var.get()); }
  static bool isVar(const ExprPtr &e, const Var *var) {
    return e->kind == ExprKind::Var && e->var.get() == var;
  }

  const LoweredPlan &plan_;
  const Definitions &constants_;
  const Stmt &groups_;
  std::vector<StmtPtr> comments_;
  StmtPtr lanes_, loopStatement_;
  CountedLoop loop_;
  std::vector<VarPtr> declared_;  ///< the group's constants
  std::set<const Var *> ofGroup_; ///< these, and the numbers of the group and of the lane
  ExprPtr rows_;                  ///< number of rows of the part
  std::vector<ExprPtr> inRow_;    ///< extents whose product is the elements of a row
  ExprPtr allRows_;               ///< number of rows of the container
  const Var *first_ = nullptr;    ///< number of the part's first row
  VarPtr rowInPart_;              ///< the number of a row, in its part
};

} // namespace

LoweredPlan coalesceLoops(LoweredPlan plan) {
  const Definitions constants(plan.body);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel || !s->var || plan.role(s->level) != Role::Group)
      return s;
    const StmtPtr made = PartsOfRows(plan, constants, *s).coalesced();
    return made ? made : s;
  });
  return plan;
}

} // namespace tangram::codegen
