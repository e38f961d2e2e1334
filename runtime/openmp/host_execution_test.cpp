#include "runtime/openmp/host_execution.h"

#include "runtime/data/reference.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

/// A function whose result is how many calls its process has served, times the scalar that it takes.
class HostExecutionTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "host-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    std::ofstream(folder / "calls.c")
        << "static int calls;\n"
           "int tangram_call(void *const *a) {\n"
           "  **(int *const *)a[1] = ++calls * *(const int *)a[0];\n"
           "  return *(const int *)a[0] < 0 ? *(volatile int *)0 : 0;\n"
           "}\n";
    Compilation compilation;
    compilation.sources = {folder / "calls.c"};
    Result<ObjectFile> object = compiler.compile(compilation);
    ASSERT_TRUE(object) << object.error().message;
    function = {*object, "tangram_call", "calls.c", "manifest.json", {}};
    Parameter factor;
    factor.name = "factor";
    factor.container = false;
    factor.element = ir::Scalar::I32;
    problem.signature.parameters = {factor};
    problem.signature.result = ir::Scalar::I32;
    problem.arguments.push_back({ir::Scalar::I32, {}, HostMemory(sizeof(int))});
    setFactor(1);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void setFactor(int factor) {
    std::memcpy(problem.arguments[0].memory.data(), &factor, sizeof factor);
  }

  Result<std::unique_ptr<Execution>> started(HostBench &bench) {
    return startOnHost(function, problem, {}, bench, 10);
  }

  /// The result of one run in an execution of its own; -1 where it fails.
  int resultOf(HostBench &bench) {
    Result<std::unique_ptr<Execution>> execution = started(bench);
    if (!execution || !(*execution)->reset(true) || !(*execution)->run())
      return -1;
    auto values = (*execution)->outputs();
    int result = 0;
    std::memcpy(&result, values->front().data(), sizeof result);
    return result;
  }

  std::filesystem::path folder;
  Compiler compiler;
  HostFunction function;
  Problem problem;
};

TEST_F(HostExecutionTest, AWorkerServesOneProblemAfterTheOther) {
  HostBench bench(2);
  EXPECT_EQ(resultOf(bench), 1);
  setFactor(10);
  EXPECT_EQ(resultOf(bench), 20);
  const auto execution = started(bench);
  ASSERT_TRUE(execution);
  EXPECT_TRUE((*execution)->servedOthers());
  // The worker is taken: another execution has one of its own.
  EXPECT_EQ(resultOf(bench), 10);
}

TEST_F(HostExecutionTest, NoneWaitsWhereTheBenchHasNoPlace) {
  HostBench bench(0);
  EXPECT_EQ(resultOf(bench), 1);
  EXPECT_EQ(resultOf(bench), 1);
}

TEST_F(HostExecutionTest, WhoIsNotTrustedServesNobodyElse) {
  HostBench bench(2);
  {
    const auto execution = started(bench);
    ASSERT_TRUE(execution);
    ASSERT_TRUE((*execution)->run());
    (*execution)->distrust();
  }
  EXPECT_EQ(resultOf(bench), 1);
}

TEST_F(HostExecutionTest, ACrashEndsTheWorkerAlone) {
  HostBench bench(2);
  EXPECT_EQ(resultOf(bench), 1);
  setFactor(-1);
  {
    const auto execution = started(bench);
    ASSERT_TRUE(execution);
    const Result<double> run = (*execution)->run();
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().ending, Ending::Crashed);
    EXPECT_TRUE((*execution)->isOthersFault(run.error()));
  }
  setFactor(1);
  EXPECT_EQ(resultOf(bench), 1);
}

TEST_F(HostExecutionTest, ALargeProblemHasAProcessOfItsOwn) {
  HostBench bench(2);
  Parameter padding;
  padding.name = "padding";
  padding.container = true;
  padding.access = Access::In;
  padding.element = ir::Scalar::U8;
  padding.extents = {"n"};
  std::ofstream(folder / "calls.c") << "static int calls;\n"
                                       "int tangram_call(void *const *a) {\n"
                                       "  **(int *const *)a[3] = ++calls;\n"
                                       "  return 0;\n"
                                       "}\n";
  Compilation compilation;
  compilation.sources = {folder / "calls.c"};
  Result<ObjectFile> object = compiler.compile(compilation);
  ASSERT_TRUE(object) << object.error().message;
  function.object = *object;
  constexpr std::size_t bytes = std::size_t{2} << 20;
  problem.extents = {{"n", bytes}};
  problem.signature.parameters.push_back(padding);
  problem.arguments.push_back({ir::Scalar::U8, {bytes}, HostMemory(bytes)});
  EXPECT_EQ(resultOf(bench), 1);
  EXPECT_EQ(resultOf(bench), 1);
}

} // namespace
} // namespace tangram::runtime
