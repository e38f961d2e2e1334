// Whether two pieces of memory have an element in common.
//
// The non-overlap test for sets of LMADs of Munksgaard 2023, section 3.3 (notes/
// index-functions-and-dispatch.md 1.2, with its errata), in one difference form. Two LMADs
//   t1 + sum i_k * d_k, i_k in [0, s_k)   and   t2 + sum j_k * d_k, j_k in [0, r_k)
// meet where the sum of intervals  sum x_k * d_k  is 0 for some x_k = i_k - j_k + c_k, with
// the c_k distributing t1 - t2 over the strides. A dimension whose stride is above all that the
// smaller ones can add up to must have x_k = 0 there (the LMAD is injective in it); one that
// is not is split into the few values it can have, with a bound on how many.
#pragma once

#include "algebra/inequalities.h"

#include <utility>
#include <vector>

namespace tangram::algebra {

/// { offset + sum y_k * stride_k | 0 <= y_k < extent_k }; no element when an extent is below 1.
struct Lmad {
  struct Dimension {
    Polynomial extent, stride;
  };
  Polynomial offset;
  std::vector<Dimension> dims;
};

/// All positions that are linear in the numbers of rounds (unknowns, each from 0 to below a count), in as many
/// dimensions as they are; the others stay unknowns of the offset.
Lmad byRounds(const Polynomial &position, const std::vector<std::pair<Atom, Polynomial>> &rounds);

/// Whether no element is in both, for all values that the facts allow. False: not proved.
bool disjoint(const Lmad &a, const Lmad &b, const Inequalities &facts);
/// The same of the unions.
bool disjoint(const std::vector<Lmad> &a, const std::vector<Lmad> &b, const Inequalities &facts);

} // namespace tangram::algebra
