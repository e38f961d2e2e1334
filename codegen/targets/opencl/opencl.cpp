// OpenCL C 1.2 of a plan: macros, helper functions, kernels.
#include "codegen/targets/opencl/opencl.h"

#include "codegen/analysis/atomics.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/builtin_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/opencl/kernels/atomic_functions.h"
#include "codegen/targets/opencl/kernels/opencl_printer.h"
#include "codegen/targets/opencl/pocl/passes.h"
#include "codegen/targets/opencl/pocl/printer.h"

#include <memory>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

const char *const uncontracted =
    "// What is decided by sums of products is decided as the codelets do.\n"
    "#pragma OPENCL FP_CONTRACT OFF\n\n";

/// Loads and stores of neighbours in global memory. They begin at a multiple of as many elements
/// (codegen/passes/array/scalar_replacement_of_parts.cpp), and the memory itself at one of 512 bytes where NVIDIA's driver
/// allocates it; others may use the memory of the application, which can begin anywhere.
std::string vectorAccesses(const LoweredPlan &plan) {
  std::set<std::pair<std::string, unsigned>> loads;
  std::set<std::pair<std::string, unsigned>> stores;
  auto isGlobal = [&](const ExprPtr &e) {
    const Buffer *buffer = e->kind == ExprKind::Index ? plan.bufferOf(e->args[0]->var) : nullptr;
    return buffer && buffer->space == Space::Global;
  };
  forEach(plan.body, [&](const Stmt &loop) {
    if (loop.kind != StmtKind::For || loop.lanes < 2)
      return;
    forEach(loop.children[2], [&](const Stmt &s) {
      if (s.target && isGlobal(s.target))
        stores.emplace(openclName(s.target->type.scalar), loop.lanes);
      if (!s.value)
        return;
      forEach(s.value, [&](const Expr &e) {
        if (const ExprPtr each = std::make_shared<Expr>(e); isGlobal(each))
          loads.emplace(openclName(e.type.scalar), loop.lanes);
      });
    });
  });
  std::string text;
  for (const auto &[type, lanes] : loads) {
    const std::string vector = type + std::to_string(lanes);
    text += "static inline " + vector + " load_" + vector + "(const __global " + type +
            " *from) {\n#if defined(__NV_CL_C_VERSION)\n  return *(const __global " + vector +
            " *)from;\n#else\n  return vload" + std::to_string(lanes) + "(0, from);\n#endif\n}\n\n";
  }
  for (const auto &[type, lanes] : stores) {
    const std::string vector = type + std::to_string(lanes);
    text += "static inline void store_" + vector + "(" + vector + " value, __global " + type +
            " *to) {\n#if defined(__NV_CL_C_VERSION)\n  *(__global " + vector +
            " *)to = value;\n#else\n  vstore" + std::to_string(lanes) +
            "(value, 0, to);\n#endif\n}\n\n";
  }
  return text;
}

const char *const indexDefinition =
    R"(// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef uint index_t;
#else
typedef ulong index_t;
#endif

)";

/// Kernels as `make` prints them.
template <class Make>
std::variant<OpenclSource, Refusal>
printed(const LoweredPlan &plan, const std::vector<std::string> &steps, bool exact, Make &&make) {
  auto launches = splitKernels(plan);
  if (auto *refusal = std::get_if<Refusal>(&launches))
    return *refusal;
  auto &list = std::get<std::vector<Launch>>(launches);
  OpenclSource source;
  std::string helpers;
  std::set<NumberFunction> numberFunctions;
  for (const Function *function : plan.functions) {
    OpenclPrinter printer(plan, list.front(), "");
    helpers += printer.helper(*function, exact);
    numberFunctions.merge(printer.takeNumberFunctions());
  }
  std::string kernels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Kernel kernel;
    const std::string name =
        plan.spectrum + (list.size() > 1 ? "_" + std::to_string(i + 1) : "_kernel");
    const std::unique_ptr<OpenclPrinter> printer = make(list[i], name);
    kernels += (i > 0 ? "\n" : "") + printer->run(kernel);
    numberFunctions.merge(printer->takeNumberFunctions());
    source.kernels.push_back(kernel);
  }
  source.text =
      fileComment("OpenCL kernels", plan.spectrum, plan.machine->name, steps) + "\n" +
      (exact ? uncontracted : "") + tunableMacros(plan) + (plan.mostIndex ? indexDefinition : "") +
      openclAtomics(atomicUses(plan, plan.body)) + vectorAccesses(plan) + poclDefinitions(kernels) +
      definitionsOf(numberFunctions, openclName) + helpers + kernels;
  return source;
}

} // namespace

std::variant<OpenclSource, Refusal> printOpencl(const LoweredPlan &lowered,
                                                const std::vector<std::string> &steps,
                                                Contraction contraction) {
  LoweredPlan plan = lowered;
  const bool exact = contraction == Contraction::Refused;
  plan.body = withWrapAround(withBuiltinFunctions(plan.body, exact), Dialect::OpenCL);
  const LoweredPlan pocl = forPocl(plan);
  auto onPocl = printed(pocl, steps, exact, [&](const Launch &launch, const std::string &name) {
    return makePoclPrinter(pocl, launch, name);
  });
  if (std::holds_alternative<Refusal>(onPocl))
    return onPocl;
  auto made = printed(plan, steps, exact, [&](const Launch &launch, const std::string &name) {
    return std::make_unique<OpenclPrinter>(plan, launch, name);
  });
  const std::string &text = std::get<OpenclSource>(onPocl).text;
  if (auto *source = std::get_if<OpenclSource>(&made); source && source->text != text)
    source->pocl = text;
  return made;
}

} // namespace tangram::codegen
