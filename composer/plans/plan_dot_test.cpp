// Drawings: every sign of figures 5.6 to 5.8.
#include "composer/plans/plan_dot.h"

#include "composer/plans/plan_fixture.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

TEST(PlanDrawing, IsTheDiagramOfFigure56) {
  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleCpu();
  PlanList best = plans(program, machine, "sum", {}, 1);
  EXPECT_EQ(planToDot(best.plans.front().plan, program, machine, "figure 5.6"), R"dot(digraph plan {
  label="figure 5.6"; labelloc=t; fontname="Helvetica"; fontsize=12;
  node [fontname="Helvetica", fontsize=11, fixedsize=false];
  edge [fontname="Helvetica", fontsize=10];
  subgraph cluster_0 {
    label="P (process)"; labeljust=l; style=dashed; color=gray40;
    n0 [shape=triangle, margin=0, label="asso_tiled"];
    subgraph cluster_1 {
      label="T (thread), every worker"; labeljust=l; style=dashed; color=gray40;
      n1 [shape=circle, label="sum#1"];
    }
    subgraph cluster_2 {
      label="T (thread), one worker"; labeljust=l; style=dashed; color=gray40;
      n2 [shape=circle, label="sum#1"];
    }
  }
  n0 -> n1;
  n1 -> n2 [label="  barrier/join", style=bold];
}
)dot");
}

TEST(PlanDrawing, MarksVectorsSplitsAndLoops) {
  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleGpu();
  PlanOptions options;
  options.strategy = PlanStrategy::All;
  options.iterations = 3;
  options.mapRules = {MapRule::Split, MapRule::Serialize, MapRule::Distribute};
  bool cross = false;
  bool split = false;
  bool loop = false;
  for (const RankedPlan &plan : plans(program, machine, "sum", options).plans) {
    const std::string dot = planToDot(plan.plan, program, machine, plan.id);
    cross |= dot.find("&times;</FONT></TD></TR><TR><TD>kog</TD>") != std::string::npos;
    split |= dot.find("label=\"asso_tiled\", peripheries=2") != std::string::npos &&
             dot.find("\"B (block), every worker, some parts each\"") != std::string::npos;
    loop |= dot.find("shape=house, label=\"stride_tiled\\nin turn\"") != std::string::npos;
  }
  EXPECT_TRUE(cross);
  EXPECT_TRUE(split);
  EXPECT_TRUE(loop);
}

} // namespace
} // namespace tangram::composer
