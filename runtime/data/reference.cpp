#include "runtime/data/reference.h"

#include "runtime/bundle/call.h"
#include "runtime/data/npy_header.h"
#include "runtime/openmp/entry_point.h"

#include <algorithm>
#include <cmath>

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

/// What one output holds before the call: what was in an inout container, poison otherwise.
struct Cells {
  HostMemory *memory;
  ir::Scalar element;
  const HostArray *before; ///< null for what is only written

  void fill() const {
    if (!before)
      poison(element, memory->data(), memory->bytes());
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
    memory.emplace_back(output.count * ir::byteSize(output.element));
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

} // namespace

Result<Values> computeReference(const Manifest &manifest, const Problem &problem,
                                const std::map<std::string, std::uint64_t> &definitions,
                                Compiler &compiler, double timeLimit) {
  Compilation compilation;
  compilation.sources = {manifest.path("reference")};
  if (compilation.sources.front().extension() != ".c")
    return inputError(manifest.file + ": /files/reference: expected a .c file, found " +
                      compilation.sources.front().filename().string() +
                      ": this bundle was made by an older tangram; make it anew");
  compilation.flags = {"-O2", "-fwrapv", "-ffp-contract=off", "-std=c11"};
  compilation.definitions = definitions;
  Result<ObjectFile> object = compiler.compile(compilation);
  if (!object)
    return object.error();
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  try {
    return callEntry({*object, "tangram_reference", manifest.path("reference").string()}, problem,
                     *outputs, timeLimit);
  } catch (const std::bad_alloc &) {
    return refusal("the reference values do not fit in memory");
  }
}

} // namespace tangram::runtime
