// Kernels and hosts in CUDA: what differs from OpenCL.
#include "codegen/targets/cuda/cuda.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

struct Printed {
  std::string kernels, host, header;
};

Printed printedSum(const std::string &model, Contraction contraction = Contraction::Nothing) {
  const ir::Program program = sumProgram();
  const composer::Machine machine = projected(model, "cuda");
  auto lowered = lower(program, "sum", twoKernels(compute(1, "sum", kog)), machine, "cuda");
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return {refusal->reason, "", ""};
  const LoweredPlan plan = optimize(std::get<LoweredPlan>(std::move(lowered)), {});
  auto source = printCuda(plan, {}, contraction);
  const CSource host =
      printCudaHost(plan, *program.spectrum("sum"), std::get<CudaSource>(source), {}, false);
  return {std::get<CudaSource>(source).text, host.text, host.header};
}

bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}

TEST(PrintCuda, BlocksAndThreadsAreCudas) {
  const std::string text = printedSum("simple-gpu").kernels;
  EXPECT_TRUE(
      has(text,
          "__global__ void __launch_bounds__(NUM_THREADS)\nsum_kernel(const int *__restrict__ in,"))
      << text;
  EXPECT_TRUE(has(text, "const int *__restrict__ in")) << text;
  EXPECT_TRUE(has(text, "= threadIdx.x;")) << text;
  EXPECT_TRUE(has(text, "__syncthreads();")) << text;
  EXPECT_FALSE(has(text, "POCL")) << text;
}

TEST(PrintCuda, ABlockDeclaresItsMemoryWhereNoMoreThanThatMayBeAskedFor) {
  const Printed printed = printedSum("simple-gpu");
  EXPECT_TRUE(has(printed.kernels, "__shared__ __align__(16) int tmp[NUM_THREADS];"))
      << printed.kernels;
  EXPECT_FALSE(has(printed.host, "cudaFuncSetAttribute")) << printed.host;
}

TEST(PrintCuda, OtherwiseTheLaunchAsksForIt) {
  const Printed printed = printedSum("h200");
  EXPECT_TRUE(
      has(printed.kernels, "extern __shared__ __align__(16) unsigned char shared_memory[];"))
      << printed.kernels;
  EXPECT_TRUE(has(printed.host, "cudaFuncAttributeMaxDynamicSharedMemorySize")) << printed.host;
}

TEST(PrintCuda, FunctionsTakeAStreamAndPointers) {
  const std::string text = printedSum("simple-gpu").header;
  EXPECT_TRUE(
      has(text, "int sum(cudaStream_t stream, const int *in, size_t in_size, int *result);"))
      << text;
  EXPECT_TRUE(has(text, "int sum_workspace(size_t in_size, size_t *bytes);")) << text;
}

/// The source of a cooperative codelet that warps run.
std::string printedWarps(const std::string &model, const std::string &source, ir::PlanPtr plan) {
  const ir::Program program = parse(source);
  const composer::Machine machine = projected(model, "cuda-warps");
  auto lowered = lower(program, "f", std::move(plan), machine, "cuda-warps");
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return refusal->reason;
  auto made =
      printCuda(optimize(std::get<LoweredPlan>(std::move(lowered)), {}), {}, Contraction::Nothing);
  return std::get<CudaSource>(made).text;
}

/// A cooperative codelet with this loop between one element a lane and the result, on the only warp of the only block.
std::string printedExchange(const std::string &model, const std::string &loop) {
  return printedWarps(model,
                      "__codelet unsigned f(const Array<1, unsigned> in) { return in[0]; }\n"
                      "__codelet __coop unsigned f(const Array<1, unsigned> in) {\n"
                      "  require(in.size() <= coopDim());\n"
                      "  __shared unsigned tmp[coopDim()];\n"
                      "  unsigned id = coopIdx();\n"
                      "  tmp[id] = id < in.size() ? in[id] : 0;\n"
                      "  " +
                          loop + "\n  return tmp[0];\n}\n",
                      devolve(0, "f", devolve(1, "f", compute(2, "f", 1))));
}

/// The same with the statement in the rounds of a tree.
std::string exchanged(const std::string &model, const std::string &statement) {
  return printedExchange(model, "for (unsigned s = 1; s < coopDim(); s *= 2) {\n    " + statement +
                                    "\n  }");
}

/// A sum whose blocks distribute to warps, of which each makes a tree.
std::string sumOfWarps(const std::string &model) {
  const ir::Program program = sumProgram();
  const composer::Machine machine = projected(model, "cuda-warps");
  const auto inBlock =
      compound(1, "sum", assoTiled,
               {mapped(1, "sum", distribute, compute(2, "sum", kog)), compute(1, "sum", kog)});
  const auto plan =
      compound(0, "sum", assoTiled,
               {mapped(0, "sum", distribute, inBlock), devolve(0, "sum", compute(1, "sum", kog))});
  auto lowered = lower(program, "sum", plan, machine, "cuda-warps");
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return refusal->reason;
  auto made =
      printCuda(optimize(std::get<LoweredPlan>(std::move(lowered)), {}), {}, Contraction::Nothing);
  return std::get<CudaSource>(made).text;
}

TEST(PrintCudaOfWarps, AnArrayOfAWarpIsAPartOfSharedMemoryWithBarriersOfTheWarp) {
  const std::string text = sumOfWarps("gpu");
  EXPECT_TRUE(has(text, "__shared__ __align__(16) int tmp_of_warps[")) << text;
  EXPECT_TRUE(has(text, "int *const tmp = tmp_of_warps + warp * (NUM_THREADS);")) << text;
  EXPECT_TRUE(has(text, "const size_t warp = threadIdx.y;")) << text;
  EXPECT_TRUE(has(text, "__syncwarp();\n    tmp_read = thread >= s ? tmp[thread - s] : 0;"))
      << text;
}

TEST(PrintCudaOfWarps, AnArrayOfAWarpWithRegistersHasNoMemoryAndNoBarriers) {
  const std::string text = sumOfWarps("h200");
  EXPECT_TRUE(has(text, "__shfl_up_sync(0xffffffff, ")) << text;
  EXPECT_FALSE(has(text, "tmp_of_warps")) << text;
  EXPECT_FALSE(has(text, "__syncwarp")) << text;
  EXPECT_TRUE(has(text, "__syncthreads();")) << text; // of the block's tree
}

TEST(PrintCudaOfWarps, ElementsOfOtherLanesAreTheShuffleThatTheSubscriptSays) {
  const std::string up = exchanged("h200", "if (id >= s) tmp[id] += tmp[id - s];");
  EXPECT_TRUE(has(up, "__shfl_up_sync(0xffffffff, tmp, s)")) << up;
  EXPECT_TRUE(has(up, "result[0] = tmp;")) << up;
  const std::string down = exchanged("h200", "if (id + s < coopDim()) tmp[id] += tmp[id + s];");
  EXPECT_TRUE(has(down, "__shfl_down_sync(0xffffffff, tmp, s)")) << down;
  const std::string both = exchanged("h200", "tmp[id] += tmp[id ^ s];");
  EXPECT_TRUE(has(both, "__shfl_xor_sync(0xffffffff, tmp, s)")) << both;
  const std::string halves =
      printedExchange("h200", "for (unsigned s = coopDim() / 2; s > 0; s /= 2)\n"
                              "    if (id + s < coopDim()) tmp[id] += tmp[id + s];");
  EXPECT_TRUE(has(halves, "__shfl_down_sync(0xffffffff, tmp, s)")) << halves;
  // Below 0, up would be down.
  const std::string either =
      printedExchange("h200", "for (int d = -1; d < 2; ++d)\n"
                              "    if (id >= 1 && id + d < coopDim()) tmp[id] += tmp[id + d];");
  EXPECT_TRUE(has(either, "__shfl_sync(0xffffffff, tmp, ")) << either;
  const std::string any = exchanged("h200", "tmp[id] += tmp[id / 2];");
  EXPECT_TRUE(has(any, "__shfl_sync(0xffffffff, tmp, thread / 2)")) << any;
}

TEST(PrintCudaOfWarps, AnArrayStaysInSharedMemoryWhereALaneWritesElementsOfOthers) {
  const std::string text = exchanged("h200", "tmp[coopDim() - 1 - id] = tmp[id];");
  EXPECT_TRUE(has(text, "tmp_of_warps")) << text;
  EXPECT_FALSE(has(text, "__shfl")) << text;
}

} // namespace
} // namespace tangram::codegen
