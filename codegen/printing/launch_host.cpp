#include "codegen/printing/launch_host.h"

#include "codegen/form/building.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/host_rounds.h"

#include "escape/escape.h"

#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

void append(std::vector<std::string> &words, const std::vector<CParameter> &parameters,
            bool declares) {
  for (const CParameter &each : parameters)
    words.push_back((declares ? each.type : "") + each.name);
}

} // namespace

std::string hostExpression(const ExprPtr &e) {
  return replaced(toString(e), "(index)", "(size_t)");
}

LaunchHost::LaunchHost(const LoweredPlan &plan, const Spectrum &spectrum, CFunction signature,
                       bool checked)
    : plan_(plan), signature_(std::move(signature)), name_(plan.spectrum),
      containers_(containersOf(plan, spectrum)), checksData_(checked && !plan.data.empty()) {
  taken_.insert(signature_.arguments.begin(), signature_.arguments.end());
  for (const Tunable &t : plan.tunables)
    taken_.insert(t.var->name);
  for (const VarPtr &counter : countersOf(plan))
    taken_.insert(counter->name);
  for (const Buffer &b : plan.buffers) {
    taken_.insert(b.var->name);
    if (b.space == Space::Global && b.access.empty())
      temporaries_.push_back(&b);
  }
  for (const Tunable *t : launchTunables(plan))
    launched_.push_back(t->var->name);
  limited_ = limitedWorkers(plan, launched_, elementsOfAll(containers_));
}

void LaunchHost::setSpelling(const HostSpelling &spelling) {
  defaults_ = launchDefaults(plan_, spelling);
}

std::string LaunchHost::own(const std::string &name) const {
  std::set<std::string> taken = taken_;
  return claimName(name, taken);
}

std::string LaunchHost::nameOf(const std::string &function, bool isTuned) const {
  return name_ + function + (isTuned && !launched_.empty() ? "_tuned" : "");
}

std::vector<std::string> LaunchHost::withWorkers(std::vector<std::string> words,
                                                 bool isTuned) const {
  for (const std::string &each : launched_) {
    if (isTuned)
      words.push_back("size_t " + each);
  }
  return words;
}

std::string LaunchHost::plainHead(bool isTuned) const {
  return "int " + nameOf("", isTuned) + "(" +
         commaSeparated(withWorkers(signature_.parameters, isTuned)) + ")";
}

std::string LaunchHost::workspaceHead(bool isTuned) const {
  std::vector<std::string> parameters;
  append(parameters, handleOf(true), true);
  for (const std::string &each : withWorkers(signature_.sizeParameters, isTuned))
    parameters.push_back(each);
  parameters.push_back("size_t *" + own("bytes"));
  return "int " + nameOf("_workspace", isTuned) + "(" + commaSeparated(parameters) + ")";
}

std::string LaunchHost::enqueueHead(bool isTuned) const {
  std::vector<std::string> parameters;
  append(parameters, handleOf(false), true);
  for (const std::string &each : withWorkers(signature_.parameters, isTuned))
    parameters.push_back(each);
  append(parameters, enqueueTail(), true);
  return "int " + nameOf("_enqueue", isTuned) + "(" + commaSeparated(parameters) + ")";
}

std::string LaunchHost::tunedDeclarations() const {
  if (launched_.empty())
    return "";
  std::string text = "\n// The same with the number of workers chosen by the caller.\n";
  for (const Tunable *t : launchTunables(plan_))
    text += "// " + t->var->name + ": " + escape::comment(t->meaning) +
            ", or 0 for what suits the size.\n";
  return text + plainHead(true) + ";\n" + workspaceHead(true) + ";\n" + enqueueHead(true) + ";\n";
}

std::string LaunchHost::defaultFunctions() const {
  const auto call = [&](const std::string &function, const std::vector<CParameter> &first,
                        const std::vector<std::string> &words,
                        const std::vector<CParameter> &last) {
    std::vector<std::string> arguments;
    append(arguments, first, false);
    arguments.insert(arguments.end(), words.begin(), words.end());
    arguments.insert(arguments.end(), launched_.size(), "0");
    append(arguments, last, false);
    return " {\n  return " + nameOf(function, true) + "(" + commaSeparated(arguments) + ");\n}\n";
  };
  return workspaceHead(false) +
         call("_workspace", handleOf(true), signature_.sizes, {{"size_t *", own("bytes")}}) + "\n" +
         enqueueHead(false) +
         call("_enqueue", handleOf(false), signature_.arguments, enqueueTail()) + "\n" +
         plainHead(false) + call("", {}, signature_.arguments, {});
}

std::string LaunchHost::settleStatements() const {
  std::string text = deviceChecks();
  for (const Constraint &c : plan_.constraints) {
    if (isAboutSizes(plan_, c))
      text += "  // " + escape::comment(c.reason) + "\n  if (!(" + hostExpression(c.require) +
              "))\n    return 1;\n";
  }
  return text + limited_.statements + defaults_.statements;
}

std::string LaunchHost::settleFunction() const {
  const std::string statements = settleStatements();
  if (statements.empty())
    return "";
  std::vector<std::string> parameters;
  for (const CParameter &handle : handleOf(true)) {
    if (mentionsName(statements, handle.name))
      append(parameters, {handle}, true);
  }
  for (const std::string &each : sizesIn(statements, true))
    parameters.push_back(each);
  std::string before, after;
  for (const std::string &each : launched_) {
    const std::string settled = own(each + "_settled");
    parameters.push_back("size_t *" + settled);
    before += "  size_t " + each + " = *" + settled + ";\n";
    after += "  *" + settled + " = " + each + ";\n";
  }
  return limited_.functions + defaults_.functions + "/// " + refusals() +
         "\nstatic int tangram_settle(" + commaSeparated(parameters) + ") {\n" + before +
         statements + after + "  return " + success() + ";\n}\n\n";
}

std::string LaunchHost::settleCall() const {
  const std::string statements = settleStatements();
  if (statements.empty())
    return success();
  std::vector<std::string> arguments;
  for (const CParameter &handle : handleOf(true)) {
    if (mentionsName(statements, handle.name))
      append(arguments, {handle}, false);
  }
  for (const std::string &each : sizesIn(statements, false))
    arguments.push_back(each);
  for (const std::string &each : launched_)
    arguments.push_back("&" + each);
  return "tangram_settle(" + commaSeparated(arguments) + ")";
}

std::vector<std::string> LaunchHost::sizesIn(const std::string &text, bool declares) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < signature_.sizes.size(); ++i) {
    if (mentionsName(text, signature_.sizes[i]))
      words.push_back(declares ? signature_.sizeParameters[i] : signature_.sizes[i]);
  }
  return words;
}

std::vector<std::string> LaunchHost::sizesAndWorkersIn(const std::string &text,
                                                       bool declares) const {
  std::vector<std::string> words = sizesIn(text, declares);
  for (const std::string &each : mentionedIn(text, launched_))
    words.push_back((declares ? "size_t " : "") + each);
  return words;
}

std::vector<std::string> LaunchHost::argumentsIn(const std::string &text, bool declares) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
    if (mentionsName(text, signature_.arguments[i]))
      words.push_back(declares ? signature_.parameters[i] : signature_.arguments[i]);
  }
  return words;
}

std::string LaunchHost::launchFunction() const {
  const std::string inside = launchStatements();
  std::vector<std::string> parameters;
  append(parameters, handleOf(false), true);
  for (const std::string &each : argumentsIn(inside, true))
    parameters.push_back(each);
  for (const std::string &each : mentionedIn(inside, launched_))
    parameters.push_back("size_t " + each);
  append(parameters, launchTail(), true);
  return "/// Enqueues the kernels.\nstatic int " + launchName() + "(" +
         commaSeparated(parameters) + ") {\n" + inside + "}\n";
}

std::string LaunchHost::launchCall(const std::vector<std::string> &tail) const {
  const std::string inside = launchStatements();
  std::vector<std::string> arguments;
  append(arguments, handleOf(false), false);
  for (const std::string &each : argumentsIn(inside, false))
    arguments.push_back(each);
  for (const std::string &each : mentionedIn(inside, launched_))
    arguments.push_back(each);
  arguments.insert(arguments.end(), tail.begin(), tail.end());
  return launchName() + "(" + commaSeparated(arguments) + ")";
}

std::string LaunchHost::workspaceFunction() const {
  std::string inside;
  if (!settleStatements().empty())
    inside += "  const int " + status() + " = " + settleCall() + ";\n  if (" + status() +
              " != " + success() + ")\n    return " + status() + ";\n";
  inside += workspaceStatements();
  std::vector<std::string> parameters;
  append(parameters, handleOf(true), false);
  parameters.insert(parameters.end(), signature_.sizes.begin(), signature_.sizes.end());
  parameters.insert(parameters.end(), launched_.begin(), launched_.end());
  return workspaceHead(true) + " {\n" + voidOfUnused(inside, parameters) + inside + "  return " +
         success() + ";\n}\n";
}

} // namespace tangram::codegen
