#include "codegen/bundle/manifest.h"

#include "codegen/analysis/atomics.h"
#include "codegen/bundle/bytes_moved.h"
#include "codegen/form/building.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/targets/opencl/rounded_division.h"
#include "composer/analysis/named_numbers.h"
#include "composer/analysis/scalar_uses.h"
#include "composer/analysis/sites.h"
#include "composer/machine/target_words.h"
#include "escape/escape.h"
#include "ir/swap.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tangram::codegen {

using nlohmann::ordered_json;
using namespace ir;

namespace {

std::string elementName(Scalar type) {
  return shortName(type == Scalar::Index ? Scalar::U64 : type);
}

ordered_json signatureOf(const LoweredPlan &plan, const Program &program,
                         const Spectrum &spectrum) {
  const std::vector<bool> deciding = composer::decidingScalars(program, spectrum.name);
  ordered_json parameters = ordered_json::array();
  std::size_t extent = 0;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const VarPtr &p = spectrum.params[i];
    if (p->type.rank == 0) {
      parameters.push_back(
          {{"name", p->name}, {"kind", "scalar"}, {"element", elementName(p->type.scalar)}});
      if (!deciding[i])
        parameters.back()["any_value"] = true;
      continue;
    }
    ordered_json extents = ordered_json::array();
    for (unsigned d = 0; d < p->type.rank; ++d)
      extents.push_back(plan.extents[extent++]->name);
    parameters.push_back({{"name", p->name},
                          {"kind", "container"},
                          {"element", elementName(p->type.scalar)},
                          {"rank", p->type.rank},
                          {"access", p->type.isConst ? "in" : "inout"},
                          {"extents", extents}});
  }
  ordered_json result;
  if (plan.result)
    result = {{"element", elementName(plan.result->type.scalar)}};
  return {{"parameters", parameters}, {"result", result}};
}

ordered_json tunablesOf(const LoweredPlan &plan) {
  ordered_json list = ordered_json::array();
  for (const Tunable &t : plan.tunables) {
    ordered_json each = {{"name", t.var->name},
                         {"kind", t.kind == Tunable::Kind::Launch ? "launch" : "compile"},
                         {"default", defaultText(t)},
                         {"min", t.min},
                         {"max", t.max}};
    if (!t.values.empty())
      each["values"] = t.values;
    if (t.kind == Tunable::Kind::Launch && t.values.empty()) {
      for (const ExprPtr &number : launchTries(plan, t))
        each["tries"].push_back(manifestText(number));
    }
    each["meaning"] = t.meaning;
    list.push_back(each);
  }
  return list;
}

const char *kindOf(const KernelArgument &argument) {
  switch (argument.kind) {
  case KernelArgument::Kind::Buffer:
    return "buffer";
  case KernelArgument::Kind::Size:
    return "scalar";
  case KernelArgument::Kind::Scalar:
    return "parameter";
  case KernelArgument::Kind::Counter:
    return "counter";
  }
  return "";
}

/// The schedule of the host: loops, branches and swaps around its launches.
class Schedule {
public:
  explicit Schedule(const std::vector<Kernel> &kernels) : kernels_(kernels) {}

  ordered_json of(const StmtPtr &s) {
    ordered_json steps = ordered_json::array();
    add(steps, s);
    return steps;
  }

private:
  void add(ordered_json &steps, const StmtPtr &s) {
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        add(steps, child);
      return;
    case StmtKind::Parallel:
      steps.push_back({{"kernel", kernels_[next_++].name}});
      return;
    case StmtKind::For: {
      const Stmt &init = *s->children[0];
      steps.push_back({{"for", init.var->name},
                       {"element", elementName(init.var->type.scalar)},
                       {"from", manifestText(init.value)},
                       {"below", manifestText(s->value->args[1])},
                       {scaledLoop(*s) ? "times" : "by", manifestText(s->children[1]->value)},
                       {"do", of(s->children[2])}});
      return;
    }
    case StmtKind::While:
      steps.push_back({{"while", answer(*s)}, {"do", of(s->children[0])}});
      return;
    case StmtKind::DoWhile:
      steps.push_back({{"do_while", answer(*s)}, {"do", of(s->children[0])}});
      return;
    case StmtKind::If:
      steps.push_back({{"if", answer(*s)}, {"do", of(s->children[0])}});
      if (s->children.size() > 1 && s->children[1])
        steps.back()["else"] = of(s->children[1]);
      return;
    default:
      if (isSwap(*s))
        steps.push_back({{"swap", {s->value->args[0]->var->name, s->value->args[1]->var->name}}});
    }
  }

  /// The array of one number that a kernel has left it in.
  static std::string answer(const Stmt &s) { return s.value->args[0]->var->name; }

  const std::vector<Kernel> &kernels_;
  std::size_t next_ = 0;
};

ordered_json kernelsOf(const std::vector<Kernel> &kernels) {
  ordered_json list = ordered_json::array();
  for (const Kernel &k : kernels) {
    ordered_json arguments = ordered_json::array();
    for (const KernelArgument &a : k.arguments) {
      arguments.push_back({{kindOf(a), a.var->name}});
    }
    ordered_json kernel = {{"name", k.name}, {"groups", manifestText(k.groups)}};
    if (k.groupsY)
      kernel["groups_y"] = manifestText(k.groupsY);
    kernel["group_size"] = manifestText(k.groupSize);
    if (k.groupSizeY)
      kernel["group_size_y"] = manifestText(k.groupSizeY);
    if (k.shared)
      kernel["shared_bytes"] = manifestText(k.shared);
    kernel["barriers"] = k.barriers;
    kernel["arguments"] = arguments;
    list.push_back(kernel);
  }
  return list;
}

/// Null where values decide how much is moved.
ordered_json trafficOf(const LoweredPlan &plan, const Spectrum &spectrum) {
  const auto meaning = composer::meaningOf(spectrum);
  const auto uses = meaning ? containerUses(spectrum.codelets[*meaning]) : std::nullopt;
  if (!uses)
    return nullptr;
  std::string read;
  std::string written;
  auto add = [](std::string &sum, const Buffer &b) {
    std::string bytes = std::to_string(byteSize(b.var->type.scalar));
    sum += (sum.empty() ? "" : " + ") +
           (isLiteral(b.count, 1) ? bytes : manifestText(b.count) + " * " + bytes);
  };
  auto use = uses->begin();
  for (const Buffer &b : plan.buffers) {
    if (b.access.empty())
      continue;
    const ContainerUse moved = b.var == plan.result ? ContainerUse{false, true} : *use++;
    if (moved.read)
      add(read, b);
    if (moved.written)
      add(written, b);
  }
  return {{"read", read.empty() ? "0" : read}, {"written", written.empty() ? "0" : written}};
}

void contracts(ordered_json &m, const LoweredPlan &plan) {
  for (const ShapeContract &c : plan.shape)
    m["shape"].push_back({{"extent", c.extent->name}, {"equals", manifestText(c.equals)}});
  const auto bound = [](const ExprPtr &e) {
    return isFloating(e->type.scalar) ? ordered_json(e->real) : ordered_json(manifestText(e));
  };
  for (const DataContract &c : plan.data)
    m["data"].push_back({{"parameter", c.container->name},
                         {"kind", c.kind},
                         {"low", bound(c.low)},
                         {"high", bound(c.high)}});
}

/// The numbers that the source names, for data of the kind "constants": not more than occur in a short container.
ordered_json constantsOf(const BundleRequest &request) {
  constexpr std::size_t most = 24;
  const composer::NamedNumbers named = composer::numbersNamedIn(
      request.wholeProgram ? *request.wholeProgram : *request.program, request.spectrum);
  ordered_json list = ordered_json::array();
  for (const std::uint64_t each : named.integers) {
    if (list.size() < most)
      list.push_back(each);
  }
  for (std::size_t i = 0; i < std::min(named.reals.size(), most); ++i)
    list.push_back(named.reals[i]);
  return list;
}

} // namespace

std::string printManifest(const BundleRequest &request, const LoweredPlan &plan,
                          const std::vector<Kernel> &kernels,
                          const std::map<std::string, std::string> &files,
                          const std::vector<std::string> &flags, const Refusal *noWide) {
  ordered_json m;
  m["format"] = "tangram-bundle";
  m["version"] = 1;
  m["generator"] = "tangram 0.1.0";
  m["spectrum"] = identifierOf(request.spectrum);
  m["target"] = composer::modelTarget(request.target);
  m["model"] = request.machine->name;
  m["source"] = {{"file", escape::terminalLine(
                              std::filesystem::path(request.program->file).filename().string())},
                 {"hash", request.program->contentHash}};
  m["plan"] = {
      {"id", request.planId}, {"steps", request.steps}, {"derivation", request.derivation}};
  m["signature"] =
      signatureOf(plan, *request.program, *request.program->spectrum(request.spectrum));
  m["tunables"] = tunablesOf(plan);
  m["constraints"] = ordered_json::array();
  for (const Constraint &c : plan.constraints)
    m["constraints"].push_back(
        {{"require", manifestText(c.require)}, {"reason", escape::terminalLine(c.reason)}});
  if (!plan.shape.empty() || !plan.data.empty())
    contracts(m, plan);
  if (ordered_json constants = constantsOf(request); !constants.empty())
    m["constants"] = std::move(constants);
  m["buffers"] = ordered_json::array();
  const std::set<const ir::Var *> exchanged = atomicallyStored(plan);
  for (const Buffer &b : plan.buffers) {
    bool local = b.space != Space::Global;
    if (!b.access.empty() || (local && plan.target->groupsRunInKernels))
      continue;
    m["buffers"].push_back({{"name", b.var->name},
                            {"space", local ? "local" : "global"},
                            {"element", elementName(b.var->type.scalar)},
                            {"count", manifestText(b.count)}});
    if (b.countsGroups)
      m["buffers"].back()["zeroed"] = true;
    if (!local && exchanged.contains(b.var.get()))
      m["buffers"].back()["exchanged"] = true;
  }
  for (const Kernel &k : kernels) {
    for (const LocalBuffer &b : k.locals)
      m["buffers"].push_back({{"name", b.name},
                              {"space", "local"},
                              {"element", elementName(b.element)},
                              {"count", manifestText(b.count)},
                              {"kernel", k.name}});
  }
  m["kernels"] = kernelsOf(kernels);
  if (plan.target->groupsRunInKernels && hasRounds(plan))
    m["schedule"] = Schedule(kernels).of(plan.body);
  if (plan.mostIndex)
    m["most_index"] = manifestText(plan.mostIndex);
  m["traffic"] = trafficOf(plan, *request.program->spectrum(request.spectrum));
  m["rounding"] = ordered_json();
  if (plan.roundings)
    m["rounding"] = {{"depth", manifestText(plan.roundings)}};
  m["files"] = files;
  if (noWide)
    m["wide_refusal"] = noWide->reason;
  m["compile"] = {{composer::modelTarget(request.target), flags}};
  return json::dumped(m, 2) + "\n";
}

} // namespace tangram::codegen
