#include "codegen/form/index_function.h"

#include "algebra/simplify.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

const E len = variable("len", Scalar::Index, VarKind::Param);

Sequence constant(const E &value) { return {value.e, ir::intLiteral(0), {}, false}; }
Sequence affine(const E &start, const E &inc) { return {start.e, inc.e, {}, false}; }

View whole() { return wholeBuffer(variable("in", Scalar::I32, VarKind::Buffer).var(), {len.e}); }

/// asso_tiled's parts: contiguous tiles.
Parts tiled(const View &view, const E &p) {
  const E size(view.dims[0].extent);
  const E tile = (size + p - 1) / p;
  return {view, {{p.e, affine(0, tile), constant(1), affine(tile, tile)}}};
}

/// stride_tiled's parts: every p-th element.
Parts strided(const View &view, const E &p) {
  const E size(view.dims[0].extent);
  return {view, {{p.e, affine(0, 1), constant(p), constant(size)}}};
}

/// The part `i` as a view.
View part(const Parts &parts, const E &i) {
  const Cut &cut = parts.cuts.front();
  PartBounds bounds = boundsOf(cut, parts.base.dims[cut.dim].extent, i.e);
  return partView(parts.base, cut, bounds, extentOf(bounds));
}

ExprPtr extentBoundOf(const Parts &parts) {
  return codegen::extentBoundOf(parts.cuts.front(), parts.base.dims[0].bound);
}

using Positions = std::vector<std::int64_t>;

/// DESIGN.md: start(i), start(i) + inc(i), ... below min(end(i), size), of what `base` holds.
Positions byDefinition(const Positions &base, std::int64_t start, std::int64_t inc,
                       std::int64_t end) {
  Positions result;
  for (std::int64_t at = start; at < std::min(end, static_cast<std::int64_t>(base.size()));
       at += inc)
    result.push_back(base[static_cast<std::size_t>(at)]);
  return result;
}

Positions evaluated(Interpreter &value, const View &view) {
  const E k = variable("k");
  ExprPtr position = positionOf(view, {k.e});
  Positions result;
  for (std::int64_t j = 0; j < value(view.dims[0].extent); ++j) {
    value.set(k, j);
    result.push_back(value(position));
  }
  return result;
}

Positions upTo(std::int64_t n) {
  Positions all;
  for (std::int64_t i = 0; i < n; ++i)
    all.push_back(i);
  return all;
}

enum class Kind { Tiled, Strided };
constexpr Kind kinds[] = {Kind::Tiled, Kind::Strided};

Parts parts(Kind kind, const View &view, const E &p) {
  return kind == Kind::Tiled ? tiled(view, p) : strided(view, p);
}

Positions definition(Kind kind, const Positions &base, std::int64_t p, std::int64_t i) {
  auto size = static_cast<std::int64_t>(base.size());
  std::int64_t tile = (size + p - 1) / p;
  return kind == Kind::Tiled ? byDefinition(base, i * tile, 1, tile + i * tile)
                             : byDefinition(base, i, p, size);
}

TEST(IndexFunction, PartsHoldWhatTheDefinitionSaysEachElementOnce) {
  const E p = variable("p");
  const E i = variable("i");
  for (Kind kind : kinds) {
    Parts all = parts(kind, whole(), p);
    View view = part(all, i);
    ExprPtr bound = extentBoundOf(all);
    for (std::int64_t size = 0; size < 40; ++size) {
      for (std::int64_t count = 1; count < 12; ++count) {
        Interpreter value;
        value.set(len, size);
        value.set(p, count);
        Positions seen;
        for (std::int64_t number = 0; number < count; ++number) {
          value.set(i, number);
          Positions got = evaluated(value, view);
          ASSERT_EQ(got, definition(kind, upTo(size), count, number))
              << "part " << number << " of " << count << " of " << size;
          ASSERT_LE(static_cast<std::int64_t>(got.size()), value(bound));
          seen.insert(seen.end(), got.begin(), got.end());
        }
        std::sort(seen.begin(), seen.end());
        ASSERT_EQ(seen, upTo(size)) << count << " parts";
        ASSERT_FALSE(value.wrong) << count << " parts of " << size;
      }
    }
  }
}

TEST(IndexFunction, PartsOfPartsHoldWhatTheDefinitionSaysEachElementOnce) {
  const E p = variable("p");
  const E q = variable("q");
  const E i = variable("i");
  const E j = variable("j");
  for (Kind outer : kinds) {
    for (Kind inner : kinds) {
      View middle = part(parts(outer, whole(), p), i);
      Parts innerParts = parts(inner, middle, q);
      View view = part(innerParts, j);
      ExprPtr bound = extentBoundOf(innerParts);
      for (std::int64_t size = 0; size < 40; ++size) {
        for (std::int64_t count = 1; count < 12; count += 3) {
          for (std::int64_t below = 1; below < 5; below += 1 + size % 2) {
            Interpreter value;
            value.set(len, size);
            value.set(p, count);
            value.set(q, below);
            Positions seen;
            for (std::int64_t a = 0; a < count; ++a) {
              Positions base = definition(outer, upTo(size), count, a);
              for (std::int64_t b = 0; b < below; ++b) {
                value.set(i, a);
                value.set(j, b);
                Positions got = evaluated(value, view);
                ASSERT_EQ(got, definition(inner, base, below, b))
                    << "part " << b << " of " << below << " of part " << a << " of " << count
                    << " of " << size;
                ASSERT_LE(static_cast<std::int64_t>(got.size()), value(bound));
                seen.insert(seen.end(), got.begin(), got.end());
              }
            }
            std::sort(seen.begin(), seen.end());
            ASSERT_EQ(seen, upTo(size));
            ASSERT_FALSE(value.wrong);
          }
        }
      }
    }
  }
}

TEST(IndexFunction, OtherSequencesHoldWhatTheDefinitionSays) {
  struct Case {
    int start, startInc, inc, incInc, end, endInc;
  };
  const Case cases[] = {{2, 3, 1, 0, 4, 3}, {0, 2, 2, 0, 5, 2},  {1, 1, 4, 0, 30, 0},
                        {0, 0, 1, 1, 9, 0}, {0, 4, 1, 0, 40, 0}, {3, 0, 2, 0, 8, 1}};
  const E i = variable("i");
  for (const Case &c : cases) {
    Parts all{whole(),
              {{ir::intLiteral(5), affine(c.start, c.startInc), affine(c.inc, c.incInc),
                affine(c.end, c.endInc)}}};
    View view = part(all, i);
    for (std::int64_t size = 0; size < 40; ++size) {
      Interpreter value;
      value.set(len, size);
      for (std::int64_t number = 0; number < 5; ++number) {
        value.set(i, number);
        Positions got = evaluated(value, view);
        ASSERT_EQ(got, byDefinition(upTo(size), c.start + number * c.startInc,
                                    c.inc + number * c.incInc, c.end + number * c.endInc))
            << "part " << number << " of " << size << " from " << c.start;
        ASSERT_LE(static_cast<std::int64_t>(got.size()), value(extentBoundOf(all)))
            << "part " << number << " of " << size << " from " << c.start;
      }
    }
  }
}

TEST(IndexFunction, SequencesReadFromAContainerSelectRows) {
  const E rows = variable("rows", Scalar::I32, VarKind::Buffer);
  const View offsets = wholeBuffer(rows.var(), {ir::intLiteral(5)});
  const E i = variable("i");
  Parts all{whole(),
            {{ir::intLiteral(4), Sequence{ir::intLiteral(0), ir::intLiteral(1), offsets, true},
              constant(1), Sequence{ir::intLiteral(1), ir::intLiteral(1), offsets, true}}}};
  Interpreter value;
  value.set(len, 10);
  value.memory[rows.var().get()] = {0, 3, 3, 4, 10};
  std::vector<Positions> got;
  for (std::int64_t row = 0; row < 4; ++row) {
    value.set(i, row);
    got.push_back(evaluated(value, part(all, i)));
    EXPECT_LE(static_cast<std::int64_t>(got.back().size()), value(extentBoundOf(all)));
  }
  EXPECT_EQ(got, (std::vector<Positions>{{0, 1, 2}, {}, {3}, {4, 5, 6, 7, 8, 9}}));
}

TEST(IndexFunction, BoundsMentionNoPartAndAreAsTightAsTheTilingAllows) {
  const E p = variable("p");
  EXPECT_EQ(ir::toString(simplify(extentBoundOf(tiled(whole(), p)))), "(len + p - 1) / p");
  EXPECT_EQ(ir::toString(simplify(extentBoundOf(strided(whole(), p)))), "(len + p - 1) / p");
}

TEST(IndexFunction, AWholeBufferIsRowMajor) {
  const E m = variable("m");
  const E n = variable("n");
  const E buffer = variable("a", Scalar::F32, VarKind::Buffer);
  View view = wholeBuffer(buffer.var(), {m.e, n.e});
  const E i = variable("i");
  const E j = variable("j");
  EXPECT_EQ(ir::toString(elementOf(view, {i.e, j.e})), "a[i][j]");
  EXPECT_EQ(ir::toString(elementOf(view, {ir::intLiteral(0), j.e})), "a[0][j]");
  EXPECT_EQ(elementOf(view, {i.e, j.e})->type.scalar, Scalar::F32);
  EXPECT_EQ(ir::toString(view.dims[0].extent), "m");
  EXPECT_EQ(ir::toString(view.dims[1].bound), "n");
}

} // namespace
} // namespace tangram::codegen
