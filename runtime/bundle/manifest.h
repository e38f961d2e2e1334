// What a bundle says about itself: manifest.json, read and validated.
// docs/bundle.md explains every field; runtime/bundle/manifest.schema.json is the
// schema. Whoever holds a Manifest may rely on it: names are unique and known,
// expressions parse, kernels refer to buffers that exist, files are there.
#pragma once

#include "ir/type.h"
#include "runtime/bundle/expression.h"
#include "runtime/bundle/named_numbers.h"
#include "runtime/bundle/target.h"
#include "runtime/session/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// The version of manifest.json this runtime reads.
inline constexpr std::uint64_t manifestVersion = 1;

/// The file "wide" of a bundle: the manifest of its plan in wider numbers.
inline constexpr const char *wideManifest = "wide/manifest.json";

enum class Access { In, Out, InOut };

/// Integer scalars that nobody gives are uniform in [0, usualScalarLimit), where no constraint is in the way.
inline constexpr std::int64_t usualScalarLimit = 11;

/// One parameter of the spectrum: a container with its extents, or a scalar.
struct Parameter {
  std::string name;
  bool container = true;
  ir::Scalar element = ir::Scalar::I32;
  Access access = Access::In;
  std::vector<std::string> extents; ///< names, outermost dimension first
  /// Integer scalars only: generated values are in [low, high) (runtime/bundle/scalar_bounds.h).
  std::int64_t low = 0, high = usualScalarLimit;
  /// Scalars only: no loop, size, index, shift or divisor depends on it, so any value may be generated. Otherwise a
  /// large value could make a run last for ever.
  bool anyValue = false;
  std::int64_t least = 0, most = 0; ///< the extremes of an integer scalar with anyValue

  bool isOutput() const { return container && access != Access::In; }
  bool isInput() const { return !container || access != Access::Out; }
};

/// The caller's guarantee about a shape: `extent` has the value of `equals`.
struct ShapeEquation {
  std::string extent;
  Expression equals; ///< over extents and integer scalars
};

/// The caller's guarantee about the elements of a container, or about a floating-point scalar.
struct DataContract {
  enum class Kind {
    Within,    ///< low <= element < high
    Ascending, ///< never less than the one before; the first is low, the last is high
  };
  std::string parameter;
  Kind kind = Kind::Within;
  Expression low, high; ///< over extents and integer scalars
  /// Of floating-point numbers, in place of low and high.
  std::optional<std::pair<double, double>> reals;
};

struct Signature {
  std::vector<Parameter> parameters;
  std::optional<ir::Scalar> result;
  std::vector<ShapeEquation> shape;
  std::vector<DataContract> data;
  /// What the plan requires of extents alone, such as `bins_size <= 1024`: sizes that are made up meet it.
  std::vector<Expression> limits = {};
  /// The same of integer scalars alone, such as `2 * pad < window`.
  std::vector<Expression> scalarLimits = {};
  NamedNumbers constants = {}; ///< numbers that the source names, for DataKind::Constants

  /// Every extent name once, in order.
  std::vector<std::string> extents() const;
  const Parameter *parameter(const std::string &name) const;
};

struct Tunable {
  std::string name;
  bool compileTime = false; ///< -DNAME=value; otherwise a size_t of the call
  Expression defaultValue;  ///< over device facts; launch: also over sizes and compile tunables
  std::uint64_t min = 1;
  std::uint64_t max = 1;
  std::vector<std::uint64_t> values; ///< the only ones allowed; empty: all of [min, max]
  std::vector<Expression>
      tries; ///< launch: what to try first where the default breaks a constraint
  std::string meaning;

  bool allows(std::uint64_t value) const;
};

struct Constraint {
  Expression require;
  std::string reason;
};

/// A temporary. Local ones are declared by a kernel; they are listed so that a
/// plan that needs too much is refused before it is compiled.
struct Buffer {
  std::string name;
  bool local = false;
  ir::Scalar element = ir::Scalar::I32;
  Expression count;
  std::string kernel;     ///< local: the kernel that declares it; empty: all of them
  bool zeroed = false;    ///< global: holds zeros before the first call, and each call leaves them
  bool exchanged = false; ///< global: nothing but atomic exchanges writes it
};

struct KernelArgument {
  enum class Kind { Buffer, Scalar, Parameter, Counter };
  Kind kind = Kind::Buffer;
  /// Buffer: parameter, temporary or "result"; Parameter: scalar parameter; Counter: of the schedule
  std::string name;
  Expression scalar; ///< Scalar: an index, passed as a ulong, or a uint where these are narrow
};

struct Kernel {
  std::string name;
  Expression groups;
  Expression groupSize;
  std::vector<KernelArgument> arguments;
  // Of a launch in two dimensions: rows of groups, and rows of items in a group.
  std::optional<Expression> groupsY = std::nullopt;
  std::optional<Expression> groupSizeY = std::nullopt;
  /// Bytes of memory of a group that a launch asks for; null: the kernel declares its own.
  std::optional<Expression> shared = std::nullopt;
  std::uint64_t barriers = 0; ///< in its source, for people
};

/// One thing the host of a bundle of kernels does.
struct Step {
  enum class Kind {
    Launch, ///< kernel `name`
    For, ///< the counter `name` from `from` by `by`, or times it, while it is below `below`: `steps`
    While,   ///< `steps` while element 0 of the buffer `name` is not 0
    DoWhile, ///< the same, asked after each round
    If,      ///< `steps` if it is not 0, else `otherwise`
    Swap     ///< the buffers `name` and `other` exchange their memory
  };
  Kind kind = Kind::Launch;
  std::string name, other;
  std::size_t kernel = 0;               ///< Launch: its place among the kernels
  ir::Scalar element = ir::Scalar::U32; ///< For: type of the counter
  Expression from, below, by;           ///< over what kernels' launch sizes are over
  bool multiplies = false;              ///< For: the counter is multiplied by `by`
  std::vector<Step> steps, otherwise;
};

struct Manifest {
  std::filesystem::path folder;
  std::string file; ///< path of manifest.json, for messages
  std::string generator;
  std::string spectrum;
  Target target = Target::OpenMP;
  std::string model;
  std::string sourceFile; ///< the codelets it was made from
  std::string sourceHash;
  std::string planId;
  std::vector<std::string> steps;
  std::vector<std::string> derivation;
  Signature signature;
  std::vector<Tunable> tunables;
  std::vector<Constraint> constraints;
  std::vector<Buffer> buffers;
  std::vector<Kernel> kernels;
  std::vector<Step> schedule; ///< empty: one kernel after the other
  /// No less than any index of a kernel; below 2^31 kernels may be built with indexes of 32 bits.
  std::optional<Expression> mostIndex;
  Expression bytesRead;
  Expression bytesWritten;
  bool trafficKnown = true; ///< false: "traffic" is null, and there are no such expressions
  std::optional<Expression> roundingDepth;  ///< null: integers only, compared exactly
  std::map<std::string, std::string> files; ///< role -> file name
  /// Why the file "wide", the manifest of the plan in wider numbers, is not there; empty: it is, or nothing is
  /// floating point.
  std::string wideRefusal;
  std::vector<std::string> flags; ///< compiler flags for its target

  /// How many bytes move is a matter of values: "traffic" is null, or elements of a container are
  /// indexes by which others are found.
  bool bytesDependOnData() const;
  const Tunable *tunable(const std::string &name) const;
  /// Path of the file with this role ("source", "reference", ...); the role exists.
  std::filesystem::path path(const std::string &role) const;
};

/// Read `bundle`/manifest.json (or `bundle` itself when it is a file).
/// Errors (Fault::Input), one a line: `file: /json/pointer: expected ..., found ...`;
/// another version: "file: /version: expected 1, found the number 2: this
/// bundle was made by a newer tangram (tangram 0.9.0)".
Result<Manifest> readManifest(const std::filesystem::path &bundle);

/// Same for text that stands in `file`; the files it names are looked for beside it.
Result<Manifest> parseManifest(const std::string &text, const std::filesystem::path &file);

/// Names of the device facts expressions may use.
extern const std::vector<std::string> deviceFactNames;

} // namespace tangram::runtime
