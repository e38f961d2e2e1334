#include "codegen/targets/openmp/library_functions.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/launch_defaults.h"
#include "escape/escape.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string bytesOf(const Container &container) {
  return container.extents.empty() ? "sizeof *" + container.name
                                   : container.count + " * sizeof *" + container.name;
}

constexpr const char *overlapFunction =
    R"(/// Whether memory that is written is that of another container, too.
static bool tangram_overlaps(const void *written, size_t bytes, const void *other, size_t other_bytes) {
  const uintptr_t begin = (uintptr_t)written;
  const uintptr_t other_begin = (uintptr_t)other;
  return bytes > 0 && other_bytes > 0 && begin < other_begin + other_bytes &&
         other_begin < begin + bytes;
}

)";

constexpr const char *threadsFunctionText =
    R"(/// The threads of a call: as many as OpenMP takes where it is told 0. More than 64 are no more than there are
/// elements, nor than four a processor or 256.
static size_t tangram_threads(size_t threads, size_t elements) {
  if (threads == 0)
    return (size_t)omp_get_max_threads();
  if (threads <= 64)
    return threads;
  size_t most = 4 * (size_t)omp_get_num_procs();
  most = most < 256 ? 256 : most;
  most = elements < most ? elements : most;
  most = most < 64 ? 64 : most;
  return threads < most ? threads : most;
}

)";

} // namespace

std::string tunedName(const LoweredPlan &plan) {
  return plan.spectrum + (launchTunables(plan).empty() ? "" : "_tuned");
}

OpenmpInterface openmpInterface(const std::string &name, const CFunction &signature,
                                bool hasThreads) {
  std::set<std::string> taken(signature.arguments.begin(), signature.arguments.end());
  OpenmpInterface result;
  if (hasThreads)
    result.threads = claimName("threads", taken);
  result.workspace = claimName("workspace", taken);
  result.workspaceBytes = claimName("workspace_bytes", taken);
  result.bytes = claimName("bytes", taken);
  result.before = claimName("before", taken);
  result.status = claimName("status", taken);
  std::vector<std::string> parameters = signature.sizeParameters;
  if (hasThreads)
    parameters.push_back("size_t " + result.threads);
  parameters.push_back("size_t *" + result.bytes);
  result.workspaceHead = "int " + name + "_workspace(" + commaSeparated(parameters) + ")";
  parameters = signature.parameters;
  if (hasThreads)
    parameters.push_back("size_t " + result.threads);
  parameters.insert(parameters.end(),
                    {"void *" + result.workspace, "size_t " + result.workspaceBytes});
  result.onThreadsHead = "int " + name + (hasThreads ? "_on_threads(" : "_in_workspace(") +
                         commaSeparated(parameters) + ")";
  if (!hasThreads) {
    result.declarations =
        "/// The bytes of the workspace that a call with these sizes needs; 0: none. Returns " +
        statusName(name, Status::Refused) + "\n/// when no call with them can be served.\n" +
        result.workspaceHead +
        ";\n\n/// The same in memory of the caller, which no other call uses meanwhile; it begins "
        "where that of malloc may.\n/// Allocates none. Returns " +
        statusName(name, Status::SmallWorkspace) + " when the workspace is too small.\n" +
        result.onThreadsHead + ";\n";
    return result;
  }
  result.declarations =
      "/// The bytes of the workspace that a call with these sizes on so many threads needs; 0: "
      "none. 0 threads\n/// are as many as OpenMP takes. Returns " +
      statusName(name, Status::Refused) + " when no call with them can be served.\n" +
      result.workspaceHead +
      ";\n\n"
      "/// The same on so many threads, in memory of the caller, which no other call uses "
      "meanwhile; it begins\n/// where that of malloc may. Allocates none. A child of fork calls "
      "it "
      "with one thread: those of OpenMP\n/// are its parent's. Returns " +
      statusName(name, Status::SmallWorkspace) + " when the workspace is too small.\n" +
      result.onThreadsHead + ";\n";
  return result;
}

LibraryFunctions::LibraryFunctions(const LoweredPlan &plan, const Spectrum &spectrum,
                                   const CFunction &signature, std::vector<std::string> launched,
                                   bool checked)
    : plan_(plan), signature_(signature),
      interface_(openmpInterface(plan.spectrum, signature, hasThreads(*plan.target))),
      containers_(containersOf(plan, spectrum)), pairs_(pairsToKeepApart(plan, containers_)),
      checksData_(checked && !plan.data.empty()), launched_(std::move(launched)) {
  const std::vector<const Tunable *> tunables = launchTunables(plan);
  for (std::size_t i = 0; i < tunables.size(); ++i)
    meanings_ += "/// " + launched_[i] + ": " + escape::comment(tunables[i]->meaning) +
                 ", or 0 for what suits the size.\n";
}

std::string LibraryFunctions::text(const PlanParts &parts) const {
  const std::string text = threadsFunction() + checkFunction(parts) + workspaceFunction(parts) +
                           "\n" + onThreadsFunction(parts) + "\n" + plainFunction(parts);
  const std::string message = "\n" + messageFunction(plan_.spectrum, hostStatuses());
  if (launched_.empty())
    return text + message;
  std::vector<std::string> zeros = signature_.arguments;
  zeros.resize(zeros.size() + launched_.size(), "0");
  return text + "\nint " + plan_.spectrum + "(" + commaSeparated(signature_.parameters) +
         ") {\n  return " + tunedName(plan_) + "(" + commaSeparated(zeros) + ");\n}\n" + message;
}

std::string LibraryFunctions::declarations() const {
  std::string text = statusDeclarations(plan_.spectrum, hostStatuses()) + "\n" +
                     argumentsDeclaration(plan_, containers_) +
                     overlapDeclaration(plan_.spectrum, containers_, pairs_) + "int " +
                     plan_.spectrum + "(" + commaSeparated(signature_.parameters) + ");\n\n" +
                     interface_.declarations;
  if (!launched_.empty())
    text += "\n/// The first one with the number of workers chosen by the caller.\n" + meanings_ +
            tunedHead() + ";\n";
  return text;
}

std::string LibraryFunctions::tunedHead() const {
  std::vector<std::string> parameters = signature_.parameters;
  for (const std::string &each : launched_)
    parameters.push_back("size_t " + each);
  return "int " + tunedName(plan_) + "(" + commaSeparated(parameters) + ")";
}

/// Refuses what cannot be served; after it no number of workers is 0.
std::string LibraryFunctions::settled(const PlanParts &parts, bool onThreads) const {
  if (parts.settle.empty())
    return "";
  std::string text;
  for (const std::string &each : launched_)
    text += onThreads ? "  size_t " + each + " = 0;\n" : "";
  std::vector<std::string> arguments = parts.settled;
  if (!onThreads)
    std::ranges::replace(arguments, interface_.threads, "(size_t)omp_get_max_threads()");
  return text + "  if (tangram_settle(" + commaSeparated(arguments) + ") != 0)\n    return " +
         status(Status::Refused) + ";\n";
}

std::string LibraryFunctions::chosenThreads() const {
  return "  " + interface_.threads + " = tangram_threads(" + interface_.threads + ", " +
         elementsOfAll(containers_) + ");\n";
}

std::string LibraryFunctions::threadsFunction() const {
  return hasThreads(*plan_.target) ? threadsFunctionText : "";
}

bool LibraryFunctions::checks() const { return checksData_ || !pairs_.empty(); }

/// C of tangram_check, which tests a call's containers for overlap and bad data; empty: there is nothing to test.
std::string LibraryFunctions::checkFunction(const PlanParts &parts) const {
  if (!checks())
    return "";
  std::string condition;
  for (const auto &[written, other, maySame] : pairs_) {
    const Container &one = containers_[written], &two = containers_[other];
    const std::string overlap = "tangram_overlaps(" + one.name + ", " + bytesOf(one) + ", " +
                                two.name + ", " + bytesOf(two) + ")";
    condition += (condition.empty() ? "" : " ||\n      ") +
                 (maySame ? "(" + one.name + " != " + two.name + " && " + overlap + ")" : overlap);
  }
  std::string inside;
  if (!condition.empty())
    inside += "  if (" + condition + ")\n    return " + status(Status::Overlap) + ";\n";
  for (const std::string &keeps : parts.keeps)
    inside += "  if (!" + keeps + ")\n    return " + status(Status::BadData) + ";\n";
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
    if (mentionsName(inside, signature_.arguments[i]))
      parameters.push_back(signature_.parameters[i]);
  }
  return (condition.empty() ? "" : overlapFunction) + parts.dataFunctions +
         "static int tangram_check(" + commaSeparated(parameters) + ") {\n" + inside + "  return " +
         plan_.spectrum + "_ok;\n}\n\n";
}

std::string LibraryFunctions::checked(const PlanParts &parts) const {
  const std::string function = checkFunction(parts);
  if (function.empty())
    return "";
  const std::string inside = function.substr(function.rfind("static int tangram_check("));
  return "  const int " + interface_.status + " = tangram_check(" +
         commaSeparated(mentionedIn(inside, signature_.arguments)) + ");\n  if (" +
         interface_.status + " != " + plan_.spectrum + "_ok)\n    return " + interface_.status +
         ";\n";
}

static std::string bytes(const PlanParts &parts) {
  return "tangram_workspace(" + commaSeparated(parts.measured) + ")";
}

std::string LibraryFunctions::run(const PlanParts &parts, const std::string &workspace) const {
  std::vector<std::string> arguments = parts.arguments;
  if (!parts.bytes.empty())
    arguments.push_back(workspace);
  return "  " + plan_.spectrum + "_run(" + commaSeparated(arguments) + ");\n";
}

std::string LibraryFunctions::workspaceFunction(const PlanParts &parts) const {
  const bool asks = std::ranges::find(parts.settled, interface_.threads) != parts.settled.end();
  std::string inside = (asks ? chosenThreads() : "") + settled(parts, true) + "  *" +
                       interface_.bytes + " = " + (parts.bytes.empty() ? "0" : bytes(parts)) +
                       ";\n";
  if (parts.maySaturate)
    inside += "  if (*" + interface_.bytes + " == SIZE_MAX)\n    return " +
              status(Status::Refused) + ";\n";
  std::vector<std::string> parameters = signature_.sizes;
  if (!interface_.threads.empty())
    parameters.push_back(interface_.threads);
  return interface_.workspaceHead + " {\n" + voidOfUnused(inside, parameters) + inside +
         "  return " + plan_.spectrum + "_ok;\n}\n";
}

std::string LibraryFunctions::onThreadsFunction(const PlanParts &parts) const {
  const OpenmpInterface &names = interface_;
  const bool threads = !names.threads.empty();
  std::string inside =
      (threads ? "  const int " + names.before + " = omp_get_max_threads();\n" + chosenThreads()
               : "") +
      settled(parts, true) + checked(parts);
  if (!parts.bytes.empty())
    inside += "  if (!" + names.workspace + " || " + names.workspaceBytes + " < " + bytes(parts) +
              ")\n    return " + status(Status::SmallWorkspace) + ";\n";
  inside += threads ? "  omp_set_num_threads((int)" + names.threads + ");\n" : "";
  inside += run(parts, names.workspace);
  inside += threads ? "  omp_set_num_threads(" + names.before + ");\n" : "";
  std::vector<std::string> parameters = signature_.arguments;
  parameters.insert(parameters.end(), {names.workspace, names.workspaceBytes});
  return names.onThreadsHead + " {\n" + voidOfUnused(inside, parameters) + inside + "  return " +
         plan_.spectrum + "_ok;\n}\n";
}

std::string LibraryFunctions::plainFunction(const PlanParts &parts) const {
  std::string inside = settled(parts, false) + checked(parts);
  if (!parts.bytes.empty())
    inside += "  void *" + interface_.workspace + " = " +
              (parts.grows ? "tangram_allocate(" : "malloc(") + bytes(parts) + ");\n  if (!" +
              interface_.workspace + ")\n    return " + status(Status::NoMemory) + ";\n";
  inside += run(parts, interface_.workspace);
  if (!parts.bytes.empty())
    inside += "  free(" + interface_.workspace + ");\n";
  return tunedHead() + " {\n" + voidOfUnused(inside, signature_.arguments) + inside + "  return " +
         plan_.spectrum + "_ok;\n}\n";
}

} // namespace tangram::codegen
