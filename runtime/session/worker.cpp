#include "runtime/session/worker.h"

#include "ir/temporary_folder.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tangram::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// What usually raises a signal in a synthesized kernel.
const char *likelyCause(int signal) {
  switch (signal) {
  case SIGSEGV:
  case SIGBUS:
  case SIGABRT: // the allocator found its memory overwritten
    return "; a codelet may index outside a container";
  case SIGFPE:
    return "; a codelet may divide by 0";
  case SIGKILL:
    return "; the memory may not suffice";
  default:
    return "";
  }
}

const std::string notReady = "while it was made ready: ";

Error crash(std::string message) { return {Fault::Failed, std::move(message), Ending::Crashed}; }
Error timeOut(std::string message) { return {Fault::Failed, std::move(message), Ending::TimedOut}; }

std::string plainNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

[[noreturn]] void beWorker(const Worker::Body &body, int socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // An OpenCL driver may have left handlers that hide what happened.
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  ir::leaveTemporaryFolders();
  Channel channel(socket);
  body(channel);
  _exit(0); // what the owner has to do at exit is not ours
}

} // namespace

bool Channel::send(const void *data, std::size_t bytes) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t sent = ::send(socket, next, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool Channel::receive(void *data, std::size_t bytes) {
  char *next = static_cast<char *>(data);
  while (bytes > 0) {
    ssize_t got = ::recv(socket, next, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

Result<Worker> Worker::start(const Body &body, double timeLimit) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failure(std::string("cannot start a process: ") + std::strerror(errno));
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    beWorker(body, ends[1]);
  }
  int code = errno;
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return failure(std::string("cannot start a process: ") + std::strerror(code));
  }
  return Worker(process, ends[0], timeLimit);
}

Worker::Worker(Worker &&other) noexcept
    : process(std::exchange(other.process, 0)), socket(std::exchange(other.socket, -1)),
      timeLimit(other.timeLimit) {}

Worker::~Worker() {
  if (process > 0) {
    // Workers made later hold copies of `socket`: closing it would not end this one.
    kill(process, SIGKILL);
    reap();
  }
  if (socket >= 0)
    close(socket);
}

int Worker::reap() {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  process = 0;
  return status;
}

Error Worker::ended(bool inCall) {
  if (process == 0)
    return crash("the process has ended");
  int status = reap();
  std::string when = inCall ? "" : notReady;
  if (!WIFSIGNALED(status))
    return crash(when + "ended with exit status " + std::to_string(WEXITSTATUS(status)));
  int signal = WTERMSIG(status);
  return crash(when + "ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")" +
               (inCall ? likelyCause(signal) : ""));
}

Error Worker::tookTooLong(bool inCall) {
  kill(process, SIGKILL);
  reap();
  std::string limit = "ended after " + plainNumber(timeLimit) + " s";
  if (!inCall)
    return timeOut(notReady + limit + "; --time-limit gives it longer");
  return timeOut(limit + " without a result; it may loop for ever, --time-limit gives it longer");
}

void Worker::send(const void *data, std::size_t bytes) { Channel(socket).send(data, bytes); }

Status Worker::receive(void *data, std::size_t bytes, std::size_t calls) {
  bool inCall = calls > 0;
  double limit = timeLimit * static_cast<double>(std::max<std::size_t>(1, calls));
  Clock::time_point start = Clock::now();
  char *next = static_cast<char *>(data);
  while (bytes > 0) {
    double left = limit - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0)
      return process == 0 ? ended(inCall) : tookTooLong(inCall);
    // Rounded up, so that poll does not come back just before the limit again and again.
    int milliseconds = static_cast<int>(std::min(left, 1e6) * 1000) + 1;
    pollfd waiting{socket, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0)
      continue;
    ssize_t got = ::recv(socket, next, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return ended(inCall);
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return ok();
}

} // namespace tangram::runtime
