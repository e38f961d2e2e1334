// Checks that emitted hosts make of a call's buffers: each is large enough for its container, and no buffer that
// is written shares memory with another one.
#pragma once

#include "codegen/printing/containers.h"
#include "codegen/printing/data_checks.h"
#include "codegen/printing/source.h"

#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// `tangram_check_call` and what it calls; `name`: of the library; `taken`: names of the parameters of a call.
std::string callChecksText(const std::string &name, const std::vector<Container> &containers,
                           std::set<std::string> taken);

/// Its call.
std::string checkOfCall(const std::vector<Container> &containers);

/// `tangram_check_data`, which reads the containers that contracts are about, and its call: `waits`: the
/// arguments that say which events it waits for.
std::string dataChecksText(const LoweredPlan &plan, const CFunction &signature,
                           const std::vector<Container> &containers, const DataSpelling &says);
std::string checkOfData(const std::string &text, const CFunction &signature,
                        const std::string &waits);

} // namespace tangram::codegen
