#include "codegen/printing/long_lines.h"

#include <algorithm>
#include <sstream>

namespace tangram::codegen {

namespace {

constexpr std::size_t widestLine = 100;

/// The space at which a long line is best broken; `defines`: it is part of a #define.
std::size_t breakOf(const std::string &line, std::size_t indent, bool defines) {
  if (line.find_first_not_of(' ') == line.find('#') && !defines)
    return std::string::npos;
  std::size_t best = std::string::npos;
  int bestDepth = 1000;
  int depth = 0;
  char quote = 0; // of the string or character that `i` is in
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == quote)
        quote = 0;
      continue;
    }
    if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
      continue;
    }
    if (line.compare(i, 2, "//") == 0) {
      if (i < widestLine) // the comment alone is long
        return std::string::npos;
      break;
    }
    depth += line[i] == '(' || line[i] == '[';
    depth -= line[i] == ')' || line[i] == ']';
    if (line[i] != ' ' || i <= indent || i >= widestLine)
      continue;
    const char before = line[i - 1];
    // An assignment's, not a comparison's.
    const bool equals = before == '=' && std::string("=<>!").find(line[i - 2]) == std::string::npos;
    const bool after = before == ',' || before == ';' || equals || (defines && line[i + 1] == '"');
    bool ahead = i + 2 < line.size() && line[i + 2] == ' ' &&
                 std::string("+-*/?:").find(line[i + 1]) != std::string::npos;
    ahead |= line.compare(i + 1, 3, "|| ") == 0 || line.compare(i + 1, 3, "&& ") == 0;
    if ((after || ahead) && depth <= bestDepth) {
      best = i;
      bestDepth = depth;
    }
  }
  return best;
}

} // namespace

std::string brokenLine(std::string line, std::size_t continued) {
  const bool defines = line.starts_with("#define ");
  std::string text;
  while (line.size() > widestLine) {
    const std::size_t at = breakOf(line, continued, defines);
    if (at == std::string::npos)
      break;
    text += line.substr(0, at) + (defines ? " \\\n" : "\n");
    line = std::string(continued, ' ') + line.substr(at + 1);
  }
  return text + line;
}

std::string withBrokenLines(const std::string &text) {
  std::istringstream lines(text);
  std::string broken;
  bool inDefinition = false; // of several lines already
  for (std::string line; std::getline(lines, line);) {
    const bool goesOn = line.ends_with('\\');
    const std::size_t begins = std::min(line.find_first_not_of(' '), line.size());
    broken += (inDefinition || goesOn ? line : brokenLine(line, begins + 4)) + "\n";
    inDefinition = goesOn;
  }
  return broken;
}

} // namespace tangram::codegen
