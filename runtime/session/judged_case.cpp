#include "runtime/session/judged_case.h"

#include "runtime/data/moved_inputs.h"

#include <algorithm>

namespace tangram::runtime {

namespace {

/// A matrix of as many rows as columns: what is computed of it may exist for some matrices only.
const Parameter *squareMatrix(const Problem &problem) {
  for (const Parameter &p : problem.signature.parameters) {
    if (!p.container || !p.isInput() || !ir::isFloating(p.element) || p.extents.size() != 2)
      continue;
    const std::vector<std::uint64_t> shape = problem.shapeOf(p);
    if (shape[0] == shape[1])
      return &p;
  }
  return nullptr;
}

std::string otherInputsFor(const Problem &problem) {
  const Parameter *matrix = squareMatrix(problem);
  if (!matrix)
    return "other values by --input, smaller ones where results are infinite";
  return "a matrix for which they exist, such as that of `tangram-run generate dominant-matrix "
         "--size " +
         std::to_string(problem.shapeOf(*matrix)[0]) +
         (matrix->element == ir::Scalar::F64 ? " --element double" : "") + " -o " + matrix->name +
         ".npy` by --input " + matrix->name + "=" + matrix->name + ".npy";
}

/// The longest chain of roundings, as far as the manifest knows it: those of loops that values end count as none.
std::uint64_t depthOf(const Manifest &manifest, Bindings bindings) {
  if (!manifest.roundingDepth)
    return 0;
  bindings.values["reference_roundings"] = 0;
  const Result<std::uint64_t> depth = manifest.roundingDepth->evaluate(bindings);
  return depth ? *depth : 0;
}

} // namespace

bool usesFloatingPoint(const Manifest &manifest) {
  const Signature &signature = manifest.signature;
  return manifest.files.contains("wide") || !manifest.wideRefusal.empty() ||
         (signature.result && ir::isFloating(*signature.result)) ||
         std::ranges::any_of(signature.parameters,
                             [](const Parameter &p) { return ir::isFloating(p.element); });
}

Result<JudgedCase> caseOf(const Manifest &manifest, const Problem &problem,
                          const Bindings &bindings) {
  Result<std::vector<Output>> outputs = outputsOf(problem);
  if (!outputs)
    return outputs.error();
  return JudgedCase{std::move(*outputs),
                    {},
                    depthOf(manifest, bindings),
                    factsOf(problem),
                    otherInputsFor(problem)};
}

void addWideTypes(const Manifest &wide, JudgedCase &asked) {
  asked.wideTypes.clear();
  for (const Parameter &p : wide.signature.parameters) {
    if (p.isOutput())
      asked.wideTypes.push_back(p.element);
  }
  if (wide.signature.result)
    asked.wideTypes.push_back(*wide.signature.result);
}

Result<Manifest> wideManifestOf(const Manifest &manifest) {
  if (!manifest.wideRefusal.empty())
    return refusal(manifest.wideRefusal);
  if (!manifest.files.contains("wide"))
    return refusal("the bundle has no plan in them; `tangram synth` makes it anew with one");
  return readManifest(manifest.path("wide"));
}

Outcome outcomeOf(Verification::Verdict verdict) {
  switch (verdict) {
  case Verification::Verdict::Right:
    return Outcome::Verified;
  case Verification::Verdict::Wrong:
    return Outcome::Wrong;
  case Verification::Verdict::Inaccurate:
    return Outcome::Inaccurate;
  case Verification::Verdict::NotComparable:
    break;
  }
  return Outcome::NotComparable;
}

} // namespace tangram::runtime
