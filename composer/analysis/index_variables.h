// Codelets count positions in `unsigned` and `int`, as everybody does; kernels
// must stay right above 2^32 elements. This pass finds the integer locals and
// tunables that only ever hold sizes and positions and gives them a type wide
// enough: Scalar::Index, or I64 where they may go below zero.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

/// The program with the index variables of its codelets widened.
///
/// An index variable is a scalar local of type int, unsigned or a 64-bit integer,
/// or a tunable,
///  - whose every value comes from container sizes, coopIdx(), coopDim(), tunables,
///    `__positional` parameters, literals and other such variables through + - * / % <<
///    >> min max ?: and integer conversions (not through data, other scalar parameters,
///    or & | ^ ~), and
///  - which is (part of) a subscript, an argument of partition or sequence or the
///    extent of an array or local container, holds a container's size, is compared
///    with such a variable, or gives one of them a value.
/// What looks like a hash or a random sequence keeps its width, as it counts on
/// wrapping: literals above 2^31 - 1, factors above 65535, and variables that
/// multiply themselves in a loop they do not end.
///
/// Unsigned variables become Index. Signed ones become I64 when a value of theirs
/// involves a subtraction, a negative literal or such a variable (countdown loops
/// to `i >= 0`), and Index otherwise.
///
/// Expressions over index variables are retyped, literals in them included. Where
/// such an expression meets data (`accum + i`, a call's argument, `return i`) it
/// is converted to the type it had in the source, so data keeps its arithmetic.
ir::Program widenIndexVariables(const ir::Program &program);

} // namespace tangram::composer
