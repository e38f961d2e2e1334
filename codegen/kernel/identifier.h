// Names of levels and results in generated code.
#pragma once

#include <string>

namespace tangram::codegen {

/// A level's title as part of a C name: "work-item" -> "work_item".
std::string identifier(const std::string &title);

/// What temporaries of a spectrum are named after: "sum", and "reduce" for `reduce<int, plus<int>>`;
/// names are made distinct later.
std::string familyOf(const std::string &spectrum);

} // namespace tangram::codegen
