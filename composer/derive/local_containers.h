// Local containers of a codelet that calls no spectrum, as parameters.
//
//   void f(x, y) {                                       void f(x, y) {
//     Array<1, float> t(x.size());                         Array<1, float> t(x.size());
//     for (i) t[i] = g(x[i]);                    ->        f_loops(x, t, y);
//     for (i) y[i] = h(t[i]);                            }
//   }
//
// The analysis of nests knows the elements of parameters, so that codelets follow from `f_loops` as from any loops.
#pragma once

#include "ir/program.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

struct LocalContainer {
  ir::VarPtr container;             ///< a parameter
  std::vector<ir::ExprPtr> extents; ///< over sizes and parameters of the codelet
};

/// "  Array<1, float> t(x.size());", in a line.
std::string declarationOf(const LocalContainer &local);

struct LocalContainers {
  ir::Codelet
      codelet; ///< with the containers behind its parameters; it requires that they have their extents
  std::vector<LocalContainer> containers;
};

/// Nothing where the codelet has none, or an extent is not known before the codelet begins.
std::optional<LocalContainers> withLocalContainers(const ir::Codelet &codelet);

} // namespace tangram::composer
