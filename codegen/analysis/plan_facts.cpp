#include "codegen/analysis/plan_facts.h"

#include "algebra/simplify.h"
#include "composer/machine/machine_expression.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

std::optional<std::int64_t>
valueWith(const LoweredPlan &plan, const ir::ExprPtr &e,
          const std::function<std::optional<std::uint64_t>(const Tunable &)> &valueOf) {
  return ir::literalValue(algebra::simplify(ir::rewrite(e, [&](const ir::ExprPtr &part) {
    const Tunable *tunable = part->kind == ir::ExprKind::Var ? plan.tunableOf(part->var) : nullptr;
    const std::optional<std::uint64_t> value = tunable ? valueOf(*tunable) : std::nullopt;
    return value ? ir::intLiteral(static_cast<std::int64_t>(*value)) : part;
  })));
}

std::optional<std::int64_t> defaultValue(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return valueWith(
      plan, e, [](const Tunable &tunable) { return composer::plainNumber(tunable.defaultValue); });
}

std::optional<std::int64_t> leastValue(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return valueWith(plan, e, [](const Tunable &tunable) {
    return std::optional(tunable.values.empty()
                             ? tunable.min
                             : static_cast<std::uint64_t>(std::ranges::min(tunable.values)));
  });
}

std::optional<std::int64_t> valueAtMost(const LoweredPlan &plan, const ir::ExprPtr &e,
                                        std::uint64_t most) {
  return valueWith(plan, e, [&](const Tunable &t) {
    return t.max <= most ? std::optional(t.max) : std::nullopt;
  });
}

void assumePlan(algebra::Inequalities &facts, const LoweredPlan &plan) {
  for (const Tunable &tunable : plan.tunables)
    facts.assume(facts.of(ir::varRef(tunable.var)) -
                 static_cast<std::int64_t>(std::min<std::uint64_t>(tunable.min, 1 << 30)));
  for (const Constraint &each : plan.constraints)
    facts.assumeCondition(each.require);
}

void GrowingPlanFacts::update() const {
  std::vector<std::uint64_t> least;
  for (const Tunable &tunable : plan_.tunables)
    least.push_back(tunable.min);
  if (least != least_ || plan_.constraints.size() < constraints_) {
    known_.reset();
    constraints_ = 0;
    least_ = std::move(least);
    form_.backTo({});
    for (const Tunable &tunable : plan_.tunables) {
      form_.add(tunable.var);
      form_.add(tunable.min);
    }
    atEnd_ = form_.mark();
  }
  form_.backTo(atEnd_);
  for (std::size_t i = constraints_; i < plan_.constraints.size(); ++i) {
    form_.add(plan_.constraints[i].require);
    if (known_)
      known_->assumeCondition(plan_.constraints[i].require);
  }
  constraints_ = plan_.constraints.size();
  atEnd_ = form_.mark();
}

algebra::Inequalities GrowingPlanFacts::now() const {
  update();
  if (!known_) {
    known_.emplace(plan_.proofs);
    assumePlan(*known_, plan_);
  }
  return *known_;
}

bool GrowingPlanFacts::answered(std::uint64_t question, std::initializer_list<ir::ExprPtr> asked,
                                const std::function<bool()> &find) const {
  if (!plan_.proofs)
    return find();
  update();
  form_.add(question);
  for (const ir::ExprPtr &each : asked)
    form_.add(each);
  const ir::ExprPtr no = ir::intLiteral(0);
  algebra::SimplifiedForms &forms = plan_.proofs->simplifiedForms();
  if (const ir::ExprPtr known = forms.find(no, form_); known && form_.isComplete())
    return ir::isLiteral(known, 1);
  const algebra::ExpressionForm form = form_;
  const bool found = find();
  if (form.isComplete())
    forms.keep(no, form, found ? ir::intLiteral(1) : no);
  return found;
}

bool GrowingPlanFacts::isAtLeast(const ir::ExprPtr &a, const ir::ExprPtr &b,
                                 unsigned effort) const {
  return answered(std::uint64_t{effort} << 16 | 0xa1, {a, b}, [&] {
    algebra::Inequalities facts = now();
    return facts.isNonNegative(facts.of(a) - facts.of(b), effort);
  });
}

bool GrowingPlanFacts::mayWrap(const ir::ExprPtr &value) const {
  return answered(0xa2, {value}, [&] {
    algebra::Inequalities facts = now();
    return facts.mayWrap(facts.of(value));
  });
}

} // namespace tangram::codegen
