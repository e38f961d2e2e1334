// The functions of an OpenCL library around its handle, as a header declares them: alike for one plan
// and for several versions.
#pragma once

#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"

#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// What the functions of OpenCL libraries return.
const StatusSet &openclStatuses();

/// cl_int and its like; cl_ulong for indexes.
std::string openclApiName(ir::Scalar type);

/// Name of the queue in host functions; no parameter of the plan has it.
std::string queueName(const LoweredPlan &plan);

/// The type of the handle, NAME_create and NAME_destroy.
std::string handleDeclarations(const std::string &name);

/// Names of parameters that none of `taken` has.
std::vector<std::string> workspaceParameters(const std::string &name,
                                             std::vector<std::string> sizeParameters,
                                             std::set<std::string> taken);
/// `parameters`: of the function that takes no handle.
std::vector<std::string> enqueueParameters(const std::string &name,
                                           std::vector<std::string> parameters,
                                           std::set<std::string> taken);

std::string workspaceDeclaration(const std::string &name, const CFunction &function);
std::string enqueueDeclaration(const std::string &name, const CFunction &function);

} // namespace tangram::codegen
