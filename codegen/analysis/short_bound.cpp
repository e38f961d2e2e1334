#include "codegen/analysis/short_bound.h"

#include "algebra/simplify.h"

#include <algorithm>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::int64_t mostFactor = std::int64_t{1} << 40; ///< beyond it no bound says anything
constexpr std::size_t mostTerms = 400;

/// factor * a * b * ...
struct Term {
  std::int64_t factor = 1;
  std::vector<ExprPtr> atoms; ///< sorted by text

  bool alike(const Term &other) const { return std::ranges::equal(atoms, other.atoms, sameExpr); }
};

/// A sum of terms, none of them alike another. Nothing: it has too many.
class Sum {
public:
  static Sum of(std::int64_t number) { return Sum({{number, {}}}); }
  static Sum of(const ExprPtr &atom) { return Sum({{1, {atom}}}); }

  bool isTooLong() const { return terms_.size() > mostTerms; }
  std::size_t size() const { return terms_.size(); }

  void add(const Term &term) {
    if (term.factor == 0 || isTooLong())
      return;
    const auto known =
        std::ranges::find_if(terms_, [&](const Term &each) { return each.alike(term); });
    if (known == terms_.end())
      terms_.push_back(term);
    else
      known->factor = std::min(known->factor + term.factor, mostFactor);
  }

  Sum plus(const Sum &other) const {
    Sum sum = *this;
    for (const Term &each : other.terms_)
      sum.add(each);
    return sum;
  }

  Sum times(const Sum &other) const {
    Sum product({});
    for (const Term &a : terms_) {
      for (const Term &b : other.terms_) {
        Term term{std::min(a.factor, mostFactor / std::max<std::int64_t>(b.factor, 1)) * b.factor,
                  a.atoms};
        term.atoms.insert(term.atoms.end(), b.atoms.begin(), b.atoms.end());
        std::ranges::stable_sort(term.atoms, {}, [](const ExprPtr &e) { return toString(e); });
        product.add(term);
      }
    }
    return product;
  }

  ExprPtr expression() const {
    ExprPtr sum = intLiteral(0);
    for (const Term &each : terms_) {
      ExprPtr term = intLiteral(each.factor);
      for (const ExprPtr &atom : each.atoms)
        term = algebra::mul(term, atom);
      sum = algebra::add(sum, term);
    }
    return sum;
  }

private:
  explicit Sum(std::vector<Term> terms) : terms_(std::move(terms)) {}

  std::vector<Term> terms_;
};

/// Upper bounds of expressions as sums; an operation of more than `mostOfAtom` characters is bounded by its operands.
class Bounds {
public:
  explicit Bounds(std::size_t mostOfAtom) : mostOfAtom_(mostOfAtom) {}

  Sum of(const ExprPtr &e) const {
    if (const auto number = literalValue(e))
      return Sum::of(std::clamp<std::int64_t>(*number, 0, mostFactor));
    if (e->kind == ExprKind::Cast)
      return of(e->args[0]);
    const bool isLinked = isBinary(*e, "+") || isBinary(*e, "*");
    if (isLinked) {
      const Sum a = of(e->args[0]), b = of(e->args[1]);
      return e->op == "+" ? a.plus(b) : a.times(b);
    }
    if (e->args.empty() || toString(e).size() <= mostOfAtom_)
      return Sum::of(e);
    return apart(*e);
  }

private:
  Sum apart(const Expr &e) const {
    if (isBinary(e, "-") || isBinary(e, "/") || isBinary(e, "%") || isBinary(e, ">>"))
      return of(e.args[0]);
    if (e.kind == ExprKind::Call && e.callee == "min") {
      const Sum a = of(e.args[0]), b = of(e.args[1]);
      return b.size() < a.size() ? b : a;
    }
    if (e.kind == ExprKind::Call && e.callee == "max")
      return of(e.args[0]).plus(of(e.args[1]));
    if (e.kind == ExprKind::Select)
      return of(e.args[1]).plus(of(e.args[2]));
    if (e.kind == ExprKind::Call && e.callee == "even_parts")
      return of(e.args[1]);
    return Sum::of(std::make_shared<const Expr>(e));
  }

  std::size_t mostOfAtom_;
};

} // namespace

ExprPtr shortBound(const ExprPtr &e, std::size_t characters) {
  if (!e || toString(e).size() <= characters)
    return e;
  for (const std::size_t mostOfAtom : {std::size_t{100}, std::size_t{0}}) {
    const Sum sum = Bounds(mostOfAtom).of(e);
    if (sum.isTooLong())
      continue;
    const ExprPtr bound = sum.expression();
    if (toString(bound).size() <= characters)
      return bound;
  }
  return nullptr;
}

} // namespace tangram::codegen
