#include "driver/choosing/predicted_plans.h"

#include "codegen/bundle/bundle.h"
#include "composer/derive/known_sketches.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/plan_bundle.h"
#include "driver/choosing/plan_manifest.h"
#include "driver/choosing/typical_sizes.h"
#include "runtime/bundle/tunables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <thread>

namespace tangram::driver {

using codegen::LoweredPlan;
using codegen::Refusal;
using composer::PlanMeasure;

namespace {

constexpr double anHour = 3600;
/// The first of the typical sizes counts as much as so many others, of which some are extreme.
constexpr double mostUsual = 1.5;

} // namespace

Predictor::Predictor(const ir::Program &program, const composer::Machine &machine,
                     std::string spectrum, std::string target, PredictOptions options)
    : program_(program), machine_(machine), spectrum_(std::move(spectrum)),
      target_(std::move(target)), options_(std::move(options)) {}

class Predictor::Lent {
public:
  explicit Lent(const Predictor &predictor) : predictor_(predictor) {
    const std::lock_guard lock(predictor_.lending_);
    if (predictor_.findings_.empty()) {
      findings_ = std::make_shared<codegen::Findings>();
      findings_->proofs = std::make_shared<algebra::Proofs>(predictor_.forms_);
    } else {
      findings_ = std::move(predictor_.findings_.back());
      predictor_.findings_.pop_back();
    }
  }
  ~Lent() {
    const std::lock_guard lock(predictor_.lending_);
    predictor_.findings_.push_back(std::move(findings_));
  }
  Lent(const Lent &) = delete;
  Lent &operator=(const Lent &) = delete;

  const std::shared_ptr<codegen::Findings> &findings() const { return findings_; }

private:
  const Predictor &predictor_;
  std::shared_ptr<codegen::Findings> findings_;
};

std::shared_ptr<codegen::Findings> Predictor::findings() const {
  const std::lock_guard lock(lending_);
  return findings_.empty() ? nullptr : findings_.back();
}

const std::vector<runtime::SizeChoice> &Predictor::sizesFor(const runtime::Signature &signature,
                                                            bool atAny) const {
  const std::lock_guard lock(keeping_);
  if (!options_.sizes.empty() && !atAny)
    return options_.sizes;
  if (!typical_.empty())
    return typical_;
  typical_ = typicalSizes(signature, saidOfSizes(*program_.spectrum(spectrum_), signature));
  return typical_;
}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::predict(const ir::PlanPtr &plan) const {
  std::size_t statements = 0;
  return predict(plan, Wanted{}, statements);
}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::explain(const ir::PlanPtr &plan) const {
  std::size_t statements = 0;
  return predict(plan, Wanted{false, true}, statements);
}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::predict(const ir::PlanPtr &plan, Wanted wanted, std::size_t &statements) const {
  codegen::BundleRequest request;
  request.program = &program_;
  request.spectrum = spectrum_;
  request.plan = plan;
  request.machine = &machine_;
  request.target = target_;
  request.withoutPasses = options_.withoutPasses;
  const Lent lent(*this);
  request.findings = lent.findings();
  auto made = codegen::planForPrediction(request);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  const LoweredPlan &lowered = std::get<LoweredPlan>(made);
  ir::forEach(lowered.body, [&](const ir::Stmt &) { ++statements; });
  auto manifest = manifestOf(lowered, *program_.spectrum(spectrum_), TunableDefaults::OfBundle);
  if (!manifest)
    return Refusal{manifest.error().message, {}};
  const runtime::DeviceFacts facts = allFactsOf(machine_, target_);
  const auto requirements = runtime::requirementsOf(*manifest, facts);
  std::vector<PredictedSize> predicted;
  for (const runtime::SizeChoice &choice : sizesFor(manifest->signature, wanted.atAny)) {
    predicted.emplace_back();
    PredictedSize &size = predicted.back();
    if ((wanted.atAny || options_.sizes.empty()) && predicted.size() == 1)
      size.weight = mostUsual;
    const auto call = sizedCall(manifest->signature, choice, facts);
    if (!call) {
      size.refusal = call.error().message;
      continue;
    }
    size.extents = call->extents;
    auto chosen = runtime::chooseTunables(*manifest, call->bindings, requirements, {});
    if (!chosen) {
      size.refusal = chosen.error().message;
      continue;
    }
    size.tunables = *chosen;
    std::map<const ir::Var *, double> numbers;
    std::size_t extent = 0;
    std::size_t scalar = 0;
    for (const runtime::Parameter &p : manifest->signature.parameters) {
      const ir::Var *number = p.container ? nullptr : lowered.scalars[scalar++].get();
      if (const auto known = call->integers.find(p.name); number && known != call->integers.end())
        numbers[number] = static_cast<double>(known->second);
      for (const std::string &name : p.extents)
        numbers[lowered.extents[extent++].get()] = static_cast<double>(call->extents.at(name));
    }
    for (std::size_t i = 0; i < lowered.tunables.size(); ++i)
      numbers[lowered.tunables[i].var.get()] =
          static_cast<double>(chosen->at(manifest->tunables[i].name));
    size.prediction = codegen::predict(lowered, numbers, wanted.explains);
  }
  return predicted;
}

namespace {

double secondsOf(const PredictedSize &size) {
  return size.refusal.empty() ? size.prediction.seconds() : anHour;
}

} // namespace

double seconds(const std::vector<PredictedSize> &sizes) {
  double sum = 0;
  double weights = 0;
  for (const PredictedSize &size : sizes) {
    sum += size.weight * std::log(secondsOf(size));
    weights += size.weight;
  }
  return std::exp(sum / weights);
}

void measureByPrediction(composer::PlanOptions &planning,
                         std::shared_ptr<const Predictor> predictor) {
  planning.strategy = composer::PlanStrategy::Predict;
  planning.improving.threads = std::max(1U, std::thread::hardware_concurrency());
  planning.measureAtAny = nullptr;
  planning.measure = [predictor = std::move(predictor)](const ir::PlanPtr &plan) {
    return predictor->measure(plan);
  };
}

ir::Diagnostics planByPrediction(composer::PlanOptions &planning,
                                 std::shared_ptr<const Predictor> predictor) {
  auto known = knownSketches(predictor->program().file);
  if (auto *errors = std::get_if<ir::Diagnostics>(&known))
    return std::move(*errors);
  planning.known = std::get<std::vector<composer::Sketch>>(std::move(known));
  for (const std::string &text : composer::derivedSketches(predictor->program())) {
    auto sketch = composer::Sketch::parse(text);
    if (auto *errors = std::get_if<ir::Diagnostics>(&sketch))
      return std::move(*errors);
    planning.known.push_back(std::get<composer::Sketch>(std::move(sketch)));
  }
  measureByPrediction(planning, predictor);
  if (predictor->hasSizes())
    planning.measureAtAny = [predictor = std::move(predictor)](const ir::PlanPtr &plan) {
      return predictor->measureAtAny(plan);
    };
  return {};
}

PlanMeasure Predictor::measure(const ir::PlanPtr &plan) const { return measure(plan, Wanted{}); }

PlanMeasure Predictor::measureAtAny(const ir::PlanPtr &plan) const {
  return measure(plan, Wanted{true, false});
}

PlanMeasure Predictor::measure(const ir::PlanPtr &plan, Wanted wanted) const {
  PlanMeasure measure;
  auto predicted = predict(plan, wanted, measure.work);
  if (auto *refusal = std::get_if<Refusal>(&predicted)) {
    measure.refusal = textOf(*refusal);
    measure.at = refusal->location;
    return measure;
  }
  const auto &sizes = std::get<std::vector<PredictedSize>>(predicted);
  const auto served = std::ranges::find(sizes, "", &PredictedSize::refusal);
  if (served == sizes.end()) {
    measure.refusal = sizes.front().refusal;
    measure.value = anHour;
    measure.why = "at no size that was asked for: " + measure.refusal;
    measure.isUnserved = true;
    return measure;
  }
  measure.value = seconds(sizes);
  measure.why = served->prediction.text();
  if (wanted.atAny)
    return measure;
  const std::lock_guard lock(keeping_);
  work_ += measure.work;
  std::ranges::transform(sizes, std::back_inserter(measured_[plan] = {}), secondsOf);
  return measure;
}

std::size_t Predictor::work() const {
  const std::lock_guard lock(keeping_);
  return work_;
}

std::vector<double> Predictor::measured(const ir::PlanPtr &plan) const {
  const std::lock_guard lock(keeping_);
  const auto known = measured_.find(plan);
  return known == measured_.end() ? std::vector<double>{} : known->second;
}

} // namespace tangram::driver
