#include "composer/analysis/scalar_uses.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace ir;

VarPtr scalar(const std::string &name, VarKind kind = VarKind::Param) {
  auto v = std::make_shared<Var>();
  v->name = name;
  v->type = scalarType(Scalar::I32);
  v->kind = kind;
  return v;
}

Spectrum spectrumOf(const std::string &name, const std::vector<VarPtr> &params, StmtPtr body) {
  Codelet codelet;
  codelet.spectrum = name;
  codelet.params = params;
  codelet.body = block({std::move(body)});
  Spectrum spectrum;
  spectrum.name = name;
  spectrum.params = params;
  spectrum.codelets = {codelet};
  return spectrum;
}

/// A loop of `end` rounds.
StmtPtr roundsTo(const ExprPtr &end) {
  const VarPtr i = scalar("i", VarKind::Local);
  return forLoop(declare(i, intLiteral(0, Scalar::I32)), binary("<", varRef(i), end),
                 assign(varRef(i), "+=", intLiteral(1, Scalar::I32)), block({}));
}

TEST(ScalarUses, WhatEndsALoopDecidesAndWhatIsAddedDoesNot) {
  const VarPtr steps = scalar("steps"), offset = scalar("offset");
  const VarPtr total = scalar("total", VarKind::Local), rounds = scalar("rounds", VarKind::Local);
  Program program;
  program.spectrums.push_back(
      spectrumOf("f", {steps, offset},
                 block({declare(total, varRef(offset)),
                        declare(rounds, binary("*", varRef(steps), intLiteral(2, Scalar::I32))),
                        roundsTo(varRef(rounds))})));
  EXPECT_EQ(decidingScalars(program, "f"), (std::vector<bool>{true, false}));
  EXPECT_EQ(decidingScalars(program, "g"), std::vector<bool>());
}

TEST(ScalarUses, CalleesAndDivisorsDecideToo) {
  const VarPtr n = scalar("n"), a = scalar("a"), b = scalar("b"), c = scalar("c"), d = scalar("d");
  Program program;
  const Type type{Scalar::I32};
  program.spectrums.push_back(spectrumOf(
      "outer", {a, b, c, d},
      block({eval(node(ExprKind::SpectrumCall, type, {varRef(a)}, {}, "inner")),
             eval(binary("/", varRef(b), varRef(c))), eval(binary("<<", varRef(b), varRef(d)))})));
  program.spectrums.push_back(spectrumOf("inner", {n}, roundsTo(varRef(n))));
  EXPECT_EQ(decidingScalars(program, "outer"), (std::vector<bool>{true, false, true, true}));
}

} // namespace
} // namespace tangram::composer
