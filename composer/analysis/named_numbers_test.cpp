#include "composer/analysis/named_numbers.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace ir;

VarPtr local(const std::string &name, const Type &type) {
  auto v = std::make_shared<Var>();
  v->name = name;
  v->type = type;
  v->kind = VarKind::Local;
  return v;
}

Spectrum spectrumOf(const std::string &name, StmtPtr body) {
  Codelet codelet;
  codelet.spectrum = name;
  codelet.body = std::move(body);
  Spectrum spectrum;
  spectrum.name = name;
  spectrum.codelets = {codelet};
  return spectrum;
}

ExprPtr integer(std::int64_t value) { return intLiteral(value, Scalar::I32); }

TEST(NamedNumbers, ComparedNumbersStandFirstAndPositionsAreNone) {
  const VarPtr x = local("x", scalarType(Scalar::I32)), i = local("i", scalarType(Scalar::U32));
  Type container = scalarType(Scalar::I32);
  container.rank = 1;
  const VarPtr a = local("a", container);
  const StmtPtr body =
      block({declare(x, integer(1000)),
             forLoop(declare(i, integer(7)), binary("<", varRef(i), integer(16)),
                     assign(varRef(i), "+=", integer(5)),
                     ifThen(binary("==", index(varRef(a), {binary("+", varRef(i), integer(9))}),
                                   unary("-", integer(44))),
                            assign(varRef(x), "=", intLiteral(-1, Scalar::U64)))),
             assign(varRef(x), "+=", binary("*", integer(1), integer(44)))});
  Program program;
  program.spectrums.push_back(spectrumOf("count", body));
  const NamedNumbers numbers = numbersNamedIn(program, "count");
  EXPECT_EQ(numbers.integers, (std::vector<std::uint64_t>{44, 1000, UINT64_MAX}));
  EXPECT_TRUE(numbers.reals.empty());
}

TEST(NamedNumbers, FunctionsAndSpectrumsThatAreCalledHaveTheirs) {
  Function function;
  function.name = "limited";
  function.result = scalarType(Scalar::F32);
  function.body = block({returns(call("fmin", scalarType(Scalar::F32),
                                      {realLiteral(2.5, Scalar::F32), realLiteral(INFINITY)}))});
  Program program;
  program.functions.push_back(function);
  program.spectrums.push_back(
      spectrumOf("inner", block({eval(call("limited", function.result, {}))})));
  program.spectrums.push_back(spectrumOf(
      "outer",
      block({eval(node(ExprKind::SpectrumCall, scalarType(Scalar::F32), {}, {}, "inner"))})));
  program.spectrums.push_back(spectrumOf("other", block({returns(realLiteral(9))})));
  EXPECT_EQ(numbersNamedIn(program, "outer").reals, std::vector<double>{2.5});
  EXPECT_EQ(numbersNamedIn(program, "other").reals, std::vector<double>{9});
}

} // namespace
} // namespace tangram::composer
