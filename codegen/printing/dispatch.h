// The functions of a library that has several versions: a choice by sizes, then a call. The first rule that holds says which
// version is tried first; one that cannot serve the sizes leaves them to the next, and after the last comes the first.
#pragma once

#include "codegen/printing/c_types.h"
#include "codegen/printing/containers.h"
#include "codegen/printing/launch_defaults.h"
#include "codegen/printing/online_choice.h"
#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"
#include "escape/escape.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

struct DispatchRequest {
  const LoweredPlan &plan; ///< of any version, for what all have in common
  const ir::Spectrum &spectrum;
  std::string name; ///< of the function
  const std::vector<VersionSource> &versions;
  const std::vector<VersionRule> &rules;
  std::optional<OnlineExtents> online = std::nullopt;
};

/// What targets have in common; one derives from it and says what functions its libraries have.
class DispatchPrinter {
public:
  virtual ~DispatchPrinter() = default;

  CSource print() const {
    CSource source;
    source.text = comment() + includes() + (online_ ? online_->definitions() + "\n" : "") +
                  (rules_.size() > 1 ? choice() + "\n" : "") + functions() + "\n" +
                  messageFunction(name_, interface_.statuses);
    source.header = headerText(name_, interface_.includes, declarations());
    return source;
  }

protected:
  /// What libraries of a target have.
  struct Interface {
    CFunction signature;
    const StatusSet &statuses;
    std::string includes;    ///< of the header
    std::string ownIncludes; ///< of the source
    OnlineQueue queue; ///< of the choice by measurements; none: calls compute when they are called
  };

  DispatchPrinter(const DispatchRequest &request, Interface interface)
      : plan_(request.plan), name_(request.name), versions_(request.versions),
        rules_(request.rules), interface_(std::move(interface)), signature_(interface_.signature),
        containers_(containersOf(plan_, request.spectrum)) {
    if (request.online)
      online_.emplace(name_, versions_.size(), request.online->extents, interface_.queue);
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

  /// The functions of the library.
  virtual std::string functions() const = 0;
  virtual std::string declarations() const = 0;
  /// Of the function that says which version is called.
  virtual std::string chosenHead() const = 0;

  /// `of`: what such calls have in common beside sizes.
  std::string chosenDeclaration(const std::string &of) const {
    return "/// The version that calls with these sizes " + of +
           "begin with now; -1: they\n/// are being compared.\n" + chosenHead() + ";\n";
  }

  OnlineChoice::ChosenNames chosenNames(const std::string &classes) const {
    std::set<std::string> taken = taken_;
    return {signature_.sizes, claimName("how", taken), claimName("compared", taken), classes};
  }

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
    else
      text += interface_.ownIncludes;
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
    for (const ir::VarPtr &extent : plan_.extents) {
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

  static std::vector<std::string> joined(std::vector<std::string> words,
                                         const std::vector<std::string> &more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string plainHead() const {
    return "int " + name_ + "(" + commaSeparated(signature_.parameters) + ")";
  }

  std::string own(const std::string &name) const {
    std::set<std::string> taken = taken_;
    return claimName(name, taken);
  }

  const LoweredPlan &plan_;
  std::string name_;
  const std::vector<VersionSource> &versions_;
  const std::vector<VersionRule> &rules_;
  const Interface interface_;
  const CFunction &signature_;
  std::vector<Container> containers_;
  std::set<std::string> taken_; ///< what the parameters are called
  std::string first_, status_, counter_, choice_, call_, served_,
      needed_; ///< names that no parameter has
  std::optional<OnlineChoice> online_;
};

} // namespace tangram::codegen
