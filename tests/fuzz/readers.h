// The readers of everything that comes from outside, for a fuzzer and for the replay of what it found.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace tangram::fuzz {

/// Reads the text as far as it goes; whatever is wrong with it is an error of the reader. To crash, to
/// hang and to throw are faults.
using Reader = std::function<void(const std::string &text)>;

/// By the names of their folders in tests/fuzz/corpus.
const std::map<std::string, Reader> &readers();

} // namespace tangram::fuzz
