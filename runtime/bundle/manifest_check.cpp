#include "runtime/bundle/manifest_check.h"

#include "files/replace_folder.h"
#include "ir/diagnostic.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tangram::runtime {

namespace {

class Checker {
public:
  Checker(const Manifest &manifest, const nlohmann::json &document, ManifestProblems &problems)
      : m(manifest), document(document), problems(problems) {}

  void run() {
    checkNames();
    checkContracts();
    checkTunables();
    for (std::size_t i = 0; i < m.constraints.size(); ++i)
      expression("/constraints/" + std::to_string(i) + "/require", m.constraints[i].require, known);
    checkBuffers();
    checkKernels();
    if (m.mostIndex)
      expression("/most_index", *m.mostIndex, known);
    if (m.trafficKnown) {
      expression("/traffic/read", m.bytesRead, known);
      expression("/traffic/written", m.bytesWritten, known);
    }
    checkRounding();
    checkFiles();
  }

private:
  void problem(const std::string &pointer, const std::string &message) {
    problems.problem(pointer, message);
  }

  std::string nearest(const std::string &word, const std::vector<std::string> &candidates) {
    std::string near = ir::nearest(word, candidates);
    return near.empty() ? "" : "; did you mean " + near + "?";
  }

  /// `name` joins the names expressions may use.
  void declare(const std::string &pointer, const std::string &name) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      problem(pointer, "expected a name of its own, found " + name + " a second time");
    else
      known.push_back(name);
  }

  void checkNames() {
    known = deviceFactNames;
    std::set<std::string> parameters{"result"};
    for (std::size_t i = 0; i < m.signature.parameters.size(); ++i) {
      const Parameter &p = m.signature.parameters[i];
      std::string pointer = "/signature/parameters/" + std::to_string(i) + "/name";
      if (!parameters.insert(p.name).second)
        problem(pointer, "expected a name of its own, found " + p.name + " a second time");
      if (!p.container && ir::isInteger(p.element))
        declare(pointer, p.name);
    }
    for (const std::string &extent : m.signature.extents())
      declare("/signature/parameters", extent);
    for (std::size_t i = 0; i < m.tunables.size(); ++i)
      declare("/tunables/" + std::to_string(i) + "/name", m.tunables[i].name);
  }

  void expression(const std::string &pointer, const Expression &e,
                  const std::vector<std::string> &names) {
    for (const std::string &used : e.names()) {
      if (std::find(names.begin(), names.end(), used) == names.end())
        problem(pointer, "expected a known name, found " + used + nearest(used, names));
    }
  }

  /// Extents and integer scalars: what is known before a device is.
  std::vector<std::string> callNames() const {
    std::vector<std::string> names = m.signature.extents();
    for (const Parameter &p : m.signature.parameters) {
      if (!p.container && ir::isInteger(p.element))
        names.push_back(p.name);
    }
    return names;
  }

  void checkContracts() {
    std::vector<std::string> names = callNames(), extents = m.signature.extents();
    for (std::size_t i = 0; i < m.signature.shape.size(); ++i) {
      const ShapeEquation &equation = m.signature.shape[i];
      std::string pointer = "/shape/" + std::to_string(i);
      if (std::find(extents.begin(), extents.end(), equation.extent) == extents.end())
        problem(pointer + "/extent",
                "expected an extent, found " + equation.extent + nearest(equation.extent, extents));
      expression(pointer + "/equals", equation.equals, names);
    }
    for (std::size_t i = 0; i < m.signature.data.size(); ++i) {
      const DataContract &contract = m.signature.data[i];
      std::string pointer = "/data/" + std::to_string(i);
      const Parameter *p = m.signature.parameter(contract.parameter);
      if (contract.reals) {
        if (!p || !p->isInput() || !ir::isFloating(p->element))
          problem(pointer + "/parameter",
                  "expected floating-point numbers that are read, found " + contract.parameter);
        if (contract.kind != DataContract::Kind::Within)
          problem(pointer + "/low", "expected an expression, found a number");
        continue;
      }
      if (!p || !p->container || !p->isInput() || !ir::isInteger(p->element))
        problem(pointer + "/parameter",
                "expected a container of integers that is read, found " + contract.parameter);
      expression(pointer + "/low", contract.low, names);
      expression(pointer + "/high", contract.high, names);
    }
  }

  /// Of launch tunables: what is known when they are chosen.
  std::vector<std::string> namesOfDefaults() const {
    std::vector<std::string> names = deviceFactNames;
    for (const std::string &name : callNames())
      names.push_back(name);
    for (const Tunable &t : m.tunables) {
      if (t.compileTime)
        names.push_back(t.name);
    }
    return names;
  }

  void checkTunables() {
    for (std::size_t i = 0; i < m.tunables.size(); ++i) {
      const Tunable &t = m.tunables[i];
      std::string pointer = "/tunables/" + std::to_string(i);
      expression(pointer + "/default", t.defaultValue,
                 t.compileTime ? deviceFactNames : namesOfDefaults());
      for (std::size_t e = 0; e < t.tries.size(); ++e)
        expression(pointer + "/tries/" + std::to_string(e), t.tries[e], known);
      if (t.min > t.max)
        problem(pointer + "/max", "expected at least min, which is " + std::to_string(t.min) +
                                      ", found " + std::to_string(t.max));
      for (std::size_t v = 0; v < t.values.size(); ++v) {
        if (t.values[v] < t.min || t.values[v] > t.max)
          problem(pointer + "/values/" + std::to_string(v),
                  "expected a number in [min, max], found " + std::to_string(t.values[v]));
      }
    }
  }

  void checkBuffers() {
    std::set<std::string> names{"result"};
    for (const Parameter &p : m.signature.parameters)
      names.insert(p.name);
    for (std::size_t i = 0; i < m.buffers.size(); ++i) {
      const Buffer &b = m.buffers[i];
      std::string pointer = "/buffers/" + std::to_string(i);
      // Two kernels may each have a local array of one name.
      std::string scoped = b.kernel.empty() ? b.name : b.kernel + "/" + b.name;
      if (!names.insert(scoped).second)
        problem(pointer + "/name",
                "expected a name of its own, found " + b.name + " a second time");
      bool exists = std::any_of(m.kernels.begin(), m.kernels.end(),
                                [&](const Kernel &k) { return k.name == b.kernel; });
      if (!b.kernel.empty() && !exists)
        problem(pointer + "/kernel", "expected the name of a kernel, found " + b.kernel);
      expression(pointer + "/count", b.count, known);
    }
  }

  std::vector<std::string> bufferNames() const {
    std::vector<std::string> names;
    for (const Parameter &p : m.signature.parameters) {
      if (p.container)
        names.push_back(p.name);
    }
    for (const Buffer &b : m.buffers) {
      if (!b.local)
        names.push_back(b.name);
    }
    if (m.signature.result)
      names.push_back("result");
    return names;
  }

  void checkArgument(const std::string &pointer, const KernelArgument &argument) {
    if (argument.kind == KernelArgument::Kind::Scalar) {
      expression(pointer + "/scalar", argument.scalar, known);
      return;
    }
    if (argument.kind == KernelArgument::Kind::Buffer) {
      std::vector<std::string> names = bufferNames();
      if (std::find(names.begin(), names.end(), argument.name) == names.end())
        problem(pointer + "/buffer", "expected a container, a global buffer or \"result\", found " +
                                         argument.name + nearest(argument.name, names));
      return;
    }
    if (argument.kind == KernelArgument::Kind::Counter) {
      if (std::find(counters.begin(), counters.end(), argument.name) == counters.end())
        problem(pointer + "/counter", "expected a counter of the schedule around it, found " +
                                          argument.name + nearest(argument.name, counters));
      return;
    }
    const Parameter *p = m.signature.parameter(argument.name);
    if (!p || p->container)
      problem(pointer + "/parameter", "expected a scalar parameter, found " + argument.name);
  }

  void checkKernels() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < m.kernels.size(); ++i) {
      if (!names.insert(m.kernels[i].name).second)
        problem("/kernels/" + std::to_string(i) + "/name",
                "expected a name of its own, found " + m.kernels[i].name + " a second time");
    }
    if (m.schedule.empty()) {
      for (std::size_t i = 0; i < m.kernels.size(); ++i)
        checkKernel(i);
      return;
    }
    checkSteps("/schedule", m.schedule);
    for (std::size_t i = 0; i < m.kernels.size(); ++i) {
      if (!launched.contains(i))
        problem("/schedule",
                "expected a launch of every kernel, found none of " + m.kernels[i].name);
    }
  }

  /// What a step asks, and what it exchanges.
  const Buffer *ownBuffer(const std::string &name) const {
    auto found = std::find_if(m.buffers.begin(), m.buffers.end(),
                              [&](const Buffer &b) { return !b.local && b.name == name; });
    return found == m.buffers.end() ? nullptr : &*found;
  }

  void checkSteps(const std::string &pointer, const std::vector<Step> &steps) {
    for (std::size_t i = 0; i < steps.size(); ++i)
      checkStep(pointer + "/" + std::to_string(i), steps[i]);
  }

  void checkStep(const std::string &pointer, const Step &step) {
    switch (step.kind) {
    case Step::Kind::Launch:
      if (step.kernel >= m.kernels.size())
        return problem(pointer + "/kernel", "expected the name of a kernel, found " + step.name);
      launched.insert(step.kernel);
      return checkKernel(step.kernel);
    case Step::Kind::For: {
      expression(pointer + "/from", step.from, known);
      expression(pointer + "/below", step.below, known);
      expression(pointer + (step.multiplies ? "/times" : "/by"), step.by, known);
      if (!ir::isInteger(step.element) || step.element == ir::Scalar::Bool)
        problem(pointer + "/element", "expected a type of integers");
      const std::size_t names = known.size();
      declare(pointer + "/for", step.name);
      counters.push_back(step.name);
      checkSteps(pointer + "/do", step.steps);
      counters.pop_back();
      known.resize(names);
      return;
    }
    case Step::Kind::While:
    case Step::Kind::DoWhile:
    case Step::Kind::If: {
      const Buffer *asked = ownBuffer(step.name);
      const char *key = step.kind == Step::Kind::While     ? "/while"
                        : step.kind == Step::Kind::DoWhile ? "/do_while"
                                                           : "/if";
      if (!asked || asked->element != ir::Scalar::U32)
        problem(pointer + key, "expected a global buffer of u32, found " + step.name);
      checkSteps(pointer + "/do", step.steps);
      return checkSteps(pointer + "/else", step.otherwise);
    }
    case Step::Kind::Swap: {
      const Buffer *one = ownBuffer(step.name);
      const Buffer *other = ownBuffer(step.other);
      if (!one || !other || one->element != other->element ||
          one->count.text() != other->count.text() || one->zeroed || other->zeroed)
        problem(pointer + "/swap", "expected two global buffers of one size and type, found " +
                                       step.name + " and " + step.other);
      return;
    }
    }
  }

  void checkKernel(std::size_t i) {
    const Kernel &k = m.kernels[i];
    const std::string pointer = "/kernels/" + std::to_string(i);
    expression(pointer + "/groups", k.groups, known);
    if (k.groupsY)
      expression(pointer + "/groups_y", *k.groupsY, known);
    expression(pointer + "/group_size", k.groupSize, known);
    if (k.groupSizeY)
      expression(pointer + "/group_size_y", *k.groupSizeY, known);
    if (k.shared)
      expression(pointer + "/shared_bytes", *k.shared, known);
    for (std::size_t a = 0; a < k.arguments.size(); ++a)
      checkArgument(pointer + "/arguments/" + std::to_string(a), k.arguments[a]);
  }

  void checkRounding() {
    bool floating = m.signature.result && ir::isFloating(*m.signature.result);
    for (const Parameter &p : m.signature.parameters)
      floating = floating || (p.isOutput() && ir::isFloating(p.element));
    if (floating && !m.roundingDepth)
      problem("/rounding", "expected an object with the depth of a floating-point result, found " +
                               problems.describe(document.at("rounding")));
    std::vector<std::string> withReference = known;
    withReference.emplace_back("reference_roundings");
    if (m.roundingDepth)
      expression("/rounding/depth", *m.roundingDepth, withReference);
  }

  /// A link may lead to any file.
  void checkFiles() {
    for (const auto &[role, file] : m.files) {
      const json::Value value = json::Value(&document, "", problems).member("files").member(role);
      if (role == "wide" && file != wideManifest)
        value.problem("expected " + std::string(wideManifest) + ", found " + file);
      else if (std::error_code ignored;
               (role == "wide" || !checkFileName(value).empty()) &&
               !std::filesystem::is_regular_file(
                   std::filesystem::symlink_status(m.folder / file, ignored)))
        value.problem("expected a file in the bundle, found none called " + file);
    }
  }

  const Manifest &m;
  const nlohmann::json &document;
  ManifestProblems &problems;
  std::vector<std::string> known;
  std::vector<std::string> counters; ///< of the schedule, around what is checked
  std::set<std::size_t> launched;
};

} // namespace

void checkContents(const json::Value &value) {
  for (const json::Value &each : value.elements()) {
    if (const std::string path = each.string(); !files::isInnerPath(path))
      each.expected("a path below the bundle's folder");
  }
}

std::string checkFileName(const json::Value &value) {
  const std::string file = value.nonEmptyString();
  if (files::isInnerPath(file) && file.find('/') == std::string::npos)
    return file;
  if (!file.empty())
    value.problem("expected the name of a file in the bundle, found " + file);
  return "";
}

void checkManifest(const Manifest &manifest, const nlohmann::json &document,
                   ManifestProblems &problems) {
  Checker(manifest, document, problems).run();
}

} // namespace tangram::runtime
