// Errors of the runtime are values. A Result is what was asked for, or why not.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace tangram::runtime {

/// Whose fault it is; decides the status of a run and the exit status.
enum class Fault {
  Input,   ///< the bundle, an input file or a size is wrong
  Usage,   ///< the command line is wrong
  Refused, ///< the plan cannot serve this size, these tunables or this device
  Failed,  ///< something that should have worked did not: a compiler, a launch
};

/// How the process of generated code ended, where that is what went wrong.
enum class Ending {
  None,
  Crashed,  ///< a signal, or an exit that nobody asked for
  TimedOut, ///< it was ended, because it took too long
};

struct Error {
  Fault fault = Fault::Failed;
  /// One line or several (a compiler's output), no newline at the end.
  std::string message;
  Ending ending = Ending::None;
};

inline Error inputError(std::string message) { return {Fault::Input, std::move(message)}; }
inline Error usageError(std::string message) { return {Fault::Usage, std::move(message)}; }
inline Error refusal(std::string message) { return {Fault::Refused, std::move(message)}; }
inline Error failure(std::string message) { return {Fault::Failed, std::move(message)}; }

/// A T, or an Error. Test it, then take `*result` or `result.error()`.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Error error) : state(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state); }
  T &operator*() { return std::get<T>(state); }
  const T &operator*() const { return std::get<T>(state); }
  T *operator->() { return &std::get<T>(state); }
  const T *operator->() const { return &std::get<T>(state); }
  const Error &error() const { return std::get<Error>(state); }

private:
  std::variant<T, Error> state;
};

/// For what has no value to give.
using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

} // namespace tangram::runtime
