// CUDA's driver and NVRTC for tests on machines without a GPU: tangram-run takes it by TANGRAM_CUDA_LIBRARY and
// TANGRAM_NVRTC_LIBRARY. "NVRTC" hands the source to the system's C++ compiler, below a header that gives CUDA's words a
// meaning; the "driver" runs the blocks of a launch one after the other, in ascending order, and the threads of a block as
// fibers that change at barriers. A barrier that not all threads of a block (or lanes of a warp) come to ends the launch with
// an error. Shared memory holds garbage when a block begins.
//
// Only what runtime/cuda calls, and what codegen/targets/cuda prints, is there.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

/// What stands above the source.
constexpr const char *prelude = R"cpp(
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>
#include <vector>
#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
struct EmulatedIndex { unsigned x, y, z; };
namespace emulated {
EmulatedIndex block, grid, threads;
constexpr std::size_t stackBytes = 1 << 17;
constexpr std::size_t sharedBytes = 232448;
alignas(256) unsigned char shared[sharedBytes];
enum class State { Ready, AtBarrier, AtWarp, Done };
struct Fiber { ucontext_t context; State state; EmulatedIndex thread; unsigned number; char slot[16]; };
std::vector<Fiber> fibers;
Fiber *running;
ucontext_t scheduler;
char *stacks;
void (*body)(void **);
void **arguments;
void wait(State at) { running->state = at; swapcontext(&running->context, &scheduler); }
void enter() { body(arguments); running->state = State::Done; swapcontext(&running->context, &scheduler); }
unsigned lane() { return running->number % 32; }
bool runBlock() {
  unsigned number = 0;
  for (unsigned y = 0; y < threads.y; ++y)
    for (unsigned x = 0; x < threads.x; ++x, ++number) {
      Fiber &each = fibers[number];
      getcontext(&each.context);
      each.context.uc_stack.ss_sp = stacks + number * stackBytes;
      each.context.uc_stack.ss_size = stackBytes;
      each.context.uc_link = nullptr;
      each.state = State::Ready;
      each.thread = {x, y, 0};
      each.number = number;
      makecontext(&each.context, enter, 0);
    }
  for (;;) {
    for (Fiber &each : fibers)
      if (each.state == State::Ready) { running = &each; swapcontext(&scheduler, &each.context); }
    bool released = false, done = true, together = true;
    for (std::size_t warp = 0; warp < fibers.size(); warp += 32) {
      bool here = true, some = false;
      for (std::size_t i = warp; i < warp + 32 && i < fibers.size(); ++i) {
        done &= fibers[i].state == State::Done;
        together &= fibers[i].state == State::AtBarrier || fibers[i].state == State::Done;
        here &= fibers[i].state == State::AtWarp || fibers[i].state == State::Done;
        some |= fibers[i].state == State::AtWarp;
      }
      for (std::size_t i = warp; here && some && i < warp + 32 && i < fibers.size(); ++i)
        if (fibers[i].state == State::AtWarp) { fibers[i].state = State::Ready; released = true; }
    }
    if (done) return true;
    if (together)
      for (Fiber &each : fibers)
        if (each.state == State::AtBarrier) { each.state = State::Ready; released = true; }
    if (!released) return false;
  }
}
bool run(void (*f)(void **), void **a, const unsigned *sizes) {
  body = f; arguments = a;
  grid = {sizes[0], sizes[1], 1}; threads = {sizes[2], sizes[3], 1};
  fibers.assign(std::size_t(threads.x) * threads.y, Fiber());
  const std::size_t bytes = fibers.size() * stackBytes;
  stacks = (char *)mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool good = true;
  for (unsigned y = 0; good && y < grid.y; ++y)
    for (unsigned x = 0; good && x < grid.x; ++x) {
      block = {x, y, 0};
      std::memset(shared, 0xA5, sizeof shared);
      good = runBlock();
    }
  munmap(stacks, bytes);
  return good;
}
template <class... A, std::size_t... i>
void call(void (*f)(A...), void **a, std::index_sequence<i...>) { f(*(std::remove_reference_t<A> *)a[i]...); }
template <class... A> void call(void (*f)(A...), void **a) { call(f, a, std::index_sequence_for<A...>()); }
template <class T> T exchange(T value, unsigned from) {
  std::memcpy(running->slot, &value, sizeof value);
  const unsigned warp = running->number / 32 * 32;
  wait(State::AtWarp);
  T other = value;
  if (warp + from < fibers.size() && from < 32) std::memcpy(&other, fibers[warp + from].slot, sizeof other);
  wait(State::AtWarp);
  return other;
}
} // namespace emulated
#define threadIdx (emulated::running->thread)
#define blockIdx (emulated::block)
#define gridDim (emulated::grid)
#define blockDim (emulated::threads)
static const int warpSize = 32;
static inline void __syncthreads() { emulated::wait(emulated::State::AtBarrier); }
static inline void __syncwarp(unsigned = 0xffffffffu) { emulated::wait(emulated::State::AtWarp); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
template <class T> static inline T __shfl_sync(unsigned, T v, int from, int = 32) { return emulated::exchange(v, (unsigned)from % 32); }
template <class T> static inline T __shfl_up_sync(unsigned, T v, unsigned by, int = 32) {
  const unsigned lane = emulated::lane(); return emulated::exchange(v, lane < by ? lane : lane - by); }
template <class T> static inline T __shfl_down_sync(unsigned, T v, unsigned by, int = 32) {
  const unsigned lane = emulated::lane(); return emulated::exchange(v, lane + by > 31 ? lane : lane + by); }
template <class T> static inline T __shfl_xor_sync(unsigned, T v, int by, int = 32) { return emulated::exchange(v, emulated::lane() ^ (unsigned)by); }
template <class T> static inline T atomicAdd(T *p, T v) { T old = *p; *p = old + v; return old; }
template <class T> static inline T atomicMin(T *p, T v) { T old = *p; if (v < old) *p = v; return old; }
template <class T> static inline T atomicMax(T *p, T v) { T old = *p; if (old < v) *p = v; return old; }
template <class T> static inline T atomicExch(T *p, T v) { T old = *p; *p = v; return old; }
template <class T> static inline T atomicCAS(T *p, T expected, T v) { T old = *p; if (old == expected) *p = v; return old; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
using std::abs;
)cpp";

constexpr const char *dynamicShared =
    "extern __shared__ __align__(16) unsigned char shared_memory[];";

int failed(const char *what) {
  std::fprintf(stderr, "emulated CUDA: %s\n", what);
  return 719; // CUDA_ERROR_LAUNCH_FAILED
}

struct Program {
  std::string source, log, object;
  std::vector<std::string> kernels, lowered;
};

std::string temporary(const char *end) {
  static int number = 0;
  const char *folder = std::getenv("TMPDIR");
  return std::string(folder && *folder ? folder : "/tmp") + "/emulated-cuda-" +
         std::to_string(getpid()) + "-" + std::to_string(number++) + end;
}

std::string quoted(const std::string &word) { return "'" + word + "'"; }

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
using Object = void *;

EXPORT int nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, 0; }
EXPORT int nvrtcGetNumSupportedArchs(int *count) { return *count = 1, 0; }
EXPORT int nvrtcGetSupportedArchs(int *all) { return all[0] = 90, 0; }
EXPORT int nvrtcCreateProgram(Object *program, const char *source, const char *, int, const char *const *,
                              const char *const *) {
  *program = new Program{source, "", "", {}, {}};
  return 0;
}
EXPORT int nvrtcDestroyProgram(Object *program) {
  delete static_cast<Program *>(*program);
  return 0;
}
EXPORT int nvrtcAddNameExpression(Object program, const char *name) {
  static_cast<Program *>(program)->kernels.emplace_back(name);
  static_cast<Program *>(program)->lowered.push_back("emulated_" + std::string(name));
  return 0;
}
EXPORT int nvrtcCompileProgram(Object object, int count, const char *const *options) {
  Program &program = *static_cast<Program *>(object);
  std::string text = program.source;
  for (std::size_t at; (at = text.find(dynamicShared)) != std::string::npos;)
    text.replace(at, std::strlen(dynamicShared), "unsigned char *const shared_memory = emulated::shared;");
  const std::string file = temporary(".cpp");
  program.object = temporary(".so");
  {
    std::ofstream out(file);
    out << prelude << "#line 1 \"kernels\"\n" << text << "\n";
    for (const std::string &kernel : program.kernels)
      out << "extern \"C\" bool emulated_" << kernel << "(void **a, const unsigned *sizes) {\n"
          << "  return emulated::run([](void **each) { emulated::call(" << kernel
          << ", each); }, a, sizes);\n}\n";
  }
  std::string command = "g++ -std=c++17 -O1 -w -shared -fPIC -ffp-contract=off";
  for (int i = 0; i < count; ++i) {
    if (std::strncmp(options[i], "-D", 2) == 0)
      command += " " + quoted(options[i]);
  }
  const std::string log = temporary(".log");
  command += " -o " + quoted(program.object) + " " + quoted(file) + " > " + quoted(log) + " 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream said(log);
  program.log.assign(std::istreambuf_iterator<char>(said), {});
  if (!std::getenv("EMULATED_CUDA_KEEP"))
    unlink(file.c_str());
  unlink(log.c_str());
  return status == 0 ? 0 : 6; // NVRTC_ERROR_COMPILATION
}
EXPORT int nvrtcGetLoweredName(Object object, const char *name, const char **lowered) {
  Program &program = *static_cast<Program *>(object);
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    if (program.kernels[i] == name)
      return *lowered = program.lowered[i].c_str(), 0;
  }
  return 11;
}
EXPORT int nvrtcGetProgramLogSize(Object program, std::size_t *bytes) {
  return *bytes = static_cast<Program *>(program)->log.size() + 1, 0;
}
EXPORT int nvrtcGetProgramLog(Object program, char *log) {
  return std::strcpy(log, static_cast<Program *>(program)->log.c_str()), 0;
}
EXPORT int nvrtcGetCUBINSize(Object program, std::size_t *bytes) {
  return *bytes = static_cast<Program *>(program)->object.size() + 1, 0;
}
EXPORT int nvrtcGetCUBIN(Object program, char *code) {
  return std::strcpy(code, static_cast<Program *>(program)->object.c_str()), 0;
}
EXPORT int nvrtcGetPTXSize(Object program, std::size_t *bytes) { return nvrtcGetCUBINSize(program, bytes); }
EXPORT int nvrtcGetPTX(Object program, char *code) { return nvrtcGetCUBIN(program, code); }

EXPORT int cuInit(unsigned) { return 0; }
EXPORT int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
EXPORT int cuDeviceGetCount(int *count) { return *count = 1, 0; }
EXPORT int cuDeviceGet(int *device, int) { return *device = 0, 0; }
EXPORT int cuDeviceGetName(char *name, int bytes, int) { return std::snprintf(name, bytes, "emulated device"), 0; }
EXPORT int cuDeviceGetAttribute(int *value, int what, int) {
  *value = what == 1 ? 1024 : what == 16 ? 4 : what == 75 ? 9 : what == 97 ? 232448 : what == 13 ? 1000000 : 0;
  return 0;
}
EXPORT int cuDeviceTotalMem_v2(std::size_t *bytes, int) { return *bytes = std::size_t{4} << 30, 0; }
EXPORT int cuDevicePrimaryCtxRetain(Object *context, int) { return *context = (Object)1, 0; }
EXPORT int cuCtxSetCurrent(Object) { return 0; }
EXPORT int cuStreamCreate(Object *stream, unsigned) { return *stream = (Object)1, 0; }
EXPORT int cuStreamSynchronize(Object) { return 0; }
EXPORT int cuStreamWaitValue32_v2(Object, unsigned long long, unsigned, unsigned) { return 801; }
EXPORT int cuMemAlloc_v2(unsigned long long *address, std::size_t bytes) {
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = (unsigned long long)memory;
  return memory ? 0 : 2;
}
EXPORT int cuMemFree_v2(unsigned long long address) { return std::free((void *)address), 0; }
EXPORT int cuMemHostAlloc(void **, std::size_t, unsigned) { return 801; }
EXPORT int cuMemHostGetDevicePointer_v2(unsigned long long *, void *, unsigned) { return 801; }
EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, std::size_t bytes, Object) {
  return std::memcpy((void *)to, from, bytes), 0;
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, std::size_t bytes, Object) {
  return std::memcpy(to, (const void *)from, bytes), 0;
}
EXPORT int cuMemsetD8Async(unsigned long long to, unsigned char value, std::size_t count, Object) {
  return std::memset((void *)to, value, count), 0;
}
EXPORT int cuMemsetD32Async(unsigned long long to, unsigned value, std::size_t count, Object) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy((char *)to + 4 * i, &value, 4);
  return 0;
}
EXPORT int cuMemsetD2D32Async(unsigned long long to, std::size_t pitch, unsigned value, std::size_t width,
                              std::size_t height, Object stream) {
  for (std::size_t row = 0; row < height; ++row)
    cuMemsetD32Async(to + row * pitch, value, width, stream);
  return 0;
}
EXPORT int cuModuleLoadData(Object *module, const void *code) {
  *module = dlopen(static_cast<const char *>(code), RTLD_NOW | RTLD_LOCAL);
  unlink(static_cast<const char *>(code));
  return *module ? 0 : failed(dlerror());
}
EXPORT int cuModuleUnload(Object module) { return dlclose(module), 0; }
EXPORT int cuModuleGetFunction(Object *function, Object module, const char *name) {
  return (*function = dlsym(module, name)) ? 0 : 500;
}
EXPORT int cuFuncGetAttribute(int *value, int, Object) { return *value = 1024, 0; }
EXPORT int cuFuncSetAttribute(Object, int, int) { return 0; }
EXPORT int cuLaunchKernel(Object function, unsigned gx, unsigned gy, unsigned, unsigned bx, unsigned by, unsigned,
                          unsigned, Object, void **arguments, void **) {
  const unsigned sizes[4] = {gx, gy, bx, by};
  if (gx == 0 || gy == 0 || bx * by == 0 || bx * by > 1024 || gy > 65535)
    return 1;
  return ((bool (*)(void **, const unsigned *))function)(arguments, sizes)
             ? 0
             : failed("a barrier that some threads of a block do not come to");
}
EXPORT int cuEventCreate(Object *event, unsigned) { return *event = (Object)1, 0; }
EXPORT int cuEventDestroy_v2(Object) { return 0; }
EXPORT int cuEventRecord(Object, Object) { return 0; }
EXPORT int cuEventElapsedTime(float *milliseconds, Object, Object) { return *milliseconds = 1.0f, 0; }
EXPORT int cuGetErrorName(int code, const char **name) {
  *name = code == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR";
  return 0;
}
