#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class PrivatizeCounts : public ::testing::Test, protected Kernel4 {
protected:
  /// For a processor with chains of four, of a library whose caller says that elements of `in` are below n.
  LoweredPlan onProcessor(const StmtPtr &loop) const {
    static const composer::Machine cpu = projected("cpu", "openmp");
    LoweredPlan made = plan({loop});
    made.machine = &cpu;
    made.target = traitsOf("openmp");
    made.data = {{in.var(), "within", E(0), n}};
    return made;
  }

  std::string counted(const StmtPtr &loop) const {
    return groupText(privatizeCounts(onProcessor(loop)));
  }
  bool isCounted(const StmtPtr &loop) const { return counted(loop) != groupText(plan({loop})); }

  StmtPtr adding(const E &target, const E &value) const {
    return upTo(i, m, {addTo(target, value)});
  }

  static E place(const E &e) { return E(ir::cast(Scalar::Index, e.e)); }

  E i = variable("i");
  E m = variable("m", Scalar::Index, VarKind::Param);
};

TEST_F(PrivatizeCounts, FourOfThem) {
  EXPECT_EQ(counted(adding(out[group * n + place(in[p + i])], a[i])), R"(
if (n <= 1024 && n * 32 <= m) {
  int more[3120];
  for (index bin = 0; bin < n; bin += 1) {
    more[bin] = 0;
    more[1040 + bin] = 0;
    more[2080 + bin] = 0;
  }
  index whole = m / 4;
  for (index block = 0; block < whole; block += 1) {
    out[group * n + (index)in[p + block * 4]] += a[block * 4];
    more[(index)in[p + (block * 4 + 1)]] += a[block * 4 + 1];
    more[1040 + (index)in[p + (block * 4 + 2)]] += a[block * 4 + 2];
    more[2080 + (index)in[p + (block * 4 + 3)]] += a[block * 4 + 3];
  }
  for (index i = whole * 4; i < m; i += 1) {
    out[group * n + (index)in[p + i]] += a[i];
  }
  for (index bin = 0; bin < n; bin += 1) {
    out[group * n + bin] += more[bin] + more[1040 + bin] + more[2080 + bin];
  }
}
else {
  for (index i = 0; i < m; i += 1) {
    out[group * n + (index)in[p + i]] += a[i];
  }
}
)");
}

TEST_F(PrivatizeCounts, ComeToTheSame) {
  const LoweredPlan before = onProcessor(adding(out[place(in[i])], a[i]));
  const LoweredPlan after = privatizeCounts(before);
  for (const int bins : {1, 7, 40}) {
    for (const int size : {0, 1, 31, 32, 225, 1281, 1282, 1283}) {
      std::vector<std::vector<std::int64_t>> found;
      for (const LoweredPlan *each : {&before, &after}) {
        Interpreter machine;
        for (const auto &[name, value] : {std::pair{p, 1}, {N, 1}, {K, 1}, {n, bins}, {m, size}})
          machine.set(name, value);
        for (int at = 0; at < size; ++at) {
          machine.memory[in.var().get()].push_back(at * at % bins);
          machine.memory[a.var().get()].push_back(at - 5);
        }
        machine.memory[out.var().get()].assign(static_cast<std::size_t>(bins), 3);
        machine.run(each->body);
        EXPECT_FALSE(machine.wrong);
        found.push_back(machine.memory[out.var().get()]);
      }
      EXPECT_EQ(found[0], found[1]) << bins << " " << size;
    }
  }
}

TEST_F(PrivatizeCounts, NoOthers) {
  const E reals = variable("reals", Scalar::F32, VarKind::Buffer);
  EXPECT_TRUE(isCounted(adding(out[place(in[i])], 1)));
  EXPECT_FALSE(isCounted(adding(reals[place(in[i])], 1)))
      << "in another order, others are the sums";
  EXPECT_FALSE(isCounted(adding(out[place(b[i])], 1))) << "nobody says what b names";
  EXPECT_FALSE(isCounted(adding(out[i + place(in[i])], 1))) << "other elements in each round";
  EXPECT_FALSE(isCounted(adding(out[place(in[i]) * 2], 1))) << "what is named is not all there is";
  EXPECT_FALSE(isCounted(adding(out[place(in[i]) + place(in[i])], 1))) << "named twice";
  EXPECT_FALSE(isCounted(adding(out[place(in[i])], out[i]))) << "of what others have added";
  EXPECT_FALSE(isCounted(upTo(i, m, {set(out[place(in[i])], 1)}))) << "no sum";
  EXPECT_FALSE(isCounted(upTo(i, m, {addTo(out[place(in[i])], 1), addTo(b[i], out[i])})))
      << "what has been added so far is asked for";
}

TEST_F(PrivatizeCounts, AsManyAsTheModelHasChains) {
  static const composer::Machine simple = projected("simple-cpu", "openmp");
  LoweredPlan made = onProcessor(adding(out[place(in[i])], 1));
  made.machine = &simple;
  const std::string before = groupText(made);
  EXPECT_EQ(groupText(privatizeCounts(std::move(made))), before);
}

} // namespace
} // namespace tangram::codegen
