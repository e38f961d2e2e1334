#include "driver/text/comma_list.h"

namespace tangram::driver {

std::vector<std::string> itemsOf(const std::string &list) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (char c : list) {
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0)
      items.emplace_back();
    else if (c != ' ' || !items.back().empty())
      items.back() += c;
  }
  return items;
}

std::string joined(const std::vector<std::string> &words, const std::string &separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

} // namespace tangram::driver
