// Kernels of small programs, as they are printed for simple-gpu.
#pragma once

#include "codegen/pipeline/pipeline.h"
#include "codegen/targets/opencl/opencl.h"
#include "codegen/test_fixture.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen::fixture {

/// As it is printed for PoCL, where that is another text.
inline std::string kernelOf(const std::string &source, const ir::PlanPtr &plan) {
  const ir::Program program = parse(source);
  const composer::Machine machine =
      composer::withMapRules(projected("simple-gpu", "opencl"),
                             {composer::MapRule::Distribute, composer::MapRule::Serialize});
  auto lowered = lower(program, "f", plan, machine, "opencl");
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return refusal->reason;
  auto printed = printOpencl(optimize(std::get<LoweredPlan>(std::move(lowered)), {}), {},
                             Contraction::Nothing);
  const OpenclSource &made = std::get<OpenclSource>(printed);
  return made.pocl.empty() ? made.text : made.pocl;
}

/// Items whose elements are also those of others, counted from the end.
inline const char *const ofOthers = R"(
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] += 0;)";

/// Parts that the items of one block update one after the other; `first`: statements before.
inline std::string kernelOfParts(const std::string &first = ofOthers) {
  return kernelOf(
      R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {)" +
          first + R"(
  for (unsigned i = coopIdx(); i < c.size(); i += coopDim())
    c[i] += a[i];
}
__codelet __tag(parts) void f(const Array<1, int> a, Array<1, int> c) {
  map(f, chunks(a, 4), chunks(c, 4));
}
)",
      devolve(0, "f", compound(1, "f", 2, {mapped(1, "f", serialize, compute(1, "f", 1))})));
}

/// The same of parts that are asked how long they are.
inline std::string kernelOfPartsInBranches() {
  return kernelOf(
      R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] += 0;
  if (c.size() == 4) {
    for (unsigned i = coopIdx(); i < 4; i += coopDim())
      c[i] += a[i];
  } else {
    for (unsigned i = coopIdx(); i < c.size(); i += coopDim())
      c[i] += a[i];
  }
}
__codelet __tag(parts) void f(const Array<1, int> a, Array<1, int> c) {
  map(f, chunks(a, 4), chunks(c, 4));
}
)",
      devolve(0, "f", compound(1, "f", 2, {mapped(1, "f", serialize, compute(1, "f", 1))})));
}

/// From the first mention of `from` on, without what stands around statements.
inline std::vector<std::string> linesFrom(const std::string &text, const std::string &from) {
  std::vector<std::string> lines;
  std::istringstream rest(text.substr(std::min(text.find(from), text.size())));
  for (std::string line; std::getline(rest, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return lines;
}

} // namespace tangram::codegen::fixture
