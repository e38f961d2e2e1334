// Kernels in OpenCL C 1.2: groups are work-groups, items work-items.
#pragma once

#include "codegen/printing/kernel_printer.h"

namespace tangram::codegen {

class OpenclPrinter : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

  /// A helper function of the kernels.
  std::string helper(ir::Function function, bool exact);

protected:
  std::string groupNumber(unsigned dimension) const override;
  std::string groupCount(unsigned dimension) const override;
  std::string itemNumber(unsigned dimension) const override;
  std::string signature() override;
  std::string pointer(const ir::Var &buffer, bool isWritten, bool isAlone) const override;
  void locals() override;
  std::string barrierText(bool global) const override;

  std::string typeName(ir::Scalar type) const override;
  std::string literal(const ir::Expr &e) const override;
  std::string callText(const ir::Expr &call, const std::vector<std::string> &args) const override;
  std::string saturated(const ir::Expr &cast, const std::string &operand) const override;
  std::string vectorConversion(ir::Scalar type, unsigned lanes,
                               const std::string &operand) const override;
  std::string atomicName(const ir::Expr &atomic) const override;
  std::string unrollHint(unsigned times) const override;
  std::string vectorLoad(const ir::Var &array, const std::string &first,
                         unsigned lanes) const override;
  std::string vectorStore(const ir::Var &array, const std::string &first, unsigned lanes,
                          ir::Operator op, const std::string &value) const override;
};

} // namespace tangram::codegen
