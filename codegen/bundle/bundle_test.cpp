#include "codegen/bundle/bundle.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

std::variant<BundleFiles, Refusal> sumBundle(const std::string &target, const ir::PlanPtr &plan) {
  ir::Program program = fixture::sumProgram();
  composer::Machine machine = fixture::projected("simple-gpu", target);
  return makeBundle({&program, "sum", plan, &machine, target, "1a2b3c4d", {"S_G"}, {}, {}});
}

std::string namesOf(const std::variant<BundleFiles, Refusal> &bundle) {
  if (auto *refusal = std::get_if<Refusal>(&bundle))
    return refusal->reason;
  std::string names;
  for (const auto &[name, text] : std::get<BundleFiles>(bundle))
    names += (names.empty() ? "" : " ") + name;
  return names;
}

TEST(MakeBundle, HoldsTheFilesOfItsTarget) {
  ir::PlanPtr plan = fixture::twoKernels(fixture::compute(1, "sum", fixture::kog));
  EXPECT_EQ(namesOf(sumBundle("opencl", plan)),
            "CMakeLists.txt example.c manifest.json reference.c sum.cl sum.h sum.pc "
            "sumConfig.cmake sumConfigVersion.cmake sum_host.c sum_pocl.cl sum_pocl.h");
  EXPECT_EQ(namesOf(sumBundle("openmp", plan)),
            "CMakeLists.txt entry.c example.c manifest.json "
            "reference.c sum.c sum.h sum.pc sumConfig.cmake sumConfigVersion.cmake");
  EXPECT_EQ(namesOf(sumBundle("cuda", plan)),
            "CMakeLists.txt example.cu manifest.json reference.c sum.cu sum.cuh sum.h sum.pc "
            "sumConfig.cmake sumConfigVersion.cmake");
}

TEST(MakeBundle, RefusesATargetThatItDoesNotKnow) {
  const ir::Program program = fixture::sumProgram();
  const composer::Machine machine = fixture::projected("gpu", "cuda");
  const ir::PlanPtr plan = fixture::compute(0, "sum", fixture::sequential);
  EXPECT_EQ(namesOf(makeBundle({&program, "sum", plan, &machine, "metal", "1a2b3c4d", {}, {}, {}})),
            "no code generator for target metal (there are: opencl, openmp, cuda, cuda-warps, c)");
}

TEST(MakeBundle, OfPlansWithWarpsIsALibraryInCuda) {
  const ir::Program program = fixture::sumProgram();
  const composer::Machine machine = fixture::projected("gpu", "cuda-warps");
  const ir::PlanPtr plan = fixture::twoKernels(
      fixture::devolve(1, "sum", fixture::compute(2, "sum", fixture::kog)));
  const auto made =
      makeBundle({&program, "sum", plan, &machine, "cuda-warps", "1a2b3c4d", {}, {}, {}});
  ASSERT_TRUE(std::holds_alternative<BundleFiles>(made)) << namesOf(made);
  const std::string &manifest = std::get<BundleFiles>(made).at("manifest.json");
  EXPECT_NE(manifest.find("\"target\": \"cuda\""), std::string::npos) << manifest;
}

TEST(MakeBundle, RefusesAPlanThatCannotBecomeCode) {
  EXPECT_EQ(namesOf(sumBundle("opencl", fixture::compute(0, "sum", fixture::sequential))),
            "target opencl cannot compute at level G, which only launches kernels");
}

} // namespace
} // namespace tangram::codegen
