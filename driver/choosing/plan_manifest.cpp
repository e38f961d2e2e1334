#include "driver/choosing/plan_manifest.h"

#include "codegen/analysis/tunable_ranges.h"
#include "codegen/bundle/distinct_names.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/printing/launch_defaults.h"
#include "runtime/bundle/extent_limits.h"
#include "runtime/bundle/scalar_bounds.h"

namespace tangram::driver {

using namespace ir;
using codegen::LoweredPlan;
using codegen::Role;
using runtime::Expression;

namespace {

constexpr std::uint64_t fewGroups = 3;
constexpr std::uint64_t fewItems = 4;

Scalar elementOf(Scalar type) { return type == Scalar::Index ? Scalar::U64 : type; }

class Reader {
public:
  Reader(LoweredPlan plan, const Spectrum &spectrum, TunableDefaults defaults)
      : plan_(std::move(plan)), spectrum_(spectrum), defaults_(defaults) {}

  runtime::Result<runtime::Manifest> run() {
    signature();
    tunables();
    for (const codegen::Constraint &c : plan_.constraints)
      manifest_.constraints.push_back({expression(c.require), c.reason});
    for (const codegen::Buffer &b : plan_.buffers) {
      if (b.access.empty() && b.space == codegen::Space::Global)
        addBuffer(b, {});
    }
    // All have as many items.
    for (const std::vector<const codegen::Buffer *> &locals :
         codegen::localBuffersOfLaunches(plan_)) {
      runtime::Kernel launch;
      launch.name = "launch " + std::to_string(manifest_.kernels.size() + 1);
      launch.groups = number(1);
      launch.groupSize = items();
      for (const codegen::Buffer *b : locals)
        addBuffer(*b, launch.name);
      manifest_.kernels.push_back(std::move(launch));
    }
    if (plan_.roundings)
      manifest_.roundingDepth = expression(plan_.roundings);
    manifest_.target = runtime::Target::OpenCL;
    if (error_)
      return *error_;
    runtime::boundScalars(manifest_);
    runtime::limitExtents(manifest_);
    return std::move(manifest_);
  }

private:
  Expression expression(const ExprPtr &e) { return text(codegen::manifestText(e)); }

  static Expression number(std::uint64_t value) {
    return *Expression::parse(std::to_string(value));
  }

  void addBuffer(const codegen::Buffer &b, const std::string &kernel) {
    manifest_.buffers.push_back({b.var->name, b.space != codegen::Space::Global,
                                 elementOf(b.var->type.scalar),
                                 expression(codegen::elementsInGroup(plan_, b)), kernel});
  }

  Expression text(const std::string &source) {
    runtime::Result<Expression> parsed = Expression::parse(source);
    if (parsed)
      return *parsed;
    if (!error_)
      error_ = parsed.error();
    return {};
  }

  std::uint64_t few(const codegen::Tunable &t) const {
    bool isItems = false;
    for (const auto &[level, workers] : plan_.workers)
      isItems |= plan_.role(level) == Role::Item && workers->var == t.var;
    return isItems ? fewItems : fewGroups;
  }

  Expression items() {
    ExprPtr product = intLiteral(1);
    for (const auto &[level, workers] : plan_.workers) {
      if (plan_.role(level) == Role::Item || plan_.role(level) == Role::Warp)
        product = binary("*", product, workers);
    }
    return expression(product);
  }

  void signature() {
    runtime::Signature &signature = manifest_.signature;
    manifest_.spectrum = plan_.spectrum;
    std::size_t extent = 0;
    for (const VarPtr &p : spectrum_.params) {
      runtime::Parameter parameter;
      parameter.name = p->name;
      parameter.container = p->type.rank > 0;
      parameter.element = elementOf(p->type.scalar);
      parameter.access = p->type.isConst ? runtime::Access::In : runtime::Access::InOut;
      for (unsigned d = 0; d < p->type.rank; ++d)
        parameter.extents.push_back(plan_.extents[extent++]->name);
      signature.parameters.push_back(std::move(parameter));
    }
    if (plan_.result)
      signature.result = elementOf(plan_.result->type.scalar);
    for (const codegen::ShapeContract &c : plan_.shape)
      signature.shape.push_back({c.extent->name, expression(c.equals)});
    for (const codegen::DataContract &c : plan_.data) {
      runtime::DataContract contract;
      contract.parameter = c.container->name;
      if (c.kind == "ascending")
        contract.kind = runtime::DataContract::Kind::Ascending;
      if (ir::isFloating(c.low->type.scalar)) {
        contract.reals = {{c.low->real, c.high->real}};
      } else {
        contract.low = expression(c.low);
        contract.high = expression(c.high);
      }
      signature.data.push_back(std::move(contract));
    }
  }

  void tunables() {
    for (const codegen::Tunable &t : plan_.tunables) {
      runtime::Tunable tunable;
      tunable.name = t.var->name;
      tunable.compileTime = t.kind == codegen::Tunable::Kind::Compile;
      tunable.min = t.min;
      tunable.max = t.max;
      tunable.values.assign(t.values.begin(), t.values.end());
      tunable.meaning = t.meaning;
      tunable.defaultValue =
          defaults_ == TunableDefaults::Small ? number(few(t)) : text(codegen::defaultText(t));
      if (defaults_ == TunableDefaults::OfBundle) {
        for (const ExprPtr &each : codegen::launchTries(plan_, t))
          tunable.tries.push_back(expression(each));
      }
      manifest_.tunables.push_back(std::move(tunable));
    }
  }

  LoweredPlan plan_;
  const Spectrum &spectrum_;
  TunableDefaults defaults_;
  runtime::Manifest manifest_;
  std::optional<runtime::Error> error_;
};

} // namespace

runtime::Result<runtime::Manifest> manifestOf(const LoweredPlan &plan, const Spectrum &spectrum,
                                              TunableDefaults defaults) {
  LoweredPlan named = plan;
  codegen::distinguishNames(named, false);
  return Reader(std::move(named), spectrum, defaults).run();
}

runtime::DeviceFacts factsOf(const composer::Machine &machine, const std::string &target) {
  runtime::DeviceFacts facts;
  facts.values = {{"compute_units", 2}, {"max_group_size", 1024}, {"threads", fewGroups}};
  for (const composer::Level &level : machine.levels) {
    const composer::Memory *local = level.memoryNamed("local");
    if (local && local->bytes != 0)
      facts.values["local_memory"] = local->bytesIn(target);
  }
  return facts;
}

runtime::DeviceFacts allFactsOf(const composer::Machine &machine, const std::string &target) {
  runtime::DeviceFacts facts = factsOf(machine, target);
  const auto units = static_cast<std::uint64_t>(machine.groupUnits());
  facts.values["compute_units"] = units;
  facts.values["threads"] = units;
  return facts;
}

} // namespace tangram::driver
