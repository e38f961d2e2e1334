// C host code for the OpenCL kernels: builds the program once a context, allocates
// temporaries, sets arguments, launches in order.
#include "algebra/device_facts.h"
#include "codegen/c/c_types.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"

#include "ir/stmt.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string quoted(const std::string &text) {
  std::string result;
  std::string line = "    \"";
  for (char c : text) {
    if (c == '\n') {
      result += line + "\\n\"\n";
      line = "    \"";
    } else if (c == '"' || c == '\\') {
      line += std::string("\\") + c;
    } else {
      line += c;
    }
  }
  return line == "    \"" ? result : result + line + "\"\n";
}

std::string openclApiName(Scalar type) {
  switch (type) {
  case Scalar::Bool:
  case Scalar::U8:
    return "cl_uchar";
  case Scalar::I8:
    return "cl_char";
  case Scalar::I16:
    return "cl_short";
  case Scalar::U16:
    return "cl_ushort";
  case Scalar::I32:
    return "cl_int";
  case Scalar::U32:
    return "cl_uint";
  case Scalar::I64:
    return "cl_long";
  case Scalar::F16:
    return "cl_half";
  case Scalar::F32:
    return "cl_float";
  case Scalar::F64:
    return "cl_double";
  default:
    return "cl_ulong";
  }
}

/// Manifest expressions are C; min and max become macros of the file.
std::string inC(const ExprPtr &e) { return toString(e); }

class HostWriter {
public:
  HostWriter(const LoweredPlan &plan, const Spectrum &spectrum, const OpenclSource &source)
      : plan_(plan), spectrum_(spectrum), source_(source) {}

  std::string parameters(bool tuned) const {
    std::string text = commaSeparated(openclFunction(plan_, spectrum_).parameters);
    for (const Tunable &t : plan_.tunables) {
      if (tuned && t.kind == Tunable::Kind::Launch)
        text += ", size_t " + t.var->name;
    }
    return text;
  }

  bool hasLaunchTunables() const { return !launchTunables(plan_).empty(); }

  std::string tunedName() const { return plan_.spectrum + (hasLaunchTunables() ? "_tuned" : ""); }

  std::string text(const std::string &comment) {
    const std::string &name = plan_.spectrum;
    std::string t = comment + "#include \"" + name +
                    ".h\"\n\n#include <stdbool.h>\n#include <stdlib.h>\n\n" + tunableMacros(plan_);
    t += "#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n";
    t += "#define min(a, b) ((b) < (a) ? (b) : (a))\n#define max(a, b) ((a) < (b) ? (b) : (a))\n\n";
    t += "static const char *const source =\n" + quoted(source_.text);
    t.insert(t.size() - 1, ";");
    t += "\n" + buildFunction() + "\n" + tunedFunction();
    if (hasLaunchTunables())
      t += "\n" + defaultFunction();
    return t;
  }

private:
  std::string buildFunction() const {
    std::string options = "\"-cl-std=CL1.2\"";
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Compile)
        options += " \" -D" + t.var->name + "=\" TEXT(" + t.var->name + ")";
    }
    // Where there are indexes of two widths there are two programs.
    const bool narrows = plan_.mostIndex != nullptr;
    const std::string two = narrows ? "[2]" : "";
    const std::string its = narrows ? "[narrow]" : "";
    std::string t = "#define OPTIONS " + options + "\n\n";
    t += "// The program for one context, built on first use. Not for several threads at once.\n";
    t += "static cl_program program_of(cl_context context, cl_device_id device" +
         std::string(narrows ? ", bool narrow" : "") + ") {\n";
    t += "  static cl_context built_for" + two + ";\n";
    t += "  static cl_device_id built_on" + two + ";\n";
    t += "  static cl_program program" + two + ";\n";
    t += "  if (program" + its + " && built_for" + its + " == context && built_on" + its +
         " == device)\n    return program" + its + ";\n";
    t += "  cl_int status = CL_SUCCESS;\n"
         "  cl_program made = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, "
         "&status);\n"
         "  if (status != CL_SUCCESS)\n"
         "    return NULL;\n";
    if (narrows)
      t += "  const char *const options = narrow ? OPTIONS \" -DNARROW_INDEXES\" : OPTIONS;\n";
    t += "  if (clBuildProgram(made, 1, &device, " + std::string(narrows ? "options" : "OPTIONS") +
         ", NULL, NULL) != CL_SUCCESS) {\n"
         "    clReleaseProgram(made);\n"
         "    return NULL;\n"
         "  }\n";
    t += "  if (program" + its + ")\n    clReleaseProgram(program" + its + ");\n";
    t += "  built_for" + its + " = context;\n  built_on" + its + " = device;\n";
    return t + "  return program" + its + " = made;\n}\n" +
           (narrows ? "\n" + setIndexFunction() + "\n" + narrownessFunctions() : "");
  }

  static std::string setIndexFunction() {
    return "static cl_int set_index(cl_kernel kernel, cl_uint argument, cl_ulong value, bool "
           "narrow) {\n"
           "  const cl_uint narrowed = (cl_uint)value;\n"
           "  return narrow ? clSetKernelArg(kernel, argument, sizeof narrowed, &narrowed)\n"
           "                : clSetKernelArg(kernel, argument, sizeof value, &value);\n"
           "}\n";
  }

  /// What the host knows of the bound of indexes when it is called.
  std::vector<std::string> namesOfMostIndex() const {
    std::vector<std::string> names;
    forEach(plan_.mostIndex, [&](const Expr &e) {
      const Tunable *tunable = e.kind == ExprKind::Var ? plan_.tunableOf(e.var) : nullptr;
      const bool isMacro = tunable && tunable->kind == Tunable::Kind::Compile;
      if (e.kind == ExprKind::Var && !isMacro &&
          std::ranges::find(names, e.var->name) == names.end())
        names.push_back(e.var->name);
    });
    return names;
  }

  /// What a maximum is the greatest of.
  static void greatestOf(const ExprPtr &e, std::vector<ExprPtr> &all) {
    if (e->kind != ExprKind::Call || e->callee != "max") {
      all.push_back(e);
      return;
    }
    for (const ExprPtr &each : e->args)
      greatestOf(each, all);
  }

  /// Whether indexes of 32 bits will do; computed in double, where nothing overflows, and by functions:
  /// nested macros would double their arguments each time.
  std::string narrownessFunctions() const {
    const ExprPtr most = rewrite(plan_.mostIndex, [](const ExprPtr &e) -> ExprPtr {
      return e->kind == ExprKind::Call && e->callee == "min" ? call("min_of", e->type, e->args) : e;
    });
    std::vector<ExprPtr> all;
    greatestOf(most, all);
    std::string conditions;
    for (const ExprPtr &each : all) {
      const ExprPtr called = rewrite(each, [](const ExprPtr &e) -> ExprPtr {
        return e->kind == ExprKind::Call && e->callee == "max" ? call("max_of", e->type, e->args)
                                                               : e;
      });
      conditions += (conditions.empty() ? "" : "\n      && ") + inC(called) + " < limit";
    }
    std::string parameters;
    for (const std::string &name : namesOfMostIndex())
      parameters += (parameters.empty() ? "double " : ", double ") + name;
    std::string functions;
    for (const auto &[name, sign] : {std::pair{"min_of", "<"}, std::pair{"max_of", ">"}}) {
      if (conditions.find(name) != std::string::npos)
        functions += "static double " + std::string(name) + "(double a, double b) {\n  return a " +
                     sign + " b ? a : b;\n}\n\n";
    }
    return functions +
           "// Whether no index of a kernel needs more than 31 bits.\nstatic bool is_narrow(" +
           (parameters.empty() ? "void" : parameters) +
           ") {\n  const double limit = 2147483648.0;\n  return " + conditions + ";\n}\n";
  }

  std::string narrowness() const {
    std::string arguments;
    for (const std::string &name : namesOfMostIndex())
      arguments += (arguments.empty() ? "(double)" : ", (double)") + name;
    return "  const bool narrow = is_narrow(" + arguments + ");\n";
  }

  std::string kernelLaunch(std::size_t i) const {
    const Kernel &k = source_.kernels[i];
    std::string t = "  if (status == CL_SUCCESS) {\n"
                    "    cl_kernel kernel = clCreateKernel(program, \"" +
                    k.name + "\", &status);\n";
    for (const KernelArgument &a : k.arguments) {
      if (a.kind == KernelArgument::Kind::Size && !plan_.mostIndex)
        t += "    const cl_ulong " + a.var->name + "_argument = " + a.var->name + ";\n";
    }
    const bool rows = k.groupsY || k.groupSizeY;
    auto orOne = [&](const ExprPtr &e) { return e ? inC(e) : std::string("1"); };
    t += "    const size_t group_size" + std::string(rows ? "[2] = {" : " = ") + inC(k.groupSize) +
         (rows ? ", " + orOne(k.groupSizeY) + "};\n" : ";\n");
    t += "    const size_t items" + std::string(rows ? "[2] = {(" : " = (") + inC(k.groups) +
         (rows ? ") * group_size[0], (" + orOne(k.groupsY) + ") * group_size[1]};\n"
               : ") * group_size;\n");
    for (std::size_t n = 0; n < k.arguments.size(); ++n) {
      const KernelArgument &a = k.arguments[n];
      const bool size = a.kind == KernelArgument::Kind::Size;
      const std::string value = a.var->name + (size ? "_argument" : "");
      t += "    if (status == CL_SUCCESS)\n      status = ";
      t += size && plan_.mostIndex
               ? "set_index(kernel, " + std::to_string(n) + ", " + a.var->name + ", narrow);\n"
               : "clSetKernelArg(kernel, " + std::to_string(n) + ", sizeof " + value + ", &" +
                     value + ");\n";
    }
    return t +
           "    if (status == CL_SUCCESS)\n"
           "      status = clEnqueueNDRangeKernel(queue, kernel, " +
           (rows ? "2, NULL, items, group_size, " : "1, NULL, &items, &group_size, ") +
           "0, NULL, NULL);\n"
           "    if (kernel)\n      clReleaseKernel(kernel);\n  }\n";
  }

  std::string tunedFunction() const {
    const LaunchDefaults defaults = launchDefaults(plan_, spelling());
    std::string t = defaults.functions + "int " + tunedName() + "(" + parameters(true) + ") {\n";
    for (const Constraint &c : plan_.constraints) {
      if (isAboutSizes(plan_, c))
        t += "  // " + c.reason + "\n  if (!(" + inC(c.require) + "))\n    return 1;\n";
    }
    t += "  cl_context context;\n  cl_device_id device;\n"
         "  cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, "
         "&context, NULL);\n"
         "  if (status == CL_SUCCESS)\n"
         "    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, "
         "NULL);\n"
         "  if (status != CL_SUCCESS)\n    return status;\n" +
         queriesOf(defaults) + defaults.statements + (plan_.mostIndex ? narrowness() : "") +
         "  cl_program program = program_of(context, device" + (plan_.mostIndex ? ", narrow" : "") +
         ");\n"
         "  if (!program)\n    return CL_BUILD_PROGRAM_FAILURE;\n";
    std::vector<std::string> temporaries;
    for (const Buffer &b : plan_.buffers) {
      if (b.space != Space::Global || !b.access.empty())
        continue;
      temporaries.push_back(b.var->name);
      t += "  cl_mem " + b.var->name + " = NULL;\n  if (status == CL_SUCCESS)\n    " + b.var->name +
           " = clCreateBuffer(context, CL_MEM_READ_WRITE, max(" + inC(b.count) + ", 1) * sizeof(" +
           openclApiName(b.var->type.scalar) + "), NULL, &status);\n";
    }
    for (std::size_t i = 0; i < source_.kernels.size(); ++i)
      t += kernelLaunch(i);
    for (const std::string &name : temporaries)
      t += "  if (" + name + ")\n    clReleaseMemObject(" + name + ");\n";
    return t + "  return status;\n}\n";
  }

  std::string defaultFunction() const {
    std::string args = commaSeparated(openclFunction(plan_, spectrum_).arguments);
    for (std::size_t i = 0; i < launchTunables(plan_).size(); ++i)
      args += ", 0";
    return "int " + plan_.spectrum + "(" + parameters(false) + ") {\n  return " + tunedName() +
           "(" + args + ");\n}\n";
  }

  static HostSpelling spelling() {
    HostSpelling spelling{inC, [](const Var &v) { return v.name; }, openclApiName, {}};
    spelling.type = [](Scalar type) {
      return type == Scalar::Index ? "size_t" : openclApiName(type);
    };
    for (const algebra::DeviceFact &fact : algebra::deviceFacts())
      spelling.facts[fact.name] = fact.name; // a local variable
    spelling.largestAllocation = "largest_allocation";
    spelling.allMemory = "all_memory";
    return spelling;
  }

  /// Of the facts that the statements mention.
  static std::string queriesOf(const LaunchDefaults &defaults) {
    std::string text;
    auto ask = [&](const std::string &name, const std::string &query, const std::string &type) {
      if (mentionsName(defaults.statements, name))
        text += "  " + type + " " + name + " = 0;\n  status = clGetDeviceInfo(device, " + query +
                ", sizeof " + name + ", &" + name +
                ", NULL);\n  if (status != CL_SUCCESS)\n    return status;\n";
    };
    for (const algebra::DeviceFact &fact : algebra::deviceFacts())
      ask(fact.name, fact.opencl, fact.openclType);
    ask("largest_allocation", "CL_DEVICE_MAX_MEM_ALLOC_SIZE", "cl_ulong");
    ask("all_memory", "CL_DEVICE_GLOBAL_MEM_SIZE", "cl_ulong");
    return text;
  }

  const LoweredPlan &plan_;
  const Spectrum &spectrum_;
  const OpenclSource &source_;
};

} // namespace

CFunction openclFunction(const LoweredPlan &plan, const Spectrum &spectrum) {
  CFunction function;
  auto add = [&](const std::string &type, const std::string &name) {
    function.parameters.push_back(type + " " + name);
    function.arguments.push_back(name);
  };
  add("cl_command_queue", "queue");
  std::size_t extent = 0;
  for (const VarPtr &param : spectrum.params) {
    if (param->type.rank == 0) {
      add(openclApiName(param->type.scalar), param->name);
      continue;
    }
    add("cl_mem", param->name);
    for (unsigned d = 0; d < param->type.rank; ++d)
      add("size_t", plan.extents[extent++]->name);
  }
  if (plan.result)
    add("cl_mem", "result");
  return function;
}

OpenclHost printOpenclHost(const LoweredPlan &plan, const Spectrum &spectrum,
                           const OpenclSource &source, const std::vector<std::string> &steps) {
  HostWriter writer(plan, spectrum, source);
  OpenclHost host;
  host.text = writer.text(
      fileComment("Host code for the OpenCL kernels", plan.spectrum, plan.machine->name, steps));
  std::string declarations =
      "/// Enqueues the kernels on an in-order queue; arguments are buffers of its context.\n"
      "/// Returns CL_SUCCESS (0), 1 when this plan cannot serve the size, or OpenCL's error.\n"
      "int " +
      plan.spectrum + "(" + writer.parameters(false) + ");\n";
  if (writer.hasLaunchTunables()) {
    declarations += "\n/// The same with the number of workers chosen by the caller.\n";
    for (const Tunable &t : plan.tunables) {
      if (t.kind == Tunable::Kind::Launch)
        declarations +=
            "/// " + t.var->name + ": " + t.meaning + ", or 0 for what suits the size.\n";
    }
    declarations += "int " + writer.tunedName() + "(" + writer.parameters(true) + ");\n";
  }
  host.header = headerText(plan.spectrum, includesOf(*plan.target), declarations);
  return host;
}

} // namespace tangram::codegen
