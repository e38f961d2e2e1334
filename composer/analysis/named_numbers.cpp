#include "composer/analysis/named_numbers.h"

#include "composer/analysis/called_spectrums.h"
#include "ir/casts.h"
#include "ir/large_literal.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tangram::composer {

namespace {

using namespace ir;

/// Whether the operands of `e` but the first one are positions or sizes, and no values.
bool isAboutPositions(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Size:
  case ExprKind::Partition:
  case ExprKind::Pad:
  case ExprKind::Allocate:
  case ExprKind::Sequence:
  case ExprKind::Index:
    return true;
  default:
    return false;
  }
}

class Numbers {
public:
  explicit Numbers(const Program &program) : program_(program) {}

  void addBody(const StmtPtr &s) {
    if (!s || s->kind == StmtKind::Require || (s->var && s->var->kind == VarKind::Tunable))
      return;
    if (s->kind == StmtKind::For)
      return addBody(s->children[2]);
    forEachOwnExpr(*s, [&](const ExprPtr &e) { addExpression(e, false); });
    for (const StmtPtr &child : s->children)
      addBody(child);
  }

  NamedNumbers take() {
    NamedNumbers all = std::move(compared_);
    const auto append = [](auto &to, const auto &more) {
      for (const auto &number : more) {
        if (std::ranges::count(to, number) == 0)
          to.push_back(number);
      }
    };
    append(all.integers, others_.integers);
    append(all.reals, others_.reals);
    return all;
  }

private:
  /// `isCompared`: `e` is an operand of a comparison or of a call, such as min and max.
  void addExpression(const ExprPtr &e, bool isCompared) {
    if (!e)
      return;
    if (e->kind == ExprKind::Literal)
      return addLiteral(*e, isCompared ? compared_ : others_);
    if (e->kind == ExprKind::Call && called_.insert(e->callee).second) {
      const auto function = std::ranges::find(program_.functions, e->callee, &Function::name);
      if (function != program_.functions.end())
        addBody(function->body);
    }
    const bool keeps = e->kind == ExprKind::Cast || e->kind == ExprKind::Unary;
    const bool compares =
        (e->kind == ExprKind::Binary && e->op.isComparison()) || e->kind == ExprKind::Call;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      if (i == 0 || !isAboutPositions(*e))
        addExpression(e->args[i], compares || (keeps && isCompared));
    }
  }

  static void addLiteral(const Expr &e, NamedNumbers &to) {
    const auto add = [](auto &list, auto number) {
      if (number != 0 && number != 1 && std::ranges::count(list, number) == 0)
        list.push_back(number);
    };
    if (isFloating(e.type.scalar)) {
      if (std::isfinite(e.real))
        add(to.reals, std::abs(e.real));
    } else if (e.type.scalar != Scalar::Bool) {
      const auto bits = static_cast<std::uint64_t>(e.integer);
      add(to.integers, e.integer < 0 && !isAboveSigned(e) ? -bits : bits);
    }
  }

  const Program &program_;
  std::set<std::string> called_;
  NamedNumbers compared_, others_;
};

} // namespace

NamedNumbers numbersNamedIn(const Program &program, const std::string &spectrum) {
  std::vector<const Spectrum *> spectrums = calledBy(program, spectrum);
  if (const Spectrum *own = program.spectrum(spectrum))
    spectrums.insert(spectrums.begin(), own);
  Numbers numbers(program);
  for (const Spectrum *each : spectrums) {
    for (const Codelet &codelet : each->codelets)
      numbers.addBody(codelet.body);
  }
  return numbers.take();
}

} // namespace tangram::composer
