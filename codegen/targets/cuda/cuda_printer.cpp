#include "codegen/targets/cuda/cuda_printer.h"

#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/building.h"
#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/cuda/warp_registers.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Bytes of shared memory that a kernel can declare.
constexpr std::uint64_t mostDeclared = 49152;

/// Where the next array of a block may begin: at a multiple of 16 bytes.
ExprPtr wholeVectors(const ExprPtr &bytes) {
  return binary("*", binary("/", binary("+", bytes, intLiteral(15)), intLiteral(16)),
                intLiteral(16));
}

std::string along(const char *what, unsigned dimension) {
  return std::string(what) + (dimension == 0 ? ".x" : ".y");
}

} // namespace

bool asksForShared(const LoweredPlan &plan) {
  return std::ranges::any_of(plan.machine->levels, [&](const composer::Level &level) {
    const composer::Memory *local = level.memoryNamed("local");
    if (!local)
      return false;
    const auto own = local->targetBytes.find(plan.target->name);
    return (own == local->targetBytes.end() ? local->bytes : own->second) > mostDeclared;
  });
}

CudaPrinter::CudaPrinter(const LoweredPlan &plan, const Launch &launch, const std::string &name,
                         bool isExact)
    : KernelPrinter(plan, launch, name), isExact_(isExact) {
  if (!asksForShared(plan) || launch.locals.empty())
    return;
  for (const VarPtr &local : launch.locals) {
    const ExprPtr bytes =
        binary("*", elementsOf(local),
               intLiteral(static_cast<std::int64_t>(byteSize(local->type.scalar))));
    kernel_.shared = kernel_.shared ? binary("+", wholeVectors(kernel_.shared), bytes) : bytes;
  }
}

std::string CudaPrinter::helper(Function function) {
  function.body = withWrapAround(function.body, Dialect::C);
  return functionText(function, "static __device__ inline ") + "\n";
}

void CudaPrinter::begin() {
  for (const char *word : {"threadIdx", "blockIdx", "gridDim", "blockDim", "warpSize",
                           "shared_memory", "class", "new", "delete", "this", "template",
                           "operator", "private", "public", "namespace", "typename", "using"})
    given_.insert(word);
}

std::string CudaPrinter::groupNumber(unsigned dimension) const {
  return along("blockIdx", dimension);
}

std::string CudaPrinter::groupCount(unsigned dimension) const {
  return along("gridDim", dimension);
}

std::string CudaPrinter::itemNumber(unsigned dimension) const {
  return along("threadIdx", dimension);
}

std::string CudaPrinter::signature() {
  ExprPtr threads = kernel_.groupSize;
  if (kernel_.groupSizeY)
    threads = binary("*", threads, kernel_.groupSizeY);
  line("__global__ void __launch_bounds__(" + expression(threads) + ")");
  return kernel_.name;
}

std::string CudaPrinter::pointer(const Var &buffer, bool isWritten, bool isAlone) const {
  return (isWritten ? "" : "const ") + cName(buffer.type.scalar) +
         (isAlone ? " *__restrict__ " : " *") + nameOf(&buffer);
}

ExprPtr CudaPrinter::elementsOf(const VarPtr &local) const {
  return elementsInGroup(plan_, *plan_.bufferOf(local));
}

std::string CudaPrinter::storageOf(const VarPtr &local) const {
  return nameOf(local.get()) + (plan_.bufferOf(local)->space == Space::Warp ? "_of_warps" : "");
}

void CudaPrinter::locals() {
  if (!kernel_.shared) {
    for (const VarPtr &local : launch_.locals)
      line("__shared__ __align__(16) " + cName(local->type.scalar) + " " + storageOf(local) + "[" +
           extent(inSizes(elementsOf(local))) + "];");
    return;
  }
  line("extern __shared__ __align__(16) unsigned char shared_memory[];");
  std::string before;
  for (const VarPtr &local : launch_.locals) {
    const std::string type = cName(local->type.scalar);
    const std::string name = storageOf(local);
    line(type + " *const " + name + " = (" + type + " *)" +
         (before.empty() ? "shared_memory" : before) + ";");
    before = "(shared_memory + ((size_t)((unsigned char *)" + name + " - shared_memory) + " +
             "(size_t)(" + extent(inSizes(elementsOf(local))) + ") * sizeof(" + type +
             ") + 15) / 16 * 16)";
  }
}

void CudaPrinter::localsOfWarps() {
  for (const VarPtr &local : launch_.locals) {
    const Buffer &buffer = *plan_.bufferOf(local);
    if (buffer.space != Space::Warp)
      continue;
    line(cName(local->type.scalar) + " *const " + nameOf(local.get()) + " = " + storageOf(local) +
         (launch_.groupY ? " + " + rowName() + " * (" + extent(buffer.count) + ")" : "") + ";");
  }
}

std::string CudaPrinter::barrierText(bool) const { return "__syncthreads();"; }

std::string CudaPrinter::typeName(Scalar type) const {
  return type == Scalar::Index && plan_.mostIndex ? indexType : cName(type);
}

std::string CudaPrinter::callText(const Expr &call, const std::vector<std::string> &args) const {
  if (call.callee.starts_with(shufflePrefix))
    return call.callee + "(0xffffffff, " + args[0] + ", " + args[1] + ")";
  if (call.callee == "sincos")
    return "sine_and_cosine(" + args[0] + ", &" + args[1] + ")";
  const bool isHelper = std::ranges::any_of(
      plan_.functions, [&](const Function *each) { return each->name == call.callee; });
  if (isHelper)
    return CPrinter::callText(call, args);
  const bool chooses = call.callee == "min" || call.callee == "max";
  if (isFloating(call.type.scalar) && (chooses || call.callee == "fmin" || call.callee == "fmax"))
    return numberFunction(call.callee, call, args);
  if (chooses)
    return overloaded(call, args);
  if (!isFloating(call.type.scalar))
    return CPrinter::callText(call, args);
  Expr renamed = call;
  renamed.callee = libraryName(call.callee, call.type.scalar);
  return CPrinter::callText(renamed, args);
}

/// Compilers round products together with the sums that they go into, wherever they find them.
std::string CudaPrinter::operatorFunction(const Expr &e) const {
  if (!isExact_ || e.op != "*")
    return "";
  return e.type.scalar == Scalar::F32   ? "__fmul_rn"
         : e.type.scalar == Scalar::F64 ? "__dmul_rn"
                                        : "";
}

std::string CudaPrinter::atomicName(const Expr &atomic) const {
  const AtomicUse use = atomicUse(atomic, plan_.bufferOf(atomic.args[0]->args[0]->var));
  if (use.countsGroups)
    return "count_block";
  return use.looks && use.space == Space::Global ? "atomic_look" : cAtomicName(use);
}

std::string CudaPrinter::unrollHint(unsigned times) const {
  return "#pragma unroll " + std::to_string(times);
}

std::string CudaPrinter::lanesOf(const Var &array, unsigned lanes) const {
  const bool isBuffer = std::ranges::any_of(
      plan_.buffers, [&](const Buffer &each) { return each.var.get() == &array; });
  return (isBuffer ? cName(array.type.scalar) : typeName(array.type.scalar)) + ", " +
         std::to_string(lanes);
}

std::string CudaPrinter::vectorLoad(const Var &array, const std::string &first,
                                    unsigned lanes) const {
  return (isGlobal(array) ? "load_lanes<" : "gather_lanes<") + lanesOf(array, lanes) + ">(&" +
         first + ")";
}

std::string CudaPrinter::vectorStore(const Var &array, const std::string &first, unsigned lanes,
                                     Operator, const std::string &value) const {
  return (isGlobal(array) ? "store_lanes<" : "scatter_lanes<") + lanesOf(array, lanes) + ">(&" +
         first + ", " + value + ")";
}

} // namespace tangram::codegen
