// A process of its own for generated code. When that crashes or loops for ever, the
// process goes and the command stays, and can say whose fault it was.
#pragma once

#include "runtime/session/result.h"

#include <sys/types.h>

#include <cstddef>
#include <functional>

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

/// A child made by fork: it sees all memory as it was when it was made, and its writes are its own.
/// Ends with its owner, or when this object does. Move only.
class Worker {
public:
  /// What the child does. It ends when this returns.
  using Body = std::function<void(Channel &)>;

  /// Error (Fault::Failed): "cannot start a process: Resource temporarily unavailable".
  /// `timeLimit` is in seconds, for every receive().
  static Result<Worker> start(const Body &body, double timeLimit);

  Worker(Worker &&other) noexcept;
  Worker &operator=(Worker &&) = delete;
  ~Worker();

  /// What is sent to a worker that has ended is lost; the next receive() says why it did.
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
  Worker(pid_t process, int socket, double timeLimit)
      : process(process), socket(socket), timeLimit(timeLimit) {}

  /// Waits for the child and forgets it.
  int reap();
  Error ended(bool inCall);
  Error tookTooLong(bool inCall);

  pid_t process; ///< 0 when it has ended
  int socket;
  double timeLimit;
};

} // namespace tangram::runtime
