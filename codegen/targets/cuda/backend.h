#pragma once

#include "codegen/printing/backend.h"

namespace tangram::codegen {

const Backend &cudaBackend();

} // namespace tangram::codegen
