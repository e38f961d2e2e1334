// Makes the objects of Halide's peers, for a machine that needs nothing of Halide:
//
//   make FOLDER host|TARGET
//
// writes FOLDER/NAME.o of each, and runtime.o; a target is written as Halide does, x86-64-linux-avx2-...
// Schedules are by hand: Debian's Halide has no autoscheduler.
#include <halide14/Halide.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace Halide;

constexpr int lanes = 16;
constexpr int size = 17; // of windows of convolutions
const Var x("x"), y("y"), outer("outer"), inner("inner");

/// Rows lie one behind the other, from an address on that vectors like.
ImageParam argument(const std::string &name, int dimensions = 2) {
  ImageParam image(Float(32), dimensions, name);
  image.set_host_alignment(64);
  return image;
}

/// Rows shared out among threads, a few in a task; vectors along them.
Func scheduled(Func out) {
  return out.split(y, outer, inner, 16, TailStrategy::GuardWithIf)
      .parallel(outer)
      .vectorize(x, lanes);
}

struct Made {
  Func result;
  std::vector<Argument> arguments;
};

Made makeConvolve() {
  const ImageParam in = argument("in"), table = argument("table");
  const Func image = BoundaryConditions::repeat_edge(in);
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
  return {result, {in, table}};
}

Made makeSeparable() {
  const ImageParam in = argument("in"), down = argument("down", 1), across = argument("across", 1);
  const Func image = BoundaryConditions::repeat_edge(in);
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
  return {result, {in, down, across}};
}

Made makeGaussian() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::repeat_edge(in);
  Func between, result;
  between(x, y) = (image(x, y - 2) + image(x, y + 2) + 4 * (image(x, y - 1) + image(x, y + 1)) +
                   6 * image(x, y)) /
                  16;
  result(x, y) = (between(x - 2, y) + between(x + 2, y) +
                  4 * (between(x - 1, y) + between(x + 1, y)) + 6 * between(x, y)) /
                 16;
  scheduled(result);
  between.compute_at(result, inner).vectorize(x, lanes);
  return {result, {in}};
}

Made makeGradient() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::repeat_edge(in);
  const Expr c = image(x, y);
  const auto square = [&](const Expr &other) { return (c - other) * (c - other); };
  Func result;
  result(x, y) = c + 1 / sqrt(square(image(x, y - 1)) + square(image(x - 1, y)) +
                              square(image(x + 1, y)) + square(image(x, y + 1)) + 0.0001F);
  return {scheduled(result), {in}};
}

Made makeSobel() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::repeat_edge(in);
  const Expr across = (image(x + 1, y - 1) - image(x - 1, y - 1)) +
                      2 * (image(x + 1, y) - image(x - 1, y)) +
                      (image(x + 1, y + 1) - image(x - 1, y + 1));
  const Expr down = (image(x - 1, y + 1) - image(x - 1, y - 1)) +
                    2 * (image(x, y + 1) - image(x, y - 1)) +
                    (image(x + 1, y + 1) - image(x + 1, y - 1));
  Func result;
  result(x, y) = sqrt(across * across + down * down);
  return {scheduled(result), {in}};
}

Made makeJacobi() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::constant_exterior(in, 0.0F);
  Func result;
  result(x, y) = (image(x, y - 1) + image(x - 1, y) + image(x + 1, y) + image(x, y + 1)) / 4;
  return {scheduled(result), {in}};
}

Made makeJacobi9() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::constant_exterior(in, 0.0F);
  Expr sum = 0.0F;
  for (int k = -1; k <= 1; ++k) {
    for (int l = -1; l <= 1; ++l)
      sum += image(x + l, y + k);
  }
  Func result;
  result(x, y) = sum / 9;
  return {scheduled(result), {in}};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "expected FOLDER host|TARGET\n");
    return 2;
  }
  const std::string folder = argv[1];
  const Target target(argv[2]);
  const std::pair<const char *, Made (*)()> makers[] = {
      {"convolve", makeConvolve}, {"separable", makeSeparable}, {"gaussian", makeGaussian},
      {"gradient", makeGradient}, {"sobel", makeSobel},         {"jacobi", makeJacobi},
      {"jacobi9", makeJacobi9}};
  for (const auto &[name, maker] : makers) {
    Made made = maker();
    made.result.output_buffer().set_host_alignment(64);
    made.result.compile_to_object(folder + "/" + name + ".o", made.arguments,
                                  std::string("halide_") + name,
                                  target.with_feature(Target::NoRuntime));
  }
  compile_standalone_runtime(folder + "/runtime.o", target);
  return 0;
}
