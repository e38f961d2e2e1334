// C host code for the OpenCL kernels: a handle that is made once for a device, the bytes of temporaries,
// a launch that sets arguments and enqueues in order, and the functions of the library around them.
#include "algebra/device_facts.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/host_rounds.h"
#include "codegen/printing/index_width.h"
#include "codegen/printing/launch_host.h"
#include "codegen/printing/statuses.h"
#include "codegen/targets/opencl/host_checks.h"
#include "codegen/targets/opencl/host_handle.h"
#include "codegen/targets/opencl/host_interface.h"
#include "codegen/targets/opencl/opencl.h"
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

class OpenclHostWriter final : public LaunchHost {
public:
  OpenclHostWriter(const LoweredPlan &plan, const Spectrum &spectrum, const OpenclSource &source,
                   bool checked)
      : LaunchHost(plan, spectrum, openclFunction(plan, spectrum), checked), source_(source) {
    setSpelling(spelling());
  }

  std::string text(const std::string &comment) const {
    std::string t =
        comment + "#include \"" + name_ + ".h\"\n\n#include <pthread.h>\n#include <stdbool.h>\n" +
        (dividesFloats(plan_) ? "#include <stdio.h>\n" : "") + "#include <stdlib.h>\n" +
        (source_.pocl.empty() ? "" : "#include <string.h>\n") + "\n" + tunableMacros(plan_);
    t += "#define TANGRAM_TEXT_(x) #x\n#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)\n";
    t += "#define min(a, b) ((b) < (a) ? (b) : (a))\n#define max(a, b) ((a) < (b) ? (b) : (a))\n\n";
    t += sourceText("tangram_source", source_.text);
    if (!source_.pocl.empty())
      t += "#include \"" + name_ + "_pocl.h\"\n";
    t += "\n" + options() + "\n" + handleText(handleParts()) + "\n";
    if (plan_.mostIndex)
      t += setIndexFunctionText() + "\n" + narrownessText(plan_) + "\n";
    t += settleFunction() + callChecksText(name_, containers_, taken_) +
         (checksData_ ? dataText() : "") + temporaryBytesFunction() +
         (asksKernels(plan_) ? askKernelText() : "") + launchFunction() + "\n" +
         workspaceFunction() + "\n" + enqueueFunction() + "\n" + handleCacheText(name_) + "\n" +
         plainFunction();
    if (!launched_.empty())
      t += "\n" + defaultFunctions();
    return t + "\n" + messageFunction(name_, openclStatuses());
  }

  std::string declarations() const {
    return statusDeclarations(name_, openclStatuses()) +
           "\n/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
           "context.\n" +
           argumentsDeclaration(plan_, containers_) +
           overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) +
           plainHead(false) + ";\n\n" + handleDeclarations(name_) + "\n" +
           workspaceDeclaration(name_, signature_) + "\n" + enqueueDeclaration(name_, signature_) +
           tunedDeclarations();
  }

private:
  bool hasTemporaries() const { return !temporaries_.empty(); }

  // How OpenCL spells what all hosts have

  std::string success() const override { return "CL_SUCCESS"; }
  std::vector<CParameter> handleOf(bool constant) const override {
    return {{(constant ? "const " : "") + name_ + "_handle *", own("handle")}};
  }
  std::vector<CParameter> events() const {
    return {{"cl_uint ", own("waits")},
            {"const cl_event *", own("wait_list")},
            {"cl_event *", own("event")}};
  }
  std::vector<CParameter> enqueueTail() const override {
    std::vector<CParameter> tail = events();
    tail.insert(tail.begin(), {"cl_mem ", own("workspace")});
    return tail;
  }
  std::vector<CParameter> launchTail() const override {
    std::vector<CParameter> tail = events();
    if (hasTemporaries())
      tail.insert(tail.begin(), {"const cl_mem *", own("temporaries")});
    return tail;
  }
  std::string launchName() const override { return "tangram_launch_kernels"; }
  std::string refusals() const override {
    return launched_.empty() ? "1: this plan cannot serve the sizes."
                             : "Gives numbers of workers that are 0 what suits the sizes. 1: this "
                               "plan cannot serve them.";
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
      parts.groups.push_back(k.groupSizeY ? "(" + hostExpression(k.groupSize) + ") * (" +
                                                hostExpression(k.groupSizeY) + ")"
                                          : hostExpression(k.groupSize));
      std::string bytes;
      for (const LocalBuffer &b : k.locals)
        bytes += (bytes.empty() ? "(" : " + (") + hostExpression(b.count) + ") * sizeof(" +
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

  // Temporaries

  std::string bytesStatements() const {
    std::string text;
    for (std::size_t i = 0; i < temporaries_.size(); ++i) {
      const Buffer &b = *temporaries_[i];
      const std::string count =
          isLiteral(b.count, 1) ? "" : "max(" + hostExpression(b.count) + ", 1) * ";
      text += "  " + own("bytes") + "[" + std::to_string(i) + "] = " + count + "sizeof(" +
              openclApiName(b.var->type.scalar) + "); // " + b.var->name + "\n";
    }
    return text;
  }

  std::string temporaryBytesFunction() const {
    if (!hasTemporaries())
      return "";
    const std::string statements = bytesStatements();
    std::vector<std::string> parameters = sizesAndWorkersIn(statements, true);
    parameters.push_back("size_t *" + own("bytes"));
    const std::string text = "enum { TANGRAM_TEMPORARIES = " + std::to_string(temporaries_.size()) +
                             " };\n\nstatic void tangram_bytes_of_temporaries(" +
                             commaSeparated(parameters) + ") {\n" + statements + "}\n\n";
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
    std::vector<std::string> arguments = sizesAndWorkersIn(bytesStatements(), false);
    arguments.push_back(bytes);
    return "tangram_bytes_of_temporaries(" + commaSeparated(arguments) + ");\n";
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
    auto orOne = [&](const ExprPtr &e) { return e ? hostExpression(e) : std::string("1"); };
    t += "    const size_t " + groupSize + std::string(rows ? "[2] = {" : " = ") +
         hostExpression(k.groupSize) + (rows ? ", " + orOne(k.groupSizeY) + "};\n" : ";\n");
    t += "    const size_t " + items + std::string(rows ? "[2] = {(" : " = (") +
         hostExpression(k.groups) +
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

  std::string launchStatements() const override {
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
    inside += "  pthread_mutex_unlock(&" + handle + "->lock);\n  return " + status + ";\n";
    return inside;
  }

  /// The call of the launch. `events`: those of the caller.
  std::string call(bool events) const {
    std::vector<std::string> tail;
    for (const CParameter &each : launchTail())
      tail.push_back(each.name);
    if (!events) {
      tail.resize(tail.size() - 3);
      tail.insert(tail.end(), {"0", "NULL", "NULL"});
    }
    return launchCall(tail);
  }

  // The functions of the library

  std::string workspaceStatements() const override {
    const std::string bytes = own("bytes");
    std::string inside;
    if (temporaries_.size() > 1)
      inside += "  size_t " + own("each") + "[TANGRAM_TEMPORARIES];\n  " + bytesCall(own("each")) +
                "  *" + bytes + " = 0;\n  for (unsigned " + own("i") + " = 0; " + own("i") +
                " < TANGRAM_TEMPORARIES; ++" + own("i") + ")\n    *" + bytes +
                " = tangram_next_start(" + own("handle") + ", *" + bytes + ") + " + own("each") +
                "[" + own("i") + "];\n";
    else
      inside += hasTemporaries() ? "  " + bytesCall(bytes) : "  *" + bytes + " = 0;\n";
    return inside;
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
             "[TANGRAM_TEMPORARIES] = {" + workspace + "};\n  return " + call(true) + ";\n";
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
        "  if (" + status + " == CL_SUCCESS)\n    " + status + " = " + call(events) + ";\n";
    if (!hasTemporaries())
      return text;
    const std::string one = own("temporaries") + "[" + own("i") + "]";
    return text + "  for (unsigned " + own("i") + " = 0; " + own("i") +
           " < TANGRAM_TEMPORARIES; ++" + own("i") + ") {\n    if (" + one +
           ")\n      clReleaseMemObject(" + one + ");\n  }\n";
  }

  DataSpelling dataSpelling() const { return {hostExpression, openclApiName}; }

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
    text += voidOfUnused(text.substr(text.find(" {\n")) + call(true), signature_.arguments);
    return text + (hasTemporaries() ? temporariesOfWorkspace() : "  return " + call(true) + ";\n") +
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

  HostSpelling spelling() const {
    HostSpelling spelling{hostExpression, [](const Var &v) { return v.name; }, openclApiName, {}};
    spelling.type = [](Scalar type) {
      return type == Scalar::Index ? "size_t" : openclApiName(type);
    };
    for (const algebra::DeviceFact &fact : algebra::deviceFacts())
      spelling.facts[fact.name] = own("handle") + "->" + fact.name;
    spelling.largestAllocation = own("handle") + "->largest_allocation";
    spelling.allMemory = own("handle") + "->all_memory";
    return spelling;
  }

  const OpenclSource &source_;
};

} // namespace

OpenclHost printOpenclHost(const LoweredPlan &plan, const Spectrum &spectrum,
                           const OpenclSource &source, const std::vector<std::string> &steps,
                           bool checked) {
  OpenclHostWriter writer(plan, spectrum, source, checked);
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
