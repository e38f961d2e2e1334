// Lists of names on the command line and in comments, between commas.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

/// The items of "S_P, regroup(a, P), reduce<int, plus<int>>:tree", without the blanks before them. A comma between
/// parentheses or angle brackets belongs to an item.
std::vector<std::string> itemsOf(const std::string &list);

} // namespace tangram::driver
