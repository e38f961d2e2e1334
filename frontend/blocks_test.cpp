// rows and chunks along any dimension, and of windows that move by more than one element.
#include "frontend/source_under_test.h"

#include "ir/program.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

constexpr const char *callee =
    "\n__codelet int f(const Array<3, int> near) { return near[0][0][0]; }\n"
    "__codelet int g(const Array<1, int> near) { return near[0]; }\n";

std::string body(const std::string &text) {
  ParseResult result = parseSource(callee + text);
  if (!result.program)
    return ir::render(result.diagnostics);
  return "\n" + ir::toString(result.program->spectrums.back().codelets.back().body);
}

/// The sizes of windows: a part of `in`, with `n` rounds a part or parts.
struct Given {
  std::uint64_t size, n, overlap, step;
};

/// Value of an expression over in.size(), n, overlap.size() and step.size().
std::uint64_t valueOf(const ir::Expr &e, const Given &given) {
  auto of = [&](std::size_t i) { return valueOf(*e.args[i], given); };
  switch (e.kind) {
  case ir::ExprKind::Literal:
    return static_cast<std::uint64_t>(e.integer);
  case ir::ExprKind::Size: {
    const std::string &name = e.args[0]->var->name;
    return name == "in" ? given.size : name == "overlap" ? given.overlap : given.step;
  }
  case ir::ExprKind::Var:
    return given.n;
  case ir::ExprKind::Cast:
    return of(0);
  case ir::ExprKind::Call:
    return std::max(of(0), of(1));
  default:
    return e.op == "+"   ? of(0) + of(1)
           : e.op == "-" ? of(0) - of(1)
           : e.op == "*" ? of(0) * of(1)
                         : of(0) / of(1);
  }
}

using Range = std::pair<std::uint64_t, std::uint64_t>;

/// The parts of the codelet's only partition, each from its first element to behind its last one.
std::vector<Range> partsOf(const ir::Expr &partition, const Given &given) {
  std::vector<Range> parts;
  const std::uint64_t count = valueOf(*partition.args[1], given);
  auto at = [&](std::size_t argument, std::uint64_t i) {
    const ir::Expr &sequence = *partition.args[argument];
    return valueOf(*sequence.args[0], given) + i * valueOf(*sequence.args[1], given);
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = std::min(at(2, i), given.size);
    parts.emplace_back(first, std::max(first, std::min(at(4, i), given.size)));
  }
  return parts;
}

/// What the windows of rounds first ... need: as long as there are rounds below `rounds`.
Range neededBy(std::uint64_t first, std::uint64_t count, std::uint64_t rounds, const Given &given) {
  const std::uint64_t last = std::min(first + count, rounds);
  return first < last ? Range(first * given.step, (last - 1) * given.step + 1 + given.overlap)
                      : Range(0, 0);
}

/// Compares the parts of `text` with what blocks of rounds need, for all small sizes.
void expectPartsOfRounds(const std::string &text, bool isSize) {
  ParseResult result = parseSource(callee + text);
  ASSERT_TRUE(result.program) << ir::render(result.diagnostics);
  const ir::Expr *partition = nullptr;
  ir::forEachExpr(result.program->spectrums.back().codelets.back().body, [&](const ir::Expr &e) {
    partition = e.kind == ir::ExprKind::Partition ? &e : partition;
  });
  ASSERT_TRUE(partition);
  for (std::uint64_t size = 0; size < 24; ++size) {
    for (std::uint64_t n = 1; n < 8; ++n) {
      for (std::uint64_t overlap = 0; overlap < 5; ++overlap) {
        for (std::uint64_t step = 1; step < 6; ++step) {
          const Given given{size, n, overlap, step};
          // An element for each window that fits.
          const std::uint64_t rounds = size > overlap ? (size - overlap - 1) / step + 1 : 0;
          const std::uint64_t each = isSize ? n : (rounds + n - 1) / n;
          const std::vector<Range> parts = partsOf(*partition, given);
          ASSERT_EQ(parts.size(), isSize ? (rounds + n - 1) / n : n)
              << size << " " << n << " " << overlap << " " << step;
          for (std::uint64_t i = 0; i < parts.size(); ++i) {
            const Range needed = neededBy(i * each, each, rounds, given);
            if (needed.second == 0)
              continue;
            EXPECT_EQ(parts[i].first, needed.first);
            EXPECT_LE(needed.second, parts[i].second);
            // No more than needed, but for what is behind the last window.
            EXPECT_LE(parts[i].second, i * each + each < rounds ? needed.second : size);
            EXPECT_LE(parts[i].second - parts[i].first, (each - 1) * step + 1 + overlap);
          }
        }
      }
    }
  }
}

} // namespace

TEST(Blocks, AlongADimension) {
  EXPECT_EQ(body(R"(
__codelet void h(const Array<3, int> in, Array<1, int> out) {
  __tunable unsigned t;
  out = map(f, chunks(in, t, 0, 2));
  out = map(f, rows(in, t, 2, 1));
}
)"),
            R"(
__tunable unsigned t;
out = map(f, partition(in, (in.size(2) + t - 1) / t, sequence(0, t, in.size(2)), sequence(1), sequence(t, t, in.size(2) + t)));
out = map(f, partition(in, t, sequence(0, (max(in.size(1), 2) - 2 + t - 1) / t, in.size(1)), sequence(1), sequence((max(in.size(1), 2) - 2 + t - 1) / t + 2, (max(in.size(1), 2) - 2 + t - 1) / t, in.size(1) + 1)));
)");
}

TEST(Blocks, OfWindowsThatMoveByMoreThanOne) {
  EXPECT_EQ(body(R"(
__codelet void h(const Array<3, int> in, Array<1, int> out) {
  __tunable unsigned t;
  out = map(f, chunks(in, t, 2, 1, 2));
  out = map(f, chunks(in, t, 1, 1, 2));
  out = map(f, chunks(in, t, 0, 1, 2));
  out = map(f, chunks(in, t, 0, 1, 1));
}
)"),
            R"(
__tunable unsigned t;
out = map(f, partition(in, (max(in.size(1), 2) - 2 + t * 2 - 1) / (t * 2), sequence(0, t * 2, in.size(1)), sequence(1), sequence(t * 2 + 1, t * 2, in.size(1) + (t * 2 + 1))));
out = map(f, partition(in, (max(in.size(1), 1) - 1 + t * 2 - 1) / (t * 2), sequence(0, t * 2, in.size(1)), sequence(1), sequence(t * 2, t * 2, in.size(1) + t * 2)));
out = map(f, partition(in, (in.size(1) + t * 2 - 1) / (t * 2), sequence(0, t * 2, in.size(1)), sequence(1), sequence(t * 2 - 1, t * 2, in.size(1) + (t * 2 - 1))));
out = map(f, partition(in, (in.size(1) + t - 1) / t, sequence(0, t, in.size(1)), sequence(1), sequence(t, t, in.size(1) + t)));
)");
}

TEST(Blocks, ArePartsOfWholeRounds) {
  for (const bool isSize : {true, false}) {
    expectPartsOfRounds(std::string(R"(
__codelet void h(const Array<1, int> in, const Array<1, int> overlap, const Array<1, int> step, Array<1, int> out) {
  __tunable unsigned n;
  out = map(g, )") + (isSize ? "chunks" : "rows") +
                            "(in, n, overlap.size(), 0, step.size()));\n}\n",
                        isSize);
  }
}

TEST(Blocks, OfConstantOverlapsAndStepsAreTheSame) {
  for (std::uint64_t overlap = 0; overlap < 5; ++overlap) {
    for (std::uint64_t step = 1; step < 6; ++step) {
      for (const bool isSize : {true, false}) {
        auto partsWith = [&](const std::string &numbers, const Given &given) {
          ParseResult result = parseSource(callee + std::string(R"(
__codelet void h(const Array<1, int> in, const Array<1, int> overlap, const Array<1, int> step, Array<1, int> out) {
  __tunable unsigned n;
  out = map(g, )") + (isSize ? "chunks" : "rows") +
                                           "(in, n, " + numbers + "));\n}\n");
          const ir::Expr *found = nullptr;
          ir::forEachExpr(
              result.program->spectrums.back().codelets.back().body,
              [&](const ir::Expr &e) { found = e.kind == ir::ExprKind::Partition ? &e : found; });
          std::vector<std::vector<Range>> all;
          for (std::uint64_t size = 0; size < 20; ++size)
            all.push_back(partsOf(*found, {size, given.n, given.overlap, given.step}));
          return all;
        };
        const Given given{0, 3, overlap, step};
        EXPECT_EQ(partsWith(std::to_string(overlap) + ", 0, " + std::to_string(step), given),
                  partsWith("overlap.size(), 0, step.size()", given))
            << overlap << " " << step << " " << isSize;
      }
    }
  }
}

TEST(Blocks, NumbersBelowTheLeastCountAsIt) {
  EXPECT_EQ(body(R"(
__codelet void h(int k, unsigned s, const Array<1, int> in, Array<1, int> out) {
  out = map(g, chunks(in, 4, k, 0, s));
}
)"),
            R"(
out = map(g, partition(in, (max(in.size(), (index)max(k, 0)) - (index)max(k, 0) + 4 * max(s, 1) - 1) / (4 * max(s, 1)), sequence(0, 4 * max(s, 1), in.size()), sequence(1), sequence(4 * max(s, 1) + ((index)max(k, 0) + 1) - max(s, 1), 4 * max(s, 1), in.size() + (4 * max(s, 1) + ((index)max(k, 0) + 1) - max(s, 1)))));
)");
}

TEST(Blocks, HaveAConstantDimensionAndAPositiveStep) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<2, int> near) { return near[0][0]; }
__codelet void h(unsigned d, double s, const Array<2, int> in, Array<1, int> out) {
  out = map(f, chunks(in, 4, 0, 2));
  out = map(f, rows(in, 4, 0, d));
  out = map(f, rows(in, 4, 0, 1, 0));
  out = map(f, chunks(in, 4, -1, 1, 2));
  out = map(f, chunks(in, 4, 0, 1, s));
}
)"),
            R"(
test.cpp:4:33: error: dimension of 'chunks' must be a constant below 2
  out = map(f, chunks(in, 4, 0, 2));
                                ^
test.cpp:5:31: error: dimension of 'rows' must be a constant below 2
  out = map(f, rows(in, 4, 0, d));
                              ^
test.cpp:6:34: error: step of 'rows' must be positive, 0 is not
  out = map(f, rows(in, 4, 0, 1, 0));
                                 ^
test.cpp:7:30: error: overlap of 'chunks' must not be negative, -1 is
  out = map(f, chunks(in, 4, -1, 1, 2));
                             ^~
test.cpp:8:36: error: step of 'chunks' must be an integer
  out = map(f, chunks(in, 4, 0, 1, s));
                                   ^
)");
}

} // namespace tangram::frontend
