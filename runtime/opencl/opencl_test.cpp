// Whole runs of the hand-written OpenCL bundles in testdata. Tests that need a device (PoCL is
// enough) are skipped without one.
#include "runtime/data/text_file.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_devices.h"
#include "runtime/session/session.h"
#include "runtime/session/worker.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace tangram::runtime {
namespace {

const std::filesystem::path testdata =
    std::filesystem::path(TANGRAM_SOURCE_DIR) / "runtime/testdata";

std::vector<OpenCLDevice> twoDevices() {
  OpenCLDevice cpu;
  cpu.platform = "Portable Computing Language";
  cpu.name = "pthread";
  cpu.type = "CPU";
  cpu.version = "OpenCL 3.0";
  cpu.computeUnits = 2;
  cpu.maxGroupSize = 4096;
  cpu.localMemory = 1 << 20;
  cpu.globalMemory = 6000000000;
  OpenCLDevice gpu = cpu;
  gpu.index = 1;
  gpu.platform = "Vendor";
  gpu.name = "Model X";
  gpu.type = "GPU";
  OpenCLDevice broken = gpu;
  broken.index = 2;
  broken.name = "Model Y";
  broken.error = "CL_DEVICE_NAME: CL_INVALID_DEVICE (-33)";
  return {cpu, gpu, broken};
}

std::string chosen(const std::string &wanted) {
  Result<OpenCLDevice> device = chooseOpenCLDevice(twoDevices(), wanted);
  return device ? device->fullName() : device.error().message;
}

TEST(OpenCLDevices, Choice) {
  EXPECT_EQ(chosen(""), "Vendor/Model X"); // a GPU before a CPU
  EXPECT_EQ(chosen("0"), "Portable Computing Language/pthread");
  EXPECT_EQ(chosen("PORTABLE"), "Portable Computing Language/pthread");
  EXPECT_EQ(chosen("vendor/model"), "Vendor/Model X");
  EXPECT_EQ(chosen("2"), "OpenCL device Vendor/Model Y cannot be used: CL_DEVICE_NAME: "
                         "CL_INVALID_DEVICE (-33)");
  EXPECT_EQ(chosen("7"),
            "--device 7: there is no such device; expected the index or part of the name of one: "
            "0 (Portable Computing Language/pthread), 1 (Vendor/Model X), 2 (Vendor/Model Y)");
  Result<OpenCLDevice> none = chooseOpenCLDevice({}, "");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no OpenCL device on this machine: the loader is there, but it "
                                  "knows no platform with a device");
}

TEST(OpenCLApi, MissingLibrary) {
  setenv("TANGRAM_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so", 1);
  Result<OpenCLApi> missing = openOpenCL();
  setenv("TANGRAM_OPENCL_LIBRARY", "libm.so.6", 1);
  Result<OpenCLApi> other = openOpenCL();
  unsetenv("TANGRAM_OPENCL_LIBRARY");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "no OpenCL on this machine: /nonexistent/libOpenCL.so: cannot open shared object "
            "file: No such file or directory");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "libm.so.6 has no clGetPlatformIDs: OpenCL 1.2 is needed");
}

TEST(OpenCLApi, ErrorNames) {
  EXPECT_EQ(openclErrorText(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES (-5)");
  EXPECT_EQ(openclErrorText(-9999), "-9999");
}

Result<std::unique_ptr<Backend>> openWorkers() {
  return makeDeviceWorkerBackend({describeOpenCLDevice, openOpenCLBackend}, "", defaultTimeLimit);
}

class OpenCLTest : public testing::Test {
protected:
  void SetUp() override {
    // Not listOpenCLDevices: a driver started here would not survive the fork of a worker.
    if (!openWorkers())
      GTEST_SKIP() << "needs an OpenCL device (Debian: pocl-opencl-icd)";
    std::string pattern = testing::TempDir() + "opencl-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    if (!folder.empty())
      std::filesystem::remove_all(folder);
  }

  std::vector<Record> run(const std::vector<std::string> &bundles,
                          const std::vector<std::uint64_t> &sizes,
                          const std::vector<TunableValues> &settings = {{}},
                          Task task = Task::Verify, double timeLimit = defaultTimeLimit) {
    SessionOptions options;
    options.timeLimit = timeLimit;
    options.bundles = bundles;
    options.sizes.clear();
    for (std::uint64_t n : sizes)
      options.sizes.push_back({n, {}});
    options.settings = settings;
    options.task = task;
    options.timing = {1, 3};
    std::vector<Record> records;
    Status status = runSession(
        options, [&](const Record &r) { records.push_back(r); },
        [](std::size_t, std::size_t, const std::string &) {});
    EXPECT_TRUE(status) << status.error().message;
    return records;
  }

  static std::string bundle(const std::string &name) { return (testdata / name).string(); }

  std::string changed(const std::string &name, const std::string &file, const std::string &from,
                      const std::string &to) {
    std::filesystem::path copy = folder / ("bundle" + std::to_string(copies++));
    std::filesystem::copy(testdata / name, copy);
    std::string text = *readTextFile(copy / file);
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(copy / file) << text;
    return copy.string();
  }

  std::string reasonOf(const std::string &path, const TunableValues &setting = {}) {
    std::vector<Record> records = run({path}, {100}, {setting});
    EXPECT_EQ(records.size(), 1U);
    return name(records.at(0).outcome) + ": " + records.at(0).reason;
  }

  static bool hasGpu() {
    Result<std::unique_ptr<Backend>> backend = openWorkers();
    return backend && (*backend)->device().find("pthread") == std::string::npos &&
           (*backend)->device().find("cpu") == std::string::npos;
  }

  std::filesystem::path folder;
  int copies = 0;
};

TEST_F(OpenCLTest, EverySizeAndGroupSize) {
  std::vector<TunableValues> settings;
  for (std::uint64_t p : {1U, 3U, 16U}) {
    for (std::uint64_t group : {1U, 8U, 64U})
      settings.push_back({{"p", p}, {"GROUP_SIZE", group}});
  }
  for (const Record &record :
       run({bundle("opencl_sum")}, {0, 1, 2, 3, 63, 64, 65, 1000, 65537}, settings))
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.reason;
}

/// Says that every kernel runs groups of 4 only, as some compilers do.
decltype(&clGetKernelWorkGroupInfo) realWorkGroupInfo = nullptr;
cl_int CL_API_CALL groupsOfFour(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, std::size_t bytes, void *value,
                                std::size_t *size) {
  cl_int code = realWorkGroupInfo(kernel, device, what, bytes, value, size);
  if (what == CL_KERNEL_WORK_GROUP_SIZE && value) {
    const std::size_t four = 4;
    std::memcpy(value, &four, sizeof four);
  }
  return code;
}

/// Why a device like that does not take a bundle with groups of 64.
std::string refusedByGroupsOfFour(const std::string &path) {
  Result<OpenCLApi> api = openOpenCL();
  if (!api)
    return api.error().message;
  Result<OpenCLDevice> device = chooseOpenCLDevice(listOpenCLDevices(*api), "");
  if (!device)
    return device.error().message;
  realWorkGroupInfo = api->clGetKernelWorkGroupInfo;
  api->clGetKernelWorkGroupInfo = groupsOfFour;
  Result<std::unique_ptr<Backend>> backend = makeOpenCLBackend(*api, *device);
  Result<Manifest> manifest = readManifest(path);
  if (!backend || !manifest)
    return "no backend or manifest";
  GivenInputs given;
  Result<Problem> problem = makeProblem(manifest->signature, given, {100, {}}, 1);
  if (!problem)
    return problem.error().message;
  const TunableValues tunables{{"p", 2}, {"GROUP_SIZE", 64}};
  Bindings bindings = problem->bindings();
  bindings.values.insert(tunables.begin(), tunables.end());
  Result<std::unique_ptr<Execution>> made =
      (*backend)->prepare(*manifest, *problem, tunables, bindings);
  return made ? "" : made.error().message;
}

TEST_F(OpenCLTest, AGroupSizeThatTheCompilerWasToldIsBelieved) {
  const std::string plain = bundle("opencl_sum");
  const std::string told =
      changed("opencl_sum", "sum.cl", "__kernel void sum_1",
              "__attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) __kernel void sum_1");
  // OpenCL is opened in processes of their own only: those that are made from this one need it too.
  auto refused = [](const std::string &path) {
    Result<Worker> worker = Worker::start(
        [&](Channel &owner) {
          const std::string text = refusedByGroupsOfFour(path);
          const std::size_t bytes = text.size();
          owner.send(&bytes, sizeof bytes);
          owner.send(text.data(), bytes);
        },
        60);
    std::size_t bytes = 0;
    if (!worker || !worker->receive(&bytes, sizeof bytes))
      return std::string("it ended");
    std::string text(bytes, '\0');
    EXPECT_TRUE(worker->receive(text.data(), bytes));
    return text;
  };
  EXPECT_EQ(refused(plain), "kernel sum_1 needs groups of 64 work-items, as built it can run 4");
  EXPECT_EQ(refused(told).find("kernel sum_1"), std::string::npos);
}

TEST_F(OpenCLTest, ProblemsTooLargeToBeSentToAWorker) {
  std::vector<Record> records = run({bundle("opencl_sum")}, {17000000, 17, 17000001}, {{{"p", 4}}});
  ASSERT_EQ(records.size(), 3U);
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.reason;
}

TEST_F(OpenCLTest, TimesComeFromTheDevice) {
  std::vector<Record> records =
      run({bundle("opencl_sum")}, {100000}, {{{"p", 4}}}, Task::VerifyAndTime);
  ASSERT_EQ(records.size(), 1U);
  ASSERT_TRUE(records[0].timing) << records[0].reason;
  EXPECT_GT(records[0].timing->min, 0);
  EXPECT_EQ(records[0].bytes, 400004U);
}

TEST_F(OpenCLTest, ColdCaches) {
  SessionOptions options;
  options.bundles = {bundle("opencl_sum")};
  options.sizes = {{1000, {}}};
  options.task = Task::VerifyAndTime;
  options.timing = {0, 2, Caches::Cold};
  std::vector<Record> records;
  Status status = runSession(
      options, [&](const Record &r) { records.push_back(r); },
      [](std::size_t, std::size_t, const std::string &) {});
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  ASSERT_TRUE(records[0].timing);
  EXPECT_EQ(records[0].timing->caches, Caches::Cold);
}

TEST_F(OpenCLTest, ConstraintsAreMetOrThePlanIsRefused) {
  std::vector<Record> records = run({bundle("opencl_constraint")}, {65537});
  EXPECT_EQ(records.at(0).outcome, Outcome::Verified) << records[0].reason;
  EXPECT_GE(records.at(0).tunables.at("p") * records[0].tunables.at("GROUP_SIZE"), 65537U);
  EXPECT_EQ(reasonOf(bundle("opencl_constraint"), {{"p", 1}, {"GROUP_SIZE", 64}}),
            "refused: kog reads one element a lane (codelets/sum.cpp:19:3): (in_size + p - 1) / p "
            "<= GROUP_SIZE does not hold with in_size = 100, p = 1, GROUP_SIZE = 64");
}

TEST_F(OpenCLTest, DeviceLimitsAreCheckedBeforeBuilding) {
  // The source would not compile: the refusal comes first.
  std::string path = changed("opencl_sum", "manifest.json", "\"count\": \"GROUP_SIZE\"",
                             "\"count\": \"GROUP_SIZE * 1099511627776\"");
  std::ofstream(path + "/sum.cl") << "not OpenCL";
  std::string reason = reasonOf(path, {{"p", 1}, {"GROUP_SIZE", 1}});
  std::string start = "refused: plan needs 4096 GiB of local memory, device has ";
  EXPECT_EQ(reason.substr(0, start.size()), start);
}

TEST_F(OpenCLTest, WhatIsTooLargeForTheDeviceIsNotEvenMade) {
  std::vector<Record> records = run({bundle("opencl_sum")}, {std::uint64_t{1} << 50, 10});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].outcome, Outcome::Refused);
  std::string start = "buffer in needs 4194304 GiB, device allocates at most ";
  EXPECT_EQ(records[0].reason.substr(0, start.size()), start);
  EXPECT_EQ(records[0].extents.at("in_size"), std::uint64_t{1} << 50);
  EXPECT_EQ(records[1].outcome, Outcome::Verified) << records[1].reason;
}

TEST_F(OpenCLTest, BuildLogOfABrokenKernel) {
  std::string path = changed("opencl_sum", "sum.cl", "int accum = 0;", "int accum = undeclared;");
  testing::internal::CaptureStderr();
  std::string reason = reasonOf(path, {{"GROUP_SIZE", 8}, {"p", 1}});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); // "1 error generated." is in the reason
  std::string start =
      "failed: " + path +
      "/sum.cl: the OpenCL compiler failed, CL_BUILD_PROGRAM_FAILURE (-11), options "
      "-cl-std=CL1.2 -DGROUP_SIZE=8:\n";
  EXPECT_EQ(reason.substr(0, start.size()), start);
  EXPECT_NE(reason.find("undeclared"), std::string::npos);
}

TEST_F(OpenCLTest, WarningsOfAGoodKernelAreDropped) {
  std::string path =
      changed("opencl_sum", "sum.cl", "int accum = 0;", "int accum = 0; int *bad = (uint *)0;");
  testing::internal::CaptureStderr();
  EXPECT_EQ(reasonOf(path, {{"GROUP_SIZE", 8}, {"p", 1}}), "verified: ");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OpenCLTest, KernelsThatDoNotFitTheirManifest) {
  EXPECT_EQ(reasonOf(changed("opencl_sum", "sum.cl", "void sum_2", "void sum_two")),
            "failed: kernel sum_2: clCreateKernel: CL_INVALID_KERNEL_NAME (-46)");
  EXPECT_EQ(reasonOf(changed("opencl_sum", "sum.cl", "ulong p, ", "ulong p, ulong q, ")),
            "failed: kernel sum_2 takes 4 arguments, its manifest gives 3");
}

TEST_F(OpenCLTest, AnElementNobodyWritesIsWrong) {
  EXPECT_EQ(run({changed("opencl_sum", "sum.cl", "*result = accum;", "")}, {0}).at(0).reason,
            "result: got -1515870811, expected 0");
}

TEST_F(OpenCLTest, AKernelThatCrashesOrNeverEndsTakesOnePlanWithIt) {
  if (hasGpu())
    GTEST_SKIP() << "needs a device that runs kernels in this machine's processes, such as PoCL's";
  std::string crash = changed("opencl_sum", "sum.cl", "*result = accum;",
                              "*(volatile __global int *)(size_t)16 = accum;");
  std::string loop = changed("opencl_sum", "sum.cl", "*result = accum;",
                             "for (volatile int i = 0; i < 2; i = 0) *result = i;");
  std::vector<Record> records =
      run({crash, loop, bundle("opencl_sum")}, {100}, {{}}, Task::VerifyAndTime, 5);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(name(records[0].outcome), "failed");
  EXPECT_EQ(records[0].reason,
            "ended by signal 11 (Segmentation fault); a codelet may index outside a container");
  EXPECT_EQ(name(records[1].outcome), "failed");
  EXPECT_EQ(records[1].reason, "ended after 5 s without a result; it may loop for ever, "
                               "--time-limit gives it longer");
  EXPECT_EQ(records[2].outcome, Outcome::Verified) << records[2].reason;
  EXPECT_TRUE(records[2].timing);
}

TEST(OpenCLWorker, WhatHappensBeforeTheFirstRun) {
  auto reason = [](const MakeExecution &make) {
    Problem problem;
    Result<std::unique_ptr<Execution>> made = makeWorkerExecution(make, problem, 0.25);
    return made ? "made" : made.error().message;
  };
  using Made = Result<std::unique_ptr<Execution>>;
  EXPECT_EQ(reason([]() -> Made { return refusal("too large"); }), "too large");
  EXPECT_EQ(reason([]() -> Made { throw std::bad_alloc(); }),
            "the values of this problem do not fit in memory");
  EXPECT_EQ(reason([]() -> Made {
              raise(SIGSEGV);
              return failure("");
            }),
            "while it was made ready: ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(reason([]() -> Made {
              sleep(10);
              return failure("");
            }),
            "while it was made ready: ended after 0.25 s; --time-limit gives it longer");
}

} // namespace
} // namespace tangram::runtime
