#include "runtime/session/worker.h"

#include "escape/escape.h"
#include "ir/temporary_folder.h"
#include "runtime/session/sandbox.h"
#include "runtime/session/time_limit.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
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

/// A pipe for printed text that never blocks its writer: text that the pipe cannot hold is lost.
bool openPipe(int (&ends)[2]) {
  constexpr int bytes = 1 << 20;
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return false;
  fcntl(ends[1], F_SETPIPE_SZ, bytes); // what it has is fine, too
  return true;
}

[[noreturn]] void beWorker(const Worker::Body &body, int socket, int said, WorkerOf of) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // An OpenCL driver may have left handlers that hide what happened.
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  ir::leaveTemporaryFolders();
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  if (const Sandbox *around = sandbox())
    around->enter(socket, of == WorkerOf::Device);
  Channel channel(socket);
  body(channel);
  _exit(0); // what the owner has to do at exit is not ours
}

/// Goes before its message.
struct StatusHeader {
  bool good = true;
  Fault fault = Fault::Failed;
  std::size_t messageBytes = 0;
};

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

Result<Worker> Worker::start(const Body &body, double timeLimit, WorkerOf of) {
  auto cannot = [](int code) {
    return failure(std::string("cannot start a process: ") + std::strerror(code));
  };
  int ends[2], pipe[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return cannot(errno);
  files::Descriptor ours(ends[0]), theirs(ends[1]);
  if (!openPipe(pipe))
    return cannot(errno);
  files::Descriptor said(pipe[0]), saying(pipe[1]);
  (void)sandbox(); // made before there are children, which inherit it
  std::cout.flush();
  const pid_t process = fork();
  if (process == 0) {
    (void)ours.close();
    beWorker(body, theirs.number(), saying.number(), of);
  }
  if (process < 0)
    return cannot(errno);
  return Worker(process, std::move(ours), std::move(said), timeLimit);
}

Worker::Worker(Worker &&other) noexcept
    : process(std::exchange(other.process, 0)), socket(std::move(other.socket)),
      said(std::move(other.said)), heard(other.heard), line(std::move(other.line)),
      timeLimit(other.timeLimit) {}

Worker::~Worker() {
  // Workers made later hold copies of `socket`: closing it would not end this one.
  if (process > 0)
    end();
}

void Worker::end() {
  kill(process, SIGKILL);
  reap();
}

int Worker::reap() {
  // kill(-process) ends what the worker has started. The number of its session is not reused before waitpid().
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  process = 0;
  hear();
  (void)said.close(); // what outlives it is not heard
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
  end();
  const std::string limit = endedAfter(timeLimit);
  if (!inCall)
    return timeOut(notReady + limit + "; --time-limit gives it longer");
  return timeOut(limit + " without a result; it may loop for ever, --time-limit gives it longer");
}

void Worker::hear() {
  constexpr std::size_t most = std::size_t{64} << 10;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0;
       said.valid() && (got = read(said.number(), chunk.data(), chunk.size())) != -1;) {
    if (got == 0)
      (void)said.close();
    else if (heard < most)
      line.append(chunk.data(), static_cast<std::size_t>(got));
    heard += static_cast<std::size_t>(got);
    for (std::size_t end = 0; (end = line.find('\n')) != std::string::npos; line.erase(0, end + 1))
      std::cerr << "bundle: " << escape::terminalLine(line.substr(0, end)) << "\n";
  }
  if (!said.valid() && !line.empty())
    std::cerr << "bundle: " << escape::terminalLine(std::exchange(line, "")) << "\n";
  if (!said.valid() && heard > most)
    std::cerr << "bundle: (it printed more, which is left out)\n";
  if (!said.valid())
    heard = 0;
}

void Worker::send(const void *data, std::size_t bytes) {
  Channel(socket.number()).send(data, bytes);
}

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
    pollfd waiting[]{{socket.number(), POLLIN, 0}, {said.number(), POLLIN, 0}};
    if (poll(waiting, 2, milliseconds) <= 0)
      continue;
    if (waiting[1].revents != 0)
      hear();
    if (waiting[0].revents == 0)
      continue;
    ssize_t got = ::recv(socket.number(), next, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return ended(inCall);
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return ok();
}

void sendStatus(Channel &owner, const Status &status) {
  StatusHeader header;
  if (!status)
    header = {false, status.error().fault, status.error().message.size()};
  owner.send(&header, sizeof header);
  if (!status)
    owner.send(status.error().message.data(), header.messageBytes);
}

Status receiveStatus(Worker &worker, std::size_t calls) {
  StatusHeader header;
  if (Status status = worker.receive(&header, sizeof header, calls); !status)
    return status;
  if (header.good)
    return ok();
  std::string message(header.messageBytes, '\0');
  if (Status status = worker.receive(message.data(), message.size()); !status)
    return status;
  return Error{header.fault, message};
}

} // namespace tangram::runtime
