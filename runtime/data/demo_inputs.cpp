#include "runtime/data/demo_inputs.h"

#include "runtime/data/generate.h"
#include "runtime/data/text_file.h"

namespace tangram::runtime {

namespace {

Result<std::uint64_t> pointsOf(std::uint64_t size) {
  // Five times as many entries have to be counted.
  constexpr std::uint64_t most = 1U << 30;
  if (size > most)
    return usageError("expected a size of at most " + std::to_string(most) + ", found " +
                      std::to_string(size));
  return size * size;
}

/// Neighbours above and left of each point; entries below the diagonal say it all.
std::uint64_t edges(std::uint64_t size) { return size == 0 ? 0 : 2 * size * (size - 1); }

Status writeGrid(std::uint64_t size, const std::filesystem::path &file, const std::string &banner,
                 const std::string &diagonal, const std::string &neighbour) {
  Result<std::uint64_t> points = pointsOf(size);
  if (!points)
    return points.error();
  return writeFile(file, [&](std::ostream &out) {
    const std::uint64_t entries = edges(size) + (diagonal.empty() ? 0 : *points);
    out << "%%MatrixMarket matrix coordinate " << banner << "\n"
        << *points << " " << *points << " " << entries << "\n";
    for (std::uint64_t i = 1; i <= *points; ++i) {
      if (i > size)
        out << i << " " << i - size << neighbour << "\n";
      if ((i - 1) % size != 0)
        out << i << " " << i - 1 << neighbour << "\n";
      if (!diagonal.empty())
        out << i << " " << i << diagonal << "\n";
    }
  });
}

HostArray made(ir::Scalar element, std::vector<std::uint64_t> shape) {
  HostArray array{element, std::move(shape), HostMemory()};
  array.memory = HostMemory(array.count() * ir::byteSize(element));
  return array;
}

} // namespace

Status writePoisson(std::uint64_t size, const std::filesystem::path &file) {
  return writeGrid(size, file, "real symmetric", " 4", " -1");
}

Status writeGridGraph(std::uint64_t size, const std::filesystem::path &file) {
  return writeGrid(size, file, "pattern symmetric", "", "");
}

HostArray clusteredPoints(const ClusterShape &shape, std::uint64_t seed) {
  HostArray centres = made(ir::Scalar::F64, {shape.clusters, shape.dimensions});
  generate(centres, seed, 0);
  HostArray members = made(ir::Scalar::U64, {shape.points});
  generateWithin(members, 0, shape.clusters, seed, 1);
  HostArray offsets = made(ir::Scalar::F64, {shape.points, shape.dimensions, 3});
  generate(offsets, seed, 2);
  HostArray points = made(ir::Scalar::F32, {shape.points, shape.dimensions});
  const auto *centre = reinterpret_cast<const double *>(centres.memory.data());
  const auto *member = reinterpret_cast<const std::uint64_t *>(members.memory.data());
  const auto *offset = reinterpret_cast<const double *>(offsets.memory.data());
  auto *point = reinterpret_cast<float *>(points.memory.data());
  constexpr double spread = 0.02;
  for (std::uint64_t i = 0; i < points.count(); ++i) {
    const std::uint64_t own = member[i / shape.dimensions];
    const double sum = offset[3 * i] + offset[3 * i + 1] + offset[3 * i + 2];
    point[i] =
        static_cast<float>(centre[own * shape.dimensions + i % shape.dimensions] + spread * sum);
  }
  return points;
}

HostArray dominantMatrix(std::uint64_t size, ir::Scalar element, std::uint64_t seed) {
  HostArray matrix = made(element, {size, size});
  generate(matrix, seed, 0);
  const auto dominate = [&](auto *number) {
    for (std::uint64_t i = 0; i < size; ++i)
      number[i * size + i] = static_cast<std::remove_reference_t<decltype(*number)>>(size);
  };
  if (element == ir::Scalar::F64)
    dominate(reinterpret_cast<double *>(matrix.memory.data()));
  else
    dominate(reinterpret_cast<float *>(matrix.memory.data()));
  return matrix;
}

} // namespace tangram::runtime
