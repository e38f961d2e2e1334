// The library's function for Python: a module that calls it through its C interface, with arrays of NumPy.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// NAME.py of an OpenMP library, of one plan or of several. `collection`: the library of several spectrums, in the folder
/// above, that has the function, too; empty: there is none.
std::string printPythonModule(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                              const std::string &collection);

/// NAME.py of a library of several spectrums: the functions of the modules in its folders.
std::string printCollectionModule(const std::string &name, const std::string &model,
                                  const std::vector<std::string> &members);

/// Why a module cannot be called `name`: "is a word of Python"; empty: it can.
std::string problemOfModule(const std::string &name);

} // namespace tangram::codegen
