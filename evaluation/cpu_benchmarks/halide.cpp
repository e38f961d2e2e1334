#include "halide.h"

#if WITH_HALIDE

#include <halide14/HalideBuffer.h>
#include <halide14/HalideRuntime.h>

#define OF_IMAGE(name) extern "C" int name(halide_buffer_t *in, halide_buffer_t *out)

OF_IMAGE(halide_gaussian);
OF_IMAGE(halide_gradient);
OF_IMAGE(halide_sobel);
OF_IMAGE(halide_jacobi);
OF_IMAGE(halide_jacobi9);
extern "C" int halide_convolve(halide_buffer_t *in, halide_buffer_t *table, halide_buffer_t *out);
extern "C" int halide_separable(halide_buffer_t *in, halide_buffer_t *down, halide_buffer_t *across,
                                halide_buffer_t *out);

namespace {

using Matrix = Halide::Runtime::Buffer<float>;

Matrix over(const float *data, int m, int n) { return Matrix(const_cast<float *>(data), n, m); }
Matrix over(const float *data, int n) { return Matrix(const_cast<float *>(data), n); }

std::vector<Peer> peer(std::function<int()> run) {
  return {{"Halide", [run] {
             if (run() != 0)
               std::exit(3);
           }}};
}

using OfImage = int (*)(halide_buffer_t *, halide_buffer_t *);

std::vector<Peer> peer(OfImage run, Matrix in, Matrix out) {
  return peer([=]() mutable { return run(in.raw_buffer(), out.raw_buffer()); });
}

} // namespace

std::vector<Peer> halideConvolve(const float *in, const float *weights, float *out, int m, int n,
                                 int size) {
  return peer([image = over(in, m, n), table = over(weights, size, size),
               result = over(out, m, n)]() mutable {
    return halide_convolve(image.raw_buffer(), table.raw_buffer(), result.raw_buffer());
  });
}

std::vector<Peer> halideSeparable(const float *in, const float *column, const float *row,
                                  float *out, int m, int n, int size) {
  return peer([image = over(in, m, n), down = over(column, size), across = over(row, size),
               result = over(out, m, n)]() mutable {
    return halide_separable(image.raw_buffer(), down.raw_buffer(), across.raw_buffer(),
                            result.raw_buffer());
  });
}

#define PEER(function, name)                                                                       \
  std::vector<Peer> function(const float *in, float *out, int m, int n) {                          \
    return peer(name, over(in, m, n), over(out, m, n));                                            \
  }

PEER(halideGaussian, halide_gaussian)
PEER(halideGradient, halide_gradient)
PEER(halideSobel, halide_sobel)
PEER(halideJacobi, halide_jacobi)
PEER(halideJacobi9, halide_jacobi9)

#else

std::vector<Peer> halideConvolve(const float *, const float *, float *, int, int, int) {
  return {};
}
std::vector<Peer> halideSeparable(const float *, const float *, const float *, float *, int, int,
                                  int) {
  return {};
}
std::vector<Peer> halideGaussian(const float *, float *, int, int) { return {}; }
std::vector<Peer> halideGradient(const float *, float *, int, int) { return {}; }
std::vector<Peer> halideSobel(const float *, float *, int, int) { return {}; }
std::vector<Peer> halideJacobi(const float *, float *, int, int) { return {}; }
std::vector<Peer> halideJacobi9(const float *, float *, int, int) { return {}; }

#endif
