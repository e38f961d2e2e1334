// Caches of the processors this process may use, emptied: what runs next reads memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tangram::runtime {

/// Bytes of the largest cache that `folder` (of one processor, as Linux shows it) tells of; 32 MiB
/// where it tells of none. On a virtual machine this is what the hypervisor says.
std::uint64_t largestCacheBytes(const char *folder = "/sys/devices/system/cpu/cpu0/cache");

/// Memory of three times the largest cache, but at most a quarter of what the machine has.
class CacheFiller {
public:
  /// A thread on every processor reads its share, all of them together the whole memory; no share is
  /// smaller than 16 MiB, so that caches of one core are filled too. The first walk writes it.
  void walk();

private:
  std::vector<std::uint64_t> memory;
};

} // namespace tangram::runtime
