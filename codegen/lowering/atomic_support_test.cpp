#include "codegen/lowering/atomic_support.h"

#include "codegen/bundle/bundle.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// What becomes of a cooperative codelet that adds to one element of type T, on a model's groups.
std::string refusalOf(const std::string &type, const std::string &model) {
  ir::Program program = fixture::parse("__codelet void f(const Array<1, " + type +
                                       "> in, Array<1, " + type + R"(> out) {
  for (unsigned i = 0; i < in.size(); i++)
    atomicAdd(out[0], in[i]);
}
__codelet __coop __tag(lanes) void f(const Array<1, )" +
                                       type + "> in, Array<1, " + type + R"(> out) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(out[0], in[i]);
}
)");
  composer::Machine machine = fixture::projected(model, "opencl");
  auto bundle = makeBundle({&program,
                            "f",
                            fixture::devolve(0, "f", fixture::compute(1, "f", 1)),
                            &machine,
                            "opencl",
                            "1a2b3c4d",
                            {},
                            {},
                            {}});
  auto *refusal = std::get_if<Refusal>(&bundle);
  return refusal ? std::to_string(refusal->location.line) + ": " + refusal->reason : "";
}

TEST(UnsupportedAtomic, AModelsAtomicsAreObeyed) {
  EXPECT_EQ(refusalOf("int", "simple-gpu"), "");
  EXPECT_EQ(
      refusalOf("float", "simple-gpu"),
      "8: the atomic operations of level T (thread) of simple-gpu are on i32, u32; this one is "
      "on f32");
}

} // namespace
} // namespace tangram::codegen
