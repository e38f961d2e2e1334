#include "codegen/bundle/interface_names.h"

#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/python_module.h"
#include "codegen/c/c_printer.h"
#include "codegen/c/c_types.h"
#include "codegen/c/statuses.h"
#include "codegen/kernel/identifier.h"
#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isWordAsMacro(const Tunable &tunable) {
  return tunable.kind == Tunable::Kind::Compile &&
         std::ranges::any_of(tunable.var->name,
                             [](unsigned char c) { return std::islower(c) != 0; });
}

void renameMacros(LoweredPlan &plan, const std::function<std::string(const std::string &)> &name) {
  std::map<const Var *, VarPtr> renamed;
  for (Tunable &tunable : plan.tunables) {
    const std::string wanted = isWordAsMacro(tunable) ? name(tunable.var->name) : tunable.var->name;
    if (wanted == tunable.var->name)
      continue;
    auto copy = std::make_shared<Var>(*tunable.var);
    copy->name = wanted;
    renamed[tunable.var.get()] = copy;
    tunable.var = copy;
  }
  renameVariables(plan, renamed);
}

/// Adds the words of C outside of comments and strings.
void addWords(const std::string &text, std::set<std::string> &words) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1 : 0;
      ++at;
    } else if (isWord(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && isWord(text[at]))
        ++at;
      words.insert(text.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
}

/// What the library defines, by the names that its files have.
std::set<std::string> functionsOf(const std::string &name) {
  std::set<std::string> names;
  for (const std::string &end : interfaceEnds())
    names.insert(name + end);
  for (const std::string &status : statusNames(name))
    names.insert(status);
  // And static ones: of a plan, and of what compares versions (codegen/c/online_choice.cpp).
  for (const char *end : {"_run",    "_rounds",  "_most_classes", "_unread",    "_class",
                          "_call",   "_classes", "_how",          "_bits",      "_seconds",
                          "_mode",   "_find",    "_time",         "_note",      "_fastest",
                          "_begin",  "_end",     "_is_ready",     "_device_of", "_by_measurement",
                          "_by_size"})
    names.insert(name + end);
  names.erase(name); // of which a parameter only hides that it is there
  return names;
}

std::set<std::string> calledBy(const LoweredPlan &plan) {
  std::set<std::string> names;
  auto add = [&](const StmtPtr &body) {
    for (const std::string &callee : calleesOf(body))
      names.insert({callee, libraryName(callee, Scalar::F32)});
  };
  add(plan.body);
  for (const Function *function : plan.functions) {
    names.insert(function->name);
    add(function->body);
  }
  return names;
}

} // namespace

std::optional<Refusal> clashOfNames(const LoweredPlan &plan, const Spectrum &spectrum,
                                    bool python) {
  const std::string &name = plan.spectrum;
  const std::string choose = "; `--name` gives the library another name";
  if (const std::string problem = problemOfEntry(name); !problem.empty())
    return Refusal{"the library cannot be called '" + name + "', which " + problem + choose, {}};
  if (const std::string problem = python ? problemOfModule(name) : ""; !problem.empty())
    return Refusal{
        "the module for Python cannot be called '" + name + "', which " + problem + choose, {}};
  const std::set<std::string> defined = functionsOf(name);
  const std::set<std::string> called = calledBy(plan);
  for (const Function *function : plan.functions) {
    if (function->name == name || defined.contains(function->name))
      return Refusal{"the helper function '" + function->name +
                         "' has the name of what the library defines" + choose,
                     function->location};
  }
  auto check = [&](const std::string &parameter) -> std::optional<Refusal> {
    if (defined.contains(parameter))
      return Refusal{"the parameter '" + parameter + "' has the name of what the library defines" +
                         choose,
                     spectrum.location};
    if (called.contains(parameter))
      return Refusal{
          "the parameter '" + parameter +
              "' has the name of a function that generated code calls; give it another one",
          spectrum.location};
    return std::nullopt;
  };
  std::set<std::string> known;
  for (const VarPtr &param : spectrum.params) {
    if (auto found = check(param->name))
      return found;
    if (!known.insert(param->name).second)
      return Refusal{"two parameters are called '" + param->name +
                         "' in generated code; give one of them another name",
                     spectrum.location};
  }
  return std::nullopt;
}

std::set<std::string> wordsOf(const BundleFiles &files) {
  std::set<std::string> words;
  for (const auto &[file, text] : files) {
    if (file.ends_with(".c") || file.ends_with(".h") || file.ends_with(".cl") ||
        file.ends_with(".cpp"))
      addWords(text, words);
  }
  return words;
}

bool hasWordsAsMacros(const LoweredPlan &plan) {
  return std::ranges::any_of(plan.tunables, isWordAsMacro);
}

LoweredPlan withoutWordsAsMacros(LoweredPlan plan) {
  std::size_t count = 0;
  renameMacros(plan,
               [&](const std::string &) { return "tangram_macro_" + std::to_string(count++); });
  return plan;
}

void capitalizeMacros(LoweredPlan &plan, const std::set<std::string> &words) {
  std::set<std::string> taken = words;
  for (const Tunable &tunable : plan.tunables)
    taken.insert(tunable.var->name);
  renameMacros(plan, [&](const std::string &name) {
    return words.contains(name) ? claimName(upperCase(name), taken) : name;
  });
}

} // namespace tangram::codegen
