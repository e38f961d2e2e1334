// What must hold of both forms between passes, checked without running them.
//
//   names     every variable that is read or written is declared where the code can see it, once,
//             and some definition of it reaches every use; memory is the plan's or a declared array
//   workers   a worker's number is used by that worker alone; what a worker declares is its own, and
//             in the expanded form visible in its own block alone (before, the same worker
//             sees it in the pieces that follow); what is declared outside is not assigned by
//             workers that share it
//   levels    a Parallel is of a level below the one that runs it; barriers are met by whole groups
//             and stand in no branch or loop that items may take differently
//   types     each operation has the type that C gives it, subscripts are integers, arrays are
//             accessed by one subscript, and nothing of the language is left that only codelets have
//
// In the array form an access has a subscript for each dimension of its array, and besides
//
//   arrays    each has a bound for each of its extents, which the host can evaluate; it is used after its
//             Allocate, by the worker of its owner's level that has allocated it, or by workers below
//   windows   each begins somewhere along every dimension of an array that is there, and each dimension of its
//             own runs along one of them, with a step, an extent, and a bound that the host can evaluate
//   padding   an array that continues another one has its type and its dimensions, and for each end an extent
//             with a bound, and a value beyond where that is a constant
//
// Windows and allocations are none of the kernel form.
#pragma once

#include "codegen/form/forms.h"
#include "codegen/form/kernel_ir.h"

#include <string>
#include <vector>

namespace tangram::codegen {

class ArrayRanks;

struct Violation {
  ir::SourceLocation location; ///< may be unknown
  std::string statement;
  std::string message;

  /// "sum.cpp:3:5: x is read, and no definition reaches it, in 'y = x;'".
  std::string text() const;
};

/// Everything that does not hold of a plan in this form, in the order of the code.
std::vector<Violation> verify(const LoweredPlan &plan, Form form);

/// The types of an expression's nodes alone; what is wrong with the first that has another one than C
/// gives it, else empty. Of the array form where there are `ranks`.
std::string wrongType(const LoweredPlan &plan, const ir::ExprPtr &e,
                      const ArrayRanks *ranks = nullptr);

} // namespace tangram::codegen
