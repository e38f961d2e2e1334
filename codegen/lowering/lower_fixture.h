// Plans and questions that the tests of lowering share.
#pragma once

#include "codegen/test_fixture.h"

#include <string>
#include <variant>

namespace tangram::codegen::fixture {

/// The reason of a refusal with its place, or what came out instead.
inline std::string refusalOf(const std::variant<LoweredPlan, Refusal> &result) {
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason + (refusal->location.line == 0
                                  ? ""
                                  : " (" + std::to_string(refusal->location.line) + ":" +
                                        std::to_string(refusal->location.column) + ")");
  return "lowered:\n" + ir::toString(std::get<LoweredPlan>(result).body);
}

inline LoweredPlan loweredPlan(const std::variant<LoweredPlan, Refusal> &result) {
  EXPECT_TRUE(std::holds_alternative<LoweredPlan>(result)) << refusalOf(result);
  auto *plan = std::get_if<LoweredPlan>(&result);
  return plan ? *plan : LoweredPlan{};
}

inline std::string constraintsOf(const LoweredPlan &plan) {
  std::string text;
  for (const Constraint &each : plan.constraints)
    text += ir::toString(each.require) + " : " + each.reason + "\n";
  return text;
}

} // namespace tangram::codegen::fixture
