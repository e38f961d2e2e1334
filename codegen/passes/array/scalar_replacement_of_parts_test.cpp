#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// Parts of a tile that are summed, and then written from there on; `end` is that of the first loop.
ir::Program program(const std::string &sizes, const std::string &end = "in.size()") {
  return parse("__codelet int total(const Array<1, int> in) {\n"
               "  int all = 0;\n"
               "  for (unsigned i = 0; i < " +
               end +
               "; ++i) all += in[i];\n"
               "  return all;\n}\n"
               "__codelet void from(int start, const Array<1, int> in, Array<1, int> out) {\n"
               "  require(out.size() == in.size());\n"
               "  for (unsigned i = 0; i < in.size(); ++i) out[i] = start + in[i];\n}\n"
               "__codelet void run(const Array<1, int> in, Array<1, int> out) {\n"
               "  __tunable unsigned e = " +
               sizes +
               ";\n"
               "  Array<1, int> starts = map(total, chunks(in, e));\n"
               "  map(from, starts, chunks(in, e), chunks(out, e));\n}\n"
               "__codelet void work(const Array<1, int> in, Array<1, int> out) {\n"
               "  require(out.size() == in.size());\n"
               "  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n}\n"
               "__codelet __tag(tiles) void work(const Array<1, int> in, Array<1, int> out) {\n"
               "  __tunable unsigned t = pow2(256, 1024);\n"
               "  map(run, chunks(in, t), chunks(out, t));\n}\n");
}

/// The accesses to `in`, `out`, `in_held` and `out_kept` in the order of the code; in brackets what is
/// done in vectors.
std::string accesses(const ir::Program &source, const ir::PlanPtr &plan) {
  const composer::Machine machine = projected("h200", "opencl");
  auto result = lower(source, "work", plan, machine, "opencl");
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  std::string text;
  forEach(replacePartsByScalars(std::get<LoweredPlan>(result)).body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For && s.lanes > 1)
      text += "[" + std::to_string(s.lanes) + "]";
    if (s.kind != StmtKind::Assign)
      return;
    for (const ir::ExprPtr &side : {s.target, s.value}) {
      forEach(side, [&](const ir::Expr &e) {
        const std::string name = e.kind == ir::ExprKind::Index ? e.args[0]->var->name : "";
        if (name.starts_with("in") || name.starts_with("out"))
          text += " " + name;
      });
    }
    text += ";";
  });
  return text;
}

std::string accesses(const ir::Program &source) {
  ir::PlanPtr element = fixture::compound(1, "run", 0,
                                          {mapped(1, "total", distribute, compute(2, "total", 0)),
                                           mapped(1, "from", distribute, compute(2, "from", 0))});
  return accesses(source, fixture::compound(0, "work", 1, {mapped(0, "run", distribute, element)}));
}

TEST(ReplacePartsByScalars, ReadOnceAndWrittenAsVectorsButAtTheEdge) {
  EXPECT_EQ(accesses(program("choice(4, 8)")),
            ";[4]; in_held in;; in_held;;;; in;;;; out_kept in_held;[4]; out out_kept;;; out in;");
}

TEST(ReplacePartsByScalars, SizesThatAreNoVectors) {
  EXPECT_EQ(accesses(program("choice(3, 4)")), "; in;;; out in;");
}

TEST(ReplacePartsByScalars, NotWhatIsReadInParts) {
  EXPECT_EQ(accesses(program("choice(4, 8)", "in.size() / 2")),
            "; in;;;[4]; in_held in;; out_kept in_held;[4]; out out_kept;;; out in;");
}

TEST(ReplacePartsByScalars, PartsOfRowsAreNoVectorsSinceRowsHaveAnyLength) {
  const ir::Program source =
      parse("__codelet void part(const Array<1, int> in, Array<1, int> out) {\n"
            "  require(out.size() == in.size());\n"
            "  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n}\n"
            "__codelet void run(const Array<1, int> in, Array<1, int> out) {\n"
            "  map(part, chunks(in, 4), chunks(out, 4));\n}\n"
            "__codelet void work(const Array<2, int> in, Array<2, int> out) {\n"
            "  map(run, in, out);\n}\n");
  ir::PlanPtr row =
      fixture::compound(1, "run", 0, {mapped(1, "part", distribute, compute(2, "part", 0))});
  EXPECT_EQ(accesses(source, fixture::compound(0, "work", 0, {mapped(0, "run", distribute, row)})),
            "; in_held in;; out_kept in_held;; out out_kept;; out in;");
}

} // namespace
} // namespace tangram::codegen
