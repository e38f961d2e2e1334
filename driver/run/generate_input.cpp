#include "driver/run/generate_input.h"

#include "runtime/data/command_values.h"
#include "runtime/data/demo_inputs.h"
#include "runtime/data/npy.h"

namespace tangram::driver {

using namespace runtime;

void addGenerate(CLI::App &app, GenerateOptions &options, bool &chosen) {
  CLI::App *command = app.add_subcommand("generate", "Write an input that is a real problem");
  command->callback([&chosen] { chosen = true; });
  command
      ->add_option(
          "problem", options.problem,
          "poisson: matrix of a five-point stencil on N x N points (.mtx); grid-graph: "
          "N x N points joined to their neighbours (.mtx); dominant-matrix: N x N numbers, "
          "whose diagonal dominates (.npy); clusters: N points (.npy)")
      ->required()
      ->check(CLI::IsMember({"poisson", "grid-graph", "dominant-matrix", "clusters"}))
      ->type_name("PROBLEM");
  command->add_option("--size", options.size, "N")->required()->type_name("N");
  command->add_option("-o,--output", options.file, "Where to")->required()->type_name("FILE");
  command->add_option("--dimensions", options.dimensions, "clusters: numbers of a point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--clusters", options.clusters, "clusters: how many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--element", options.element, "dominant-matrix: type of its numbers")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command->add_option("--seed", options.seed, "clusters, dominant-matrix: seed")
      ->capture_default_str();
}

namespace {

/// An array of these extents and three times as many numbers must have a size in bytes.
bool countable(std::uint64_t rows, std::uint64_t columns) {
  std::uint64_t bytes = 0;
  return !__builtin_mul_overflow(rows, columns, &bytes) &&
         !__builtin_mul_overflow(bytes, 3 * sizeof(double), &bytes);
}

/// Points or a matrix.
Status writeArray(const GenerateOptions &options, std::uint64_t size) {
  const bool clusters = options.problem == "clusters";
  const Error too_large =
      usageError(std::string("generate: the ") + (clusters ? "points do" : "matrix does") +
                 " not fit in memory");
  if (!countable(size, clusters ? options.dimensions : size))
    return too_large;
  try {
    return writeNpy(
        options.file,
        clusters
            ? clusteredPoints({size, options.dimensions, options.clusters}, options.seed)
            : dominantMatrix(size, options.element == "double" ? ir::Scalar::F64 : ir::Scalar::F32,
                             options.seed));
  } catch (const std::bad_alloc &) {
    return too_large;
  }
}

} // namespace

Status generateInput(const GenerateOptions &options) {
  const bool dense = options.problem == "clusters" || options.problem == "dominant-matrix";
  const std::string suffix = dense ? ".npy" : ".mtx";
  if (!options.file.ends_with(suffix))
    return usageError("generate " + options.problem + ": expected a name that ends in " + suffix +
                      ", found " + options.file);
  Result<std::vector<SizeChoice>> sizes = parseSizes({options.size});
  if (!sizes)
    return sizes.error();
  const std::optional<std::uint64_t> all = sizes->front().all;
  if (sizes->size() != 1 || !all)
    return usageError("--size " + options.size + ": expected one number");
  const std::uint64_t size = *all;
  if (dense)
    return writeArray(options, size);
  return options.problem == "poisson" ? writePoisson(size, options.file)
                                      : writeGridGraph(size, options.file);
}

} // namespace tangram::driver
