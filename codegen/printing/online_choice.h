// Choice among the versions of a library by measurements on its first calls (dissertation 8.1.1 and 8.2): the
// parts of the emitted dispatch that no single plan has.
#pragma once

#include "codegen/printing/source.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// C of what a target does with queues where calls are enqueued and not done when they return; NAME stands for the library's
/// name. All empty: calls compute when they are called.
struct OnlineQueue {
  std::string
      parameters; ///< of a function that begins a call: the queue, and what the call waits for
  std::string parameter; ///< the queue alone
  std::string
      ready; ///< ends the function where the call has to wait for others: then it is not timed
  std::string finish;  ///< waits for what was enqueued before
  std::string end;     ///< waits for the call; `status` becomes an error
  std::string isReady; ///< the function that `ready` calls
  std::string device;  ///< NAME_device_of: a number of the queue's device
};

/// Calls whose extents have the same numbers of bits are of one class. In each class the first calls go
/// to the versions in turns: each is called once, and then three times, timed; one that takes four times
/// as long as the best is not called again. All later calls of the class take the fastest, or the one that
/// the sizes ask for where no other is 3 % faster. Each call gives its caller the result: nothing is
/// computed twice.
///
/// All state is read and written atomically, without locks. A table of 512 classes is open-addressed and
/// never shrinks; when it is full, further classes are served as the sizes ask.
class OnlineChoice {
public:
  /// `name`: of the library's function; `versions`: how many; `extents`: those that tell classes apart.
  OnlineChoice(std::string name, std::size_t versions, std::vector<std::string> extents,
               OnlineQueue queue);

  /// What stands at the top of the file, and what the functions below use.
  std::string features() const;
  std::string includes() const;
  std::string definitions() const;

  /// NAME_choose, and the enumeration of what it takes, for the header and for the source.
  std::string declarations() const;
  std::string chooseFunction() const;

  /// Names in NAME_chosen: of its parameters, of two variables that are called otherwise, and of the table
  /// of classes.
  struct ChosenNames {
    std::vector<std::string> parameters;
    std::string how, own, classes;
  };
  /// "int NAME_chosen(...)", where `first` is the version that the sizes ask for.
  std::string chosenFunction(const std::string &head, const std::string &first,
                             const std::string &key, const ChosenNames &names) const;

  std::string tableType() const { return "struct " + name_ + "_class"; }
  std::string table() const { return name_ + "_classes"; } ///< of the functions without a handle
  std::string tableSize() const { return name_ + "_most_classes"; }

  /// The class of a call; `more`: another number that tells classes apart, or empty.
  std::string key(const std::string &more) const;
  /// A number that times in a class are about proportional to.
  std::string elements() const;

  /// "NAME_begin(classes, key, first, ...)": a `struct NAME_call`.
  std::string begin(const std::string &classes, const std::string &key, const std::string &first,
                    const std::vector<std::string> &queueAndWaits) const;
  std::string callType() const { return "struct " + name_ + "_call"; }
  /// The statement that ends a call which is timed.
  std::string end(const std::string &call, const std::string &first, const std::string &served,
                  const std::string &status, const std::vector<std::string> &queue) const;

private:
  std::string name_;
  std::size_t versions_;
  std::vector<std::string> extents_;
  OnlineQueue queue_;
};

} // namespace tangram::codegen
