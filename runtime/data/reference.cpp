#include "runtime/data/reference.h"

#include "runtime/bundle/call.h"
#include "runtime/data/npy_header.h"
#include "runtime/openmp/entry_point.h"

#include <algorithm>
#include <cmath>

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

/// What one output holds before the call: what was in an inout container, poison otherwise.
struct Cells {
  HostMemory *memory;
  ir::Scalar element;
  const HostArray *before; ///< null for what is only written

  void fill() const {
    if (!before)
      poison(element, memory->data(), memory->bytes());
    else if (element == ir::Scalar::F32)
      widen<double, float>(*before, *memory);
    else if (element == ir::Scalar::F64)
      widen<long double, double>(*before, *memory);
    else
      std::memcpy(memory->data(), before->memory.data(), memory->bytes());
  }
};

struct Reply {
  int status = 0;
  std::size_t pastEndOf = 0; ///< 1 + the index of an output written past its end; 0: none was
};

/// A function of a compiled reference.
struct Function {
  const ObjectFile &object;
  std::string name;
  std::string file; ///< for messages
};

/// In the worker: the cells are filled, computed and sent.
void callAndSend(const Function &function, const CallArguments &arguments,
                 const std::vector<Cells> &cells, Channel &owner) {
  const Result<EntryPoint *> entry = loadEntry(function.object, function.name, function.file);
  sendStatus(owner, entry ? ok() : Status(entry.error()));
  if (!entry)
    return;
  for (const Cells &output : cells)
    output.fill();
  Reply reply{arguments.call(*entry), 0};
  for (std::size_t i = cells.size(); i > 0; --i) {
    if (!cells[i - 1].memory->guardIntact())
      reply.pastEndOf = i;
  }
  owner.send(&reply, sizeof reply);
  for (const Cells &output : cells)
    owner.send(output.memory->data(), output.memory->bytes());
}

/// Binds `outputs` to `memory`, which the worker writes and the owner receives into.
std::vector<Cells> bindOutputs(const Problem &problem, const std::vector<Output> &outputs,
                               std::vector<HostMemory> &memory, CallArguments &arguments) {
  for (const Output &output : outputs)
    memory.emplace_back(output.count * referenceCellBytes(output.element));
  std::vector<Cells> cells;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const Parameter &p = problem.signature.parameters[i];
    const HostArray &value = problem.arguments[i];
    if (!p.container) {
      arguments.addScalar(value.memory.data());
    } else if (!p.isOutput()) {
      // The entry point takes inputs through const pointers of their type.
      arguments.addContainer(const_cast<std::byte *>(value.memory.data()), value.shape);
    } else {
      HostMemory &target = memory[cells.size()];
      cells.push_back({&target, p.element, p.access == Access::InOut ? &value : nullptr});
      arguments.addContainer(target.data(), value.shape);
    }
  }
  if (problem.signature.result) {
    cells.push_back({&memory.back(), *problem.signature.result, nullptr});
    arguments.addResult(memory.back().data());
  }
  return cells;
}

Result<std::vector<HostMemory>> callEntry(const Function &function, const Problem &problem,
                                          const std::vector<Output> &outputs, double timeLimit) {
  const std::string &who = function.name;
  std::vector<HostMemory> memory;
  CallArguments arguments;
  std::vector<Cells> cells = bindOutputs(problem, outputs, memory, arguments);
  Result<Worker> worker = Worker::start(
      [&](Channel &owner) { callAndSend(function, arguments, cells, owner); }, timeLimit);
  if (!worker)
    return worker.error();
  Reply reply;
  if (Status loaded = receiveStatus(*worker, 0); !loaded)
    return loaded.error();
  if (Status status = worker->receive(&reply, sizeof reply); !status)
    return Error{Fault::Failed, who + ": " + status.error().message, status.error().ending};
  if (Status status = entryStatus(reply.status, who); !status)
    return status.error();
  if (reply.pastEndOf != 0)
    return failure(who + " wrote past the end of " + outputs[reply.pastEndOf - 1].name);
  for (HostMemory &output : memory) {
    if (Status status = worker->receive(output.data(), output.bytes()); !status)
      return failure(who + ": " + status.error().message);
  }
  return memory;
}

template <class Wide> double mostOf(const HostMemory &cells) {
  double most = 0;
  for (std::size_t i = 0; i < cells.bytes() / sizeof(Wide); ++i) {
    Wide each;
    std::memcpy(&each, cells.data() + i * sizeof(Wide), sizeof(Wide));
    most = std::max(most, static_cast<double>(each));
  }
  return most;
}

std::map<ir::Scalar, std::uint64_t> mostRoundings(const std::vector<Output> &outputs,
                                                  const std::vector<HostMemory> &cells) {
  constexpr double enough = 0x1p62; // no bound says anything any more
  std::map<ir::Scalar, std::uint64_t> all;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!ir::isFloating(outputs[i].element))
      continue;
    const double most = outputs[i].element == ir::Scalar::F32 ? mostOf<double>(cells[i])
                                                              : mostOf<long double>(cells[i]);
    std::uint64_t &known = all[outputs[i].element];
    known = std::max(known, static_cast<std::uint64_t>(std::ceil(std::min(most, enough))));
  }
  return all;
}

} // namespace

bool asksForRoundings(const Manifest &manifest) {
  return manifest.roundingDepth &&
         std::ranges::count(manifest.roundingDepth->names(), referenceRoundings) != 0;
}

Result<ReferenceValues> computeReference(const Manifest &manifest, const Problem &problem,
                                         const std::map<std::string, std::uint64_t> &definitions,
                                         Compiler &compiler, double timeLimit) {
  Compilation compilation;
  compilation.sources = {manifest.path("reference")};
  compilation.flags = {"-O2", "-fwrapv", "-ffp-contract=off"};
  if (manifest.path("reference").extension() == ".cpp")
    compilation.flags.insert(compilation.flags.end(),
                             {"-std=c++17", "-fno-exceptions", "-fno-rtti"});
  else
    compilation.flags.emplace_back("-std=c11");
  compilation.definitions = definitions;
  Result<ObjectFile> object = compiler.compile(compilation);
  if (!object)
    return object.error();
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  auto ask = [&](const std::string &name) -> Result<std::vector<HostMemory>> {
    try {
      return callEntry({*object, name, manifest.path("reference").string()}, problem, *outputs,
                       timeLimit);
    } catch (const std::bad_alloc &) {
      return refusal("the reference values do not fit in memory");
    }
  };
  ReferenceValues reference;
  Result<std::vector<HostMemory>> cells = ask("tangram_reference");
  if (!cells)
    return cells.error();
  reference.values = std::move(*cells);
  if (!manifest.roundingDepth)
    return reference;
  if (cells = ask("tangram_magnitude"); !cells)
    return cells.error();
  reference.magnitudes = std::move(*cells);
  if (asksForRoundings(manifest)) {
    if (cells = ask("tangram_roundings"); !cells)
      return cells.error();
    reference.roundings = mostRoundings(*outputs, *cells);
  }
  return reference;
}

} // namespace tangram::runtime
