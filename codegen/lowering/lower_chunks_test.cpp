// Parts of given sizes: their number is no number of workers, and parts of parts have bounds.
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

const char *const chunkedSum = R"(
__codelet int sum(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i) accum += in[i];
  return accum;
}
__codelet __tag(chunked) int sum(const Array<1, int> in) {
  __tunable unsigned t = pow2(4, 64);
  return sum(map(sum, chunks(in, t)));
}
)";

/// Blocks take the parts of the input, the threads of a block the parts of a part.
LoweredPlan partsOfParts(const composer::Machine &machine) {
  const ir::PlanPtr block = compound(1, "sum", 1,
                                     {mapped(1, "sum", distribute, compute(2, "sum", 0)),
                                      devolve(1, "sum", compute(2, "sum", 0))});
  const ir::PlanPtr plan = compound(0, "sum", 1,
                                    {mapped(0, "sum", distribute, block),
                                     devolve(0, "sum", devolve(1, "sum", compute(2, "sum", 0)))});
  static const ir::Program program = parse(chunkedSum);
  auto lowered = lower(program, "sum", plan, machine, "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&lowered)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return std::get<LoweredPlan>(lowered);
}

LoweredPlan partsOfParts() {
  static const composer::Machine machine = projected("simple-gpu", "opencl");
  return partsOfParts(machine);
}

TEST(LowerChunks, APartOfAPartHasRoomForItsResults) {
  const LoweredPlan plan = placeArrays(partsOfParts());
  std::string local;
  for (const Buffer &buffer : plan.buffers) {
    if (buffer.space == Space::Local && buffer.var->name == "sum_of_thread")
      local = ir::toString(buffer.count);
  }
  EXPECT_EQ(local, "(CHUNKED_T + CHUNKED_T_2 - 1) / CHUNKED_T_2");
}

TEST(LowerChunks, TheSizeOfAPartIsATunableOfItsOwn) {
  const LoweredPlan plan = partsOfParts();
  std::string found;
  for (const Tunable &each : plan.tunables) {
    found += each.var->name + (each.kind == Tunable::Kind::Compile ? " compile " : " launch ") +
             each.defaultValue + " of";
    for (std::int64_t value : each.values)
      found += " " + std::to_string(value);
    found += "\n";
  }
  EXPECT_EQ(found, "CHUNKED_T compile 16 of 4 8 16 32 64\n"
                   "CHUNKED_T_2 compile 16 of 4 8 16 32 64\n"
                   "NUM_THREADS compile 256 of\n");
}

TEST(LowerChunks, TheMachineLimitsNoPartsWhoseAuthorSays) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  machine.code.parts.max = 8;
  EXPECT_EQ(partsOfParts(machine).tunables[0].values,
            (std::vector<std::int64_t>{4, 8, 16, 32, 64}));
}

} // namespace
} // namespace tangram::codegen
