// The case that verification judges for a run of a bundle, as far as manifest and problem give it.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/judge.h"
#include "runtime/session/runner.h"

namespace tangram::runtime {

/// Whether anything of a bundle is floating point: otherwise results are equal or wrong.
bool usesFloatingPoint(const Manifest &manifest);

/// Everything but the types in wider numbers. Errors: those of outputsOf().
Result<JudgedCase> caseOf(const Manifest &manifest, const Problem &problem,
                          const Bindings &bindings);

void addWideTypes(const Manifest &wide, JudgedCase &asked);

/// The plan in wider numbers. Error: why there is none.
Result<Manifest> wideManifestOf(const Manifest &manifest);

Outcome outcomeOf(Verification::Verdict verdict);

} // namespace tangram::runtime
