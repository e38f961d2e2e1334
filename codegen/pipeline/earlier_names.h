#pragma once

#include <string>

namespace tangram::codegen {

/// What the pass is called now that `name` was the name of; empty: there was none.
std::string nameNowOf(const std::string &name);

} // namespace tangram::codegen
