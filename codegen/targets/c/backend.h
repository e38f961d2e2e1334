#pragma once

#include "codegen/printing/backend.h"

namespace tangram::codegen {

const Backend &cBackend();

} // namespace tangram::codegen
