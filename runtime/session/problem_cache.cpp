#include "runtime/session/problem_cache.h"

#include "runtime/data/real_range.h"
#include "runtime/data/text_file.h"

namespace tangram::runtime {

namespace {

std::string constantsText(const NamedNumbers &constants) {
  std::string text;
  for (const std::uint64_t each : constants.integers)
    text += "\n" + std::to_string(each);
  for (const double each : constants.reals)
    text += "\nreal " + shortest(each);
  return text;
}

std::string keyOf(const Signature &signature, const SizeChoice &sizes) {
  std::string key;
  for (const Parameter &p : signature.parameters) {
    key += p.name + (p.container ? " container " : " scalar ") + ir::shortName(p.element) + " " +
           std::to_string(static_cast<int>(p.access)) + " " + std::to_string(p.low) + " to " +
           std::to_string(p.high);
    for (const std::string &extent : p.extents)
      key += " " + extent;
    key += "\n";
  }
  key += signature.result ? ir::shortName(*signature.result) : "no result";
  for (const ShapeEquation &equation : signature.shape)
    key += "\n" + equation.extent + " == " + equation.equals.text();
  for (const DataContract &contract : signature.data)
    key += "\n" + contract.parameter + " " + std::to_string(static_cast<int>(contract.kind)) + " " +
           contract.low.text() + " to " + contract.high.text() +
           (contract.reals ? " " + std::to_string(contract.reals->first) + " to " +
                                 std::to_string(contract.reals->second)
                           : "");
  for (const auto *limits : {&signature.limits, &signature.scalarLimits}) {
    for (const Expression &limit : *limits)
      key += "\n" + limit.text();
  }
  key += constantsText(signature.constants);
  if (sizes.all)
    key += "\nall " + std::to_string(*sizes.all);
  if (sizes.most)
    key += "\nmost " + std::to_string(*sizes.most);
  key += "\n" + name(sizes.data) + " " + std::to_string(sizes.seed);
  for (const auto &[name, shape] : sizes.named) {
    key += "\n" + name;
    for (std::uint64_t extent : shape)
      key += " " + std::to_string(extent);
  }
  return key;
}

} // namespace

Result<const Problem *> ProblemCache::problem(const Signature &signature, const SizeChoice &sizes) {
  std::string key = keyOf(signature, sizes);
  if (current && problemKey == key)
    return &*current;
  // Free the last one first: two may not fit.
  known.clear();
  current.reset();
  Result<Problem> made = measureProblem(signature, given, sizes, seed);
  if (!made)
    return made.error();
  current = std::move(*made);
  problemKey = std::move(key);
  return &*current;
}

Result<SharedValues>
ProblemCache::reference(const Manifest &manifest,
                        const std::map<std::string, std::uint64_t> &definitions,
                        const std::string &name, const Derived &derived) {
  const Result<std::string> source = readTextFile(manifest.path("reference"));
  if (!source)
    return source.error();
  // Only definitions that the source mentions are in the key: most settings and most plans share one reference.
  std::string key = "reference " + name + "\n" + *source;
  for (const auto &[definition, value] : definitions)
    key += mentions(*source, definition) ? " " + definition + "=" + std::to_string(value) : "";
  if (SharedValues values = known.find(key))
    return values;
  Result<Values> values = derived ? computeReference(manifest, derived(*current), definitions, host)
                                  : computeReference(manifest, *current, definitions, host);
  if (!values)
    return values.error();
  SharedValues shared = std::make_shared<const Values>(std::move(*values));
  known.keep(key, shared);
  return shared;
}

} // namespace tangram::runtime
