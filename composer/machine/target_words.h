// What models call targets: "cuda-warps" is what they call cuda, with the warps.
#pragma once

#include <string>
#include <vector>

namespace tangram::composer {

/// The name that models know the target by.
std::string modelTarget(const std::string &target);

/// Those that models may name.
std::vector<std::string> modelTargets();

} // namespace tangram::composer
