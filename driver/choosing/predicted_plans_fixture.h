// For tests of predictions: spectrums of the library on models of machines, and the plans that predictions prefer.
#pragma once

#include "driver/choosing/predicted_plans.h"

#include "composer/analysis/index_variables.h"
#include "composer/plans/notation.h"
#include "frontend/parse.h"

#include <gtest/gtest.h>

namespace tangram::driver::fixture {

using composer::Machine;
using composer::Planner;
using composer::PlanStrategy;
using composer::RankedPlan;

inline ir::Program library(const std::string &file) {
  frontend::ParseResult parsed = frontend::parseFile(TANGRAM_SOURCE_DIR "/codelets/" + file, {});
  EXPECT_TRUE(parsed.program.has_value());
  return composer::widenIndexVariables(*parsed.program);
}

inline Machine projected(const std::string &name, const std::string &target) {
  auto found = composer::findMachine(name, {TANGRAM_SOURCE_DIR "/hwmodels"});
  std::vector<std::string> notes;
  return std::get<Machine>(
      composer::projectOnto(std::get<Machine>(std::move(found)), target, notes));
}

inline runtime::SizeChoice sizes(std::map<std::string, std::vector<std::uint64_t>> named) {
  runtime::SizeChoice choice;
  choice.named = std::move(named);
  return choice;
}

/// A spectrum on a machine, with predictions at one size.
struct Case {
  ir::Program program;
  Machine machine;
  std::string spectrum;
  std::string target;
  Predictor predictor;

  Case(const std::string &file, std::string name, const std::string &model, std::string forTarget,
       std::vector<runtime::SizeChoice> at)
      : Case(library(file), std::move(name), model, std::move(forTarget), std::move(at)) {}

  Case(ir::Program read, std::string name, const std::string &model, std::string forTarget,
       std::vector<runtime::SizeChoice> at)
      : program(std::move(read)), machine(projected(model, forTarget)), spectrum(std::move(name)),
        target(std::move(forTarget)),
        predictor(program, machine, spectrum, target, PredictOptions{std::move(at), {}}) {}

  Planner planner(PlanStrategy strategy, std::vector<std::string> without = {}) const {
    composer::PlanOptions options;
    options.strategy = strategy;
    options.target = target;
    options.without = std::move(without);
    options.measure = [this](const ir::PlanPtr &plan) { return predictor.measure(plan); };
    return std::get<Planner>(Planner::make(program, machine, spectrum, options));
  }

  RankedPlan first(PlanStrategy strategy, std::vector<std::string> without = {}) const {
    RankedPlan found;
    const Planner all = planner(strategy, std::move(without));
    EXPECT_TRUE(all.forEach([&](const RankedPlan &plan) { return found = plan, false; }).empty());
    return found;
  }

  /// The plan of a notation, whatever is thought of it.
  RankedPlan noted(const std::string &steps) const {
    auto sketch = composer::Sketch::parse(steps);
    EXPECT_TRUE(std::holds_alternative<composer::Sketch>(sketch)) << steps;
    auto found = planner(PlanStrategy::Thesis).complete(std::get<composer::Sketch>(sketch));
    EXPECT_TRUE(std::holds_alternative<RankedPlan>(found)) << steps;
    return std::get<RankedPlan>(found);
  }

  codegen::Prediction predicted(const RankedPlan &plan) const {
    auto made = predictor.predict(plan.plan);
    EXPECT_TRUE(std::holds_alternative<std::vector<PredictedSize>>(made));
    const auto &at = std::get<std::vector<PredictedSize>>(made);
    EXPECT_EQ(at.front().refusal, "");
    return at.front().prediction;
  }
};

inline constexpr std::uint64_t million = 1 << 20;

} // namespace tangram::driver::fixture
