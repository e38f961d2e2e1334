#include "runtime/openmp/compiler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace tangram::runtime {
namespace {

class CompilerTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "compiler-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Compilation source(const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
    Compilation compilation;
    compilation.sources = {folder / name};
    return compilation;
  }

  std::filesystem::path folder;
};

TEST_F(CompilerTest, CompilesTheSameContentOnce) {
  Compiler compiler;
  for (const char *name : {"a.c", "b.c"}) {
    Result<ObjectFile> file = compiler.compile(source(name, "int three(void) { return 3; }"));
    ASSERT_TRUE(file) << file.error().message;
    Result<SharedObject> object = file->load();
    ASSERT_TRUE(object) << object.error().message;
    ASSERT_NE(object->function<int()>("three"), nullptr);
    EXPECT_EQ(object->function<int()>("three")(), 3);
    EXPECT_EQ(object->function<int()>("four"), nullptr);
  }
  EXPECT_EQ(compiler.runs(), 1U);
}

TEST_F(CompilerTest, AFolderKeepsObjectsForTheNextCompiler) {
  const ObjectFolder kept(folder);
  for (const std::size_t runs : {1U, 0U}) {
    Compiler compiler(Compiler::leastSeconds, kept);
    Result<ObjectFile> file = compiler.compile(source("a.c", "int three(void) { return 3; }"));
    ASSERT_TRUE(file) << file.error().message;
    Result<SharedObject> object = file->load();
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(object->function<int()>("three")(), 3);
    EXPECT_EQ(compiler.runs(), runs);
  }
  Compiler compiler(Compiler::leastSeconds, kept);
  Compilation slow = source("a.c", "int three(void) { return 3; }");
  slow.flags = {"-O0"};
  ASSERT_TRUE(compiler.compile(slow));
  EXPECT_EQ(compiler.runs(), 1U);
}

TEST_F(CompilerTest, AFolderThatDoesNotTakeObjectsIsNoError) {
  const ObjectFolder none(folder / "missing");
  none.keep("key", {});
  EXPECT_EQ(none.find("key"), "");
  Compiler compiler(Compiler::leastSeconds, none);
  EXPECT_TRUE(compiler.compile(source("a.c", "int three(void) { return 3; }")));
}

TEST_F(CompilerTest, DefinitionsCountOnlyWhereTheyAreUsed) {
  Compiler compiler;
  Compilation user = source("a.c", "int n(void) { return N; }");
  Compilation other = source("b.c", "int n(void) { return 1; } /* NN */");
  for (std::uint64_t n : {7U, 8U}) {
    user.definitions = other.definitions = {{"N", n}};
    Result<ObjectFile> file = compiler.compile(user);
    ASSERT_TRUE(file) << file.error().message;
    Result<SharedObject> object = file->load();
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(object->function<int()>("n")(), static_cast<int>(n));
    ASSERT_TRUE(compiler.compile(other));
  }
  EXPECT_EQ(compiler.runs(), 3U);
}

TEST_F(CompilerTest, AFunctionMayBeCalledAsOneOfTheCLibrary) {
  Compiler compiler;
  // The C library has an index(), too, and stands before the object where names are looked up.
  Result<ObjectFile> file =
      compiler.compile(source("a.c", "int index(const char *text, int n) { return n + 1; }\n"
                                     "int four(void) { return index(\"\", 3); }"));
  ASSERT_TRUE(file) << file.error().message;
  Result<SharedObject> object = file->load();
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object->function<int()>("four")(), 4);
}

TEST_F(CompilerTest, FailureBringsTheCompilersOutput) {
  Compiler compiler;
  Compilation bad = source("bad.c", "int f(void) { return undeclared; }");
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<ObjectFile> object = compiler.compile(bad);
    ASSERT_FALSE(object);
    EXPECT_EQ(object.error().fault, Fault::Failed);
    std::string head = (folder / "bad.c").string() + ": cc failed (exit status 1):\n";
    EXPECT_EQ(object.error().message.substr(0, head.size()), head);
    EXPECT_NE(object.error().message.find("undeclared"), std::string::npos);
  }
  EXPECT_EQ(compiler.runs(), 1U);
}

TEST_F(CompilerTest, OneThatTakesTooLongIsEndedWithAllThatItStarted) {
  const std::filesystem::path script = folder / "slow", alive = folder / "alive";
  std::ofstream(script) << "#!/bin/sh\n(sleep 2; touch " << alive.string() << ") &\nwait\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  setenv("CC", script.c_str(), 1);
  Compiler compiler(0.2);
  unsetenv("CC");
  Result<ObjectFile> object = compiler.compile(source("a.c", ""));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message, (folder / "a.c").string() + ": " + script.string() +
                                        ": ended after 0.2 s; --time-limit gives it longer");
  EXPECT_EQ(object.error().ending, Ending::TimedOut);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(std::filesystem::exists(alive));
}

TEST_F(CompilerTest, NoCompiler) {
  setenv("CC", "/nonexistent/cc -O1", 1);
  Compiler compiler;
  unsetenv("CC");
  Result<ObjectFile> object = compiler.compile(source("a.c", ""));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message,
            (folder / "a.c").string() +
                ": /nonexistent/cc: cannot be started: No such file or directory");
}

} // namespace
} // namespace tangram::runtime
