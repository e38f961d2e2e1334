#include "ir/expression_length.h"

namespace tangram::ir {

namespace {

/// Takes the nodes of `e` from `left`, as long as there are some.
bool take(const ExprPtr &e, std::size_t &left) {
  if (left == 0)
    return false;
  --left;
  for (const ExprPtr &arg : e->args) {
    if (arg && !take(arg, left))
      return false;
  }
  return true;
}

} // namespace

bool isLongerThan(const ExprPtr &e, std::size_t nodes) { return e && !take(e, nodes); }

} // namespace tangram::ir
