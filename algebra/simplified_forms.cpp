#include "algebra/simplified_forms.h"

#include <algorithm>

namespace tangram::algebra {

using namespace ir;

ExprPtr SimplifiedForms::find(const ExprPtr &e, const ExpressionForm &form) const {
  const Kept *kept = nullptr;
  {
    const std::lock_guard lock(lock_);
    const auto found = known_.find(form.digest());
    if (found == known_.end())
      return nullptr;
    kept = &found->second; // which stays where it is, as it is
  }
  if (!kept->result)
    return e;
  const auto &numbered = form.numbered();
  const auto isOwn = [&](const auto &each) { return numbered[each.second].var == each.first; };
  if (std::ranges::all_of(kept->numbers, isOwn))
    return kept->result;
  return rewrite(kept->result, [&](const ExprPtr &each) -> ExprPtr {
    if (!each->var)
      return each;
    const auto number =
        std::ranges::find(kept->numbers, each->var, &std::pair<VarPtr, std::size_t>::first);
    const VarPtr &var = numbered[number->second].var;
    if (var == each->var)
      return each;
    auto own = std::make_shared<Expr>(*each);
    own->var = var;
    return own;
  });
}

void SimplifiedForms::keep(const ExprPtr &e, const ExpressionForm &form, const ExprPtr &result) {
  Kept kept;
  bool isKnown = true;
  if (result != e) {
    kept.result = result;
    forEach(result, [&](const Expr &each) {
      if (!each.var || std::ranges::any_of(kept.numbers, [&](const auto &known) {
            return known.first == each.var;
          }))
        return;
      const auto number =
          std::ranges::find(form.numbered(), each.var, &ExpressionForm::Numbered::var);
      isKnown &= number != form.numbered().end();
      kept.numbers.emplace_back(each.var, number - form.numbered().begin());
    });
  }
  const std::lock_guard lock(lock_);
  if (isKnown)
    known_.try_emplace(form.digest(), std::move(kept));
}

} // namespace tangram::algebra
