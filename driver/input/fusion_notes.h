// What is said of fusion beside a plan: which loops of a spectrum are one, and what keeps others apart.
#pragma once

#include "composer/derive/derive.h"
#include "frontend/parse.h"

#include <string>
#include <vector>

namespace tangram::driver {

/// A sentence each, with its place: "derived_fused: loops i and i_2 are one (f.cpp:4:3)". Empty where nothing is to be fused.
std::vector<std::string> fusionNotes(const std::string &file, const frontend::ParseOptions &parsing,
                                     const composer::DeriveOptions &derive,
                                     const std::string &spectrum);

} // namespace tangram::driver
