// Facts about a source that its program does not keep, for code that writes more of that source.
#pragma once

#include "ir/type.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::frontend {

/// A helper function that is given vectors, or gives one.
struct VectorFunction {
  std::string name; ///< in the program before vectors become their components
  std::vector<ir::Type> params;
  ir::Type result;
  unsigned component = 0; ///< of a vector that it gives
};

struct WrittenSource {
  /// Spectrums that single vectors are given to or come from: the program has components in their place.
  std::set<std::string> ofVectors;
  /// Spectrums that are given containers of vectors: how many components the elements of each parameter have, 1: they
  /// are numbers.
  std::map<std::string, std::vector<unsigned>> components;
  /// Functions of vectors, by the names in the program of those that give the components of what they give.
  std::map<std::string, VectorFunction> vectorFunctions;
  /// Functions that have another name in the source, by their names in the program: "plus" is
  /// `plus<float>` there.
  std::map<std::string, std::string> functions;
};

} // namespace tangram::frontend
