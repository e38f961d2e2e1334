#include "driver/commands/code_steps.h"

#include "driver/text/comma_list.h"

#include <algorithm>

namespace tangram::driver {

namespace {

/// What a line says after "// "; empty: it is no comment, or one of the plan at the head of the source,
/// whose lines are indented.
std::string commentOf(const std::string &line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos || line.compare(first, 3, "// ") != 0)
    return "";
  const std::string text = line.substr(first + 3);
  return text.starts_with(' ') ? "" : text;
}

/// Steps in the order of the code. Of equal ones the next that has not been seen is meant.
class Finder {
public:
  explicit Finder(const std::vector<std::string> &steps) : steps_(steps), seen_(steps.size()) {}

  /// Numbers of the steps in a comment; empty when it says something else.
  std::vector<std::size_t> find(const std::string &comment) {
    std::vector<std::size_t> found;
    for (const std::string &item : itemsOf(comment)) {
      const std::size_t step = next(item);
      if (step == steps_.size())
        return {};
      found.push_back(step);
    }
    for (std::size_t step : found)
      seen_[step] = true;
    last_ = found.back();
    return found;
  }

private:
  std::size_t next(const std::string &step) const {
    std::size_t any = steps_.size();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::size_t at = (last_ + 1 + i) % steps_.size();
      if (steps_[at] != step)
        continue;
      if (!seen_[at])
        return at;
      any = std::min(any, at);
    }
    return any;
  }

  const std::vector<std::string> &steps_;
  std::vector<bool> seen_;
  std::size_t last_ = static_cast<std::size_t>(-1);
};

} // namespace

std::vector<std::vector<std::size_t>> stepsOfLines(const std::vector<std::string> &source,
                                                   const std::vector<std::string> &steps) {
  std::vector<std::vector<std::size_t>> ofLines;
  std::vector<std::size_t> now;
  Finder finder(steps);
  bool commented = false; // the line before is one of steps
  for (const std::string &line : source) {
    const std::string comment = commentOf(line);
    std::vector<std::size_t> found;
    if (!comment.empty() && !steps.empty())
      found = finder.find(comment);
    if (!found.empty() && commented)
      now.insert(now.end(), found.begin(), found.end());
    else if (!found.empty())
      now = found;
    else if (!line.empty() && line[0] != ' ' && line[0] != '#')
      now.clear(); // a function begins or ends
    commented = !found.empty();
    ofLines.push_back(now);
  }
  return ofLines;
}

} // namespace tangram::driver
