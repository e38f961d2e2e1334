// What must hold of the kernel form between passes, checked without running it.
//
//   names     every variable that is read or written is declared where the code can see it, once,
//             and some definition of it reaches every use; memory is the plan's or a declared array
//   workers   a worker's number is used by that worker alone; what a worker declares is its own, and
//             after expandWorkerVariables visible in its own block alone (before, the same worker
//             sees it in the pieces that follow); what is declared outside is not assigned by
//             workers that share it
//   levels    a Parallel is of a level below the one that runs it; barriers are met by whole groups
//             and stand in no branch or loop that items may take differently
//   types     each operation has the type that C gives it, subscripts are integers, arrays are
//             accessed by one subscript, and nothing of the language is left that only codelets have
#pragma once

#include "codegen/kernel/kernel_ir.h"

#include <string>
#include <vector>

namespace tangram::codegen {

struct VerifierStage {
  bool expanded = false;      ///< expandWorkerVariables has run
  bool lanesAreLoops = false; ///< items are loops of one activity that shares what is outside
};

struct Violation {
  ir::SourceLocation location; ///< may be unknown
  std::string statement;
  std::string message;

  /// "sum.cpp:3:5: x is read, and no definition reaches it, in 'y = x;'".
  std::string text() const;
};

/// Everything that does not hold, in the order of the code.
std::vector<Violation> verify(const LoweredPlan &plan, const VerifierStage &stage);

/// The types of an expression's nodes alone; what is wrong with the first that has another one than C
/// gives it, else empty.
std::string wrongType(const LoweredPlan &plan, const ir::ExprPtr &e);

} // namespace tangram::codegen
