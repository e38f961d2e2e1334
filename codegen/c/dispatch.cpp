// The function of a library that has several versions: a choice by sizes, then a call.
#include "codegen/c/c_types.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"

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
    std::set<std::string> taken(signature_.arguments.begin(), signature_.arguments.end());
    first_ = claimName("first", taken);
    status_ = claimName("status", taken);
    counter_ = claimName("i", taken);
    choice_ = claimName("preferred", taken);
  }

  CSource print() const {
    CSource source;
    source.text = comment() + includes() + (rules_.size() > 1 ? choice() + "\n" : "") + function();
    source.header = headerText(name_, includesOf(*plan_.target), declaration());
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

  std::string function() const {
    const std::string first = rules_.size() > 1
                                  ? choice_ + "(" + commaSeparated(extentsOfRules()) + ")"
                                  : std::to_string(rules_.front().version);
    const std::string count = std::to_string(versions_.size());
    std::string text = "int " + name_ + "(" + commaSeparated(signature_.parameters) + ") {\n" +
                       "  const unsigned " + first_ + " = " + first + ";\n" +
                       "  // 1: it cannot serve these sizes, which are left to the next one.\n" +
                       "  int " + status_ + " = 1;\n" + "  for (unsigned " + counter_ + " = 0; " +
                       status_ + " == 1 && " + counter_ + " < " + count + "; ++" + counter_ +
                       ") {\n    switch ((" + first_ + " + " + counter_ + ") % " + count + ") {\n";
    for (std::size_t i = 0; i < versions_.size(); ++i)
      text += (i + 1 < versions_.size() ? "    case " + std::to_string(i) : "    default") +
              ":\n      " + status_ + " = " + versions_[i].function + "(" +
              commaSeparated(signature_.arguments) + ");\n      break;\n";
    return text + "    }\n  }\n  return " + status_ + ";\n}\n";
  }

  std::string declaration() const {
    const std::string what =
        plan_.target->hostOnlyLaunches
            ? "/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
              "context.\n"
              "/// Returns CL_SUCCESS (0), 1 when no version can serve the size, or OpenCL's "
              "error.\n"
            : "/// Returns 0, 1 when no version can serve the size, 2 when memory ran out.\n";
    return what + "int " + name_ + "(" + commaSeparated(signature_.parameters) + ");\n";
  }

  const LoweredPlan &plan_;
  std::string name_;
  const std::vector<VersionSource> &versions_;
  const std::vector<VersionRule> &rules_;
  CFunction signature_;
  std::string first_, status_, counter_, choice_; ///< names that no parameter has
};

} // namespace

std::string commaSeparated(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
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
