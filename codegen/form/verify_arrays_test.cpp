// Programs in array form that are wrong, each in one way.
#include "codegen/form/verify_arrays.h"

#include "codegen/form/verifier.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using Texts = std::vector<std::string>;

class ArrayForm : public ::testing::Test, protected Kernel4 {
protected:
  Texts of(const LoweredPlan &plan) const {
    Texts messages;
    for (const Violation &each : verify(plan, arrayForm ? Form::Padded : Form::Flat))
      messages.push_back(each.message);
    return messages;
  }
  Texts of(std::vector<StmtPtr> body) const { return of(plan(std::move(body))); }

  /// A matrix of each group.
  StmtPtr allocated() const { return ir::allocate(own.var(), matrix); }
  E at(const E &row, const E &column) const { return {ir::index(own.e, {row.e, column.e})}; }

  /// A window of a group onto `in`, from its element `lane` on, of up to N.
  ir::Window part() const { return {in.var(), {n.e}, {{0, ir::intLiteral(1), n.e, N.e}}}; }
  StmtPtr bound(const ir::Window &window, int level = 1) const {
    return ir::bindWindow(known.var(), window, level, ir::block({lanes({set(a[lane], in[lane])})}));
  }

  /// The group copies the window to `a`.
  StmtPtr copied(const ir::Window &window, int level = 1) const {
    return ir::copyWindow(level, window, a[lane].e, in[lane].e, {{lane.var()}, 0, {}});
  }

  /// `in` continued on either side.
  LoweredPlan padded(const ir::Edge &edge) const {
    LoweredPlan continued = plan({lanes({set(a[lane], beyond[lane])})});
    continued.padded[beyond.var()] = {in.var(), {edge}};
    return continued;
  }

  static ir::ExprPtr number(std::int64_t value) { return ir::intLiteral(value); }

  bool arrayForm = true;
  E own = variable("own", Scalar::I32, VarKind::Buffer);
  E known = variable("known", Scalar::I32, VarKind::Buffer);
  E beyond = variable("beyond", Scalar::I32, VarKind::Buffer);
  E x = variable("x", Scalar::I32);
  E real = variable("real", Scalar::F32);
  ir::Array matrix{1, {N.e, K.e}, {N.e, K.e}};
  ir::Edge edge{0,   ir::Boundary::Clamp, number(1), number(1), n.e,
                n.e, number(0),           number(1), nullptr};
};

TEST_F(ArrayForm, AProgramThatHoldsHasNothingToSay) {
  EXPECT_EQ(of({allocated(), lanes({set(at(lane, lane), in[lane])}), bound(part())}), Texts());
  EXPECT_EQ(of(padded(edge)), Texts());
  ir::Edge constant = edge;
  constant.boundary = ir::Boundary::Constant;
  constant.beyond = ir::intLiteral(7, Scalar::I32);
  EXPECT_EQ(of(padded(constant)), Texts());
}

TEST_F(ArrayForm, AnAccessHasASubscriptForEachDimension) {
  EXPECT_EQ(of({allocated(), lanes({set(own[lane], in[lane])})}),
            Texts({"own[lane] has 1 subscripts, expected 2"}));
  EXPECT_EQ(of({lanes({set(a[lane], E{ir::index(in.e, {lane.e, lane.e})})})}),
            Texts({"in[lane][lane] has 2 subscripts, expected one"}));
  LoweredPlan rows = plan({lanes({set(a[lane], in[lane])})});
  rows.strides[in.var()] = {n.e, number(1)};
  EXPECT_EQ(of(rows), Texts({"in[lane] has 1 subscripts, expected 2"}));
  rows.padded[beyond.var()] = {in.var(), {edge}};
  rows.body = plan({lanes({set(a[lane], beyond[lane])})}).body;
  EXPECT_EQ(of(rows), Texts({"beyond[lane] has 1 subscripts, expected 2"}));
  EXPECT_EQ(of({allocated(), lanes({let(real, E(ir::realLiteral(1, Scalar::F32))),
                                    set(at(lane, real), in[lane])})}),
            Texts({"the subscript of own[lane][real] is no integer"}));
}

TEST_F(ArrayForm, AnArrayIsUsedAfterItsAllocation) {
  const StmtPtr use = lanes({set(at(lane, lane), in[lane])});
  const std::string hidden = "own is used where what declares it cannot be seen";
  EXPECT_EQ(of({use, allocated()})[0], "own is no memory of the plan");
  EXPECT_EQ(of({when(n > 3, {allocated()}), use}), Texts({hidden}));
  EXPECT_EQ(of({allocated(), allocated()}),
            Texts({"own is declared where it is declared already"}));
  LoweredPlan two = plan({allocated()});
  two.body = ir::block({two.body, plan({use}).body});
  EXPECT_EQ(of(two), Texts({hidden})); // another launch
}

TEST_F(ArrayForm, AnArrayBelongsToWhoAllocatesIt) {
  matrix.owner = 2;
  EXPECT_EQ(of({allocated()}),
            Texts({"own belongs to level 2, and is allocated by a worker of level 1"}));
  EXPECT_EQ(of({lanes({allocated(), set(at(lane, lane), in[lane])})}), Texts());
  EXPECT_EQ(of({lanes({allocated()}), set(at(N, N), x)})[1],
            "own is used where what declares it cannot be seen");
  matrix.owner = 9;
  EXPECT_EQ(of({allocated()}), Texts({"own belongs to level 9, which there is not"}));
}

TEST_F(ArrayForm, AnArrayHasExtentsWithBounds) {
  matrix.bounds.pop_back();
  EXPECT_EQ(of({allocated()}), Texts({"own has 2 extents and 1 bound"}));
  matrix.bounds = {number(4), nullptr};
  matrix.extents = {number(5), real.e};
  EXPECT_EQ(of({let(real, E(ir::realLiteral(1, Scalar::F32))), allocated()}),
            Texts({"the extent of dimension 0 of own is 5, above its bound 4",
                   "the extent of dimension 1 of own, real, is no integer",
                   "there is no bound of dimension 1 of own"}));
  matrix = {1, {x.e, N.e}, {N.e, in[0].e}};
  EXPECT_EQ(of({allocated()}), Texts({"x is used and not declared", "a bound of own reads memory",
                                      "a bound of own uses in, which the host does not know"}));
  EXPECT_EQ(of({ir::allocate(x.var(), {1, {N.e}, {N.e}})}),
            Texts({"x is allocated and is no array"}));
}

TEST_F(ArrayForm, AWindowBeginsAlongEachDimensionOfItsArray) {
  ir::Window window = part();
  window.origin.push_back(number(0));
  EXPECT_EQ(of({bound(window)}), Texts({"known begins at 2 numbers of in, which has 1 dimension"}));
  window.origin = {real.e};
  EXPECT_EQ(of({let(real, E(ir::realLiteral(1, Scalar::F32))), bound(window)}),
            Texts({"the begin of known along dimension 0 of in, real, is no integer"}));
  window.origin = {lane.e};
  EXPECT_EQ(of({bound(window)}), Texts({"lane is used and not declared"}));
  window = part();
  window.array = own.var();
  EXPECT_EQ(of({bound(window)}), Texts({"own is no memory of the plan"}));
}

TEST_F(ArrayForm, AWindowHasStepExtentAndBound) {
  ir::Window window = part();
  window.dims[0].of = 1;
  EXPECT_EQ(of({bound(window)}),
            Texts({"dimension 0 of known runs along dimension 1 of in, which has 1 dimension"}));
  window.dims[0] = {0, nullptr, nullptr, nullptr};
  EXPECT_EQ(of({bound(window)}), Texts({"there is no step of dimension 0 of known",
                                        "there is no extent of dimension 0 of known",
                                        "there is no bound of dimension 0 of known"}));
  window.dims[0] = {0, number(1), number(9), number(8)};
  EXPECT_EQ(of({bound(window)}),
            Texts({"the extent of dimension 0 of known is 9, above its bound 8"}));
  window.dims[0] = {0, x.e, lane.e, group.e};
  EXPECT_EQ(of({bound(window)}),
            Texts({"x is used and not declared", "lane is used and not declared",
                   "a bound of known uses group, which the host does not know"}));
}

TEST_F(ArrayForm, ItIsSaidOfTheWindowAlone) {
  const std::vector<Violation> wrong = verify(plan({bound(part(), 2)}), Form::Padded);
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].text(), "known is a window of level 2, and its body runs at level 1, in "
                             "'known = in[n...], n (<= N);'");
}

TEST_F(ArrayForm, AWindowIsOfTheLevelThatRunsItsBody) {
  EXPECT_EQ(of({bound(part(), 3)}), Texts()); // the only chain of the worker
  EXPECT_EQ(of({bound(part(), 2)}),
            Texts({"known is a window of level 2, and its body runs at level 1"}));
  EXPECT_EQ(of({bound(part(), 0)}),
            Texts({"known is a window of level 0, and its body runs at level 1"}));
  EXPECT_EQ(of({bound(part(), 9)}), Texts({"known is a window of level 9, which there is not"}));
}

TEST_F(ArrayForm, ACopyIsOfAWindowByNumbersOfItsOwn) {
  EXPECT_EQ(of({copied(part()), lanes({set(a[lane], in[lane])})}), Texts());
  ir::Window window = part();
  window.origin = {lane.e};
  EXPECT_EQ(of({copied(window)}), Texts({"lane is used and not declared"}));
  window = part();
  window.dims.push_back(window.dims[0]);
  EXPECT_EQ(of({copied(window)}),
            Texts({"a[lane] is counted by 1 number, and is a copy of a window with 2 dimensions"}));
  EXPECT_EQ(of({copied(part(), 2)}),
            Texts({"the window that a is a copy of is a window of level 2, and its body runs at "
                   "level 1"}));
  EXPECT_EQ(of({ir::vectorized(copied(part()), {4, (n > K).e, x.e, a[lane].e, in[lane].e})}),
            Texts({"x is used and not declared"}));
}

TEST_F(ArrayForm, PaddingIsOfAnArrayThatIsThere) {
  beyond = variable("beyond", Scalar::F32, VarKind::Buffer);
  LoweredPlan other = padded(edge);
  other.body = plan({}).body;
  EXPECT_EQ(of(other), Texts({"beyond and in, which it continues, differ in type"}));
  beyond = variable("beyond", Scalar::I32, VarKind::Buffer);
  other = padded(edge);
  other.padded[beyond.var()].edges.clear();
  EXPECT_EQ(of(other), Texts({"beyond continues in past no end"}));
  other.padded[beyond.var()] = {own.var(), {edge}};
  EXPECT_EQ(of(other), Texts({"own is no memory of the plan"}));
}

TEST_F(ArrayForm, AnEdgeSaysWhatIsBeyond) {
  ir::Edge wrong = edge;
  wrong.of = 1;
  EXPECT_EQ(of(padded(wrong)),
            Texts({"dimension 1 of beyond is continued, and there are 1 dimension"}));
  wrong = {0,      ir::Boundary::Constant, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
           nullptr};
  EXPECT_EQ(of(padded(wrong)),
            Texts({"there is no number before the begin of dimension 0 of beyond",
                   "there is no number after the end of dimension 0 of beyond",
                   "there is no begin of dimension 0 of beyond",
                   "there is no step of dimension 0 of beyond",
                   "there is no extent of dimension 0 of beyond",
                   "there is no bound of dimension 0 of beyond",
                   "beyond dimension 0 of beyond is no value"}));
  wrong = edge;
  wrong.beyond = ir::intLiteral(7, Scalar::I32);
  EXPECT_EQ(of(padded(wrong)),
            Texts({"beyond dimension 0 of beyond is a value, and no constant is asked for"}));
}

TEST_F(ArrayForm, TheKernelFormHasNoneOfIt) {
  arrayForm = false;
  EXPECT_EQ(of({allocated()}), Texts({"own is allocated in the kernel form"}));
  EXPECT_EQ(of({bound(part())}), Texts({"known is a window in the kernel form"}));
  EXPECT_EQ(of({copied(part())}), Texts({"a is a copy of a window in the kernel form"}));
}

} // namespace
} // namespace tangram::codegen
