// A process of its own for generated code. When that crashes or loops for ever, the
// process goes and the command stays, and can say whose fault it was.
#pragma once

#include "files/scratch.h"
#include "runtime/session/result.h"

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace tangram::runtime {

/// The seconds one call of generated code may take when nobody says otherwise.
inline constexpr double defaultTimeLimit = 120;

/// One end of the connection between a worker and its owner. Neither function raises SIGPIPE.
class Channel {
public:
  explicit Channel(int socket) : socket(socket) {}
  /// False when the other end is gone.
  bool send(const void *data, std::size_t bytes);
  bool receive(void *data, std::size_t bytes);

private:
  int socket;
};

/// The code that a worker runs. Memory is not limited for Device: drivers reserve address space far beyond any memory.
enum class WorkerOf : unsigned char { Host, Device };

/// A child process made by fork, in the sandbox of this process (session/sandbox.h) if there is one. It sees all memory
/// as it was at the fork; its writes are its own. It ends with its owner, or with this object. Its output is printed on
/// standard error, marked as a bundle's: results come by the channel alone. Move only.
class Worker {
public:
  /// The code of the child, which ends when this returns.
  using Body = std::function<void(Channel &)>;

  /// Error (Fault::Failed): "cannot start a process: Resource temporarily unavailable".
  /// `timeLimit` is in seconds, for every receive().
  static Result<Worker> start(const Body &body, double timeLimit, WorkerOf of = WorkerOf::Host);

  Worker(Worker &&other) noexcept;
  Worker &operator=(Worker &&) = delete;
  ~Worker();

  /// Data sent to a worker that has ended are lost; the next receive() says why it ended.
  void send(const void *data, std::size_t bytes);

  /// Errors (Fault::Failed): "ended by signal 11 (Segmentation fault); a codelet may index outside
  /// a container", "ended with exit status 1", "ended after 120 s without a result; it may loop for
  /// ever, --time-limit gives it longer". The worker is gone then; calling again gives an error.
  /// `calls`: how many calls the answer takes; 0: it is only made ready for them, "while it was made
  /// ready: ended by signal 11 (Segmentation fault)", and may take as long as one.
  Status receive(void *data, std::size_t bytes, std::size_t calls = 1);

  /// False once receive() has told how it ended.
  bool running() const { return process > 0; }

private:
  Worker(pid_t process, files::Descriptor socket, files::Descriptor said, double timeLimit)
      : process(process), socket(std::move(socket)), said(std::move(said)), timeLimit(timeLimit) {}

  /// Ends the child and all that it has started in its session, and forgets it.
  void end();
  /// Waits for the child and forgets it.
  int reap();
  /// Prints what the child has printed, on standard error.
  void hear();
  Error ended(bool inCall);
  Error tookTooLong(bool inCall);

  pid_t process; ///< 0 when it has ended
  files::Descriptor socket;
  files::Descriptor said; ///< standard output and standard error of the child
  std::size_t heard = 0;  ///< bytes of it
  std::string line;       ///< of it, not yet at its end
  double timeLimit;
};

/// In a worker: tells its owner whether the request succeeded.
void sendStatus(Channel &owner, const Status &status);

/// The status that a worker sent for its last request, or how it ended. `calls`: see Worker::receive.
Status receiveStatus(Worker &worker, std::size_t calls = 1);

} // namespace tangram::runtime
