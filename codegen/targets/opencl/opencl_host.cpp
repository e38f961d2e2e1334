// C host code for the OpenCL kernels: a handle that is made once for a device, the bytes of temporaries,
// a launch that sets arguments and enqueues in order, and the functions of the library around them.
#include "algebra/device_facts.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/limited_workers.h"
#include "codegen/targets/opencl/opencl.h"
#include "codegen/printing/statuses.h"
#include "codegen/targets/opencl/host_checks.h"
#include "codegen/targets/opencl/host_handle.h"
#include "codegen/targets/opencl/host_interface.h"
#include "codegen/printing/host_rounds.h"
#include "codegen/printing/index_width.h"
#include "codegen/targets/opencl/rounded_division.h"

#include "escape/escape.h"
#include "ir/stmt.h"

#include <algorithm>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string askKernelText() {
  return R"(/// Waits for what a kernel has decided, and lets other threads launch meanwhile; false when something
/// has failed.
static bool tangram_says_yes(cl_command_queue queue, cl_mem answer, pthread_mutex_t *lock, int *status) {
  cl_uint yes = 0;
  pthread_mutex_unlock(lock);
  if (*status == CL_SUCCESS)
    *status = clEnqueueReadBuffer(queue, answer, CL_TRUE, 0, sizeof yes, &yes, 0, NULL, NULL);
  pthread_mutex_lock(lock);
  return *status == CL_SUCCESS && yes != 0;
}

)";
}

std::string setIndexFunctionText() {
  return "static cl_int tangram_set_index(cl_kernel kernel, cl_uint argument, cl_ulong value, bool "
         "narrow) {\n"
         "  const cl_uint narrowed = (cl_uint)value;\n"
         "  return narrow ? clSetKernelArg(kernel, argument, sizeof narrowed, &narrowed)\n"
         "                : clSetKernelArg(kernel, argument, sizeof value, &value);\n"
         "}\n";
}

std::string quoted(const std::string &text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    result += "    \"" + escape::cString(text.substr(at, end - at)) + "\"\n";
    at = end;
  }
  return result;
}

std::string sourceText(const std::string &name, const std::string &source) {
  std::string text = "static const char *const " + name + " =\n" + quoted(source);
  text.insert(text.size() - 1, ";");
  return text;
}

/// Manifest expressions are C; min and max become macros of the file.
std::string inC(const ExprPtr &e) { return replaced(toString(e), "(index)", "(size_t)"); }

/// Those that are not empty.
std::string joined(std::vector<std::string> words) {
  std::erase(words, "");
  return commaSeparated(words);
}

class HostWriter {
public:
  HostWriter(const LoweredPlan &plan, const Spectrum &spectrum, const OpenclSource &source,
             bool checked)
      : plan_(plan), source_(source), signature_(openclFunction(plan, spectrum)),
        name_(plan.spectrum), containers_(containersOf(plan, spectrum)),
        checksData_(checked && !plan.data.empty()) {
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
    defaults_ = launchDefaults(plan, spelling());
    limited_ = limitedWorkers(plan, launched_, elementsOfAll(containers_));
  }

  std::string text(const std::string &comment) const {
    std::string t = comment + "#include \"" + name_ +
                    ".h\"\n\n#include <pthread.h>\n#include <stdbool.h>\n" +
                    (dividesFloats(plan_) ? "#include <stdio.h>\n" : "") +
                    "#include <stdlib.h>\n" +
                    (source_.pocl.empty() ? "" : "#include <string.h>\n") + "\n" +
                    tunableMacros(plan_);
    t += "#define TANGRAM_TEXT_(x) #x\n#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)\n";
    t += "#define min(a, b) ((b) < (a) ? (b) : (a))\n#define max(a, b) ((a) < (b) ? (b) : (a))\n\n";
    t += sourceText("tangram_source", source_.text);
    if (!source_.pocl.empty())
      t += "#include \"" + name_ + "_pocl.h\"\n";
    t += "\n" + options() + "\n" + handleText(handleParts()) + "\n";
    if (plan_.mostIndex)
      t += setIndexFunctionText() + "\n" + narrownessText(plan_) + "\n";
    t += settleFunction() + callChecksText(name_, containers_, taken_) +
         (checksData_ ? dataText() : "") + temporaryBytesFunction() + launchFunction() + "\n" +
         workspaceFunction() + "\n" + enqueueFunction() + "\n" + handleCacheText(name_) + "\n" +
         plainFunction();
    if (hasLaunchTunables())
      t += "\n" + defaultFunctions();
    return t + "\n" + messageFunction(name_, openclStatuses());
  }

  std::string declarations() const {
    std::string text =
        statusDeclarations(name_, openclStatuses()) +
        "\n/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
        "context.\n" +
        argumentsDeclaration(plan_, containers_) +
        overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead(false) +
        ";\n\n" + handleDeclarations(name_) + "\n" + workspaceDeclaration(name_, signature_) +
        "\n" + enqueueDeclaration(name_, signature_);
    if (!hasLaunchTunables())
      return text;
    text += "\n// The same with the number of workers chosen by the caller.\n";
    for (const Tunable *t : launchTunables(plan_))
      text += "// " + t->var->name + ": " + escape::comment(t->meaning) +
              ", or 0 for what suits the size.\n";
    return text + plainHead(true) + ";\n" + workspaceHead(true) + ";\n" + enqueueHead(true) + ";\n";
  }

private:
  bool hasLaunchTunables() const { return !launched_.empty(); }
  bool hasTemporaries() const { return !temporaries_.empty(); }

  const std::string &queue() const { return signature_.arguments.front(); }

  /// A name that nothing which the spectrum or the plan names has.
  std::string own(const std::string &name) const {
    std::set<std::string> taken = taken_;
    return claimName(name, taken);
  }

  // Heads of the functions of the library

  std::vector<std::string> tuned(std::vector<std::string> words, bool tuned,
                                 const std::string &type = "") const {
    for (const std::string &each : launched_) {
      if (tuned)
        words.push_back(type + each);
    }
    return words;
  }

  std::string nameOf(const std::string &function, bool tuned) const {
    return name_ + function + (tuned && hasLaunchTunables() ? "_tuned" : "");
  }

  std::string plainHead(bool isTuned) const {
    return "int " + nameOf("", isTuned) + "(" +
           commaSeparated(tuned(signature_.parameters, isTuned, "size_t ")) + ")";
  }

  std::string workspaceHead(bool isTuned) const {
    return "int " + nameOf("_workspace", isTuned) + "(" +
           commaSeparated(workspaceParameters(
               name_, tuned(signature_.sizeParameters, isTuned, "size_t "), taken_)) +
           ")";
  }

  std::string enqueueHead(bool isTuned) const {
    return "int " + nameOf("_enqueue", isTuned) + "(" +
           commaSeparated(
               enqueueParameters(name_, tuned(signature_.parameters, isTuned, "size_t "), taken_)) +
           ")";
  }

  // What the file begins with

  std::string options() const {
    std::string text = "#define TANGRAM_OPTIONS \"-cl-std=CL1.2\"";
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Compile)
        text += " \" -D" + t.var->name + "=\" TANGRAM_TEXT(" + t.var->name + ")";
    }
    return text + "\n";
  }

  HandleParts handleParts() const {
    HandleParts parts;
    parts.name = name_;
    parts.narrows = plan_.mostIndex != nullptr;
    parts.divides = dividesFloats(plan_);
    parts.hasPocl = !source_.pocl.empty();
    for (const Kernel &k : source_.kernels) {
      parts.kernels.push_back(k.name);
      parts.groups.push_back(k.groupSizeY
                                 ? "(" + inC(k.groupSize) + ") * (" + inC(k.groupSizeY) + ")"
                                 : inC(k.groupSize));
      std::string bytes;
      for (const LocalBuffer &b : k.locals)
        bytes += (bytes.empty() ? "(" : " + (") + inC(b.count) + ") * sizeof(" +
                 openclApiName(b.element) + ")";
      parts.locals.push_back(bytes);
    }
    auto ask = [&](const std::string &type, const std::string &name, const std::string &query) {
      if (mentionsName(defaults_.statements, name))
        parts.facts.push_back({type, name, query});
    };
    for (const algebra::DeviceFact &fact : algebra::deviceFacts())
      ask(fact.openclType, fact.name, fact.opencl);
    ask("cl_ulong", "largest_allocation", "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
    ask("cl_ulong", "all_memory", "CL_DEVICE_GLOBAL_MEM_SIZE");
    if (temporaries_.size() > 1)
      parts.facts.push_back({"cl_uint", "alignment", "CL_DEVICE_MEM_BASE_ADDR_ALIGN"});
    return parts;
  }

  // Numbers of workers, and temporaries

  /// Of the sizes, those that stand in some text.
  std::vector<std::string> sizesIn(const std::string &text) const {
    return mentionedIn(text, signature_.sizes);
  }

  std::string declared(const std::vector<std::string> &sizes) const {
    std::string text;
    for (std::size_t i = 0; i < signature_.sizes.size(); ++i) {
      if (std::ranges::find(sizes, signature_.sizes[i]) != sizes.end())
        text += (text.empty() ? "" : ", ") + signature_.sizeParameters[i];
    }
    return text;
  }

  /// What it does; empty: there is nothing to check or to choose.
  std::string settleStatements() const {
    std::string text;
    for (const Constraint &c : plan_.constraints) {
      if (isAboutSizes(plan_, c))
        text += "  // " + c.reason + "\n  if (!(" + inC(c.require) + "))\n    return 1;\n";
    }
    return text + limited_.statements + defaults_.statements;
  }

  bool settleAsksHandle(const std::string &statements) const {
    return mentionsName(statements, own("handle"));
  }

  std::string settleFunction() const {
    const std::string statements = settleStatements();
    if (statements.empty())
      return "";
    std::vector<std::string> parameters;
    if (settleAsksHandle(statements))
      parameters.push_back("const " + name_ + "_handle *" + own("handle"));
    parameters.push_back(declared(sizesIn(statements)));
    std::string before;
    std::string after;
    for (const std::string &each : launched_) {
      parameters.push_back("size_t *" + own(each + "_settled"));
      before += "  size_t " + each + " = *" + own(each + "_settled") + ";\n";
      after += "  *" + own(each + "_settled") + " = " + each + ";\n";
    }
    return limited_.functions + defaults_.functions +
           (launched_.empty() ? "/// 1: this plan cannot serve the sizes.\n"
                              : "/// Gives numbers of workers that are 0 what suits the sizes. 1: "
                                "this plan cannot serve them.\n") +
           "static int tangram_settle(" + joined(parameters) + ") {\n" + before + statements +
           after + "  return CL_SUCCESS;\n}\n\n";
  }

  std::string settleCall() const {
    const std::string statements = settleStatements();
    if (statements.empty())
      return "CL_SUCCESS";
    std::vector<std::string> arguments;
    if (settleAsksHandle(statements))
      arguments.push_back(own("handle"));
    arguments.push_back(commaSeparated(sizesIn(statements)));
    for (const std::string &each : launched_)
      arguments.push_back("&" + each);
    return "tangram_settle(" + joined(arguments) + ")";
  }

  std::string bytesStatements() const {
    std::string text;
    for (std::size_t i = 0; i < temporaries_.size(); ++i) {
      const Buffer &b = *temporaries_[i];
      const std::string count = isLiteral(b.count, 1) ? "" : "max(" + inC(b.count) + ", 1) * ";
      text += "  " + own("bytes") + "[" + std::to_string(i) + "] = " + count + "sizeof(" +
              openclApiName(b.var->type.scalar) + "); // " + b.var->name + "\n";
    }
    return text;
  }

  std::string temporaryBytesFunction() const {
    if (!hasTemporaries())
      return "";
    const std::string statements = bytesStatements();
    std::string text =
        "enum { TANGRAM_TEMPORARIES = " + std::to_string(temporaries_.size()) +
        " };\n\nstatic void tangram_bytes_of_temporaries(" +
        joined({declared(sizesIn(statements)),
                commaSeparated(prefixed("size_t ", mentionedIn(statements, launched_))),
                "size_t *" + own("bytes")}) +
        ") {\n" + statements + "}\n\n";
    if (temporaries_.size() == 1)
      return text;
    return text +
           "/// Where the next temporary of a workspace may begin; a device has its alignment "
           "in bits.\nstatic size_t tangram_next_start(const " +
           name_ +
           "_handle *handle, size_t end) {\n  const size_t alignment = max(handle->alignment / 8, "
           "1);\n  return (end + alignment - 1) / alignment * alignment;\n}\n\n";
  }

  std::string bytesCall(const std::string &bytes) const {
    const std::string statements = bytesStatements();
    return "tangram_bytes_of_temporaries(" +
           joined({commaSeparated(sizesIn(statements)),
                   commaSeparated(mentionedIn(statements, launched_)), bytes}) +
           ");\n";
  }

  // The launch

  /// `waits`, `event`: what the first and the last kernel have to do with events.
  std::string kernelLaunch(std::size_t i, bool waits, bool tells) const {
    const Kernel &k = source_.kernels[i];
    const std::string status = own("status");
    const std::string kernel = own("kernel");
    const std::string groupSize = own("group_size");
    const std::string items = own("items");
    std::string t = "  if (" + status + " == CL_SUCCESS) {\n    cl_kernel " + kernel + " = " +
                    own("kernels") + "->" + k.name + ";\n";
    for (const KernelArgument &a : k.arguments) {
      if (a.kind == KernelArgument::Kind::Size && !plan_.mostIndex)
        t += "    const cl_ulong " + own(a.var->name + "_argument") + " = " + a.var->name + ";\n";
    }
    const bool rows = k.groupsY || k.groupSizeY;
    auto orOne = [&](const ExprPtr &e) { return e ? inC(e) : std::string("1"); };
    t += "    const size_t " + groupSize + std::string(rows ? "[2] = {" : " = ") +
         inC(k.groupSize) + (rows ? ", " + orOne(k.groupSizeY) + "};\n" : ";\n");
    t += "    const size_t " + items + std::string(rows ? "[2] = {(" : " = (") + inC(k.groups) +
         (rows ? ") * " + groupSize + "[0], (" + orOne(k.groupsY) + ") * " + groupSize + "[1]};\n"
               : ") * " + groupSize + ";\n");
    for (std::size_t n = 0; n < k.arguments.size(); ++n) {
      const KernelArgument &a = k.arguments[n];
      const bool size = a.kind == KernelArgument::Kind::Size;
      const std::string value =
          size && !plan_.mostIndex ? own(a.var->name + "_argument") : a.var->name;
      if (n > 0)
        t += "    if (" + status + " == CL_SUCCESS)\n  ";
      t += "    " + status + " = ";
      t += size && plan_.mostIndex ? "tangram_set_index(" + kernel + ", " + std::to_string(n) +
                                         ", " + a.var->name + ", " + own("narrow") + ");\n"
                                   : "clSetKernelArg(" + kernel + ", " + std::to_string(n) +
                                         ", sizeof " + value + ", &" + value + ");\n";
    }
    const std::string enqueue = status + " = clEnqueueNDRangeKernel(" + queue() + ", " + kernel +
                                (rows ? ", 2, NULL, " + items + ", " + groupSize + ", "
                                      : ", 1, NULL, &" + items + ", &" + groupSize + ", ") +
                                (waits ? own("waits") + ", " + own("wait_list") : "0, NULL") +
                                ", " + (tells ? own("event") : "NULL") + ");\n  }\n";
    return t + (k.arguments.empty() ? "    " : "    if (" + status + " == CL_SUCCESS)\n      ") +
           enqueue;
  }

  /// What the host does around the launches: rounds, and what it asks in between.
  std::string hostRounds() const {
    const RoundSpelling says{
        [&](std::size_t i) { return kernelLaunch(i, false, false); },
        [](Scalar type) { return type == Scalar::Index ? "size_t" : openclApiName(type); },
        own("status"),
        "CL_SUCCESS",
        own("held"),
        [&](const Var &array) {
          return "tangram_says_yes(" + queue() + ", " + array.name + ", &" + own("handle") +
                 "->lock, &" + own("status") + ")";
        },
        [](const Var &) { return std::string("const cl_mem "); }};
    return roundsText(plan_, says);
  }

  std::string askFunction() const { return asksKernels(plan_) ? askKernelText() : ""; }

  /// Temporaries that hold zero before each call.
  std::vector<const Buffer *> counters() const {
    std::vector<const Buffer *> found;
    std::ranges::copy_if(temporaries_, std::back_inserter(found),
                         [](const Buffer *each) { return each->countsGroups; });
    return found;
  }

  /// The first of what a call enqueues waits for what the caller says.
  std::string clearing(const Buffer &counter, bool first) const {
    const std::string status = own("status");
    const std::string zero = own("zero");
    const std::string waits = first ? own("waits") + ", " + own("wait_list") : "0, NULL";
    return "  if (" + status + " == CL_SUCCESS) {\n    const cl_uint " + zero + " = 0;\n    " +
           status + " = clEnqueueFillBuffer(" + queue() + ", " + counter.var->name + ", &" + zero +
           ", sizeof " + zero + ", 0, sizeof " + zero + ", " + waits + ", NULL);\n  }\n";
  }

  std::string launchFunction() const {
    const std::string handle = own("handle");
    const std::string status = own("status");
    const std::string kernels = own("kernels");
    const std::string temporaries = own("temporaries");
    const std::set<const Var *> exchanged = swappedArrays(plan_);
    std::string inside;
    for (std::size_t i = 0; i < temporaries_.size(); ++i)
      inside += std::string(exchanged.contains(temporaries_[i]->var.get()) ? "  cl_mem "
                                                                           : "  const cl_mem ") +
                temporaries_[i]->var->name + " = " + temporaries + "[" + std::to_string(i) + "];\n";
    if (plan_.mostIndex)
      inside += "  const bool " + own("narrow") + " = " + narrownessCall(plan_) + ";\n";
    inside += "  pthread_mutex_lock(&" + handle + "->lock);\n";
    if (plan_.mostIndex)
      inside += "  struct tangram_kernels *const " + kernels + " = &" + handle + "->kernels[" +
                own("narrow") + "];\n  int " + status + " = CL_SUCCESS;\n  if (!" + kernels +
                "->program)\n    " + status + " = tangram_build_kernels(" + handle +
                ", TANGRAM_OPTIONS, " + kernels + ");\n";
    else
      inside += "  const struct tangram_kernels *const " + kernels + " = &" + handle +
                "->kernels;\n  int " + status + " = CL_SUCCESS;\n";
    const bool goesRound = hasRounds(plan_);
    if (goesRound)
      inside += "  if (" + own("waits") + " > 0 && " + status + " == CL_SUCCESS)\n    " + status +
                " = clEnqueueBarrierWithWaitList(" + queue() + ", " + own("waits") + ", " +
                own("wait_list") + ", NULL);\n";
    for (const Buffer *each : counters())
      inside += clearing(*each, !goesRound && each == counters().front());
    for (std::size_t i = 0; !goesRound && i < source_.kernels.size(); ++i)
      inside += kernelLaunch(i, i == 0 && counters().empty(), i + 1 == source_.kernels.size());
    if (goesRound)
      inside += hostRounds() + "  if (" + own("event") + " && " + status + " == CL_SUCCESS)\n    " +
                status + " = clEnqueueMarkerWithWaitList(" + queue() + ", 0, NULL, " +
                own("event") + ");\n";
    inside += "  pthread_mutex_unlock(&" + handle + "->lock);\n  return " + status + ";\n}\n";
    return askFunction() + "/// Enqueues the kernels.\nstatic int tangram_launch_kernels(" +
           commaSeparated(withEvents(launchArguments(inside, true), true)) + ") {\n" + inside;
  }

  /// The arguments of the function that the launch needs, as parameters or as arguments.
  std::vector<std::string> launchArguments(const std::string &inside, bool declares) const {
    std::vector<std::string> words{(declares ? name_ + "_handle *" : "") + own("handle")};
    for (std::size_t i = 0; i < signature_.arguments.size(); ++i) {
      if (mentionsName(inside, signature_.arguments[i]))
        words.push_back(declares ? signature_.parameters[i] : signature_.arguments[i]);
    }
    for (const std::string &each : mentionedIn(inside, launched_))
      words.push_back((declares ? "size_t " : "") + each);
    if (hasTemporaries())
      words.push_back((declares ? "const cl_mem *" : "") + own("temporaries"));
    return words;
  }

  std::vector<std::string> withEvents(std::vector<std::string> words, bool declares) const {
    words.push_back((declares ? "cl_uint " : "") + own("waits"));
    words.push_back((declares ? "const cl_event *" : "") + own("wait_list"));
    words.push_back((declares ? "cl_event *" : "") + own("event"));
    return words;
  }

  /// The launch as it is called, with what stands for the events.
  std::string launchCall(bool events) const {
    const std::string text = launchFunction();
    const std::string inside =
        text.substr(text.find(") {\n", text.find("tangram_launch_kernels(")));
    std::vector<std::string> words = launchArguments(inside, false);
    if (events)
      words = withEvents(words, false);
    else
      words.insert(words.end(), {"0", "NULL", "NULL"});
    return "tangram_launch_kernels(" + commaSeparated(words) + ")";
  }

  // The functions of the library

  std::string workspaceFunction() const {
    const std::string bytes = own("bytes");
    const std::string status = own("status");
    std::string inside;
    if (!settleStatements().empty())
      inside += "  const int " + status + " = " + settleCall() + ";\n  if (" + status +
                " != CL_SUCCESS)\n    return " + status + ";\n";
    if (temporaries_.size() > 1)
      inside += "  size_t " + own("each") + "[TANGRAM_TEMPORARIES];\n  " + bytesCall(own("each")) +
                "  *" + bytes + " = 0;\n  for (unsigned " + own("i") + " = 0; " + own("i") +
                " < TANGRAM_TEMPORARIES; ++" + own("i") + ")\n    *" + bytes +
                " = tangram_next_start(" + own("handle") + ", *" + bytes + ") + " + own("each") +
                "[" + own("i") + "];\n";
    else
      inside += hasTemporaries() ? "  " + bytesCall(bytes) : "  *" + bytes + " = 0;\n";
    std::vector<std::string> parameters = tuned(signature_.sizes, true);
    parameters.insert(parameters.begin(), own("handle"));
    return workspaceHead(true) + " {\n" + voidOfUnused(inside, parameters) + inside +
           "  return CL_SUCCESS;\n}\n";
  }

  /// The temporaries of a call from its workspace.
  std::string temporariesOfWorkspace() const {
    const std::string status = own("status");
    const std::string workspace = own("workspace");
    const std::string temporaries = own("temporaries");
    const std::string bytes = own("bytes");
    if (temporaries_.size() == 1)
      return "  size_t " + bytes + "[TANGRAM_TEMPORARIES];\n  " + bytesCall(bytes) + "  size_t " +
             own("available") + " = 0;\n  " + status + " = clGetMemObjectInfo(" + workspace +
             ", CL_MEM_SIZE, sizeof " + own("available") + ", &" + own("available") +
             ", NULL);\n  if (" + status + " == CL_SUCCESS && " + own("available") + " < " + bytes +
             "[0])\n    " + status + " = CL_INVALID_BUFFER_SIZE;\n  if (" + status +
             " != CL_SUCCESS)\n    return " + status + ";\n  const cl_mem " + temporaries +
             "[TANGRAM_TEMPORARIES] = {" + workspace + "};\n  return " + launchCall(true) + ";\n";
    const std::string i = own("i");
    return "  size_t " + bytes + "[TANGRAM_TEMPORARIES];\n  " + bytesCall(bytes) + "  cl_mem " +
           temporaries + "[TANGRAM_TEMPORARIES] = {NULL};\n  cl_buffer_region " + own("region") +
           " = {0, 0};\n  for (unsigned " + i + " = 0; " + status + " == CL_SUCCESS && " + i +
           " < TANGRAM_TEMPORARIES; ++" + i + ") {\n    " + own("region") +
           ".origin = tangram_next_start(" + own("handle") + ", " + own("region") + ".origin + " +
           own("region") + ".size);\n    " + own("region") + ".size = " + bytes + "[" + i +
           "];\n    " + temporaries + "[" + i + "] = clCreateSubBuffer(" + workspace +
           ", CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,\n        &" + own("region") + ", &" +
           status + ");\n  }\n" + launchAndRelease(true) + "  return " + status + ";\n";
  }

  std::string launchAndRelease(bool events) const {
    const std::string status = own("status");
    std::string text =
        "  if (" + status + " == CL_SUCCESS)\n    " + status + " = " + launchCall(events) + ";\n";
    if (!hasTemporaries())
      return text;
    const std::string one = own("temporaries") + "[" + own("i") + "]";
    return text + "  for (unsigned " + own("i") + " = 0; " + own("i") +
           " < TANGRAM_TEMPORARIES; ++" + own("i") + ") {\n    if (" + one +
           ")\n      clReleaseMemObject(" + one + ");\n  }\n";
  }

  DataSpelling dataSpelling() const { return {inC, openclApiName}; }

  std::string dataText() const {
    return dataChecksText(plan_, signature_, containers_, dataSpelling());
  }

  /// Settles numbers of workers, and checks the containers of a call. `type`: where the status is declared;
  /// `waits`: whether the caller says what the call waits for.
  std::string checkedCall(const std::string &type, bool waits) const {
    const std::string status = own("status");
    const std::string then = "  if (" + status + " == CL_SUCCESS)\n    " + status + " = ";
    std::string text;
    if (!settleStatements().empty())
      text += "  " + type + status + " = " + settleCall() + ";\n" + then;
    else
      text += "  " + type + status + " = ";
    text += checkOfCall(containers_) + ";\n";
    if (!checksData_)
      return text;
    return text + then +
           checkOfData(dataText(), signature_,
                       waits ? own("waits") + ", " + own("wait_list") : "0, NULL") +
           ";\n";
  }

  std::string enqueueFunction() const {
    const std::string status = own("status");
    std::string text = enqueueHead(true) + " {\n";
    if (!hasTemporaries())
      text += "  (void)" + own("workspace") + ";\n";
    text += checkedCall("int ", true) + "  if (" + status + " != CL_SUCCESS)\n    return " +
            status + ";\n";
    text += voidOfUnused(text.substr(text.find(" {\n")) + launchCall(true), signature_.arguments);
    return text +
           (hasTemporaries() ? temporariesOfWorkspace() : "  return " + launchCall(true) + ";\n") +
           "}\n";
  }

  std::string plainFunction() const {
    const std::string status = own("status");
    const std::string handle = own("handle");
    const std::string i = own("i");
    std::string text = plainHead(true) + " {\n  " + name_ + "_handle *" + handle + ";\n  int " +
                       status + " = tangram_take_handle(" + queue() + ", &" + handle +
                       ");\n  if (" + status + " != CL_SUCCESS)\n    return " + status + ";\n";
    text += checkedCall("", false);
    if (hasTemporaries())
      text += "  cl_mem " + own("temporaries") + "[TANGRAM_TEMPORARIES] = {NULL};\n  size_t " +
              own("bytes") + "[TANGRAM_TEMPORARIES];\n  if (" + status + " == CL_SUCCESS)\n    " +
              bytesCall(own("bytes")) + "  for (unsigned " + i + " = 0; " + status +
              " == CL_SUCCESS && " + i + " < TANGRAM_TEMPORARIES; ++" + i + ")\n    " +
              own("temporaries") + "[" + i + "] =\n        clCreateBuffer(" + handle +
              "->context, CL_MEM_READ_WRITE, " + own("bytes") + "[" + i + "], NULL, &" + status +
              ");\n";
    text += launchAndRelease(false);
    return text + "  tangram_give_back(" + handle + ");\n  return " + status + ";\n}\n";
  }

  std::string defaultFunctions() const {
    const std::vector<std::string> zeros(launched_.size(), "0");
    auto call = [&](const std::string &function, std::vector<std::string> words) {
      return " {\n  return " + nameOf(function, true) + "(" + commaSeparated(words) + ");\n}\n";
    };
    auto withZeros = [&](std::vector<std::string> words) {
      words.insert(words.end(), zeros.begin(), zeros.end());
      return words;
    };
    std::vector<std::string> workspace = withZeros(signature_.sizes);
    workspace.insert(workspace.begin(), own("handle"));
    workspace.push_back(own("bytes"));
    std::vector<std::string> enqueue = withZeros(signature_.arguments);
    enqueue.insert(enqueue.begin(), own("handle"));
    enqueue.push_back(own("workspace"));
    return workspaceHead(false) + call("_workspace", workspace) + "\n" + enqueueHead(false) +
           call("_enqueue", withEvents(enqueue, false)) + "\n" + plainHead(false) +
           call("", withZeros(signature_.arguments));
  }

  HostSpelling spelling() const {
    HostSpelling spelling{inC, [](const Var &v) { return v.name; }, openclApiName, {}};
    spelling.type = [](Scalar type) {
      return type == Scalar::Index ? "size_t" : openclApiName(type);
    };
    for (const algebra::DeviceFact &fact : algebra::deviceFacts())
      spelling.facts[fact.name] = own("handle") + "->" + fact.name;
    spelling.largestAllocation = own("handle") + "->largest_allocation";
    spelling.allMemory = own("handle") + "->all_memory";
    return spelling;
  }

  const LoweredPlan &plan_;
  const OpenclSource &source_;
  const CFunction signature_;
  const std::string name_;
  const std::vector<Container> containers_;
  const bool checksData_;
  std::set<std::string> taken_;             ///< what the spectrum and the plan name
  std::vector<const Buffer *> temporaries_; ///< of the call
  std::vector<std::string> launched_;       ///< launch tunables
  LaunchDefaults defaults_;                 ///< their values where the caller gives none
  LimitedWorkers limited_;                  ///< what becomes of others
};

} // namespace

OpenclHost printOpenclHost(const LoweredPlan &plan, const Spectrum &spectrum,
                           const OpenclSource &source, const std::vector<std::string> &steps,
                           bool checked) {
  HostWriter writer(plan, spectrum, source, checked);
  OpenclHost host;
  host.text = writer.text(
      fileComment("Host code for the OpenCL kernels", plan.spectrum, plan.machine->name, steps));
  if (!source.pocl.empty())
    host.pocl = "// The kernels of " + plan.spectrum + " as PoCL runs them rightly.\n" +
                sourceText("tangram_pocl_source", source.pocl);
  host.header = headerText(plan.spectrum, openclIncludes, writer.declarations());
  return host;
}

} // namespace tangram::codegen
