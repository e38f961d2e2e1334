#include "ir/program.h"

#include "ir/reserved_names.h"

#include <algorithm>
#include <cctype>

namespace tangram::ir {

namespace {

std::string withoutBlanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
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
  return isReservedEntry(result) ? result + "_" : result;
}

const Spectrum *Program::spectrum(const std::string &name) const {
  auto first = [&](auto isMeant) -> const Spectrum * {
    auto found = std::find_if(spectrums.begin(), spectrums.end(), isMeant);
    return found == spectrums.end() ? nullptr : &*found;
  };
  if (const Spectrum *same = first([&](const Spectrum &s) { return s.name == name; }))
    return same;
  std::string wanted = withoutBlanks(name);
  if (const Spectrum *same =
          first([&](const Spectrum &s) { return withoutBlanks(s.name) == wanted; }))
    return same;
  return first([&](const Spectrum &s) { return s.name.rfind(wanted + "<", 0) == 0; });
}

} // namespace tangram::ir
