// Numbers that a program names, as thresholds, marks and identities: data that contain them and their neighbours take
// branches that random data hardly ever take.
//
//   if (x[i] == 0xFEEDFACE) ++found;           // 0xFEEDFACE
//   float top = 1000;                          // 1000
//   for (unsigned j = 0; j < 16; ++j) s += x[4 * i + j];   // none: 16 and 4 are about positions
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// Each number once, without its sign, in the order of the source; those that something is compared with stand first.
struct NamedNumbers {
  std::vector<std::uint64_t> integers;
  std::vector<double> reals; ///< finite
};

/// Of the codelets of the spectrum, of those that these call, and of their functions. Not 0 and 1, and nothing in
/// subscripts, sizes, partitions, heads of counted loops and domains of tunables.
NamedNumbers numbersNamedIn(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::composer
