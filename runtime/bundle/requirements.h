// What must hold before a plan may run: the constraints of its manifest and
// the limits of the device.
#pragma once

#include "runtime/bundle/manifest.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What a device can do, as far as plans ask.
struct DeviceFacts {
  /// Values of deviceFactNames; a fact the device does not have is absent.
  std::map<std::string, std::uint64_t> values;
  std::uint64_t maxAllocation = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t globalMemory = std::numeric_limits<std::uint64_t>::max();

  /// Add the facts to the names of expressions; absent ones become unusable.
  void bind(Bindings &bindings) const;
};

/// One thing that must hold.
struct Requirement {
  std::vector<std::string> names; ///< what it depends on
  /// Why it does not hold; nothing when it does.
  std::function<std::optional<std::string>(const Bindings &)> violation;
  /// False: it holds for no values in these ranges. True says little, but of single values all.
  std::function<bool(const Ranges &)> possible;
};

/// Constraints first, in manifest order; then, for OpenCL, group sizes
/// ("kernel sum_1 needs groups of 512 work-items, device has 256"), local memory ("plan needs
/// 96 KiB of local memory, device has 48 KiB"), allocations and their sum.
/// The requirements refer to `manifest`, which must outlive them.
std::vector<Requirement> requirementsOf(const Manifest &manifest, const DeviceFacts &facts);

/// Bytes of memory that all workers see, which a call holds from its begin to its end: together the
/// most that it ever takes.
struct MemoryNeeds {
  std::uint64_t arguments = 0;   ///< containers of the caller, and the result
  std::uint64_t temporaries = 0; ///< buffers of the plan

  std::uint64_t total() const { return arguments + temporaries; }
};

/// What a call with these values takes. An error where an extent has none, or bytes do not fit in 64
/// bits.
Result<MemoryNeeds> memoryOf(const Manifest &manifest, const Bindings &bindings);

/// "48 KiB", "3 MiB", "100 bytes": the largest unit that divides `bytes`.
std::string bytesText(std::uint64_t bytes);

/// Rounded, for reading: "5.6 GiB".
std::string roundedBytes(std::uint64_t bytes);

} // namespace tangram::runtime
