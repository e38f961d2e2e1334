#include "driver/text/line_difference.h"

#include <algorithm>
#include <sstream>

namespace tangram::driver {

namespace {

/// All lines of both, each with its sign.
std::vector<std::string> signedLines(const std::vector<std::string> &before,
                                     const std::vector<std::string> &after) {
  // common[i][j]: lines that before[i..] and after[j..] share at most.
  std::vector<std::vector<unsigned>> common(before.size() + 1,
                                            std::vector<unsigned>(after.size() + 1));
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;)
      common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1
                                           : std::max(common[i + 1][j], common[i][j + 1]);
  }
  std::vector<std::string> all;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      all.push_back(" " + before[i++]);
      ++j;
    } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
      all.push_back("-" + before[i++]);
    } else {
      all.push_back("+" + after[j++]);
    }
  }
  return all;
}

} // namespace

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> lineDifference(const std::vector<std::string> &before,
                                        const std::vector<std::string> &after,
                                        std::size_t context) {
  const std::vector<std::string> all = signedLines(before, after);
  std::vector<bool> shown(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i][0] == ' ')
      continue;
    for (std::size_t k = i - std::min(i, context); k < std::min(all.size(), i + context + 1); ++k)
      shown[k] = true;
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!shown[i])
      continue;
    if (!lines.empty() && !shown[i - 1])
      lines.emplace_back("...");
    lines.push_back(all[i]);
  }
  return lines;
}

} // namespace tangram::driver
