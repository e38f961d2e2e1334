// Sizes, tunable settings and named files as the command line gives them.
#pragma once

#include "runtime/bundle/tunables.h"
#include "runtime/data/inputs.h"

#include <map>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Every combination of the sizes in `words`. A word is a list "0,1,1000" for all extents,
/// or "NAME=1000,2000" for one container or extent; a container of more dimensions takes
/// "NAME=300x400". Words for the same name add up. A number is decimal, or "2^24".
/// No words: one choice that leaves the sizes to files and defaults.
/// Errors (Fault::Usage), which name `option`: "--size 10q: expected a size such as 1000 or 2^24, found 10q".
Result<std::vector<SizeChoice>> parseSizes(const std::vector<std::string> &words,
                                           const std::string &option = "--size");

/// Every combination of "NAME=1,2,3" words; words for the same name add up.
/// Errors (Fault::Usage): "--set p: expected NAME=VALUE[,VALUE...]".
Result<std::vector<TunableValues>> parseSettings(const std::vector<std::string> &words);

/// "NAME=TEXT" words of `option`. Error (Fault::Usage): "--input in: expected NAME=FILE",
/// "--input in=b.npy: in is given a second time".
Result<std::map<std::string, std::string>> parseNamed(const std::string &option,
                                                      const std::vector<std::string> &words);

} // namespace tangram::runtime
