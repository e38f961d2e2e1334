#include "codegen/pipeline/backends.h"

#include "codegen/targets/c/backend.h"
#include "codegen/targets/cuda/backend.h"
#include "codegen/targets/opencl/backend.h"
#include "codegen/targets/openmp/backend.h"
#include "composer/machine/target_words.h"

#include <map>
#include <string>

namespace tangram::codegen {

const Backend &backendOf(const TargetTraits &target) {
  static const std::map<std::string, const Backend *> all{{"opencl", &openclBackend()},
                                                          {"openmp", &openmpBackend()},
                                                          {"cuda", &cudaBackend()},
                                                          {"c", &cBackend()}};
  return *all.at(composer::modelTarget(target.name));
}

} // namespace tangram::codegen
