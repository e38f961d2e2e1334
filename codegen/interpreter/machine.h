// The machine that runs compiled plans: activities with registers, and who waits for whom.
#pragma once

#include "codegen/interpreter/interpreter.h"
#include "codegen/interpreter/memory.h"

#include <deque>
#include <random>
#include <set>
#include <utility>

namespace tangram::codegen::interpreting {

class Machine;
struct Activity;
struct Instruction;
using Handler = void (*)(Machine &, Activity &, const Instruction &);

struct Instruction {
  Handler run = nullptr;
  std::uint32_t to = 0; ///< register
  std::uint32_t a = 0, b = 0;
  std::uint32_t site = 0;
  std::uint32_t extra = 0; ///< what the handler says: an array, a place in the code, a depth
};

/// What a report says about where an operation stands.
struct Site {
  ir::SourceLocation location;
  std::string text;
};

/// An array that code refers to by number.
struct ArraySlot {
  std::string name;
  ir::Scalar element = ir::Scalar::I32;
  enum class Owner { Everybody, Group, Worker } owner = Owner::Everybody;
  const Buffer *buffer = nullptr; ///< of what a plan declares
  std::uint32_t count = 0;        ///< Group, temporaries: register with the number of elements
};

/// One Parallel of groups as the host starts it.
struct LaunchCode {
  std::size_t entry = 0;   ///< where a group begins
  std::uint32_t count = 0; ///< register: elements of the outer dimension
  bool turns = false;      ///< more elements than groups take turns
  bool nested = false;     ///< rows of groups: their code says how many each has
  bool nestedTurns = false;
  bool waits = false;                         ///< groups wait for each other
  std::array<std::uint32_t, itemDepth> sizes; ///< registers: workers of each level of items
  std::size_t depths = 0;                     ///< levels of items
  /// Memory that a launch brings: one for all items that share the first `scope` indexes, which are
  /// all of a group for 0.
  struct Local {
    std::uint32_t array = 0;
    std::uint32_t scope = 0;
  };
  std::vector<Local> locals;
};

struct Activity {
  std::vector<Value> registers;
  std::vector<std::uint8_t> set; ///< of variables that are declared without a value
  std::vector<Allocation *> arrays;
  std::deque<Allocation> own; ///< by number of the array
  std::size_t at = 0;
  enum class State { Ready, Meeting, Waiting, Launching, Counting, Ended } state = State::Ready;
  std::uint32_t scope = 0; ///< Meeting: all that share that many indexes
  std::uint32_t site = 0;  ///< Meeting, Waiting: where
  std::uint32_t launch = 0;
  bool counting = false;                  ///< runs only to find out how many groups its row has
  std::array<std::uint64_t, 2> element{}; ///< the group's number: in a row, and of the row
  std::array<std::uint64_t, 2> started{}; ///< how many of them there are
  Worker worker;
  Clock known;
};

struct Group {
  std::vector<Activity> items;
  std::deque<Allocation> locals;
};

class Machine {
public:
  struct Code {
    std::vector<Instruction> instructions;
    std::vector<Site> sites;
    std::vector<ArraySlot> arrays;
    std::vector<LaunchCode> launches;
    std::vector<Value> registers;                   ///< as they are in the beginning: the constants
    std::map<std::uint32_t, std::string> variables; ///< names, by register
    std::vector<std::pair<std::uint32_t, std::string>> constraints; ///< register and reason
    std::size_t constraintsEnd = 0; ///< the code before computes these and the counts of arrays
  };

  Machine(const Code &code, const InterpreterOptions &options)
      : code_(code), options_(options), random_(options.seed) {}

  /// `registers`: the constants, sizes and scalars. `memory` by array.
  Interpretation run(std::vector<Value> registers, std::vector<Allocation> &memory);

  // For handlers.
  void report(Report::Kind kind, std::uint32_t site, const std::string &message);
  /// The element's bytes; null after a report. `value`: what is going to be written.
  std::byte *read(Activity &a, std::uint32_t array, Value index, const Instruction &in);
  std::byte *write(Activity &a, std::uint32_t array, Value index, const Instruction &in,
                   ir::Operator::Code atomic = ir::Operator::Code::None,
                   const std::byte *value = nullptr);
  /// Of a flag: whether it is set; what its publisher knew becomes known.
  bool await(Activity &a, std::uint32_t array, Value index, const Instruction &in);
  void publish(Activity &a, std::uint32_t array, Value index, const Instruction &in);
  /// At a counter of groups: what those knew that have been there before becomes known.
  void comeBy(Activity &a, std::uint32_t array, Value index);
  void meet(Activity &a, std::uint32_t scope, std::uint32_t site);
  void allocate(Activity &a, std::uint32_t array, std::uint64_t count);
  const Code &code() const { return code_; }

private:
  void say(Activity &a, const Allocation &memory, Value index);
  bool bounds(const Activity &a, const Allocation &memory, Value index, const Instruction &in);
  std::string element(const Activity &a, std::uint32_t array, Value index) const;
  void race(const Activity &a, const Stamp &now, const Stamp &other, std::uint32_t array,
            Value index, bool write);
  std::optional<std::string> prepare(const Activity &host, std::vector<Allocation> &memory);
  bool advance(Activity &a);
  void launch(Activity &host);
  bool tooMany(std::uint64_t groups);
  std::uint64_t countInRow(const Activity &host, const LaunchCode &launch, std::uint64_t row,
                           std::array<std::uint64_t, 2> started);
  Group start(const Activity &host, const LaunchCode &launch, std::uint32_t number,
              std::array<std::uint64_t, 2> element, std::array<std::uint64_t, 2> started);
  void bring(Group &group, const LaunchCode::Local &local, std::uint64_t count);
  bool runGroup(Group &group);
  bool release(Group &group);
  bool complete(const Group &group, const Activity &a) const;
  void runTogether(Activity &host, const LaunchCode &launch,
                   std::vector<std::array<std::uint64_t, 2>> elements,
                   std::array<std::uint64_t, 2> started);
  void diverged(Group &group);
  bool over() const { return stopped_ || steps_ > options_.steps; }

  const Code &code_;
  const InterpreterOptions &options_;
  std::mt19937_64 random_;
  std::vector<Report> reports_;
  std::map<std::pair<Report::Kind, std::uint32_t>, std::size_t> reported_;
  std::map<std::pair<const Allocation *, std::uint64_t>, Clock> flags_;
  std::uint64_t mistakes_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t launchNumber_ = 1;
  std::uint32_t groupsInLaunch_ = 0;
  bool stopped_ = false;
};

} // namespace tangram::codegen::interpreting
