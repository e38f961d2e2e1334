#include "codegen/targets/opencl/kernels/opencl_printer.h"

#include "codegen/form/building.h"
#include "codegen/printing/builtin_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/opencl/kernels/atomic_functions.h"
#include "codegen/targets/opencl/kernels/vector_arrays.h"

namespace tangram::codegen {

using namespace ir;

namespace {

std::string inParentheses(unsigned dimension) { return "(" + std::to_string(dimension) + ")"; }

} // namespace

std::string OpenclPrinter::helper(Function function, bool exact) {
  function.body = withWrapAround(withBuiltinFunctions(function.body, exact), Dialect::OpenCL);
  return functionText(function, "") + "\n";
}

std::string OpenclPrinter::groupNumber(unsigned dimension) const {
  return "get_group_id" + inParentheses(dimension);
}

std::string OpenclPrinter::groupCount(unsigned dimension) const {
  return "get_num_groups" + inParentheses(dimension);
}

std::string OpenclPrinter::itemNumber(unsigned dimension) const {
  return "get_local_id" + inParentheses(dimension);
}

std::string OpenclPrinter::signature() {
  if (!isLiteral(kernel_.groupSize, 1) || kernel_.groupSizeY)
    line("__attribute__((reqd_work_group_size(" + expression(kernel_.groupSize) + ", " +
         (kernel_.groupSizeY ? expression(kernel_.groupSizeY) : "1") + ", 1)))");
  return "__kernel void " + kernel_.name;
}

std::string OpenclPrinter::pointer(const Var &buffer, bool isWritten, bool isAlone) const {
  return std::string("__global ") + (isWritten ? "" : "const ") + openclName(buffer.type.scalar) +
         (isAlone ? " *restrict " : " *") + nameOf(&buffer);
}

void OpenclPrinter::locals() {
  for (const VarPtr &local : launch_.locals) {
    const Buffer &buffer = *plan_.bufferOf(local);
    const bool ofVectors = buffer.ofVectors || isReadByFours(launch_.groups->children[0], *local);
    line(std::string("__local ") + (ofVectors ? "__attribute__((aligned(16))) " : "") +
         openclName(local->type.scalar) + " " + nameOf(local.get()) + "[" +
         extent(inSizes(buffer.count)) + "];");
  }
}

std::string OpenclPrinter::barrierText(bool global) const {
  return global ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                : "barrier(CLK_LOCAL_MEM_FENCE);";
}

std::string OpenclPrinter::unrollHint(unsigned times) const {
  return "#pragma unroll " + std::to_string(times);
}

std::string OpenclPrinter::typeName(Scalar type) const {
  return type == Scalar::Index && plan_.mostIndex ? indexType : openclName(type);
}

std::string OpenclPrinter::literal(const Expr &e) const {
  return e.type.scalar == Scalar::Index ? std::to_string(e.integer) : CPrinter::literal(e);
}

std::string OpenclPrinter::callText(const Expr &call, const std::vector<std::string> &args) const {
  // Absolute values are unsigned.
  if (call.callee == "abs" && isSigned(call.type.scalar))
    return "(" + typeName(call.type.scalar) + ")" + CPrinter::callText(call, args);
  if (call.callee == "sincos")
    return CPrinter::callText(call, {args[0], "&" + args[1]});
  const bool chooses = call.callee == "min" || call.callee == "max";
  if (isFloating(call.type.scalar) && (chooses || call.callee == "fmin" || call.callee == "fmax"))
    return numberFunction(call.callee, call, args);
  if (!chooses)
    return CPrinter::callText(call, args);
  return overloaded(call, args);
}

std::string OpenclPrinter::saturated(const Expr &cast, const std::string &operand) const {
  const Scalar type = cast.type.scalar;
  const std::string converted = "convert_" + openclName(type) + "_sat(" + operand + ")";
  return typeName(type) == openclName(type) ? converted : "(" + typeName(type) + ")" + converted;
}

std::string OpenclPrinter::vectorConversion(Scalar type, unsigned lanes,
                                            const std::string &operand) const {
  return "as_" + vectorName(type, lanes) + "(" + operand + ")";
}

std::string OpenclPrinter::atomicName(const Expr &atomic) const {
  const Buffer *buffer = plan_.bufferOf(atomic.args[0]->args[0]->var);
  return openclAtomicName(atomicUse(atomic, buffer));
}

std::string OpenclPrinter::vectorLoad(const Var &array, const std::string &first,
                                      unsigned lanes) const {
  return isGlobal(array) ? "load_" + vectorName(array.type.scalar, lanes) + "(&" + first + ")"
                         : "vload" + std::to_string(lanes) + "(0, &" + first + ")";
}

std::string OpenclPrinter::vectorStore(const Var &array, const std::string &first, unsigned lanes,
                                       Operator, const std::string &value) const {
  return isGlobal(array)
             ? "store_" + vectorName(array.type.scalar, lanes) + "(" + value + ", &" + first + ")"
             : "vstore" + std::to_string(lanes) + "(" + value + ", 0, &" + first + ")";
}

} // namespace tangram::codegen
