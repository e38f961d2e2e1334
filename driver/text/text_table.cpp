#include "driver/text/text_table.h"

#include "escape/escape.h"

#include <algorithm>

namespace tangram::driver {

namespace {

/// Characters that a terminal shows of UTF-8.
std::size_t shown(const std::string &text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

std::string table(const std::vector<std::vector<std::string>> &given, const std::string &indent) {
  std::vector<std::vector<std::string>> rows = given;
  for (std::vector<std::string> &row : rows)
    std::ranges::transform(row, row.begin(), escape::terminalLine);
  std::vector<std::size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], shown(row[i]));
  }
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - shown(row[i]), ' ');
      line += i == 0 ? row[i] + blanks : "  " + blanks + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace tangram::driver
