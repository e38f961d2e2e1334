#include "driver/generate_input.h"

#include "runtime/data/command_values.h"
#include "runtime/data/demo_inputs.h"
#include "runtime/data/npy.h"

namespace tangram::driver {

using namespace runtime;

void addGenerate(CLI::App &app, GenerateOptions &options, bool &chosen) {
  CLI::App *command = app.add_subcommand("generate", "Write an input that is a real problem");
  command->callback([&chosen] { chosen = true; });
  command
      ->add_option("problem", options.problem,
                   "poisson: matrix of a five-point stencil on N x N points (.mtx); grid-graph: "
                   "N x N points joined to their neighbours (.mtx); clusters: N points (.npy)")
      ->required()
      ->check(CLI::IsMember({"poisson", "grid-graph", "clusters"}))
      ->type_name("PROBLEM");
  command->add_option("--size", options.size, "N")->required()->type_name("N");
  command->add_option("-o,--output", options.file, "Where to")->required()->type_name("FILE");
  command->add_option("--dimensions", options.dimensions, "clusters: numbers of a point")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--clusters", options.clusters, "clusters: how many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", options.seed, "clusters: seed")->capture_default_str();
}

namespace {

Status writeClusters(const GenerateOptions &options, std::uint64_t points) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(points, options.dimensions, &bytes) ||
      __builtin_mul_overflow(bytes, 3 * sizeof(double), &bytes))
    return usageError("generate: the points do not fit in memory");
  try {
    return writeNpy(options.file,
                    clusteredPoints({points, options.dimensions, options.clusters}, options.seed));
  } catch (const std::bad_alloc &) {
    return usageError("generate: the points do not fit in memory");
  }
}

} // namespace

Status generateInput(const GenerateOptions &options) {
  const bool clusters = options.problem == "clusters";
  const std::string suffix = clusters ? ".npy" : ".mtx";
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
  if (clusters)
    return writeClusters(options, size);
  return options.problem == "poisson" ? writePoisson(size, options.file)
                                      : writeGridGraph(size, options.file);
}

} // namespace tangram::driver
