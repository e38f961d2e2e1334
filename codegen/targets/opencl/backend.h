#pragma once

#include "codegen/printing/backend.h"

namespace tangram::codegen {

const Backend &openclBackend();

} // namespace tangram::codegen
