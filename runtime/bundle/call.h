// The argument list of tangram_call and tangram_reference
// (docs/bundle.md, "The C entry points").
#pragma once

#include "runtime/data/inputs.h"
#include "runtime/session/result.h"

#include <deque>
#include <vector>

namespace tangram::runtime {

using EntryPoint = int(void *const *);

/// Builds `void *const *`: for each parameter a pointer to its data pointer and
/// one to each extent, or a pointer to the scalar's value; then a pointer to the result's pointer;
/// then a pointer to each launch tunable.
class CallArguments {
public:
  void addContainer(void *data, const std::vector<std::uint64_t> &shape);
  void addScalar(const void *value);
  void addResult(void *cell);
  void addTunable(std::uint64_t value);

  int call(EntryPoint *entry) const { return entry(list.data()); }

private:
  std::vector<void *> list;
  // A deque never moves its elements: `list` points into both.
  std::deque<void *> pointers;
  std::deque<std::size_t> numbers;
};

/// What the status an entry point returns means. `who` starts the message.
Status entryStatus(int status, const std::string &who);

} // namespace tangram::runtime
