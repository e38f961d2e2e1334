#include "runtime/data/reference.h"

#include "runtime/data/npy_header.h"
#include "runtime/openmp/host_execution.h"

namespace tangram::runtime {

Result<std::vector<Output>> outputsOf(const Problem &problem) {
  std::vector<Output> outputs;
  for (const Parameter &p : problem.signature.parameters) {
    if (!p.isOutput())
      continue;
    Output output{p.name, p.element, problem.shapeOf(p), 1};
    std::uint64_t bytes = ir::byteSize(p.element);
    for (std::uint64_t extent : output.shape) {
      output.count *= extent;
      if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
        return refusal(p.name + ": shape " + shapeText(output.shape) + " does not fit in memory");
    }
    outputs.push_back(std::move(output));
  }
  if (problem.signature.result)
    outputs.push_back({"result", *problem.signature.result, {}, 1});
  return outputs;
}

namespace {

/// What one run of the function gives; after a failure in a worker that served others, what it gives in a new one.
Result<Values> callOnHost(const HostFunction &function, const Problem &problem, HostBench &bench,
                          double timeLimit) {
  for (;;) {
    Result<std::unique_ptr<Execution>> execution =
        startOnHost(function, problem, {}, bench, timeLimit);
    if (!execution)
      return execution.error();
    const auto finished = [&]() -> Result<Values> {
      if (Status status = (*execution)->reset(true); !status)
        return status.error();
      if (Result<double> seconds = (*execution)->run(); !seconds)
        return seconds.error();
      return (*execution)->outputs();
    };
    Result<Values> values = finished();
    if (values)
      return values;
    (*execution)->distrust();
    const Error &error = values.error();
    if ((*execution)->isOthersFault(error))
      continue;
    const bool isNamed = error.message.starts_with(function.name);
    return Error{error.fault, (isNamed ? "" : function.name + ": ") + error.message, error.ending};
  }
}

} // namespace

Result<Values> computeReference(const Manifest &manifest, const Problem &problem,
                                const std::map<std::string, std::uint64_t> &definitions,
                                const ReferenceHost &host) {
  Compilation compilation;
  compilation.sources = {manifest.path("reference")};
  if (compilation.sources.front().extension() != ".c")
    return inputError(manifest.file + ": /files/reference: expected a .c file, found " +
                      compilation.sources.front().filename().string() +
                      ": this bundle was made by an older tangram; make it anew");
  compilation.flags = {"-O2", "-fwrapv", "-ffp-contract=off", "-std=c11"};
  compilation.definitions = definitions;
  Result<ObjectFile> object = host.compiler.compile(compilation);
  if (!object)
    return object.error();
  const HostFunction function{
      *object, "tangram_reference", manifest.path("reference").string(), manifest.file, {}};
  try {
    return callOnHost(function, problem, host.bench, host.timeLimit);
  } catch (const std::bad_alloc &) {
    return refusal("the reference values do not fit in memory");
  }
}

} // namespace tangram::runtime
