// What a sequential codelet's loops and requirements say of the sizes that it is used for: of filters, whose elements
// each result adds up, that they are small, and of what is cut into equal parts that it divides.
#pragma once

#include "ir/program.h"
#include "runtime/bundle/manifest.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace tangram::driver {

/// The extent that the size of a container of this codelet's is in a signature of its spectrum, or the parameter that
/// `what` is; "": neither.
std::string nameOf(const ir::Expr &what, const ir::Codelet &codelet,
                   const runtime::Signature &signature);

/// Extents of filters, as `rootOf` names them by the one that they follow from ("": none is chosen): a loop inside another one goes up to it, no written element is named by that loop's counter, which
/// is added to another counter (`x[i + p]`); or a contract adds the extent to other sizes or takes it from them:
/// `y.size(1) == x.size(1) - w.size(1) + 1`. A container that slides over itself, `x[i] * x[i + lag]`, is no filter.
std::set<std::string> filterExtents(const ir::Codelet &codelet, const runtime::Signature &signature,
                                    const std::function<std::string(const std::string &)> &rootOf);

/// Extents that have to be multiples of a number: `require(x.size(0) % 3 == 0)`.
std::map<std::string, std::uint64_t> multiples(const ir::Codelet &codelet,
                                               const runtime::Signature &signature);

} // namespace tangram::driver
