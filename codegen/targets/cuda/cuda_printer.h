// Kernels in CUDA C++: groups are blocks, items threads.
#pragma once

#include "codegen/printing/kernel_printer.h"

namespace tangram::codegen {

class CudaPrinter : public KernelPrinter {
public:
  /// `isExact`: no product is rounded together with a sum.
  CudaPrinter(const LoweredPlan &plan, const Launch &launch, const std::string &name, bool isExact);

  /// A helper function of the kernels.
  std::string helper(ir::Function function);

protected:
  std::string groupNumber(unsigned dimension) const override;
  std::string groupCount(unsigned dimension) const override;
  std::string itemNumber(unsigned dimension) const override;
  std::string signature() override;
  std::string pointer(const ir::Var &buffer, bool isWritten, bool isAlone) const override;
  void locals() override;
  void localsOfWarps() override;
  std::string barrierText(bool global) const override;
  std::string warpBarrierText() const override { return "__syncwarp();"; }
  std::string sizeText(const std::string &name, const std::string &value) const override {
    return "constexpr " + indexName() + " " + name + " = " + value + ";";
  }
  void begin() override;

  std::string typeName(ir::Scalar type) const override;
  std::string callText(const ir::Expr &call, const std::vector<std::string> &args) const override;
  std::string operatorFunction(const ir::Expr &e) const override;
  std::string atomicName(const ir::Expr &atomic) const override;
  std::string unrollHint(unsigned times) const override;
  std::string vectorLoad(const ir::Var &array, const std::string &first,
                         unsigned lanes) const override;
  std::string vectorStore(const ir::Var &array, const std::string &first, unsigned lanes,
                          ir::Operator op, const std::string &value) const override;

private:
  ir::ExprPtr elementsOf(const ir::VarPtr &local) const;
  std::string storageOf(const ir::VarPtr &local) const;
  std::string lanesOf(const ir::Var &array, unsigned lanes) const;

  bool isExact_;
};

/// Whether blocks of the plan's machine may ask for more memory than kernels can declare (48 KB): then all of it is asked
/// for when a kernel is launched.
bool asksForShared(const LoweredPlan &plan);

} // namespace tangram::codegen
