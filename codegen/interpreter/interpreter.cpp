#include "codegen/interpreter/interpreter.h"

#include "codegen/interpreter/code_builder.h"

#include <algorithm>
#include <cstring>

namespace tangram::codegen {

using namespace interpreting;

struct Interpreter::Code {
  const LoweredPlan &plan;
  InterpreterOptions options;
  Machine::Code code;
  std::map<const ir::Var *, std::uint32_t> inputs; ///< registers of sizes and scalars
  std::optional<Unknown> unknown;
};

Interpreter::Interpreter(const LoweredPlan &plan, const InterpreterOptions &options) {
  auto code = std::make_unique<Code>(Code{plan, options, {}, {}, {}});
  try {
    code->inputs = compile(plan, options, code->code);
  } catch (const Unknown &unknown) {
    code->unknown = unknown;
  }
  code_ = std::move(code);
}

Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter &&) noexcept = default;

namespace {

Value valueIn(const InterpreterCall::Bytes &bytes, ir::Scalar type) {
  Value v{0};
  withType(type, [&]<class T>(T) {
    T x{};
    std::memcpy(&x, bytes.data(), std::min(sizeof x, bytes.size()));
    v = valueOf<T>(x);
  });
  return v;
}

} // namespace

Interpretation Interpreter::run(InterpreterCall &call) const {
  if (code_->unknown) {
    Interpretation nothing;
    Report &report = nothing.reports.emplace_back();
    report.kind = Report::Kind::Unsupported;
    report.location = code_->unknown->location;
    report.message = code_->unknown->what;
    return nothing;
  }
  const Machine::Code &code = code_->code;
  std::vector<Value> registers = code.registers;
  for (const auto &[var, at] : code_->inputs) {
    auto size = call.sizes.find(var);
    auto scalar = call.scalars.find(var);
    if (size != call.sizes.end())
      registers[at] = valueOf<std::uint64_t>(size->second);
    else if (scalar != call.scalars.end())
      registers[at] = valueIn(scalar->second, var->type.scalar);
  }
  std::vector<Allocation> memory(code.arrays.size());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i].name = code.arrays[i].name;
    memory[i].element = code.arrays[i].element;
    const Buffer *buffer = code.arrays[i].buffer;
    auto given = buffer ? call.memory.find(buffer->var.get()) : call.memory.end();
    if (given == call.memory.end())
      continue;
    memory[i].reset(given->second.size() / ir::byteSize(memory[i].element), true);
    if (buffer->access == "out")
      continue;
    memory[i].bytes = given->second;
    for (Cell &cell : memory[i].cells)
      cell.written = true;
  }
  Interpretation done = Machine(code, code_->options).run(std::move(registers), memory);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const Buffer *buffer = code.arrays[i].buffer;
    auto given = buffer ? call.memory.find(buffer->var.get()) : call.memory.end();
    if (given == call.memory.end())
      continue;
    given->second = memory[i].bytes;
    bool missing = buffer->access == "out" && !done.refused && done.reports.empty() &&
                   !memory[i].cells.empty() && !memory[i].cells[0].written;
    if (missing) {
      Report &report = done.reports.emplace_back();
      report.kind = Report::Kind::Unwritten;
      report.message = "the plan ends, and nothing has written " + memory[i].name;
    }
  }
  return done;
}

} // namespace tangram::codegen
