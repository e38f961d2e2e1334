#include "driver/whole_command.h"

#include "driver/text/known_errors.h"
#include "escape/terminal_filter.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

namespace tangram::driver {

namespace {

constexpr int inputIsWrong = 1;
constexpr int faultIsOurs = 70; // EX_SOFTWARE

/// Trees of deeply nested sources and plans are walked by recursion; the kernel leaves this much room.
constexpr rlim_t stackBytes = rlim_t{96} << 20;

const char *commandName = "tangram"; ///< for the signal handler

void say(const char *text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
    return;
}

/// Only what a signal handler may call.
void onFault(int signal) {
  say(commandName);
  say(signal == SIGABRT ? ": internal error, or a library for which the memory does not suffice; "
                          "please report it\n"
                        : ": internal error: a memory access that is wrong, or input that is "
                          "nested too deeply for the stack; please report it\n");
  std::signal(signal, SIG_DFL);
  _exit(faultIsOurs);
}

void growStack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= stackBytes)
    return;
  limit.rlim_cur = std::min(limit.rlim_max, stackBytes);
  setrlimit(RLIMIT_STACK, &limit);
}

/// On a stack of its own, since the ordinary one may be what is at its end.
void watchFaults() {
  constexpr std::size_t bytes = std::size_t{64} << 10;
  stack_t stack{};
  stack.ss_size = bytes;
  stack.ss_sp = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, nullptr) != 0)
    return;
  struct sigaction action{};
  action.sa_handler = onFault;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT}) {
    struct sigaction now{};
    // A sanitizer has its own.
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
}

int runWatched(const std::string &name, const std::function<int()> &command) {
  try {
    return command();
  } catch (const std::bad_alloc &) {
    std::cerr << name << ": the memory does not suffice" << std::endl;
    return inputIsWrong;
  } catch (const std::exception &error) {
    std::cerr << name << ": internal error: " << error.what() << "; please report it" << std::endl;
  } catch (...) {
    std::cerr << name << ": internal error: an exception of unknown kind; please report it"
              << std::endl;
  }
  return faultIsOurs;
}

} // namespace

int wholeCommand(const std::string &name, const std::function<int()> &command) {
  commandName = name.c_str();
  growStack();
  watchFaults();
  std::signal(SIGXFSZ, SIG_IGN);
  const escape::TerminalFilter out(std::cout), err(std::cerr);
  const NumberedErrors numbered(std::cerr, name);
  const int status = runWatched(name, command);
  if (std::cout.flush())
    return status;
  std::cerr << name << ": cannot write the results to standard output" << std::endl;
  return status == 0 ? inputIsWrong : status;
}

} // namespace tangram::driver
