#include "codegen/printing/launch_defaults.h"

#include "algebra/size_expression.h"

#include "codegen/printing/c_types.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace ir;

VarPtr variable(const char *name) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(Scalar::Index);
  var->kind = VarKind::Param;
  return var;
}

const HostSpelling plain{[](const ExprPtr &e) { return toString(e); },
                         [](const Var &v) { return v.name; },
                         cName,
                         {{"threads", "cores()"}}};

struct Planned {
  VarPtr p = variable("p"), q = variable("q"), items = variable("ITEMS"), n = variable("n");
  LoweredPlan plan;
  Planned() {
    plan.extents = {n};
    plan.tunables = {{p, Tunable::Kind::Launch, "min(threads, 8) * 2", 1, 64, {}, ""},
                     {q, Tunable::Kind::Launch, "9", 1, 99, {4, 2, 8}, ""},
                     {items, Tunable::Kind::Compile, "32", 1, 1024, {}, ""}};
  }
};

TEST(LaunchDefaults, WithoutConstraintsTheDefaultIsTaken) {
  LaunchDefaults defaults = launchDefaults(Planned().plan, plain);
  EXPECT_EQ(defaults.statements,
            "  if (p == 0)\n    p = tangram_min(tangram_min(cores(), 8) * 2, 64);\n"
            "  if (q == 0)\n    q = 9;\n");
  EXPECT_EQ(defaults.functions, "static inline size_t tangram_min(size_t a, size_t b) {\n"
                                "  return b < a ? b : a;\n}\n\n");
}

TEST(LaunchDefaults, WhatFollowsFromSizesIsKeptWithinTheDomain) {
  Planned planned;
  planned.plan.tunables[0].sizedDefault = binary("/", varRef(planned.n), varRef(planned.items));
  planned.plan.tunables[1].sizedDefault = varRef(planned.n);
  const LaunchDefaults free = launchDefaults(planned.plan, plain);
  EXPECT_EQ(free.statements, "  if (p == 0)\n    p = n / ITEMS < 64 ? n / ITEMS : 64;\n"
                             "  if (q == 0) {\n    const size_t q_default = n;\n"
                             "    q = q_default >= 8 ? 8 : q_default >= 4 ? 4 : 2;\n  }\n");
  planned.plan.constraints = {{binary("<=", varRef(planned.p), varRef(planned.items)), "few"}};
  const LaunchDefaults chosen = launchDefaults(planned.plan, plain);
  EXPECT_EQ(chosen.statements.substr(chosen.statements.find("  const size_t p_default")),
            "  const size_t p_default = n / ITEMS;\n"
            "  if (!tangram_choose(&p, p_default))\n    return 1;\n");
  EXPECT_EQ(defaultText(planned.plan.tunables[0]), "n / ITEMS");
}

TEST(LaunchDefaults, WhatTheDeviceSaysIsKeptWithinTheDomain) {
  Planned planned;
  planned.plan.tunables[0].defaultValue = "8 * threads";
  planned.plan.tunables[1].defaultValue = "threads";
  EXPECT_EQ(launchDefaults(planned.plan, plain).statements,
            "  if (p == 0)\n    p = 8 * cores() < 64 ? 8 * cores() : 64;\n"
            "  if (q == 0) {\n    const size_t q_default = cores();\n"
            "    q = q_default >= 8 ? 8 : q_default >= 4 ? 4 : 2;\n  }\n");
}

TEST(LaunchDefaults, WhatComparingWouldTearApartIsComparedAfterwards) {
  Planned planned;
  const ExprPtr n = varRef(planned.n), items = varRef(planned.items);
  for (const ExprPtr &torn : {binary("|", n, items), binary("<", n, items)}) {
    planned.plan.tunables[0].sizedDefault = torn;
    const std::string number = toString(torn);
    EXPECT_NE(launchDefaults(planned.plan, plain)
                  .statements.find("    p = " + number + ";\n    if (p > 64)\n      p = 64;\n"),
              std::string::npos)
        << number;
  }
}

TEST(LaunchDefaults, EvenPartsComeAsAFunction) {
  Planned planned;
  planned.plan.tunables[0].sizedDefault = call("even_parts", scalarType(Scalar::Index),
                                               {varRef(planned.n), intLiteral(8), intLiteral(32)});
  const LaunchDefaults defaults = launchDefaults(planned.plan, plain);
  EXPECT_NE(defaults.statements.find("tangram_even_parts(n, 8, 32)"), std::string::npos);
  EXPECT_NE(defaults.functions.find(algebra::evenPartsInC()), std::string::npos);
}

TEST(LaunchDefaults, WhatConstraintsNameIsTriedAfterTheDefault) {
  Planned planned;
  planned.plan.constraints = {
      {binary("<=", varRef(planned.n), binary("*", varRef(planned.p), varRef(planned.items))),
       "fits"},
      {binary("<", varRef(planned.n), intLiteral(1000)), "few"}};
  std::string tries;
  for (const ExprPtr &e : launchTries(planned.plan, planned.plan.tunables[0]))
    tries += toString(e) + "; ";
  EXPECT_EQ(tries, "ITEMS; (n + ITEMS - 1) / ITEMS; n; ");
  EXPECT_TRUE(launchTries(planned.plan, planned.plan.tunables[1]).empty());
  EXPECT_TRUE(isAboutSizes(planned.plan, planned.plan.constraints[1]));
  EXPECT_FALSE(isAboutSizes(planned.plan, planned.plan.constraints[0]));
}

TEST(LaunchDefaults, SeveralAreChosenTogether) {
  Planned planned;
  planned.plan.constraints = {
      {binary("==", binary("*", varRef(planned.p), varRef(planned.q)), varRef(planned.n)), "grid"}};
  LaunchDefaults defaults = launchDefaults(planned.plan, plain);
  EXPECT_EQ(defaults.statements,
            "  if (!tangram_choose(n, &p, tangram_min(cores(), 8) * 2, &q, 9))\n    return 1;\n");
  const std::string choose =
      defaults.functions.substr(defaults.functions.find("static bool tangram_choose"));
  EXPECT_EQ(
      choose,
      R"(static bool tangram_choose(size_t n, size_t *p_chosen, size_t p_default, size_t *q_chosen, size_t q_default) {
  const size_t p_first[] = {p_default, n};
  const size_t q_first[] = {q_default >= 8 ? 8 : q_default >= 4 ? 4 : 2, 4, 2, 8};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 68); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 2, 1UL, 64UL);
    for (unsigned q_try = 0; q_try < (*q_chosen != 0 ? 1 : 4); ++q_try) {
      const size_t q = *q_chosen != 0 ? *q_chosen : tangram_attempt(q_try, q_first, 4, 1UL, 99UL);
      if (p != 0 && q != 0 && tangram_serves(n, p, q)) {
        *p_chosen = p;
        *q_chosen = q;
        return true;
      }
    }
  }
  return false;
}

)");
}

} // namespace
} // namespace tangram::codegen
