// Makes the objects of Halide's peers, for a machine that needs nothing of Halide:
//
//   make runtime FILE.o host|TARGET
//   make NAME FILE.o host|TARGET by_hand
//   make NAME FILE.o host|TARGET AUTOSCHEDULER CORES    symbol halide_NAME_auto
//   make names                                           of all pipelines
//
// A target is written as Halide does, x86-64-linux-avx2-...; an autoscheduler is one of those that Debian has plugins of,
// adams2019, li2018 or mullapudi2016: it chooses for a machine with so many cores and images of the size of the table.
#include <halide14/Halide.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace Halide;

constexpr int lanes = 16;
constexpr int size = 17;                // of windows of convolutions
constexpr int width = 4096, side = 256; // of images and boxes of the table
const Var x("x"), y("y"), z("z"), outer("outer"), inner("inner");

/// Rows lie one behind the other, from an address on that vectors like.
ImageParam argument(const std::string &name, int dimensions = 2, Type type = Float(32)) {
  ImageParam image(type, dimensions, name);
  image.set_host_alignment(64);
  const int extent = dimensions == 1 ? size : dimensions == 2 ? width : side;
  for (int d = 0; d < dimensions; ++d)
    image.dim(d).set_estimate(0, name == "table" ? size : extent);
  return image;
}

Param<float> scalar(const std::string &name) {
  Param<float> value(name);
  value.set_estimate(0.1F);
  return value;
}

/// Rows shared out among threads, a few in a task; vectors along them.
void shareRows(Func out) {
  out.split(y, outer, inner, 16, TailStrategy::GuardWithIf).parallel(outer).vectorize(x, lanes);
}

/// Planes of a box shared out likewise: loops that are not joined have an inner part that does not ask for edges.
void sharePlanes(Func out) { out.parallel(z).vectorize(x, lanes); }

/// A pipeline, and what schedules it by hand.
struct Made {
  Func result;
  std::vector<Argument> arguments;
  std::function<void()> schedule;
};

Made inRows(Func result, std::vector<Argument> arguments) {
  return {result, std::move(arguments), [=] { shareRows(result); }};
}
Made inPlanes(Func result, std::vector<Argument> arguments) {
  return {result, std::move(arguments), [=] { sharePlanes(result); }};
}

Made makeConvolve() {
  const ImageParam in = argument("in"), table = argument("table");
  const Func image = BoundaryConditions::repeat_edge(in);
  const RDom window(0, size, 0, size);
  Func sum, result;
  sum(x, y) += table(window.x, window.y) * image(x + window.x - size / 2, y + window.y - size / 2);
  result(x, y) = sum(x, y);
  // Sums of a tile of two rows and four vectors stay in registers.
  const auto schedule = [=]() mutable {
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
  };
  return {result, {in, table}, schedule};
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
  return {result, {in, down, across}, [=]() mutable {
            shareRows(result);
            between.compute_at(result, inner).vectorize(x, lanes);
          }};
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
  return {result, {in}, [=]() mutable {
            shareRows(result);
            between.compute_at(result, inner).vectorize(x, lanes);
          }};
}

Made makeGradient() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::repeat_edge(in);
  const Expr c = image(x, y);
  const auto square = [&](const Expr &other) { return (c - other) * (c - other); };
  Func result;
  result(x, y) = c + 1 / sqrt(square(image(x, y - 1)) + square(image(x - 1, y)) +
                              square(image(x + 1, y)) + square(image(x, y + 1)) + 0.0001F);
  return inRows(result, {in});
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
  return inRows(result, {in});
}

Made makeJacobi() {
  const ImageParam in = argument("in");
  const Func image = BoundaryConditions::constant_exterior(in, 0.0F);
  Func result;
  result(x, y) = (image(x, y - 1) + image(x - 1, y) + image(x + 1, y) + image(x, y + 1)) / 4;
  return inRows(result, {in});
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
  return inRows(result, {in});
}

Made makeLife() {
  const ImageParam in = argument("in", 2, Int(32));
  const Func image = BoundaryConditions::repeat_image(in);
  Expr around = 0;
  for (int k = -1; k <= 1; ++k) {
    for (int l = -1; l <= 1; ++l) {
      if (k != 0 || l != 0)
        around += image(x + l, y + k);
    }
  }
  Func result;
  result(x, y) = select(around == 3 || (around == 2 && image(x, y) == 1), 1, 0);
  return inRows(result, {in});
}

Made makeHotspot() {
  const ImageParam power = argument("power"), in = argument("in");
  const Param<float> step = scalar("step"), rx = scalar("rx"), ry = scalar("ry"), rz = scalar("rz"),
                     ambient = scalar("ambient");
  const Func image = BoundaryConditions::repeat_edge(in);
  const Expr c = image(x, y);
  Func result;
  result(x, y) = c + step * (power(x, y) + (image(x, y - 1) + image(x, y + 1) - 2 * c) * ry +
                             (image(x - 1, y) + image(x + 1, y) - 2 * c) * rx + (ambient - c) * rz);
  return inRows(result, {step, rx, ry, rz, ambient, power, in});
}

/// Conductions of a part of the rows, and one more, stay in the cache.
Made makeSrad() {
  const ImageParam in = argument("in");
  const Param<float> q0 = scalar("q0"), lambda = scalar("lambda");
  const Func image = BoundaryConditions::repeat_edge(in);
  const Expr c = image(x, y), north = image(x, y - 1) - c, south = image(x, y + 1) - c,
             west = image(x - 1, y) - c, east = image(x + 1, y) - c;
  const Expr gradient = (north * north + south * south + west * west + east * east) / (c * c);
  const Expr laplacian = (north + south + west + east) / c, scale = 1 + 0.25F * laplacian;
  const Expr q = (0.5F * gradient - 0.0625F * laplacian * laplacian) / (scale * scale);
  Func conducts, result;
  conducts(x, y) = clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0F, 1.0F);
  const Expr right = min(x + 1, in.dim(0).max()), down = min(y + 1, in.dim(1).max());
  result(x, y) = c + 0.25F * lambda *
                         (conducts(x, y) * (north + west) + conducts(x, down) * south +
                          conducts(right, y) * east);
  return {result, {q0, lambda, in}, [=]() mutable {
            shareRows(result);
            conducts.compute_at(result, outer).vectorize(x, lanes);
          }};
}

Expr sixAround(const Func &box, int far = 1) {
  return box(x, y, z - far) + box(x, y - far, z) + box(x - far, y, z) + box(x + far, y, z) +
         box(x, y + far, z) + box(x, y, z + far);
}

Made makeHeat3() {
  const ImageParam in = argument("in", 3);
  const Param<float> c = scalar("c");
  const Func box = BoundaryConditions::repeat_image(in);
  Func result;
  result(x, y, z) = box(x, y, z) + c * (sixAround(box) - 6 * box(x, y, z));
  return inPlanes(result, {c, in});
}

Made makeJacobi13() {
  const ImageParam in = argument("in", 3);
  const Func box = BoundaryConditions::constant_exterior(in, 0.0F);
  Func result;
  result(x, y, z) = (box(x, y, z) + sixAround(box) + sixAround(box, 2)) / 13;
  return inPlanes(result, {in});
}

Made makeHotspot3() {
  const ImageParam power = argument("power", 3), in = argument("in", 3);
  const Param<float> cc = scalar("cc"), cx = scalar("cx"), cy = scalar("cy"), cz = scalar("cz"),
                     step = scalar("step"), ambient = scalar("ambient");
  const Func box = BoundaryConditions::repeat_edge(in);
  Func result;
  result(x, y, z) = cc * box(x, y, z) + cx * (box(x - 1, y, z) + box(x + 1, y, z)) +
                    cy * (box(x, y - 1, z) + box(x, y + 1, z)) +
                    cz * (box(x, y, z - 1) + box(x, y, z + 1) + ambient) + step * power(x, y, z);
  return inPlanes(result, {cc, cx, cy, cz, step, ambient, power, in});
}

Made makeAcoustics() {
  const ImageParam open = argument("open", 3, Int(32)), before = argument("before", 3),
                   in = argument("in", 3);
  const Param<float> c2 = scalar("c2"), loss = scalar("loss");
  const Func box = BoundaryConditions::constant_exterior(in, 0.0F);
  const Expr count = cast<float>(open(x, y, z)), wall = 0.5F * loss * (6 - count);
  Func result;
  result(x, y, z) = select(
      open(x, y, z) == 0, 0.0F,
      ((2 - c2 * count) * box(x, y, z) + c2 * sixAround(box) + (wall - 1) * before(x, y, z)) /
          (1 + wall));
  return inPlanes(result, {c2, loss, open, before, in});
}

const std::map<std::string, Made (*)()> makers = {
    {"convolve", makeConvolve}, {"separable", makeSeparable}, {"gaussian", makeGaussian},
    {"gradient", makeGradient}, {"sobel", makeSobel},         {"jacobi", makeJacobi},
    {"jacobi9", makeJacobi9},   {"life", makeLife},           {"hotspot", makeHotspot},
    {"srad", makeSrad},         {"heat3", makeHeat3},         {"jacobi13", makeJacobi13},
    {"hotspot3", makeHotspot3}, {"acoustics", makeAcoustics}};

/// Its name as Pipeline::auto_schedule takes it: adams2019 is Adams2019.
std::string schedulerNamed(std::string plugin) {
  plugin[0] = static_cast<char>(plugin[0] - 'a' + 'A');
  return plugin;
}

void make(const std::string &name, const std::string &file, const Target &target,
          const std::string &scheduler, int cores) {
  Made made = makers.at(name)();
  std::string symbol = "halide_" + name;
  if (scheduler == "by_hand") {
    made.schedule();
    made.result.output_buffer().set_host_alignment(64);
  } else {
    symbol += "_auto";
    for (const Var &dimension : made.result.args())
      made.result.set_estimate(dimension, 0, made.result.dimensions() == 3 ? side : width);
    load_plugin("autoschedule_" + scheduler);
    const MachineParams usual = MachineParams::generic();
    Pipeline(made.result)
        .auto_schedule(schedulerNamed(scheduler), target,
                       MachineParams(cores, usual.last_level_cache_size, usual.balance));
  }
  made.result.compile_to_object(file, made.arguments, symbol,
                                target.with_feature(Target::NoRuntime));
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "names") {
    for (const auto &[name, maker] : makers)
      std::printf("%s\n", name.c_str());
  } else if (words.size() == 3 && words[0] == "runtime") {
    compile_standalone_runtime(words[1], Target(words[2]));
  } else if ((words.size() == 4 || words.size() == 5) && makers.count(words[0])) {
    make(words[0], words[1], Target(words[2]), words[3],
         words.size() == 5 ? std::atoi(words[4].c_str()) : 1);
  } else {
    std::fprintf(stderr, "expected names | runtime FILE.o TARGET | NAME FILE.o TARGET by_hand | "
                         "NAME FILE.o TARGET AUTOSCHEDULER CORES\n");
    return 2;
  }
  return 0;
}
