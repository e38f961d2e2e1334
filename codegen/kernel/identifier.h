// Names of levels in generated code.
#pragma once

#include <string>

namespace tangram::codegen {

/// A level's title as part of a C name: "work-item" -> "work_item".
std::string identifier(const std::string &title);

} // namespace tangram::codegen
