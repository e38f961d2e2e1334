// Strategy `all`: every complete plan within a number of iterations, as a space
// that is counted without being built and read at any index.
//
// One iteration expands every open compose of a candidate once (dissertation
// figure 6.4), so the plans of a goal within n iterations are, for each of its
// rules, the product of the plans of what the rule leaves open within n - 1:
//
//   count(goal, n) = sum over rules of product over open goals of count(open, n - 1)
//
// One family of plans for each (goal, n), its counts exact (they grow doubly
// exponentially where maps can be serialized). Rules stand in order of
// preference and the last goal varies fastest, so the index of a plan is its
// rank: plan 0 is the best.
#pragma once

#include "composer/plans/plan_build.h"
#include "composer/plans/plan_order.h"
#include "ir/diagnostic.h"

#include <gmpxx.h>
#include <map>
#include <memory>
#include <optional>

namespace tangram::composer {

struct PlanFamily;

/// The plans of an order's root within a number of iterations. Copies are cheap and share
/// everything; not for use by several threads at once.
class PlanSpace {
public:
  /// Error: a count would need more than 2^24 bits (5 million digits). The order must outlive the space.
  static std::variant<PlanSpace, ir::Diagnostic> make(const RuleOrder &order, unsigned iterations,
                                                      PlanInterner interner);

  const mpz_class &count() const;
  /// Plan number `index`, 0 <= index < count(): built directly, without building the others.
  ir::PlanPtr at(const mpz_class &index) const;
  /// The other way round; nothing of a plan that is not in the space.
  std::optional<mpz_class> indexOf(const ir::PlanPtr &plan) const;

private:
  friend class PlanCursor;
  struct Families;
  std::shared_ptr<Families> families;
  PlanFamily *root = nullptr;
};

/// Walks a space in order, sharing subplans: far faster than calling at() for each index.
class PlanCursor {
public:
  /// Starts before the first plan.
  explicit PlanCursor(PlanSpace space);
  ~PlanCursor();
  PlanCursor(PlanCursor &&) noexcept;
  PlanCursor &operator=(PlanCursor &&) noexcept;
  /// The next plan; null after the last.
  ir::PlanPtr next();

private:
  struct Walker;
  PlanSpace space;
  std::unique_ptr<Walker> walker;
};

} // namespace tangram::composer
