#include "driver/predicted_plans.h"

#include "algebra/proofs.h"
#include "codegen/bundle/bundle.h"
#include "driver/plan_bundle.h"
#include "driver/plan_manifest.h"
#include "runtime/bundle/tunables.h"

#include <algorithm>
#include <cmath>

namespace tangram::driver {

using codegen::LoweredPlan;
using codegen::Refusal;
using composer::PlanMeasure;

namespace {

constexpr std::uint64_t manyElements = std::uint64_t{1} << 24;
constexpr std::uint64_t sideOfMany = 4096;
constexpr std::uint64_t sideOfCube = 256;
constexpr std::uint64_t shortSide = 128;
constexpr std::uint64_t timesMore = 16;
constexpr double anHour = 3600;

std::uint64_t usualExtent(std::size_t rank) {
  return rank <= 1 ? manyElements : rank == 2 ? sideOfMany : sideOfCube;
}

} // namespace

std::vector<runtime::SizeChoice> typicalSizes(const runtime::Signature &signature) {
  std::set<std::string> derived;
  for (const auto &contract : signature.shape)
    derived.insert(contract.extent);
  // What elements of another container say a place in, where results are put: few, as bins are.
  std::set<std::string> placed;
  for (const runtime::DataContract &contract : signature.data) {
    for (const std::string &name : contract.high.names()) {
      if (contract.kind == runtime::DataContract::Kind::Within)
        placed.insert(name);
    }
  }
  runtime::SizeChoice usual;
  std::vector<std::string> lines; // free extents of containers of one dimension
  for (const runtime::Parameter &p : signature.parameters) {
    for (const std::string &extent : p.extents) {
      if (derived.contains(extent))
        continue;
      const bool few = p.isOutput() && placed.contains(extent);
      usual.named[extent] = {few ? sideOfCube : usualExtent(p.extents.size())};
      if (p.extents.size() == 1 && !few)
        lines.push_back(extent);
    }
  }
  std::vector<runtime::SizeChoice> all{usual};
  for (const runtime::Parameter &p : signature.parameters) {
    if (p.extents.size() != 2 || derived.contains(p.extents[0]) || derived.contains(p.extents[1]))
      continue;
    for (bool high : {false, true}) {
      runtime::SizeChoice shape;
      for (const auto &[extent, sizes] : usual.named)
        shape.named[extent] = {shortSide};
      shape.named[p.extents[high ? 1 : 0]] = {shortSide};
      shape.named[p.extents[high ? 0 : 1]] = {manyElements / shortSide};
      all.push_back(shape);
    }
  }
  if (all.size() == 1 && !lines.empty()) { // what fits caches, and what does not
    runtime::SizeChoice large = usual;
    for (const std::string &extent : lines)
      large.named[extent] = {manyElements * timesMore};
    all.push_back(large);
  }
  if (lines.size() > 1) {
    for (const std::string &extent : lines) {
      runtime::SizeChoice shape = usual;
      shape.named[extent] = {sideOfCube};
      all.push_back(shape);
    }
  }
  return all;
}

Predictor::Predictor(const ir::Program &program, const composer::Machine &machine,
                     std::string spectrum, std::string target, PredictOptions options)
    : program_(program), machine_(machine), spectrum_(std::move(spectrum)),
      target_(std::move(target)), options_(std::move(options)),
      proofs_(std::make_shared<algebra::Proofs>()) {}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::predict(const ir::PlanPtr &plan) const {
  codegen::BundleRequest request;
  request.program = &program_;
  request.spectrum = spectrum_;
  request.plan = plan;
  request.machine = &machine_;
  request.target = target_;
  request.withoutPasses = options_.withoutPasses;
  request.proofs = proofs_;
  auto made = codegen::planForPrediction(request);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  const LoweredPlan &lowered = std::get<LoweredPlan>(made);
  auto manifest = manifestOf(lowered, *program_.spectrum(spectrum_), TunableDefaults::OfBundle);
  if (!manifest)
    return Refusal{manifest.error().message, {}};
  const runtime::DeviceFacts facts = allFactsOf(machine_);
  const auto requirements = runtime::requirementsOf(*manifest, facts);
  std::vector<PredictedSize> predicted;
  for (const runtime::SizeChoice &choice :
       options_.sizes.empty() ? typicalSizes(manifest->signature) : options_.sizes) {
    predicted.emplace_back();
    PredictedSize &size = predicted.back();
    auto problem = runtime::measureProblem(manifest->signature, runtime::GivenInputs{}, choice, 1);
    if (!problem) {
      size.refusal = problem.error().message;
      continue;
    }
    size.extents = problem->extents;
    runtime::Bindings bindings = problem->bindings();
    facts.bind(bindings);
    auto chosen = runtime::chooseTunables(*manifest, bindings, requirements, {});
    if (!chosen) {
      size.refusal = chosen.error().message;
      continue;
    }
    size.tunables = *chosen;
    std::map<const ir::Var *, double> numbers;
    std::size_t extent = 0;
    for (const runtime::Parameter &p : manifest->signature.parameters) {
      for (const std::string &name : p.extents)
        numbers[lowered.extents[extent++].get()] = static_cast<double>(problem->extents.at(name));
    }
    for (std::size_t i = 0; i < lowered.tunables.size(); ++i)
      numbers[lowered.tunables[i].var.get()] =
          static_cast<double>(chosen->at(manifest->tunables[i].name));
    size.prediction = codegen::predict(lowered, numbers);
  }
  return predicted;
}

double seconds(const std::vector<PredictedSize> &sizes) {
  double sum = 0;
  for (const PredictedSize &size : sizes)
    sum += std::log(size.refusal.empty() ? size.prediction.seconds() : anHour);
  return std::exp(sum / static_cast<double>(sizes.size()));
}

void planByPrediction(composer::PlanOptions &planning, std::shared_ptr<const Predictor> predictor) {
  planning.strategy = composer::PlanStrategy::Predict;
  planning.measure = [predictor = std::move(predictor)](const ir::PlanPtr &plan) {
    return predictor->measure(plan);
  };
}

PlanMeasure Predictor::measure(const ir::PlanPtr &plan) const {
  auto predicted = predict(plan);
  if (auto *refusal = std::get_if<Refusal>(&predicted))
    return {0, "", textOf(*refusal)};
  const auto &sizes = std::get<std::vector<PredictedSize>>(predicted);
  const auto served = std::ranges::find(sizes, "", &PredictedSize::refusal);
  if (served == sizes.end())
    return {0, "", sizes.front().refusal};
  return {seconds(sizes), served->prediction.text()};
}

} // namespace tangram::driver
