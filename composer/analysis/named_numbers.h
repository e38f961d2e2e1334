// The numbers that a program names as values: thresholds, marks, identities of reductions. Data that contain them and their
// neighbours take branches that random data hardly ever take.
//
//   if (x[i] == 0xFEEDFACE) ++found;           // 0xFEEDFACE
//   float top = 1000;                          // 1000
//   for (unsigned j = 0; j < 16; ++j) s += x[4 * i + j];   // none: 16 and 4 are for positions
#pragma once

#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// Each number once, without its sign, in the order of the source; numbers that the program compares something with stand first.
struct NamedNumbers {
  std::vector<std::uint64_t> integers;
  std::vector<double> reals; ///< finite
};

/// The numbers in the codelets of the spectrum, in those of spectrums that they call, and in their functions. Not 0 and 1, and no
/// number in subscripts, sizes, partitions, heads of `for` loops, requirements and domains of tunables.
NamedNumbers numbersNamedIn(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::composer
