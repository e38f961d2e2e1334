#include "driver/predicted_plans.h"

#include "algebra/simplify.h"
#include "codegen/bundle/bundle.h"
#include "composer/analysis/sites.h"
#include "driver/plan_bundle.h"
#include "driver/plan_manifest.h"
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

constexpr std::uint64_t manyElements = std::uint64_t{1} << 24;
constexpr std::uint64_t sideOfMany = 4096;
constexpr std::uint64_t sideOfCube = 256;
constexpr std::uint64_t shortSide = 128;
constexpr std::uint64_t timesMore = 16;
constexpr double anHour = 3600;

std::uint64_t usualExtent(std::size_t rank) {
  return rank <= 1 ? manyElements : rank == 2 ? sideOfMany : sideOfCube;
}

/// The sizes that a caller chooses, by what the shape contracts say of the others.
class FreeExtents {
public:
  explicit FreeExtents(const runtime::Signature &signature) {
    for (const std::string &extent : signature.extents())
      extents_.insert(extent);
    for (const auto &contract : signature.shape)
      equals_.try_emplace(contract.extent, &contract.equals);
  }

  /// Of a container's dimensions: three coordinates are none, and what equals another one is that.
  std::vector<std::string> of(const runtime::Parameter &p) const {
    std::vector<std::string> found;
    for (const std::string &extent : p.extents) {
      if (const std::string root = rootOf(extent); !root.empty())
        found.push_back(root);
    }
    return found;
  }

  /// Whether a caller chooses none: there are no containers, or all are as large as contracts say.
  bool empty() const {
    return std::ranges::all_of(extents_,
                               [&](const std::string &extent) { return rootOf(extent).empty(); });
  }

  /// Those that the size of a container of so many numbers as there are parts, or one more, follows from.
  std::set<std::string> behind(const runtime::Parameter &p) const {
    std::set<std::string> found;
    for (const std::string &extent : p.extents) {
      const auto contract = equals_.find(extent);
      std::vector<std::string> names{extent};
      if (contract != equals_.end())
        names = contract->second->names();
      for (const std::string &name : names) {
        if (const std::string root = rootOf(name); !root.empty())
          found.insert(root);
      }
    }
    return found;
  }

private:
  std::string rootOf(std::string extent) const {
    for (std::size_t step = 0; step <= equals_.size(); ++step) {
      const auto known = equals_.find(extent);
      if (known == equals_.end())
        return extents_.contains(extent) ? extent : "";
      const runtime::Expression &equals = *known->second;
      if (equals.names().size() != 1 || equals.text() != equals.names().front())
        return "";
      extent = equals.names().front();
    }
    return "";
  }

  std::set<std::string> extents_;
  std::map<std::string, const runtime::Expression *> equals_;
};

/// The extents that count parts of containers, cut by ascending numbers: several elements are in each. And
/// those of containers in which elements say places, of which there are then as many: vertices of a graph,
/// columns of a sparse matrix.
std::set<std::string> partsOf(const runtime::Signature &signature, const FreeExtents &free) {
  using Kind = runtime::DataContract::Kind;
  std::set<std::string> parts;
  for (const runtime::DataContract &contract : signature.data) {
    const runtime::Parameter *cuts = signature.parameter(contract.parameter);
    if (contract.kind != Kind::Ascending || !cuts)
      continue;
    parts.merge(free.behind(*cuts));
    for (const std::string &cut : contract.high.names())
      parts.erase(cut);
  }
  if (parts.empty())
    return parts;
  for (const runtime::DataContract &contract : signature.data) {
    for (const runtime::Parameter &p : signature.parameters) {
      if (contract.kind != Kind::Within || p.extents.size() != 1)
        continue;
      const std::vector<std::string> names = contract.high.names();
      if (std::ranges::find(names, p.extents.front()) != names.end())
        parts.merge(free.behind(p));
    }
  }
  return parts;
}

/// The integers that `choice` names, which are taken from it, and those of a spectrum of which a caller chooses no
/// other size: they say how much there is to do.
std::map<std::string, std::uint64_t> integersOf(const runtime::Signature &signature,
                                                runtime::SizeChoice &choice) {
  std::map<std::string, std::uint64_t> found;
  const bool sayHowMuch = FreeExtents(signature).empty();
  for (const runtime::Parameter &p : signature.parameters) {
    if (p.container || !ir::isInteger(p.element))
      continue;
    if (const auto named = choice.named.find(p.name); named != choice.named.end()) {
      found[p.name] = named->second.front();
      choice.named.erase(named);
      continue;
    }
    const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(p.high - 1, 1));
    if (sayHowMuch)
      found[p.name] =
          p.high == runtime::usualScalarLimit ? manyElements : std::min(manyElements, most);
  }
  return found;
}

} // namespace

namespace {

/// How many elements a spectrum takes at most, `require(c.size() <= 8)`, by extent.
std::map<std::string, std::uint64_t> mostElements(const ir::Spectrum &spectrum,
                                                  const runtime::Signature &signature) {
  std::map<std::string, std::uint64_t> most;
  const std::optional<unsigned> meaning = composer::meaningOf(spectrum);
  if (!meaning)
    return most;
  const ir::Codelet &codelet = spectrum.codelets[*meaning];
  for (const ir::StmtPtr &s : codelet.body->children) {
    if (s->kind != ir::StmtKind::Require || s->value->kind != ir::ExprKind::Binary)
      continue;
    const bool turned = s->value->op == ">" || s->value->op == ">=";
    const bool isBound = turned || s->value->op == "<" || s->value->op == "<=";
    ir::ExprPtr size = s->value->args[turned ? 1 : 0];
    while (size->kind == ir::ExprKind::Cast)
      size = size->args[0];
    const auto bound = ir::literalValue(algebra::simplify(s->value->args[turned ? 0 : 1]));
    if (!isBound || !bound || *bound < 1 || size->kind != ir::ExprKind::Size)
      continue;
    const std::uint64_t elements = *bound - (s->value->op == "<" || s->value->op == ">");
    for (std::size_t i = 0; i < codelet.params.size(); ++i) {
      if (codelet.params[i] != size->args[0]->var)
        continue;
      const auto &extents = signature.parameters[i].extents;
      const auto &name = extents[static_cast<std::size_t>(size->integer)];
      most[name] = std::min(elements, most.contains(name) ? most[name] : elements);
    }
  }
  // An extent that follows from another one bounds that.
  for (const auto &contract : signature.shape) {
    const auto bound = most.find(contract.extent);
    if (bound == most.end() || contract.equals.names().size() != 1)
      continue;
    const std::string &other = contract.equals.names().front();
    std::uint64_t elements = bound->second;
    const auto tooMany = [&] {
      const auto value = contract.equals.evaluate({{{other, elements}}, {}});
      return !value || *value > bound->second;
    };
    while (elements > 1 && tooMany())
      --elements;
    most[other] = std::min(elements, most.contains(other) ? most[other] : elements);
  }
  return most;
}

} // namespace

std::vector<runtime::SizeChoice> typicalSizes(const runtime::Signature &signature) {
  const FreeExtents free(signature);
  // What elements of another container say a place in, where results are put: few, as bins are.
  std::set<std::string> placed;
  for (const runtime::DataContract &contract : signature.data) {
    for (const std::string &name : contract.high.names()) {
      if (contract.kind == runtime::DataContract::Kind::Within)
        placed.insert(name);
    }
  }
  // But not where another container is as large: a number for each vertex of a graph.
  for (const auto &contract : signature.shape) {
    for (const std::string &name : contract.equals.names())
      placed.erase(name);
  }
  const std::set<std::string> parts = partsOf(signature, free);
  runtime::SizeChoice usual;
  std::vector<std::string> lines; // free extents of containers of one dimension
  for (const runtime::Parameter &p : signature.parameters) {
    const std::vector<std::string> extents = free.of(p);
    for (const std::string &extent : extents) {
      const bool few = p.isOutput() && placed.contains(extent);
      const std::uint64_t size = few                      ? sideOfCube
                                 : parts.contains(extent) ? manyElements / timesMore
                                                          : usualExtent(extents.size());
      const auto known = usual.named.find(extent);
      if (known == usual.named.end() || size < known->second.front())
        usual.named[extent] = {size};
      if (size < manyElements)
        std::erase(lines, extent);
      else if (known == usual.named.end())
        lines.push_back(extent);
    }
  }
  std::vector<runtime::SizeChoice> all{usual};
  std::set<std::string> shaped;
  for (const runtime::Parameter &p : signature.parameters) {
    const std::vector<std::string> extents = free.of(p);
    if (extents.size() != 2 || extents[0] == extents[1] || shaped.contains(extents[0]) ||
        shaped.contains(extents[1]))
      continue;
    shaped.insert(extents.begin(), extents.end());
    for (bool high : {false, true}) {
      runtime::SizeChoice shape = usual;
      shape.named[extents[high ? 1 : 0]] = {shortSide};
      shape.named[extents[high ? 0 : 1]] = {manyElements / shortSide};
      all.push_back(shape);
    }
  }
  if (all.size() == 1 && !lines.empty()) { // what fits caches, and what does not
    runtime::SizeChoice large = usual;
    for (const std::string &extent : lines)
      large.named[extent] = {manyElements * timesMore};
    for (const std::string &extent : parts)
      large.named[extent] = {manyElements};
    all.push_back(large);
  }
  if (!parts.empty()) { // long ones
    runtime::SizeChoice longer = usual;
    for (const std::string &extent : parts)
      longer.named[extent] = {manyElements / timesMore / timesMore};
    all.push_back(longer);
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

runtime::Result<SizedCall> sizedCall(const runtime::Signature &signature,
                                     runtime::SizeChoice choice,
                                     const runtime::DeviceFacts &facts) {
  SizedCall call;
  call.integers = integersOf(signature, choice);
  const auto problem = runtime::measureProblem(signature, runtime::GivenInputs{}, choice, 1);
  if (!problem)
    return problem.error();
  call.extents = problem->extents;
  call.bindings = problem->bindings();
  for (const auto &[name, value] : call.integers)
    call.bindings.values[name] = static_cast<std::int64_t>(value);
  facts.bind(call.bindings);
  return call;
}

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

const std::vector<runtime::SizeChoice> &
Predictor::sizesFor(const runtime::Signature &signature) const {
  const std::lock_guard lock(keeping_);
  if (!options_.sizes.empty() || !typical_.empty())
    return options_.sizes.empty() ? typical_ : options_.sizes;
  typical_ = typicalSizes(signature);
  for (const auto &[extent, most] : mostElements(*program_.spectrum(spectrum_), signature)) {
    for (runtime::SizeChoice &each : typical_) {
      if (const auto known = each.named.find(extent); known != each.named.end())
        known->second = {std::min(known->second.front(), most)};
    }
  }
  return typical_;
}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::predict(const ir::PlanPtr &plan) const {
  std::size_t statements = 0;
  return predict(plan, statements);
}

std::variant<std::vector<PredictedSize>, Refusal>
Predictor::predict(const ir::PlanPtr &plan, std::size_t &statements) const {
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
  for (const runtime::SizeChoice &choice : sizesFor(manifest->signature)) {
    predicted.emplace_back();
    PredictedSize &size = predicted.back();
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
    size.prediction = codegen::predict(lowered, numbers);
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
  for (const PredictedSize &size : sizes)
    sum += std::log(secondsOf(size));
  return std::exp(sum / static_cast<double>(sizes.size()));
}

void planByPrediction(composer::PlanOptions &planning, std::shared_ptr<const Predictor> predictor) {
  planning.strategy = composer::PlanStrategy::Predict;
  planning.improving.threads = std::max(1U, std::thread::hardware_concurrency());
  planning.measure = [predictor = std::move(predictor)](const ir::PlanPtr &plan) {
    return predictor->measure(plan);
  };
}

PlanMeasure Predictor::measure(const ir::PlanPtr &plan) const {
  PlanMeasure measure;
  auto predicted = predict(plan, measure.work);
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
