#include "codegen/printing/source.h"

#include "codegen/printing/c_types.h"
#include "codegen/printing/launch_defaults.h"

#include <algorithm>
#include <iterator>

namespace tangram::codegen {

using namespace ir;

CFunction pointerFunction(const LoweredPlan &plan, const Spectrum &spectrum,
                          const std::vector<std::pair<std::string, std::string>> &first) {
  CFunction function;
  auto add = [&](const std::string &type, const std::string &name, bool isSize = false) {
    function.parameters.push_back(type + name);
    function.arguments.push_back(name);
    if (isSize) {
      function.sizeParameters.push_back(type + name);
      function.sizes.push_back(name);
    }
  };
  for (const auto &[type, name] : first)
    add(type, name);
  std::size_t extent = 0;
  for (const VarPtr &param : spectrum.params) {
    if (param->type.rank == 0) {
      add(cName(param->type.scalar) + " ", param->name, true);
      continue;
    }
    add((param->type.isConst ? "const " : "") + cName(param->type.scalar) + " *", param->name);
    for (unsigned d = 0; d < param->type.rank; ++d)
      add("size_t ", plan.extents[extent++]->name, true);
  }
  if (plan.result)
    add(cName(plan.result->type.scalar) + " *", "result");
  return function;
}

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

std::string headerText(const std::string &name, const std::string &includes,
                       const std::string &declarations) {
  const std::string guard = "TANGRAM_" + name + "_H";
  return "#ifndef " + guard + "\n#define " + guard + "\n\n" + includes +
         "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + declarations +
         "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

} // namespace tangram::codegen
