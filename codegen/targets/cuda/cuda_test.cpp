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

} // namespace
} // namespace tangram::codegen
