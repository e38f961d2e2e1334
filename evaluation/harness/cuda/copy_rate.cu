// The rate at which memory is copied, the limit of all that is bound by memory:
//   copy_rate REPEATS BYTES     BYTES are read and written together
#include "peer.h"

namespace {

__global__ void copyKernel(const float4 *in, float4 *out, std::size_t count) {
  constexpr int each = 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * each + threadIdx.x;
  float4 values[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    if (first + k * blockDim.x < count)
      values[k] = in[first + k * blockDim.x];
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    if (first + k * blockDim.x < count)
      out[first + k * blockDim.x] = values[k];
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    fail(2, "copy_rate REPEATS BYTES");
  const std::size_t count = std::strtoull(argv[2], nullptr, 10) / 2 / sizeof(float4);
  const Buffer<float4> in(count), out(count);
  CHECK(cudaMemset(in.data(), 1, count * sizeof(float4)));
  const Problem problem{{{"cudaMemcpy",
                          [&] {
                            CHECK(cudaMemcpyAsync(out.data(), in.data(), count * sizeof(float4),
                                                  cudaMemcpyDeviceToDevice));
                          }},
                         {"16 bytes a load", [&] {
                            launch(copyKernel, partsOf(count, 1024), 256, in.data(), out.data(), count);
                          }}},
                        [](const std::string &) {}};
  measure(static_cast<unsigned>(std::atoi(argv[1])), problem);
  return 0;
}
