// A compound codelet as the loops that it means.
//
//   Array<2, float> t(n, m);            Array<2, float> t(n, m);
//   product(a, b, t);                   for (i) for (j) { s = 0; for (k) s += a[i][k] * b[k][j]; t[i][j] = s; }
//   map(relu_row, t, y);          ->    for (r) for (j) y[r][j] = max(t[r][j], 0.0f);
//
// Calls are the first autonomous codelets of what they call, and maps loops of such. Only of codelets that cut nothing up: with
// tunables and partitions an author says how work is shared, which is not what loops are made of.
#pragma once

#include "ir/program.h"

#include <optional>

namespace tangram::composer {

/// Whether the codelet says how its work is shared: it is cooperative, has tunables, or cuts a container into parts of more than
/// one element.
bool isCutByHand(const ir::Codelet &codelet);

/// Whether the codelet says how its work is shared: it is cooperative, has tunables, or cuts a container into parts of more than
/// one element.
bool isCutByHand(const ir::Codelet &codelet);

/// The codelet, which is not cut by hand, with what `spectrum` requires. Nothing where a call is in a condition, or what is
/// called is no sequence of statements: it returns early, names views.
std::optional<ir::Codelet> withInlinedCalls(const ir::Program &program,
                                            const ir::Spectrum &spectrum,
                                            const ir::Codelet &codelet);

} // namespace tangram::composer
