#include "driver/input/depfile.h"

namespace tangram::driver {

namespace {

std::string escaped(const std::string &name) {
  std::string text;
  for (const char c : name) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

} // namespace

std::string depfileText(const std::filesystem::path &made, const std::vector<std::string> &files) {
  std::string text = escaped(made.string()) + ":";
  for (const std::string &file : files)
    text += " \\\n  " + escaped(file);
  return text + "\n";
}

} // namespace tangram::driver
