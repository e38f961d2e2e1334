// The library's function for Python: a module that calls it through its C interface, with arrays of NumPy.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>

namespace tangram::codegen {

/// NAME.py of an OpenMP library, of one plan or of several.
std::string printPythonModule(const LoweredPlan &plan, const ir::Spectrum &spectrum);

/// Why a module cannot be called `name`: "is a word of Python"; empty: it can.
std::string problemOfModule(const std::string &name);

} // namespace tangram::codegen
