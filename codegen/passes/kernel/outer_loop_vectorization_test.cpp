#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class VectorizeOuterLoops : public ::testing::Test, protected Kernel4 {
protected:
  /// `body` for a processor whose vectors have 16 lanes of 4 bytes.
  LoweredPlan onProcessor(std::vector<StmtPtr> body) const {
    static const composer::Machine cpu = projected("cpu", "openmp");
    LoweredPlan made = plan(std::move(body));
    made.machine = &cpu;
    made.target = traitsOf("openmp");
    return made;
  }
  std::string text(std::vector<StmtPtr> body) const {
    return groupText(vectorizeOuterLoops(onProcessor(std::move(body))));
  }
  bool isDone(std::vector<StmtPtr> round) const {
    const StmtPtr loop = upTo(i, n, std::move(round));
    return text({loop}) != groupText(plan({loop}));
  }
  static E real(const char *name, VarKind kind = VarKind::Local, const ExprPtr &extent = nullptr) {
    return variable(name, Scalar::F32, kind, extent);
  }

  E i = variable("i");
  E j = variable("j");
  E k = variable("k");
  E m = variable("m", Scalar::Index, VarKind::Param);
  E x = real("x", VarKind::Buffer);
  E y = real("y", VarKind::Buffer);
  E z = real("z", VarKind::Buffer);
  E s = real("s");
  E t = real("t", VarKind::Local, ir::intLiteral(3));
};

TEST_F(VectorizeOuterLoops, SumsOfNeighboursGoOnTogether) {
  EXPECT_EQ(text({upTo(i, n,
                       {let(s), set(s, x[0]), upTo(k, m, {addTo(s, x[k] * y[k * n + i])}),
                        set(z[i], s)})}),
            R"(
index whole_blocks = n / 16;
for (index block = 0; block < whole_blocks; block += 1) {
  float s[16];
  side by side for (index lane = 0; lane < 16; lane += 1) {
    s[lane] = x[0];
  }
  for (index k = 0; k < m; k += 1) {
    side by side for (index lane = 0; lane < 16; lane += 1) {
      s[lane] += x[k] * y[k * n + (block * 16 + lane)];
    }
  }
  side by side for (index lane = 0; lane < 16; lane += 1) {
    z[block * 16 + lane] = s[lane];
  }
}
for (index i = whole_blocks * 16; i < n; i += 1) {
  float s;
  s = x[0];
  for (index k = 0; k < m; k += 1) {
    s += x[k] * y[k * n + i];
  }
  z[i] = s;
}
)");
}

TEST_F(VectorizeOuterLoops, RoundsAroundThatReadTheSameAreTakenTogether) {
  const E r = variable("r");
  EXPECT_EQ(
      text({upTo(r, 16,
                 {upTo(i, 32,
                       {let(s), set(s, x[0]), upTo(k, m, {addTo(s, x[r * m + k] * y[k * 32 + i])}),
                        set(z[r * 32 + i], s)})})}),
      R"(
for (index row_block = 0; row_block < 2; row_block += 1) {
  for (index block = 0; block < 2; block += 1) {
    float s[128];
    for (index row = 0; row < 8; row += 1) {
      side by side for (index lane = 0; lane < 16; lane += 1) {
        s[row * 16 + lane] = x[0];
      }
    }
    for (index k = 0; k < m; k += 1) {
      for (index row = 0; row < 8; row += 1) {
        side by side for (index lane = 0; lane < 16; lane += 1) {
          s[row * 16 + lane] += x[(row_block * 8 + row) * m + k] * y[k * 32 + (block * 16 + lane)];
        }
      }
    }
    for (index row = 0; row < 8; row += 1) {
      side by side for (index lane = 0; lane < 16; lane += 1) {
        z[(row_block * 8 + row) * 32 + (block * 16 + lane)] = s[row * 16 + lane];
      }
    }
  }
}
)");
}

TEST_F(VectorizeOuterLoops, PredictionsSeeTheLoopMarked) {
  EXPECT_EQ(
      groupText(markVectorizedOuterLoops(onProcessor({upTo(
          i, n,
          {let(s), set(s, x[0]), upTo(k, m, {addTo(s, x[k] * y[k * n + i])}), set(z[i], s)})}))),
      R"(
side by side for (index i = 0; i < n; i += 1) {
  float s;
  s = x[0];
  for (index k = 0; k < m; k += 1) {
    s += x[k] * y[k * n + i];
  }
  z[i] = s;
}
)");
}

TEST_F(VectorizeOuterLoops, PredictionsSeeRoundsThatAreTakenTogetherMarked) {
  const E r = variable("r");
  const std::string marked = groupText(markVectorizedOuterLoops(onProcessor(
      {upTo(r, m,
            {upTo(i, n,
                  {let(s), set(s, x[0]), upTo(k, 9, {addTo(s, x[r * 9 + k] * y[k * n + i])}),
                   set(z[r * n + i], s)})})})));
  EXPECT_NE(marked.find("side by side for (index r = 0"), std::string::npos) << marked;
  EXPECT_NE(marked.find("side by side for (index i = 0"), std::string::npos) << marked;
}

TEST_F(VectorizeOuterLoops, RowsThatAreLeftGoOneByOne) {
  const E r = variable("r");
  const std::string done =
      text({upTo(r, m,
                 {upTo(i, n,
                       {let(s), set(s, x[0]), upTo(k, 9, {addTo(s, x[r * 9 + k] * y[k * n + i])}),
                        set(z[r * n + i], s)})})});
  EXPECT_NE(done.find("for (index row_block = 0; row_block < row_blocks; row_block += 1) {"),
            std::string::npos)
      << done;
  EXPECT_NE(done.find("for (index r = row_blocks * 8; r < m; r += 1) {"), std::string::npos)
      << done;
  // Columns that are left of eight rows.
  EXPECT_NE(done.find("  for (index i = n < 16 ? 0 : n; i < n; i += 1) {\n    float s[8];"),
            std::string::npos)
      << done;
}

/// Whether rows of a sum are taken together: those that `round` makes of row r, column i and step k.
TEST_F(VectorizeOuterLoops, RowsAreTakenTogetherWhereTheyShareLoads) {
  const E r = variable("r");
  const auto inRows = [&](const E &step, const E &end, const E &columns) {
    return text({upTo(r, m,
                      {upTo(i, columns,
                            {let(s), set(s, x[0]), upTo(k, end, {addTo(s, step)}),
                             set(z[r * n + i], s)})})})
               .find("row_block") != std::string::npos;
  };
  EXPECT_TRUE(inRows(x[r * 9 + k] * y[k * n + i], 9, n));
  EXPECT_FALSE(inRows(x[k] * y[(r * 9 + k) * n + i], 9, n));   // nothing large is the same
  EXPECT_FALSE(inRows(x[r * 9 + k] * y[k * n + i], r, n));     // they do not go equally far
  EXPECT_TRUE(inRows(x[r * m + k] * y[k * n + 2 * i], m, n));  // every other element is no gather
  EXPECT_FALSE(inRows(x[r * 9 + k] * y[k * n + 2 * i], 9, n)); // but compilers see it, too
}

TEST_F(VectorizeOuterLoops, ArraysOfAnElementLieByLanes) {
  const E from = variable("from");
  EXPECT_EQ(text({upTo(i, 32,
                       {let(t), upTo(k, 3, {let(from, in[k]), set(t[from], x[i] * x[k])}),
                        set(y[i], t[0] + t[2])})}),
            R"(
for (index block = 0; block < 2; block += 1) {
  float t[48];
  for (index k = 0; k < 3; k += 1) {
    side by side for (index lane = 0; lane < 16; lane += 1) {
      index from = in[k];
      t[from * 16 + lane] = x[block * 16 + lane] * x[k];
    }
  }
  side by side for (index lane = 0; lane < 16; lane += 1) {
    y[block * 16 + lane] = t[lane] + t[32 + lane];
  }
}
)");
}

TEST_F(VectorizeOuterLoops, WhatIsTheSameForAllLanesIsDoneOnce) {
  const E many = variable("many");
  const std::string after = text({upTo(i, 32,
                                       {let(many, in[0]), let(s), set(s, x[0]),
                                        upTo(k, many, {addTo(s, x[k] * y[i])}), set(z[i], s)})});
  EXPECT_NE(after.find("  index many = in[0];\n  float s[16];\n  side by side"), std::string::npos)
      << after;
}

TEST_F(VectorizeOuterLoops, TheLastBlockOverlapsOnlyWhereRoundsMayBeDoneTwice) {
  const auto overlaps = [&](std::vector<StmtPtr> round) {
    const std::string done = text({upTo(i, n, std::move(round))});
    EXPECT_NE(done.find("block"), std::string::npos) << done;
    return done.find("min(block * 16, n - 16)") != std::string::npos;
  };
  const auto sums = [&](const E &first, const StmtPtr &store) {
    return std::vector<StmtPtr>{let(s), set(s, first),
                                upTo(k, m, {addTo(s, y[(k + 1) * n + i] * y[k])}), store};
  };
  EXPECT_TRUE(overlaps(sums(x[0], set(z[i], s))));
  EXPECT_FALSE(overlaps(sums(z[i], set(z[i], s)))); // the sum begins with the element itself
  EXPECT_FALSE(overlaps(sums(x[0], addTo(z[i], s))));
  // If x and z are one array, the last block would begin with results of the block before it.
  EXPECT_FALSE(overlaps(sums(x[i], set(z[i], s))));
}

TEST_F(VectorizeOuterLoops, RowsShareWhatIsNotSideBySideInLanes) {
  const E r = variable("r");
  EXPECT_EQ(text({upTo(r, 8,
                       {upTo(i, 16,
                             {let(s), set(s, x[0]),
                              upTo(k, m, {addTo(s, x[r * m + k] * y[k * m + 4 * i])}),
                              set(z[r * 16 + i], s)})})}),
            R"(
for (index row_block = 0; row_block < 1; row_block += 1) {
  for (index block = 0; block < 1; block += 1) {
    float s[128];
    for (index row = 0; row < 8; row += 1) {
      side by side for (index lane = 0; lane < 16; lane += 1) {
        s[row * 16 + lane] = x[0];
      }
    }
    for (index k = 0; k < m; k += 1) {
      float y_lanes[16];
      for (index lane = 0; lane < 16; lane += 1) {
        y_lanes[lane] = y[k * m + 4 * (block * 16 + lane)];
      }
      for (index row = 0; row < 8; row += 1) {
        side by side for (index lane = 0; lane < 16; lane += 1) {
          s[row * 16 + lane] += x[(row_block * 8 + row) * m + k] * y_lanes[lane];
        }
      }
    }
    for (index row = 0; row < 8; row += 1) {
      side by side for (index lane = 0; lane < 16; lane += 1) {
        z[(row_block * 8 + row) * 16 + (block * 16 + lane)] = s[row * 16 + lane];
      }
    }
  }
}
)");
}

TEST_F(VectorizeOuterLoops, RowsShareTheConditionThatLanesDoNotTakeAlike) {
  const E r = variable("r");
  const std::string done = text({upTo(
      r, 8,
      {upTo(i, 16,
            {let(s), set(s, x[0]),
             upTo(k, m,
                  {ir::ifThen((i * k < n).e, ir::block({addTo(s, x[r * m + k] * y[k * m + i])}))}),
             set(z[r * 16 + i], s)})})});
  EXPECT_NE(done.find(R"(
      int taken[16];
      float y_lanes[16];
      side by side for (index lane = 0; lane < 16; lane += 1) {
        taken[lane] = (int)((block * 16 + lane) * k < n);
        y_lanes[lane] = taken[lane] != 0 ? y[k * m + (block * 16 + lane)] : 0;
      }
      index together = 0;
      for (index lane = 0; lane < 16; lane += 1) {
        together += (index)taken[lane];
      }
      if (together != 0) {
        for (index row = 0; row < 8; row += 1) {
          side by side for (index lane = 0; lane < 16; lane += 1) {
            float before = s[row * 16 + lane];
            float updated = before + x[(row_block * 8 + row) * m + k] * y_lanes[lane];
            s[row * 16 + lane] = taken[lane] != 0 ? updated : before;
          }
        }
      }
)"),
            std::string::npos)
      << done;
}

TEST_F(VectorizeOuterLoops, NotWhereRoundsGoTheirOwnWays) {
  const auto sums = [&](const E &to, const E &end) {
    return std::vector<StmtPtr>{let(s), set(s, x[0]), upTo(k, end, {addTo(s, x[k] * y[i])}),
                                set(to, s)};
  };
  EXPECT_TRUE(isDone(sums(z[i], m)));
  EXPECT_FALSE(isDone(sums(z[i], i)));     // as many steps as the element's number
  EXPECT_FALSE(isDone(sums(z[i], in[i]))); // or as its data say
  EXPECT_FALSE(isDone(sums(x[i], m)));     // other elements are read
}

TEST_F(VectorizeOuterLoops, NotWhereMoreIsGatheredThanComputed) {
  EXPECT_FALSE(
      isDone({let(s), set(s, x[0]), upTo(k, m, {addTo(s, x[i * m + k] * y[k])}), set(z[i], s)}));
}

TEST_F(VectorizeOuterLoops, NotWhereLoopsInsideAreVectors) {
  EXPECT_FALSE(isDone({upTo(k, m, {set(y[k * n + i], x[k] * x[i])})}));
  EXPECT_FALSE(isDone({let(s), set(s, x[i]), set(y[i], s)}));
}

TEST_F(VectorizeOuterLoops, NotWhereTheirArraysFillTheCache) {
  const E large = real("large", VarKind::Local, ir::intLiteral(1000));
  EXPECT_FALSE(
      isDone({let(large), upTo(k, 1000, {set(large[k], x[k] * y[i])}), set(z[i], large[3])}));
}

} // namespace
} // namespace tangram::codegen
