// The command itself: what it prints where, and its exit status.
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

const std::string testdata = std::string(TANGRAM_SOURCE_DIR) + "/runtime/testdata/";

struct Finished {
  int status = 0;
  std::string out, err;
};

std::string contentOf(const std::filesystem::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class TangramRun : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "tangram-run-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// Finished with `environment` ("A=1 B=2") in front.
  Finished run(const std::string &arguments, const std::string &environment = "OMP_NUM_THREADS=2") {
    std::string out = (folder / "out").string(), err = (folder / "err").string();
    std::string command =
        environment + " '" + TANGRAM_RUN + "' " + arguments + " >'" + out + "' 2>'" + err + "'";
    int status = std::system(command.c_str());
    return {WEXITSTATUS(status), contentOf(out), contentOf(err)};
  }

  /// A copy of a bundle, with `from` in `file` replaced.
  std::string changed(const std::string &bundle, const std::string &file, const std::string &from,
                      const std::string &to) {
    std::filesystem::path copy = folder / ("bundle" + std::to_string(copies++));
    std::filesystem::copy(testdata + bundle, copy);
    std::string text = contentOf(copy / file);
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(copy / file) << text;
    return copy.string();
  }

  std::filesystem::path folder;
  int copies = 0;
};

TEST_F(TangramRun, Verify) {
  Finished r = run("verify " + testdata + "openmp_sum --size 0,10");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "verified  " + testdata + "openmp_sum  in_size=0  p=2\n" + "verified  " +
                       testdata + "openmp_sum  in_size=10  p=2\n2 verified\n");
  EXPECT_EQ(r.err, "");
}

TEST_F(TangramRun, NoMoreThreadsThanProcessorsHaveAUseFor) {
  const Finished r = run("verify " + testdata + "openmp_sum --size 10 --format json",
                         "OMP_NUM_THREADS=100000 OMP_WAIT_POLICY=passive");
  EXPECT_EQ(r.status, 0) << r.err;
  const std::string device = ", not the 100000 of OMP_NUM_THREADS)";
  EXPECT_NE(r.out.find(device), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("\"p\": 65535"), std::string::npos);
}

TEST_F(TangramRun, WrongAnswers) {
  Finished r = run("verify " + testdata + "openmp_wrong " + testdata + "openmp_sum --size 10");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "wrong     " + testdata +
                       "openmp_wrong  in_size=10  p=2: result: got 822, "
                       "expected 821 [tangram-run explain T0407]\nverified  " +
                       testdata +
                       "openmp_sum  in_size=10  p=2\n"
                       "1 verified, 1 wrong\n");
  EXPECT_EQ(r.err, ""); // it is said once
  r = run("run " + testdata + "openmp_wrong --size 10 --temporary");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "wrong     0000000f  in_size=10  p=2: result: got 822, expected 821 "
                   "[tangram-run explain T0407]\n");
  EXPECT_EQ(r.err, "note: add -o DIR to keep the bundle\n");
}

TEST_F(TangramRun, CrashesAndLoops) {
  std::string crash =
      changed("openmp_sum", "entry.c", "return sum(", "*(volatile int *)0 = 0; return sum(");
  std::string loop = changed("openmp_sum", "entry.c", "return sum(",
                             "for (volatile int i = 0;; ++i) {} return sum(");
  Finished r =
      run("run " + crash + " " + loop + " " + testdata + "openmp_wrong --size 10 --time-limit 1.5");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "failed    " + crash +
                       "  in_size=10  p=2: ended by signal 11 (Segmentation fault); a codelet may "
                       "index outside a container\n"
                       "failed    " +
                       loop +
                       "  in_size=10  p=2: ended after 1.5 s without a result; it may loop for "
                       "ever, --time-limit gives it longer\n"
                       "wrong     " +
                       testdata +
                       "openmp_wrong  in_size=10  p=2: result: got 822, expected 821 [tangram-run "
                       "explain T0407]\n"
                       "1 wrong, 2 failed\n");
  EXPECT_EQ(r.err, "");
}

TEST_F(TangramRun, DetailsAreSaidOnce) {
  std::string bundle = changed("openmp_sum", "sum.c", "int accum = 0;", "#error broken\n");
  Finished r = run("verify " + bundle + " --size 10");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "failed    " + bundle + "  in_size=10  p=2: " + bundle +
                       "/sum.c: cc failed (exit status 1):\n");
  std::string start = "tangram-run: " + bundle + ":\n" + bundle + "/sum.c:";
  EXPECT_TRUE(r.err.starts_with(start)) << r.err;
  EXPECT_NE(r.err.find("broken\n"), std::string::npos) << r.err;
  EXPECT_EQ(r.err.find("cc failed"), std::string::npos) << r.err;
}

TEST_F(TangramRun, ASizeThatContradictsAFile) {
  std::string file = (folder / "four.npy").string();
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }";
  header.resize(117, ' ');
  std::ofstream(file) << std::string("\x93NUMPY\x01\0v\0", 10) << header << "\n"
                      << std::string(16, '\1');
  Finished r = run("verify " + testdata + "openmp_sum --size 50 --input in=" + file);
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "failed    " + testdata + "openmp_sum: --size 50: expected in_size = 4 as " +
                       file + " has it, found 50\n");
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(run("verify " + testdata + "openmp_sum --size 4 --input in=" + file).status, 0);
}

TEST_F(TangramRun, JsonOfAllCommands) {
  for (const std::string command : {"verify", "time", "run"}) {
    std::string timing = command == "verify" ? "" : " --warmup 1 --repeat 3";
    Finished r =
        run(command + " " + testdata + "openmp_sum --size 10 --set p=1,4 --format json" + timing);
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
    nlohmann::json json = nlohmann::json::parse(r.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << r.out;
    EXPECT_EQ(json["command"], command);
    ASSERT_EQ(json["runs"].size(), 2U);
    EXPECT_EQ(json["runs"][1]["tunables"]["p"], 4);
    EXPECT_EQ(json["runs"][1]["status"], "verified");
    EXPECT_EQ(json["runs"][1].contains("seconds"), command != "verify");
  }
}

TEST_F(TangramRun, WhatIsTimedIsRight) {
  Finished r = run("time " + testdata + "openmp_wrong --size 10");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "wrong     " + testdata +
                       "openmp_wrong  in_size=10  p=2: result: got 822, expected 821 [tangram-run "
                       "explain T0407]\n");
  r = run("time " + testdata + "openmp_wrong --size 10 --repeat 3 --no-verify");
  EXPECT_EQ(r.status, 0);
  EXPECT_TRUE(r.out.starts_with("timed     " + testdata +
                                "openmp_wrong  in_size=10  p=2  not verified  median "))
      << r.out;
  r = run("time " + testdata + "openmp_wrong --size 10 --repeat 3 --no-verify --format json");
  nlohmann::json json = nlohmann::json::parse(r.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << r.out;
  EXPECT_EQ(json["runs"][0]["status"], "timed");
  EXPECT_EQ(json["runs"][0]["verified"], false);
}

TEST_F(TangramRun, ColdCachesAreInTheRow) {
  Finished r = run("time " + testdata + "openmp_sum --size 10 --repeat 1 --cold");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("verified  " + testdata +
                                "openmp_sum  in_size=10  p=2  cold caches  median "))
      << r.out;
  EXPECT_EQ(run("verify " + testdata + "openmp_sum --cold").status, 2);
}

TEST_F(TangramRun, RunEndsWithATable) {
  Finished r =
      run("run " + testdata + "openmp_sum " + testdata + "openmp_float_sum --size 1000 --repeat 3");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("\nplan      target  median"), std::string::npos) << r.out;
  EXPECT_TRUE(r.out.ends_with("\n2 verified\n")) << r.out;
}

TEST_F(TangramRun, CommandLineMistakes) {
  EXPECT_EQ(run("").status, 2);
  EXPECT_EQ(run("verify").status, 2);
  EXPECT_EQ(run("nonsense").status, 2);
  EXPECT_EQ(run("time " + testdata + "openmp_sum --repeat 0").status, 2);
  Finished r = run("verify " + testdata + "openmp_sum --time-limit 0");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "tangram-run verify: --time-limit: expected a number above 0, found 0\n"
                   "`tangram-run verify --help` says more.\n");
  for (const char *count : {"--repeat 99999999999999999999", "--repeat -1", "--warmup 1e3"})
    EXPECT_EQ(run("time " + testdata + "openmp_sum " + count).status, 2) << count;
  r = run("time " + testdata + "openmp_sum --repeat 0");
  EXPECT_EQ(r.err, "tangram-run time: --repeat: expected a number from 1 to 100000000, found 0\n"
                   "`tangram-run time --help` says more.\n");
  r = run("verify " + testdata + "openmp_sum --size ten");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "tangram-run: --size ten: expected a size such as 1000 or 2^24, found ten\n");
  r = run("verify " + testdata + "openmp_sum --set p=0");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "tangram-run: " + testdata +
                       "openmp_sum: --set p=0: expected a value in [1, "
                       "65535]\n");
  EXPECT_EQ(r.out, "");
}

TEST_F(TangramRun, WrongInput) {
  Finished r = run("verify " + testdata + "nothing");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "failed    " + testdata + "nothing: " + testdata +
                       "nothing: cannot be read: No such file or directory\n");
  EXPECT_EQ(r.err, "");
  r = run("verify " + testdata + "openmp_sum --input in=/nonexistent.npy");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "tangram-run: /nonexistent.npy: cannot be read: No such file or directory\n");
}

TEST_F(TangramRun, ResultsThatCannotBeWritten) {
  std::filesystem::create_directory(folder / "results");
  const std::string results = (folder / "results").string();
  for (auto [file, reason] : {std::pair{results + "/none/r.npy", "No such file or directory"},
                              {results, "it is a folder"},
                              {"/dev/full", "No space left on device"}}) {
    for (const std::string command : {"verify", "time", "run"}) {
      Finished r = run(command + " " + testdata + "openmp_sum --size 10 --output result=" + file);
      EXPECT_EQ(r.status, 1);
      EXPECT_EQ(r.out, "failed    " + testdata + "openmp_sum  in_size=10  p=2: " + file +
                           ": cannot be written: " + reason + "\n");
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(results)); // nothing half-written
}

TEST_F(TangramRun, AMatrixForSeveralParameters) {
  std::string file = (folder / "a.mtx").string();
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 1.5\n2 1 2\n";
  const std::string verify = "verify " + testdata + "openmp_spmv ";
  Finished r = run(verify + "--input csr:values,columns,offsets=" + file);
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "verified  " + testdata +
                       "openmp_spmv  columns_size=2 offsets_size=3 values_size=2 x_size=3 "
                       "y_size=2: bit for bit\n");
  r = run(verify + "--input csr:values,columns,offsets=" + file + " --size x=2");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out, "failed    " + testdata +
                       "openmp_spmv  columns_size=2 offsets_size=3 values_size=2 x_size=2 "
                       "y_size=2: columns (" +
                       file + "): expected elements within [0, x_size) = [0, 2), found 2 at 0\n");
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 1.5\n";
  r = run(verify + "--input csr:values,columns,offsets=" + file);
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "tangram-run: " + file + ": expected 2 entries, found 1\n");
  EXPECT_EQ(run(verify + "--input csr:values=" + file).status, 2);
  r = run(verify + "--size y=7 --size offsets=7");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.out,
            "failed    " + testdata +
                "openmp_spmv: expected offsets_size == y_size + 1, found offsets_size = 7 "
                "(--size offsets) and y_size + 1 = 8 with y_size = 7 (--size y) [tangram-run "
                "explain T0108]\n");
}

TEST_F(TangramRun, GeneratedProblems) {
  const std::string file = (folder / "a.mtx").string(), points = (folder / "p.npy").string();
  Finished r = run("generate poisson --size 30 -o " + file);
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out + r.err, "");
  r = run("verify " + testdata + "openmp_spmv --input csr:values,columns,offsets=" + file);
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "verified  " + testdata +
                       "openmp_spmv  columns_size=4380 offsets_size=901 values_size=4380 "
                       "x_size=900 y_size=900: bit for bit\n");
  EXPECT_EQ(run("generate grid-graph --size 2^3 -o " + file).status, 0);
  EXPECT_TRUE(contentOf(file).starts_with(
      "%%MatrixMarket matrix coordinate pattern symmetric\n64 64 112\n"));
  EXPECT_EQ(run("generate clusters --size 100 --dimensions 3 -o " + points).status, 0);
  EXPECT_NE(contentOf(points).find("'<f4', 'fortran_order': False, 'shape': (100, 3)"),
            std::string::npos);
  EXPECT_EQ(run("generate dominant-matrix --size 40 -o " + points).status, 0);
  EXPECT_NE(contentOf(points).find("'<f4', 'fortran_order': False, 'shape': (40, 40)"),
            std::string::npos);
  EXPECT_EQ(run("generate dominant-matrix --size 4 --element double -o " + points).status, 0);
  EXPECT_NE(contentOf(points).find("'<f8', 'fortran_order': False, 'shape': (4, 4)"),
            std::string::npos);
}

TEST_F(TangramRun, ProblemsThatCannotBeGenerated) {
  auto said = [&](const std::string &arguments, int status) {
    Finished r = run("generate " + arguments);
    EXPECT_EQ(r.status, status) << arguments;
    EXPECT_EQ(r.out, "");
    return r.err.substr(0, r.err.find('\n'));
  };
  EXPECT_EQ(said("poisson --size 3 -o a.npy", 2),
            "tangram-run: generate poisson: expected a name that ends in .mtx, found a.npy");
  EXPECT_EQ(said("poisson --size 3,4 -o a.mtx", 2), "tangram-run: --size 3,4: expected one number");
  EXPECT_EQ(said("poisson --size x -o a.mtx", 2),
            "tangram-run: --size x: expected a size such as 1000 or 2^24, found x");
  EXPECT_EQ(said("clusters --size 2^60 -o a.npy", 2),
            "tangram-run: generate: the points do not fit in memory");
  EXPECT_EQ(said("dominant-matrix --size 2^40 -o a.npy", 2),
            "tangram-run: generate: the matrix does not fit in memory");
  EXPECT_EQ(
      said("dominant-matrix --size 3 -o a.mtx", 2),
      "tangram-run: generate dominant-matrix: expected a name that ends in .npy, found a.mtx");
  EXPECT_EQ(said("poisson --size 3 -o /nowhere/a.mtx", 1),
            "tangram-run: /nowhere/a.mtx: cannot be written: No such file or directory");
  EXPECT_EQ(
      said("heat --size 3 -o a.mtx", 2),
      "tangram-run generate: problem: heat not in {poisson,grid-graph,dominant-matrix,clusters}");
}

/// What is said where that library is taken for CUDA's driver.
const std::string noCuda =
    "tangram-run: libm.so.6 has no cuInit: the driver of CUDA 11.7 or later is needed\n";

TEST_F(TangramRun, MachinesWithoutOpenCL) {
  std::string none =
      "OMP_NUM_THREADS=2 TANGRAM_CUDA_LIBRARY=libm.so.6 TANGRAM_OPENCL_LIBRARY=/nonexistent.so";
  std::string message = "no OpenCL on this machine: /nonexistent.so: cannot open shared object "
                        "file: No such file or directory [tangram-run explain T0403]";
  Finished r = run("--list-devices", none);
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.err, "tangram-run: " + message + "\n" + noCuda);
  r = run("verify " + testdata + "opencl_sum " + testdata + "openmp_sum --size 10", none);
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.out, "failed    " + testdata + "opencl_sum: " + message + "\nverified  " + testdata +
                       "openmp_sum  in_size=10  p=2\n1 verified, 1 failed\n");
}

TEST_F(TangramRun, NoOpenCLPlatform) {
  std::filesystem::create_directory(folder / "vendors");
  std::string none =
      "TANGRAM_CUDA_LIBRARY=libm.so.6 OCL_ICD_VENDORS='" + (folder / "vendors").string() + "/'";
  Finished r = run("--list-devices", none);
  if (r.err.find("cannot open shared object") != std::string::npos)
    GTEST_SKIP() << "needs the OpenCL loader (Debian: ocl-icd-libopencl1)";
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.err,
            std::string("tangram-run: no OpenCL device on this machine: the loader is there, "
                        "but it knows no platform with a device [tangram-run explain T0403]\n") +
                noCuda);
}

/// The recipe of docs/bundle.md; returns what Oclgrind reported.
class UnderOclgrind : public TangramRun {
protected:
  void SetUp() override {
    TangramRun::SetUp();
    if (!std::filesystem::exists(library))
      GTEST_SKIP() << "needs Oclgrind (Debian: oclgrind)";
  }

  std::string reports(const std::string &bundle) {
    std::string log = (folder / "oclgrind.log").string();
    std::filesystem::remove(log);
    checked = run("verify " + bundle +
                      " --size 0,1,7,100 --set p=1,3,4 --set GROUP_SIZE=1,16 "
                      "--memory-checker",
                  "TANGRAM_OPENCL_LIBRARY=" + library +
                      " OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 "
                      "OCLGRIND_LOG='" +
                      log + "'");
    return contentOf(log);
  }

  const std::string library = "/usr/lib/oclgrind/liboclgrind-rt.so";
  Finished checked;
};

TEST_F(UnderOclgrind, RightKernelsAreNotReported) {
  EXPECT_EQ(reports(testdata + "opencl_sum"), "");
  EXPECT_EQ(checked.status, 0) << checked.err;
}

TEST_F(UnderOclgrind, AMissingBarrierIsReported) {
  EXPECT_NE(reports(testdata + "opencl_racy").find("Read-write data race at local memory"),
            std::string::npos);
}

TEST_F(UnderOclgrind, UninitializedMemoryIsReported) {
  // Groups without elements leave their partial sum alone.
  std::string bundle =
      changed("opencl_sum", "sum.cl", "if (lane == 0)", "if (lane == 0 && begin < in_size)");
  EXPECT_NE(reports(bundle).find("Uninitialized value written to global memory"),
            std::string::npos);
}

TEST_F(UnderOclgrind, AccessesOutsideABufferAreReported) {
  EXPECT_NE(reports(changed("opencl_sum", "sum.cl", "i < end", "i <= end"))
                .find("Invalid read of size 4 at global memory"),
            std::string::npos);
}

} // namespace
