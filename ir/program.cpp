#include "ir/program.h"

#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

namespace tangram::ir {

namespace {

std::string withoutBlanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// The language's name of an integer type that C++ lets one spell in many ways.
std::string integerNamed(const std::vector<std::string> &words) {
  auto count = [&](const char *word) { return std::ranges::count(words, word); };
  std::string sign = count("unsigned") > 0 ? "unsigned " : "";
  if (count("char") > 0)
    return sign + (count("signed") > 0 ? "signed char" : "char");
  return sign + (count("long") > 0 ? "long" : count("short") > 0 ? "short" : "int");
}

/// The name of an instance as the program has it: `sum<unsigned long long int>` is
/// `sum<unsigned long>`.
std::string withKnownTypes(const std::string &name) {
  static const std::set<std::string> parts{"unsigned", "signed", "char", "short", "int", "long"};
  std::string result;
  std::vector<std::string> words;
  auto finish = [&] {
    if (!words.empty())
      result += integerNamed(words);
    words.clear();
  };
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() &&
           (std::isalnum(static_cast<unsigned char>(name[end])) != 0 || name[end] == '_'))
      ++end;
    const std::string word = name.substr(at, end - at);
    if (parts.contains(word)) {
      words.push_back(word);
    } else if (end > at || name[at] != ' ') {
      finish();
      result += end > at ? word : std::string(1, name[at]);
    }
    at = std::max(end, at + 1);
  }
  finish();
  return withoutBlanks(result);
}

} // namespace

std::string identifierOf(const std::string &name) {
  std::string result;
  for (char c : name) {
    bool isOfIdentifier = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (isOfIdentifier)
      result += c;
    else if (result.empty() || result.back() != '_')
      result += '_';
  }
  while (result.size() > 1 && result.back() == '_' && name.back() != '_')
    result.pop_back();
  return problemOfEntry(result).empty() ? result : result + "_";
}

const Spectrum *Program::spectrum(const std::string &name) const {
  const auto same =
      std::ranges::find_if(spectrums, [&](const Spectrum &s) { return s.name == name; });
  if (same != spectrums.end())
    return &*same;
  const std::vector<const Spectrum *> named = spectrumsNamed(name);
  return named.empty() ? nullptr : named.front();
}

std::vector<const Spectrum *> Program::spectrumsNamed(const std::string &name) const {
  const std::string wanted = withKnownTypes(name);
  std::vector<const Spectrum *> same;
  std::vector<const Spectrum *> instances;
  for (const Spectrum &s : spectrums) {
    if (withKnownTypes(s.name) == wanted)
      same.push_back(&s);
    else if (s.name.starts_with(wanted + "<"))
      instances.push_back(&s);
  }
  same.insert(same.end(), instances.begin(), instances.end());
  return same;
}

} // namespace tangram::ir
