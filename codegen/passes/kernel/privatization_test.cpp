#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class Privatize : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E m = variable("m", Scalar::Index, VarKind::Param);

  static E atomic(const E &place, const E &value) {
    auto operation = std::make_shared<ir::Expr>(
        *ir::node(ir::ExprKind::Atomic, ir::scalarType(Scalar::I32), {place.e, value.e}));
    operation->op = "add";
    return E(operation);
  }
  static StmtPtr addAtomically(const E &place, const E &value) {
    return ir::eval(atomic(place, value).e);
  }
  static E place(const E &e) { return E(ir::cast(Scalar::Index, e.e)); }

  StmtPtr dealt(std::vector<StmtPtr> body) const {
    return ir::forLoop(let(i, lane), (i < m).e, addTo(i, N), ir::block(std::move(body)));
  }

  /// For a GPU whose items know atomic operations on int.
  LoweredPlan onGpu(std::vector<StmtPtr> body) const {
    static const composer::Machine gpu = [] {
      composer::Machine made = projected("simple-gpu", "opencl");
      for (composer::Level &level : made.levels)
        level.atomics = {"i32"};
      for (std::size_t i = 0; i + 1 < made.levels.size(); ++i)
        made.levels[i].subordinate = static_cast<int>(i) + 1;
      return made;
    }();
    LoweredPlan made = plan(std::move(body));
    made.machine = &gpu;
    made.target = traitsOf("opencl");
    return made;
  }

  bool isCopied(std::vector<StmtPtr> body) const {
    const LoweredPlan before = onGpu(std::move(body));
    return groupText(privatize(before)) != groupText(before);
  }
};

TEST_F(Privatize, OneOrSeveralAGroup) {
  const LoweredPlan after =
      privatize(onGpu({lanes({dealt({addAtomically(out[place(in[i])], 1)})})}));
  EXPECT_EQ(groupText(after), R"(
index out_few = n <= 1024 ? n : 0;
parallel level 2 element < out_few * OUT_COPIES {
  own_out[element] = 0;
}
parallel level 2 lane < N {
  for (index i = lane; i < m; i += N) {
    index element = (index)in[i];
    if (out_few > 0) {
      atomicAdd(own_out[element * OUT_COPIES + lane % OUT_COPIES], 1);
    }
    else {
      atomicAdd(out[element], 1);
    }
  }
}
parallel level 2 element < out_few {
  int sum = 0;
  for (index copy = 0; copy < OUT_COPIES; copy += 1) {
    sum += own_out[element * OUT_COPIES + copy];
  }
  if (sum != 0) {
    atomicAdd(out[element], sum);
  }
}
)");
  EXPECT_EQ(after.buffers.back().space, Space::Local);
  EXPECT_EQ(ir::toString(after.buffers.back().count), "1024 * OUT_COPIES");
  EXPECT_EQ(after.tunables.back().defaultValue, "1");
}

TEST_F(Privatize, ComeToTheSame) {
  const LoweredPlan before = onGpu({lanes({dealt({addAtomically(out[place(in[i])], a[0])})})});
  const LoweredPlan after = privatize(before);
  for (const int bins : {1, 7, 1024, 1025}) {
    for (const int copies : {1, 2, 4}) {
      for (const int size : {0, 1, 100}) {
        std::vector<std::vector<std::int64_t>> found;
        for (const LoweredPlan *each : {&before, &after}) {
          Interpreter machine;
          for (const auto &[name, value] : {std::pair{p, 1}, {N, 4}, {K, 1}, {n, bins}, {m, size}})
            machine.set(name, value);
          if (each == &after)
            machine.set(E(ir::varRef(after.tunables.back().var)), copies);
          for (int at = 0; at < size; ++at)
            machine.memory[in.var().get()].push_back(at * at % bins);
          machine.memory[a.var().get()].assign(4, 3);
          machine.memory[out.var().get()].assign(static_cast<std::size_t>(bins), 5);
          machine.memory[after.buffers.back().var.get()].assign(4096, -1);
          machine.run(each->body);
          EXPECT_FALSE(machine.wrong);
          found.push_back(machine.memory[out.var().get()]);
        }
        EXPECT_EQ(found[0], found[1]) << bins << " " << copies << " " << size;
      }
    }
  }
}

TEST_F(Privatize, WhereALocalVariableNamesTheElement) {
  const E bin = variable("bin");
  EXPECT_TRUE(
      isCopied({lanes({dealt({let(bin, place(in[i] / 16)), addAtomically(out[bin], 1)})})}));
}

TEST_F(Privatize, NotWhereSomebodyLooks) {
  const E seen = variable("seen", Scalar::I32);
  EXPECT_FALSE(isCopied({lanes({dealt({let(seen, atomic(out[place(in[i])], 1))})})}));
  EXPECT_FALSE(isCopied(
      {lanes({dealt({addAtomically(out[place(in[i])], 1)})}), lanes({set(a[lane], out[lane])})}));
  EXPECT_FALSE(
      isCopied({lanes({dealt({addAtomically(out[place(in[i])], 1)}), set(out[lane], 1)})}));
}

TEST_F(Privatize, NotWhereNobodyAddsAgainOrDataNameNothing) {
  EXPECT_FALSE(isCopied({lanes({addAtomically(out[place(in[lane])], 1)})}));
  EXPECT_FALSE(isCopied({lanes({dealt({addAtomically(out[i], 1)})})}));
}

TEST_F(Privatize, NotOfArraysThatAreMostlyLarge) {
  LoweredPlan before = onGpu({lanes({dealt({addAtomically(out[place(in[i])], 1)})})});
  before.typical[n.var()] = 1025;
  EXPECT_EQ(groupText(privatize(before)), groupText(before));
  before.typical[n.var()] = 1024;
  EXPECT_NE(groupText(privatize(before)), groupText(before));
}

TEST_F(Privatize, NotWhereAGroupHasNoRoom) {
  const StmtPtr adding = dealt({addAtomically(out[place(in[i])], a[lane])});
  LoweredPlan before = onGpu({lanes({adding})});
  before.buffers[2].count = E(4096).e;
  EXPECT_NE(groupText(privatize(before)), groupText(before));
  before.buffers[2].count = E(4097).e;
  EXPECT_EQ(groupText(privatize(before)), groupText(before));
}

} // namespace
} // namespace tangram::codegen
