// Kernels of devices as text: a launch whose groups are the device's, and whose items run the code side by side and meet at
// barriers. What targets have in common; one derives from it and spells indexes, barriers, memory and types.
#pragma once

#include "codegen/form/launch.h"
#include "codegen/printing/c_printer.h"
#include "codegen/printing/place_offsets.h"
#include "codegen/printing/source.h"

#include <optional>
#include <set>
#include <string>

namespace tangram::codegen {

class KernelPrinter : public CPrinter {
public:
  KernelPrinter(const LoweredPlan &plan, const Launch &launch, std::string name);

  /// The text of the kernel; `kernel` becomes what a host has to know of it.
  std::string run(Kernel &kernel);

  /// The functions that what was printed calls.
  std::set<NumberFunction> takeNumberFunctions() { return std::move(numberFunctions_); }

protected:
  // How a target spells what all have. Dimensions count from 0.
  virtual std::string groupNumber(unsigned dimension) const = 0;
  virtual std::string groupCount(unsigned dimension) const = 0;
  virtual std::string itemNumber(unsigned dimension) const = 0;
  /// What stands before the parameters, and lines of its own above.
  virtual std::string signature() = 0;
  /// The parameter of a buffer. `isAlone`: nothing else leads to its memory.
  virtual std::string pointer(const ir::Var &buffer, bool isWritten, bool isAlone) const = 0;
  /// Declares the memory of the group.
  virtual void locals() = 0;
  /// Declares what each warp has of it, where numbers of items and warps have names.
  virtual void localsOfWarps() {}
  /// A barrier of all items. `global`: they see each other's writes to global memory behind it.
  virtual std::string barrierText(bool global) const = 0;
  /// A barrier of the items of a warp.
  virtual std::string warpBarrierText() const { return barrierText(false); }
  /// Declares a constant that arrays can have for an extent.
  virtual std::string sizeText(const std::string &name, const std::string &value) const {
    return "enum { " + name + " = " + value + " };";
  }
  virtual std::string unrollText() const { return "#pragma unroll"; }

  // Hooks, for what only some compilers need.
  virtual void begin() {} ///< before names are chosen
  virtual void keep() {}  ///< between two statements that are to stay apart

  std::string elementText(const ir::Expr &element) const override;
  /// A call of a function that is overloaded: all arguments have the very type of the result.
  std::string overloaded(const ir::Expr &call, std::vector<std::string> args) const;
  /// An extent over tunables, with the names of sizes in the places of their values.
  ir::ExprPtr inSizes(ir::ExprPtr e) const;
  std::string indexName() const { return typeName(ir::Scalar::Index); }
  bool isGlobal(const ir::Var &array) const;
  /// The number of the warp.
  const std::string &rowName() const { return row_; }
  void unique(const ir::Var *var);

  bool hasBraces(const ir::Stmt &s) const override;
  void barrier(const ir::Stmt &) override;
  void parallel(const ir::Stmt &s) override;

  const LoweredPlan &plan_;
  const Launch &launch_;
  Kernel kernel_;
  bool hasBarriers_ = false;
  std::set<std::string> given_; ///< names that no variable gets

private:
  bool hasItsType(const ir::Expr &e) const;
  void one(const ir::Stmt &s);
  void oneWarp(const ir::Stmt &s);
  void items(const ir::Stmt &s);
  void groups(const ir::Stmt &s, unsigned dimension);
  void loop(const ir::Stmt &s, const std::string &from, const std::string &step);
  void rowItems();
  std::string titleOf(int level) const;
  void chooseNames();
  void print();
  void parameters();

  std::optional<PlaceOffsets> places_; ///< where indexes may take 32 bits
  bool inWarp_ = false;                ///< in code that one warp runs by itself
  std::string item_;
  std::string row_;                     ///< the item's row, in a launch of two dimensions
  std::set<const ir::Stmt *> rowItems_; ///< Parallels of the items of a row
};

/// The type of indexes, where it takes 32 bits or 64.
inline constexpr const char *indexType = "index_t";

} // namespace tangram::codegen
