// What expressions were simplified to, for all others of the same form (algebra/expression_form.h).
//
// Plans of one spectrum are made of much the same expressions, whose variables are others in each. What an
// expression is simplified to depends on its form and on that of what is known, and on nothing else, so that what is
// found here is what would be found again.
#pragma once

#include "algebra/expression_form.h"

#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tangram::algebra {

/// By several threads at once, too.
class SimplifiedForms {
public:
  /// Of `e`, with which `form` ends; null: nobody simplified one of this form.
  ir::ExprPtr find(const ir::ExprPtr &e, const ExpressionForm &form) const;
  /// `result`, of variables in `form`, is `e`, with which it ends, simplified; or whatever else `form` asks of it.
  void keep(const ir::ExprPtr &e, const ExpressionForm &form, const ir::ExprPtr &result);

private:
  struct Kept {
    ir::ExprPtr result;                                      ///< null: the same as before
    std::vector<std::pair<ir::VarPtr, std::size_t>> numbers; ///< of the variables in it
  };

  mutable std::mutex lock_;
  std::unordered_map<FormDigest, Kept, FormHash> known_;
};

} // namespace tangram::algebra
