// The containers of a library's function as its C has them, and what a call checks of them before it computes.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "ir/program.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// A container, or the cell of the result.
struct Container {
  std::string name;
  std::string count; ///< of its elements: "a_size0 * a_size1"
  ir::Scalar element = ir::Scalar::I32;
  bool isWritten = false;
  std::vector<std::string> extents;
};

/// In the order of the parameters, the result last.
std::vector<Container> containersOf(const LoweredPlan &plan, const ir::Spectrum &spectrum);

/// C of a number that no number of workers need exceed: all elements, and one.
std::string elementsOfAll(const std::vector<Container> &containers);

/// Two of them of which one is written at least: they must not share memory.
struct ContainerPair {
  std::size_t written, other;
  bool maySame = false; ///< but may be the same
};
std::vector<ContainerPair> pairsToKeepApart(const std::vector<Container> &containers);
/// The same, with those that may be one array in every call.
std::vector<ContainerPair> pairsToKeepApart(const LoweredPlan &plan,
                                            const std::vector<Container> &containers);

/// For the header of a library: how many elements each container has, in which order, whether it is read or written, and what
/// the caller keeps to of sizes and elements.
std::string argumentsDeclaration(const LoweredPlan &plan, const std::vector<Container> &containers);

/// For the header of a library: that its functions return NAME_overlap; empty: it has no such pair.
std::string overlapDeclaration(const std::string &name, const std::vector<Container> &containers,
                               const std::vector<ContainerPair> &pairs);

} // namespace tangram::codegen
