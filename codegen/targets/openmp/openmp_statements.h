// The statements of a plan in C, as its threads run them with OpenMP: groups are threads, items are
// SIMD lanes written as loops.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"
#include "codegen/targets/openmp/vector_functions.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen {

/// Prints the statements of a plan, and knows afterwards what their text needs to be declared
/// before it.
class OpenmpStatements : public CPrinter {
public:
  explicit OpenmpStatements(const LoweredPlan &plan);

  /// Takes over what the text of another printer needs to be declared.
  void addHelpersOf(const OpenmpStatements &other);

  /// A function of the source that the plan calls.
  std::string helper(ir::Function function);

  /// Whether the text takes absolute values of integers, which <stdlib.h> declares.
  bool takesAbsolutes() const { return takesAbsolutes_; }

  /// The functions of <math.h> that the text calls.
  const MathFunctions &called() const { return called_; }

  /// The types of vectors that the text needs.
  std::string vectorTypes() const;

  /// Functions that transpose blocks of vectors: each step doubles the rows that a vector has
  /// elements of.
  std::string turningFunctions() const;

  /// Macros that choose between elements of two vectors.
  std::string selectingMacros() const;

  /// Functions that choose one of two numbers: min, max.
  std::string numberFunctions() const;

protected:
  std::string typeName(ir::Scalar type) const override { return cName(type); }
  std::string vectorName(ir::Scalar type, unsigned lanes) const override;
  std::string turning(ir::Scalar type, unsigned lanes) const override;
  std::string selecting(ir::Scalar type, unsigned lanes) const override;
  std::string callText(const ir::Expr &call, const std::vector<std::string> &args) const override;
  bool isHelper(const std::string &function) const;
  std::string atomicName(const ir::Expr &atomic) const override;
  ir::ExprPtr conditionToUnroll(const std::vector<const ir::Stmt *> &around,
                                const ir::Stmt &loop) const override;
  std::string unrollHint(unsigned times) const override;
  std::string sideBySideHint() const override { return "#pragma omp simd"; }
  void barrier(const ir::Stmt &) override {}
  bool hasBraces(const ir::Stmt &s) const override;
  void parallel(const ir::Stmt &s) override;

  const LoweredPlan &plan_;
  const bool hasThreads_;                   ///< otherwise its language is C99
  std::vector<const Buffer *> temporaries_; ///< memory of the call

private:
  /// The schedule of a loop over groups. Tiles, and parts that one loop goes over, go to the
  /// threads that have time, so that none waits for one that wakes up late or shares a core. Parts
  /// that several loops go over are the same thread's in all of them, and stay in its cache.
  std::string schedule(const ir::Stmt &s) const;
  /// `e` with the definitions of its constants in their places: tiles of several dimensions are
  /// counted in a row.
  ir::ExprPtr withConstants(const ir::ExprPtr &e) const;
  /// Chains of a worker of the level, of which GCC unrolls 65534 at most.
  unsigned mostChains(int level) const;
  /// Whether `s` declares arrays that are large for each lane, which compilers give a copy of its
  /// own.
  bool hasLargeArrays(const ir::StmtPtr &s) const;
  bool hasLocal(const ir::Stmt &s) const;
  void head(const ir::Stmt &s);
  /// A thread's code: its local buffers first, in a scope of their own.
  void groupBody(const ir::Stmt &s, bool scope);

  /// A worker's part of an array of the call.
  struct Slice {
    std::string name;
    ir::ExprPtr begin;
  };

  /// Parts of the memory of the call have names of their own. Compilers that are told of a part as
  /// a sum in each subscript add it up for each element.
  void beginSlices(const ir::Stmt &s);
  std::string elementText(const ir::Expr &element) const override;

  const std::map<const ir::Var *, ir::ExprPtr> constants_;
  std::map<const ir::Var *, Slice> slices_; ///< of the worker at hand
  bool inGroup_ = false;
  mutable std::set<std::pair<ir::Scalar, unsigned>> vectors_;
  mutable std::set<std::pair<ir::Scalar, unsigned>> turned_; ///< types of blocks that are turned
  mutable std::set<std::pair<ir::Scalar, unsigned>> selected_;
  mutable bool takesAbsolutes_ = false;
  mutable MathFunctions called_;
};

} // namespace tangram::codegen
