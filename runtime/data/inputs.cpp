#include "runtime/data/inputs.h"

#include "runtime/bundle/requirements.h"
#include "runtime/data/data_contract.h"
#include "runtime/data/npy_header.h"

#include <algorithm>
#include <unistd.h>

namespace tangram::runtime {

namespace {

__int128 integerOf(const HostArray &scalar) {
  std::uint64_t bits = 0;
  const std::size_t bytes = ir::byteSize(scalar.element);
  std::memcpy(&bits, scalar.memory.data(), bytes);
  if (!ir::isSigned(scalar.element))
    return bits;
  const unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

Error tooLarge(const std::string &name, const HostArray &array) {
  return refusal(name + ": shape " + shapeText(array.shape) + " does not fit in memory");
}

/// The system would promise more memory than it has, and end us when we use it.
Status checkMemory(const Problem &problem) {
  std::uint64_t needed = 0;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const bool container = problem.signature.parameters[i].container;
    const std::uint64_t bytes = problem.arguments[i].bytes().value_or(UINT64_MAX);
    if (container && __builtin_add_overflow(needed, bytes, &needed))
      needed = UINT64_MAX;
  }
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const std::uint64_t memory = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  if (needed <= memory)
    return ok();
  return refusal("the containers of this problem take " + roundedBytes(needed) +
                 ", this machine has " + roundedBytes(memory) + " of memory");
}

/// Elements of one container: a file's, or made up.
Status fillContainer(Problem &problem, std::size_t i, const Bindings &bindings) {
  const Parameter &p = problem.signature.parameters[i];
  HostArray &array = problem.arguments[i];
  try {
    array.memory = HostMemory(array.bytes().value_or(SIZE_MAX));
  } catch (const std::bad_alloc &) {
    return tooLarge(p.name, array);
  }
  // A contract whose numbers cannot be computed says nothing of no elements.
  if (array.count() == 0)
    return ok();
  Result<DataRules> rules = DataRules::of(problem.signature, p.name, bindings);
  if (!rules)
    return rules.error();
  auto found = problem.files.find(p.name);
  if (found != problem.files.end()) {
    std::memcpy(array.memory.data(), found->second.array->memory.data(), array.memory.bytes());
    return rules->check(array, p.name + " (" + found->second.source + ")");
  }
  if (!rules->empty())
    return rules->generate(array, problem.seed, i, problem.data);
  generate(array, problem.seed, i, problem.data, problem.signature.constants);
  return ok();
}

/// `extents` of a shape, joined by x, of which the words may have been a list of sizes: "4096,4096". Else the first ones, or
/// the last one again.
std::string shapeMeant(const std::string &word, const std::vector<std::uint64_t> &found,
                       std::size_t extents) {
  std::string list = word.substr(word.find('=') + 1);
  if (found.size() == 1 && static_cast<std::size_t>(std::ranges::count(list, ',')) + 1 == extents) {
    std::ranges::replace(list, ',', 'x');
    return list;
  }
  std::string shape;
  for (std::size_t d = 0; d < extents; ++d)
    shape += (d ? "x" : "") + std::to_string(found[std::min(d, found.size() - 1)]);
  return shape;
}

} // namespace

std::string problemOfShape(const SizeChoice &sizes, const std::string &name, std::size_t fewest,
                           std::size_t most) {
  const std::vector<std::uint64_t> &found = sizes.named.at(name);
  if (found.size() >= fewest && found.size() <= most)
    return "";
  const auto written = sizes.words.find(name);
  const std::string word = written == sizes.words.end() ? name : written->second;
  const std::size_t wanted = found.size() < fewest ? fewest : most;
  return sizes.option + " " + word + ": expected " +
         (fewest < most ? std::to_string(fewest) + " to " : "") + std::to_string(most) +
         (most == 1 ? " extent" : " extents") + ", found " + std::to_string(found.size()) +
         (wanted > 1 ? "; an x joins the extents of a shape: " : "; write ") + sizes.option + " " +
         name + "=" + shapeMeant(written == sizes.words.end() ? "" : word, found, wanted);
}

Bindings Problem::bindings() const {
  Bindings bindings;
  bindings.values.insert(extents.begin(), extents.end());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter &p = signature.parameters[i];
    if (!p.container && ir::isInteger(p.element))
      bindings.values[p.name] = integerOf(arguments[i]);
  }
  return bindings;
}

std::vector<std::uint64_t> Problem::shapeOf(const Parameter &parameter) const {
  std::vector<std::uint64_t> shape;
  for (const std::string &extent : parameter.extents)
    shape.push_back(extents.at(extent));
  return shape;
}

std::uint64_t Problem::elements() const {
  std::uint64_t sum = 0;
  for (const HostArray &each : arguments)
    sum += each.count();
  return sum;
}

Status fillProblem(Problem &problem) {
  if (problem.filled)
    return ok();
  if (Status status = checkMemory(problem); !status)
    return status;
  const Bindings bindings = problem.bindings();
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    const Parameter &p = problem.signature.parameters[i];
    if (!p.container || !p.isInput())
      continue;
    if (Status status = fillContainer(problem, i, bindings); !status)
      return status;
  }
  problem.files.clear();
  problem.filled = true;
  return ok();
}

Result<Problem> makeProblem(const Signature &signature, const GivenInputs &given,
                            const SizeChoice &sizes, std::uint64_t seed) {
  Result<Problem> problem = measureProblem(signature, given, sizes, seed);
  if (!problem)
    return problem;
  if (Status status = fillProblem(*problem); !status)
    return status.error();
  return problem;
}

} // namespace tangram::runtime
