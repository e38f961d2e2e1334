#include "codegen/c/containers.h"

#include "codegen/c/statuses.h"
#include "codegen/kernel/in_place_calls.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

std::vector<Container> containersOf(const LoweredPlan &plan, const Spectrum &spectrum) {
  std::vector<Container> containers;
  std::size_t extent = 0;
  for (const VarPtr &param : spectrum.params) {
    if (param->type.rank == 0)
      continue;
    Container each{param->name, "", param->type.scalar, !param->type.isConst, {}};
    for (unsigned d = 0; d < param->type.rank; ++d) {
      each.extents.push_back(plan.extents[extent++]->name);
      each.count += (d == 0 ? "" : " * ") + each.extents.back();
    }
    containers.push_back(std::move(each));
  }
  if (plan.result)
    containers.push_back({"result", "1", plan.result->type.scalar, true, {}});
  return containers;
}

std::string elementsOfAll(const std::vector<Container> &containers) {
  std::string text;
  for (const Container &each : containers) {
    if (!each.extents.empty())
      text += each.count + " + ";
  }
  return text + "1";
}

std::vector<ContainerPair> pairsToKeepApart(const std::vector<Container> &containers) {
  std::vector<ContainerPair> pairs;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    for (std::size_t k = 0; k < containers.size(); ++k) {
      const bool isNew =
          k > i || !containers[k].isWritten; // one of two that are written comes first
      if (k != i && containers[i].isWritten && isNew)
        pairs.push_back({i, k});
    }
  }
  return pairs;
}

std::vector<ContainerPair> pairsToKeepApart(const LoweredPlan &plan,
                                            const std::vector<Container> &containers) {
  auto variableOf = [&](const Container &container) {
    const auto found = std::ranges::find_if(
        plan.parameters, [&](const VarPtr &each) { return each->name == container.name; });
    return found == plan.parameters.end() ? nullptr : *found;
  };
  std::vector<ContainerPair> pairs = pairsToKeepApart(containers);
  for (ContainerPair &pair : pairs) {
    const Container &written = containers[pair.written], &other = containers[pair.other];
    const VarPtr one = variableOf(written), two = variableOf(other);
    const bool isAlike = one && two && written.extents.size() == other.extents.size();
    pair.maySame = isAlike && mayBeSameMemory(plan, two, one);
  }
  return pairs;
}

std::string overlapDeclaration(const std::string &name, const std::vector<Container> &containers,
                               const std::vector<ContainerPair> &pairs) {
  if (pairs.empty())
    return "";
  std::string text = "/// What is written shares no memory with another container: " +
                     statusName(name, Status::Overlap) +
                     " otherwise, before anything is written.\n";
  for (const ContainerPair &pair : pairs) {
    if (pair.maySame)
      text += "/// But " + containers[pair.written].name + " may be " +
              containers[pair.other].name + ".\n";
  }
  return text;
}

} // namespace tangram::codegen
