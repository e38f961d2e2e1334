// Forward substitution: the element of a temporary that one nest writes, as what it is made of, where other nests read it.
//
//   for (r, i) t[r][i] = x[r][i] * c;
//   for (r) { for (i) top = max(top, t[r][i]); ... }        ->        for (r) { for (i) top = max(top, x[r][i] * c); ... }
//
// Each round of the first nest writes one element, of one or no element of what the codelet only reads. So nobody reads more
// than before, and the container goes. Elements that nothing has written have no values, and are not read.
#pragma once

#include "ir/program.h"

#include <set>

namespace tangram::composer {

/// The body of a codelet. `temporaries`: parameters that nobody sees when it is done.
ir::StmtPtr withForwardedElements(const ir::Codelet &codelet,
                                  const std::set<const ir::Var *> &temporaries);

} // namespace tangram::composer
