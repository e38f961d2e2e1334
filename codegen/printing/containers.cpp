#include "codegen/printing/containers.h"

#include "codegen/analysis/in_place_calls.h"
#include "codegen/printing/statuses.h"

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

namespace {

/// "a_size0 x a_size1 elements, the last dimension in a row"
std::string shapeText(const Container &container) {
  if (container.extents.empty())
    return "one element";
  std::string text;
  for (const std::string &extent : container.extents)
    text += (text.empty() ? "" : " x ") + extent;
  return text + " elements" + (container.extents.size() > 1 ? ", row by row" : "");
}

/// "from 0 up to, but not, x_size"
std::string rangeText(const DataContract &contract) {
  if (contract.kind == "ascending")
    return "ascend from " + ir::toString(contract.low) + " to " + ir::toString(contract.high);
  return "are at least " + ir::toString(contract.low) + " and less than " +
         ir::toString(contract.high);
}

/// A number that is converted to an index, which is no type of C, as it stood before.
ir::ExprPtr asNumber(const ir::ExprPtr &e) {
  return e->kind == ir::ExprKind::Cast && e->type.scalar == ir::Scalar::Index ? e->args[0] : e;
}

} // namespace

std::string argumentsDeclaration(const LoweredPlan &plan,
                                 const std::vector<Container> &containers) {
  std::string text;
  for (const Container &each : containers) {
    if (!each.extents.empty())
      text += "/// " + each.name + ": " + shapeText(each) + "; " +
              (each.isWritten ? "written" : "read") + ".\n";
  }
  for (const ShapeContract &each : plan.shape)
    text +=
        "/// Requires " + each.extent->name + " == " + ir::toString(asNumber(each.equals)) + ".\n";
  for (const DataContract &each : plan.data) {
    const bool isScalar = std::ranges::none_of(containers, [&](const Container &container) {
      return container.name == each.container->name;
    });
    if (!isScalar)
      text +=
          "/// Requires that elements of " + each.container->name + " " + rangeText(each) + ".\n";
  }
  return text;
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
