#include "halide.h"

#if __has_include(<halide14/Halide.h>)

#include <halide14/Halide.h>

#include <memory>

namespace {

using namespace Halide;
using Matrix = Buffer<float>;

constexpr int lanes = 16;
const Var x("x"), y("y"), outer("outer"), inner("inner");

Matrix over(const float *data, int m, int n) { return Matrix(const_cast<float *>(data), n, m); }
Matrix over(const float *data, int n) { return Matrix(const_cast<float *>(data), n); }

/// Rows shared out among threads, a few in a task; vectors along them.
Func scheduled(Func out) {
  return out.split(y, outer, inner, 16, TailStrategy::GuardWithIf)
      .parallel(outer)
      .vectorize(x, lanes);
}

/// Compiled here and now, and run into `out`.
std::vector<Peer> peer(Func function, Matrix out) {
  auto pipeline = std::make_shared<Pipeline>(std::move(function));
  pipeline->compile_jit();
  return {{"Halide", [pipeline, out]() mutable { pipeline->realize(out); }}};
}

} // namespace

std::vector<Peer> halideConvolve(const float *in, const float *weights, float *out, int m, int n,
                                 int size) {
  const Func image = BoundaryConditions::repeat_edge(over(in, m, n));
  const Matrix table = over(weights, size, size);
  const RDom window(0, size, 0, size);
  Func sum, result;
  sum(x, y) += table(window.x, window.y) * image(x + window.x - size / 2, y + window.y - size / 2);
  result(x, y) = sum(x, y);
  // Sums of a tile of two rows and four vectors stay in registers.
  const Var xi, yi;
  result.tile(x, y, xi, yi, 4 * lanes, 2, TailStrategy::GuardWithIf)
      .vectorize(xi, lanes)
      .unroll(xi)
      .unroll(yi)
      .split(y, outer, inner, 8, TailStrategy::GuardWithIf)
      .parallel(outer);
  sum.compute_at(result, x).vectorize(x, lanes).unroll(x).unroll(y);
  sum.update()
      .reorder(x, y, window.x, window.y)
      .vectorize(x, lanes)
      .unroll(x)
      .unroll(y)
      .unroll(window.x);
  return peer(result, over(out, m, n));
}

std::vector<Peer> halideSeparable(const float *in, const float *column, const float *row,
                                  float *out, int m, int n, int size) {
  const Func image = BoundaryConditions::repeat_edge(over(in, m, n));
  const Matrix down = over(column, size), across = over(row, size);
  Func between, result;
  Expr first = 0.0F, second = 0.0F;
  for (int k = 0; k < size; ++k)
    first += down(k) * image(x, y + k - size / 2);
  between(x, y) = first;
  for (int k = 0; k < size; ++k)
    second += across(k) * between(x + k - size / 2, y);
  result(x, y) = second;
  scheduled(result);
  between.compute_at(result, inner).vectorize(x, lanes);
  return peer(result, over(out, m, n));
}

std::vector<Peer> halideGaussian(const float *in, float *out, int m, int n) {
  const Func image = BoundaryConditions::repeat_edge(over(in, m, n));
  Func between, result;
  between(x, y) = (image(x, y - 2) + image(x, y + 2) + 4 * (image(x, y - 1) + image(x, y + 1)) +
                   6 * image(x, y)) /
                  16;
  result(x, y) = (between(x - 2, y) + between(x + 2, y) +
                  4 * (between(x - 1, y) + between(x + 1, y)) + 6 * between(x, y)) /
                 16;
  scheduled(result);
  between.compute_at(result, inner).vectorize(x, lanes);
  return peer(result, over(out, m, n));
}

std::vector<Peer> halideGradient(const float *in, float *out, int m, int n) {
  const Func image = BoundaryConditions::repeat_edge(over(in, m, n));
  const Expr c = image(x, y);
  const auto square = [&](const Expr &other) { return (c - other) * (c - other); };
  Func result;
  result(x, y) = c + 1 / sqrt(square(image(x, y - 1)) + square(image(x - 1, y)) +
                              square(image(x + 1, y)) + square(image(x, y + 1)) + 0.0001F);
  return peer(scheduled(result), over(out, m, n));
}

std::vector<Peer> halideSobel(const float *in, float *out, int m, int n) {
  const Func image = BoundaryConditions::repeat_edge(over(in, m, n));
  const Expr across = (image(x + 1, y - 1) - image(x - 1, y - 1)) +
                      2 * (image(x + 1, y) - image(x - 1, y)) +
                      (image(x + 1, y + 1) - image(x - 1, y + 1));
  const Expr down = (image(x - 1, y + 1) - image(x - 1, y - 1)) +
                    2 * (image(x, y + 1) - image(x, y - 1)) +
                    (image(x + 1, y + 1) - image(x + 1, y - 1));
  Func result;
  result(x, y) = sqrt(across * across + down * down);
  return peer(scheduled(result), over(out, m, n));
}

std::vector<Peer> halideJacobi(const float *in, float *out, int m, int n) {
  const Func image = BoundaryConditions::constant_exterior(over(in, m, n), 0.0F);
  Func result;
  result(x, y) = (image(x, y - 1) + image(x - 1, y) + image(x + 1, y) + image(x, y + 1)) / 4;
  return peer(scheduled(result), over(out, m, n));
}

std::vector<Peer> halideJacobi9(const float *in, float *out, int m, int n) {
  const Func image = BoundaryConditions::constant_exterior(over(in, m, n), 0.0F);
  Expr sum = 0.0F;
  for (int k = -1; k <= 1; ++k) {
    for (int l = -1; l <= 1; ++l)
      sum += image(x + l, y + k);
  }
  Func result;
  result(x, y) = sum / 9;
  return peer(scheduled(result), over(out, m, n));
}

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
