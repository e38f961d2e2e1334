// Names of levels and results in generated code.
#pragma once

#include <string>

namespace tangram::codegen {

/// A level's title as part of a C name: "work-item" -> "work_item".
std::string identifier(const std::string &title);

/// As the name of a tunable that is a macro: "pack_by_parts" -> "PACK_BY_PARTS".
std::string upperCase(std::string text);

/// What temporaries of a spectrum are named after: "sum", and "reduce" for `reduce<int, plus<int>>`;
/// names are made distinct later.
std::string familyOf(const std::string &spectrum);

} // namespace tangram::codegen
