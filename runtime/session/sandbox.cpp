#include "runtime/session/sandbox.h"

#include "runtime/session/landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

constexpr rlim_t mostFileBytes = rlim_t{4} << 30;
constexpr rlim_t mostDescriptors = 4096;
/// Processes and threads that this user may have beside those that there are.
constexpr rlim_t mostProcesses = 16384;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

fs::path orElse(const std::string &set, const fs::path &otherwise) {
  return set.empty() ? otherwise : fs::path(set);
}

/// Folders that compilers and drivers of OpenCL keep what they have compiled in.
std::vector<fs::path> caches() {
  const fs::path home = variable("HOME");
  const fs::path base = orElse(variable("XDG_CACHE_HOME"), home.empty() ? "" : home / ".cache");
  std::vector<fs::path> all;
  const auto add = [&](const char *set, const fs::path &otherwise) {
    if (const fs::path folder = orElse(variable(set), otherwise); folder.is_absolute())
      all.push_back(folder);
  };
  const auto below = [](const fs::path &folder, const char *name) {
    return folder.empty() ? fs::path() : folder / name;
  };
  add("POCL_CACHE_DIR", below(base, "pocl"));
  add("CUDA_CACHE_PATH", below(home, ".nv"));
  add("NEO_CACHE_DIR", below(base, "neo_compiler_cache"));
  add("MESA_SHADER_CACHE_DIR", below(base, "mesa_shader_cache"));
  add("AMD_COMGR_CACHE_DIR", below(base, "comgr"));
  add("CUDA_MPS_PIPE_DIRECTORY", "/tmp/nvidia-mps");
  add("CCACHE_DIR", {});
  return all;
}

/// Devices that programs write to, and memory that processes share.
std::vector<fs::path> devices() {
  std::vector<fs::path> all;
  for (const char *name : {"null", "zero", "full", "tty", "shm", "dri", "accel", "kfd"})
    all.push_back(fs::path("/dev") / name);
  std::error_code error;
  for (fs::directory_iterator each("/dev", error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().filename().string().starts_with("nvidia"))
      all.push_back(each->path());
  }
  all.emplace_back("/proc/self");
  return all;
}

/// The bytes that "VmData:  8192 kB" says this process has.
rlim_t dataBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    rlim_t kilobytes = 0;
    if (key == "VmData:" && status >> kilobytes)
      return kilobytes << 10;
  }
  return 0;
}

rlim_t physicalBytes() { return rlim_t(sysconf(_SC_PHYS_PAGES)) * rlim_t(sysconf(_SC_PAGESIZE)); }

/// Not above what there is.
template <class Resource> void limit(Resource resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0)
    return;
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(resource, &now);
}

rlim_t processesNow() {
  struct sysinfo info{};
  return sysinfo(&info) == 0 ? info.procs : 0;
}

void closeAllBut(int kept) {
  const auto close = [](unsigned first, unsigned last) {
    if (first <= last && close_range(first, last, 0) != 0) {
      const auto most = static_cast<unsigned>(sysconf(_SC_OPEN_MAX));
      for (unsigned each = first; each <= std::min(last, most); ++each)
        ::close(static_cast<int>(each));
    }
  };
  close(3, static_cast<unsigned>(kept) - 1);
  close(static_cast<unsigned>(kept) + 1, ~0U);
}

} // namespace

Sandbox::Sandbox() : landlock_(landlockVersion()) {
  for (const fs::path &cache : caches()) {
    std::error_code ignored;
    if (cache.filename() == "pocl")
      fs::create_directories(cache, ignored);
    if (fs::is_directory(cache, ignored))
      writable_.push_back(cache);
  }
  if (!temporary_.path().empty())
    writable_.push_back(temporary_.path());
}

void Sandbox::enter(int kept, bool hasDevice) const {
  setsid();
  closeAllBut(kept);
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, mostFileBytes);
  limit(RLIMIT_NOFILE, mostDescriptors);
  limit(RLIMIT_NPROC, processesNow() + mostProcesses);
  if (!hasDevice)
    limit(RLIMIT_DATA, dataBytes() + physicalBytes());
  if (!temporary_.path().empty())
    setenv("TMPDIR", temporary_.path().c_str(), 1);
  std::vector<fs::path> writable = writable_;
  const std::vector<fs::path> alsoDevices = devices();
  writable.insert(writable.end(), alsoDevices.begin(), alsoDevices.end());
  // Without it the rest still holds; description() says so.
  if (landlock_ > 0 && !confineWriting(landlock_, writable))
    std::_Exit(126);
}

std::string Sandbox::description() const {
  std::string text =
      "sandbox: bundles run in processes of their own session, without this one's "
      "descriptors, input and privileges;\n"
      "sandbox: files of at most 4 GiB, 4,096 descriptors, 16,384 more processes, on "
      "the processor no more memory than the machine has\n";
  if (landlock_ == 0)
    return text +
           "sandbox: this kernel has no Landlock: a bundle may write files wherever you may\n";
  text += "sandbox: Landlock " + std::to_string(landlock_) + ": files are written only in";
  for (const fs::path &path : writable_)
    text += " " + path.string();
  text += " and in devices\n";
  text += landlock_ >= landlockKeepsFromNetwork ? "sandbox: no TCP connections\n"
                                                : "sandbox: this kernel does not keep a bundle "
                                                  "from the network\n";
  if (landlock_ >= landlockKeepsFromSignals)
    text += "sandbox: no signals to other processes\n";
  return text;
}

namespace {

struct Chosen {
  bool isOff = false;
  std::optional<Sandbox> made;
};

/// One a process, like its umask: what workers may do is no matter of the bundle that they run.
Chosen &chosen() {
  static Chosen the;
  return the;
}

} // namespace

const Sandbox *sandbox() {
  Chosen &the = chosen();
  if (the.isOff)
    return nullptr;
  if (!the.made)
    the.made.emplace();
  return &*the.made;
}

void switchSandboxOff() { chosen().isOff = true; }

} // namespace tangram::runtime
