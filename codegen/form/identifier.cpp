#include "codegen/form/identifier.h"

#include "ir/program.h"

#include <algorithm>
#include <cctype>

namespace tangram::codegen {

std::string identifier(const std::string &title) {
  std::string name = title;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
      '_');
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "_" + name : name;
}

std::string upperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return std::isalnum(c) != 0 ? static_cast<char>(std::toupper(c)) : '_';
  });
  return text;
}

std::string familyOf(const std::string &spectrum) {
  return ir::identifierOf(spectrum.substr(0, spectrum.find('<')));
}

} // namespace tangram::codegen
