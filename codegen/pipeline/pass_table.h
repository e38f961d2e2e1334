// The passes in order: what each needs, and why it stands where it does.
#pragma once

#include "codegen/form/forms.h"
#include "codegen/form/kernel_ir.h"

#include <vector>

namespace tangram::codegen {

/// What a target has to be for a pass.
enum class Needs {
  Nothing,
  LoopItems, ///< the items of a group are a loop that one thread runs (TargetTraits::itemsAreLoops)
  ThreadItems, ///< the items of a group are threads
  VectorTypes, ///< its language has types of several numbers side by side, which loops of one thread may use
};

struct Pass {
  const char *name; ///< passes of one name are one to those who leave it out
  Form before;      ///< takes plans in this form,
  Form after;       ///< and leaves them in this one
  Needs needs = Needs::Nothing;
  bool optional = false; ///< code is right without it
  LoweredPlan (*run)(LoweredPlan plan) = nullptr;
  const char *why = ""; ///< it stands here, in a sentence
  /// Why predictions leave it out, in a sentence; null: they run it as well.
  const char *unpredicted = nullptr;
  /// What predictions run in its place.
  LoweredPlan (*predicted)(LoweredPlan plan) = nullptr;
};

const std::vector<Pass> &passTable();

/// Whether `pass` is for the target of the plan.
bool isFor(const Pass &pass, const LoweredPlan &plan);

} // namespace tangram::codegen
