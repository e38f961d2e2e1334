// Associative updates of one variable, which is what a loop that only adds up is made of.
#pragma once

#include "algebra/nests.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// `s += e`, `s = s * e`, `s = max(s, e)`, `if (e < s) s = e;` and their like. Rounds that do nothing else to s may be
/// done in any order, each worker with an s of its own that starts from the identity.
struct Update {
  enum class Kind { Add, Multiply, Min, Max, And, Or, Xor };
  Kind kind = Kind::Add;
  ir::VarPtr variable;
  ir::SourceLocation location;
};

/// The sums of a loop: its rounds change these variables by updates of one kind each, read them nowhere else, and
/// share nothing besides; empty where they do not, and then `why`.
struct LoopSums {
  std::vector<Update> updates;
  std::optional<algebra::NestReason> why;
};
LoopSums loopSums(const algebra::Nest &nest, int loop);

/// The neutral element as source: "0.0f", "-INFINITY".
std::string identityOf(const Update &update);

/// `a` and `b` combined, as source: "a + b", "max(a, b)".
std::string combined(const Update &update, const std::string &a, const std::string &b);

/// "adds up 's'", for reasons.
std::string nameOf(Update::Kind kind);

} // namespace tangram::composer
