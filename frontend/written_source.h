// Facts about a source that its program does not keep, for code that writes more of that source.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tangram::frontend {

struct WrittenSource {
  /// Spectrums that vectors are given to or come from: the program has components in their place.
  std::set<std::string> ofVectors;
  /// What source calls the functions that have other names in the program: `plus<float>` by "plus".
  std::map<std::string, std::string> functions;
};

} // namespace tangram::frontend
