// Results that several runs of one problem share: those of references, and of plans in wider numbers.
#pragma once

#include "runtime/data/judge.h"

#include <map>
#include <string>

namespace tangram::runtime {

/// Forgets everything when it grows too large.
class ResultCache {
public:
  /// Null: it is not there.
  SharedValues find(const std::string &key) const {
    const auto found = known.find(key);
    return found == known.end() ? nullptr : found->second;
  }

  void keep(const std::string &key, SharedValues values) {
    std::size_t bytes = 0;
    for (const HostMemory &memory : *values)
      bytes += memory.bytes();
    if (total + bytes > mostBytes)
      clear();
    total += bytes;
    known[key] = std::move(values);
  }

  void clear() {
    known.clear();
    total = 0;
  }

private:
  static constexpr std::size_t mostBytes = std::size_t{1} << 29;
  std::map<std::string, SharedValues> known;
  std::size_t total = 0;
};

} // namespace tangram::runtime
