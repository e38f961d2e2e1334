// The functions of a library that has several versions: a choice by sizes, then a call.
#include "codegen/c/c_types.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"
#include "codegen/opencl/host_interface.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class DispatchPrinter {
public:
  DispatchPrinter(const LoweredPlan &plan, const Spectrum &spectrum, std::string name,
                  const std::vector<VersionSource> &versions, const std::vector<VersionRule> &rules)
      : plan_(plan), name_(std::move(name)), versions_(versions), rules_(rules),
        signature_(plan.target->hostOnlyLaunches ? openclFunction(plan, spectrum)
                                                 : openmpFunction(plan, spectrum)) {
    taken_.insert(signature_.arguments.begin(), signature_.arguments.end());
    std::set<std::string> taken = taken_;
    first_ = claimName("first", taken);
    status_ = claimName("status", taken);
    counter_ = claimName("i", taken);
    choice_ = claimName("preferred", taken);
  }

  CSource print() const {
    CSource source;
    source.text = comment() + includes() + (rules_.size() > 1 ? choice() + "\n" : "") + functions();
    source.header = headerText(name_, includesOf(*plan_.target), declarations());
    return source;
  }

private:
  std::string comment() const {
    std::string text = "// " + name_ + " in " + std::to_string(versions_.size()) +
                       " versions, composed for " + plan_.machine->name +
                       "; the sizes say which one is called.\n";
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      std::string line = "//   " + std::to_string(i) + " " + versions_[i].folder + ":";
      for (std::size_t s = 0; s < versions_[i].steps.size(); ++s) {
        const std::string word =
            " " + versions_[i].steps[s] + (s + 1 < versions_[i].steps.size() ? "," : "");
        if (line.size() + word.size() > 96) {
          text += line + "\n";
          line = "//    ";
        }
        line += word;
      }
      text += line + "\n";
    }
    return text;
  }

  std::string includes() const {
    std::string text = "#include \"" + name_ + ".h\"\n\n";
    if (plan_.target->hostOnlyLaunches)
      text += "#include <stdlib.h>\n\n";
    for (const VersionSource &version : versions_)
      text += "#include \"" + version.folder + "/" + version.function + ".h\"\n";
    return text + "\n";
  }

  std::string choice() const {
    std::string parameters;
    for (const std::string &extent : extentsOfRules())
      parameters += (parameters.empty() ? "size_t " : ", size_t ") + extent;
    std::string text = "/// The version that is taken to be fastest, by its number.\n"
                       "static unsigned " +
                       choice_ + "(" + parameters + ") {\n";
    for (const VersionRule &rule : rules_) {
      const std::string answer = "return " + std::to_string(rule.version) + ";\n";
      text += rule.when.empty() ? "  " + answer : "  if (" + rule.when + ")\n    " + answer;
    }
    return text + "}\n";
  }

  /// In the order of the function's parameters.
  std::vector<std::string> extentsOfRules() const {
    std::vector<std::string> names;
    for (const VarPtr &extent : plan_.extents) {
      for (const VersionRule &rule : rules_) {
        if (mentionsName(rule.when, extent->name)) {
          names.push_back(extent->name);
          break;
        }
      }
    }
    return names;
  }

  // The functions

  /// Calls versions, the preferred one first, until one serves. `call`: what the version of this number does.
  template <class Call> std::string function(const std::string &head, Call &&call) const {
    const std::string first = rules_.size() > 1
                                  ? choice_ + "(" + commaSeparated(extentsOfRules()) + ")"
                                  : std::to_string(rules_.front().version);
    const std::string count = std::to_string(versions_.size());
    std::string text = head + " {\n  const unsigned " + first_ + " = " + first + ";\n" +
                       "  // 1: it cannot serve these sizes, which are left to the next one.\n" +
                       "  int " + status_ + " = 1;\n" + "  for (unsigned " + counter_ + " = 0; " +
                       status_ + " == 1 && " + counter_ + " < " + count + "; ++" + counter_ +
                       ") {\n    switch ((" + first_ + " + " + counter_ + ") % " + count + ") {\n";
    for (std::size_t i = 0; i < versions_.size(); ++i)
      text += (i + 1 < versions_.size() ? "    case " + std::to_string(i) : "    default") +
              ":\n      " + status_ + " = " + call(i) + ";\n      break;\n";
    return text + "    }\n  }\n  return " + status_ + ";\n}\n";
  }

  /// All versions are called with the same arguments.
  std::string function(const std::string &head, const std::string &which,
                       const std::vector<std::string> &arguments) const {
    return function(head, [&](std::size_t i) {
      return versions_[i].function + which + "(" + commaSeparated(arguments) + ")";
    });
  }

  /// All versions are called with their part of the handle, where they have one.
  std::string functionOfHandle(const std::string &head, const std::string &which,
                               const std::vector<std::string> &arguments) const {
    return function(head, [&](std::size_t i) {
      const std::string own = handle() + "->" + member(i);
      return own + " ? " + versions_[i].function + which + "(" + own + ", " +
             commaSeparated(arguments) + ") : 1";
    });
  }

  static std::vector<std::string> joined(std::vector<std::string> words,
                                         const std::vector<std::string> &more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string plainHead() const {
    return "int " + name_ + "(" + commaSeparated(signature_.parameters) + ")";
  }

  std::string functions() const {
    const std::string plain = function(plainHead(), "", signature_.arguments);
    if (plan_.target->hostOnlyLaunches)
      return handleFunctions() + "\n" +
             functionOfHandle(
                 "int " + name_ + "_workspace(" +
                     commaSeparated(workspaceParameters(name_, signature_.sizeParameters, taken_)) +
                     ")",
                 "_workspace", joined(signature_.sizes, {own("bytes")})) +
             "\n" +
             functionOfHandle(
                 "int " + name_ + "_enqueue(" +
                     commaSeparated(enqueueParameters(name_, signature_.parameters, taken_)) + ")",
                 "_enqueue",
                 joined(signature_.arguments,
                        {own("workspace"), own("waits"), own("wait_list"), own("event")})) +
             "\n" + plain;
    const OpenmpInterface names = openmpInterface(name_, signature_);
    return function(names.workspaceHead, "_workspace",
                    joined(signature_.sizes, {names.threads, names.bytes})) +
           "\n" +
           function(names.onThreadsHead, "_on_threads",
                    joined(signature_.arguments,
                           {names.threads, names.workspace, names.workspaceBytes})) +
           "\n" + plain;
  }

  // The handle of OpenCL: one of each version that the device can run

  std::string own(const std::string &name) const {
    std::set<std::string> taken = taken_;
    return claimName(name, taken);
  }
  std::string handle() const { return own("handle"); }
  static std::string member(std::size_t version) { return "version_" + std::to_string(version); }

  std::string handleFunctions() const {
    const std::string type = name_ + "_handle";
    std::string text = "/// NULL: the device cannot run the version.\nstruct " + type + " {\n";
    std::string any;
    std::string destroyed;
    std::string made;
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      const std::string &function = versions_[i].function;
      text += "  " + function + "_handle *" + member(i) + ";\n";
      any += (i == 0 ? "made->" : " || made->") + member(i);
      destroyed += "  " + function + "_destroy(handle->" + member(i) + ");\n";
      made += (i == 0 ? std::string("  int status = ") : "  if (status >= 0)\n    status = ") +
              function + "_create(context, device, &made->" + member(i) + ");\n";
    }
    return text + "};\n\nint " + name_ + "_create(cl_context context, cl_device_id device, " +
           type + " **handle) {\n  *handle = NULL;\n  " + type +
           " *made = calloc(1, sizeof *made);\n  if (!made)\n    return CL_OUT_OF_HOST_MEMORY;\n"
           "  // Errors of OpenCL are below 0.\n" +
           made + "  if (status >= 0)\n    status = " + any +
           " ? CL_SUCCESS : 1;\n  if (status == CL_SUCCESS)\n    *handle = made;\n  else\n    " +
           name_ + "_destroy(made);\n  return status;\n}\n\nvoid " + name_ + "_destroy(" + type +
           " *handle) {\n  if (!handle)\n    return;\n" + destroyed + "  free(handle);\n}\n";
  }

  std::string declarations() const {
    if (plan_.target->hostOnlyLaunches)
      return "/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
             "context.\n"
             "/// Returns CL_SUCCESS (0), 1 when no version can serve the size on the device, or "
             "OpenCL's error.\n" +
             plainHead() + ";\n\n" + handleDeclarations(name_) + "\n" +
             workspaceDeclaration(name_, signature_) + "\n" + enqueueDeclaration(name_, signature_);
    return "/// Returns 0, 1 when no version can serve the size, 2 when memory ran out.\n" +
           plainHead() + ";\n\n" + openmpInterface(name_, signature_).declarations;
  }

  const LoweredPlan &plan_;
  std::string name_;
  const std::vector<VersionSource> &versions_;
  const std::vector<VersionRule> &rules_;
  CFunction signature_;
  std::set<std::string> taken_;                   ///< what the parameters are called
  std::string first_, status_, counter_, choice_; ///< names that no parameter has
};

} // namespace

std::string commaSeparated(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<std::string> prefixed(const std::string &prefix, std::vector<std::string> words) {
  for (std::string &word : words)
    word.insert(0, prefix);
  return words;
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::vector<std::string> mentionedIn(const std::string &text,
                                     const std::vector<std::string> &words) {
  std::vector<std::string> found;
  std::copy_if(words.begin(), words.end(), std::back_inserter(found),
               [&](const std::string &word) { return mentionsName(text, word); });
  return found;
}

std::string voidOfUnused(const std::string &text, const std::vector<std::string> &parameters) {
  std::string statements;
  for (const std::string &each : parameters) {
    if (!mentionsName(text, each))
      statements += "  (void)" + each + ";\n";
  }
  return statements;
}

std::string includesOf(const TargetTraits &target) {
  if (target.hostOnlyLaunches)
    return "#ifndef CL_TARGET_OPENCL_VERSION\n#define CL_TARGET_OPENCL_VERSION 120\n#endif\n"
           "#include <CL/cl.h>\n";
  return "#include <stddef.h>\n#include <stdbool.h>\n";
}

std::string headerText(const std::string &name, const std::string &includes,
                       const std::string &declarations) {
  const std::string guard = "TANGRAM_" + name + "_H";
  return "#ifndef " + guard + "\n#define " + guard + "\n\n" + includes +
         "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + declarations +
         "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

CSource printDispatch(const LoweredPlan &plan, const Spectrum &spectrum, const std::string &name,
                      const std::vector<VersionSource> &versions,
                      const std::vector<VersionRule> &rules) {
  return DispatchPrinter(plan, spectrum, name, versions, rules).print();
}

} // namespace tangram::codegen
