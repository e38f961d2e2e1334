// A machine as a hierarchy of levels (dissertation chapter 5, figure 5.1):
//   L := C_L, (l_L, S_L)
// a level computes (not at all, scalar, vector), and has a subordinate level to
// which it distributes work and whose workers it can synchronise.
//
// Machines are data: JSON files in hwmodels/, validated against
// hwmodels/schema.json. Nothing about a particular machine stands in C++.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tangram::composer {

enum class Capability { None, Scalar, Vector };
enum class MapRule { Distribute, Serialize, Split };
/// What a level does to make its workers meet.
enum class Sync { None, Launch, Join, Barrier, Warp, Loop };
/// The tiling a level's workers like best (figure 6.5).
enum class Tiling { None, Adjacent, Strided };

/// How many workers of a level there are below one worker of the level above.
struct Workers {
  /// Default as an expression of the manifest language: a number, or one over
  /// compute_units, max_group_size, threads (see docs/hardware-models.md).
  std::string defaultCount = "1";
  std::uint64_t min = 1;
  std::uint64_t max = UINT64_MAX;
  /// Hardware units that carry these workers side by side (cores, SMs, SIMD lanes); 0: unknown.
  std::uint64_t units = 0;
  /// Parts of the work for each of them, to start from, where they take parts when they have time.
  std::uint64_t parts = 1;

  bool operator==(const Workers &) const = default;
};

struct Memory {
  std::string space;                ///< "global", "local", "private", "cache"
  std::uint64_t bytes = 0;          ///< 0: unknown
  unsigned banks = 0;               ///< 0: not banked
  unsigned lineBytes = 0;           ///< 0: unknown
  std::string title;                ///< "L2", "HBM3e"; may be empty
  std::uint64_t bytesPerSecond = 0; ///< peak, 0: unknown
  /// Of local memory: bytes that all groups on a unit have together, 0: unknown.
  std::uint64_t unitBytes = 0;
  /// Of local memory, by target: bytes that a worker may use at most there.
  std::map<std::string, std::uint64_t> targetBytes = {};
  unsigned bankBytes = 4; ///< of a word, which a bank gives at a time
  unsigned bankItems =
      0; ///< that ask banks for a word each at a time; 0: as many as there are banks

  unsigned itemsAtBanks() const { return bankItems == 0 ? banks : bankItems; }
  /// Bytes that a worker may use at most in code of `target`; 0: unknown.
  std::uint64_t bytesIn(const std::string &target) const {
    const auto found = targetBytes.find(target);
    return found == targetBytes.end() ? bytes : found->second;
  }
};

struct Level {
  std::string name;  ///< "G", in plan notation
  std::string title; ///< "grid"
  Capability compute = Capability::None;
  /// Index of the subordinate level in Machine::levels; -1: none.
  int subordinate = -1;
  Sync sync = Sync::None;
  Tiling prefers = Tiling::None;
  /// What this level offers for a map, in order of preference.
  std::vector<MapRule> mapRules;
  /// Workers of *this* level below one worker of its superior.
  Workers workers;
  /// Indexes a worker has.
  unsigned dims = 1;
  /// 0, except on a level that withDimensions() made: there the dimension (1: y, 2: z) of the
  /// workers that this level stands for (see withDimensions).
  unsigned dimension = 0;
  /// Set on a level that withFlatLevels() made: the workers of its subordinate, over which the elements
  /// of nested maps are counted through.
  bool flat = false;
  std::vector<Memory> memory;
  /// Atomic operations this level's workers may use on each other's memory: "i32", "u32", "f32", ...
  std::vector<std::string> atomics;
  /// Workers of the subordinate level run in lockstep (a warp).
  bool lockstep = false;
  /// A worker of the subordinate level that has started runs on, so that others may wait for it.
  bool forwardProgress = false;
  /// How a target calls this level: {"opencl": "group", "openmp": "thread"}.
  /// A target without an entry cannot express the level.
  std::map<std::string, std::string> spelling;
  /// What a reader of the model should know about the level; shown, never used.
  std::string description;

  bool offers(MapRule rule) const;
  /// Whether a loop may stand at this level: what computes runs loops, and so does what starts
  /// threads; around kernel launches, and in a row of workers, there is none.
  bool runsLoops() const;
  /// Whether the level only says how nested maps share the workers of another one: it is a dimension
  /// of them, or flat.
  bool isOfNests() const { return dimension > 0 || flat; }
  const Memory *memoryNamed(const std::string &space) const;
};

/// What generated code takes for granted of a machine. The values here are those of every model that
/// gives none (docs/hardware-models.md).
struct CodeLimits {
  /// Groups that one launch starts at most; where there are more elements, they take turns.
  std::uint64_t launch = 65535;
  /// Loads from device memory that hide its latency, and how often a loop around one is unrolled.
  unsigned loadsInFlight = 16;
  /// Bytes of neighbouring elements that one item reads or writes at a time where each element is worked on for itself,
  /// and where groups copy tiles; 0: an element an item.
  unsigned accessBytes = 0;
  /// Parts that one worker takes one after the other, where the source says nothing of their number.
  Workers parts{"4", 1, 1024, 0};
  /// Of memory that no level gives a size of: registers of an item, and vector registers of a thread.
  std::uint64_t privateBytes = 192;
  unsigned vectorRegisters = 16;
  /// Registers of an item, in bytes, that are free beside what its code holds anyway: for what is loaded ahead.
  std::uint64_t spareBytes = 128;
  /// Local memory that kernels which are joined may use, also where the level has more; and that of a level which
  /// gives no size of it.
  std::uint64_t localBytes = 32768;
  std::uint64_t cacheBytes = 32768; ///< first cache of a thread, where no level gives a size of it

  bool operator==(const CodeLimits &) const = default;
};

/// What things cost on a machine, for predictions (codegen/timing/cost.h). The values here are those of
/// every model that gives none (docs/hardware-models.md).
struct Costs {
  double units = 8;                 ///< that carry groups, where the level has no figure
  double bytesPerSecond = 2e10;     ///< of memory, where it has no figure
  double unitBytesPerSecond = 1e13; ///< of memory, which one unit gets, whatever others do
  double cacheBytes = 3e7; ///< shared by all units, where no cache of the top level has a size
  double cyclesPerSecond = 2e9;
  double instructionsPerCycle = 2; ///< of one worker alone
  double lanes = 8;                ///< workers or elements that one instruction is done for
  double operationsPerCycle = 32;  ///< of all workers of a unit that carries groups
  double operationCycles = 4;      ///< until a result can be used
  double localCycles = 30;         ///< until an element of local memory is there
  double localAtomicCycles = 4;    ///< of an atomic operation on local memory
  double accessBytesPerCycle = 64; ///< what a unit loads and stores, cached or not
  double transactionBytes = 32;    ///< the least that an access to memory moves
  double residentItems = 1;        ///< items that a unit holds at once, waiting or not
  double residentGroups = 16;      ///< groups that it holds at once, however few items they have
  double memorySeconds = 5e-7;     ///< until an element of memory is there
  double atomicSeconds = 2e-9;     ///< between two atomic operations on one line of memory
  double atomicsAtOnce = 1024;     ///< lines of memory that have atomic operations side by side
  double barrierSeconds = 2e-8;    ///< workers of a group meet
  double launchSeconds = 5e-6;     ///< groups are started, and have ended

  /// Groups of so many items each that one unit holds at once: one at least.
  double residentAUnit(double items) const;
  bool operator==(const Costs &) const = default;
};

/// A figure of Costs by the name that models use.
struct CostField {
  const char *name;
  double Costs::*figure;
  const char *meaning;
};
const std::vector<CostField> &costFields();

struct Machine {
  std::string name;
  std::string description;
  std::vector<std::string> sources; ///< where the figures come from
  std::vector<std::string> targets; ///< "opencl", "openmp", "cuda"
  std::vector<Level> levels;        ///< top level first, each before its subordinate
  CodeLimits code;
  Costs costs;
  std::string file; ///< path it was read from

  const Level &top() const { return levels.front(); }
  /// Units that carry the workers which a launch or a join is about, groups; those of `costs` where no
  /// level has a figure.
  double groupUnits() const;
  /// Index of the level called `name`, or -1.
  int levelNamed(const std::string &name) const;
  /// The level whose workers `level` counts in one dimension, or over nested maps: for `B.z`, `B.y` and
  /// `B.flat` it is `B`; any other level is its own.
  int baseOf(int level) const;
  /// The levels that stand for further dimensions of `level`, `B.y` before `B.z`; mostly none.
  std::vector<int> dimensionsOf(int level) const;
  /// The level that stands for nested maps over the workers of `level`; -1: there is none.
  int flatOf(int level) const;
};

// The words of the model files, and back. Sync::None and Tiling::None are "none"
// here; in a file they are written by leaving the field out. nameOf(MapRule) is in rule.h.
std::string nameOf(Capability capability);
std::string nameOf(Sync sync);
std::string nameOf(Tiling tiling);
std::optional<MapRule> mapRuleNamed(const std::string &name);

/// Why a model was refused: `file: /json/pointer: expected ..., found ...`.
struct ModelError {
  std::string file;
  std::string pointer; ///< JSON pointer; empty for the whole document
  std::string message;
  /// One line without its newline; empty parts are left out.
  std::string text() const;
};
using ModelErrors = std::vector<ModelError>;

using MachineOrErrors = std::variant<Machine, ModelErrors>;

/// Read and validate one model file.
MachineOrErrors loadMachine(const std::filesystem::path &file);
/// Same for text that stands in `name` (for tests and standard input).
MachineOrErrors parseMachine(const std::string &text, const std::string &name);

/// `nameOrFile` is a path to a .json file, or the name of a model in one of `folders`.
/// An unknown name is an error that lists the known ones and the nearest.
MachineOrErrors findMachine(const std::string &nameOrFile,
                            const std::vector<std::filesystem::path> &folders);

/// Names of the models in `folders` (`NAME.json`, schema.json excepted), sorted, each once.
/// A folder that does not exist holds none.
std::vector<std::string> listMachines(const std::vector<std::filesystem::path> &folders);

/// The text of a model file that parseMachine reads back as the same machine.
std::string machineJson(const Machine &machine);

/// The machine with each level offering those of `rules` that its capability
/// allows, in the order of `rules` (see docs/hardware-models.md, "map_rules").
Machine withMapRules(const Machine &machine, const std::vector<MapRule> &rules);

/// The machine with the workers of levels with several `dims` taken dimension by dimension, up to
/// `dims` of them (1: the machine as it is).
///
/// Below G, whose subordinate B has dims >= 2, it inserts `B.y`, a row of B's workers:
///   G -> B      a map may be distributed to all workers of B, as before (one index)
///   G -> B.y    or to rows of them, and then a perfectly nested map
///   B.y -> B      to the workers of a row: index in dimension 0
/// With three dimensions there is `B.z` above `B.y`. Such a level has `dimension` > 0, capability
/// none and sync none, the spelling of B, a worker count of its own, and `subordinate` the next
/// dimension down; it offers distribute, and split above B where G does, and only to codelets that are one
/// map (composer/analysis/sites.h, isMapAlone). G's own `subordinate` stays B. `B.y` stands before B in `levels`.
///
/// In a plan, a Map node at G whose function is composed at B.y (`children[0]->level`) is the outer
/// of two nested distributions; `baseOf` gives the level that both are dimensions of.
Machine withDimensions(const Machine &machine, unsigned dims);

/// The machine with a level `B.flat` for each level B whose workers take elements side by side: the workers
/// of B as nested maps share them that are flattened into one.
///   G -> B.flat       the outer map: its elements are counted together with those of the map inside
///   B.flat -> B       the inner map: element e of both is element e / n of the outer map and element e % n
///                     of the inner one, which has n elements
///   B.flat -> B.flat  a map between two others
/// Such a level has no capability, sync or workers of its own, no spelling, and `subordinate` B; it offers
/// what a dimension offers. It stands behind all others in `levels`.
Machine withFlatLevels(const Machine &machine);

/// The machine as `target` can express it: levels it has no spelling for are
/// left out, their superior's subordinate becomes the next level down, and
/// `notes` says so. The superior keeps its own compute, sync and memory; it takes
/// over the tiling the left-out level preferred, and promises lockstep and forward
/// progress only where both did; a lowest level that loses its lanes is scalar.
/// The worker counts of the left-out level and of its subordinate are multiplied.
/// Errors: the model does not list the target, or no level that computes is left.
MachineOrErrors projectOnto(const Machine &machine, const std::string &target,
                            std::vector<std::string> &notes);

} // namespace tangram::composer
