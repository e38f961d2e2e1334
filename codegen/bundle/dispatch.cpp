#include "codegen/bundle/dispatch.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/containers.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/online_choice.h"
#include "codegen/printing/statuses.h"
#include "codegen/targets/opencl/host_interface.h"
#include "escape/escape.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

class DispatchPrinter {
public:
  DispatchPrinter(const LoweredPlan &plan, const Spectrum &spectrum, std::string name,
                  const std::vector<VersionSource> &versions, const std::vector<VersionRule> &rules,
                  const std::optional<OnlineExtents> &online)
      : plan_(plan), name_(std::move(name)), versions_(versions), rules_(rules),
        signature_(plan.target->hostOnlyLaunches ? openclFunction(plan, spectrum)
                                                 : openmpFunction(plan, spectrum)),
        containers_(containersOf(plan, spectrum)) {
    if (online)
      online_.emplace(name_, versions.size(), online->extents, plan.target->hostOnlyLaunches);
    taken_.insert(signature_.arguments.begin(), signature_.arguments.end());
    std::set<std::string> taken = taken_;
    first_ = claimName("first", taken);
    status_ = claimName("status", taken);
    counter_ = claimName("i", taken);
    std::set<std::string> functions = taken;
    functions.insert(name_);
    choice_ = claimName("preferred", functions);
    call_ = claimName("call", taken);
    served_ = claimName("served", taken);
    needed_ = claimName("needed", taken);
  }

  CSource print() const {
    CSource source;
    source.text = comment() + includes() + (online_ ? online_->definitions() + "\n" : "") +
                  (rules_.size() > 1 ? choice() + "\n" : "") + functions() + "\n" +
                  messageFunction(name_, plan_.target->hostOnlyLaunches);
    source.header = headerText(name_, includesOf(*plan_.target), declarations());
    return source;
  }

private:
  std::string comment() const {
    std::string text = "// " + name_ + " in " + std::to_string(versions_.size()) +
                       " versions, composed for " + escape::comment(plan_.machine->name) +
                       (online_ ? "; measurements on the first calls say which one is called.\n"
                                : "; the sizes say which one is called.\n");
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      std::string line = "//   " + std::to_string(i) + " " + versions_[i].folder + ":";
      for (std::size_t s = 0; s < versions_[i].steps.size(); ++s) {
        const std::string word = " " + escape::comment(versions_[i].steps[s]) +
                                 (s + 1 < versions_[i].steps.size() ? "," : "");
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
    std::string text = (online_ ? online_->features() : "") + "#include \"" + name_ + ".h\"\n\n";
    if (online_)
      text += online_->includes();
    else if (plan_.target->hostOnlyLaunches)
      text += "#include <stdlib.h>\n\n";
    for (const VersionSource &version : versions_)
      text += "#include \"" + version.folder + "/" + version.function + ".h\"\n";
    return text + "\n";
  }

  std::string choice() const {
    std::string parameters;
    for (const std::string &extent : extentsOfRules())
      parameters += (parameters.empty() ? "size_t " : ", size_t ") + extent;
    std::string text =
        (online_ ? "/// The version that is predicted to be fastest, by its number.\n"
                 : "/// The version that is taken to be fastest, by its number.\n") +
        std::string("static unsigned ") + choice_ + "(" + parameters + ") {\n";
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

  std::string firstVersion() const {
    return rules_.size() > 1 ? choice_ + "(" + commaSeparated(extentsOfRules()) + ")"
                             : std::to_string(rules_.front().version);
  }

  /// Where calls find the table of their classes, and how they are told apart from others there.
  struct Online {
    std::string classes, more;
    std::vector<std::string> queueAndWaits;
  };

  /// Calls versions, the preferred one first, until one serves. `call`: what the version of this number does.
  template <class Call>
  std::string function(const std::string &head, Call &&call,
                       const std::optional<Online> &online = std::nullopt) const {
    const std::string count = std::to_string(versions_.size());
    std::string text = head + " {\n  const unsigned " + first_ + " = " + firstVersion() + ";\n";
    if (online)
      text += "  const " + online_->callType() + " " + call_ + " = " +
              online_->begin(online->classes, online_->key(online->more), first_,
                             online->queueAndWaits) +
              ";\n  unsigned " + served_ + " = " + call_ + ".version;\n";
    const std::string begun = online ? call_ + ".version" : first_;
    const std::string number = "(" + begun + " + " + counter_ + ") % " + count;
    text += "  // 1: it cannot serve these sizes, which are left to the next one.\n  int " +
            status_ + " = 1;\n  for (unsigned " + counter_ + " = 0; " + status_ + " == 1 && " +
            counter_ + " < " + count + "; ++" + counter_ + ") {\n";
    text += online ? "    " + served_ + " = " + number + ";\n    switch (" + served_ + ") {\n"
                   : "    switch (" + number + ") {\n";
    for (std::size_t i = 0; i < versions_.size(); ++i)
      text += (i + 1 < versions_.size() ? "    case " + std::to_string(i) : "    default") +
              ":\n      " + status_ + " = " + call(i) + ";\n      break;\n";
    text += "    }\n  }\n";
    if (online)
      text +=
          online_->end(call_, first_, served_, status_,
                       {online->queueAndWaits.begin(),
                        online->queueAndWaits.begin() + (online->queueAndWaits.empty() ? 0 : 1)});
    return text + "  return " + status_ + ";\n}\n";
  }

  /// Any version may be called with the workspace: it is as large as that of the one that needs most.
  template <class Call> std::string workspaceOfAll(const std::string &head, Call &&call) const {
    std::string versions;
    for (std::size_t i = 0; i < versions_.size(); ++i)
      versions += (i + 1 < versions_.size() ? "    case " + std::to_string(i) : "    default") +
                  ":\n      " + served_ + " = " + call(i) + ";\n      break;\n";
    std::string text = R"c( {
  // Any version may be called: the workspace is large enough for each that serves the sizes.
  int STATUS = 1;
  *BYTES = 0;
  for (unsigned NUMBER = 0; NUMBER < COUNT; ++NUMBER) {
    size_t NEEDED = 0;
    int SERVED = 1;
    switch (NUMBER) {
VERSIONS    }
    if (SERVED != 0 && SERVED != 1)
      return SERVED;
    if (SERVED == 1)
      continue;
    STATUS = 0;
    if (NEEDED > *BYTES)
      *BYTES = NEEDED;
  }
  return STATUS;
}
)c";
    for (const auto &[what, by] : std::initializer_list<std::pair<std::string, std::string>>{
             {"NUMBER", counter_},
             {"COUNT", std::to_string(versions_.size())},
             {"STATUS", status_},
             {"BYTES", own("bytes")},
             {"NEEDED", needed_},
             {"SERVED", served_},
             {"VERSIONS", versions}})
      text = replaced(std::move(text), what, by);
    return head + text;
  }

  /// A call of a version: all take the same arguments.
  auto callOf(const std::string &which, const std::vector<std::string> &arguments) const {
    return [this, which, text = commaSeparated(arguments)](std::size_t i) {
      return versions_[i].function + which + "(" + text + ")";
    };
  }

  /// Likewise, with the version's part of the handle, where it has one.
  auto callOfHandle(const std::string &which, const std::vector<std::string> &arguments) const {
    return [this, which, text = commaSeparated(arguments)](std::size_t i) {
      const std::string own = handle() + "->" + member(i);
      return own + " ? " + versions_[i].function + which + "(" + own + ", " + text + ") : 1";
    };
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
    return plan_.target->hostOnlyLaunches ? openclFunctions() : openmpFunctions();
  }

  std::string openclFunctions() const {
    const std::string workspaceHead =
        "int " + name_ + "_workspace(" +
        commaSeparated(workspaceParameters(name_, signature_.sizeParameters, taken_)) + ")";
    const std::string enqueueHead =
        "int " + name_ + "_enqueue(" +
        commaSeparated(enqueueParameters(name_, signature_.parameters, taken_)) + ")";
    const auto enqueue =
        callOfHandle("_enqueue", joined(signature_.arguments, {own("workspace"), own("waits"),
                                                               own("wait_list"), own("event")}));
    const auto plain = callOf("", signature_.arguments);
    if (!online_)
      return handleFunctions() + "\n" +
             function(workspaceHead,
                      callOfHandle("_workspace", joined(signature_.sizes, {own("bytes")}))) +
             "\n" + function(enqueueHead, enqueue) + "\n" + function(plainHead(), plain);
    const std::string queue = signature_.arguments.front();
    return handleFunctions() + "\n" +
           workspaceOfAll(workspaceHead,
                          callOfHandle("_workspace", joined(signature_.sizes, {"&" + needed_}))) +
           "\n" +
           function(enqueueHead, enqueue,
                    Online{handle() + "->classes", "", {queue, own("waits"), own("wait_list")}}) +
           "\n" +
           function(plainHead(), plain,
                    Online{online_->table(),
                           name_ + "_device_of(" + queue + ")",
                           {queue, "0", "NULL"}}) +
           "\n" + online_->chooseFunction() + "\n" +
           online_->chosenFunction(chosenHead(), firstVersion(), online_->key(""), chosenNames());
  }

  std::string openmpFunctions() const {
    const OpenmpInterface names = openmpInterface(name_, signature_);
    const auto onThreads =
        callOf("_on_threads", joined(signature_.arguments,
                                     {names.threads, names.workspace, names.workspaceBytes}));
    const auto plain = callOf("", signature_.arguments);
    if (!online_)
      return function(
                 names.workspaceHead,
                 callOf("_workspace", joined(signature_.sizes, {names.threads, names.bytes}))) +
             "\n" + function(names.onThreadsHead, onThreads) + "\n" + function(plainHead(), plain);
    const std::string threads = name_ + "_bits(" + names.threads + ")";
    return workspaceOfAll(
               names.workspaceHead,
               callOf("_workspace", joined(signature_.sizes, {names.threads, "&" + needed_}))) +
           "\n" + function(names.onThreadsHead, onThreads, Online{online_->table(), threads, {}}) +
           "\n" + function(plainHead(), plain, Online{online_->table(), "", {}}) + "\n" +
           online_->chooseFunction() + "\n" +
           online_->chosenFunction(chosenHead(), firstVersion(), online_->key(threads),
                                   chosenNames());
  }

  OnlineChoice::ChosenNames chosenNames() const {
    std::set<std::string> taken = taken_;
    OnlineChoice::ChosenNames names{signature_.sizes, claimName("how", taken),
                                    claimName("compared", taken), online_->table()};
    if (plan_.target->hostOnlyLaunches)
      names.classes = handle() + "->classes";
    return names;
  }

  /// Of the function that says which version is called.
  std::string chosenHead() const {
    const bool isOpencl = plan_.target->hostOnlyLaunches;
    std::vector<std::string> parameters;
    if (isOpencl)
      parameters.push_back(name_ + "_handle *" + handle());
    parameters.insert(parameters.end(), signature_.sizeParameters.begin(),
                      signature_.sizeParameters.end());
    if (!isOpencl)
      parameters.push_back("size_t " + openmpInterface(name_, signature_).threads);
    return "int " + name_ + "_chosen(" + commaSeparated(parameters) + ")";
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
    if (online_)
      text += "  " + online_->tableType() + " classes[" + online_->tableSize() + "];\n";
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
    const std::string more =
        online_ ? "\n" + online_->declarations() + "\n" + chosenDeclaration() : "";
    const std::string measured =
        online_
            ? plan_.target->hostOnlyLaunches
                  ? "/// The first calls with such sizes are timed: they wait until the queue has "
                    "finished, before and after.\n"
                  : "/// The first calls with such sizes are timed.\n"
            : "";
    if (plan_.target->hostOnlyLaunches)
      return statusDeclarations(name_, true) +
             "\n/// Enqueues the kernels on an in-order queue; arguments are buffers of its "
             "context.\n" +
             measured + argumentsDeclaration(plan_, containers_) +
             overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead() +
             ";\n\n" + handleDeclarations(name_) + "\n" + workspaceDeclaration(name_, signature_) +
             "\n" + enqueueDeclaration(name_, signature_) + more;
    return statusDeclarations(name_, false) + "\n" + measured +
           argumentsDeclaration(plan_, containers_) +
           overlapDeclaration(name_, containers_, pairsToKeepApart(containers_)) + plainHead() +
           ";\n\n" + openmpInterface(name_, signature_).declarations + more;
  }

  std::string chosenDeclaration() const {
    return std::string("/// The version that calls with these sizes ") +
           (plan_.target->hostOnlyLaunches
                ? "and this handle "
                : "on so many threads (0: of the function without them) ") +
           "begin with now; -1: they\n/// are being compared.\n" + chosenHead() + ";\n";
  }

  const LoweredPlan &plan_;
  std::string name_;
  const std::vector<VersionSource> &versions_;
  const std::vector<VersionRule> &rules_;
  CFunction signature_;
  std::vector<Container> containers_;
  std::set<std::string> taken_; ///< what the parameters are called
  std::string first_, status_, counter_, choice_, call_, served_,
      needed_; ///< names that no parameter has
  std::optional<OnlineChoice> online_;
};

} // namespace

CSource printDispatch(const LoweredPlan &plan, const Spectrum &spectrum, const std::string &name,
                      const std::vector<VersionSource> &versions,
                      const std::vector<VersionRule> &rules,
                      const std::optional<OnlineExtents> &online) {
  return DispatchPrinter(plan, spectrum, name, versions, rules, online).print();
}

} // namespace tangram::codegen
