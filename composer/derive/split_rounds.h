// Index-set splitting: a loop whose rounds are independent but for one is cut there.
//
//   for (i = 0; i < n; ++i) f(a[i], a[k])      ->      for (i = 0; i < k; ++i) f(a[i], a[k]);
//                                                      f(a[k], a[k]);
//                                                      for (i = k + 1; i < n; ++i) f(a[i], a[k]);
//
// Order is kept. Conditions that are known in a part (`i != k`) are left out of it. Independent rounds that are counted
// down are counted up.
#pragma once

#include "algebra/nests.h"

namespace tangram::composer {

/// The body of the codelet with such loops split, outermost ones; null where there is none.
ir::StmtPtr withSplitRounds(const ir::Codelet &codelet, const algebra::Nest &nest);

} // namespace tangram::composer
