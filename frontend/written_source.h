// Facts about a source that its program does not keep, for code that writes more of that source.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tangram::frontend {

struct WrittenSource {
  /// Spectrums that vectors are given to or come from: the program has components in their place.
  std::set<std::string> ofVectors;
  /// Functions that have another name in the source, by their names in the program: "plus" is
  /// `plus<float>` there.
  std::map<std::string, std::string> functions;
};

} // namespace tangram::frontend
