// Lists of names on the command line and in messages, between commas.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

/// The items of "S_P, regroup(a, P), reduce<int, plus<int>>:tree", without the blanks before them. A comma between
/// parentheses or angle brackets belongs to an item.
std::vector<std::string> itemsOf(const std::string &list);

/// The words with `separator` between them.
std::string joined(const std::vector<std::string> &words, const std::string &separator = ", ");

} // namespace tangram::driver
