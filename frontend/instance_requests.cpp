#include "frontend/instance_requests.h"

#include <algorithm>
#include <regex>
#include <set>

namespace tangram::frontend {

namespace {

const char *const variablePrefix = "__tangram_instance_";

std::string templateName(const std::string &request) {
  std::size_t begin = request.find_first_not_of(' ');
  std::size_t end = request.find_first_of(" <", begin);
  return begin == std::string::npos ? "" : request.substr(begin, end - begin);
}

bool isWellFormed(const std::string &request) {
  static const std::regex form(R"( *[A-Za-z_]\w* *<[^;{}#\n]*> *)");
  return std::regex_match(request, form);
}

} // namespace

InstanceRequests::InstanceRequests(const std::string &text, std::string file,
                                   const std::vector<std::string> &names)
    : file(std::move(file)), extended(text), names(names) {
  if (names.empty())
    return;
  firstLine = static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')) + 2;
  for (std::size_t i = 0; i < names.size(); ++i)
    extended += "\nauto " + (variablePrefix + std::to_string(i)) + " = &" + names[i] + ";";
  extended += "\n";
}

std::vector<std::string> InstanceRequests::variables() const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < names.size(); ++i)
    result.push_back(variablePrefix + std::to_string(i));
  return result;
}

ir::Diagnostic InstanceRequests::refused(const std::string &message) const {
  return ir::errorAt({file, 0, 0, 1}, message);
}

ir::Diagnostics InstanceRequests::malformed() const {
  ir::Diagnostics result;
  for (const std::string &name : names) {
    if (!isWellFormed(name))
      result.push_back(refused("cannot instantiate '" + name +
                               "': expected a template and its arguments, as in 'sum<float>'"));
  }
  return result;
}

bool InstanceRequests::isAbout(const ir::Diagnostic &message) const {
  return firstLine != 0 && message.location.file == file && message.location.line >= firstLine;
}

ir::Diagnostics InstanceRequests::explained(const ir::Diagnostics &messages,
                                            const CodeletDeclarations &declarations) const {
  ir::Diagnostics result;
  std::set<unsigned> seen; // the first error of a line explains it
  for (const ir::Diagnostic &message : messages) {
    bool isNew = isAbout(message) && message.severity == ir::Severity::Error &&
                 seen.insert(message.location.line).second;
    std::size_t request = isNew ? message.location.line - firstLine : names.size();
    if (request < names.size())
      result.push_back(explain(names[request], message, declarations));
  }
  return result;
}

ir::Diagnostic InstanceRequests::explain(const std::string &name, const ir::Diagnostic &message,
                                         const CodeletDeclarations &declarations) const {
  std::string wanted = templateName(name);
  std::vector<std::string> templates;
  bool isPlain = false;
  for (const CodeletDeclaration &each : declarations.all) {
    if (each.isTemplate)
      templates.push_back(each.name);
    isPlain |= each.name == wanted;
  }
  std::string failed = "cannot instantiate '" + name + "': ";
  if (std::count(templates.begin(), templates.end(), wanted) == 0) {
    std::string near = ir::nearest(wanted, templates);
    return refused(failed +
                   (isPlain ? "'" + wanted + "' is a spectrum, not a template of one"
                            : "there is no template '" + wanted + "'") +
                   (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  // Clang speaks of the variable where the arguments do not fit.
  bool isClear = message.message.find("auto") == std::string::npos &&
                 message.message.find("overload") == std::string::npos;
  ir::Diagnostic result =
      refused(failed + (isClear ? message.message : "its arguments do not fit the template"));
  for (const ir::Diagnostic &note : message.notes) {
    if (note.location.valid() && !isAbout(note))
      result.notes.push_back(note);
  }
  return result;
}

} // namespace tangram::frontend
