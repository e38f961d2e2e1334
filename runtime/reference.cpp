#include "runtime/reference.h"

#include "runtime/call.h"
#include "runtime/npy_header.h"

namespace tangram::runtime {

std::size_t referenceCellBytes(ir::Scalar element) {
  if (element == ir::Scalar::F32)
    return sizeof(double);
  return element == ir::Scalar::F64 ? sizeof(long double) : ir::byteSize(element);
}

Result<std::vector<Output>> outputsOf(const Problem &problem) {
  std::vector<Output> outputs;
  for (const Parameter &p : problem.signature.parameters) {
    if (!p.isOutput())
      continue;
    Output output{p.name, p.element, problem.shapeOf(p), 1};
    std::uint64_t bytes = referenceCellBytes(p.element);
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

template <class Wide, class Narrow> void widen(const HostArray &from, HostMemory &to) {
  const auto *source = reinterpret_cast<const Narrow *>(from.memory.data());
  auto *target = reinterpret_cast<Wide *>(to.data());
  for (std::size_t i = 0; i < from.memory.bytes() / sizeof(Narrow); ++i)
    target[i] = source[i];
}

/// Cells of one output: what was in an inout container before, poison otherwise.
HostMemory cellsOf(const Output &output, const Parameter *parameter, const HostArray *before) {
  HostMemory cells(output.count * referenceCellBytes(output.element));
  if (!parameter || parameter->access != Access::InOut)
    poison(output.element, cells.data(), cells.bytes());
  else if (output.element == ir::Scalar::F32)
    widen<double, float>(*before, cells);
  else if (output.element == ir::Scalar::F64)
    widen<long double, double>(*before, cells);
  else
    std::memcpy(cells.data(), before->memory.data(), cells.bytes());
  return cells;
}

Result<std::vector<HostMemory>> callEntry(EntryPoint *entry, const std::string &who,
                                          const Problem &problem,
                                          const std::vector<Output> &outputs) {
  std::vector<HostMemory> cells;
  CallArguments arguments;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const Parameter &p = problem.signature.parameters[i];
    const HostArray &value = problem.arguments[i];
    if (!p.container) {
      arguments.addScalar(value.memory.data());
    } else if (!p.isOutput()) {
      // The entry point takes inputs through const pointers of their type.
      arguments.addContainer(const_cast<std::byte *>(value.memory.data()), value.shape);
    } else {
      cells.push_back(cellsOf(outputs[cells.size()], &p, &value));
      arguments.addContainer(cells.back().data(), value.shape);
    }
  }
  if (problem.signature.result) {
    cells.push_back(cellsOf(outputs.back(), nullptr, nullptr));
    arguments.addResult(cells.back().data());
  }
  if (Status status = entryStatus(arguments.call(entry), who); !status)
    return status.error();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].guardIntact())
      return failure(who + " wrote past the end of " + outputs[i].name);
  }
  return cells;
}

} // namespace

Result<ReferenceValues> computeReference(const Manifest &manifest, const Problem &problem,
                                         const std::map<std::string, std::uint64_t> &definitions,
                                         Compiler &compiler) {
  Compilation compilation;
  compilation.sources = {manifest.path("reference")};
  compilation.flags = {"-O2", "-std=c11", "-fwrapv", "-ffp-contract=off"};
  compilation.definitions = definitions;
  Result<SharedObject> object = compiler.compile(compilation);
  if (!object)
    return object.error();
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  ReferenceValues reference;
  for (bool magnitude : {false, true}) {
    if (magnitude && !manifest.roundingDepth)
      continue;
    std::string name = magnitude ? "tangram_magnitude" : "tangram_reference";
    EntryPoint *entry = object->function<EntryPoint>(name.c_str());
    if (!entry)
      return failure(manifest.path("reference").string() + ": expected a function " + name +
                     ", found none");
    try {
      Result<std::vector<HostMemory>> cells = callEntry(entry, name, problem, *outputs);
      if (!cells)
        return cells.error();
      (magnitude ? reference.magnitudes : reference.values) = std::move(*cells);
    } catch (const std::bad_alloc &) {
      return refusal("the reference values do not fit in memory");
    }
  }
  return reference;
}

} // namespace tangram::runtime
