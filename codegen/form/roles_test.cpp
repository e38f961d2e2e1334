#include "codegen/form/roles.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

std::string rolesText(const composer::Machine &machine, const std::string &target) {
  auto roles = rolesOf(machine, target);
  if (auto *refusal = std::get_if<Refusal>(&roles))
    return refusal->reason;
  const char *names[] = {"host", "group", "warp", "item", "unroll"};
  std::string text;
  for (Role role : std::get<std::vector<Role>>(roles))
    text += (text.empty() ? "" : " ") + std::string(names[static_cast<int>(role)]);
  return text;
}

TEST(Roles, EveryLevelPlaysTheRoleOfItsSpelling) {
  EXPECT_EQ(rolesText(model("simple-gpu"), "opencl"), "host group item");
  EXPECT_EQ(rolesText(model("simple-gpu"), "openmp"), "host group item");
  EXPECT_EQ(rolesText(model("cpu"), "openmp"), "host group item unroll");
}

TEST(Roles, ALevelTheTargetCannotExpress) {
  composer::Machine machine = model("simple-gpu");
  machine.levels[1].spelling.erase("opencl");
  EXPECT_EQ(rolesText(machine, "opencl"),
            "target opencl cannot express level B (block) of simple-gpu");
  EXPECT_EQ(rolesText(machine, "openmp"), "host group item");
}

TEST(Roles, ATargetWithoutCodeGenerator) {
  EXPECT_EQ(rolesText(model("simple-gpu"), "metal"),
            "no code generator for target metal (there are: opencl, openmp, cuda, cuda-warps, c)");
}

TEST(Roles, WarpsStandBetweenGroupsAndItems) {
  EXPECT_EQ(rolesText(model("gpu"), "cuda-warps"), "host group warp item unroll");
}

TEST(Roles, ASpellingTheTargetDoesNotKnow) {
  composer::Machine machine = model("simple-gpu");
  machine.levels[2].spelling["openmp"] = "thrad";
  EXPECT_EQ(rolesText(machine, "openmp"), "simple-gpu: level T is spelled 'thrad', but openmp "
                                          "knows process, thread, lane, unroll");
}

TEST(Roles, LevelsInAnOrderTheTargetDoesNotHave) {
  composer::Machine machine = model("simple-gpu");
  machine.levels[1].spelling["opencl"] = "item";
  EXPECT_EQ(rolesText(machine, "opencl"),
            "simple-gpu: level T (item) cannot stand below B for target opencl");
  machine = model("simple-gpu");
  machine.levels.erase(machine.levels.begin());
  EXPECT_EQ(rolesText(machine, "opencl"),
            "simple-gpu: the top level must be spelled 'grid' for target opencl");
  EXPECT_EQ(rolesText(machine, "openmp"),
            "simple-gpu: the top level must be spelled 'process' for target openmp");
}

} // namespace
} // namespace tangram::codegen
