// CUDA C++ of a plan: macros, helper functions, kernels.
#include "codegen/targets/cuda/cuda.h"

#include "codegen/form/building.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/atomic_functions.h"
#include "codegen/printing/builtin_functions.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/wrap_around.h"
#include "codegen/targets/cuda/cuda_atomics.h"
#include "codegen/targets/cuda/cuda_printer.h"
#include "codegen/targets/cuda/warp_registers.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

const char *const indexDefinition =
    R"(// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef unsigned int index_t;
#else
typedef size_t index_t;
#endif

)";

const char *const lanesDefinition =
    R"(// Neighbours that are read or written together. In global memory they begin at a multiple of as many elements.
template <typename T, unsigned lanes> struct alignas(sizeof(T) * lanes) lanes_of {
  T at[lanes];
};

template <typename T, unsigned lanes>
static __device__ inline lanes_of<T, lanes> load_lanes(const T *from) {
  return *reinterpret_cast<const lanes_of<T, lanes> *>(from);
}

template <typename T, unsigned lanes>
static __device__ inline void store_lanes(T *to, const lanes_of<T, lanes> &value) {
  *reinterpret_cast<lanes_of<T, lanes> *>(to) = value;
}

template <typename T, unsigned lanes>
static __device__ inline lanes_of<T, lanes> gather_lanes(const T *from) {
  lanes_of<T, lanes> value;
#pragma unroll
  for (unsigned i = 0; i < lanes; ++i)
    value.at[i] = from[i];
  return value;
}

template <typename T, unsigned lanes>
static __device__ inline void scatter_lanes(T *to, const lanes_of<T, lanes> &value) {
#pragma unroll
  for (unsigned i = 0; i < lanes; ++i)
    to[i] = value.at[i];
}

)";

const char *const sineAndCosine =
    R"(static __device__ inline float sine_and_cosine(float angle, float *cosine) {
  float sine;
  sincosf(angle, &sine, cosine);
  return sine;
}

static __device__ inline double sine_and_cosine(double angle, double *cosine) {
  double sine;
  sincos(angle, &sine, cosine);
  return sine;
}

)";

const char *const infinities = R"(#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif

)";

/// x *= y of floating-point numbers as x = x * y.
StmtPtr withoutCompoundProducts(const StmtPtr &body) {
  return rewrite(body, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Assign || s->op != "*=" || !isFloating(s->target->type.scalar))
      return s;
    return assign(s->target, "=", binary("*", s->target, s->value), s->location);
  });
}

bool has(const std::string &text, const char *word) { return text.find(word) != std::string::npos; }

} // namespace

std::variant<CudaSource, Refusal> printCuda(const LoweredPlan &lowered,
                                            const std::vector<std::string> &steps,
                                            Contraction contraction) {
  LoweredPlan plan = withWarpRegisters(lowered);
  const bool exact = contraction == Contraction::Refused;
  plan.body = withWrapAround(withBuiltinFunctions(plan.body, exact), Dialect::C);
  if (exact)
    plan.body = withoutCompoundProducts(plan.body);
  auto launches = splitKernels(plan);
  if (auto *refusal = std::get_if<Refusal>(&launches))
    return *refusal;
  auto &list = std::get<std::vector<Launch>>(launches);
  CudaSource source;
  std::string helpers;
  std::set<NumberFunction> numberFunctions;
  for (const Function *each : plan.functions) {
    Function function = *each;
    if (exact)
      function.body = withoutCompoundProducts(function.body);
    CudaPrinter printer(plan, list.front(), "", exact);
    helpers += printer.helper(function);
    numberFunctions.merge(printer.takeNumberFunctions());
  }
  std::string kernels;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Kernel kernel;
    const std::string name =
        plan.spectrum + (list.size() > 1 ? "_" + std::to_string(i + 1) : "_kernel");
    CudaPrinter printer(plan, list[i], name, exact);
    kernels += (i > 0 ? "\n" : "") + printer.run(kernel);
    numberFunctions.merge(printer.takeNumberFunctions());
    source.kernels.push_back(kernel);
  }
  const std::string numbers = replaced(definitionsOf(numberFunctions, cName), "static inline ",
                                       "static __device__ inline ");
  const std::string inside = numbers + helpers + kernels;
  source.text = fileComment("CUDA kernels", plan.spectrum, plan.machine->name, steps) + "\n" +
                tunableMacros(plan) + (plan.mostIndex ? indexDefinition : "") +
                (has(inside, "INFINITY") || has(inside, "NAN") ? infinities : "") +
                (has(kernels, "_lanes<") ? lanesDefinition : "") +
                (has(inside, "sine_and_cosine(") ? sineAndCosine : "") +
                cudaAtomics(atomicUses(plan, plan.body)) + inside;
  return source;
}

std::vector<std::pair<VarPtr, unsigned>> vectorContainers(const LoweredPlan &plan) {
  std::vector<std::pair<VarPtr, unsigned>> found;
  for (const Buffer &buffer : plan.buffers) {
    unsigned bytes = 0;
    forEach(plan.body, [&](const Stmt &loop) {
      if (loop.kind != StmtKind::For || loop.lanes < 2)
        return;
      bool uses = false;
      forEachExpr(loop.children[2], [&](const Expr &e) {
        uses |= e.kind == ExprKind::Index && e.args[0]->var == buffer.var;
      });
      if (uses)
        bytes =
            std::max(bytes, static_cast<unsigned>(loop.lanes * byteSize(buffer.var->type.scalar)));
    });
    if (bytes > 0 && !buffer.access.empty())
      found.emplace_back(buffer.var, bytes);
  }
  return found;
}

} // namespace tangram::codegen
