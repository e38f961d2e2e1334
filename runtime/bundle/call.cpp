#include "runtime/bundle/call.h"

namespace tangram::runtime {

void CallArguments::addContainer(void *data, const std::vector<std::uint64_t> &shape) {
  list.push_back(&pointers.emplace_back(data));
  for (std::uint64_t extent : shape)
    list.push_back(&numbers.emplace_back(extent));
}

void CallArguments::addScalar(const void *value) { list.push_back(const_cast<void *>(value)); }

void CallArguments::addResult(void *cell) { list.push_back(&pointers.emplace_back(cell)); }

void CallArguments::addTunable(std::uint64_t value) {
  list.push_back(&numbers.emplace_back(value));
}

Status entryStatus(int status, const std::string &who) {
  switch (status) {
  case 0:
    return ok();
  case 1:
    return refusal(who + " refuses these sizes and tunables (status 1)");
  case 2:
    return refusal(who + " ran out of memory (status 2)");
  default:
    return failure(who + " returned status " + std::to_string(status) + ", expected 0, 1 or 2");
  }
}

} // namespace tangram::runtime
